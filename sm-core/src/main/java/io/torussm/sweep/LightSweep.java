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
import io.torussm.program.TableProgrammer;
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
 * Asks every switch whether a port changed or its tables are lost, asks hosts for their LIDs where a port changed, and asks
 * again what was silent, or is not confirmed yet. On a fabric without a switch it asks the ports of the hosts. One use.
 */
final class LightSweep {
    private final MadScope scope;
    private final Subnet subnet;
    private final Fabric fabric;
    private final TableProgrammer programmer;
    private final List<DeviceText> described = new ArrayList<>();
    private final Set<Long> changed = new LinkedHashSet<>();
    private final Set<Long> steady = new LinkedHashSet<>();
    private boolean mustSweepAll;
    private boolean isOwnSilent;

    /** What was not told, and is now. */
    private final List<Unanswered> heard = new ArrayList<>();

    private final Map<NodePort, PortInfo> displaced = new TreeMap<>();
    private final List<NodePort> contradicted = new ArrayList<>();

    /**
     * What came of it.
     *
     * @param described names of what is not as it was; empty if all is well
     * @param changed NodeGUIDs of switches that have to be read again
     * @param steady NodeGUIDs of switches that report nothing
     * @param mustSweepAll whether reading the changed ones again would not do
     * @param heard what was not told before, and was now
     * @param displaced PortInfo of ports that have another LID than this SM gave them
     * @param contradicted answers that are not as they were in the sweep that read them first
     */
    record Result(
            List<DeviceText> described,
            Set<Long> changed,
            Set<Long> steady,
            boolean mustSweepAll,
            List<Unanswered> heard,
            Map<NodePort, PortInfo> displaced,
            List<NodePort> contradicted) {
        /** Returns a fabric with the LIDs that ports really have. */
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

        /** Whether nothing is to be done but for what was not told before. */
        boolean isRetry() {
            return described.size() == heard.size();
        }

        /** Whether all is well. */
        boolean isQuiet() {
            return described.isEmpty();
        }
    }

    private LightSweep(MadScope scope, Subnet subnet, TableProgrammer programmer) {
        this.scope = scope;
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        this.programmer = programmer;
    }

    /**
     * Starts; calls back once, on the loop. The scope cancels it.
     *
     * @param subnet that is published
     * @param behind NodeGUIDs of switches whose hosts are asked for their LIDs in any case
     * @param silent what devices did not tell, and are to be asked for again
     * @param unconfirmed what they told in one sweep only, by NodeGUID and port number or {@link Confirmations#NODE}
     * @param leased M_KeyProtectBits that hosts are to have; empty if their protection does not run out
     */
    static MadScope start(
            MadClient client,
            Subnet subnet,
            TableProgrammer programmer,
            Set<Long> behind,
            List<Unanswered> silent,
            Set<NodePort> unconfirmed,
            OptionalInt leased,
            Consumer<Result> then) {
        LightSweep sweep = new LightSweep(client.scope(), subnet, programmer);
        Fabric fabric = subnet.fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            sweep.askSwitch(sw);
            if (behind.contains(fabric.nodeGuid(sw))) {
                sweep.askBehind(sw);
            }
        }
        if (fabric.switchCount() == 0) {
            sweep.askEndports();
        } else {
            sweep.askLid(fabric.localPort());
        }
        leased.ifPresent(sweep::askLeaseholders);
        silent.forEach(what -> sweep.askSilent(what.type(), what));
        unconfirmed.forEach(sweep::confirm);
        sweep.scope.whenIdle(() -> then.accept(new Result(
                sweep.described,
                sweep.changed,
                sweep.steady,
                sweep.mustSweepAll || sweep.isOwnSilent && sweep.steady.isEmpty() && sweep.changed.isEmpty(),
                sweep.heard,
                sweep.displaced,
                sweep.contradicted)));
        return sweep.scope;
    }

    private void askSwitch(int sw) {
        long guid = fabric.nodeGuid(sw);
        scope.get(SwitchInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {
            if (!(outcome instanceof Outcome.Reply<SwitchInfo> reply)) {
                isSilent(sw);
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

    /** A switch that claimed too little is asked again with every light sweep. */
    private boolean hasOtherCap(int sw, SwitchInfo now) {
        SwitchInfo known = fabric.node(sw).switchInfo();
        return known != null
                && (known.linearFdbCap() != now.linearFdbCap()
                        || known.multicastFdbCap() > 0 && known.multicastFdbCap() != now.multicastFdbCap());
    }

    private void confirm(NodePort what) {
        int node = fabric.nodeByGuid(what.nodeGuid());
        if (node != Fabric.NONE && what.portNum() == Confirmations.NODE) {
            confirmNode(node, what);
        } else if (fabric.port(what) != Fabric.NONE) {
            confirmPort(fabric.port(what), what);
        }
    }

    /** The port that it is asked by may be another one than at first. */
    private void confirmNode(int node, NodePort what) {
        NodeInfo known = fabric.node(node).info();
        scope.get(NodeInfo.TYPE, fabric.node(node).path(), 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeInfo> reply
                    && !reply.value()
                            .with(NodeInfo.LOCAL_PORT_NUM, known.localPortNum())
                            .equals(known)) {
                contradicted.add(what);
                mustSweepAll(fabric.device(node));
            }
        });
    }

    private void confirmPort(int port, NodePort what) {
        PortInfo known = fabric.portInfo(port);
        scope.get(PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {
            if (known != null
                    && outcome instanceof Outcome.Reply<PortInfo> reply
                    && !Consistency.agrees(known, reply.value())) {
                contradicted.add(what);
                isContradicted(port);
            }
        });
    }

    private void isContradicted(int port) {
        int node = fabric.nodeOf(port);
        if (!fabric.isSwitch(node)) {
            mustSweepAll(fabric.devicePort(port));
        } else if (changed.add(fabric.nodeGuid(node))) {
            described.add(fabric.device(node));
        }
    }

    /** A switch reports a change of a port, too, when its host has another LID. */
    private void askBehind(int sw) {
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            int far = fabric.peer(fabric.port(sw, portNum));
            if (far != Fabric.NONE && fabric.isEndport(far) && far != fabric.localPort()) {
                askLid(far);
            }
        }
    }

    /** No switch reports that a cable went or came: the states of the ports at its ends show it. */
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
                        isDisplaced(port);
                    }
                })
                .brief());
    }

    /** The next sweep writes its LID: a local one if there is a switch to read. */
    private void isDisplaced(int port) {
        int sw = fabric.switchOf(port);
        if (sw == Fabric.NONE) {
            mustSweepAll(fabric.devicePort(port));
        } else if (changed.add(fabric.nodeGuid(sw))) {
            described.add(fabric.devicePort(port));
        }
    }

    /** Without the switch that the SM hangs on the fabric cannot be read: while others answer through it that is not tried. */
    private void isSilent(int sw) {
        described.add(fabric.device(sw));
        isOwnSilent |= sw == fabric.localSwitch();
        mustSweepAll |= sw != fabric.localSwitch();
    }

    /** A host sees no other SMP of this SM for days; without one its protection ends with the lease. */
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

    /** Asks for just what was not told: a sign of life would say nothing of that. */
    private <A extends Attribute<A>> void askSilent(AttributeType<A> type, Unanswered what) {
        scope.get(type, what.path(), what.modifier(), outcome -> {
            if (outcome instanceof Outcome.Reply<A> reply
                    && Plausibility.tells(reply.value(), what.modifier())
                    && what.isNews(reply.value())) {
                heard.add(what);
                mustSweepAll(DeviceText.of("a response from the silent end of route ", what.path()));
            }
        });
    }

    private void mustSweepAll(DeviceText because) {
        described.add(because);
        mustSweepAll = true;
    }
}
