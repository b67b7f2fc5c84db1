package io.torussm.mastership;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.MadStatus;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The driver of {@link MastershipRules} for one SM. It turns SMInfo requests, answers, timers and the results of
 * discoveries into events. It turns actions into SMPs, timers and calls of the sweeper.
 *
 * <p>Owner thread: the loop, except for {@link #state()} and {@link #subnetManagers()}.
 */
public final class MastershipDriver implements MasterAuthority {
    private static final EventLog EVENTS = EventLog.of(MastershipDriver.class);

    private final Loop loop;
    private final SweepControl sweeps;
    private final Supplier<MastershipSettings> settings;

    private final ArrayDeque<MastershipEvent> events = new ArrayDeque<>();
    private final MastershipTimers timers;
    private final TrustedSms trusted;
    private final OwnSmInfo own;
    private final SmInfoRequests requests;
    private final SmIdentities identities;
    private final SmExchanges exchanges;
    private final MasterChanges changes;
    private final SilentSms silent = new SilentSms();
    private volatile Mastership state;

    /** Set while a step runs, so that an event that an action causes is queued. */
    private boolean isStepping;

    private boolean isEnded;

    /** True from the first time as MASTER until another SM is MASTER. */
    private boolean hasBeenMaster;

    /** True while this SM is MASTER and {@link #hold} postpones its sweeps. */
    private boolean isHeld;

    private Runnable whenEnded = () -> {};
    private MasterListener mastership = MasterListener.NONE;

    /** The SubnSet(SMInfo) that the present step answers; null in other steps. */
    private @Nullable MadFrame request;

    /** The decision of the last step that a discovery caused. */
    private Decision decision = new Decision(false, null);

    /**
     * Creates an SM that does nothing until {@link #start}.
     *
     * @param send sends answers
     * @param portGuid PortGUID of the own port
     * @param opensPort checks an M_Key: true if the own port has it, or may have it during a change of keys
     * @param replicates checks a PortGUID: true if the SM at that port replicates with this SM
     * @param settings returns the settings, at each use; a new priority takes effect with {@link #settingsChanged}
     */
    public MastershipDriver(
            Loop loop,
            SmPeers peers,
            SweepControl sweeps,
            Consumer<MadFrame> send,
            long portGuid,
            LongPredicate opensPort,
            LongPredicate replicates,
            Supplier<MastershipSettings> settings) {
        this.loop = loop;
        this.sweeps = sweeps;
        this.settings = settings;
        this.state = Mastership.initial(portGuid, settings.get().priority());
        this.timers = new MastershipTimers(
                loop,
                () -> settings.get().pollMs(),
                () -> settings.get().silentMasterWait(),
                timer -> enqueue(new MastershipEvent.TimedOut(timer)));
        this.own = new OwnSmInfo(() -> state, () -> settings.get().trust(), opensPort, send);
        this.trusted = new TrustedSms(portGuid, () -> settings.get().trust(), replicates, own::hasMKey, loop::nowNs);
        this.changes = new MasterChanges(trusted::mayShowKeysTo);
        this.requests = new SmInfoRequests(loop, peers, trusted, own, new RequestSubject());
        this.identities = new SmIdentities(peers, trusted, () -> settings.get().mKeyProtectBits(), () -> state);
        this.exchanges = new SmExchanges(peers, trusted, own, identities, this::enqueue);
    }

    /** Returns the state of this SM. May be called from any thread. */
    public Mastership state() {
        return state;
    }

    /** Returns the latest SMInfo of all known SMs, this SM first, with their SM_Keys. May be called from any thread. */
    public List<SmInfo> subnetManagers() {
        Mastership current = state;
        List<SmInfo> all = new ArrayList<>();
        all.add(own.smInfo(current.shownState(), true));
        current.others().forEach(other -> trusted.lastSmInfoOf(other.guid()).ifPresent(all::add));
        return all;
    }

    /** Sets the listener for the begin and the end of a mastership. */
    public void whenMaster(MasterListener listener) {
        mastership = listener;
    }

    /** Starts the state machine. */
    public void start() {
        enqueue(new MastershipEvent.Started(settings.get().isInactive()));
    }

    /** Applies changed settings. */
    public void settingsChanged() {
        enqueue(new MastershipEvent.PriorityChanged(settings.get().priority()));
    }

    /**
     * Ends this SM. If this SM is MASTER and there is a successor, hands the subnet over first.
     *
     * @param then callback, called after the handover succeeded, failed or timed out
     */
    public void end(Runnable then) {
        whenEnded = then;
        enqueue(new MastershipEvent.EndRequested());
    }

    /** Postpones the sweeps of a MASTER until {@link #release}. */
    public void hold() {
        loop.requireInLoop();
        isHeld = isMaster();
    }

    /** Resumes sweeps after {@link #hold}, unless the mastership ended meanwhile. */
    public void release() {
        loop.requireInLoop();
        if (isHeld) {
            isHeld = false;
            sweep(true);
        }
    }

    /** Starts a heavy sweep if this SM may sweep. A sweep that {@link #hold} postponed follows in any case. */
    public void sweepHeavy() {
        loop.requireInLoop();
        if (maySweep()) {
            sweeps.sweepHeavy();
        } else if (!isHeld) {
            EVENTS.report(SmEvent.SWEEP_NOT_MASTER, EventField.STATE.of(state.shownState()));
        }
    }

    /**
     * Discards pending writes and sweeps again, because this process stood still and another SM may have taken over.
     */
    public void handleStandstill() {
        loop.requireInLoop();
        if (maySweep()) {
            sweeps.restartSweep();
        }
    }

    /** Checks for changes of the fabric and for other SMs, if this SM may sweep. */
    public void sweepLight() {
        loop.requireInLoop();
        if (state.state() == SmState.DISCOVERING) {
            sweeps.sweepHeavy();
        } else if (maySweep()) {
            sweeps.sweepLight();
            silent.retain(state.others());
            state.others().forEach(this::requestSmInfo);
            silent.routes().forEach(this::requestSmInfo);
        }
    }

    /** Requests SMInfo of an SM that appeared. If it is starting and does not answer yet, light sweeps try again. */
    @Override
    public void onSmChange(DrPath path) {
        if (isMaster()) {
            identities.requestSmInfo(path, info -> {
                if (info == null) {
                    silent.add(path);
                }
                identities.verify(info, path, sm -> enqueue(new MastershipEvent.SmFound(sm)));
            });
        }
    }

    private void requestSmInfo(RemoteSm other) {
        DrPath path = other.path();
        if (path != null) {
            identities.requestSmInfo(other, path, info -> {
                if (info != null) {
                    silent.clearMisses(other);
                    onSmInfo(info, path);
                } else if (silent.recordMiss(other) && isMaster()) {
                    // Only a sweep distinguishes an SM that ended from a port that does not respond.
                    EVENTS.report(SmEvent.SM_SILENT, EventField.PEER.of(other));
                    sweepHeavy();
                }
            });
        }
    }

    private void requestSmInfo(DrPath path) {
        identities.requestSmInfo(path, info -> onSmInfo(info, path));
    }

    private void onSmInfo(@Nullable SmInfo info, DrPath path) {
        identities.verify(info, path, sm -> {
            if (silent.has(path)) {
                sweepHeavy();
            } else {
                enqueue(new MastershipEvent.SmFound(sm));
            }
        });
    }

    // --- requests of the sweeper ---

    @Override
    public boolean maySweep() {
        return !state.isEnding()
                && (state.state() == SmState.DISCOVERING || (state.state() == SmState.MASTER && !isHeld));
    }

    @Override
    public boolean mayBecomeMaster() {
        return state.isFreeToTakeOver();
    }

    @Override
    public boolean isMaster() {
        return state.mayProgram();
    }

    @Override
    public Decision decision(List<DiscoveredSm> others, List<SilentSm> newSilent, boolean isWhole) {
        List<RemoteSm> known = new ArrayList<>();
        if (!isWhole) {
            known.addAll(state.others());
            known.removeIf(sm -> others.stream().anyMatch(discovered -> discovered.portGuid() == sm.guid()));
        }
        silent.addDiscovered(newSilent, isWhole);
        own.incrementActCount();
        for (DiscoveredSm discovered : others) {
            RemoteSm sm = trusted.read(discovered);
            if (sm != null) {
                known.add(sm);
            }
        }
        decision = new Decision(false, null);
        enqueue(new MastershipEvent.Discovered(known, newSilent));
        trusted.forgetUnless(this::isKnown);
        return isHeld ? new Decision(false, decision.master()) : decision;
    }

    @Override
    public void onPortDown(String reason) {
        enqueue(new MastershipEvent.PortDown(reason));
    }

    // --- requests of other SMs ---

    /**
     * Answers SMInfo requests.
     *
     * @return false if the frame is not an SMInfo request
     */
    public boolean receive(MadFrame frame) {
        loop.requireInLoop();
        return requests.receive(frame);
    }

    private final class RequestSubject implements SmInfoRequests.Subject {
        @Override
        public Mastership state() {
            return state;
        }

        @Override
        public boolean isMaster() {
            return MastershipDriver.this.isMaster();
        }

        @Override
        public boolean isEnded() {
            return isEnded;
        }

        @Override
        public MastershipSettings settings() {
            return settings.get();
        }

        @Override
        public void onUnknownSm(DrPath path) {
            requestSmInfo(path);
        }

        @Override
        public void onSet(MadFrame frame, MastershipEvent.SetReceived event) {
            request = frame;
            enqueue(event);
            request = null;
        }
    }

    private boolean isKnown(long guid) {
        RemoteSm watched = state.watch().sm();
        return (watched != null && watched.guid() == guid)
                || state.others().stream().anyMatch(other -> other.guid() == guid);
    }

    // --- steps ---

    /** Queues an event behind the waiting ones, because an action may cause another event. */
    private void enqueue(MastershipEvent event) {
        loop.requireInLoop();
        events.add(event);
        step();
    }

    private void step() {
        if (isStepping) {
            return;
        }
        isStepping = true;
        try {
            for (MastershipEvent next = events.poll(); next != null && !isEnded; next = events.poll()) {
                MastershipRules.Step step =
                        MastershipRules.step(state, next, settings.get().pollRetries());
                Mastership previous = state;
                state = step.next();
                Iterator<MastershipAction> actions = step.actions().iterator();
                try {
                    notifyListener(previous.mayProgram());
                } finally {
                    performAll(actions);
                }
                announceSuccessor();
                changes.update(previous, state);
            }
        } finally {
            isStepping = false;
            if (!events.isEmpty()) {
                loop.execute(this::step);
            }
        }
    }

    /** Performs all actions even if one throws: a timer that is not started would stop the state machine. */
    private void performAll(Iterator<MastershipAction> actions) {
        try {
            while (actions.hasNext()) {
                perform(actions.next());
            }
        } finally {
            if (actions.hasNext()) {
                performAll(actions);
            }
        }
    }

    private void notifyListener(boolean wasMaster) {
        if (!wasMaster && isMaster()) {
            hasBeenMaster = true;
            mastership.onBegin();
        } else if (wasMaster && !isMaster()) {
            isHeld = false;
            mastership.onEnd();
        }
    }

    private void announceSuccessor() {
        if (hasBeenMaster && state.state() == SmState.STANDBY) {
            hasBeenMaster = false;
            mastership.onSuccessor();
        }
    }

    private void perform(MastershipAction action) {
        if (action instanceof MastershipAction.Log log) {
            SmEvent event = log.isWarning() ? SmEvent.MASTERSHIP_TROUBLE : SmEvent.MASTERSHIP_CHANGED;
            EVENTS.report(event.finding(log.text()));
        } else if (action instanceof MastershipAction.Answer answer && request != null) {
            own.answer(request, answer.status(), answer.status() == MadStatus.OK);
        } else if (action instanceof MastershipAction.Sweep sweep) {
            sweep(sweep.isAsNewMaster());
        } else if (action instanceof MastershipAction.ContinueSweep) {
            decision = Decision.GRANTED;
        } else if (action instanceof MastershipAction.EndSweep aside) {
            decision = new Decision(false, aside.master());
        } else if (action instanceof MastershipAction.WithdrawSubnet) {
            sweeps.withdraw();
        } else if (action instanceof MastershipAction.Poll poll) {
            exchanges.poll(poll.sm());
        } else if (action instanceof MastershipAction.StopPolling) {
            exchanges.stopPolling();
        } else if (action instanceof MastershipAction.HandOver handOver) {
            exchanges.handOver(handOver.successor());
        } else if (action instanceof MastershipAction.Acknowledge acknowledge) {
            exchanges.acknowledge(acknowledge.sm());
            mastership.onHandover();
        } else if (action instanceof MastershipAction.TrapPriorityChange) {
            exchanges.trapPriorityChange();
        } else if (action instanceof MastershipAction.Start start) {
            timers.start(start.timer());
        } else if (action instanceof MastershipAction.Stop stop) {
            timers.stop(stop.timer());
        } else if (action instanceof MastershipAction.EndSm) {
            isEnded = true;
            whenEnded.run();
        }
    }

    /** Begins a sweep after the present step: a sweep may end immediately, and its decision is another step. */
    private void sweep(boolean isAnew) {
        loop.execute(() -> {
            if (maySweep() && isAnew) {
                sweeps.sweepAsNewMaster();
            } else if (maySweep()) {
                sweeps.sweepHeavy();
            }
        });
    }

    /**
     * Checks whether a Get of SMInfo carries the M_Key of the port, which the program at the port then sees. Only ports
     * with M_KeyProtectBits of 2 or 3 reject a Get without the M_Key (IBA 14.2.4.1).
     */
    public boolean showsKeyTo(long portGuid) {
        return identities.showsKeyTo(portGuid);
    }
}
