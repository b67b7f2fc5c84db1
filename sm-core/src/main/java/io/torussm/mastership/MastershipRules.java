package io.torussm.mastership;

import io.torussm.mastership.Mastership.Handover;
import io.torussm.mastership.Mastership.SilenceWait;
import io.torussm.mastership.MastershipAction.Acknowledge;
import io.torussm.mastership.MastershipAction.ContinueSweep;
import io.torussm.mastership.MastershipAction.EndSweep;
import io.torussm.mastership.MastershipAction.Start;
import io.torussm.mastership.MastershipAction.Stop;
import io.torussm.mastership.MastershipAction.Sweep;
import io.torussm.mastership.MastershipAction.WithdrawSubnet;
import java.util.List;
import java.util.Optional;

/**
 * The SM state machine of IBA 14.4.1 as a pure function of a state and an event. It reads no clock: the end of a timer
 * is the event {@link MastershipEvent.TimedOut}. One instance takes one step.
 *
 * <p>IBA leaves some cases open. In these, the rules are:
 * <ul>
 * <li>A successor that accepts HANDOVER but never acknowledges it (OpenSM) counts as master after a time-out.
 * <li>A polled SM that answers but is no master counts like a silent one.
 * <li>A failed handover is repeated. A standby that refuses several times is ignored for a while, a master never.
 * <li>A future master waits for a limited time for SMs that do not answer, but whose ports report IsSM. The kernel
 * clears IsSM when an SM dies.
 * </ul>
 */
public final class MastershipRules extends MastershipPolling {
    // AttributeModifiers of SubnSet(SMInfo) (IBA 14.4.1).
    /** Hands the mastership over to a standby. */
    public static final int HANDOVER = 1;

    public static final int ACKNOWLEDGE = 2;
    public static final int DISABLE = 3;
    public static final int TO_STANDBY = 4;
    public static final int DISCOVER = 5;

    /** Number of consecutive failed handovers after which a standby is ignored for a while. */
    static final int MAX_HANDOVER_FAILURES = 3;

    /**
     * The outcome of a step.
     *
     * @param next state after the step
     * @param actions actions in the order of execution
     */
    public record Step(Mastership next, List<MastershipAction> actions) {}

    private MastershipRules(Mastership current, int pollRetries) {
        super(current, pollRetries);
    }

    /**
     * Returns the outcome of a step.
     *
     * @param pollRetries max number of consecutive polls that may fail before the polled SM counts as dead
     */
    public static Step step(Mastership state, MastershipEvent event, int pollRetries) {
        MastershipRules rules = new MastershipRules(state, pollRetries);
        rules.on(event);
        return new Step(rules.now, rules.actions());
    }

    private void on(MastershipEvent event) {
        if (event instanceof MastershipEvent.Started started) {
            onStarted(started.isInactive());
        } else if (event instanceof MastershipEvent.Discovered discovered) {
            onDiscovered(discovered.others(), discovered.silent());
        } else if (event instanceof MastershipEvent.PortDown down) {
            onPortDown(down.reason());
        } else if (event instanceof MastershipEvent.SmFound seen) {
            onSmFound(seen.sm());
        } else if (event instanceof MastershipEvent.PollAnswered answered) {
            onPollAnswered(answered.sm());
        } else if (event instanceof MastershipEvent.PollFailed failed) {
            onPollMissed(failed);
        } else if (event instanceof MastershipEvent.SetReceived asked) {
            onSet(asked.modifier(), asked.sender());
        } else if (event instanceof MastershipEvent.HandoverAccepted) {
            onHandoverAccepted();
        } else if (event instanceof MastershipEvent.HandoverFailed failed) {
            onHandoverFailed(failed.reason());
        } else if (event instanceof MastershipEvent.TimedOut timedOut) {
            onTimedOut(timedOut.timer());
        } else if (event instanceof MastershipEvent.PriorityChanged changed) {
            onPriorityChanged(changed.priority());
        } else if (event instanceof MastershipEvent.EndRequested) {
            onEndRequest();
        }
    }

    private void onStarted(boolean isInactive) {
        if (isInactive) {
            log("NOT-ACTIVE: sm_inactive is set; a master may call this SM to STANDBY");
        } else {
            become(SmState.DISCOVERING, "starting");
            now = now.with(SilenceWait.CAREFUL);
            act(new Sweep(false));
        }
    }

    // --- discovery ---

    private void onDiscovered(List<RemoteSm> others, List<SilentSm> silent) {
        boolean areOthersSilent = !silent.isEmpty() && silent.stream().noneMatch(now.peers()::isMissing);
        now = now.with(new Mastership.Peers(others, silent, now.peers().silenceWait()));
        if (areOthersSilent) {
            restartSilenceWait();
        }
        switch (now.state()) {
            case DISCOVERING -> discoveredWhileDiscovering(others, silent);
            case MASTER -> discoveredAsMaster(others, silent);
            case STANDBY, NOT_ACTIVE -> highest(others, other -> true).ifPresent(other -> act(new EndSweep(other)));
        }
    }

    private void discoveredWhileDiscovering(List<RemoteSm> others, List<SilentSm> silent) {
        Optional<RemoteSm> master = highest(others, other -> other.state() == SmState.MASTER);
        Optional<RemoteSm> superior =
                master.or(() -> highest(others, other -> other.state() != SmState.NOT_ACTIVE && !now.outranks(other)));
        if (superior.isEmpty() && (now.peers().mayWait() || now.peers().isMasterHidden())) {
            waitFor(silent);
            return;
        }
        boolean mayHandOver = isAnyInState(others, SmState.STANDBY);
        boolean mayBeMasterNow = isAnyInState(others, SmState.DISCOVERING);
        MastershipAction look = mayHandOver ? new Start(MastershipTimer.RETRY) : new Sweep(false);
        if (superior.isEmpty() && (mayHandOver || mayBeMasterNow) && recheckOnce(look)) {
            return;
        }
        if (superior.isEmpty()) {
            become(SmState.MASTER, others.isEmpty() ? "no other SM is there" : "no other SM ranks higher");
            act(new ContinueSweep());
            return;
        }
        act(new EndSweep(superior.get()));
        standBy(superior.get(), master.isPresent() ? "there is a master" : "there is an SM of higher rank");
        if (master.isPresent() && now.outranks(master.get())) {
            claimFrom(master.get());
        }
    }

    private static boolean isAnyInState(List<RemoteSm> others, SmState state) {
        return others.stream().anyMatch(other -> other.state() == state);
    }

    /**
     * Handles a discovery of a master. If a handover is in progress or has failed, this SM writes nothing while the
     * successor may have become master: a successor that never answered HANDOVER may only be busy.
     */
    private void discoveredAsMaster(List<RemoteSm> others, List<SilentSm> silent) {
        RemoteSm successorInPlace = now.handover().successor();
        if (successorInPlace != null) {
            act(new EndSweep(successorInPlace));
            return;
        }
        Optional<RemoteSm> successor = highest(others, this::shouldTakeOver);
        Optional<RemoteSm> lower = highest(others, other -> other.isProved() && other.state() == SmState.MASTER);
        if (successor.isPresent()) {
            act(new EndSweep(successor.get()));
            handOver(successor.get());
        } else if (lower.isPresent()) {
            act(new EndSweep(lower.get()));
            awaitHandover(lower.get());
        } else if (now.handover().failures() > 0 && now.peers().mayWait()) {
            waitFor(silent);
        } else {
            unwatch();
            endSilenceWait();
            act(new ContinueSweep());
        }
    }

    private boolean shouldTakeOver(RemoteSm other) {
        boolean isRefusing = other.guid() == now.excludedGuid() && other.state() != SmState.MASTER;
        return other.isProved()
                && !now.outranks(other)
                && (other.state() == SmState.STANDBY || other.state() == SmState.MASTER)
                && !isRefusing;
    }

    private void awaitHandover(RemoteSm lower) {
        RemoteSm watched = now.watch().sm();
        if (watched == null || watched.guid() != lower.guid()) {
            log("there is another master, of lower rank: " + lower + "; waiting until it hands over");
            watch(lower);
        }
    }

    private void onPortDown(String reason) {
        if (now.state() == SmState.MASTER) {
            abandonHandover();
            unwatch();
            become(SmState.DISCOVERING, reason);
            now = now.with(SilenceWait.CAREFUL);
        }
        if (now.state() == SmState.DISCOVERING) {
            act(new Start(MastershipTimer.RETRY));
        }
    }

    private void onSmFound(RemoteSm sm) {
        now = now.including(sm);
        boolean isNews = (sm.isProved() && sm.state() == SmState.MASTER) || shouldTakeOver(sm);
        if (now.state() == SmState.MASTER && now.handover().successor() == null && !now.isEnding() && isNews) {
            act(new Sweep(false));
        }
    }

    // --- SubnSet(SMInfo) of others ---

    private void onSet(int modifier, RemoteSm sender) {
        SmState legal = modifier == ACKNOWLEDGE ? SmState.STANDBY : SmState.MASTER;
        if (sender.state() != legal || (now.isEnding() && modifier != ACKNOWLEDGE)) {
            refuse();
            return;
        }
        switch (modifier) {
            case HANDOVER -> onHandover(sender);
            case ACKNOWLEDGE -> onAcknowledge(sender);
            case DISABLE -> onDisable(sender);
            case TO_STANDBY -> onStandby(sender);
            case DISCOVER -> onDiscover(sender);
            default -> refuse();
        }
    }

    private void onHandover(RemoteSm sender) {
        if (now.state() == SmState.NOT_ACTIVE || now.handover().successor() != null) {
            refuse();
            return;
        }
        accept();
        act(new Acknowledge(sender));
        unwatch();
        if (now.state() == SmState.STANDBY) {
            become(SmState.MASTER, "handed over by " + sender);
        } else {
            log("HANDOVER received from " + sender);
        }
        act(new Sweep(true));
    }

    private void onAcknowledge(RemoteSm sender) {
        RemoteSm successor = now.handover().successor();
        if (successor != null && successor.guid() == sender.guid()) {
            accept();
            onHandoverEnd("acknowledged");
        } else if (now.state() == SmState.STANDBY || now.state() == SmState.MASTER) {
            accept();
        } else {
            refuse();
        }
    }

    private void onDisable(RemoteSm sender) {
        if (now.state() == SmState.STANDBY) {
            accept();
            unwatch();
            become(SmState.NOT_ACTIVE, "disabled by " + sender);
        } else {
            acceptRepetition(now.state() == SmState.NOT_ACTIVE);
        }
    }

    private void onStandby(RemoteSm sender) {
        if (now.state() == SmState.NOT_ACTIVE) {
            accept();
            standBy(sender, "called back");
        } else {
            acceptRepetition(now.state() == SmState.STANDBY);
        }
    }

    private void onDiscover(RemoteSm sender) {
        boolean isBusy = now.handover().successor() != null;
        if ((now.state() == SmState.STANDBY || now.state() == SmState.MASTER) && !isBusy) {
            accept();
            unwatch();
            become(SmState.DISCOVERING, "DISCOVER received from " + sender);
            now = now.with(SilenceWait.CAREFUL);
            act(new Sweep(true));
        } else {
            acceptRepetition(now.state() == SmState.DISCOVERING);
        }
    }

    // --- handing over ---

    private void onHandoverAccepted() {
        Handover handover = now.handover();
        if (handover.successor() != null && !handover.isAccepted()) {
            now = now.with(new Handover(handover.successor(), true, 0));
            act(new Start(MastershipTimer.ACKNOWLEDGE));
        }
    }

    private void onHandoverFailed(String reason) {
        RemoteSm successor = now.handover().successor();
        if (successor == null || now.handover().isAccepted()) {
            return;
        }
        int failures = now.handover().failures() + 1;
        now = now.with(new Handover(null, false, failures));
        warn("handing over to " + successor + " failed: " + reason);
        if (now.isEnding()) {
            end();
        } else if (failures < MAX_HANDOVER_FAILURES || successor.state() == SmState.MASTER) {
            act(new Start(MastershipTimer.RETRY));
        } else {
            now = now.with(Handover.NONE).excluding(successor.guid());
            warn("this SM stays MASTER for the time being, because " + successor + " does not take over");
            act(new Start(MastershipTimer.EXCLUSION));
            act(new Sweep(false));
        }
    }

    private void onHandoverEnd(String outcome) {
        RemoteSm successor = now.handover().successor();
        now = now.with(Handover.NONE);
        act(new Stop(MastershipTimer.ACKNOWLEDGE));
        if (now.isEnding()) {
            end();
        } else if (successor != null) {
            standBy(successor, "handed over, " + outcome);
        }
    }

    // --- time, the operator ---

    private void onTimedOut(MastershipTimer timer) {
        switch (timer) {
            case POLL -> onPollTimer();
            case ACKNOWLEDGE -> {
                if (now.handover().isAccepted()) {
                    onHandoverEnd("accepted without ACKNOWLEDGE, as OpenSM does");
                }
            }
            case RETRY -> {
                boolean isIdle = now.handover().successor() == null && !now.isEnding();
                if (isIdle && (now.state() == SmState.MASTER || now.state() == SmState.DISCOVERING)) {
                    act(new Sweep(false));
                }
            }
            case EXCLUSION -> now = now.excluding(0);
            case SILENCE -> onSilence();
            case END -> end();
        }
    }

    private void onSilence() {
        if (now.peers().isWaiting()) {
            now = now.with(SilenceWait.OVER);
            warnOfSilent();
            act(new Sweep(false));
        }
    }

    private void onPriorityChanged(int priority) {
        int before = now.priority();
        if (priority == before) {
            return;
        }
        now = now.withPriority(priority);
        log("priority " + before + " becomes " + priority);
        if (now.state() == SmState.STANDBY && priority > before) {
            claim();
        } else if (now.state() == SmState.MASTER && now.handover().successor() == null) {
            act(new Sweep(false));
        }
    }

    /**
     * Hands over before this SM ends. If there is no standby, the successor is an SM that was DISCOVERING at its last
     * answer: it is STANDBY now, or can take over from DISCOVERING.
     */
    private void onEndRequest() {
        if (now.isEnding()) {
            return;
        }
        Optional<RemoteSm> successor = now.state() == SmState.MASTER
                ? highest(now.others(), other -> other.isProved() && other.state() == SmState.STANDBY)
                        .or(() -> highest(
                                now.others(), other -> other.isProved() && other.state() == SmState.DISCOVERING))
                : Optional.empty();
        RemoteSm presentSuccessor = now.handover().successor();
        now = now.ending();
        if (successor.isEmpty() && presentSuccessor == null) {
            end();
            return;
        }
        act(new WithdrawSubnet());
        act(new Start(MastershipTimer.END));
        if (presentSuccessor == null) {
            handOver(successor.get());
        }
    }
}
