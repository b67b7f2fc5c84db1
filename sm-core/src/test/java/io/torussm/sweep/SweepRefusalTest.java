package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.routing.Finding;
import io.torussm.routing.PortRole;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingEngine;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingPlan;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.FaultPlan;
import io.torussm.sim.SimTransport;
import io.torussm.sim.Topology;
import io.torussm.sim.TorusSpec;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.view.PublishedView;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sweeps that must not write, and sweeps that break off. */
class SweepRefusalTest {
    private static final String OTHER_HOST = "host-1-1-0-0";
    private final MinHopEngine minHop = new MinHopEngine();

    private static RoutingEngine engine(BiFunction<Subnet, RoutingOptions, RoutingResult> router) {
        return new RoutingEngine() {
            @Override
            public String name() {
                return "double";
            }

            @Override
            public RoutingResult route(Subnet subnet, RoutingOptions options) {
                return router.apply(subnet, options);
            }
        };
    }

    @Test
    void aRefusalChangesNotOneByteOfARunningFabric() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        List<Object> before = harness.snapshot();
        PublishedView published = harness.up();
        harness.engine = engine((subnet, options) -> new Refusal("double", List.of(Finding.error("a ring is broken"))));
        assertThat(harness.sweep()).startsWith("refused").contains("a ring is broken");
        assertUntouched(harness, before);
        assertThat(harness.sweeper.view()).isSameAs(published);
    }

    /** 4x4: min-hop closes credit loops there. */
    @Test
    void aPlanWithACreditLoopIsRefusedIfItsEnginePromisesThatThereIsNone() {
        SweepHarness harness = new SweepHarness("torus:4x4x1");
        List<Object> before = harness.snapshot();
        harness.engine = engine((subnet, options) -> new Boastful((RoutingPlan) minHop.route(subnet, options)));
        assertThat(harness.sweep()).startsWith("refused").contains("credit loop");
        assertUntouched(harness, before);
        assertThat(harness.view).isNull();
        harness.engine = minHop;
        assertThat(harness.sweep()).isEqualTo("up");
    }

    private static void assertUntouched(SweepHarness harness, List<Object> before) {
        assertThat(harness.allSets()).isZero();
        assertThat(harness.snapshot()).isEqualTo(before);
    }

    @Test
    void keepsOffWhileAnotherMasterRulesAndTakesOverWhenItIsGone() throws TransportException {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        SimTransport rival = smAt(harness, SmInfo.MASTER, 0);
        List<Object> before = harness.snapshot();
        assertThat(harness.sweep()).isEqualTo("other master: 0");
        assertUntouched(harness, before);
        rival.close();
        harness.sweepLight();
        assertThat(harness.ends).last().isEqualTo("up");
    }

    @Test
    void keepsOffForAStandbyOfHigherPriority() throws TransportException {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        smAt(harness, SmInfo.STANDBY, 4);
        List<Object> before = harness.snapshot();
        assertThat(harness.sweep()).isEqualTo("other master: 4");
        assertUntouched(harness, before);
    }

    @Test
    void takesNoNoticeOfALowerStandbyNorOfOneThatIsNotActive() throws TransportException {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        SimTransport standby = smAt(harness, SmInfo.STANDBY, 2);
        assertThat(harness.sweep()).isEqualTo("up");
        standby.close();
        smAt(harness, SmInfo.NOT_ACTIVE, 15);
        assertThat(harness.sweep()).isEqualTo("up");
    }

    /** Found the hard way: a master that stepped back must look again even if no switch tells of a change. */
    @Test
    void aMasterThatSteppedBackTakesOverAgain() throws TransportException {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        SimTransport rival = smAt(harness, SmInfo.MASTER, 9);
        assertThat(harness.sweep()).isEqualTo("other master: 9");
        rival.close();
        harness.sweepLight();
        assertThat(harness.ends).last().isEqualTo("up");
    }

    /** An SM on another host that tells its state and priority. */
    private static SimTransport smAt(SweepHarness harness, int state, int priority) throws TransportException {
        SimTransport transport = harness.fabric.attach(OTHER_HOST, 1);
        SmAgent agent = new SmAgent(
                frame -> transport.send(frame, 0), transport.localPort().portGuid(), priority, () -> 0, lid -> {});
        agent.become(state);
        transport.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {
                agent.receive(frame);
            }

            @Override
            public void transportFailed(String why) {
                throw new AssertionError(why);
            }
        });
        transport.setIsSm(true);
        return transport;
    }

    @Test
    void aDefectWhileTablesAreWrittenCostsOneSweep() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        VlArbitrationPolicy good = harness.vlArbitration;
        harness.vlArbitration = (portClass, lowCap, highCap, vls) -> {
            throw new IllegalStateException("defect of the policy");
        };
        assertThat(harness.sweep()).startsWith("failed").contains("defect of the policy");
        assertThat(harness.view).isNull();
        harness.vlArbitration = good;
        harness.sweepLight();
        assertThat(harness.ends).last().isEqualTo("up");
    }

    @Test
    void aSweepThatFailedIsRepeatedThoughASubnetIsPublishedAndNothingChanged() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        harness.engine = engine((subnet, options) -> {
            throw new IllegalStateException("defect of the engine");
        });
        assertThat(harness.sweep()).startsWith("failed");
        harness.engine = minHop;
        harness.sweepLight();
        assertThat(harness.ends).hasSize(3).last().isEqualTo("up");
    }

    @Test
    void aKeyThatAnAnswerMakesUpIsNotWrittenBack() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.tamper = mad -> {
            if (MadHeader.attributeId(mad) == PortInfo.TYPE.id()) {
                PortInfo.M_KEY.set(mad, Smp.DATA, 0x55);
            }
        };
        harness.sweep();
        Fabric fabric = harness.up().subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                assertThat(SweepHarness.held(harness, fabric, port).get(PortInfo.M_KEY))
                        .isZero();
            }
        }
    }

    /** Not merely asked for: every port has arrived at ARMED when the first is asked to become ACTIVE. */
    @Test
    void noPortIsActivatedBeforeAllAreArmed() {
        SweepHarness harness =
                new SweepHarness(TorusSpec.parse("torus:3x3x1").topology(), new FaultPlan(1, 0, 0, 1000, 20_000_000));
        boolean[] isSeen = {false};
        harness.swallow = mad -> {
            if (SweepHarness.wantedState(mad) == PortInfo.STATE_ACTIVE && !isSeen[0]) {
                isSeen[0] = true;
                assertAllArmed(harness);
            }
            return false;
        };
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(isSeen[0]).isTrue();
    }

    private static void assertAllArmed(SweepHarness harness) {
        for (Topology.Node node : harness.topology.nodes()) {
            for (int portNum = 1; portNum <= node.numPorts(); portNum++) {
                if (node.peer(portNum) != null) {
                    assertThat(harness.fabric.portInfo(node.nodeGuid(), portNum).portState())
                            .isEqualTo(PortInfo.STATE_ARMED);
                }
            }
        }
    }

    @Test
    void anEngineThatRunsOutOfStackCostsOneSweep() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.engine = engine((subnet, options) -> {
            throw new StackOverflowError("deep");
        });
        assertThat(harness.sweep()).startsWith("failed").contains("deep");
        harness.engine = minHop;
        assertThat(harness.sweep()).isEqualTo("up");
    }

    /** The step to ARMED was taken, but its answer was lost: the second Set is refused, the port is fine. */
    @Test
    void aPortWhoseAnswerWasLostIsNotInTrouble() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        Set<Long> raised = new HashSet<>();
        harness.swallow = mad -> {
            if (SweepHarness.wantedState(mad) >= PortInfo.STATE_ARMED) {
                raised.add(MadHeader.tid(mad));
            }
            return false;
        };
        harness.tamper = mad -> {
            if (raised.contains(MadHeader.tid(mad))) {
                MadHeader.STATUS.set(mad, 0, MadStatus.INVALID_FIELD);
            }
        };
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.lastReport().trouble()).isEmpty();
        harness.sweepLight();
        assertThat(harness.ends).containsExactly("up");
    }

    /** Devices that answer rubbish may spoil a sweep, but neither break the program nor keep it from ending. */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void rubbishInAnswersIsNeverADefect(long seed) {
        SweepHarness harness = new SweepHarness("torus:3x2x1");
        Random random = new Random(seed);
        harness.tamper = mad -> {
            for (int i = random.nextInt(25) == 0 ? 1 + random.nextInt(8) : 0; i > 0; i--) {
                mad[Smp.DATA + random.nextInt(Smp.DATA_SIZE)] = (byte) random.nextInt(256);
            }
        };
        for (int i = 0; i < 4; i++) {
            assertThat(harness.sweep()).doesNotContain("internal error");
        }
        harness.tamper = mad -> {};
        for (int i = 0; i < 3; i++) {
            harness.sweep();
        }
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(harness.up().subnet().fabric().nodeCount()).isEqualTo(12);
    }

    /** A plan that promises more than it holds. */
    private record Boastful(RoutingPlan plan) implements RoutingPlan {
        @Override
        public String engine() {
            return "boastful";
        }

        @Override
        public Subnet subnet() {
            return plan.subnet();
        }

        @Override
        public byte[] lft(int sw) {
            return plan.lft(sw);
        }

        @Override
        public long sl2vl(int sw, int in, int out) {
            return plan.sl2vl(sw, in, out);
        }

        @Override
        public long sl2vl(int endport) {
            return plan.sl2vl(endport);
        }

        @Override
        public int pathSl(int srcLid, int dstLid, int wanted) {
            return plan.pathSl(srcLid, dstLid, wanted);
        }

        @Override
        public int slMask(int srcSw, int dstSw) {
            return plan.slMask(srcSw, dstSw);
        }

        @Override
        public PortRole role(int sw, int portNum) {
            return plan.role(sw, portNum);
        }

        @Override
        public boolean deadlockFree() {
            return true;
        }

        @Override
        public List<Finding> findings() {
            return List.of();
        }
    }
}
