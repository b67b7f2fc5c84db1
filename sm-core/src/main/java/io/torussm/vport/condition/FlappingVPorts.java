package io.torussm.vport.condition;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Guid;
import io.torussm.transport.Loop;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The vports that come and go again and again, and the hosts whose traps do not cease. A vport comes up immediately a
 * few times, and later at the end of a pause only. Each pause is twice as long as the previous one, until the vport is
 * stable. Meanwhile it counts as absent. Visits of a port upon traps have a short pause after many of them. So a host
 * costs a bounded share of the time, other vports of it wait for that short pause only, and those of other hosts for
 * none. The memory is bounded for any input. Owner thread: the loop.
 */
public final class FlappingVPorts {
    /** Number of changes of a vport in a row that are not delayed. */
    public static final int FREE = 4;

    static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(10);

    /** The time without a change after which a vport is stable. */
    public static final long QUIET_NS = TimeUnit.SECONDS.toNanos(30);

    /** Limit of the remembered vports of a port, all of a usual host; beyond it the oldest change is forgotten. */
    public static final int MAX_OF_PORT = 128;

    /** Number of visits in a row that are not delayed: all virtual functions of a busy host come and go. */
    public static final int FREE_VISITS = 128;

    /** The time between two visits beyond those. */
    public static final long VISIT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final EventLog EVENTS = EventLog.of(FlappingVPorts.class);

    private final Loop loop;
    private final LongConsumer visit;
    private final LongFunction<@Nullable DeviceText> device;

    /** By PortGUID: ports with a change or a trap within the last time. */
    private final Map<Long, Port> ports = new HashMap<>();

    /** The decision about a vport that is to come up. */
    public enum Admission {
        NOW,
        /** At the end of a pause, when its port is visited again. */
        LATER
    }

    private static final class VPort {
        int changes;
        long lastNs;
        long pauseNs;

        /** End of the pause. */
        long untilNs;

        /** True if the vport is to come up at the end of the pause. */
        boolean isWaiting;
    }

    private static final class Port {
        /** By GUID; the one that changed last is at the end. */
        final Map<Long, VPort> vports = new LinkedHashMap<>(16, 0.75f, true);

        /** Time until which visits have used their share. */
        long paidUntilNs;

        /** True if a visit waits for its pause. */
        boolean isVisitWaiting;

        /** The device in the event that has not ended; null if there is none. */
        @Nullable
        DeviceText reported;

        /** Delayed changes and visits since that event. */
        int delayed;

        long firstNs;
        long lastNs;
    }

    /**
     * Creates it without ports.
     *
     * @param visit takes the PortGUID of a port that is to be visited now
     * @param device describes a port by its PortGUID; null if it is absent
     */
    public FlappingVPorts(Loop loop, LongConsumer visit, LongFunction<@Nullable DeviceText> device) {
        this.loop = loop;
        this.visit = visit;
        this.device = device;
    }

    private Port port(long portGuid) {
        return ports.computeIfAbsent(portGuid, any -> {
            Port port = new Port();
            port.paidUntilNs = loop.nowNs() - FREE_VISITS * VISIT_PAUSE_NS;
            return port;
        });
    }

    /** Requests a visit of a port upon a trap: now, or after a pause if there were many. */
    public void requestVisit(long portGuid) {
        Port port = port(portGuid);
        if (port.isVisitWaiting) {
            return; // the visit after the pause finds this change, too
        }
        long nowNs = loop.nowNs();
        long paidNs = Math.max(port.paidUntilNs, nowNs - FREE_VISITS * VISIT_PAUSE_NS);
        port.paidUntilNs = paidNs + VISIT_PAUSE_NS;
        if (paidNs <= nowNs) {
            visit.accept(portGuid);
            return;
        }
        port.isVisitWaiting = true;
        schedule(portGuid, port, paidNs - nowNs, () -> {
            port.isVisitWaiting = false;
            visit.accept(portGuid);
        });
        delayed(portGuid, port, "traps do not cease");
    }

    /**
     * Decides whether a vport that has come, or is not ACTIVE any more, may come up now. Counts the change.
     *
     * @param name vport in words, with its index
     */
    public Admission admit(long portGuid, long guid, Supplier<String> name) {
        Port port = port(portGuid);
        VPort vport = port.vports.computeIfAbsent(guid, any -> new VPort());
        forgetEldest(port);
        long nowNs = loop.nowNs();
        if (vport.changes > 0 && nowNs - vport.lastNs >= QUIET_NS) {
            vport.changes = 0;
            vport.pauseNs = 0;
            vport.isWaiting = false;
        }
        boolean isPausing = vport.pauseNs > 0 && vport.untilNs - nowNs > 0;
        if (!vport.isWaiting) {
            vport.changes++;
            vport.lastNs = nowNs;
            if (vport.changes > FREE) {
                delayed(portGuid, port, name.get() + " with GUID " + Guid.format(guid) + " comes and goes");
            }
            if (isPausing) {
                schedule(portGuid, port, vport.untilNs - nowNs, () -> visit.accept(portGuid));
            }
        }
        vport.isWaiting = isPausing;
        if (!isPausing && vport.changes > FREE) {
            vport.pauseNs = Math.min(LONGEST_PAUSE_NS, Math.max(FIRST_PAUSE_NS, 2 * vport.pauseNs));
            vport.untilNs = nowNs + vport.pauseNs;
        }
        return isPausing ? Admission.LATER : Admission.NOW;
    }

    private static void forgetEldest(Port port) {
        if (port.vports.size() > MAX_OF_PORT) {
            Iterator<Long> eldest = port.vports.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    /** Runs an action unless the port is forgotten before. */
    private void schedule(long portGuid, Port port, long delayNs, Runnable action) {
        loop.schedule(delayNs, () -> {
            if (ports.get(portGuid) == port) {
                action.run();
            }
        });
    }

    private void delayed(long portGuid, Port port, String reason) {
        port.lastNs = loop.nowNs();
        port.delayed++;
        DeviceText name = port.reported == null ? device.apply(portGuid) : null;
        if (name != null) {
            port.reported = name;
            port.delayed = 1;
            port.firstNs = port.lastNs;
            EVENTS.report(SmEvent.VPORTS_FLAPPING, EventField.NAME.of(name), EventField.REASON.of(reason));
            awaitQuiet(portGuid, port);
        }
    }

    private void awaitQuiet(long portGuid, Port port) {
        schedule(portGuid, port, port.lastNs + QUIET_NS - loop.nowNs(), () -> {
            if (loop.nowNs() - port.lastNs >= QUIET_NS) {
                end(port);
            } else {
                awaitQuiet(portGuid, port);
            }
        });
    }

    private static void end(Port port) {
        DeviceText name = port.reported;
        port.reported = null;
        if (name != null) {
            EVENTS.report(
                    SmEvent.VPORTS_STABLE,
                    EventField.NAME.of(name),
                    EventField.COUNT.of(port.delayed),
                    EventField.SECONDS.of(TimeUnit.NANOSECONDS.toSeconds(port.lastNs - port.firstNs)));
        }
    }

    /** Forgets ports and vports that are stable. */
    public void forgetStable() {
        long nowNs = loop.nowNs();
        ports.values().removeIf(port -> {
            port.vports.values().removeIf(vport -> nowNs - vport.lastNs >= QUIET_NS);
            boolean isQuiet = nowNs - port.paidUntilNs >= FREE_VISITS * VISIT_PAUSE_NS;
            return port.vports.isEmpty() && isQuiet && port.reported == null && !port.isVisitWaiting;
        });
    }

    /** Returns the number of remembered vports. */
    public int size() {
        return ports.values().stream().mapToInt(port -> port.vports.size()).sum();
    }

    /** Forgets a port that is absent, and ends its condition. */
    public void remove(long portGuid) {
        Port port = ports.remove(portGuid);
        if (port != null) {
            end(port);
        }
    }

    /** Forgets all ports, and ends their conditions. */
    public void endAll() {
        ports.values().forEach(FlappingVPorts::end);
        clear();
    }

    /** Forgets all ports; conditions end without an event. */
    public void clear() {
        ports.clear();
    }
}
