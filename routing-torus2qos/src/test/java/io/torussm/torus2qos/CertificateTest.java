package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.Verdict;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.testing.TestRouting;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of torus-2QoS, proved by a checker that does not use the shape of the fabric. */
class CertificateTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "65_pristine", "166_pristine", "444_pristine", "666_pristine", "345_pristine", "255_pristine",
                "222_pristine", "65_mesh", "555_mesh_x", "444_par2", "333_par2_hosts3", "333_lmc1"
            })
    void areFreeOfCreditLoops(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        Plan plan = TestTorus.plan(TestTorus.route(golden.conf, golden.subnet()));
        assertCertified(new DeadlockChecker(2).check(plan, TestRouting.QOS));
    }

    @ParameterizedTest
    @CsvSource({"2", "3", "4", "5"})
    void areFreeOfCreditLoopsOnAsFewAsTwoVls(int maxOpVls) {
        TestTorus torus = new TestTorus(5, 4, 3);
        RoutingOptions options = new RoutingOptions(true, maxOpVls, 0);
        Plan plan = TestTorus.plan(
                new Torus2QosEngine(TestTorus.parse(torus.conf())).route(torus.fabric.subnet(0), options));
        assertCertified(new DeadlockChecker(2).check(plan, options));
    }

    private static void assertCertified(Verdict verdict) {
        assertThat(verdict).as(verdict.text()).isInstanceOf(Certificate.class);
    }
}
