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

/**
 * The text of the event "subnet up", which operators and their scripts read: it names what is absent, and calls a
 * subnet degraded if a switch or a cable between switches is. The fabric is a torus of 3x3 switches with a host each.
 */
class DegradedSubnetTest {
    private static final String WHOLE = "SUBNET UP: 9 switches, 9 host ports, 27 links; ";
    private static final String SWITCH = "sw-1-1-0";
    private static final String HOST = "host-1-1-0-0";

    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=1");
    private final long switchGuid = harness.node(SWITCH).nodeGuid();
    private final long hostGuid = harness.node(HOST).nodeGuid();

    @BeforeEach
    void sweep() {
        harness.sweep();
        harness.awaitRest();
    }

    /** Changes the fabric, and returns the text of the event of the next sweep. */
    private String textAfter(Runnable change) {
        change.run();
        harness.sweep();
        harness.awaitRest();
        return harness.lastUp().text();
    }

    @Test
    void theTextOfAWholeSubnetNamesNoAbsence() {
        assertThat(textAfter(() -> {})).startsWith(WHOLE);
    }

    @Test
    void aLostCableDegradesTheSubnetUntilItIsBack() {
        assertThat(textAfter(() -> harness.fabric.unlink(switchGuid, 1)))
                .startsWith("SUBNET UP, degraded (1 link between switches down; routes connect all hosts): "
                        + "9 switches, 9 host ports, 26 of 27 links; ");
        assertThat(textAfter(() -> harness.fabric.relink(switchGuid, 1))).startsWith(WHOLE);
    }

    @Test
    void aLostSwitchDegradesTheSubnet() {
        assertThat(textAfter(() -> harness.fabric.interventions().powerOff(switchGuid)))
                .startsWith("SUBNET UP, degraded (1 switch absent, 4 links between switches down, 1 host port absent; "
                        + "routes connect all other hosts): 8 of 9 switches, 8 of 9 host ports, 22 of 27 links; ");
    }

    /**
     * New routes leave out the LID of a host that is off. All switches are written when it is back, which would look as
     * if one link had caused so many writes.
     */
    @Test
    void aLidThatIsRemovedOrAddedInAllSwitchesIsNamed() {
        harness.fabric.interventions().powerOff(hostGuid);
        assertThat(textAfter(() -> harness.fabric.unlink(switchGuid, 1)))
                .contains("1 link between switches down, 1 host port absent; routes connect all other hosts")
                .containsPattern(" SMPs; LID \\d+ removed in 9 switches");
        assertThat(textAfter(() -> harness.fabric.interventions().powerOn(hostGuid)))
                .containsPattern(" SMPs; LID \\d+ added in 9 switches");
    }

    /** An engine may accept a fabric with pairs of hosts without a path, as updn does with updn_allow_partial. */
    @Test
    void theTextOfPartialRoutesDoesNotClaimThatAllHostsAreConnected() {
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
        assertThat(textAfter(() -> harness.fabric.unlink(switchGuid, 1)))
                .startsWith("SUBNET UP, degraded (1 link between switches down): 9 switches, ");
    }

    /** Hosts restart every day. */
    @Test
    void aHostThatIsOffDoesNotDegradeTheSubnet() {
        assertThat(textAfter(() -> harness.fabric.interventions().powerOff(hostGuid)))
                .startsWith("SUBNET UP, 1 host port absent: 9 switches, 8 of 9 host ports, 26 of 27 links; ");
    }
}
