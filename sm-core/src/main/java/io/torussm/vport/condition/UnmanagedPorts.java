package io.torussm.vport.condition;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.Loop;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The ports whose vports stay as they are. Each is reported with its reason, and later with another one. A host may
 * change its vports and so the reason many times per second. Therefore reports of a port have a pause between them,
 * after which the newest reason is reported. Owner thread: the loop.
 */
public final class UnmanagedPorts {
    /** The shortest time from one report of a port to the next one. */
    public static final long PAUSE_NS = TimeUnit.MINUTES.toNanos(10);

    /** Time since the first visit after which vports that were not read count as absent. */
    public static final long MAX_UNKNOWN_NS = TimeUnit.MINUTES.toNanos(2);

    private static final EventLog EVENTS = EventLog.of(UnmanagedPorts.class);
    private static final String UNREAD = "vports were not read within "
            + TimeUnit.NANOSECONDS.toMinutes(MAX_UNKNOWN_NS)
            + " minutes; a switch that checks P_Keys lets only the P_Keys of the port itself and of vports that were"
            + " read pass";

    private final Loop loop;

    /** By PortGUID, ports that are present and were reported. */
    private final Map<Long, Port> ports = new HashMap<>();

    /** PortGUIDs of ports whose vports were not all read in time. */
    private final Set<Long> latePorts = new HashSet<>();

    private record Condition(DeviceText device, String reason) {}

    private static final class Port {
        /** The condition as it is; null if all vports are managed. */
        @Nullable
        Condition current;

        /** The reported condition that has not ended. */
        @Nullable
        Condition reported;

        /** No report is allowed before. */
        long nextNs;

        /** The timer of a report that waits. */
        Loop.@Nullable Timer reportTimer;
    }

    /** Creates it without ports. */
    public UnmanagedPorts(Loop loop) {
        this.loop = loop;
    }

    /**
     * Reports a port if it has another reason than before, after the pause.
     *
     * @param device null if the port is absent, which is not reported
     */
    public void add(long portGuid, @Nullable DeviceText device, String reason) {
        if (device != null) {
            Port port = port(portGuid);
            port.current = new Condition(device, latePorts.contains(portGuid) ? reason + "; " + UNREAD : reason);
            report(port);
        }
    }

    /** Reports a port whose vports were not all read in time, once and without a pause. */
    public void reportLate(long portGuid, @Nullable DeviceText device) {
        latePorts.add(portGuid);
        if (device != null) {
            Port port = port(portGuid);
            port.current = new Condition(device, port.current == null ? UNREAD : port.current.reason() + "; " + UNREAD);
            port.nextNs = loop.nowNs();
            report(port);
        }
    }

    private Port port(long portGuid) {
        return ports.computeIfAbsent(portGuid, any -> {
            Port port = new Port();
            port.nextNs = loop.nowNs();
            return port;
        });
    }

    private void report(Port port) {
        Condition now = port.current;
        if (now == null || (port.reported != null && port.reported.reason().equals(now.reason()))) {
            return;
        }
        long pauseNs = port.nextNs - loop.nowNs();
        if (pauseNs <= 0) {
            port.reported = now;
            port.nextNs = loop.nowNs() + PAUSE_NS;
            EVENTS.report(SmEvent.VPORTS_LEFT, EventField.NAME.of(now.device()), EventField.REASON.of(now.reason()));
        } else if (port.reportTimer == null) {
            port.reportTimer = loop.schedule(pauseNs, () -> {
                port.reportTimer = null;
                report(port);
            });
        }
    }

    /** Notes that the vports of a port were all read. */
    public void onAllRead(long portGuid) {
        latePorts.remove(portGuid);
    }

    /** Ends the condition of a port. */
    public void end(long portGuid) {
        latePorts.remove(portGuid);
        Port port = ports.get(portGuid);
        if (port != null) {
            Condition before = port.reported;
            port.current = null;
            port.reported = null;
            if (before != null) {
                EVENTS.report(SmEvent.VPORTS_MANAGED, EventField.NAME.of(before.device()));
            }
        }
    }

    /** Ends the condition of a port that is absent, and forgets it. */
    public void remove(long portGuid) {
        end(portGuid);
        Port port = ports.remove(portGuid);
        if (port != null) {
            cancel(port);
        }
    }

    /** Ends the conditions of all ports. */
    public void endAll() {
        List.copyOf(ports.keySet()).forEach(this::remove);
        latePorts.clear();
    }

    /** Forgets all ports without a report. */
    public void clear() {
        ports.values().forEach(UnmanagedPorts::cancel);
        ports.clear();
        latePorts.clear();
    }

    private static void cancel(Port port) {
        if (port.reportTimer != null) {
            port.reportTimer.cancel();
        }
    }
}
