package io.torussm.deadlock.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Engine;
import io.torussm.routing.Plan;
import io.torussm.routing.dor.DorEngine;
import io.torussm.routing.ftree.FatTreeEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TreeSketch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The last resort with an earlier proof at hand makes the plan that it makes without one. */
class CompletedFromProofTest {
    private static final int LOSSES = 3;

    private int completedCount;
    private int incrementalCount;
    private int bentCount;

    @Test
    void makesTheSamePlanFromTheProofBefore() {
        makeTheSamePlans(16);
    }

    @Test
    @Tag("campaign")
    void makesTheSamePlanFromTheProofBeforeOnManyFabrics() {
        makeTheSamePlans(200);
    }

    private void makeTheSamePlans(int fabrics) {
        for (int seed = 0; seed < fabrics; seed++) {
            Random random = Seeds.random(seed);
            boolean isTree = seed % 2 == 0;
            Supplier<Fabric> losing = isTree ? tree(random) : torus(random);
            Engine engine = (isTree
                            ? List.of(new FatTreeEngine(), new MinHopEngine(), new UpDownEngine(), new DorEngine())
                            : List.of(new MinHopEngine(), new DorEngine()))
                    .get(seed / 2 % (isTree ? 4 : 2));
            RoutingChain chain =
                    new RoutingChain(List.of(engine), new DeadlockChecker(2), ChainPolicy.WITH_LAST_RESORT);
            RoutingChain.ChainResult before = chain.route(Subnets.of(losing.get()), TestRouting.QOS);
            for (int loss = 0; loss < LOSSES && before.plan() != null; loss++) {
                before = compare("seed " + seed + " loss " + loss, chain, Subnets.of(losing.get()), before);
            }
        }
        assertThat(completedCount).isGreaterThan(fabrics);
        assertThat(incrementalCount).isGreaterThan(completedCount / 4);
        assertThat(bentCount).isGreaterThan(completedCount / 4);
    }

    private RoutingChain.ChainResult compare(
            String name, RoutingChain chain, Subnet subnet, RoutingChain.ChainResult before) {
        Plan active = Objects.requireNonNull(before.plan());
        Certificate proof = (Certificate) Objects.requireNonNull(before.verdict());
        RoutingChain.ChainResult result = chain.route(subnet, TestRouting.QOS, active, EarlierFacts.NONE, proof);
        RoutingChain.ChainResult alone = chain.route(subnet, TestRouting.QOS, active, EarlierFacts.NONE, null);
        if (result.plan() == null) {
            assertThat(alone.plan()).as(name).isNull();
            return result;
        }
        Plan plan = result.plan();
        Plan other = Objects.requireNonNull(alone.plan());
        Certificate certificate = (Certificate) Objects.requireNonNull(result.verdict());
        assertThat(plan.degradation()).as(name).isEqualTo(other.degradation());
        assertThat(plan.multicastTree()).as(name).isEqualTo(other.multicastTree());
        assertThat(result.multicast()).as(name).isEqualTo(alone.multicast());
        for (int sw = 0; sw < subnet.fabric().switchCount(); sw++) {
            assertThat(plan.lft(sw)).as(name).isEqualTo(other.lft(sw));
        }
        assertThat(chain.fullProofDifference(certificate)).as(name).isEmpty();
        if (plan.degradation().isPresent()) {
            completedCount++;
            incrementalCount += certificate.isIncremental() ? 1 : 0;
            bentCount += plan.degradation().orElseThrow().bentRoutes() > 0 ? 1 : 0;
        }
        return result;
    }

    /** Returns a tree that has lost a cable more each time. */
    private static Supplier<Fabric> tree(Random random) {
        TreeSketch tree = random.nextBoolean()
                ? TreeSketch.kAry(3, 3)
                : new TreeSketch(2, new int[] {3 + random.nextInt(4)}, new int[] {3}, 1);
        tree.lose(random, random.nextInt(4), 1);
        return () -> {
            tree.lose(random, 1, 1);
            return tree.build();
        };
    }

    /** Returns a torus of two dimensions with a host at each switch that has lost a cable more each time. */
    private static Supplier<Fabric> torus(Random random) {
        int x = 3 + random.nextInt(3);
        int y = 3 + random.nextInt(3);
        List<int[]> cables = new ArrayList<>();
        for (int sw = 0; sw < x * y; sw++) {
            cables.add(new int[] {sw, 1, sw / x * x + (sw % x + 1) % x, 2});
            cables.add(new int[] {sw, 3, (sw + x) % (x * y), 4});
        }
        return () -> {
            cables.remove(random.nextInt(cables.size()));
            Sketch sketch = new Sketch();
            for (int sw = 0; sw < x * y; sw++) {
                sketch.addSwitch("sw" + sw, 5);
            }
            cables.forEach(cable -> sketch.link(cable[0], cable[1], cable[2], cable[3]));
            for (int sw = 0; sw < x * y; sw++) {
                sketch.addHost(sw, 5);
            }
            return sketch.build();
        };
    }
}
