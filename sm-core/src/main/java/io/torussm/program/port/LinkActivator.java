package io.torussm.program.port;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.smp.LookaheadIterator;
import io.torussm.program.smp.SmpRequests;
import io.torussm.program.smp.SweepSettings;
import io.torussm.program.table.KnownDevices;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.stage.Phase;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.stage.SetVerification;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
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
 * The stage that configures ports and brings links from INITIALIZE over ARMED to ACTIVE (IBA 14.4.4), in three waves
 * with barriers between them.
 *
 * <p>If a switch lacks its tables, links between switches that are down stay down. Otherwise packets would be forwarded
 * by a mixture of old and new tables.
 *
 * <p>The first wave writes the settings of every port that differs, together with the step to ARMED if the link is in
 * INITIALIZE. The second wave sets ARMED ports of switches, and the port of the SM, to ACTIVE. The third wave does so
 * for other hosts: they may query the SA immediately, and paths both ways exist by then. A working link is never taken
 * down: settings that may change only while a link trains (MTU, VLs) stay unchanged on an ARMED or ACTIVE link.
 */
public final class LinkActivator implements Stage<LinkActivator.Input, LinkActivator.ActivatedLinks> {
    private final SweepSettings settings;
    private final VlArbitrationPolicy vlArbitration;
    private final NonCompliantPorts nonCompliant;

    /**
     * Creates the stage.
     *
     * @param vlArbitration policy of the plan that is programmed
     */
    public LinkActivator(SweepSettings settings, VlArbitrationPolicy vlArbitration, NonCompliantPorts nonCompliant) {
        this.settings = settings;
        this.vlArbitration = new ArbitrationCache(vlArbitration);
        this.nonCompliant = nonCompliant;
    }

    /**
     * A subnet whose tables are written.
     *
     * @param plan the written plan, with the addresses that ports shall have
     * @param partitions the P_Key tables of ports, and the fabric with the last PortInfo of each port
     * @param mustRegister predicate of port GUIDs whose ports must register again
     */
    public record Input(Plan plan, PartitionProgrammer.ProgrammedPartitions partitions, LongPredicate mustRegister) {}

    /**
     * The result of the activation.
     *
     * @param subnet subnet with the last PortInfo of each port
     * @param activated indexes of the ports that became ACTIVE
     * @param notReady NodeGUIDs of devices with ports whose neighbour was not ready; another sweep tries again
     * @param changed NodeGUIDs of switches at links that went down since discovery
     * @param unconfirmed GUIDs of ports to which ClientReregister was sent and that did not confirm it
     */
    public record ActivatedLinks(
            Subnet subnet, BitSet activated, Set<Long> notReady, Set<Long> changed, Set<Long> unconfirmed) {}

    @Override
    public Phase phase() {
        return Phase.ACTIVATE;
    }

    /** Runs all waves. */
    @Override
    public void start(StageContext context, Input input, Consumer<ActivatedLinks> then) {
        new ActivationRun(context, input).start(then);
    }

    /**
     * Returns a PortInfo whose Set changes no physical state. Enabled widths and speeds repeat their values. Zero would
     * mean no change (IBA 14.2.5.6), but no other SM sends it, and a device that reads it as "none" loses its link.
     */
    public static PortInfo withoutPhysicalStateChange(PortInfo value) {
        return value.with(PortInfo.PORT_PHYSICAL_STATE, 0)
                .with(PortInfo.LINK_DOWN_DEFAULT_STATE, PortInfo.PHYS_POLLING);
    }

    /** Returns a PortInfo whose Set writes settings only: it changes no state and requests no registration. */
    public static PortInfo settingsOnly(PortInfo value) {
        return withoutPhysicalStateChange(value)
                .with(PortInfo.CLIENT_REREGISTER, 0)
                .with(PortInfo.PORT_STATE, PortInfo.STATE_NO_CHANGE);
    }

    /** The activation of one subnet. */
    private final class ActivationRun {
        private final MadScope scope;
        private final MKeyStore keys;
        private final ProgrammingErrors errors;
        private final WantedPortInfo wanted;
        private final LongPredicate mustRegister;
        private final Set<Long> unconfirmed = new TreeSet<>();
        private final boolean areTablesWritten;
        private final Subnet subnet;
        private final Fabric fabric;
        private final @Nullable PortInfo[] portInfos;
        private final SmpRequests requests;
        private final BitSet activated = new BitSet();
        private final Set<Long> changed = new LinkedHashSet<>();

        private final PortInfoVerifier verifier;
        private final SettingsTrials trials;

        private final Set<Long> notReady = new TreeSet<>();

        ActivationRun(StageContext context, Input input) {
            this.scope = context.scope();
            this.keys = context.memory().keys();
            this.errors = context.errors();
            this.wanted = new WantedPortInfo(input, keys, settings, vlArbitration);
            this.mustRegister = input.mustRegister();
            this.areTablesWritten = !errors.hasDeviations();
            this.subnet = input.plan().subnet().with(input.partitions().fabric());
            this.fabric = subnet.fabric();
            this.requests = new SmpRequests(fabric, errors, scope, context.loop());
            this.trials = new SettingsTrials(fabric, this::setSettings);
            this.portInfos = new PortInfo[fabric.portCount()];
            for (int port = 0; port < portInfos.length; port++) {
                portInfos[port] = fabric.portInfo(port);
            }
            this.verifier = new PortInfoVerifier(scope, fabric, port -> portInfos[port]);
        }

        void start(Consumer<ActivatedLinks> then) {
            recordKeysToWrite();
            scope.pull(rereadPorts());
            scope.whenIdle(() -> {
                findPortsToReregister();
                scope.pull(requests(this::configuration));
                scope.whenIdle(() -> {
                    scope.pull(requests(port -> isOnPathToSa(port) ? activation(port) : null));
                    scope.whenIdle(() -> {
                        scope.pull(requests(port -> isOnPathToSa(port) ? null : activation(port)));
                        scope.whenIdle(() -> end(then));
                    });
                });
            });
        }

        private void end(Consumer<ActivatedLinks> then) {
            reportHalfActiveLinks();
            then.accept(
                    new ActivatedLinks(subnet.with(fabric.with(portInfos)), activated, notReady, changed, unconfirmed));
        }

        /**
         * Reads ports again whose state was higher than that of their far ends. A link trains at both ends, so such a
         * port changed after it was read. Its switch may have restarted, and is read again after this sweep.
         */
        private Iterator<SmpRequest<PortInfo>> rereadPorts() {
            return IntStream.range(0, portInfos.length)
                    .filter(port -> fabric.peer(port) != Fabric.NONE
                            && state(port) > PortInfo.STATE_INITIALIZE
                            && state(fabric.peer(port)) == PortInfo.STATE_INITIALIZE)
                    .mapToObj(port -> requests.getAt(
                            PortInfo.TYPE, port, fabric.portInfoModifier(port), current -> update(port, current)))
                    .iterator();
        }

        private void update(int port, PortInfo current) {
            if (current.portState() < state(port) && isOfSwitch(port)) {
                changed.add(fabric.nodeGuid(fabric.nodeOf(port)));
            }
            portInfos[port] = current;
        }

        /** Returns the last known PortState; 0 if unknown. */
        private int state(int port) {
            PortInfo current = portInfos[port];
            return current == null ? 0 : current.portState();
        }

        /**
         * Records M_Keys for ports without one, so that a restarted SM has them. Later they are written with other
         * settings.
         */
        private void recordKeysToWrite() {
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.isEndport(port)) {
                    keys.expectFirst(fabric.portGuid(port));
                }
            }
            keys.save();
        }

        /**
         * Returns the Sets of one wave.
         *
         * @param wanted function that returns the value for a port index; null to skip the port
         */
        private Iterator<SmpRequest<PortInfo>> requests(IntFunction<@Nullable PortInfo> wanted) {
            return new LookaheadIterator<>() {
                private int port;

                @Override
                protected @Nullable SmpRequest<PortInfo> findNext() {
                    while (port < portInfos.length) {
                        int candidate = port++;
                        boolean isWritable = portInfos[candidate] != null
                                && !requests.hasGivenUpSets(fabric.nodeOf(candidate), PortInfo.TYPE);
                        PortInfo value = isWritable ? wanted.apply(candidate) : null;
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
            return requests.counted(fabric.nodeOf(port), set, outcome -> onSet(port, set, value, outcome));
        }

        private SmpRequest<PortInfo> asSent(int port, PortInfo value) {
            PortInfo current = portInfos[port];
            PortInfo sent = current == null ? value : LinkSpeeds.asSent(value, current);
            return SmpRequest.set(sent, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {});
        }

        private void onSet(int port, SmpRequest<PortInfo> set, PortInfo value, Outcome<PortInfo> outcome) {
            verifier.verify(port, set, outcome, last -> onOutcome(port, set, value, last));
        }

        private void onOutcome(int port, SmpRequest<PortInfo> set, PortInfo value, Outcome<PortInfo> outcome) {
            if (outcome instanceof Outcome.Reply<PortInfo> reply) {
                confirmRegistration(port, value);
                onReply(port, value, reply.value());
                activated.set(port, value.portState() == PortInfo.STATE_ACTIVE);
                if (!SetVerification.hasEffect(set, reply.value())) {
                    reportRefusal(port, set, value, "answered well and not obeyed");
                }
            } else if (value.portState() != PortInfo.STATE_NO_CHANGE
                    && outcome instanceof Outcome.Failure<PortInfo> failure
                    && failure.reason() == Outcome.FailureReason.BAD_STATUS) {
                readAfterRefusal(port, set, value, outcome);
            } else {
                reportRefusal(port, set, value, outcome);
            }
        }

        private void onReply(int port, PortInfo value, PortInfo answer) {
            PortInfo current = answer.with(PortInfo.CLIENT_REREGISTER, 0);
            portInfos[port] = current;
            if (fabric.isEndport(port)) {
                keys.learn(fabric.portGuid(port), answer);
            }
            boolean isKnown = nonCompliant.hasRefused(fabric, port, value, current);
            boolean hasAll = nonCompliant.record(fabric, port, value, current);
            if (value.portState() == PortInfo.STATE_NO_CHANGE) {
                trials.onSettingsReply(port, hasAll);
            } else if (!hasAll && !isKnown) {
                trials.onMissingSettings(port);
            }
        }

        /**
         * Reads a port after a rejected change of state. If the first response was lost, the repeated Set is rejected
         * because the port already has the state. A device need not evaluate the rest of such a Set (IBA 14.2.5.6), so
         * settings are written once more. A port with a lower state than before lost its link: a change, not an error.
         */
        private void readAfterRefusal(int port, SmpRequest<PortInfo> set, PortInfo value, Outcome<PortInfo> refusal) {
            PortInfo previous = portInfos[port];
            verifier.read(
                    port,
                    first -> verifier.verify(port, set, first, outcome -> {
                        if (!(outcome instanceof Outcome.Reply<PortInfo> reply)) {
                            reportRefusal(port, set, value, outcome);
                            return;
                        }
                        PortInfo current = reply.value();
                        portInfos[port] = current;
                        if (current.portState() >= value.portState()) {
                            confirmRegistration(port, value);
                            activated.set(port, value.portState() == PortInfo.STATE_ACTIVE);
                            if (!wanted.of(port, current).equals(current)) {
                                setSettings(port);
                            }
                        } else if (!current.isLinkUp()
                                || (previous != null && current.portState() < previous.portState())) {
                            addChangedSwitches(port);
                        } else if (value.portState() == PortInfo.STATE_ACTIVE) {
                            notReady.add(fabric.nodeGuid(fabric.nodeOf(port)));
                        } else {
                            reportRefusal(port, set, value, refusal);
                        }
                    }));
        }

        /** Records that a port complied with a Set, which may request registration. */
        private void confirmRegistration(int port, PortInfo value) {
            if (value.get(PortInfo.CLIENT_REREGISTER) != 0) {
                unconfirmed.remove(fabric.portGuid(port));
            }
        }

        /** Sends its settings in a separate Set to a port. */
        private void setSettings(int port) {
            PortInfo current = portInfos[port];
            if (current != null) {
                scope.submit(set(port, settingsOnly(wanted.of(port, current))));
            }
        }

        /** Records that the link of a port went down after discovery. The switches at both ends are read again. */
        private void addChangedSwitches(int port) {
            for (int end : new int[] {port, fabric.peer(port)}) {
                if (end != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(end))) {
                    changed.add(fabric.nodeGuid(fabric.nodeOf(end)));
                }
            }
        }

        private void reportRefusal(int port, SmpRequest<PortInfo> set, PortInfo value, Object outcome) {
            int node = fabric.nodeOf(port);
            if (value.portState() != PortInfo.STATE_NO_CHANGE) {
                errors.unraised(port, set);
            }
            String advice = errors.isNewlySilent(node) ? MKeyHint.of(fabric, node) : "";
            errors.report(
                    node, PortInfo.TYPE.id(), "Set(PortInfo) of ", fabric.devicePort(port), ": " + outcome + advice);
        }

        /**
         * Reports links between switches of which only one end is ACTIVE. The other end is at fault, unless it lost the
         * link.
         */
        private void reportHalfActiveLinks() {
            for (int port = 0; areTablesWritten && port < portInfos.length; port++) {
                PortInfo current = portInfos[port];
                if (current != null
                        && current.portState() < PortInfo.STATE_ACTIVE
                        && fabric.peer(port) != Fabric.NONE
                        && state(fabric.peer(port)) == PortInfo.STATE_ACTIVE
                        && isOfSwitch(port)
                        && isOfSwitch(fabric.peer(port))
                        && !changed.contains(fabric.nodeGuid(fabric.nodeOf(port)))) {
                    PortInfo asItIs =
                            withoutPhysicalStateChange(current).with(PortInfo.PORT_STATE, PortInfo.STATE_NO_CHANGE);
                    errors.unraised(port, asSent(port, asItIs));
                }
            }
        }

        /**
         * Returns the settings of a port, with the step to ARMED if it is due; null if no Set is necessary. A switch
         * without traffic may have restarted after its port 0 was read, so its port 0 is always written.
         */
        private @Nullable PortInfo configuration(int port) {
            PortInfo current = portInfos[port];
            if (current == null) {
                return null;
            }
            int node = fabric.nodeOf(port);
            boolean isPort0 = fabric.isSwitch(node) && fabric.portNum(port) == 0;
            if (!isPort0 && (!current.isLinkUp() || fabric.peer(port) == Fabric.NONE)) {
                return null;
            }
            PortInfo goal = wanted.of(port, current);
            boolean rises = !isPort0 && current.portState() == PortInfo.STATE_INITIALIZE && mayActivate(port);
            boolean mustReregister = fabric.isEndport(port) && unconfirmed.contains(fabric.portGuid(port));
            boolean isSettled = goal.equals(current) || nonCompliant.hasRefused(fabric, port, goal, current);
            boolean mayHaveForgotten = isPort0 && !KnownDevices.isRunning(fabric, node);
            if (isSettled && !rises && !mustReregister && !mayHaveForgotten) {
                return null;
            }
            return withoutPhysicalStateChange(goal)
                    .with(PortInfo.CLIENT_REREGISTER, mustReregister ? 1 : 0)
                    .with(PortInfo.PORT_STATE, rises ? PortInfo.STATE_ARMED : PortInfo.STATE_NO_CHANGE);
        }

        private @Nullable PortInfo activation(int port) {
            PortInfo current = portInfos[port];
            boolean isPort0 = isOfSwitch(port) && fabric.portNum(port) == 0;
            if (current == null
                    || isPort0
                    || current.portState() != PortInfo.STATE_ARMED
                    || fabric.peer(port) == Fabric.NONE
                    || !mayActivate(port)) {
                return null;
            }
            return withoutPhysicalStateChange(wanted.of(port, current))
                    .with(PortInfo.CLIENT_REREGISTER, 0)
                    .with(PortInfo.PORT_STATE, PortInfo.STATE_ACTIVE);
        }

        /**
         * Checks whether a link may become ARMED or ACTIVE. The far end must report MTUCap and VLCap, because MTU and
         * VLs cannot change later.
         */
        private boolean mayActivate(int port) {
            int far = fabric.peer(port);
            return portInfos[far] != null && (areTablesWritten || !isOfSwitch(port) || !isOfSwitch(far));
        }

        /** Checks whether a port is on the way of hosts to the SA: a port of a switch, or of the SM. */
        private boolean isOnPathToSa(int port) {
            return isOfSwitch(port) || port == fabric.localPort();
        }

        private boolean isOfSwitch(int port) {
            return fabric.isSwitch(fabric.nodeOf(port));
        }

        /**
         * Determines the ports that must register again (ClientReregister). A port whose link is down follows when its
         * link is up, because it then has another MasterSMLID.
         */
        private void findPortsToReregister() {
            for (int port = 0; port < portInfos.length; port++) {
                PortInfo current = portInfos[port];
                boolean isReachable = current != null
                        && fabric.isEndport(port)
                        && (fabric.isSwitch(fabric.nodeOf(port))
                                || (current.isLinkUp() && fabric.peer(port) != Fabric.NONE));
                if (isReachable
                        && current.hasCapability(PortInfo.CAP_CLIENT_REREGISTRATION)
                        && (current.masterSmLid() != subnet.smLid() || mustRegister.test(fabric.portGuid(port)))) {
                    unconfirmed.add(fabric.portGuid(port));
                }
            }
        }
    }
}
