package io.torussm.trap;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.Method;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.Smp;
import io.torussm.subnet.SubnetMemory;
import io.torussm.trap.TrapCounts.Disposition;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The monitor of wrong M_Keys: the senders that ports report by trap 256, and the key of the TrapRepress for
 * such a trap. Owner thread: the loop, except for the counter.
 */
public final class MKeyMonitor {
    private static final EventLog EVENTS = EventLog.of(MKeyMonitor.class);

    /** DataDetails of trap 256 (IBA 14.2.5.1), from byte 10 of the notice. */
    private static final int DETAILS = Smp.DATA_OFFSET + 10;

    private static final Field LID = detail(2, 16);
    private static final Field METHOD = detail(6, 8);
    private static final Field ATTRIBUTE_ID = detail(8, 16);
    private static final Field IS_DIRECTED = detail(23, 1);
    private static final Field IS_TRUNCATED = new Field("detail", 23 * Byte.SIZE + 1, 1);
    private static final Field HOPS = new Field("detail", 23 * Byte.SIZE + 2, 6);
    private static final int RETURN_PATH = 24;
    private static final int MAX_NOTICE_HOPS = 30;

    private final SubnetMemory memory;
    private final Supplier<@Nullable PublishedView> view;
    private final LogRateLimiter offenders;

    /** Limits the lines about ports that refuse the keys of this SM. */
    private final LogRateLimiter refusals;

    private final AtomicLong complaints = new AtomicLong();

    private static Field detail(int offset, int width) {
        return new Field("detail", offset * Byte.SIZE, width);
    }

    /**
     * Creates a monitor.
     *
     * @param view source of names
     * @param clock nanoseconds
     */
    public MKeyMonitor(SubnetMemory memory, Supplier<@Nullable PublishedView> view, LongSupplier clock) {
        this.memory = memory;
        this.view = view;
        this.offenders = new LogRateLimiter(clock);
        this.refusals = new LogRateLimiter(clock);
    }

    /** Returns the number of traps 256; from any thread. */
    public long complaints() {
        return complaints.get();
    }

    /**
     * Returns the M_Key for a TrapRepress to a LID. Empty if none may be sent: a program on a host may have
     * sent the trap, and would see the key; a TrapRepress without the key would count as a violation. A port
     * ends its repetitions without one, too (IBA 13.4.9). A switch has no such programs, and key 0 is no
     * secret.
     */
    OptionalLong repressKey(int lid) {
        PublishedView current = view.get();
        int port = current == null ? Fabric.NONE : current.subnet().portOfLid(lid);
        boolean isSwitch = false;
        long portGuid = memory.lids().portGuid(lid);
        if (current != null && port != Fabric.NONE) {
            Fabric fabric = current.subnet().fabric();
            isSwitch = fabric.isSwitch(fabric.nodeOf(port));
            portGuid = fabric.portGuid(port);
        }
        long key = memory.keys().currentKey(portGuid);
        return isSwitch || key == 0 ? OptionalLong.of(key) : OptionalLong.empty();
    }

    /** Handles trap 256: a port received a wrong key. Returns true if the event was logged or damped. */
    Disposition onBadKey(byte[] trap) {
        complaints.incrementAndGet();
        int issuer = Notice.TYPE.read(trap, Smp.DATA_OFFSET).issuerLid();
        int offender = senderOfRequest(trap, issuer);
        if (offender == ownPort()) {
            return reportRefusal(nameOfLid(issuer));
        }
        DeviceText source = offender == Fabric.NONE ? unknown(trap, issuer) : device(offender);
        return reportOffender(source, "a " + requestText(trap) + " to " + nameOfLid(issuer));
    }

    private Disposition reportRefusal(DeviceText issuer) {
        boolean isDue = refusals.recordEvent(issuer).isDue();
        if (isDue) {
            EVENTS.report(SmEvent.M_KEY_REFUSED, EventField.NAME.of(issuer));
        }
        return isDue ? Disposition.ACTED_ON : Disposition.DAMPED;
    }

    private Disposition reportOffender(DeviceText source, String last) {
        LogRateLimiter.Line line = offenders.recordEvent(source);
        if (line.isDue()) {
            EVENTS.report(
                    SmEvent.M_KEY_VIOLATION,
                    EventField.NAME.of(line.source()),
                    EventField.COUNT.of(line.count()),
                    EventField.TEXT.of(last));
        }
        return line.isDue() ? Disposition.ACTED_ON : Disposition.DAMPED;
    }

    private static String requestText(byte[] trap) {
        int method = (int) METHOD.get(trap, DETAILS);
        String name = method == Method.GET ? "Get" : method == Method.SET ? "Set" : "method 0x" + hex(method, 2);
        return name + " of attribute 0x" + hex((int) ATTRIBUTE_ID.get(trap, DETAILS), 4);
    }

    private static String hex(int value, int width) {
        return String.format("%0" + width + "x", value);
    }

    /** Returns the port that sent the offending SMP; {@link Fabric#NONE} if the trap does not contain it. */
    private int senderOfRequest(byte[] trap, int issuer) {
        PublishedView current = view.get();
        if (current == null) {
            return Fabric.NONE;
        }
        int byLid = current.subnet().portOfLid((int) LID.get(trap, DETAILS));
        int from = current.subnet().portOfLid(issuer);
        boolean isDirected = IS_DIRECTED.get(trap, DETAILS) != 0;
        if (byLid != Fabric.NONE || !isDirected || from == Fabric.NONE || IS_TRUNCATED.get(trap, DETAILS) != 0) {
            return byLid;
        }
        return senderOfDirected(current.subnet().fabric(), from, trap);
    }

    /**
     * Returns the port that sent a directed SMP; port 0 if that is a switch. The return path lists the ingress
     * port at each hop, and the last entry is that of the issuer of the trap.
     */
    private static int senderOfDirected(Fabric fabric, int issuer, byte[] trap) {
        int port = issuer;
        for (int hop = Math.min((int) HOPS.get(trap, DETAILS), MAX_NOTICE_HOPS); hop > 0; hop--) {
            int node = fabric.nodeOf(port);
            int entry = trap[DETAILS + RETURN_PATH + hop - 1] & 0xff;
            if (entry > fabric.numPorts(node)) {
                return Fabric.NONE;
            }
            port = fabric.peer(fabric.port(node, entry));
            if (port == Fabric.NONE) {
                return Fabric.NONE;
            }
        }
        int node = fabric.nodeOf(port);
        return fabric.isSwitch(node) ? fabric.port(node, 0) : port;
    }

    private int ownPort() {
        PublishedView current = view.get();
        return current == null ? Fabric.NONE - 1 : current.subnet().fabric().localPort();
    }

    private DeviceText unknown(byte[] trap, int issuer) {
        int lid = (int) LID.get(trap, DETAILS);
        return IS_DIRECTED.get(trap, DETAILS) == 0
                ? DeviceText.ofDevice("LID " + lid, EventField.LID.of(lid))
                : new DeviceText("a device " + HOPS.get(trap, DETAILS) + " hops from " + nameOfLid(issuer), List.of());
    }

    private DeviceText nameOfLid(int lid) {
        PublishedView current = view.get();
        int port = current == null ? Fabric.NONE : current.subnet().portOfLid(lid);
        return port == Fabric.NONE ? DeviceText.ofDevice("LID " + lid, EventField.LID.of(lid)) : device(port);
    }

    private DeviceText device(int port) {
        PublishedView current = view.get();
        return current == null
                ? new DeviceText("", List.of())
                : current.subnet().devicePort(port);
    }
}
