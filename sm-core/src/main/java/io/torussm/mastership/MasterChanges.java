package io.torussm.mastership;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The conditions about other SMs: an unproved rival, the loss of the mastership to an SM that is no peer, and the
 * replacement of a master that did not hand over. Owner thread: the loop.
 */
final class MasterChanges {
    private static final EventLog EVENTS = EventLog.of(MasterChanges.class);

    private final LongPredicate isPeer;
    private final UnprovedRivals rivals = new UnprovedRivals();

    /** True from the first step as MASTER until this SM is STANDBY. */
    private boolean hasBeenMaster;

    /** The highest priority of this SM since {@link #hasBeenMaster} was set. */
    private int highestPriority;

    /** The SM that became master although it is no peer; null if there is none. */
    private @Nullable RemoteSm foreignMaster;

    /** The master that no longer responded as such; null unless this SM may replace it. */
    private @Nullable RemoteSm predecessor;

    /** Set while this SM is master after such a replacement and has no proved standby. */
    private boolean isAlone;

    /**
     * Creates the conditions, none of which has begun.
     *
     * @param isPeer checks the PortGUID of an SM: true if the operator listed the SM, it replicates with this SM, or it
     *     has shown a secret SM_Key
     */
    MasterChanges(LongPredicate isPeer) {
        this.isPeer = isPeer;
    }

    /** Reports the conditions that begin or end with a step of the state machine. */
    void update(Mastership previous, Mastership current) {
        rivals.update(current);
        updateLoss(current);
        updateReplacement(previous, current);
    }

    private void updateLoss(Mastership current) {
        if (current.state() == SmState.MASTER) {
            highestPriority = hasBeenMaster ? Math.max(highestPriority, current.priority()) : current.priority();
            hasBeenMaster = true;
            updateForeignMaster(null);
        } else if (current.state() == SmState.STANDBY) {
            RemoteSm master = current.watch().sm();
            boolean isLoss = foreignMaster != null
                    || (hasBeenMaster && master != null && !isLostByLoweredPriority(current, master));
            hasBeenMaster = false;
            updateForeignMaster(isLoss && master != null && !isPeer.test(master.guid()) ? master : null);
        }
    }

    /** Checks whether the new master has a higher rank only because an operator lowered the priority of this SM. */
    private boolean isLostByLoweredPriority(Mastership current, RemoteSm master) {
        return current.priority() < highestPriority && !master.outranks(highestPriority, current.guid());
    }

    private void updateForeignMaster(@Nullable RemoteSm master) {
        RemoteSm previousUsurper = foreignMaster;
        foreignMaster = master;
        if (previousUsurper != null && (master == null || master.guid() != previousUsurper.guid())) {
            report(SmEvent.MASTERSHIP_NOT_LOST, previousUsurper);
        }
        if (master != null && (previousUsurper == null || master.guid() != previousUsurper.guid())) {
            report(SmEvent.MASTERSHIP_LOST, master);
        }
    }

    private void updateReplacement(Mastership previous, Mastership current) {
        if (previous.state() == SmState.STANDBY) {
            boolean mayReplace = current.state() == SmState.DISCOVERING && foreignMaster == null;
            predecessor = mayReplace ? previous.watch().sm() : null;
        }
        if (current.state() == SmState.MASTER && predecessor != null) {
            report(SmEvent.MASTER_REPLACED, predecessor);
            predecessor = null;
            isAlone = true;
        }
        boolean hasStandby =
                current.others().stream().anyMatch(other -> other.isProved() && other.state() == SmState.STANDBY);
        if (isAlone && (current.state() != SmState.MASTER || hasStandby)) {
            isAlone = false;
            EVENTS.report(SmEvent.STANDBY_PRESENT);
        }
    }

    private static void report(SmEvent event, RemoteSm sm) {
        EVENTS.report(
                event,
                EventField.GUID.of(sm.guid()),
                EventField.NAME.of(sm.host().description()));
    }
}
