package io.torussm.vport;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The ports whose vports stay as they are. Each is reported with its reason, and again if another reason is true later.
 * Owner thread: the loop.
 */
final class LeftPorts {
    private static final EventLog EVENTS = EventLog.of(VPortManager.class);
    private static final String UNREAD = "vports were not read within "
            + TimeUnit.NANOSECONDS.toMinutes(VisitTimers.MAX_UNKNOWN_NS)
            + " minutes; a switch that checks P_Keys lets only the P_Keys of the port itself and of vports that were"
            + " read pass";

    /** Reported ports, by PortGUID. */
    private final Map<Long, Reported> reported = new HashMap<>();

    /** PortGUIDs of ports whose vports were not all read in time. */
    private final Set<Long> late = new HashSet<>();

    private record Reported(DeviceText device, String reason) {}

    /**
     * Reports a port, unless it is reported with this reason.
     *
     * @param device null if the port is absent, which is not reported
     */
    void add(long portGuid, @Nullable DeviceText device, String reason) {
        report(portGuid, device, late.contains(portGuid) ? reason + "; " + UNREAD : reason);
    }

    /** Reports a port whose vports were not all read in time. */
    void readTooLate(long portGuid, @Nullable DeviceText device) {
        Reported before = reported.get(portGuid);
        late.add(portGuid);
        report(portGuid, device, before == null ? UNREAD : before.reason() + "; " + UNREAD);
    }

    private void report(long portGuid, @Nullable DeviceText device, String reason) {
        Reported before = reported.get(portGuid);
        if (device != null && (before == null || !before.reason().equals(reason))) {
            reported.put(portGuid, new Reported(device, reason));
            EVENTS.report(SmEvent.VPORTS_LEFT, EventField.NAME.of(device), EventField.REASON.of(reason));
        }
    }

    /** Notes that the vports of a port were all read. */
    void read(long portGuid) {
        late.remove(portGuid);
    }

    /** Ends the condition of a port. */
    void end(long portGuid) {
        late.remove(portGuid);
        Reported before = reported.remove(portGuid);
        if (before != null) {
            EVENTS.report(SmEvent.VPORTS_MANAGED, EventField.NAME.of(before.device()));
        }
    }

    /** Ends the conditions of all ports. */
    void endAll() {
        List.copyOf(reported.keySet()).forEach(this::end);
        late.clear();
    }

    /** Forgets all ports without a report. */
    void clear() {
        reported.clear();
        late.clear();
    }
}
