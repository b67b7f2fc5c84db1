package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One device that violates the protocol never prevents the subnet of all others. */
class BadDeviceTest {
    private static final String TORUS = "torus:3x3x1";
    private static final int MAX_SWEEPS = 3;

    /** Limit of the sweeps until the SM is idle: links that are taken down, and their traps, cause some. */
    private static final int MAX_SWEEPS_UNTIL_IDLE = 12;

    /** NodeDescription, NodeInfo, SwitchInfo, GUIDInfo, PortInfo, P_Key, SL2VL, VL arbitration, LFT, MFT. */
    private static final int[] ATTRIBUTES = {0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1b};

    private static final int NO_ANSWER = -1;

    /** A Set is answered correctly with the previous contents, and changes nothing. */
    private static final int IGNORED_SET = -2;

    /** The time at which the device begins to be bad. */
    private enum Stage {
        /** Before the first SM starts. */
        COLD {
            @Override
            void begin(SweepHarness harness, Runnable turnBad) {
                turnBad.run();
                harness.sweeper.sweepHeavy();
            }
        },
        /** On a running fabric, before a cable is lost elsewhere. */
        CHANGE {
            @Override
            void begin(SweepHarness harness, Runnable turnBad) {
                harness.sweep();
                harness.awaitRest();
                turnBad.run();
                harness.fabric.unlink(guid(harness, "sw-0-2-0"), 1);
            }
        },
        /** On a running fabric, before the takeover by another SM. */
        TAKEOVER {
            @Override
            void begin(SweepHarness harness, Runnable turnBad) {
                harness.sweep();
                harness.awaitRest();
                turnBad.run();
                harness.restart();
                harness.view = null;
                harness.sweeper.sweepHeavy();
            }
        };

        abstract void begin(SweepHarness harness, Runnable turnBad);
    }

    private record Fault(int attribute, int method, int status) {
        AgentProfile profile() {
            return switch (status) {
                case NO_ANSWER -> AgentProfile.CONFORMING.dropping(attribute, method, 1);
                case IGNORED_SET -> AgentProfile.CONFORMING.ignoringSets(attribute);
                default -> AgentProfile.CONFORMING.refusing(attribute, method, status, 1);
            };
        }

        @Override
        public String toString() {
            return String.format("%s(0x%02x) status %d", method == Method.GET ? "Get" : "Set", attribute, status);
        }
    }

    private static List<Fault> faults() {
        List<Fault> faults = new ArrayList<>();
        for (int attribute : ATTRIBUTES) {
            for (int method : new int[] {Method.GET, Method.SET}) {
                for (int status : new int[] {
                    MadStatus.INVALID_FIELD, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE, MadStatus.BUSY, NO_ANSWER
                }) {
                    faults.add(new Fault(attribute, method, status));
                }
            }
            faults.add(new Fault(attribute, Method.SET, IGNORED_SET));
        }
        return faults;
    }

    static long guid(SweepHarness harness, String description) {
        return harness.node(description).nodeGuid();
    }

    @ParameterizedTest
    @CsvSource({
        "COLD, sw-1-1-0",
        "COLD, host-1-1-0-0",
        "CHANGE, sw-1-1-0",
        "CHANGE, host-1-1-0-0",
        "TAKEOVER, sw-1-1-0",
        "TAKEOVER, host-1-1-0-0"
    })
    void allOthersAreServedAfterThreeSweeps(Stage stage, String bad) {
        List<String> down = new ArrayList<>();
        for (Fault fault : faults()) {
            SweepHarness harness = new SweepHarness(TORUS);
            stage.begin(harness, () -> harness.fabric.setAgent(guid(harness, bad), fault.profile()));
            String problem = problemOfOthers(harness, () -> {});
            if (!problem.isEmpty()) {
                down.add(fault + ": " + problem);
            }
        }
        assertThat(down).isEmpty();
    }

    /** The same with a link that bounces in every sweep. */
    @ParameterizedTest
    @CsvSource({"COLD, sw-1-1-0", "TAKEOVER, sw-1-1-0"})
    void aBadDeviceTakesNoLinkDownWhileAnotherLinkBounces(Stage stage, String bad) {
        List<String> down = new ArrayList<>();
        for (Fault fault : faults()) {
            SweepHarness harness = new SweepHarness(TORUS);
            Runnable bounce = () -> {
                harness.fabric.unlink(guid(harness, "sw-2-0-0"), 1);
                harness.fabric.relink(guid(harness, "sw-2-0-0"), 1);
            };
            stage.begin(harness, () -> harness.fabric.setAgent(guid(harness, bad), fault.profile()));
            harness.loop.schedule(TimeUnit.MILLISECONDS.toNanos(3), bounce);
            String problem = problemOfOthers(harness, bounce);
            if (!problem.isEmpty()) {
                down.add(fault + ": " + problem);
            }
        }
        assertThat(down).isEmpty();
    }

    /** For example, a torus whose ring is broken twice at one switch can be routed without that switch. */
    @Test
    void aSwitchWithUnraisedLinksIsExcludedIfNoEngineRoutesWithoutThem() {
        SweepHarness harness = new SweepHarness(TORUS);
        long bad = guid(harness, "sw-1-1-0");
        MinHopEngine minHop = new MinHopEngine();
        harness.engine = new Engine() {
            @Override
            public String name() {
                return "picky";
            }

            @Override
            public RoutingResult route(EngineContext context) {
                Fabric fabric = context.subnet().fabric();
                int sw = fabric.nodeByGuid(bad);
                boolean isLame = sw != Fabric.NONE && fabric.peer(fabric.port(sw, 1)) == Fabric.NONE;
                return isLame
                        ? new Refusal("picky", List.of(Finding.error("a ring is broken")))
                        : minHop.route(context);
            }
        };
        harness.isRequestLost = mad -> MadHeader.method(mad) == Method.SET
                && MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                && (MadHeader.attributeModifier(mad) & 0xff) == 1
                && endOf(harness, mad) == bad;
        harness.sweep();
        harness.awaitRest();
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(harness.publishedView().subnet().fabric().nodeByGuid(bad)).isEqualTo(Fabric.NONE);
        assertThat(unserved(harness)).isEmpty();
        harness.isRequestLost = mad -> false;
        harness.sweepLight();
        harness.awaitRest();
        assertThat(harness.publishedView().subnet().fabric().switchCount()).isEqualTo(9);
    }

    /** Returns the NodeGUID of the device to which a request goes. */
    static long endOf(SweepHarness harness, byte[] mad) {
        DrPath path = Objects.requireNonNull(Smp.path(mad));
        Topology.Node at = harness.node(SweepHarness.HOST);
        for (int hop = 0; hop < path.hops(); hop++) {
            Topology.PortRef far = at.peer(path.port(hop));
            if (far == null) {
                return 0;
            }
            at = far.node();
        }
        return at.nodeGuid();
    }

    /**
     * Returns the problem of other devices: the first sweep may leave some unserved, the last may not, and
     * then the SM must be idle.
     */
    private static String problemOfOthers(SweepHarness harness, Runnable eachSweep) {
        int before = harness.ends.size();
        String problem = "";
        for (int sweep = 1; sweep <= MAX_SWEEPS; sweep++) {
            if (harness.ends.size() == before + sweep - 1 && sweep > 1 && harness.sweeper.isResting()) {
                break;
            }
            harness.await(before + sweep);
            problem = unserved(harness);
            if (problem.isEmpty()) {
                break;
            }
            eachSweep.run();
        }
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        int calm = harness.ends.size();
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(10));
        boolean isRestless = calm - before > MAX_SWEEPS_UNTIL_IDLE || harness.ends.size() > calm;
        return isRestless ? problem + " " + calm + " to " + harness.ends.size() + " sweeps" : problem;
    }

    /**
     * Returns the pairs of hosts without a working path, except for hosts of the bad device's switch; empty
     * if there are none.
     */
    private static String unserved(SweepHarness harness) {
        if (harness.sweeper.view() == null) {
            return "nothing is published";
        }
        Subnet subnet = harness.publishedView().subnet();
        List<Topology.Node> hosts = harness.topology.nodes().stream()
                .filter(node -> !node.isSwitch() && !node.description().equals("host-1-1-0-0"))
                .toList();
        for (Topology.Node from : hosts) {
            for (Topology.Node to : hosts) {
                String problem = from.equals(to) ? "" : pathProblem(harness, subnet, from, to);
                if (!problem.isEmpty()) {
                    return problem;
                }
            }
        }
        return "";
    }

    private static String pathProblem(SweepHarness harness, Subnet subnet, Topology.Node from, Topology.Node to) {
        Fabric fabric = subnet.fabric();
        int node = fabric.nodeByGuid(to.nodeGuid());
        if (node == Fabric.NONE || !fabric.isEndport(fabric.port(node, 1))) {
            return to.description() + " is not in the subnet";
        }
        int lid = subnet.lid(fabric.port(node, 1));
        Topology.Node at = from;
        int out = 1;
        for (int hop = 0; hop < 10; hop++) {
            Topology.PortRef far = at.peer(out);
            if (far == null || !isActive(harness, at, out) || !isActive(harness, far.node(), far.portNum())) {
                return from.description() + " to " + to.description() + ": no way out of port " + out + " of "
                        + at.description();
            }
            at = far.node();
            if (at.equals(to)) {
                return "";
            }
            byte[] lft = harness.fabric.lft(at.nodeGuid());
            out = lid < lft.length ? lft[lid] & 0xff : 0xff;
            if (!at.isSwitch() || out == 0 || out > at.numPorts()) {
                return from.description() + " to " + to.description() + ": no entry at " + at.description();
            }
        }
        return from.description() + " to " + to.description() + ": no end";
    }

    private static boolean isActive(SweepHarness harness, Topology.Node node, int portNum) {
        return harness.fabric.portInfo(node.nodeGuid(), portNum).portState() == PortInfo.STATE_ACTIVE;
    }
}
