package io.torussm.sweep;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.OnCreditLoop;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.routing.Engine;
import io.torussm.routing.Plan;
import io.torussm.routing.dfsssp.DfssspEngine;
import io.torussm.routing.dnup.DownUpEngine;
import io.torussm.routing.lash.LashEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.routing.nue.NueEngine;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.sim.SimInterventions;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FalseValue;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One device whose responses have one false byte, while a cable elsewhere is lost: the effect on all others,
 * and on the device after the fault.
 */
final class LieTrial {
    private static final String TORUS = "torus:4x3x1";
    static final Topology TOPOLOGY = TorusSpec.parse(TORUS).topology();
    static final String SWITCH = "sw-2-1-0";
    static final String HOST = "host-2-1-0-0";
    private static final int LIGHT_SWEEPS = 2;

    /** The time of the first false response. */
    enum Moment {
        COLD_START,
        RUNNING,
        WHOLE_SWEEP,
        TAKEOVER
    }

    /** The byte of another device of its kind, in place of a value. */
    static final int VALUE_OF_ANOTHER_DEVICE = -1;

    /** Bytes of an attribute that are defined, by attribute ID. */
    static final Map<Integer, Integer> BYTES = new TreeMap<>(Map.of(
            NodeInfo.TYPE.id(), 40,
            SwitchInfo.TYPE.id(), 20,
            PortInfo.TYPE.id(), 64,
            GuidInfo.TYPE.id(), 64,
            PKeyTable.TYPE.id(), 64,
            LinearForwardingTable.TYPE.id(), 64,
            SlToVlMappingTable.TYPE.id(), 8));

    static final Map<String, Supplier<Engine>> ENGINES = new TreeMap<>(Map.of(
            "torus-2QoS",
            () -> new Torus2QosEngine(
                    Torus2QosConf.parse(
                            "torus-2QoS.conf", TorusSpec.parse(TORUS).torus2QosConf()),
                    1),
            "updn",
            UpDownEngine::new,
            "dnup",
            DownUpEngine::new,
            "dfsssp",
            DfssspEngine::new,
            "lash",
            LashEngine::new,
            "nue",
            NueEngine::new,
            "minhop",
            MinHopEngine::new));

    /** The parameters of a trial. */
    record Case(String engine, Moment moment, String faultyDevice, int attributeId, int index, int value) {}

    private final Case parameters;
    private final SweepHarness harness;
    private final long faultyGuid;
    private final boolean isSwitch;
    private final List<String> violations = new ArrayList<>();
    private Map<String, Integer> before = Map.of();

    /** Null if there was no subnet for hosts to join in before it lies, or the SM that they joined at is gone. */
    private @Nullable GroupTrial group;

    private LieTrial(Case tried, Path stateDir) {
        this.parameters = tried;
        this.harness = new SweepHarness(TOPOLOGY, FaultPlan.NONE, SweepHarness.settings(), stateDir);
        harness.keepsRequests = false;
        harness.policy = new ChainPolicy(true, OnCreditLoop.WARN);
        harness.engine = Objects.requireNonNull(ENGINES.get(tried.engine())).get();
        Topology.Node node = harness.node(tried.faultyDevice());
        faultyGuid = node.nodeGuid();
        isSwitch = node.isSwitch();
    }

    /** Runs a trial, and returns each promise that was broken; none if all is well. */
    static List<String> run(Case tried, Path stateDir) {
        LieTrial trial = new LieTrial(tried, stateDir);
        trial.run();
        return trial.violations;
    }

    private void run() {
        if (parameters.moment() != Moment.COLD_START) {
            sweep();
            before = lids();
            group = parameters.moment() == Moment.TAKEOVER ? null : new GroupTrial(harness, TOPOLOGY);
        }
        harness.fabric.setAgent(
                faultyGuid,
                AgentProfile.CONFORMING.withFalseValue(
                        FalseValue.ofByte(parameters.attributeId(), parameters.index(), value())));
        if (parameters.moment() == Moment.TAKEOVER) {
            harness.restart();
        }
        if (parameters.moment() != Moment.RUNNING) {
            sweep();
        }
        harness.fabric.unlink(harness.node("sw-0-1-0").nodeGuid(), 1);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        runUntilUp();
        verifyService("while it lies", false);
        Map<String, Integer> during = lids();
        harness.fabric.setAgent(faultyGuid, AgentProfile.CONFORMING);
        for (int i = 0; i < LIGHT_SWEEPS; i++) {
            harness.sweepLight();
            runUntilUp();
        }
        verifyService("after it", true);
        if (parameters.attributeId() == NodeInfo.TYPE.id()) {
            during.remove(
                    parameters.faultyDevice()); // under a false GUID it is another port, which has a LID of its own
        }
        during.forEach((name, lid) -> check(
                lid.equals(lids().get(name)), "after it: LID of " + name + " was " + lid + ", is " + lids().get(name)));
    }

    private int value() {
        return parameters.value() == VALUE_OF_ANOTHER_DEVICE ? 0x30 + parameters.index() : parameters.value();
    }

    private void sweep() {
        harness.sweep();
        runUntilUp();
    }

    private void runUntilUp() {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        harness.awaitRest();
    }

    private void check(boolean isSo, String otherwise) {
        if (!isSo) {
            violations.add(otherwise);
        }
    }

    /** Returns published LIDs by port name. */
    private Map<String, Integer> lids() {
        Map<String, Integer> lids = new TreeMap<>();
        if (harness.view != null) {
            Subnet subnet = harness.publishedView().subnet();
            for (Topology.Node node : TOPOLOGY.nodes()) {
                int index = subnet.fabric().nodeByGuid(node.nodeGuid());
                int lid = index == Fabric.NONE ? 0 : subnet.lid(subnet.fabric().port(index, node.isSwitch() ? 0 : 1));
                if (lid != 0) {
                    lids.put(node.description(), lid);
                }
            }
        }
        return lids;
    }

    /**
     * Checks whether a node is the faulty device, or is reached through it; dnup has no routes to a switch
     * without hosts.
     */
    private boolean isConcerned(Topology.Node node) {
        return node.nodeGuid() == faultyGuid
                || isSwitch && node.description().equals(HOST)
                || parameters.engine().equals("dnup") && node.description().equals(SWITCH);
    }

    private void verifyService(String when, boolean isAll) {
        if (harness.view == null) {
            violations.add(when + ": no subnet");
            return;
        }
        Map<String, Integer> lids = lids();
        List<Topology.Node> served = TOPOLOGY.nodes().stream()
                .filter(node -> isAll || !isConcerned(node))
                .toList();
        for (Topology.Node node : served) {
            Integer lid = lids.get(node.description());
            check(lid != null, when + ": " + node.description() + " is not in the subnet");
            Integer was = before.get(node.description());
            check(was == null || was.equals(lid), when + ": LID of " + node.description() + " " + was + " -> " + lid);
            int held = harness.fabric
                    .portInfo(node.nodeGuid(), node.isSwitch() ? 0 : 1)
                    .lid();
            check(lid == null || lid == held, when + ": " + node.description() + " holds LID " + held);
        }
        for (Topology.Node from : served) {
            for (Topology.Node to : served) {
                if (!from.isSwitch() && lids.containsKey(to.description())) {
                    followPath(when, from, to, lids.get(to.description()));
                }
            }
        }
        Plan plan = harness.publishedView().plan();
        if (plan.claimsDeadlockFree()) {
            RoutingChain chain =
                    new RoutingChain(List.of(harness.engine), new DeadlockChecker(1), SweepHarness.LOOPS_ACCEPTED);
            check(
                    chain.prove(plan, harness.settings.routingOptions()).verdict() instanceof Certificate,
                    when + ": the plan is not proved");
        }
        if (isAll) {
            verifyTables(when, plan);
            verifyCables(when, plan.subnet().fabric());
        }
        if (isAll && group != null) {
            group.verify(when, violations);
        }
    }

    /** Follows the tables that switches really hold. */
    private void followPath(String when, Topology.Node from, Topology.Node to, int lid) {
        long at = from.nodeGuid();
        int out = 1;
        for (int hops = 0; hops < 16 && out != LinearForwardingTable.NO_PATH; hops++) {
            var end = harness.fabric.interventions().peer(at, out);
            if (end == null) {
                break;
            }
            at = end.nodeGuid();
            if (at == to.nodeGuid()) {
                return;
            }
            if (TOPOLOGY.nodes().stream().noneMatch(node -> node.isSwitch() && node.nodeGuid() == end.nodeGuid())) {
                break;
            }
            byte[] lft = harness.fabric.lft(at);
            out = lid < lft.length ? lft[lid] & 0xff : 255;
        }
        violations.add(when + ": no way from " + from.description() + " to " + to.description());
    }

    private void verifyCables(String when, Fabric fabric) {
        for (Topology.Node node : TOPOLOGY.nodes()) {
            int known = fabric.nodeByGuid(node.nodeGuid());
            for (int portNum = 1; known != Fabric.NONE && portNum <= node.numPorts(); portNum++) {
                SimInterventions.CableEnd end = harness.fabric.interventions().peer(node.nodeGuid(), portNum);
                boolean isCabled = end != null;
                boolean isSeen = fabric.peer(fabric.port(known, portNum)) != Fabric.NONE;
                String cable = when + ": cable of " + node.description() + " port " + portNum;
                check(isCabled == isSeen, cable);
                if (end != null) {
                    PortInfo near = harness.fabric.portInfo(node.nodeGuid(), portNum);
                    PortInfo far = harness.fabric.portInfo(end.nodeGuid(), end.portNum());
                    check(near.neighborMtu() == far.neighborMtu(), cable + ": NeighborMTU of its ends");
                    check(near.operationalVls() == far.operationalVls(), cable + ": OperationalVLs of its ends");
                }
            }
        }
    }

    private void verifyTables(String when, Plan plan) {
        Fabric fabric = plan.subnet().fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            long guid = fabric.nodeGuid(sw);
            if (TOPOLOGY.nodes().stream().noneMatch(node -> node.nodeGuid() == guid)) {
                violations.add(when + ": " + fabric.name(sw) + " has a false NodeGUID");
                continue;
            }
            byte[] wanted = plan.lft(sw);
            check(
                    Arrays.equals(Arrays.copyOf(harness.fabric.lft(guid), wanted.length), wanted),
                    when + ": LFT of " + fabric.name(sw));
            for (int out = 1; out <= fabric.numPorts(sw); out++) {
                int port = fabric.port(sw, out);
                if (fabric.peer(port) == Fabric.NONE) {
                    continue;
                }
                PortInfo held = harness.fabric.portInfo(guid, out);
                check(
                        held.portState() == PortInfo.STATE_ACTIVE,
                        when + ": " + fabric.portName(port) + " is not ACTIVE");
                for (int in = 0; in <= fabric.numPorts(sw); in++) {
                    long row = LinkSettings.foldRow(plan.sl2vl(sw, in, out), held.operationalVls());
                    check(harness.fabric.sl2vl(guid, in, out) == row, when + ": SL2VL of " + fabric.portName(port));
                }
            }
        }
    }
}
