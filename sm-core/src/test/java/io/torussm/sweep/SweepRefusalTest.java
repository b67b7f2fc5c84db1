package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mastership.DiscoveredSm;
import io.torussm.mastership.MasterAuthority;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SilentSm;
import io.torussm.mastership.SmHost;
import io.torussm.mastership.SmState;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.Plans;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Seeds;
import io.torussm.view.PublishedView;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sweeps that must not write, and sweeps that fail. */
class SweepRefusalTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final MinHopEngine minHop = new MinHopEngine();

    private static Engine engine(BiFunction<Subnet, RoutingOptions, RoutingResult> router) {
        return new Engine() {
            @Override
            public String name() {
                return "double";
            }

            @Override
            public RoutingResult route(EngineContext context) {
                return router.apply(context.subnet(), context.options());
            }
        };
    }

    @Test
    void aRefusalChangesNotOneByteOfARunningFabric() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        List<Object> before = Devices.snapshot(harness);
        PublishedView published = harness.publishedView();
        harness.engine = engine((subnet, options) -> new Refusal("double", List.of(Finding.error("a ring is broken"))));
        assertThat(harness.sweep()).startsWith("refused").contains("a ring is broken");
        assertUntouched(harness, before);
        assertThat(harness.publishedView().plan().asRouted()).isSameAs(published.plan());
    }

    @Test
    void aRefusalOfTheFirstSweepPublishesNothing() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        List<Object> before = Devices.snapshot(harness);
        harness.engine = engine((subnet, options) -> new Refusal("double", List.of(Finding.error("a ring is broken"))));
        assertThat(harness.sweep()).startsWith("refused").contains("a ring is broken");
        assertUntouched(harness, before);
        assertThat(harness.view).isNull();
        assertThat(harness.sweeper.view()).isNull();
    }

    /** On 4x4, min-hop has credit loops. */
    @Test
    void aPlanWithACreditLoopIsRefusedIfItsEngineClaimsFreedomFromThem() {
        SweepHarness harness = new SweepHarness("torus:4x4x1");
        List<Object> before = Devices.snapshot(harness);
        harness.engine = engine((subnet, options) -> withFalsePromise((Plan) minHop.route(subnet, options)));
        assertThat(harness.sweep()).startsWith("refused").contains("credit loop");
        assertUntouched(harness, before);
        assertThat(harness.view).isNull();
        harness.engine = minHop;
        assertThat(harness.sweep()).isEqualTo("up");
    }

    private static void assertUntouched(SweepHarness harness, List<Object> before) {
        assertThat(harness.countAllSets()).isZero();
        assertThat(Devices.snapshot(harness)).isEqualTo(before);
    }

    /**
     * The authority decides about other SMs; without authority a sweep writes nothing, and the next one is
     * whole.
     */
    private static final class ScriptedAuthority implements MasterAuthority {
        boolean isStandby;
        boolean isGranted;
        int asked;
        Runnable whenAsked = () -> {};

        @Override
        public boolean maySweep() {
            return !isStandby;
        }

        @Override
        public boolean isMaster() {
            return isGranted;
        }

        @Override
        public Decision decision(List<DiscoveredSm> others, List<SilentSm> silent, boolean isWhole) {
            asked++;
            whenAsked.run();
            return new Decision(isGranted, new RemoteSm(1, 9, SmState.MASTER, null, SmHost.UNKNOWN, true));
        }

        @Override
        public void onPortDown(String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void onSmChange(DrPath path) {
            throw new AssertionError(path);
        }
    }

    @Test
    void writesNothingWithoutAMandateAndLooksAgainAtTheNextOccasion() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        ScriptedAuthority orders = new ScriptedAuthority();
        harness.sweeper.setAuthority(orders);
        List<Object> before = Devices.snapshot(harness);
        assertThat(harness.sweep()).isEqualTo("other master: 9");
        assertUntouched(harness, before);
        orders.isGranted = true;
        harness.sweepLight();
        assertThat(harness.ends).last().isEqualTo("up");
    }

    /** Another master may send members until this SM is master, which programs them then. */
    @Test
    void partitionsAreThoseOfTheMomentOfMastership() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        ScriptedAuthority orders = new ScriptedAuthority();
        orders.isGranted = true;
        PartitionConf conf = PartitionConf.parse("p.conf", "Default=0x7fff:ALL=full;\n5:ALL=full;\n", true)
                .conf();
        orders.whenAsked = () -> harness.partitions =
                new PartitionSettings(Objects.requireNonNull(conf), PartitionSettings.Enforcement.BOTH, true, false);
        harness.sweeper.setAuthority(orders);
        assertThat(harness.sweep()).isEqualTo("up");
        int host = harness.publishedView().subnet().fabric().localPort();
        assertThat(Objects.requireNonNull(harness.publishedView().partitions().table(host))
                        .indexOf(0x8005))
                .isNotNegative();
    }

    @Test
    void doesNotEvenReadWhileItIsStandby() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        ScriptedAuthority orders = new ScriptedAuthority();
        orders.isStandby = true;
        harness.sweeper.setAuthority(orders);
        harness.sweeper.sweepHeavy();
        harness.sweeper.sweepAsNewMaster();
        harness.sweepLight();
        assertThat(harness.requests).isEmpty();
    }

    @Test
    void aRestEndsWhatRunsUnpublishesTheSubnetAndBelievesNothingAfterwards() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        harness.sweep();
        assertThat(harness.requests).as("a master that stays one").noneMatch(SweepRefusalTest::asksToReregister);
        harness.sweeper.sweepHeavy();
        harness.sweeper.withdraw();
        harness.requests.clear();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        assertThat(harness.ends).as("the third sweep never ended").hasSize(2);
        assertThat(harness.countAllSets()).isZero();
        assertThat(harness.sweeper.view()).isNull();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countSets(LinearForwardingTable.TYPE.id()))
                .as("read and left")
                .isZero();
        assertThat(harness.requests)
                .as("read again")
                .anyMatch(mad -> MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id());
        assertThat(harness.requests)
                .filteredOn(SweepRefusalTest::asksToReregister)
                .hasSizeGreaterThanOrEqualTo(9);
    }

    private static boolean asksToReregister(byte[] mad) {
        return MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                && MadHeader.method(mad) == Method.SET
                && PortInfo.CLIENT_REREGISTER.get(mad, Smp.DATA_OFFSET) == 1;
    }

    @Test
    void anotherSweepRestartsAnInterruptedReadingSweep() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        ScriptedAuthority orders = new ScriptedAuthority();
        orders.isGranted = true;
        harness.sweeper.setAuthority(orders);
        harness.sweeper.sweepHeavy();
        harness.sweeper.sweepAsNewMaster();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        assertThat(orders.asked).isEqualTo(1);
        assertThat(harness.ends).containsExactly("up");
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
    void aFailedSweepIsRepeatedWithoutAChange() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        harness.engine = engine((subnet, options) -> {
            throw new IllegalStateException("defect of the engine");
        });
        assertThat(harness.sweep()).startsWith("failed").contains("defect of the engine");
        assertThat(log.of(SmEvent.SWEEP_ABANDONED)).hasSize(1);
        harness.engine = minHop;
        harness.sweepLight();
        assertThat(harness.ends).hasSize(3).last().isEqualTo("up");
    }

    @Test
    void aKeyThatAnAnswerMakesUpIsNotWrittenBack() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == PortInfo.TYPE.id()) {
                PortInfo.M_KEY.set(mad, Smp.DATA_OFFSET, 0x55);
            }
        };
        harness.sweep();
        Fabric fabric = harness.publishedView().subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                assertThat(Devices.portInfo(harness, fabric, port).get(PortInfo.M_KEY))
                        .isZero();
            }
        }
    }

    /** A request of ARMED is not sufficient: every port is ARMED when the first port is requested to become ACTIVE. */
    @Test
    void noPortIsActivatedBeforeAllAreArmed() {
        SweepHarness harness =
                new SweepHarness(TorusSpec.parse("torus:3x3x1").topology(), new FaultPlan(1, 0, 0, 1000, 20_000_000));
        boolean[] isSeen = {false};
        harness.isRequestLost = mad -> {
            if (Devices.wantedState(mad) == PortInfo.STATE_ACTIVE && !isSeen[0]) {
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

    /**
     * The step to ARMED was applied, but its answer was lost: the second Set is refused, the port is fine.
     */
    @Test
    void aPortWhoseAnswerWasLostIsNotInTrouble() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        Set<Long> raised = new HashSet<>();
        harness.isRequestLost = mad -> {
            if (Devices.wantedState(mad) >= PortInfo.STATE_ARMED) {
                raised.add(MadHeader.tid(mad));
            }
            return false;
        };
        harness.changeResponse = mad -> {
            if (raised.contains(MadHeader.tid(mad))) {
                MadHeader.STATUS.set(mad, 0, MadStatus.INVALID_FIELD);
            }
        };
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.lastReport().errors()).isEmpty();
        harness.sweepLight();
        assertThat(harness.ends).containsExactly("up");
    }

    /** Invalid answers of devices may fail a sweep, but neither break the program nor prevent its end. */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void rubbishInAnswersIsNeverADefect(long seed) {
        SweepHarness harness = new SweepHarness("torus:3x2x1");
        Random random = Seeds.random(seed);
        harness.changeResponse = mad -> {
            for (int i = random.nextInt(25) == 0 ? 1 + random.nextInt(8) : 0; i > 0; i--) {
                mad[Smp.DATA_OFFSET + random.nextInt(Smp.DATA_SIZE)] = (byte) random.nextInt(256);
            }
        };
        for (int i = 0; i < 4; i++) {
            assertThat(harness.sweep()).doesNotContain("internal error");
        }
        harness.changeResponse = mad -> {};
        for (int i = 0; i < 3; i++) {
            harness.sweep();
        }
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(harness.publishedView().subnet().fabric().nodeCount()).isEqualTo(12);
    }

    /** Returns a plan that promises more than it keeps. */
    private static Plan withFalsePromise(Plan plan) {
        return Plans.like("boastful", plan).claimsDeadlockFree().build();
    }
}
