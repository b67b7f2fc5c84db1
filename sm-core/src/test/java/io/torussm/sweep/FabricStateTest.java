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
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The active routes and the discovered subnet, through sweeps with every outcome. */
class FabricStateTest {
    private static final Engine REFUSES = new Engine() {
        @Override
        public String name() {
            return "refuses";
        }

        @Override
        public RoutingResult route(EngineContext context) {
            return new Refusal(name(), List.of(Finding.warning("look at this"), Finding.error("a ring is cut")));
        }
    };

    private static PlacedSubnet found(SweepHarness sm) {
        return Objects.requireNonNull(sm.sweeper.state().found());
    }

    /** Returns a port of a switch with a cable to another switch. */
    private static int link(Fabric fabric, int sw) {
        return IntStream.rangeClosed(1, fabric.numPorts(sw))
                .map(portNum -> fabric.port(sw, portNum))
                .filter(port -> fabric.peer(port) != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(fabric.peer(port))))
                .findFirst()
                .orElseThrow();
    }

    private static void later(SweepHarness sm) {
        sm.loop.runFor(TimeUnit.SECONDS.toNanos(60));
    }

    @Test
    void knowsNothingAtFirstAndOneThingInFairWeather() {
        SweepHarness sm = new SweepHarness("torus:3x3x1");
        assertThat(sm.sweeper.state()).isEqualTo(FabricState.NOTHING);
        sm.sweep();
        FabricState state = sm.sweeper.state();
        assertThat(state.view()).isSameAs(sm.publishedView());
        assertThat(found(sm).fabric()).isSameAs(sm.publishedView().subnet().fabric());
        assertThat(state.routing()).isEqualTo(RoutingState.ROUTED);
        assertThat(state.reason()).isEmpty();
        assertThat(state.isOutdated()).isFalse();
        assertThat(state.absences().cables()).isEmpty();
        Instant ruledSince = state.routesActiveSince();
        later(sm);
        sm.sweep();
        assertThat(sm.sweeper.state().since()).isEqualTo(state.since());
        assertThat(sm.sweeper.state().foundAt()).isAfter(state.foundAt());
        assertThat(sm.sweeper.state().routesActiveSince()).isAfter(ruledSince);
    }

    @Test
    void whileRoutingIsRefusedActiveAndFoundFabricDiffer() {
        SweepHarness sm = new SweepHarness("torus:3x3x1");
        sm.sweep();
        PublishedView ruling = sm.publishedView();
        Fabric whole = ruling.subnet().fabric();
        int sw = SweepHarness.node(whole, "sw-1-1-0");
        int port = link(whole, sw);
        Instant ruledSince = sm.sweeper.state().routesActiveSince();
        later(sm);
        sm.engine = REFUSES;
        sm.fabric.unlink(whole.nodeGuid(sw), whole.portNum(port));
        assertThat(sm.sweep()).startsWith("refused");
        FabricState state = sm.sweeper.state();
        assertThat(Objects.requireNonNull(state.view()).plan().asRouted()).isSameAs(ruling.plan());
        assertThat(state.routesActiveSince()).isEqualTo(ruledSince);
        assertThat(state.routing()).isEqualTo(RoutingState.REFUSED);
        assertThat(state.since()).isAfter(ruledSince);
        assertThat(state.reason()).isEqualTo("a ring is cut");
        assertThat(state.absentLinks()).isEqualTo(1);
        assertThat(state.isCableAbsent(port)).isTrue();
        assertThat(state.isCableAbsent(whole.peer(port))).isTrue();
        assertThat(IntStream.range(0, whole.portCount()).filter(state::isCableAbsent))
                .hasSize(2);
        PlacedSubnet now = found(sm);
        assertThat(now.fabric().peer(PlacedSubnet.counterpart(whole, port, now.fabric())))
                .isEqualTo(Fabric.NONE);
        LostCable lost = Objects.requireNonNull(
                state.absences().lostCable(now, PlacedSubnet.counterpart(whole, port, now.fabric())));
        assertThat(List.of(lost.near().name(), lost.far().name())).contains("sw-1-1-0");
        assertThat(lost.since()).isEqualTo(state.since());
        later(sm);
        sm.sweep();
        assertThat(sm.sweeper.state().since()).as("it goes on").isEqualTo(state.since());
        assertThat(sm.sweeper.state().absences().cables()).containsExactly(lost);
        sm.engine = new MinHopEngine();
        sm.sweep();
        assertThat(sm.sweeper.state().routing()).isEqualTo(RoutingState.ROUTED);
        assertThat(sm.sweeper.state().isOutdated()).isFalse();
        assertThat(sm.sweeper.state().absentLinks()).isZero();
        assertThat(sm.sweeper.state().absences().cables()).containsExactly(lost);
        sm.fabric.relink(whole.nodeGuid(sw), whole.portNum(port));
        sm.sweep();
        assertThat(sm.sweeper.state().absences().cables()).isEmpty();
    }

    @Test
    void aSubnetThatIsRefusedAtTheStartCanBeLookedAt() {
        SweepHarness sm = new SweepHarness("torus:3x3x1");
        sm.engine = REFUSES;
        sm.sweep();
        assertThat(sm.sweeper.state().view()).isNull();
        assertThat(sm.sweeper.state().routing()).isEqualTo(RoutingState.REFUSED);
        PlacedSubnet found = found(sm);
        assertThat(found.fabric().switchCount()).isEqualTo(9);
        assertThat(found.subnet().lid(found.fabric().port(0, 0))).isPositive();
        assertThat(Objects.requireNonNull(sm.sweeper.state().visibleSubnet())).isSameAs(found);
    }

    @Test
    void anAbsentHostIsListedWithItsFormerCableUntilItReturns(@TempDir Path dir) {
        SweepHarness sm = new SweepHarness(
                TorusSpec.parse("torus:3x3x1").topology(), FaultPlan.NONE, SweepHarness.settings(), dir);
        sm.sweep();
        Fabric whole = sm.publishedView().subnet().fabric();
        int host = SweepHarness.node(whole, "host-1-1-0-0");
        int port = whole.port(host, 1);
        int lid = sm.publishedView().subnet().lid(port);
        sm.fabric.unlink(whole.nodeGuid(host), 1);
        sm.sweep();
        Absences.Device absent = sm.sweeper
                .state()
                .absences()
                .devices(found(sm).fabric())
                .iterator()
                .next();
        assertThat(absent.end().name()).isEqualTo("host-1-1-0-0");
        assertThat(absent.end().lid()).isEqualTo(lid);
        assertThat(absent.peerEnd().name()).isEqualTo("sw-1-1-0");
        assertThat(absent.peerEnd().port().portNum()).isEqualTo(whole.portNum(whole.peer(port)));
        assertThat(absent.since()).isEqualTo(sm.sweeper.state().foundAt());
        sm.state.flush();
        sm.restart();
        sm.sweep();
        assertThat(sm.sweeper.state().absences().devices(found(sm).fabric()))
                .singleElement()
                .satisfies(known -> {
                    assertThat(known.end().port().portGuid()).isEqualTo(whole.portGuid(port));
                    assertThat(known.end().lid()).isEqualTo(lid);
                    assertThat(known.peerEnd().name()).isEqualTo("sw-1-1-0");
                    assertThat(known.since()).isNull();
                });
        sm.fabric.relink(whole.nodeGuid(host), 1);
        sm.sweep();
        assertThat(sm.sweeper.state().absences().devices(found(sm).fabric())).isEmpty();
    }

    @Test
    void aSweepThatFailsLeavesTheFoundFabricAndReportsTheReason() {
        SweepHarness sm = new SweepHarness("torus:3x3x1");
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
    void theStateEndsWithTheMastership() {
        SweepHarness sm = new SweepHarness("torus:3x3x1");
        sm.sweep();
        sm.sweeper.withdraw();
        assertThat(sm.sweeper.state()).isEqualTo(FabricState.NOTHING);
    }
}
