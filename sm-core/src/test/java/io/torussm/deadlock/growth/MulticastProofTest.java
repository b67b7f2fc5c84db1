package io.torussm.deadlock.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DatelineRouter;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.RoutingResult;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Trees for multicast together with dimension-order routing that has datelines but no VL for turns against the order.
 */
class MulticastProofTest {
    private static final int X = 5;
    private static final int Y = 4;

    private final DeadlockChecker checker = new DeadlockChecker(2);
    private final TorusSketch torus = TorusSketch.of(X, Y, 1, 2, 1);
    private final Fabric fabric = torus.subnet().fabric();
    private final PlanSketch plan = DatelineRouter.route(torus);

    /** Returns a spine along x in row 0 and columns along y, none of which passes a dateline. */
    private MulticastTree comb() {
        int[] parent = new int[X * Y];
        int[][] cables = new int[X * Y][0];
        for (int sw = 0; sw < X * Y; sw++) {
            int group = torus.at(sw, 1) > 0 ? 3 : 1;
            parent[sw] = sw == 0 ? Fabric.NONE : torus.at(sw, 1) > 0 ? sw - X : sw - 1;
            cables[sw] = sw == 0 ? new int[0] : new int[] {torus.port(group, 0), torus.port(group, 1)};
        }
        return new MulticastTree(fabric, 0, parent, cables);
    }

    /** Returns the comb with a change: the far half of the first column is attached to the spine over the dateline. */
    private MulticastTree overTheDateline(int cable) {
        MulticastTree comb = comb();
        int[] parent = IntStream.range(0, X * Y).map(comb::parent).toArray();
        int[][] cables = new int[X * Y][];
        for (int sw = 0; sw < X * Y; sw++) {
            cables[sw] = new int[] {torus.port(torus.at(sw, 1) > 0 ? 3 : 1, cable)};
        }
        parent[3 * X] = 0;
        parent[2 * X] = 3 * X;
        cables[3 * X] = new int[] {torus.port(2, cable)};
        cables[2 * X] = new int[] {torus.port(2, cable)};
        return new MulticastTree(fabric, 0, parent, cables);
    }

    @Test
    void aCombThatKeepsWithinTheDatelinesGoesWithUnicast() {
        plan.tree = Optional.of(comb());
        DeadlockChecker.Proof proof = checker.prove(plan.plan(), TestRouting.QOS, TreeGrowth::candidates);
        assertThat(proof.multicast()).isEqualTo(comb());
        assertThat(proof.isPlanned()).isTrue();
        Certificate certificate = (Certificate) proof.verdict();
        assertThat(certificate.verify(plan.plan(), TestRouting.QOS)).isTrue();
        assertThat(certificate.text()).endsWith("multicast included");
        assertThat(certificate.dependencyCount())
                .isGreaterThan(((Certificate) checker.check(plan.plan(), TestRouting.QOS)).dependencyCount());
    }

    /** Packets to hosts take the second of two cables. */
    @Test
    void groupsCountForEveryWayInWhichHostsChooseSls() {
        assertThat(SlVerdicts.of(plan.plan(), comb(), TestRouting.QOS, checker).pathRecords())
                .isTrue();
        assertThat(SlVerdicts.of(plan.plan(), overTheDateline(1), TestRouting.QOS, checker)
                        .pathRecords())
                .isFalse();
    }

    @Test
    void aCertificateOfUnicastAloneDoesNotHoldForATree() {
        Certificate unicast = (Certificate) checker.check(plan.plan(), TestRouting.QOS);
        assertThat(unicast.verify(plan.plan(), TestRouting.QOS)).isTrue();
        plan.tree = Optional.of(comb());
        Certificate both = (Certificate) checker.prove(plan.plan(), TestRouting.QOS, TreeGrowth::candidates)
                .verdict();
        plan.rows = (sw, in, out) -> DatelineRouter.row(torus.group(out) / 2, false);
        assertThat(both.verify(plan.plan(), TestRouting.QOS)).isFalse();
    }

    @Test
    void aTreeOverTheDatelineOfAWholeRingIsRejectedAndAnotherIsGrown() {
        plan.tree = Optional.of(overTheDateline(0));
        assertThat(checker.prove(plan.plan(), TestRouting.QOS, TreeGrowth::candidates)
                        .multicast())
                .isNull();

        plan.roots = new int[] {7, 8};
        DeadlockChecker.Proof proof = checker.prove(plan.plan(), TestRouting.QOS, TreeGrowth::candidates);
        assertThat(proof.isPlanned()).isFalse();
        MulticastTree grown = proof.multicast();
        assertThat(grown).isNotNull();
        if (grown != null) {
            assertThat(grown.root()).isEqualTo(7);
            assertThat(IntStream.range(0, X * Y).filter(sw -> !grown.spans(sw))).isEmpty();
            assertThat(((Certificate) proof.verdict()).verify(plan.plan(), TestRouting.QOS))
                    .isTrue();
        }
    }

    /** The edge over the dateline closes no circle yet; the one behind it does, and gives way. */
    @Test
    void aTreeIsGrownLikeTheOneThatIsTurnedDown() {
        MulticastTree wish = overTheDateline(0);
        plan.tree = Optional.of(wish);
        plan.roots = new int[] {7, 0};
        DeadlockChecker.Proof proof = checker.prove(plan.plan(), TestRouting.QOS, TreeGrowth::candidates);
        assertThat(proof.isPlanned()).isFalse();
        MulticastTree grown = proof.multicast();
        assertThat(grown).isNotNull();
        if (grown != null) {
            assertThat(grown.root()).isZero();
            assertThat(IntStream.range(0, X * Y).filter(sw -> grown.parent(sw) != wish.parent(sw)))
                    .containsExactly(2 * X);
        }
    }

    @Test
    void theLastResortUsesTheTreeOfTheEngineIfItSpansAllSwitches() {
        MulticastTree comb = comb();
        for (int lid = 30; lid < 40; lid++) {
            plan.lfts[1][lid] = torus.subnet().switchOfLid(lid) == 1 ? plan.lfts[1][lid] : (byte) 0xff;
        }
        plan.roots = new int[] {0};
        plan.tree = Optional.of(comb);
        assertThat(completed().multicastTree()).hasValue(comb);

        int last = X * Y - 1;
        int[] parent = IntStream.range(0, X * Y)
                .map(sw -> sw == last ? Fabric.NONE : comb.parent(sw))
                .toArray();
        int[][] cables = IntStream.range(0, X * Y)
                .mapToObj(sw ->
                        parent[sw] == Fabric.NONE ? new int[0] : new int[] {fabric.portNum(comb.portAtParent(sw, 0))})
                .toArray(int[][]::new);
        plan.tree = Optional.of(new MulticastTree(fabric, 0, parent, cables));
        MulticastTree grown = completed().multicastTree().orElseThrow();
        assertThat(grown.spans(last)).isTrue();
        assertThat(IntStream.range(0, last).filter(sw -> grown.parent(sw) != comb.parent(sw)))
                .isEmpty();
    }

    private Plan completed() {
        Plan completed = new LastResort(
                        plan.plan(), "cut", null, TestRouting.QOS, DeadlockChecker.TrafficSource.NONE, 1)
                .complete();
        assertThat(completed.degradation().orElseThrow().bentRoutes()).isPositive();
        return completed;
    }

    /**
     * A ring of four on which unicast makes every turn on VL 0 but one in either direction, at opposite switches. A
     * tree lacks one cable, so it passes at least one of the two switches, and closes the circle there.
     */
    @Test
    void whereEveryTreeClosesALoopMulticastIsOffAndUnicastIsNot() {
        TorusSketch ring = TorusSketch.of(4, 1, 1, 1, 2);
        PlanSketch tables = new PlanSketch(ring.subnet());
        DatelineRouter.routeAlmostEveryTurn(ring, tables);
        tables.roots = new int[] {0, 1, 2, 3};

        DeadlockChecker.Proof proof = checker.prove(tables.plan(), TestRouting.QOS, TreeGrowth::candidates);

        assertThat(proof.verdict()).isInstanceOf(Certificate.class);
        assertThat(proof.multicast()).isNull();
        assertRoomIsMade(ring, tables);
        RoutingChain chain = new RoutingChain(List.of(engineOf(tables.plan())), checker);
        assertThat(chain.route(ring.subnet(), TestRouting.QOS).findings())
                .anyMatch(finding -> finding.severity() == Finding.Severity.ERROR
                        && finding.text().startsWith("multicast is off: every tree that was tried"));
    }

    /** Checks that a variant of the engine replaces its routes if the variant is proved together with a tree. */
    private void assertRoomIsMade(TorusSketch ring, PlanSketch tables) {
        Plan plan = tables.plan();
        PlanSketch roomy = DatelineRouter.route(ring);
        roomy.roots = tables.roots;
        Plan variant = roomy.plan();
        PlanSketch broken = DatelineRouter.route(ring);
        broken.roots = tables.roots;
        broken.lfts[0][ring.subnet().topLid()] = (byte) 0xff;
        for (Plan room : List.of(variant, plan, broken.plan())) {
            Plan routed = plan.withTables(tables.lfts)
                    .roomForMulticast(() -> Optional.of(room))
                    .build();
            RoutingChain.ChainResult result =
                    new RoutingChain(List.of(engineOf(routed)), checker).route(ring.subnet(), TestRouting.QOS);
            assertThat(result.plan()).isSameAs(room.equals(variant) ? variant : routed);
            assertThat(result.verdict()).isInstanceOf(Certificate.class);
            assertThat(result.multicast() != null).isEqualTo(room.equals(variant));
        }
    }

    private static Engine engineOf(Plan plan) {
        return new Engine() {
            @Override
            public String name() {
                return plan.engine();
            }

            @Override
            public RoutingResult route(EngineContext context) {
                return plan;
            }
        };
    }
}
