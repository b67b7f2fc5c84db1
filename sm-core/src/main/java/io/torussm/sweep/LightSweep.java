package io.torussm.sweep;

import io.torussm.discovery.UnansweredRequest;
import io.torussm.event.DeviceText;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.program.table.TableProgrammer;
import io.torussm.stage.Consistency;
import io.torussm.stage.Plausibility;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A light sweep, which finds changes without discovery. It reads SwitchInfo of every switch: a port changed, or the
 * tables are lost. If a port changed, it reads the LIDs of the hosts at the switch. It compares the port states of some
 * switches ({@link PortStateCheck}). It repeats unanswered requests, and reads that need confirmation. On a fabric
 * without a switch it reads the ports of the hosts. An instance is used once. Owner thread: the loop.
 */
final class LightSweep {
    private final MadScope scope;
    private final Subnet subnet;
    private final Fabric fabric;
    private final TableProgrammer programmer;
    private final AdditionalReads additionalReads;

    // The parts of the outcome, see LightOutcome.
    private final List<DeviceText> described = new ArrayList<>();
    private final List<DeviceText> silent = new ArrayList<>();
    private final Set<Long> changed = new LinkedHashSet<>();
    private final Set<Long> steady = new LinkedHashSet<>();
    private boolean mustSweepAll;

    /** Set if the switch to which this SM is attached did not respond. */
    private boolean isOwnSilent;

    private final List<UnansweredRequest> heard = new ArrayList<>();
    private final Map<NodePort, PortInfo> displaced = new TreeMap<>();
    private final List<NodePort> contradicted = new ArrayList<>();

    /**
     * The outcome of a light sweep.
     *
     * @param described names of changed and silent devices; empty if there is no change
     * @param silent names of the switches that do not respond
     * @param changed NodeGUIDs of switches that must be read again
     * @param steady NodeGUIDs of switches without a change
     * @param mustSweepAll whether a read of the changed switches does not suffice
     * @param heard earlier unanswered requests that are answered now
     * @param displaced PortInfo of ports that have another LID than this SM assigned
     * @param contradicted attributes that differ from the first read, by NodeGUID and port number or
     *     {@link SecondReads#NODE}
     */
    record LightOutcome(
            List<DeviceText> described,
            List<DeviceText> silent,
            Set<Long> changed,
            Set<Long> steady,
            boolean mustSweepAll,
            List<UnansweredRequest> heard,
            Map<NodePort, PortInfo> displaced,
            List<NodePort> contradicted) {
        /** Returns a fabric with the present LIDs of ports. */
        Fabric withLids(Fabric fabric) {
            Fabric changed = fabric;
            for (Map.Entry<NodePort, PortInfo> entry : displaced.entrySet()) {
                int port = fabric.port(entry.getKey());
                if (port != Fabric.NONE) {
                    changed = changed.with(port, entry.getValue());
                }
            }
            return changed;
        }

        /** Checks whether each change is an answer to an earlier unanswered request; true if there is no change. */
        boolean isRetry() {
            return described.size() == heard.size();
        }

        /** Checks whether there is no change. */
        boolean isQuiet() {
            return described.isEmpty();
        }
    }

    /**
     * The requests of a light sweep besides SwitchInfo of all switches.
     *
     * @param behind NodeGUIDs of switches whose hosts' LIDs are read even if no port changed
     * @param bypassed NodeGUIDs of switches whose multicast tables are not used, so that their size is ignored
     * @param silent unanswered requests, which are repeated
     * @param unconfirmed attributes that were read in one sweep only, by NodeGUID and port number or
     *     {@link SecondReads#NODE}
     * @param leased M_KeyProtectBits for hosts; empty if their protection does not expire
     * @param turn the turn of {@link PortStateCheck}, 0 to {@link PortStateCheck#TURNS} - 1
     */
    record AdditionalReads(
            Set<Long> behind,
            Set<Long> bypassed,
            List<UnansweredRequest> silent,
            Set<NodePort> unconfirmed,
            OptionalInt leased,
            int turn) {}

    private LightSweep(MadScope scope, Subnet subnet, TableProgrammer programmer, AdditionalReads questions) {
        this.additionalReads = questions;
        this.scope = scope;
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        this.programmer = programmer;
    }

    /**
     * Starts a light sweep. Closing the returned scope cancels it without a callback.
     *
     * @param subnet the published subnet
     * @param completion callback, called once, on the loop
     */
    static MadScope start(
            MadClient client,
            Subnet subnet,
            TableProgrammer programmer,
            AdditionalReads questions,
            Consumer<LightOutcome> completion) {
        LightSweep sweep = new LightSweep(client.scope(), subnet, programmer, questions);
        Fabric fabric = subnet.fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            sweep.askSwitch(sw);
            if (questions.behind.contains(fabric.nodeGuid(sw))) {
                sweep.readHostLids(sw);
            }
        }
        if (fabric.switchCount() == 0) {
            sweep.askEndports();
        } else {
            sweep.askLid(fabric.localPort());
        }
        new PortStateCheck(sweep.scope, fabric, sweep::handleContradiction).read(questions.turn);
        questions.leased.ifPresent(sweep::askLeaseholders);
        questions.silent.forEach(request -> sweep.askSilent(request.type(), request));
        questions.unconfirmed.forEach(sweep::confirm);
        sweep.scope.whenIdle(() -> completion.accept(sweep.outcome()));
        return sweep.scope;
    }

    private LightOutcome outcome() {
        steady.removeAll(changed); // a change that SwitchInfo does not report
        return new LightOutcome(
                described,
                silent,
                changed,
                steady,
                mustSweepAll || (isOwnSilent && steady.isEmpty() && changed.isEmpty()),
                heard,
                displaced,
                contradicted);
    }

    private void askSwitch(int sw) {
        long guid = fabric.nodeGuid(sw);
        scope.get(SwitchInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {
            if (!(outcome instanceof Outcome.Reply<SwitchInfo> reply)) {
                handleSilent(sw);
            } else if (reply.value().portStateChange()
                    || !programmer.isAsProgrammed(guid, reply.value())
                    || hasOtherCap(sw, reply.value())) {
                described.add(fabric.device(sw));
                changed.add(guid);
                if (reply.value().portStateChange()) {
                    readHostLids(sw);
                }
            } else {
                steady.add(guid);
            }
        });
    }

    /**
     * Checks whether a switch reports other table sizes than before. This finds the end of a fault in which a switch
     * reported too small tables.
     */
    private boolean hasOtherCap(int sw, SwitchInfo current) {
        SwitchInfo previousInfo = fabric.node(sw).switchInfo();
        return previousInfo != null
                && (previousInfo.linearFdbCap() != current.linearFdbCap()
                        || (!additionalReads.bypassed.contains(fabric.nodeGuid(sw))
                                && previousInfo.multicastFdbCap() != current.multicastFdbCap()));
    }

    private void confirm(NodePort place) {
        int node = fabric.nodeByGuid(place.nodeGuid());
        if (node != Fabric.NONE && place.portNum() == SecondReads.NODE) {
            confirmNode(node, place);
        } else if (fabric.port(place) != Fabric.NONE) {
            confirmPort(fabric.port(place), place);
        }
    }

    /** Reads NodeInfo again. LocalPortNum is not compared, because the route may end at another port than at first. */
    private void confirmNode(int node, NodePort place) {
        NodeInfo previousInfo = fabric.node(node).info();
        scope.get(NodeInfo.TYPE, fabric.node(node).path(), 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeInfo> reply
                    && !reply.value()
                            .with(NodeInfo.LOCAL_PORT_NUM, previousInfo.localPortNum())
                            .equals(previousInfo)) {
                contradicted.add(place);
                mustSweepAll(fabric.device(node));
            }
        });
    }

    private void confirmPort(int port, NodePort place) {
        PortInfo previousInfo = fabric.portInfo(port);
        scope.get(PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {
            if (previousInfo != null
                    && outcome instanceof Outcome.Reply<PortInfo> reply
                    && !Consistency.agrees(previousInfo, reply.value())) {
                contradicted.add(place);
                handleContradiction(port);
            }
        });
    }

    private void handleContradiction(int port) {
        int node = fabric.nodeOf(port);
        if (!fabric.isSwitch(node)) {
            mustSweepAll(fabric.devicePort(port));
        } else if (changed.add(fabric.nodeGuid(node))) {
            described.add(fabric.device(node));
        }
    }

    /** Reads the LIDs of the hosts at a switch: a switch also reports a port change if a host has another LID. */
    private void readHostLids(int sw) {
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            int far = fabric.peer(fabric.port(sw, portNum));
            if (far != Fabric.NONE && fabric.isEndport(far) && far != fabric.localPort()) {
                askLid(far);
            }
        }
    }

    /** Reads the end ports of a fabric without a switch, where only port states show changed cables. */
    private void askEndports() {
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                askLid(port);
                askState(port);
            }
        }
    }

    private void askState(int port) {
        PortInfo previousInfo = fabric.portInfo(port);
        scope.get(PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {
            if (previousInfo != null
                    && outcome instanceof Outcome.Reply<PortInfo> reply
                    && reply.value().portState() != previousInfo.portState()) {
                mustSweepAll(fabric.devicePort(port));
            }
        });
    }

    private void askLid(int port) {
        scope.submit(SmpRequest.get(PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {
                    if (outcome instanceof Outcome.Reply<PortInfo> reply
                            && reply.value().isLinkUp()
                            && reply.value().lid() != subnet.lid(port)) {
                        displaced.put(fabric.nodePort(port), reply.value());
                        handleDisplaced(port);
                    }
                })
                .brief());
    }

    /** Handles a port with another LID. The next sweep writes the LID; it is local if the port has a switch. */
    private void handleDisplaced(int port) {
        int sw = fabric.switchOf(port);
        if (sw == Fabric.NONE) {
            mustSweepAll(fabric.devicePort(port));
        } else if (changed.add(fabric.nodeGuid(sw))) {
            described.add(fabric.devicePort(port));
        }
    }

    /**
     * Handles a silent switch. If the SM's own switch is silent, a whole sweep could read no other device. So it is
     * required only if no other switch responds through the own one, see {@link #start}.
     */
    private void handleSilent(int sw) {
        described.add(fabric.device(sw));
        silent.add(fabric.device(sw));
        isOwnSilent |= sw == fabric.localSwitch();
        mustSweepAll |= sw != fabric.localSwitch();
    }

    /**
     * Reads PortInfo of the hosts whose M_Key protection expires (M_KeyLeasePeriod). They may receive no other SMP of
     * this SM for days, and an expired lease ends the protection.
     */
    private void askLeaseholders(int protectBits) {
        for (int port = 0; port < fabric.portCount(); port++) {
            int endport = port;
            int node = fabric.nodeOf(port);
            if (!fabric.isSwitch(node) && fabric.isEndport(port)) {
                scope.get(PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {
                    boolean isProtected = outcome instanceof Outcome.Reply<PortInfo> reply
                            && reply.value().get(PortInfo.M_KEY_PROTECT_BITS) == protectBits;
                    if (!isProtected) {
                        mustSweepAll(fabric.devicePort(endport));
                    }
                });
            }
        }
    }

    /** Repeats exactly the unanswered request: an answer to another request would not show that this one works. */
    private <A extends Attribute<A>> void askSilent(AttributeType<A> type, UnansweredRequest request) {
        scope.get(type, request.path(), request.modifier(), outcome -> {
            if (outcome instanceof Outcome.Reply<A> reply
                    && Plausibility.isPlausible(reply.value(), request.modifier())
                    && request.differsFromClaim(reply.value())) {
                heard.add(request);
                mustSweepAll(DeviceText.of("a response from the silent end of route ", request.path()));
            }
        });
    }

    private void mustSweepAll(DeviceText reason) {
        described.add(reason);
        mustSweepAll = true;
    }
}
