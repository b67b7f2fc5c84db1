package io.torussm.mastership;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Unproved SMs that a master does not hand over to, or for which a future master waits because it cannot ask
 * them. Each is reported while it exists. Owner thread: the loop.
 */
final class UnprovedRivals {
    private static final EventLog EVENTS = EventLog.of(UnprovedRivals.class);

    /** Port GUIDs that were reported. */
    private final Set<Long> reported = new HashSet<>();

    /** Compares with the current state, and reports each rival that appeared or disappeared. */
    void update(Mastership current) {
        Map<Long, String> rivals = new LinkedHashMap<>();
        if (current.state() == SmState.MASTER) {
            current.others().stream()
                    .filter(UnprovedRivals::isRival)
                    .forEach(rival -> rivals.put(rival.guid(), rival.host().description()));
        } else if (current.state() == SmState.DISCOVERING) {
            current.peers().silent().stream().filter(SilentSm::isMaster).forEach(sm -> rivals.put(sm.portGuid(), ""));
        }
        rivals.forEach((guid, name) -> {
            if (reported.add(guid)) {
                EVENTS.report(SmEvent.SM_UNPROVED, EventField.GUID.of(guid), EventField.NAME.of(name));
            }
        });
        reported.removeIf(guid -> {
            boolean isOver = !rivals.containsKey(guid);
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
