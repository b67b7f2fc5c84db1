package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import io.torussm.view.RoutingState;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The {@link FabricState} of a sweeper after sweeps with each outcome: the active routes, and the discovered subnet,
 * which differ while routing is refused. The fabric is a torus of 3x3 switches with a host each.
 */
class FabricStateTest {
    private static final String TORUS = "torus:3x3x1";
    private static final String SWITCH = "sw-1-1-0";
    private static final String HOST = "host-1-1-0-0";

    private static final Engine REFUSING = new Engine() {
        @Override
        public String name() {
            return "refusing";
        }

        @Override
        public RoutingResult route(EngineContext context) {
            return new Refusal(name(), List.of(Finding.warning("look at this"), Finding.error("a ring is cut")));
        }
    };

    private static PlacedSubnet found(SweepHarness sm) {
        return Objects.requireNonNull(sm.sweeper.state().found());
    }

    private static void waitAMinute(SweepHarness sm) {
        sm.loop.runFor(TimeUnit.SECONDS.toNanos(60));
    }

    private static List<LostCable> lostCables(SweepHarness sm) {
        return List.copyOf(sm.sweeper.state().absences().cables());
    }

    private static List<Absences.Device> absentDevices(SweepHarness sm) {
        return List.copyOf(sm.sweeper.state().absences().devices(found(sm).fabric()));
    }

    @Test
    void nothingIsKnownBeforeTheFirstSweep() {
        assertThat(new SweepHarness(TORUS).sweeper.state()).isEqualTo(FabricState.NOTHING);
    }

    @Test
    void theFoundFabricIsThatOfTheActiveRoutesAfterASweep() {
        SweepHarness sm = new SweepHarness(TORUS);
        sm.sweep();
        FabricState state = sm.sweeper.state();
        assertThat(state.view()).isSameAs(sm.publishedView());
        assertThat(found(sm).fabric()).isSameAs(sm.publishedView().subnet().fabric());
        assertThat(state.routing()).isEqualTo(RoutingState.ROUTED);
        assertThat(state.reason()).isEmpty();
        assertThat(state.isOutdated()).isFalse();
        assertThat(lostCables(sm)).isEmpty();
    }

    @Test
    void anotherSweepRenewsTheTimesOfDiscoveryAndRoutesButNotThatOfTheState() {
        SweepHarness sm = new SweepHarness(TORUS);
        sm.sweep();
        FabricState first = sm.sweeper.state();
        waitAMinute(sm);
        sm.sweep();
        FabricState second = sm.sweeper.state();
        assertThat(second.since()).isEqualTo(first.since());
        assertThat(second.foundAt()).isAfter(first.foundAt());
        assertThat(second.routesActiveSince()).isAfter(first.routesActiveSince());
    }

    /** An SM whose engine refuses the fabric after a cable of {@link #SWITCH} was lost. */
    private static final class RefusingSm {
        /** Port 1 of {@link #SWITCH}, which leads to another switch. */
        private static final int PORT_NUM = 1;

        final SweepHarness harness = new SweepHarness(TORUS);
        final FabricState routed;
        final Fabric whole;
        final FabricState refused;
        private final long switchGuid;

        RefusingSm() {
            harness.sweep();
            routed = harness.sweeper.state();
            whole = harness.publishedView().subnet().fabric();
            switchGuid = harness.node(SWITCH).nodeGuid();
            waitAMinute(harness);
            harness.engine = REFUSING;
            harness.fabric.unlink(switchGuid, PORT_NUM);
            assertThat(harness.sweep()).startsWith("refused");
            refused = harness.sweeper.state();
        }

        /** Returns the port of the switch without its cable, by index of the whole fabric. */
        int port() {
            return whole.port(whole.nodeByGuid(switchGuid), PORT_NUM);
        }

        LostCable lostCable() {
            return lostCables(harness).get(0);
        }

        void acceptRoutes() {
            harness.engine = new MinHopEngine();
            harness.sweep();
        }

        void repair() {
            harness.fabric.relink(switchGuid, PORT_NUM);
            harness.sweep();
        }
    }

    @Test
    void aRefusalKeepsTheActiveRoutesAndHasAReason() {
        RefusingSm sm = new RefusingSm();
        PublishedView active = Objects.requireNonNull(sm.routed.view());
        assertThat(Objects.requireNonNull(sm.refused.view()).plan().asRouted()).isSameAs(active.plan());
        assertThat(sm.refused.routesActiveSince()).isEqualTo(sm.routed.routesActiveSince());
        assertThat(sm.refused.routing()).isEqualTo(RoutingState.REFUSED);
        assertThat(sm.refused.since()).isAfter(sm.routed.since());
        assertThat(sm.refused.reason()).isEqualTo("a ring is cut");
    }

    @Test
    void aCableOfTheActiveRoutesThatWasNotFoundIsAbsentAtBothEnds() {
        RefusingSm sm = new RefusingSm();
        assertThat(sm.refused.absentLinks()).isEqualTo(1);
        assertThat(IntStream.range(0, sm.whole.portCount()).filter(sm.refused::isCableAbsent))
                .containsExactlyInAnyOrder(sm.port(), sm.whole.peer(sm.port()));
    }

    @Test
    void aLostCableIsKnownAtItsPortOfTheFoundFabric() {
        RefusingSm sm = new RefusingSm();
        PlacedSubnet found = found(sm.harness);
        int port = PlacedSubnet.counterpart(sm.whole, sm.port(), found.fabric());
        assertThat(found.fabric().peer(port)).isEqualTo(Fabric.NONE);
        LostCable lost = Objects.requireNonNull(sm.refused.absences().lostCable(found, port));
        assertThat(List.of(lost.near().name(), lost.far().name())).contains(SWITCH);
        assertThat(lost.since()).isEqualTo(sm.refused.since());
    }

    @Test
    void aSecondRefusalKeepsTheTimeOfTheFirst() {
        RefusingSm sm = new RefusingSm();
        LostCable lost = sm.lostCable();
        waitAMinute(sm.harness);
        sm.harness.sweep();
        assertThat(sm.harness.sweeper.state().since()).isEqualTo(sm.refused.since());
        assertThat(lostCables(sm.harness)).containsExactly(lost);
    }

    @Test
    void aCableStaysLostWhenRoutesWithoutItAreAccepted() {
        RefusingSm sm = new RefusingSm();
        LostCable lost = sm.lostCable();
        sm.acceptRoutes();
        assertThat(sm.harness.sweeper.state().routing()).isEqualTo(RoutingState.ROUTED);
        assertThat(sm.harness.sweeper.state().isOutdated()).isFalse();
        assertThat(sm.harness.sweeper.state().absentLinks()).isZero();
        assertThat(lostCables(sm.harness)).containsExactly(lost);
    }

    @Test
    void aCableThatIsBackIsNotLost() {
        RefusingSm sm = new RefusingSm();
        sm.acceptRoutes();
        sm.repair();
        assertThat(lostCables(sm.harness)).isEmpty();
    }

    @Test
    void aSubnetThatIsRefusedByTheFirstSweepIsVisible() {
        SweepHarness sm = new SweepHarness(TORUS);
        sm.engine = REFUSING;
        sm.sweep();
        assertThat(sm.sweeper.state().view()).isNull();
        assertThat(sm.sweeper.state().routing()).isEqualTo(RoutingState.REFUSED);
        PlacedSubnet found = found(sm);
        assertThat(found.fabric().switchCount()).isEqualTo(9);
        assertThat(found.subnet().lid(found.fabric().port(0, 0))).isPositive();
        assertThat(Objects.requireNonNull(sm.sweeper.state().visibleSubnet())).isSameAs(found);
    }

    private static SweepHarness withState(Path dir) {
        SweepHarness sm =
                new SweepHarness(TorusSpec.parse(TORUS).topology(), FaultPlan.NONE, SweepHarness.settings(), dir);
        sm.sweep();
        return sm;
    }

    /** Unplugs {@link #HOST}, and sweeps. */
    private static void loseHost(SweepHarness sm) {
        sm.fabric.unlink(sm.node(HOST).nodeGuid(), 1);
        sm.sweep();
    }

    @Test
    void anAbsentHostIsNamedWithItsLidAndThePortThatItWasAttachedTo(@TempDir Path dir) {
        SweepHarness sm = withState(dir);
        Fabric whole = sm.publishedView().subnet().fabric();
        int port = whole.port(SweepHarness.node(whole, HOST), 1);
        int lid = sm.publishedView().subnet().lid(port);
        loseHost(sm);
        assertThat(absentDevices(sm)).singleElement().satisfies(absent -> {
            assertThat(absent.end().name()).isEqualTo(HOST);
            assertThat(absent.end().lid()).isEqualTo(lid);
            assertThat(absent.peerEnd().name()).isEqualTo(SWITCH);
            assertThat(absent.peerEnd().port().portNum()).isEqualTo(whole.portNum(whole.peer(port)));
            assertThat(absent.since()).isEqualTo(sm.sweeper.state().foundAt());
        });
    }

    @Test
    void anAbsentHostIsKnownAfterARestartButNotSinceWhen(@TempDir Path dir) {
        SweepHarness sm = withState(dir);
        loseHost(sm);
        Absences.Device absent = absentDevices(sm).get(0);
        sm.state.flush();
        sm.restart();
        sm.sweep();
        assertThat(absentDevices(sm)).singleElement().satisfies(remembered -> {
            assertThat(remembered.end().port()).isEqualTo(absent.end().port());
            assertThat(remembered.end().lid()).isEqualTo(absent.end().lid());
            assertThat(remembered.peerEnd().name()).isEqualTo(SWITCH);
            assertThat(remembered.since()).isNull();
        });
    }

    @Test
    void aHostThatIsBackIsNotAbsent(@TempDir Path dir) {
        SweepHarness sm = withState(dir);
        loseHost(sm);
        sm.fabric.relink(sm.node(HOST).nodeGuid(), 1);
        sm.sweep();
        assertThat(absentDevices(sm)).isEmpty();
    }

    @Test
    void aSweepThatFailsKeepsTheFoundFabricAndHasAProblem() {
        SweepHarness sm = new SweepHarness(TORUS);
        sm.sweep();
        PlacedSubnet found = found(sm);
        sm.isRequestLost = mad -> true;
        assertThat(sm.sweep()).startsWith("failed");
        assertThat(sm.sweeper.state().problem()).isNotEmpty();
        assertThat(found(sm)).isEqualTo(found);
        sm.isRequestLost = mad -> false;
        sm.sweep();
        assertThat(sm.sweeper.state().problem()).isEmpty();
    }

    @Test
    void nothingIsKnownWhileAnotherSmIsMaster() {
        SweepHarness sm = new SweepHarness(TORUS);
        sm.sweep();
        sm.sweeper.withdraw();
        assertThat(sm.sweeper.state()).isEqualTo(FabricState.NOTHING);
    }
}
