package io.torussm.mastership;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The report of unproved SMs: those to which a master does not hand over, and masters that cannot respond to a future
 * master, which therefore waits for them. The begin and end of each is reported. Owner thread: the loop.
 */
final class UnprovedRivals {
    private static final EventLog EVENTS = EventLog.of(UnprovedRivals.class);

    /** PortGUIDs of the reported SMs. */
    private final Set<Long> reported = new HashSet<>();

    /** Reports each rival that appeared or disappeared since the last call. */
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
     * Checks whether an SM is an unproved rival. A standby of lower rank is one too: this SM would not hand over to it
     * when it ends.
     */
    private static boolean isRival(RemoteSm other) {
        return !other.isProved() && (other.state() == SmState.MASTER || other.state() == SmState.STANDBY);
    }
}
