package io.torussm.program;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.stage.Consistency;
import io.torussm.stage.Obedience;
import io.torussm.stage.Phase;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.stage.UnexpectedAnswers;
import io.torussm.subnet.LinkSpeeds;
import io.torussm.subnet.MKeyHint;
import io.torussm.subnet.MKeyStore;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Configures ports and brings links from INITIALIZE over ARMED to ACTIVE (IBA 14.4.4), three waves with barriers between.
 *
 * <p>While switches do not hold the tables that they should, links between them that are down stay down: their far ends
 * would forward by a mixture of old and new.
 *
 * <p>The first wave writes the settings of every port that differs from them, together with the step to ARMED where the
 * link is in INITIALIZE; the second takes ARMED ports of switches, and that of the SM, to ACTIVE; the third those of other
 * hosts, which may ask the SA for something at once: by then there is a way to it and back. A working link is never taken down: settings that may
 * only change while a link trains (MTU, VLs) are left as they are on one that is ARMED or ACTIVE.
 */
public final class LinkActivator implements Stage<LinkActivator.Input, LinkActivator.Result> {
    private final SweepSettings settings;
    private final VlArbitrationPolicy vlArbitration;
    private final NonCompliantPorts nonCompliant;

    /**
     * Creates the stage.
     *
     * @param vlArbitration of the plan that is programmed
     */
    public LinkActivator(SweepSettings settings, VlArbitrationPolicy vlArbitration, NonCompliantPorts nonCompliant) {
        this.settings = settings;
        this.vlArbitration = new ArbitrationCache(vlArbitration);
        this.nonCompliant = nonCompliant;
    }

    /**
     * A subnet whose tables are written.
     *
     * @param plan that was written, with the addresses that ports are to have
     * @param partitions the P_Key tables that ports hold, and the fabric with PortInfo as ports answered last
     * @param owesRegistration whether a port is asked to register anew, by GUID
     */
    public record Input(Plan plan, PartitionProgrammer.Result partitions, LongPredicate owesRegistration) {}

    /**
     * What came of it.
     *
     * @param subnet with the PortInfos that the devices answered last
     * @param activated port indexes of those that became ACTIVE
     * @param refused NodeGUIDs of devices with ports whose neighbour was not ready; another sweep tries again
     * @param changed NodeGUIDs of switches at links that went down since they were found
     * @param unconfirmed GUIDs of ports that were to be asked to register anew and have not answered
     */
    public record Result(
            Subnet subnet, BitSet activated, Set<Long> refused, Set<Long> changed, Set<Long> unconfirmed) {}

    @Override
    public Phase phase() {
        return Phase.ACTIVATE;
    }

    /** Runs all waves. */
    @Override
    public void start(StageContext context, Input input, Consumer<Result> then) {
        new Run(context, input).start(then);
    }

    /**
     * A Set must not move a link by repeating the state that was read. Widths and speeds that are enabled are repeated: zero
     * would mean the same (IBA 14.2.5.6), but no other SM sends it, and a device that took it for "none" would lose its link.
     */
    public static PortInfo unchangedStates(PortInfo value) {
        return value.with(PortInfo.PORT_PHYSICAL_STATE, 0)
                .with(PortInfo.LINK_DOWN_DEFAULT_STATE, PortInfo.PHYS_POLLING);
    }

    /** What is sent to write settings and nothing else: no state moves, and nobody is asked to register anew. */
    public static PortInfo settingsAlone(PortInfo value) {
        return unchangedStates(value)
                .with(PortInfo.CLIENT_REREGISTER, 0)
                .with(PortInfo.PORT_STATE, PortInfo.STATE_NO_CHANGE);
    }

    /** The activation of one subnet. */
    private final class Run {
        private final MadScope scope;
        private final MKeyStore keys;
        private final ProgrammingErrors errors;
        private final WantedPortInfo wanted;
        private final LongPredicate owesRegistration;
        private final Set<Long> unconfirmed = new TreeSet<>();
        private final boolean areTablesIn;
        private final Subnet subnet;
        private final Fabric fabric;
        private final @Nullable PortInfo[] portInfos;
        private final SmpRequests requests;
        private final BitSet activated = new BitSet();
        private final Set<Long> changed = new LinkedHashSet<>();

        private final SettingsTrials trials;

        private final Set<Long> refused = new TreeSet<>();

        Run(StageContext context, Input input) {
            this.scope = context.scope();
            this.keys = context.memory().keys();
            this.errors = context.errors();
            this.wanted = new WantedPortInfo(input, keys, settings, vlArbitration);
            this.owesRegistration = input.owesRegistration();
            this.areTablesIn = !errors.isHindered();
            this.subnet = input.plan().subnet().with(input.partitions().fabric());
            this.fabric = subnet.fabric();
            this.requests = new SmpRequests(fabric, errors, scope, context.loop());
            this.trials = new SettingsTrials(fabric, this::setSettings);
            this.portInfos = new PortInfo[fabric.portCount()];
            for (int port = 0; port < portInfos.length; port++) {
                portInfos[port] = fabric.portInfo(port);
            }
        }

        void start(Consumer<Result> then) {
            rememberKeysToGive();
            scope.pull(lookAgain());
            scope.whenIdle(() -> {
                findWhoOwesRegistration();
                scope.pull(requests(this::configured));
                scope.whenIdle(() -> {
                    scope.pull(requests(port -> isOnTheWay(port) ? activated(port) : null));
                    scope.whenIdle(() -> {
                        scope.pull(requests(port -> isOnTheWay(port) ? null : activated(port)));
                        scope.whenIdle(() -> end(then));
                    });
                });
            });
        }

        private void end(Consumer<Result> then) {
            noteWhatStaysDown();
            then.accept(new Result(subnet.with(fabric.with(portInfos)), activated, refused, changed, unconfirmed));
        }

        /**
         * A link is trained at both ends, so an end that was higher than the other was read before that. A switch of which that is so may
         * have restarted, and is read again after this sweep.
         */
        private Iterator<SmpRequest<PortInfo>> lookAgain() {
            return IntStream.range(0, portInfos.length)
                    .filter(port -> fabric.peer(port) != Fabric.NONE
                            && state(port) > PortInfo.STATE_INITIALIZE
                            && state(fabric.peer(port)) == PortInfo.STATE_INITIALIZE)
                    .mapToObj(port -> requests.getAt(
                            PortInfo.TYPE, port, fabric.portInfoModifier(port), now -> isSeenAgain(port, now)))
                    .iterator();
        }

        private void isSeenAgain(int port, PortInfo now) {
            if (now.portState() < state(port) && isOfSwitch(port)) {
                changed.add(fabric.nodeGuid(fabric.nodeOf(port)));
            }
            portInfos[port] = now;
        }

        /** PortState as it was last heard of; 0 if it never was. */
        private int state(int port) {
            PortInfo now = portInfos[port];
            return now == null ? 0 : now.portState();
        }

        /** A port without an M_Key is given one with its other settings; a restart must know which. */
        private void rememberKeysToGive() {
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.isEndport(port)) {
                    keys.expectFirst(fabric.portGuid(port));
                }
            }
            keys.save();
        }

        /** The Sets of one wave: {@code wanted} gives what a port should be sent, null to leave it alone. */
        private Iterator<SmpRequest<PortInfo>> requests(IntFunction<@Nullable PortInfo> wanted) {
            return new Lookahead<>() {
                private int port;

                @Override
                protected @Nullable SmpRequest<PortInfo> findNext() {
                    while (port < portInfos.length) {
                        int candidate = port++;
                        boolean isAsked = portInfos[candidate] != null
                                && !requests.isPastWriting(fabric.nodeOf(candidate), PortInfo.TYPE);
                        PortInfo value = isAsked ? wanted.apply(candidate) : null;
                        if (value != null) {
                            return set(candidate, value);
                        }
                    }
                    return null;
                }
            };
        }

        private SmpRequest<PortInfo> set(int port, PortInfo value) {
            SmpRequest<PortInfo> set = asSent(port, value);
            return requests.watched(fabric.nodeOf(port), set, outcome -> onSet(port, set, value, outcome));
        }

        private SmpRequest<PortInfo> asSent(int port, PortInfo value) {
            PortInfo now = portInfos[port];
            PortInfo sent = now == null ? value : LinkSpeeds.asSent(value, now);
            return SmpRequest.set(sent, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {});
        }

        private void onSet(int port, SmpRequest<PortInfo> set, PortInfo value, Outcome<PortInfo> outcome) {
            judge(port, set, new UnexpectedAnswers<>(), outcome, last -> ended(port, set, value, last));
        }

        /** Asks what a port contains after a Set, as long as its answers cannot be true of a port that took it. */
        private void judge(
                int port,
                SmpRequest<PortInfo> set,
                UnexpectedAnswers<PortInfo> damaged,
                Outcome<PortInfo> outcome,
                Consumer<Outcome<PortInfo>> then) {
            if (outcome instanceof Outcome.Reply<PortInfo> reply
                    && !Consistency.isResult(portInfos[port], set.value(), reply.value())
                    && damaged.asksAgain(reply.value())) {
                read(port, again -> judge(port, set, damaged, again, then));
            } else {
                then.accept(outcome);
            }
        }

        private void read(int port, Consumer<Outcome<PortInfo>> then) {
            scope.get(PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), then);
        }

        private void ended(int port, SmpRequest<PortInfo> set, PortInfo value, Outcome<PortInfo> outcome) {
            if (outcome instanceof Outcome.Reply<PortInfo> reply) {
                confirmRegistration(port, value);
                took(port, value, reply.value());
                activated.set(port, value.portState() == PortInfo.STATE_ACTIVE);
                if (!Obedience.shows(set, reply.value())) {
                    isNotTaken(port, set, value, "answered well and not obeyed");
                }
            } else if (value.portState() != PortInfo.STATE_NO_CHANGE
                    && outcome instanceof Outcome.Failure<PortInfo> failure
                    && failure.kind() == Outcome.Kind.BAD_STATUS) {
                askWhetherItRose(port, set, value, outcome);
            } else {
                isNotTaken(port, set, value, outcome);
            }
        }

        private void took(int port, PortInfo value, PortInfo answer) {
            PortInfo now = answer.with(PortInfo.CLIENT_REREGISTER, 0);
            portInfos[port] = now;
            if (fabric.isEndport(port)) {
                keys.learn(fabric.portGuid(port), answer);
            }
            boolean isKnown = nonCompliant.hasRefused(fabric, port, value, now);
            boolean hasAll = nonCompliant.heard(fabric, port, value, now);
            if (value.portState() == PortInfo.STATE_NO_CHANGE) {
                trials.answered(port, hasAll);
            } else if (!hasAll && !isKnown) {
                trials.lacks(port);
            }
        }

        /**
         * Whose first answer was lost is refused the second time, because the port is where it should be; and a device that is
         * told to be where it is need not look at the rest of the Set (IBA 14.2.5.6), so settings are set once more. A port
         * that is lower than it was found has lost its link: that is a change, and no error.
         */
        private void askWhetherItRose(int port, SmpRequest<PortInfo> set, PortInfo value, Outcome<PortInfo> refusal) {
            PortInfo before = portInfos[port];
            read(
                    port,
                    first -> judge(port, set, new UnexpectedAnswers<>(), first, outcome -> {
                        if (!(outcome instanceof Outcome.Reply<PortInfo> reply)) {
                            isNotTaken(port, set, value, outcome);
                            return;
                        }
                        PortInfo now = reply.value();
                        portInfos[port] = now;
                        if (now.portState() >= value.portState()) {
                            confirmRegistration(port, value);
                            activated.set(port, value.portState() == PortInfo.STATE_ACTIVE);
                            if (!wanted.of(port, now).equals(now)) {
                                setSettings(port);
                            }
                        } else if (!now.isLinkUp() || before != null && now.portState() < before.portState()) {
                            hasChanged(port);
                        } else if (value.portState() == PortInfo.STATE_ACTIVE) {
                            refused.add(fabric.nodeGuid(fabric.nodeOf(port)));
                        } else {
                            isNotTaken(port, set, value, refusal);
                        }
                    }));
        }

        /** A Set was obeyed. */
        private void confirmRegistration(int port, PortInfo value) {
            if (value.get(PortInfo.CLIENT_REREGISTER) != 0) {
                unconfirmed.remove(fabric.portGuid(port));
            }
        }

        /** Sends a port its settings in a Set of their own. */
        private void setSettings(int port) {
            PortInfo now = portInfos[port];
            if (now != null) {
                scope.submit(set(port, settingsAlone(wanted.of(port, now))));
            }
        }

        /** The link of a port went down since it was found: the switch at either end knows more. */
        private void hasChanged(int port) {
            for (int end : new int[] {port, fabric.peer(port)}) {
                if (end != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(end))) {
                    changed.add(fabric.nodeGuid(fabric.nodeOf(end)));
                }
            }
        }

        private void isNotTaken(int port, SmpRequest<PortInfo> set, PortInfo value, Object outcome) {
            int node = fabric.nodeOf(port);
            if (value.portState() != PortInfo.STATE_NO_CHANGE) {
                errors.unraised(port, set);
            }
            String advice = errors.isNewlySilent(node) ? MKeyHint.of(fabric, node) : "";
            errors.report(
                    node, PortInfo.TYPE.id(), "Set(PortInfo) of ", fabric.devicePort(port), ": " + outcome + advice);
        }

        /** Routes lead over links between switches: where only one end is ACTIVE the other is at fault, unless it lost the link. */
        private void noteWhatStaysDown() {
            for (int port = 0; areTablesIn && port < portInfos.length; port++) {
                PortInfo now = portInfos[port];
                if (now != null
                        && now.portState() < PortInfo.STATE_ACTIVE
                        && fabric.peer(port) != Fabric.NONE
                        && state(fabric.peer(port)) == PortInfo.STATE_ACTIVE
                        && isOfSwitch(port)
                        && isOfSwitch(fabric.peer(port))
                        && !changed.contains(fabric.nodeGuid(fabric.nodeOf(port)))) {
                    PortInfo asItIs = unchangedStates(now).with(PortInfo.PORT_STATE, PortInfo.STATE_NO_CHANGE);
                    errors.unraised(port, asSent(port, asItIs));
                }
            }
        }

        /**
         * The settings of a port, with the step to ARMED where it is due; null if it has them all. A switch that is at rest may have
         * restarted after its port 0 was read.
         */
        private @Nullable PortInfo configured(int port) {
            PortInfo now = portInfos[port];
            if (now == null) {
                return null;
            }
            int node = fabric.nodeOf(port);
            boolean isPort0 = fabric.isSwitch(node) && fabric.portNum(port) == 0;
            if (!isPort0 && (!now.isLinkUp() || fabric.peer(port) == Fabric.NONE)) {
                return null;
            }
            PortInfo goal = wanted.of(port, now);
            boolean rises = !isPort0 && now.portState() == PortInfo.STATE_INITIALIZE && mayRise(port);
            boolean mustReregister = fabric.isEndport(port) && unconfirmed.contains(fabric.portGuid(port));
            boolean isSettled = goal.equals(now) || nonCompliant.hasRefused(fabric, port, goal, now);
            boolean mayHaveForgotten = isPort0 && !KnownDevices.isRunning(fabric, node);
            if (isSettled && !rises && !mustReregister && !mayHaveForgotten) {
                return null;
            }
            return unchangedStates(goal)
                    .with(PortInfo.CLIENT_REREGISTER, mustReregister ? 1 : 0)
                    .with(PortInfo.PORT_STATE, rises ? PortInfo.STATE_ARMED : PortInfo.STATE_NO_CHANGE);
        }

        private @Nullable PortInfo activated(int port) {
            PortInfo now = portInfos[port];
            boolean isPort0 = isOfSwitch(port) && fabric.portNum(port) == 0;
            if (now == null
                    || isPort0
                    || now.portState() != PortInfo.STATE_ARMED
                    || fabric.peer(port) == Fabric.NONE
                    || !mayRise(port)) {
                return null;
            }
            return unchangedStates(wanted.of(port, now))
                    .with(PortInfo.CLIENT_REREGISTER, 0)
                    .with(PortInfo.PORT_STATE, PortInfo.STATE_ACTIVE);
        }

        /** A link whose far end does not tell its MTUCap and VLCap waits: they are fixed once it has risen. */
        private boolean mayRise(int port) {
            int far = fabric.peer(port);
            return portInfos[far] != null && (areTablesIn || !isOfSwitch(port) || !isOfSwitch(far));
        }

        /** Whether hosts need it to talk with the SA. */
        private boolean isOnTheWay(int port) {
            return isOfSwitch(port) || port == fabric.localPort();
        }

        private boolean isOfSwitch(int port) {
            return fabric.isSwitch(fabric.nodeOf(port));
        }

        /** Those whose link is down hear of it when it rises, as they do of a new SM. */
        private void findWhoOwesRegistration() {
            for (int port = 0; port < portInfos.length; port++) {
                PortInfo now = portInfos[port];
                boolean isReachable = now != null
                        && fabric.isEndport(port)
                        && (fabric.isSwitch(fabric.nodeOf(port)) || now.isLinkUp() && fabric.peer(port) != Fabric.NONE);
                if (isReachable
                        && now.can(PortInfo.CAP_CLIENT_REREGISTRATION)
                        && (now.masterSmLid() != subnet.smLid() || owesRegistration.test(fabric.portGuid(port)))) {
                    unconfirmed.add(fabric.portGuid(port));
                }
            }
        }
    }
}
