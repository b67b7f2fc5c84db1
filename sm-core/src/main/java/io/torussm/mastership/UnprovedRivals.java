package io.torussm.mastership;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Unproved SMs to which a master does not hand over, each reported while it exists. Owner thread: the loop. */
final class UnprovedRivals {
    private static final EventLog EVENTS = EventLog.of(UnprovedRivals.class);

    /** Port GUIDs that were reported. */
    private final Set<Long> reported = new HashSet<>();

    /** Compares with the current state, and reports each rival that appeared or disappeared. */
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

    /**
     * Checks whether an SM is an unproved rival. A lower standby counts too: if it took over, this SM would
     * not hand over to it.
     */
    private static boolean isRival(RemoteSm other) {
        return !other.isProved() && (other.state() == SmState.MASTER || other.state() == SmState.STANDBY);
    }
}
