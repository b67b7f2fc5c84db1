package io.torussm.deadlock.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.CycleSearch;
import io.torussm.deadlock.DatelineRouter;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.testing.Seeds;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The region of cycles, compared with all channels of all dependencies, on a torus of 5 x 5 switches with a host each.
 */
class CycleRegionTest {
    private static final RoutingOptions PROVED = TestRouting.QOS;

    /** All packets on one VL, where the rings of a torus are cycles. */
    private static final RoutingOptions ONE_VL = TestRouting.NO_QOS;

    private static final int ROUNDS = 60;

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void noCycleIsOutside(long seed) {
        Plan plan = DatelineRouter.route(TorusSketch.of(5, 5, 1, 1, 1)).plan();
        DeadlockChecker checker = new DeadlockChecker(1);
        Certificate certificate = (Certificate) checker.prove(plan, PROVED).verdict();
        ChannelDependencyGraph looped = checker.graph(plan, ONE_VL);
        Random random = Seeds.random(seed);
        int withCycles = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            int oneOf = round;
            ChannelDependencyGraph more = looped.only((held, wanted) -> random.nextInt(oneOf) == 0);
            BitSet expected = CycleSearch.trimmed(certificate.graph().with(more));
            assertThat(CycleRegion.of(certificate, more))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(expected);
            withCycles += expected.isEmpty() ? 0 : 1;
        }
        assertThat(withCycles).isBetween(1, ROUNDS - 1);
    }

    /** The certificate numbers channels of other VLs, so many edges of a single VL lead downward. */
    @Test
    void edgesAreSelectedUpToALimitAndAreAllCutAboveIt() {
        Plan plan = DatelineRouter.route(TorusSketch.of(5, 5, 1, 1, 1)).plan();
        DeadlockChecker checker = new DeadlockChecker(1);
        Certificate certificate = (Certificate) checker.prove(plan, PROVED).verdict();
        ChannelDependencyGraph looped = checker.graph(plan, ONE_VL);
        BitSet region = CycleRegion.of(certificate, looped);
        RegionGraph mixed = RegionGraph.of(region, looped, new long[0], null).trimmed();
        long[] downward = mixed.cuts(certificate.numbering(), 0);
        long[] selected = mixed.cuts(certificate.numbering(), downward.length);
        assertThat(selected.length).isBetween(1, downward.length - 1);
        assertThat(downward).contains(selected);
        assertThat(mixed.cuts(certificate.numbering(), downward.length - 1)).isEqualTo(downward);
    }
}
