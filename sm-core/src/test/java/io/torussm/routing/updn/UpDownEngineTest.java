package io.torussm.routing.updn;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.testing.TorusSketch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpDownEngineTest {
    private static final RoutingOptions QOS = new RoutingOptions(true, 5, 0);

    /** On tori, where shortest paths have a credit loop; multicast goes along with it. */
    @ParameterizedTest
    @CsvSource({"5,5,1,1", "4,4,4,1", "7,1,1,2", "3,3,3,2", "1,1,1,1"})
    void isFreeOfCreditLoopsOnAnyFabric(int x, int y, int z, int cables) {
        Plan plan = (Plan)
                new UpDownEngine().route(TorusSketch.of(x, y, z, cables, 1).subnet(), QOS);
        DeadlockChecker.Proof proof = new DeadlockChecker(2).prove(plan, QOS);
        assertThat(proof.verdict()).isInstanceOf(Certificate.class);
        assertThat(proof.multicast()).isNotNull();
    }
}
