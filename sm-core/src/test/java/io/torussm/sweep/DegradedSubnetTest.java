package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.minhop.MinHopEngine;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The line about a subnet that is up tells a degraded one from a whole one. */
class DegradedSubnetTest {
    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=1");

    @BeforeEach
    void sweep() {
        harness.sweep();
        harness.awaitRest();
    }

    private String lineAfter(Runnable change) {
        change.run();
        harness.sweep();
        harness.awaitRest();
        return harness.lastUp().text();
    }

    @Test
    void aWholeSubnetHasNoAddition() {
        assertThat(lineAfter(() -> {})).startsWith("SUBNET UP: 9 switches, 9 host ports, 27 links; ");
    }

    @Test
    void aLostCableDegradesUntilItIsBack() {
        long guid = harness.node("sw-1-1-0").nodeGuid();
        assertThat(lineAfter(() -> harness.fabric.unlink(guid, 1)))
                .startsWith("SUBNET UP, degraded (1 link between switches down; routes connect all hosts): "
                        + "9 switches, 9 host ports, 26 of 27 links; ");
        assertThat(lineAfter(() -> harness.fabric.relink(guid, 1)))
                .startsWith("SUBNET UP: 9 switches, 9 host ports, 27 links; ");
    }

    @Test
    void aLostSwitchDegrades() {
        long guid = harness.node("sw-1-1-0").nodeGuid();
        assertThat(lineAfter(() -> harness.fabric.interventions().powerOff(guid)))
                .startsWith("SUBNET UP, degraded (1 switch absent, 4 links between switches down, 1 host port absent; "
                        + "routes connect all other hosts): 8 of 9 switches, 8 of 9 host ports, 22 of 27 links; ");
    }

    /** All switches get an entry for a LID that a new route left out, which is not the work of one link. */
    @Test
    void theLidOfAHostForWhichAllSwitchesAreWrittenIsNamed() {
        long host = harness.node("host-1-1-0-0").nodeGuid();
        long guid = harness.node("sw-1-1-0").nodeGuid();
        harness.fabric.interventions().powerOff(host);
        assertThat(lineAfter(() -> harness.fabric.unlink(guid, 1)))
                .contains("1 link between switches down, 1 host port absent; routes connect all other hosts")
                .containsPattern(" SMPs; LID \\d+ removed in 9 switches");
        assertThat(lineAfter(() -> harness.fabric.interventions().powerOn(host)))
                .containsPattern(" SMPs; LID \\d+ added in 9 switches");
    }

    /** With updn_allow_partial, the engine only warns of pairs of hosts without a path. */
    @Test
    void routesOfAPartDoNotConnectAllHosts() {
        Finding partial = SmEvent.ROUTING_WARNING.finding("2 pairs of hosts have no path");
        harness.engine = new Engine() {
            @Override
            public String name() {
                return "partial";
            }

            @Override
            public RoutingResult route(EngineContext context) {
                return ((Plan) new MinHopEngine().route(context)).withFindings(List.of(partial));
            }
        };
        long guid = harness.node("sw-1-1-0").nodeGuid();
        assertThat(lineAfter(() -> harness.fabric.unlink(guid, 1)))
                .startsWith("SUBNET UP, degraded (1 link between switches down): 9 switches, ");
    }

    /** Hosts restart every day. */
    @Test
    void aHostThatIsOffDoesNotDegrade() {
        long guid = harness.node("host-1-1-0-0").nodeGuid();
        assertThat(lineAfter(() -> harness.fabric.interventions().powerOff(guid)))
                .startsWith("SUBNET UP, 1 host port absent: 9 switches, 8 of 9 host ports, 26 of 27 links; ");
    }
}
