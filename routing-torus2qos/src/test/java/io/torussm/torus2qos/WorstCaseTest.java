package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.routing.statistics.WorstPermutation;
import io.torussm.torus2qos.conf.Balance;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Multipath;
import io.torussm.torus2qos.discovery.Torus;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The load of the busiest cable of a torus if each host sends to one other, in the worst case. */
class WorstCaseTest {
    private static Plan plan(String sizes, int hosts, int lmc, Balance balance, Multipath multipath) {
        TestTorus torus = TiesTest.torus(sizes, hosts);
        return TestTorus.plan(new Torus2QosEngine(TestTorus.parse(torus.conf()), 2, balance, multipath)
                .route(torus.fabric.subnet(lmc), TestTorus.QOS));
    }

    private static WorstPermutation worst(Plan plan) {
        return WorstPermutation.of(plan, new PathEnds(plan.subnet()));
    }

    /** By all permutations of the hosts. */
    @ParameterizedTest
    @CsvSource({"OFF, 0", "SIDES, 1", "ORDERS, 1"})
    void isThatOfAllPermutations(Multipath multipath, int lmc) {
        Plan plan = plan("4x2x1", 1, lmc, Balance.OFF, multipath);
        WorstPermutation worst = worst(plan);
        int[] order = IntStream.range(0, 8).toArray();
        assertThat(worst.load()).isCloseTo(maxLoad(plan, order, 0), within(1e-9));
        assertThat(loads(plan, worst.destinations())[worst.port()]).isCloseTo(worst.load(), within(1e-9));
    }

    private static double maxLoad(Plan plan, int[] order, int fixed) {
        if (fixed == order.length) {
            return Arrays.stream(loads(plan, order)).max().orElse(0);
        }
        double max = 0;
        for (int i = fixed; i < order.length; i++) {
            swap(order, fixed, i);
            max = Math.max(max, maxLoad(plan, order, fixed + 1));
            swap(order, fixed, i);
        }
        return max;
    }

    private static void swap(int[] order, int a, int b) {
        int moved = order[a];
        order[a] = order[b];
        order[b] = moved;
    }

    /** Returns the load of each cable under a permutation, by port index. */
    private static double[] loads(Plan plan, int[] destinations) {
        Fabric fabric = plan.subnet().fabric();
        double[] loads = new double[fabric.portCount()];
        int[] ports = new PathEnds(plan.subnet()).ports();
        for (int from = 0; from < ports.length; from++) {
            int lids = destinations[from] < 0 ? 0 : 1 << plan.subnet().lmc(ports[from]);
            for (int offset = 0; offset < lids; offset++) {
                int lid = plan.subnet().lid(ports[destinations[from]]) + offset;
                for (int sw = fabric.switchOf(ports[from]); sw != plan.subnet().switchOfLid(lid); ) {
                    int out = fabric.port(sw, plan.lft(sw)[lid] & 0xff);
                    loads[out] += 1.0 / lids;
                    sw = fabric.nodeOf(fabric.peer(out));
                }
            }
        }
        return loads;
    }

    /** No order of dimensions and no choice of ways round rings does better than 3.5 on 8x8: ADR 9. */
    @ParameterizedTest
    @CsvSource({
        "8x8x1, OFF, OFF, 0, 4",
        "8x8x1, TIES, OFF, 0, 4",
        "8x8x1, OFF, SIDES, 1, 3.5",
        "8x8x1, OFF, ORDERS, 1, 4",
        "4x4x4, OFF, OFF, 0, 8",
        "4x4x4, OFF, SIDES, 1, 4",
        "4x4x4, OFF, ORDERS, 1, 5.5"
    })
    void ofToriIsKnown(String sizes, Balance balance, Multipath multipath, int lmc, double load) {
        assertThat(worst(plan(sizes, 1, lmc, balance, multipath)).load()).isCloseTo(load, within(1e-9));
    }

    @Test
    void sharesOutAllToAll() {
        Plan plan = plan("4x4x1", 1, 1, Balance.OFF, Multipath.SIDES);
        double[] loads = worst(plan).allToAll();
        Torus torus = ((TorusExplainer) plan.explainer()).paths().torus();
        assertThat(IntStream.range(0, loads.length)
                        .filter(port -> torus.portClass(port) < Dim.LOCAL_CLASS)
                        .mapToDouble(port -> loads[port]))
                .allSatisfy(load -> assertThat(load).isCloseTo(8, within(1e-9)));
    }

    /** Prints the figures of the table in torus-2qos.md. */
    @ParameterizedTest
    @Tag("campaign")
    @ValueSource(strings = {"8x8x1", "4x4x4", "6x6x6"})
    void measures(String sizes) {
        measure(sizes, "off", plan(sizes, 1, 0, Balance.OFF, Multipath.OFF));
        measure(sizes, "ties", plan(sizes, 1, 0, Balance.TIES, Multipath.OFF));
        measure(sizes, "sides", plan(sizes, 1, 1, Balance.OFF, Multipath.SIDES));
        measure(sizes, "orders", plan(sizes, 1, 1, Balance.OFF, Multipath.ORDERS));
    }

    private static void measure(String sizes, String label, Plan plan) {
        WorstPermutation worst = worst(plan);
        Torus torus = ((TorusExplainer) plan.explainer()).paths().torus();
        double[] loads = IntStream.range(0, worst.allToAll().length)
                .filter(port -> torus.portClass(port) < Dim.LOCAL_CLASS)
                .mapToDouble(port -> worst.allToAll()[port])
                .toArray();
        System.out.printf(
                Locale.ROOT,
                "%s %s: worst permutation %.2f, all-to-all max/mean %.4f%n",
                sizes,
                label,
                worst.load(),
                Arrays.stream(loads).max().orElse(0)
                        / Arrays.stream(loads).average().orElse(1));
    }
}
