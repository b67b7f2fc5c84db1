package io.torussm.sweep;

import io.torussm.discovery.Unanswered;
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
 * A light sweep. It asks every switch whether a port changed or its tables are lost, and hosts for their LIDs
 * if a port changed. It repeats unanswered requests, and reads that need confirmation. On a fabric without a
 * switch it reads the ports of the hosts. Used once.
 */
final class LightSweep {
    private final MadScope scope;
    private final Subnet subnet;
    private final Fabric fabric;
    private final TableProgrammer programmer;
    private final Questions questions;
    private final List<DeviceText> described = new ArrayList<>();
    private final Set<Long> changed = new LinkedHashSet<>();
    private final Set<Long> steady = new LinkedHashSet<>();
    private boolean mustSweepAll;
    private boolean isOwnSilent;

    /** Earlier unanswered requests that are answered now. */
    private final List<Unanswered> heard = new ArrayList<>();

    private final Map<NodePort, PortInfo> displaced = new TreeMap<>();
    private final List<NodePort> contradicted = new ArrayList<>();

    /**
     * The outcome of a light sweep.
     *
     * @param described names of changed devices; empty if there is no change
     * @param changed NodeGUIDs of switches that must be read again
     * @param steady NodeGUIDs of switches without a reported change
     * @param mustSweepAll whether a read of the changed switches does not suffice
     * @param heard earlier unanswered requests that are answered now
     * @param displaced PortInfo of ports that have another LID than this SM assigned
     * @param contradicted answers that differ from those of the sweep that read them first
     */
    record LightOutcome(
            List<DeviceText> described,
            Set<Long> changed,
            Set<Long> steady,
            boolean mustSweepAll,
            List<Unanswered> heard,
            Map<NodePort, PortInfo> displaced,
            List<NodePort> contradicted) {
        /** Returns a fabric with the present LIDs of ports. */
        Fabric withLids(Fabric fabric) {
            Fabric changed = fabric;
            for (Map.Entry<NodePort, PortInfo> each : displaced.entrySet()) {
                int port = fabric.port(each.getKey());
                if (port != Fabric.NONE) {
                    changed = changed.with(port, each.getValue());
                }
            }
            return changed;
        }

        /** Checks whether the only work is to repeat unanswered requests. */
        boolean isRetry() {
            return described.size() == heard.size();
        }

        /** Checks whether there is no change. */
        boolean isQuiet() {
            return described.isEmpty();
        }
    }

    /**
     * The questions of a light sweep besides SwitchInfo of all switches.
     *
     * @param behind NodeGUIDs of switches whose hosts are asked for their LIDs in any case
     * @param bypassed NodeGUIDs of switches whose multicast tables are not used, whatever they claim
     * @param silent unanswered requests, which are repeated
     * @param unconfirmed attributes that were read in one sweep only, by NodeGUID and port number or
     *     {@link SecondReads#NODE}
     * @param leased M_KeyProtectBits for hosts; empty if their protection does not expire
     */
    record Questions(
            Set<Long> behind,
            Set<Long> bypassed,
            List<Unanswered> silent,
            Set<NodePort> unconfirmed,
            OptionalInt leased) {}

    private LightSweep(MadScope scope, Subnet subnet, TableProgrammer programmer, Questions questions) {
        this.questions = questions;
        this.scope = scope;
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        this.programmer = programmer;
    }

    /**
     * Starts; calls back once, on the loop. The scope cancels it.
     *
     * @param subnet the published subnet
     */
    static MadScope start(
            MadClient client,
            Subnet subnet,
            TableProgrammer programmer,
            Questions questions,
            Consumer<LightOutcome> then) {
        LightSweep sweep = new LightSweep(client.scope(), subnet, programmer, questions);
        Fabric fabric = subnet.fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            sweep.askSwitch(sw);
            if (questions.behind.contains(fabric.nodeGuid(sw))) {
                sweep.askBehind(sw);
            }
        }
        if (fabric.switchCount() == 0) {
            sweep.askEndports();
        } else {
            sweep.askLid(fabric.localPort());
        }
        questions.leased.ifPresent(sweep::askLeaseholders);
        questions.silent.forEach(request -> sweep.askSilent(request.type(), request));
        questions.unconfirmed.forEach(sweep::confirm);
        sweep.scope.whenIdle(() -> then.accept(new LightOutcome(
                sweep.described,
                sweep.changed,
                sweep.steady,
                sweep.mustSweepAll || (sweep.isOwnSilent && sweep.steady.isEmpty() && sweep.changed.isEmpty()),
                sweep.heard,
                sweep.displaced,
                sweep.contradicted)));
        return sweep.scope;
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
                    askBehind(sw);
                }
            } else {
                steady.add(guid);
            }
        });
    }

    /**
     * Checks whether a switch claims other table sizes; one that claimed too small tables is asked in every
     * light sweep.
     */
    private boolean hasOtherCap(int sw, SwitchInfo current) {
        SwitchInfo known = fabric.node(sw).switchInfo();
        return known != null
                && (known.linearFdbCap() != current.linearFdbCap()
                        || (!questions.bypassed.contains(fabric.nodeGuid(sw))
                                && known.multicastFdbCap() != current.multicastFdbCap()));
    }

    private void confirm(NodePort place) {
        int node = fabric.nodeByGuid(place.nodeGuid());
        if (node != Fabric.NONE && place.portNum() == SecondReads.NODE) {
            confirmNode(node, place);
        } else if (fabric.port(place) != Fabric.NONE) {
            confirmPort(fabric.port(place), place);
        }
    }

    /** Reads NodeInfo again; the port that answers may be another one than at first. */
    private void confirmNode(int node, NodePort place) {
        NodeInfo known = fabric.node(node).info();
        scope.get(NodeInfo.TYPE, fabric.node(node).path(), 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeInfo> reply
                    && !reply.value()
                            .with(NodeInfo.LOCAL_PORT_NUM, known.localPortNum())
                            .equals(known)) {
                contradicted.add(place);
                mustSweepAll(fabric.device(node));
            }
        });
    }

    private void confirmPort(int port, NodePort place) {
        PortInfo known = fabric.portInfo(port);
        scope.get(PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {
            if (known != null
                    && outcome instanceof Outcome.Reply<PortInfo> reply
                    && !Consistency.agrees(known, reply.value())) {
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

    /** Asks the hosts behind a switch, which also reports a port change when its host has another LID. */
    private void askBehind(int sw) {
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            int far = fabric.peer(fabric.port(sw, portNum));
            if (far != Fabric.NONE && fabric.isEndport(far) && far != fabric.localPort()) {
                askLid(far);
            }
        }
    }

    /** Asks the end ports of a fabric without a switch: only their states show changed cables. */
    private void askEndports() {
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                askLid(port);
                askState(port);
            }
        }
    }

    private void askState(int port) {
        PortInfo known = fabric.portInfo(port);
        scope.get(PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {
            if (known != null
                    && outcome instanceof Outcome.Reply<PortInfo> reply
                    && reply.value().portState() != known.portState()) {
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

    /** Handles a displaced port. The next sweep writes its LID: a local one if there is a switch to read. */
    private void handleDisplaced(int port) {
        int sw = fabric.switchOf(port);
        if (sw == Fabric.NONE) {
            mustSweepAll(fabric.devicePort(port));
        } else if (changed.add(fabric.nodeGuid(sw))) {
            described.add(fabric.devicePort(port));
        }
    }

    /**
     * Handles a silent switch. Without the SM's own switch the fabric cannot be read; this is not tried while
     * others answer through it.
     */
    private void handleSilent(int sw) {
        described.add(fabric.device(sw));
        isOwnSilent |= sw == fabric.localSwitch();
        mustSweepAll |= sw != fabric.localSwitch();
    }

    /**
     * Asks hosts with a lease. They may get no other SMP of this SM for days, and without one their M_Key
     * protection ends.
     */
    private void askLeaseholders(int protectBits) {
        for (int port = 0; port < fabric.portCount(); port++) {
            int asked = port;
            int node = fabric.nodeOf(port);
            if (!fabric.isSwitch(node) && fabric.isEndport(port)) {
                scope.get(PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {
                    boolean isProtected = outcome instanceof Outcome.Reply<PortInfo> reply
                            && reply.value().get(PortInfo.M_KEY_PROTECT_BITS) == protectBits;
                    if (!isProtected) {
                        mustSweepAll(fabric.devicePort(asked));
                    }
                });
            }
        }
    }

    /** Repeats exactly the unanswered request, because another answer would not show that this one works. */
    private <A extends Attribute<A>> void askSilent(AttributeType<A> type, Unanswered request) {
        scope.get(type, request.path(), request.modifier(), outcome -> {
            if (outcome instanceof Outcome.Reply<A> reply
                    && Plausibility.tells(reply.value(), request.modifier())
                    && request.isNews(reply.value())) {
                heard.add(request);
                mustSweepAll(DeviceText.of("a response from the silent end of route ", request.path()));
            }
        });
    }

    private void mustSweepAll(DeviceText because) {
        described.add(because);
        mustSweepAll = true;
    }
}
