package io.torussm.routing.dor;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Cycle;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables against those that OpenSM 3.3.23 wrote on the same fabrics with the same LIDs. */
class DorEngineTest {
    private static final RoutingOptions QOS = new RoutingOptions(true, 5, 0);

    private static Plan route(RecordedFabric recorded) {
        return (Plan) new DorEngine().route(recorded.subnet(), QOS);
    }

    @ParameterizedTest
    @CsvSource({"cube4", "cube4_shuffled", "lmc1", "mesh344", "mesh45", "mesh_lost", "mesh_par", "torus55"})
    void fillsTheTablesThatTheReferenceFills(String name) {
        RecordedFabric recorded = new RecordedFabric(name);
        Plan plan = route(recorded);
        Fabric fabric = plan.subnet().fabric();
        List<String> differences = new ArrayList<>();
        recorded.lfts()
                .forEach((guid, entries) -> entries.forEach((lid, port) -> {
                    int sw = fabric.nodeByGuid(guid);
                    int ours = plan.lft(sw)[lid] & 0xff;
                    if (ours != port) {
                        differences.add(fabric.name(sw) + " LID " + lid + ": " + ours + ", not " + port);
                    }
                }));
        assertThat(recorded.lfts()).hasSize(fabric.switchCount());
        assertThat(differences).isEmpty();
    }

    /** Its audit, of the reference's tables, says the same; there switches count as well. */
    @ParameterizedTest
    @CsvSource({"cube4, true", "lmc1, true", "mesh45, true", "mesh_par, true", "cube4_shuffled, false", "torus55, false"
    })
    void isFreeOfCreditLoopsOnlyIfPortsAreInTheOrderOfDimensions(String name, boolean isFree) {
        Plan plan = route(new RecordedFabric(name));
        assertThat(plan.claimsDeadlockFree()).isFalse();
        assertThat(new DeadlockChecker(1).check(plan, QOS)).isInstanceOf(isFree ? Certificate.class : Cycle.class);
    }

    @Test
    void leavesSlAndVlToTheOperator() {
        Plan plan = route(new RecordedFabric("mesh45"));
        assertThat(plan.hasOwnSl2Vl()).isFalse();
        assertThat(plan.pathSl(1, plan.subnet().topLid(), 5)).isEqualTo(5);
        assertThat(plan.slMask(0, plan.subnet().topLid())).isEqualTo(0xffff);
    }
}
