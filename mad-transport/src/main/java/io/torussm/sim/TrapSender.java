package io.torussm.sim;

import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.Loop;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The sender of traps of all devices (IBA 13.4.9, 14.2.5.1). A trap goes to the master SM, by LID. It is repeated every
 * second until a TrapRepress with its transaction ID arrives, at most {@value #MAX_TRIES} times. A port repeats only
 * the latest trap of each number. A port without a LID, or without the LID of an SM, sends none.
 */
final class TrapSender {
    static final int MAX_TRIES = 8;
    static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    /** Byte offset of DataDetails in the MAD. The fields below count from it. */
    private static final int DETAILS = Smp.DATA_OFFSET + 10;

    private static final int TYPE_URGENT = 1;
    private static final int TYPE_SECURITY = 2;
    private static final int TYPE_INFORMATIONAL = 4;
    private static final int MAX_NOTICE_HOPS = 30;
    private static final Field LINK_LID = detail(0, 16);
    private static final Field LID = detail(2, 16);
    private static final Field CAPABILITY_MASK = detail(6, 32);
    private static final Field OTHER_LOCAL_CHANGES = detail(5, 8);
    private static final Field CHANGES = detail(10, 16);
    private static final int DESCRIPTION_CHANGED = 1;
    private static final Field SYSTEM_IMAGE_GUID = detail(6, 64);
    private static final Field DR_SLID = detail(4, 16);
    private static final Field METHOD = detail(6, 8);
    private static final Field ATTRIBUTE_ID = detail(8, 16);
    private static final Field ATTRIBUTE_MODIFIER = detail(10, 32);
    private static final Field M_KEY = detail(14, 64);
    private static final Field DR_NOTICE = detail(23, 8);
    private static final int DR_RETURN_PATH = 24;

    private final Loop loop;
    private final BiConsumer<SimPort, Packet> wire;
    private final Map<Key, Pending> pending = new LinkedHashMap<>();
    private long nextTid = 1;
    private long sent;

    private record Key(SimPort port, int trapNumber) {}

    /** A trap without a TrapRepress. */
    private static final class Pending {
        final byte[] mad;
        int sendings;
        Loop.@Nullable Timer timer;

        Pending(byte[] mad) {
            this.mad = mad;
        }
    }

    /** @param wire sends a packet from a port */
    TrapSender(Loop loop, BiConsumer<SimPort, Packet> wire) {
        this.loop = loop;
        this.wire = wire;
    }

    private static Field detail(int offset, int width) {
        return new Field("detail", offset * Byte.SIZE, width);
    }

    /** Sends trap 128: a port of this switch has changed its state. */
    void sendLinkStateChange(SimPort port0) {
        byte[] mad = create(port0, Notice.TRAP_LINK_STATE_CHANGE, TYPE_URGENT);
        LINK_LID.set(mad, DETAILS, port0.lid());
        send(port0, Notice.TRAP_LINK_STATE_CHANGE, mad);
    }

    /** Sends trap 144: the CapabilityMask of this port has changed. */
    void sendCapabilityMaskChange(SimPort port) {
        byte[] mad = create(port, Notice.TRAP_LOCAL_CHANGES, TYPE_INFORMATIONAL);
        LID.set(mad, DETAILS, port.lid());
        CAPABILITY_MASK.set(mad, DETAILS, PortInfo.CAPABILITY_MASK.get(port.info, 0));
        send(port, Notice.TRAP_LOCAL_CHANGES, mad);
    }

    /** Sends trap 144: only the NodeDescription has changed. */
    void sendDescriptionChange(SimPort port) {
        byte[] mad = create(port, Notice.TRAP_LOCAL_CHANGES, TYPE_INFORMATIONAL);
        LID.set(mad, DETAILS, port.lid());
        CAPABILITY_MASK.set(mad, DETAILS, PortInfo.CAPABILITY_MASK.get(port.info, 0));
        OTHER_LOCAL_CHANGES.set(mad, DETAILS, 1);
        CHANGES.set(mad, DETAILS, DESCRIPTION_CHANGED);
        send(port, Notice.TRAP_LOCAL_CHANGES, mad);
    }

    /** Sends trap 145: the SystemImageGUID has changed. */
    void sendSystemImageGuidChange(SimPort port, long systemImageGuid) {
        byte[] mad = create(port, Notice.TRAP_SYSTEM_IMAGE_GUID, TYPE_INFORMATIONAL);
        LID.set(mad, DETAILS, port.lid());
        SYSTEM_IMAGE_GUID.set(mad, DETAILS, systemImageGuid);
        send(port, Notice.TRAP_SYSTEM_IMAGE_GUID, mad);
    }

    /** Sends trap 256: this port has dropped an SMP because of its M_Key. */
    void sendBadMKey(SimPort port, Packet offender) {
        byte[] bad = offender.mad;
        byte[] mad = create(port, Notice.TRAP_BAD_M_KEY, TYPE_SECURITY);
        LID.set(mad, DETAILS, offender.slid);
        METHOD.set(mad, DETAILS, MadHeader.method(bad));
        ATTRIBUTE_ID.set(mad, DETAILS, MadHeader.attributeId(bad));
        ATTRIBUTE_MODIFIER.set(mad, DETAILS, MadHeader.ATTRIBUTE_MODIFIER.get(bad, 0));
        M_KEY.set(mad, DETAILS, Smp.M_KEY.get(bad, 0));
        if (offender.isDirected()) {
            int hops = (int) MadHeader.HOP_COUNT.get(bad, 0);
            int shown = Math.min(hops, MAX_NOTICE_HOPS);
            DR_SLID.set(mad, DETAILS, Smp.DR_SLID.get(bad, 0));
            // Bit 7: the SMP had a directed route. Bit 6: the return path is cut. The other bits are its length.
            DR_NOTICE.set(mad, DETAILS, 0x80 | (shown < hops ? 0x40 : 0) | shown);
            System.arraycopy(bad, Smp.RETURN_PATH + 1, mad, DETAILS + DR_RETURN_PATH, shown);
        }
        send(port, Notice.TRAP_BAD_M_KEY, mad);
    }

    /** Sends a vendor's trap. Only the latest one with its device ID is repeated. */
    void sendVendorTrap(SimPort port, Notice notice) {
        byte[] mad = Smp.lidRouted(Method.TRAP, nextTid++, Notice.TYPE.id(), 0, 0);
        notice.write(mad, Smp.DATA_OFFSET);
        send(port, notice.trapNumber(), mad);
    }

    private byte[] create(SimPort port, int trapNumber, int type) {
        byte[] mad = Smp.lidRouted(Method.TRAP, nextTid++, Notice.TYPE.id(), 0, 0);
        Notice.IS_GENERIC.set(mad, Smp.DATA_OFFSET, 1);
        Notice.NOTICE_TYPE.set(mad, Smp.DATA_OFFSET, type);
        Notice.PRODUCER_TYPE.set(mad, Smp.DATA_OFFSET, port.device.node.type());
        Notice.TRAP_NUMBER.set(mad, Smp.DATA_OFFSET, trapNumber);
        Notice.ISSUER_LID.set(mad, Smp.DATA_OFFSET, port.lid());
        return mad;
    }

    private void send(SimPort port, int trapNumber, byte[] mad) {
        if (!hasMasterSm(port)) {
            return;
        }
        Key key = new Key(port, trapNumber);
        remove(key);
        Pending trap = new Pending(mad);
        pending.put(key, trap);
        sendAgain(key, trap);
    }

    private static boolean hasMasterSm(SimPort port) {
        return port.lid() != 0 && port.get(PortInfo.MASTER_SM_LID) != 0;
    }

    private void sendAgain(Key key, Pending trap) {
        SimPort port = key.port;
        if (trap.sendings == MAX_TRIES || port.device.isFailed || !hasMasterSm(port)) {
            pending.remove(key);
            return;
        }
        trap.sendings++;
        sent++;
        trap.timer = loop.schedule(INTERVAL_NS, () -> sendAgain(key, trap));
        wire.accept(
                port,
                new Packet(
                        trap.mad.clone(),
                        port.lid(),
                        port.get(PortInfo.MASTER_SM_LID),
                        port.get(PortInfo.MASTER_SM_SL),
                        0,
                        0));
    }

    /** Ends the trap with the number and TID of a TrapRepress. Returns false if the port has no such trap. */
    boolean repress(SimPort port, byte[] mad) {
        Key key = new Key(port, (int) Notice.TRAP_NUMBER.get(mad, Smp.DATA_OFFSET));
        Pending trap = pending.get(key);
        boolean isOwn = trap != null && MadHeader.tid(trap.mad) == MadHeader.tid(mad);
        if (isOwn) {
            remove(key);
        }
        return isOwn;
    }

    private void remove(Key key) {
        Pending trap = pending.remove(key);
        if (trap != null && trap.timer != null) {
            trap.timer.cancel();
        }
    }

    /** Returns the number of sent traps, including repetitions. */
    long sent() {
        return sent;
    }

    /** Returns the number of traps that wait for their TrapRepress. */
    int pendingCount() {
        return pending.size();
    }
}
