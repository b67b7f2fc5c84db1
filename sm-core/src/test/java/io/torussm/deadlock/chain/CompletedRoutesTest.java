package io.torussm.deadlock.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.routing.RecordedCases;
import io.torussm.routing.dor.DorEngine;
import io.torussm.routing.ftree.FatTreeEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.routing.sssp.SsspEngine;
import io.torussm.routing.statistics.PathStatistics;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import io.torussm.testing.TreeSketch;
import io.torussm.testing.TreeSketch.TreeCable;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Recorded fabrics that an engine refuses, since a tree has lost something, some hosts have no path up and down, or its
 * routes have a credit loop: the last resort completes what the engine has.
 */
class CompletedRoutesTest {
    /**
     * A tree whose leaves have three cables up, but for one that has four, is refused for its shape alone: hosts have
     * their paths, and packets of spines to spines never had any.
     */
    @Test
    void routesOfAnUnevenTreeWithAllPathsStayUnchanged() {
        Subnet subnet = Subnets.of(unevenTree().build());
        RoutingChain.ChainResult result =
                complete(new RoutingChain.Member(new FatTreeEngine(), EngineConfig.NONE), subnet);
        Plan plan = Objects.requireNonNull(result.plan());
        assertThat(result.refusals()).hasSize(1);
        assertThat(result.verdict()).isInstanceOf(Certificate.class);
        assertThat(plan.degradation().orElseThrow().bentRoutes()).isZero();
        assertThat(plan.degradation().orElseThrow().longest()).isEqualTo(4);
        assertThat(PathStatistics.of(plan, new PathEnds(subnet)).pairs()).isEqualTo(64 * 63);
    }

    /** If few routes change, the proof rests on the one before, though some pairs lose SLs with their routes. */
    @Test
    void aLostCableOfAnUnevenTreeIsProvedFromTheProofBefore() {
        TreeSketch tree = unevenTree();
        RoutingChain chain = chain(new RoutingChain.Member(new FatTreeEngine(), EngineConfig.NONE));
        Subnet whole = Subnets.of(tree.build());
        RoutingChain.ChainResult before = chain.route(whole, TestRouting.QOS);
        Certificate proof = (Certificate) Objects.requireNonNull(before.verdict());
        tree.lose(tree.cables().size() / 2);
        RoutingChain.ChainResult result =
                chain.route(Subnets.of(tree.build()), TestRouting.QOS, before.plan(), EarlierFacts.NONE, proof);
        Plan plan = Objects.requireNonNull(result.plan());
        assertThat(plan.degradation()).isPresent();
        assertThat(result.verdict()).isInstanceOfSatisfying(Certificate.class, now -> {
            assertThat(now.isIncremental()).isTrue();
            assertThat(chain.fullProofDifference(now)).isEmpty();
            assertThat(now.verify(plan, TestRouting.QOS)).isTrue();
        });
    }

    private static TreeSketch unevenTree() {
        TreeSketch tree = TreeSketch.kAry(4, 3);
        for (int leaf = 0; leaf < 15; leaf++) {
            int sw = leaf;
            List<TreeCable> up =
                    tree.cables().stream().filter(cable -> cable.lower() == sw).toList();
            tree.cables().remove(up.get(leaf % 4));
        }
        return tree;
    }

    /** The share of routes to hosts that go as the engine has them go, in percent. */
    @ParameterizedTest
    @CsvSource({
        "ftree, uneven, 100",
        "ftree, spine3_io1, 100",
        "updn, cut, 100",
        "minhop, torus44, 79",
        "minhop, ring7, 87",
        "dor, torus55, 84",
        "dor, mesh_lost, 92",
        "sssp, ring7, 87",
        "sssp, rnd20, 98"
    })
    void everybodyIsServedAndRoutesOfTheEngineAreKept(String name, String recorded, int kept) {
        RecordedCases.Case tree = RecordedCases.of(name, recorded);
        Engine engine = Stream.of(
                        new FatTreeEngine(), new UpDownEngine(), new MinHopEngine(), new DorEngine(), new SsspEngine())
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        Subnet subnet = tree.states().get(0).subnet();
        RoutingChain.ChainResult result = complete(new RoutingChain.Member(engine, tree.config()), subnet);

        assertThat(result.refusals()).hasSize(1);
        assertThat(result.verdict()).isInstanceOf(Certificate.class);
        Plan plan = Objects.requireNonNull(result.plan());
        PathEnds hosts = new PathEnds(subnet);
        long ends = hosts.ports().length;
        assertThat(PathStatistics.of(plan, hosts).pairs()).isEqualTo(ends * (ends - 1));
        assertThat(plan.degradation()).isPresent();
        Plan partial = Objects.requireNonNull(result.refusals().get(0).partialPlan());
        int own = 0;
        int same = 0;
        for (int sw = 0; sw < subnet.fabric().switchCount(); sw++) {
            for (int end : hosts.ports()) {
                byte wanted = partial.lft(sw)[hosts.lid(end)];
                own += wanted == (byte) 0xff ? 0 : 1;
                same += wanted != (byte) 0xff && wanted == plan.lft(sw)[hosts.lid(end)] ? 1 : 0;
            }
        }
        assertThat(100.0 * same / own).isGreaterThanOrEqualTo(kept);
    }

    /** Detours would crowd on few links. */
    @Test
    void routesAreNotBentWhereMostWouldHaveToBe() {
        Subnet subnet = TorusSketch.of(6, 6, 6, 1, 1).subnet();
        Plan plan =
                Objects.requireNonNull(complete(new RoutingChain.Member(new MinHopEngine(), EngineConfig.NONE), subnet)
                        .plan());
        assertThat(plan.degradation().orElseThrow().isUpDown()).isTrue();
    }

    private static RoutingChain.ChainResult complete(RoutingChain.Member engine, Subnet subnet) {
        return chain(engine).route(subnet, TestRouting.QOS);
    }

    private static RoutingChain chain(RoutingChain.Member engine) {
        return new RoutingChain(new DeadlockChecker(1), List.of(engine), ChainPolicy.WITH_LAST_RESORT);
    }
}
