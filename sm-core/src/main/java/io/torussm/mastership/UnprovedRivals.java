package io.torussm.mastership;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Other SMs that a master does not give way to because they have proved nothing, each reported while it is there. Owner thread: the
 * loop.
 */
final class UnprovedRivals {
    private static final EventLog EVENTS = EventLog.of(UnprovedRivals.class);

    /** Port GUIDs that were reported. */
    private final Set<Long> reported = new HashSet<>();

    /** Compares with the present state, and reports each rival that began or ended. */
    void update(Mastership now) {
        List<RemoteSm> rivals = now.state() != SmState.MASTER
                ? List.of()
                : now.others().stream().filter(UnprovedRivals::isRival).toList();
        rivals.stream()
                .filter(rival -> reported.add(rival.guid()))
                .forEach(rival -> EVENTS.report(
                        SmEvent.SM_UNPROVED,
                        EventField.GUID.of(rival.guid()),
                        EventField.NAME.of(rival.host().description())));
        reported.removeIf(guid -> {
            boolean isOver = rivals.stream().noneMatch(rival -> rival.guid() == guid);
            if (isOver) {
                EVENTS.report(SmEvent.SM_PROVED, EventField.GUID.of(guid));
            }
            return isOver;
        });
    }

    /** A standby of lower rank counts too: once it has taken over, this SM would not give way to it. */
    private static boolean isRival(RemoteSm other) {
        return !other.isProved() && (other.state() == SmState.MASTER || other.state() == SmState.STANDBY);
    }
}
