package io.torussm.mastership;

import io.torussm.mastership.Mastership.SilenceWait;
import io.torussm.mastership.MastershipAction.Poll;
import io.torussm.mastership.MastershipAction.Start;
import io.torussm.mastership.MastershipAction.Sweep;

/**
 * The polling part of the SM state machine (IBA 14.4.1). A standby polls its master; a master polls another master of
 * lower rank until that one hands over. If too many consecutive polls fail, polling ends. One instance takes one step.
 */
abstract class MastershipPolling extends MastershipMoves {
    /** Number of polls of a master of lower rank that does not hand over, from one warning to the next. */
    private static final int WARNING_POLLS = 30;

    private final int pollRetries;

    /**
     * Begins a step.
     *
     * @param pollRetries max number of consecutive polls that may fail
     */
    MastershipPolling(Mastership current, int pollRetries) {
        super(current);
        this.pollRetries = pollRetries;
    }

    final void onPollAnswered(RemoteSm sm) {
        RemoteSm watched = now.watch().sm();
        if (watched == null || watched.guid() != sm.guid()) {
            return;
        }
        if (now.state() == SmState.STANDBY && sm.state() != SmState.MASTER) {
            now = now.including(sm).with(now.watch().missed(false));
            // A poll with all its retries was not answered: the SM was dead, so that it has not handed over.
            boolean isRestarted = now.outranks(sm) && now.watch().silences() > 0;
            giveUpAfterMaxMisses(
                    maxMisses(sm),
                    "it is " + sm.state() + " and no master",
                    isRestarted ? SilenceWait.UNUSED : SilenceWait.CAREFUL);
        } else if (now.state() == SmState.STANDBY) {
            now = now.including(sm).with(now.watch().met(sm));
            if (now.outranks(sm) && now.watch().trapWait() == 0) {
                claim();
            }
        } else if (sm.state() != SmState.MASTER) {
            unwatch();
            log("the other master is " + sm.state() + " now: " + sm);
            act(new Sweep(true));
        } else {
            now = now.including(sm).with(now.watch().met(sm));
            if (now.watch().answers() % WARNING_POLLS == 0) {
                warn("another master of lower rank does not hand over: " + sm
                        + "; does it see this SM, and trust its SM_Key? Nothing is programmed until it does");
            }
        }
    }

    final void onPollMissed(MastershipEvent.PollFailed poll) {
        if (now.watch().sm() != null) {
            now = now.with(now.watch().missed(true));
            giveUpAfterMaxMisses(poll.maxMisses(pollRetries), poll.reason(), SilenceWait.UNUSED);
        }
    }

    /**
     * Returns the max number of consecutive polls that may find an SM that is no master. An SM of lower rank in
     * DISCOVERING has restarted and waits for this SM. In STANDBY it may be in a handover, but only for a short time.
     */
    private int maxMisses(RemoteSm sm) {
        boolean isWaiting = now.outranks(sm) && sm.state() != SmState.NOT_ACTIVE;
        int mostOfWaiting = sm.state() == SmState.DISCOVERING ? 0 : 1;
        return isWaiting ? Math.min(pollRetries, mostOfWaiting) : pollRetries;
    }

    private void giveUpAfterMaxMisses(int maxMisses, String cause, SilenceWait next) {
        RemoteSm watched = now.watch().sm();
        if (watched == null || now.watch().misses() <= maxMisses) {
            return;
        }
        int misses = now.watch().misses();
        unwatch();
        String reason = misses + (misses == 1 ? " poll of " : " polls of ") + watched + " met no master: " + cause;
        if (now.state() == SmState.STANDBY) {
            become(SmState.DISCOVERING, reason);
            now = now.with(next);
        } else {
            log(reason);
        }
        act(new Sweep(true));
    }

    final void onPollTimer() {
        if (now.watch().isAwaiting()) {
            onPollMissed(new MastershipEvent.PollFailed(false));
        }
        RemoteSm watched = now.watch().sm();
        if (watched != null) {
            now = now.with(now.watch().polling());
            act(new Poll(watched));
            act(new Start(MastershipTimer.POLL));
        }
    }
}
