package io.torussm.deadlock.sl;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.DatelineRouter;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TorusSketch;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The paths whose SL differs between two plans, mostly on a row of switches. LIDs are 1 to n, switches first, then
 * hosts. A mask has the SLs of paths between two switches, bit n for SL n.
 */
class SlStabilityTest {

    /**
     * Returns a row of switches. Port 1 of a switch leads to port 2 of the next one.
     *
     * @param switchesOfHosts the switch of each host
     */
    private static Fabric row(int switches, int... switchesOfHosts) {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < switches; sw++) {
            sketch.addSwitch("sw-" + sw, 20);
        }
        for (int sw = 1; sw < switches; sw++) {
            sketch.link(sw - 1, 1, sw, 2);
        }
        for (int host = 0; host < switchesOfHosts.length; host++) {
            sketch.addHost(switchesOfHosts[host], 3 + host);
        }
        return sketch.build();
    }

    private static PlanSketch plan(Subnet subnet, PlanSketch.Masks masks) {
        PlanSketch plan = new PlanSketch(subnet);
        plan.masks = masks;
        return plan;
    }

    @Test
    void findsNothingWhereNothingChangedOrThereIsNothingToCompare() {
        PlanSketch plan = plan(Subnets.of(row(3, 0, 1, 2)), (from, to) -> 1 << (from + to));
        PlanSketch again = plan(Subnets.of(row(3, 0, 1, 2)), (from, to) -> 1 << (from + to));
        for (SlStability stability : List.of(
                SlStability.compare(plan.plan(), again.plan()),
                SlStability.compare(null, plan.plan()),
                SlStability.compare(plan.plan(), null))) {
            assertThat(stability.changedPaths()).isZero();
            assertThat(stability.findings()).isEmpty();
        }
    }

    @Test
    void countsOrderedPairsOfDifferentLidsAndNamesTheFirst() {
        Subnet subnet = Subnets.of(row(2, 0, 1, 1));
        PlanSketch before = plan(subnet, (from, to) -> from == to ? 1 : 0x101);
        PlanSketch after = plan(subnet, (from, to) -> from == 0 && to == 1 ? 0x202 : before.masks.sls(from, to));
        SlStability stability = SlStability.compare(before.plan(), after.plan());
        assertThat(stability.changedPaths()).isEqualTo(2 * 3); // LIDs at switch 0 times LIDs at switch 1
        assertThat(stability.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
            assertThat(finding.text())
                    .contains("6 paths", "query the SA again", "may hang", "settings of the routing engine")
                    .contains("from LID 1 0x0000000000200000 \"sw-0\" to LID 2 0x0000000000200001 \"sw-1\":"
                            + " SL 0 or 8 before, 1 or 9 now");
        });
    }

    @Test
    void countsPathsWithinOneSwitchToo() {
        Subnet subnet = Subnets.of(row(1, 0, 0));
        SlStability stability = SlStability.compare(
                plan(subnet, (from, to) -> 1).plan(),
                plan(subnet, (from, to) -> 2).plan());
        assertThat(stability.changedPaths()).isEqualTo(3 * 2); // pairs of the switch and two hosts
        assertThat(stability.examples()).singleElement().asString().contains("LID 1 ", "LID 2 ");
    }

    @Test
    void leavesOutPathsThatEitherPlanCannotRoute() {
        Subnet subnet = Subnets.of(row(2));
        PlanSketch before = plan(subnet, (from, to) -> from == 0 ? 0 : 1);
        PlanSketch after = plan(subnet, (from, to) -> to == 0 ? 0 : 2);
        assertThat(SlStability.compare(before.plan(), after.plan()).changedPaths())
                .isZero();
    }

    @Test
    void leavesOutLidsThatBelongToAnotherPortNow() {
        Fabric fabric = row(2, 0, 1);
        int[] swapped = {1, 2, 4, 3};
        int[] lids = new int[fabric.portCount()];
        int next = 0;
        for (int port = 0; port < lids.length; port++) {
            lids[port] = fabric.isEndport(port) ? swapped[next++] : 0;
        }
        Subnet renumbered = new Subnet(fabric, lids, new byte[lids.length], Subnets.DEFAULT_PREFIX);
        SlStability stability = SlStability.compare(
                plan(Subnets.of(fabric), (from, to) -> 1).plan(),
                plan(renumbered, (from, to) -> 2).plan());
        assertThat(stability.changedPaths()).isEqualTo(2);
    }

    @Test
    void comparesAHostThatMovedByWhereItIsAndSaysWhy() {
        PlanSketch.Masks masks = (from, to) -> from == to ? 1 : 2;
        SlStability stability = SlStability.compare(
                plan(Subnets.of(row(2, 0)), masks).plan(),
                plan(Subnets.of(row(2, 1)), masks).plan());
        assertThat(stability.changedPaths()).isEqualTo(4);
        assertThat(stability.cause()).contains("moved to other switches");
        assertThat(stability.examples().get(0)).contains("\"host-0\" at 0x0000000000200001 \"sw-1\"");
    }

    @Test
    void blamesAnotherEngine() {
        Subnet subnet = Subnets.of(row(2));
        PlanSketch other = new PlanSketch(subnet);
        other.engine = "other";
        other.masks = (from, to) -> 4;
        assertThat(SlStability.compare(plan(subnet, (from, to) -> 1).plan(), other.plan())
                        .cause())
                .isEqualTo("The routing engine changed from tables to other");
    }

    @Test
    void namesPlacesAndNoMoreThanAFewPaths() {
        TorusSketch torus = TorusSketch.of(3, 3, 1, 1, 1);
        PlanSketch before = DatelineRouter.route(torus);
        PlanSketch after = DatelineRouter.route(torus);
        after.masks = (from, to) -> 1 << 5;
        SlStability stability = SlStability.compare(before.plan(), after.plan());
        assertThat(stability.changedPaths()).isEqualTo(18 * 17); // pairs of 9 switches and 9 hosts
        assertThat(stability.examples()).hasSize(SlStability.MAX_EXAMPLES);
        assertThat(stability.examples().get(1))
                .contains("\"sw(0,0,0)\" (0,0,0)")
                .contains("(1,0,0)");
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void countsLikeAQueryOfEveryPair(long seed) {
        Random random = Seeds.random(seed);
        for (int i = 0; i < 10; i++) {
            int switches = 1 + random.nextInt(6);
            int[] hosts = random.ints(random.nextInt(12), 0, switches).toArray();
            int[] moved = Arrays.stream(hosts)
                    .map(sw -> random.nextInt(4) == 0 ? random.nextInt(switches) : sw)
                    .toArray();
            PlanSketch before = randomPlan(Subnets.of(row(switches, hosts)), random);
            PlanSketch after = randomPlan(Subnets.of(row(switches, moved)), random);
            long changed = 0;
            for (int slid = 1; slid <= before.subnet().topLid(); slid++) {
                for (int dlid = 1; dlid <= before.subnet().topLid(); dlid++) {
                    int then = before.plan().pathSl(slid, dlid, 0);
                    int now = after.plan().pathSl(slid, dlid, 0);
                    changed += slid != dlid && then >= 0 && now >= 0 && then != now ? 1 : 0;
                }
            }
            SlStability stability = SlStability.compare(before.plan(), after.plan());
            assertThat(stability.changedPaths()).isEqualTo(changed);
            assertThat(stability.examples())
                    .hasSize(Math.min(stability.examples().size(), 3));
            assertThat(stability.examples().isEmpty()).isEqualTo(changed == 0);
        }
    }

    private static PlanSketch randomPlan(Subnet subnet, Random random) {
        int[][] masks = new int[8][8];
        for (int[] row : masks) {
            for (int to = 0; to < row.length; to++) {
                row[to] = random.nextInt(4) == 0 ? 0 : 1 << random.nextInt(3);
            }
        }
        return plan(subnet, (from, to) -> masks[from][to]);
    }

    /** Pairs whose SLs come from the same object are skipped; a LID that moved is compared with all. */
    @Test
    void pairsThatHaveTheSameSlsForSureAreNotAskedFor() {
        Subnet subnet = Subnets.of(row(12, IntStream.range(0, 12).toArray()));
        AtomicInteger asked = new AtomicInteger();
        PlanSketch sketch = plan(subnet, (from, to) -> {
            asked.incrementAndGet();
            return 1 << (from + to) % 16;
        });
        Plan before = sketch.plan();
        Plan after = before.onSubnet(Subnets.of(row(12, IntStream.range(0, 12).toArray())))
                .orElseThrow();
        asked.set(0);
        assertThat(SlStability.compare(before, after).changedPaths()).isZero();
        assertThat(asked.get()).isZero();
    }
}
