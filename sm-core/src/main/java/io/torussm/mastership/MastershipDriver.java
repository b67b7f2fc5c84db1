package io.torussm.mastership;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mastership of one SM: turns SMInfo requests, answers, timers and the findings of sweeps into events of
 * {@link MastershipRules}, and its actions into SMPs, timers and calls of the sweeper.
 *
 * <p>Owner thread: the loop, except for {@link #state()} and {@link #subnetManagers()}.
 */
public final class MastershipDriver implements MasterAuthority {
    private static final Logger LOG = LoggerFactory.getLogger(MastershipDriver.class);
    private static final EventLog EVENTS = EventLog.of(MastershipDriver.class);

    /** Strangers who ask are asked back no more often than this. */
    private static final long LOOK_BACK_NS = TimeUnit.SECONDS.toNanos(2);

    /** From here on M_KeyProtectBits keeps even Gets away (IBA 14.2.4.1). */
    private static final int PROTECTS_GETS = 2;

    /** Ways to SMs that do not answer, beyond those that a sweep finds. */
    private static final int MAX_SILENT = 64;

    /**
     * What the operator decided.
     *
     * @param priority 0 to 15
     * @param pollMs milliseconds between two polls of the master
     * @param pollRetries polls that may fail in a row
     * @param silentMasterWait seconds that an SM is waited for that does not answer, although its port says that it is there
     * @param mKeyProtectBits 0 to 3
     * @param trust whose word counts; holds the SM_Key of this SM
     * @param isInactive whether to start in NOT-ACTIVE
     */
    public record Settings(
            int priority,
            int pollMs,
            int pollRetries,
            int silentMasterWait,
            int mKeyProtectBits,
            Trust trust,
            boolean isInactive) {}

    private final Loop loop;
    private final SmPeers peers;
    private final SweepControl sweeps;
    private final Supplier<Settings> settings;

    private final ArrayDeque<MastershipEvent> events = new ArrayDeque<>();
    private final MastershipTimers timers;
    private final TrustedSms trusted;
    private final OwnSmInfo own;
    private final Set<DrPath> silent = new LinkedHashSet<>();
    private volatile Mastership state;

    private boolean isStepping;
    private boolean isEnded;
    private long lookedBackNs;
    private Runnable cancelPoll = () -> {};
    private Runnable whenEnded = () -> {};
    private MasterListener mastership = MasterListener.NONE;
    private @Nullable MadFrame request;
    private Decision decision = new Decision(false, null);

    /**
     * An SM that does nothing until it is started.
     *
     * @param portGuid of the own port
     * @param send sends answers
     * @param opensPort whether an M_Key is one that the own port has, or may have while it is changed
     * @param settings asked whenever they are needed; the priority with {@link #settingsChanged}
     */
    public MastershipDriver(
            Loop loop,
            SmPeers peers,
            SweepControl sweeps,
            Consumer<MadFrame> send,
            long portGuid,
            LongPredicate opensPort,
            Supplier<Settings> settings) {
        this.loop = loop;
        this.peers = peers;
        this.sweeps = sweeps;
        this.settings = settings;
        this.lookedBackNs = loop.nowNs() - LOOK_BACK_NS;
        this.state = Mastership.initial(portGuid, settings.get().priority());
        this.timers = new MastershipTimers(
                loop,
                () -> settings.get().pollMs(),
                () -> settings.get().silentMasterWait(),
                timer -> take(new MastershipEvent.TimedOut(timer)));
        this.own = new OwnSmInfo(() -> state, () -> settings.get().trust().smKey(), opensPort, send);
        this.trusted = new TrustedSms(portGuid, () -> settings.get().trust());
    }

    /** Where this SM stands; from any thread. */
    public Mastership state() {
        return state;
    }

    /**
     * This SM and all others that it knows, as they showed themselves last; with the SM_Key of this one, and those that
     * others showed. From any thread.
     */
    public List<SmInfo> subnetManagers() {
        Mastership now = state;
        List<SmInfo> all = new ArrayList<>();
        all.add(own.shown(now.shown(), true));
        now.others().forEach(other -> trusted.lastWordOf(other.guid()).ifPresent(all::add));
        return all;
    }

    /** Sets the listener for the beginning and the end of a mastership. */
    public void whenMaster(MasterListener newReign) {
        mastership = newReign;
    }

    /** Begins. */
    public void start() {
        take(new MastershipEvent.Started(settings.get().isInactive()));
    }

    /** The operator changed the settings. */
    public void settingsChanged() {
        take(new MastershipEvent.PriorityChanged(settings.get().priority()));
    }

    /**
     * Hands the subnet over if this SM is MASTER and there is somebody.
     *
     * @param then called when that is done, or has failed, or has taken too long
     */
    public void end(Runnable then) {
        whenEnded = then;
        take(new MastershipEvent.EndAsked());
    }

    /** Starts a heavy sweep, if this SM has the right to. */
    public void sweepHeavy() {
        loop.check();
        if (maySweep()) {
            sweeps.sweepHeavy();
        } else {
            EVENTS.report(SmEvent.SWEEP_NOT_MASTER, EventField.STATE.of(state.shown()));
        }
    }

    /** Looks for changes of the fabric and for other SMs, if this SM has the right to. */
    public void sweepLight() {
        loop.check();
        if (state.state() == SmState.DISCOVERING) {
            sweeps.sweepHeavy();
        } else if (maySweep()) {
            sweeps.sweepLight();
            state.others().forEach(other -> look(other.path()));
            List.copyOf(silent).forEach(this::look);
        }
    }

    /** An SM that does not answer yet, because it only begins, is asked again with the light sweeps. */
    @Override
    public void smChanged(DrPath path) {
        if (isMaster()) {
            peers.ask(path, info -> {
                RemoteSm sm = trusted.other(info, path);
                if (sm != null) {
                    take(new MastershipEvent.Seen(sm));
                } else if (info == null && silent.size() < MAX_SILENT) {
                    silent.add(path);
                }
            });
        }
    }

    private void look(@Nullable DrPath path) {
        if (path != null) {
            peers.ask(path, info -> {
                RemoteSm sm = trusted.other(info, path);
                if (sm != null && silent.contains(path)) {
                    sweepHeavy();
                } else if (sm != null) {
                    take(new MastershipEvent.Seen(sm));
                }
            });
        }
    }

    // --- what the sweeper asks ---

    @Override
    public boolean maySweep() {
        return !state.isEnding() && (state.state() == SmState.DISCOVERING || state.state() == SmState.MASTER);
    }

    @Override
    public boolean isMaster() {
        return !state.isEnding() && state.state() == SmState.MASTER;
    }

    @Override
    public Decision decision(List<DiscoveredSm> others, List<DrPath> newSilent, boolean isWhole) {
        List<RemoteSm> known = new ArrayList<>();
        if (isWhole) {
            silent.clear();
        } else {
            known.addAll(state.others());
            known.removeIf(sm -> others.stream().anyMatch(found -> found.portGuid() == sm.guid()));
        }
        silent.addAll(newSilent);
        own.acted();
        for (DiscoveredSm found : others) {
            RemoteSm sm = trusted.read(found);
            if (sm != null) {
                known.add(sm);
            }
        }
        decision = new Decision(false, null);
        take(new MastershipEvent.Discovered(known, newSilent));
        trusted.forgetUnless(this::isKnown);
        return decision;
    }

    @Override
    public void portDown(String why) {
        take(new MastershipEvent.PortDown(why));
    }

    // --- what others ask ---

    /**
     * Answers SMInfo requests.
     *
     * @return false if the frame is none
     */
    public boolean receive(MadFrame frame) {
        loop.check();
        int method = MadHeader.method(frame.mad());
        boolean isRequest = method == Method.GET || method == Method.SET;
        if (MadHeader.attributeId(frame.mad()) != SmInfo.TYPE.id() || !isRequest) {
            return false;
        }
        boolean mustProve = method == Method.SET || settings.get().mKeyProtectBits() >= PROTECTS_GETS;
        if (isEnded || mustProve && !own.isOpenTo(frame)) {
            LOG.debug("SMInfo request from LID {} dropped", frame.peer().lid());
        } else if (method == Method.GET) {
            own.answer(frame, MadStatus.OK);
            lookBack(frame);
        } else {
            asked(frame);
        }
        return true;
    }

    /**
     * An SM that asks a master may be one that it missed, above all a higher master that waits for it to hand over, or one that was
     * beginning when it was found: it is asked in turn. A tool does not answer.
     */
    private void lookBack(MadFrame frame) {
        DrPath path = Smp.returnPath(frame.mad());
        boolean isDue = loop.nowNs() - lookedBackNs >= LOOK_BACK_NS;
        if (isMaster() && isDue && path != null && path.hops() > 0 && !isSettled(path)) {
            lookedBackNs = loop.nowNs();
            look(path);
        }
    }

    private boolean isKnown(long guid) {
        RemoteSm watched = state.watch().sm();
        return watched != null && watched.guid() == guid
                || state.others().stream().anyMatch(other -> other.guid() == guid);
    }

    private boolean isSettled(DrPath path) {
        return state.others().stream()
                .anyMatch(other -> other.state() != SmState.DISCOVERING && Objects.equals(path, other.path()));
    }

    private void asked(MadFrame frame) {
        SmInfo info = SmInfo.TYPE.read(frame.mad(), Smp.DATA);
        RemoteSm sender = trusted.read(info, wayBack(info.guid(), frame));
        if (sender == null) {
            own.answer(frame, MadStatus.INVALID_FIELD);
            return;
        }
        request = frame;
        take(new MastershipEvent.Asked(MadHeader.attributeModifier(frame.mad()), sender));
        request = null;
    }

    /** The way that the request came, or the one that is known. */
    private @Nullable DrPath wayBack(long guid, MadFrame frame) {
        DrPath path = Smp.returnPath(frame.mad());
        if (path != null) {
            return path;
        }
        return state.others().stream()
                .filter(other -> other.guid() == guid)
                .map(RemoteSm::path)
                .findFirst()
                .orElse(null);
    }

    // --- steps ---

    /** Takes an event after those that wait; an action may cause another. */
    private void take(MastershipEvent event) {
        loop.check();
        events.add(event);
        if (isStepping) {
            return;
        }
        isStepping = true;
        try {
            for (MastershipEvent next = events.poll(); next != null && !isEnded; next = events.poll()) {
                MastershipRules.Step step =
                        MastershipRules.step(state, next, settings.get().pollRetries());
                boolean wasMaster = isMaster();
                state = step.next();
                announce(wasMaster);
                step.actions().forEach(this::perform);
            }
        } finally {
            isStepping = false;
        }
    }

    private void announce(boolean wasMaster) {
        if (!wasMaster && isMaster()) {
            mastership.begins();
        } else if (wasMaster && !isMaster()) {
            mastership.ends();
        }
    }

    private void perform(MastershipAction action) {
        if (action instanceof MastershipAction.Log log) {
            SmEvent event = log.isTrouble() ? SmEvent.MASTERSHIP_TROUBLE : SmEvent.MASTERSHIP_CHANGED;
            EVENTS.report(event.says(log.text()));
        } else if (action instanceof MastershipAction.Answer answer && request != null) {
            own.answer(request, answer.status());
        } else if (action instanceof MastershipAction.Sweep sweep) {
            sweep(sweep.isAnew());
        } else if (action instanceof MastershipAction.Govern) {
            decision = Decision.GRANTED;
        } else if (action instanceof MastershipAction.StandAside aside) {
            decision = new Decision(false, aside.master());
        } else if (action instanceof MastershipAction.Rest) {
            sweeps.rest();
        } else if (action instanceof MastershipAction.Poll poll) {
            poll(poll.sm());
        } else if (action instanceof MastershipAction.StopPolling) {
            stopPolling();
        } else if (action instanceof MastershipAction.HandOver handOver) {
            handOver(handOver.successor());
        } else if (action instanceof MastershipAction.Acknowledge acknowledge) {
            acknowledge(acknowledge.sm());
        } else if (action instanceof MastershipAction.TrapPriorityChange) {
            peers.trapPriorityChange();
        } else if (action instanceof MastershipAction.Start start) {
            timers.start(start.timer());
        } else if (action instanceof MastershipAction.Stop stop) {
            timers.stop(stop.timer());
        } else if (action instanceof MastershipAction.End) {
            isEnded = true;
            whenEnded.run();
        }
    }

    /** Not from within a step: a sweep that begins may end at once, and ask for a decision. */
    private void sweep(boolean isAnew) {
        loop.execute(() -> {
            if (maySweep() && isAnew) {
                sweeps.sweepAnew();
            } else if (maySweep()) {
                sweeps.sweepHeavy();
            }
        });
    }

    private void poll(RemoteSm sm) {
        stopPolling();
        own.acted();
        DrPath path = sm.path();
        if (path == null) {
            take(new MastershipEvent.PollFailed());
            return;
        }
        cancelPoll = peers.ask(path, info -> {
            RemoteSm answered = info == null || info.guid() != sm.guid() ? null : trusted.read(info, path);
            take(answered == null ? new MastershipEvent.PollFailed() : new MastershipEvent.PollAnswered(answered));
        });
    }

    private void stopPolling() {
        cancelPoll.run();
        cancelPoll = () -> {};
    }

    /** Only a MASTER may hand over, also one that others see as NOT-ACTIVE because it is about to end. */
    private void handOver(RemoteSm successor) {
        DrPath path = successor.path();
        if (path == null) {
            take(new MastershipEvent.HandoverFailed("the way to it is not known"));
            return;
        }
        peers.set(
                path,
                own.shown(SmState.MASTER, true),
                MastershipRules.HANDOVER,
                problem -> take(
                        problem.isEmpty()
                                ? new MastershipEvent.HandoverAccepted()
                                : new MastershipEvent.HandoverFailed(problem)));
    }

    /** IBA lets only a STANDBY acknowledge: it shows the state in which HANDOVER was received. */
    private void acknowledge(RemoteSm sm) {
        DrPath path = sm.path();
        if (path != null) {
            peers.set(path, own.shown(SmState.STANDBY, true), MastershipRules.ACKNOWLEDGE, problem -> {
                if (!problem.isEmpty()) {
                    EVENTS.report(SmEvent.ACKNOWLEDGE_REFUSED, EventField.PEER.of(sm), EventField.REASON.of(problem));
                }
            });
        }
    }
}
