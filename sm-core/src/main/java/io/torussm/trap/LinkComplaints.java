package io.torussm.trap;

import io.torussm.fabric.NodePort;
import io.torussm.mad.smp.Notice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Ports that complain of their link by traps 129 to 131, counted each, and which of them do it without end. Complaints that
 * follow each other within {@link #ROW_NS} are a row. A port with a long row counts as unhealthy until it has kept quiet for
 * {@link #UNHEALTHY_NS}. Limits are those of OpenSM. Owner thread: the loop, except for {@link #unhealthy}.
 */
public final class LinkComplaints {
    /** Longest pause within a row. */
    static final long ROW_NS = TimeUnit.SECONDS.toNanos(5);

    static final long UNHEALTHY_NS = TimeUnit.SECONDS.toNanos(60);

    /** A first complaint is worth a line again after this. */
    static final long FORGET_NS = TimeUnit.HOURS.toNanos(1);

    /** Complaints in a row from which on a port is unhealthy. */
    static final int FREQUENT = 10;

    /** Complaints in a row from which on a port is a babbler. */
    static final int BABBLING = 250;

    /** Ports that are remembered; beyond this the one that was quiet for longest is forgotten. */
    static final int MAX_PORTS = 1 << 12;

    private static final int FIRST_TRAP = Notice.TRAP_LINK_INTEGRITY;
    private static final int TRAPS = 3;

    private final LongSupplier clock;
    private final Map<NodePort, Port> ports = new LinkedHashMap<>(16, 0.75f, true);
    private final List<Port> shown = new CopyOnWriteArrayList<>();

    /** What a complaint means. */
    public enum News {
        /** The first one since long. */
        FIRST,
        /** One more. */
        MORE,
        /** The port is unhealthy from now on. */
        UNHEALTHY,
        /** One more of a port that is unhealthy. */
        STILL,
        /** The row has become so long that the port is a babbler. */
        BABBLING
    }

    /**
     * A port that complains often.
     *
     * @param linkIntegrity complaints of each kind since the port was seen first
     */
    public record Unhealthy(NodePort place, long linkIntegrity, long bufferOverrun, long flowControl) {}

    private static final class Port {
        final NodePort place;
        final AtomicLongArray counts = new AtomicLongArray(TRAPS);

        volatile boolean hadLongRow;
        volatile long lastNs;
        int inARow;

        Port(NodePort place) {
            this.place = place;
        }

        boolean isUnhealthy(long nowNs) {
            return hadLongRow && nowNs - lastNs < UNHEALTHY_NS;
        }
    }

    /**
     * Creates counters without any complaint.
     *
     * @param clock nanoseconds; may be asked by any thread
     */
    public LinkComplaints(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * A port complains.
     *
     * @param trapNumber 129 to 131
     */
    public News complained(NodePort place, int trapNumber) {
        long nowNs = clock.getAsLong();
        boolean isNew = !ports.containsKey(place);
        Port port = ports.computeIfAbsent(place, Port::new);
        forgetEldest();
        long quietNs = nowNs - port.lastNs;
        boolean wasUnhealthy = port.isUnhealthy(nowNs);
        port.inARow = !isNew && quietNs <= ROW_NS ? port.inARow + 1 : 1;
        port.lastNs = nowNs;
        port.counts.incrementAndGet(trapNumber - FIRST_TRAP);
        if (port.inARow == BABBLING) {
            return News.BABBLING;
        } else if (wasUnhealthy) {
            return News.STILL;
        } else if (port.inARow >= FREQUENT) {
            show(port, nowNs);
            return News.UNHEALTHY;
        }
        port.hadLongRow = false;
        return isNew || quietNs >= FORGET_NS ? News.FIRST : News.MORE;
    }

    private void show(Port port, long nowNs) {
        port.hadLongRow = true;
        shown.removeIf(other -> other == port || !other.isUnhealthy(nowNs));
        shown.add(port);
    }

    private void forgetEldest() {
        if (ports.size() > MAX_PORTS) {
            Port eldest = ports.remove(ports.keySet().iterator().next());
            shown.remove(eldest);
        }
    }

    /** Ports that remember a complaint. */
    int size() {
        return ports.size();
    }

    /** Ports that are unhealthy now, those that became it first before others. May be called from any thread. */
    public List<Unhealthy> unhealthy() {
        long nowNs = clock.getAsLong();
        return shown.stream()
                .filter(port -> port.isUnhealthy(nowNs))
                .map(port -> new Unhealthy(port.place, port.counts.get(0), port.counts.get(1), port.counts.get(2)))
                .toList();
    }
}
