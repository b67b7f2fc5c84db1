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
 * The counts of link errors that ports report by traps 129 to 131. Traps within {@link #MAX_ROW_PAUSE_NS} of each other
 * are a row. A port with a long row is unhealthy until {@link #UNHEALTHY_NS} without a trap. Limits are those
 * of OpenSM. Owner thread: the loop, except for {@link #unhealthy}.
 */
public final class LinkComplaints {
    /** The longest pause within a row. */
    static final long MAX_ROW_PAUSE_NS = TimeUnit.SECONDS.toNanos(5);

    static final long UNHEALTHY_NS = TimeUnit.SECONDS.toNanos(60);

    /** The pause after which a first trap is logged again. */
    static final long FORGET_NS = TimeUnit.HOURS.toNanos(1);

    /** Number of traps in a row at which a port is unhealthy. */
    static final int UNHEALTHY_TRAPS = 10;

    /** Number of traps in a row at which a port is babbling. */
    static final int BABBLING_TRAPS = 250;

    /** Limit of the remembered ports; beyond it the port with the oldest trap is forgotten. */
    static final int MAX_PORTS = 1 << 12;

    private static final int FIRST_TRAP = Notice.TRAP_LINK_INTEGRITY;
    private static final int TRAPS = 3;

    private final LongSupplier clock;
    private final Map<NodePort, Port> ports = new LinkedHashMap<>(16, 0.75f, true);
    private final List<Port> unhealthyPorts = new CopyOnWriteArrayList<>();

    /** The meaning of a trap. */
    public enum TrapLevel {
        /** The first one after a long pause. */
        FIRST,
        /** A further one. */
        MORE,
        /** The port becomes unhealthy. */
        UNHEALTHY,
        /** A further one of an unhealthy port. */
        STILL,
        /** The port becomes a babbling one. */
        BABBLING
    }

    /**
     * An unhealthy port.
     *
     * @param linkIntegrity traps of each kind since the first one of the port
     */
    public record Unhealthy(NodePort place, long linkIntegrity, long bufferOverrun, long flowControl) {}

    private static final class Port {
        final NodePort place;
        final AtomicLongArray counts = new AtomicLongArray(TRAPS);

        volatile boolean hadUnhealthyRow;
        volatile long lastNs;
        int trapsInRow;

        Port(NodePort place) {
            this.place = place;
        }

        boolean isUnhealthy(long nowNs) {
            return hadUnhealthyRow && nowNs - lastNs < UNHEALTHY_NS;
        }
    }

    /**
     * Creates counters with 0 traps.
     *
     * @param clock nanoseconds; read by any thread
     */
    public LinkComplaints(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Counts a trap.
     *
     * @param trapNumber 129 to 131
     */
    public TrapLevel onTrap(NodePort place, int trapNumber) {
        long nowNs = clock.getAsLong();
        boolean isNew = !ports.containsKey(place);
        Port port = ports.computeIfAbsent(place, Port::new);
        forgetEldest();
        long quietNs = nowNs - port.lastNs;
        boolean wasUnhealthy = port.isUnhealthy(nowNs);
        port.trapsInRow = !isNew && quietNs <= MAX_ROW_PAUSE_NS ? port.trapsInRow + 1 : 1;
        port.lastNs = nowNs;
        port.counts.incrementAndGet(trapNumber - FIRST_TRAP);
        if (port.trapsInRow == BABBLING_TRAPS) {
            return TrapLevel.BABBLING;
        } else if (wasUnhealthy) {
            return TrapLevel.STILL;
        } else if (port.trapsInRow >= UNHEALTHY_TRAPS) {
            show(port, nowNs);
            return TrapLevel.UNHEALTHY;
        }
        port.hadUnhealthyRow = false;
        return isNew || quietNs >= FORGET_NS ? TrapLevel.FIRST : TrapLevel.MORE;
    }

    private void show(Port port, long nowNs) {
        port.hadUnhealthyRow = true;
        unhealthyPorts.removeIf(other -> other == port || !other.isUnhealthy(nowNs));
        unhealthyPorts.add(port);
    }

    private void forgetEldest() {
        if (ports.size() > MAX_PORTS) {
            Port eldest = ports.remove(ports.keySet().iterator().next());
            unhealthyPorts.remove(eldest);
        }
    }

    /** Returns the number of remembered ports. */
    int size() {
        return ports.size();
    }

    /**
     * Returns the unhealthy ports, in the order in which they became unhealthy. May be called from any
     * thread.
     */
    public List<Unhealthy> unhealthy() {
        long nowNs = clock.getAsLong();
        return unhealthyPorts.stream()
                .filter(port -> port.isUnhealthy(nowNs))
                .map(port -> new Unhealthy(port.place, port.counts.get(0), port.counts.get(1), port.counts.get(2)))
                .toList();
    }
}
