package io.torussm.mastership;

import io.torussm.mad.Guid;
import io.torussm.mad.MadStatus;
import io.torussm.mastership.Mastership.Handover;
import io.torussm.mastership.Mastership.SilenceWait;
import io.torussm.mastership.Mastership.Watch;
import io.torussm.mastership.MastershipAction.Answer;
import io.torussm.mastership.MastershipAction.EndSm;
import io.torussm.mastership.MastershipAction.HandOver;
import io.torussm.mastership.MastershipAction.Log;
import io.torussm.mastership.MastershipAction.Poll;
import io.torussm.mastership.MastershipAction.Start;
import io.torussm.mastership.MastershipAction.Stop;
import io.torussm.mastership.MastershipAction.StopPolling;
import io.torussm.mastership.MastershipAction.TrapPriorityChange;
import io.torussm.mastership.MastershipAction.WithdrawSubnet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The elementary moves of a step: each changes the state and adds actions. One instance takes one step. */
abstract class MastershipMoves {
    private final List<MastershipAction> actions = new ArrayList<>();

    /** The state that the step has reached so far. */
    Mastership now;

    MastershipMoves(Mastership current) {
        this.now = current;
    }

    /** Returns the requested actions in order of execution. */
    final List<MastershipAction> actions() {
        return List.copyOf(actions);
    }

    final void watch(RemoteSm sm) {
        now = now.with(Watch.of(sm));
        act(new Poll(sm));
        act(new Start(MastershipTimer.POLL));
    }

    final void unwatch() {
        if (now.watch().sm() != null) {
            now = now.with(Watch.NONE);
            act(new StopPolling());
            act(new Stop(MastershipTimer.POLL));
        }
    }

    /** Reports to the master by trap 144 that this SM outranks it. Traps repeat at growing intervals. */
    final void claim() {
        now = now.with(now.watch().trapSent());
        act(new TrapPriorityChange());
    }

    /** Claims the subnet of a master of lower rank that exists at the start. At equal priority the PortGUID decides. */
    final void claimFrom(RemoteSm master) {
        if (master.priority() == now.priority()) {
            warn("the master has the same priority and the higher port GUID, so this SM becomes master: " + master
                    + "; set sm_priority of both, so that no port GUID decides");
        }
        claim();
    }

    /** Answers a request that may be a repetition: if the first answer was lost, the action is already done. */
    final void acceptRepetition(boolean isDone) {
        if (isDone) {
            accept();
        } else {
            refuse();
        }
    }

    final void accept() {
        act(new Answer(MadStatus.OK));
    }

    final void refuse() {
        act(new Answer(MadStatus.INVALID_FIELD));
    }

    final void handOver(RemoteSm successor) {
        unwatch();
        log("handing over to " + successor);
        now = now.with(new Handover(successor, false, now.handover().failures()));
        act(new HandOver(successor));
    }

    final void abandonHandover() {
        now = now.with(Handover.NONE);
        act(new Stop(MastershipTimer.ACKNOWLEDGE));
    }

    final void end() {
        unwatch();
        for (MastershipTimer timer : MastershipTimer.values()) {
            act(new Stop(timer));
        }
        now = now.with(Handover.NONE);
        act(new EndSm());
    }

    final void standBy(RemoteSm master, String reason) {
        become(SmState.STANDBY, reason + ": " + master);
        watch(master);
    }

    /** Changes the SM state. No other method changes it. */
    final void become(SmState next, String reason) {
        SmState previous = now.state();
        now = now.with(next);
        log(previous + " -> " + next + ": " + reason + " (this SM: port GUID " + Guid.format(now.guid()) + ", priority "
                + now.priority() + ")");
        if (previous == SmState.MASTER) {
            act(new WithdrawSubnet());
        }
        act(new Stop(MastershipTimer.RETRY));
        endSilenceWait();
    }

    /**
     * Requests a second check of other SMs, unless it was done.
     *
     * @param action action that leads to the check
     * @return whether the check was requested
     */
    final boolean recheckOnce(MastershipAction action) {
        boolean isDue =
                now.peers().silenceWait() == SilenceWait.CAREFUL || now.peers().silenceWait() == SilenceWait.WAITING;
        if (isDue) {
            if (!isSilenceTimerActive()) {
                act(new Start(MastershipTimer.SILENCE));
            }
            now = now.with(SilenceWait.LOOKING_AGAIN);
            act(action);
        }
        return isDue;
    }

    /** Restarts the wait for silent SMs, because other SMs than before are silent. */
    final void restartSilenceWait() {
        if (isSilenceTimerActive()) {
            act(new Stop(MastershipTimer.SILENCE));
            now = now.with(SilenceWait.CAREFUL);
        }
    }

    final void endSilenceWait() {
        if (isSilenceTimerActive()) {
            act(new Stop(MastershipTimer.SILENCE));
        }
        now = now.with(SilenceWait.UNUSED);
    }

    private boolean isSilenceTimerActive() {
        return now.peers().silenceWait() != SilenceWait.UNUSED && now.peers().silenceWait() != SilenceWait.CAREFUL;
    }

    /** Logs that silent SMs are ignored from now on, unless all of them are masters, for which the wait continues. */
    final void warnOfSilent() {
        if (!now.peers().silent().stream().allMatch(SilentSm::isMaster)) {
            warn("an SM that is still silent is passed over (silent_master_wait)");
        }
    }

    /** Waits for silent SMs: a busy master does not answer, but its port still reports it. */
    final void waitFor(List<SilentSm> silent) {
        if (!isSilenceTimerActive()) {
            now = now.with(SilenceWait.WAITING);
            log("the SM at the end of route " + silent.get(0).path()
                    + " does not answer, but its port says that it is there;"
                    + " waiting, since it may be master and busy");
            act(new Start(MastershipTimer.SILENCE));
        }
        act(new Start(MastershipTimer.RETRY));
    }

    static Optional<RemoteSm> highest(List<RemoteSm> sms, Predicate<RemoteSm> filter) {
        return sms.stream()
                .filter(filter)
                .reduce((one, other) -> other.outranks(one.priority(), one.guid()) ? other : one);
    }

    final void act(MastershipAction action) {
        actions.add(action);
    }

    final void log(String text) {
        act(new Log(false, text));
    }

    final void warn(String text) {
        act(new Log(true, text));
    }
}
