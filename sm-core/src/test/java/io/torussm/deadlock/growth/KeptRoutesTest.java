package io.torussm.deadlock.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DatelineRouter;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.incremental.IncrementalProof;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The routes of a torus of 5 x 5 switches with two hosts each that can stay. The three LIDs of a switch have the same
 * routes.
 */
class KeptRoutesTest {
    private static final byte NO_PATH = (byte) 0xff;
    private static final int SWITCHES = 25;
    private static final int LIDS = 75;

    private final TorusSketch torus = TorusSketch.of(5, 5, 1, 1, 2);
    private final PlanSketch dateline = DatelineRouter.route(torus);

    private static KeptRoutes kept(Plan plan) {
        return new KeptRoutes(plan, TestRouting.QOS, DeadlockChecker.TrafficSource.NONE, 1);
    }

    private int[] lidsAt(int sw) {
        return IntStream.rangeClosed(1, LIDS)
                .filter(lid -> torus.subnet().switchOfLid(lid) == sw)
                .toArray();
    }

    @Test
    void routesWithoutALoopAreAllKept() {
        KeptRoutes kept = kept(dateline.plan());
        assertThat(kept.isComplete()).isTrue();
        assertThat(kept.lostShare()).isZero();
        assertThat(kept.lfts).isDeepEqualTo(dateline.lfts);
        assertThat(kept.isAcyclic(null)).isTrue();
        assertThat(kept.counts().routes()).isEqualTo(LIDS * (SWITCHES - 1));
    }

    /** Switch 8 has no entries for the three LIDs of switch 3, so that switches which route over it lose them too. */
    @Test
    void routesOverASwitchWithoutAnEntryAreLost() {
        for (int lid : lidsAt(3)) {
            dateline.lfts[8][lid] = NO_PATH;
        }
        int affected = (int) IntStream.range(0, SWITCHES)
                .filter(sw -> path(sw, lidsAt(3)[0]).contains(" 8 "))
                .count();
        assertThat(affected).isGreaterThan(1);
        KeptRoutes kept = kept(dateline.plan());
        assertThat(kept.isComplete()).isFalse();
        assertThat(kept.lostShare()).isEqualTo((double) (3 * affected) / (LIDS * SWITCHES));
        for (int sw = 0; sw < SWITCHES; sw++) {
            for (int lid = 1; lid <= LIDS; lid++) {
                boolean isLost =
                        torus.subnet().switchOfLid(lid) == 3 && path(sw, lid).contains(" 8 ");
                assertThat(kept.lfts[sw][lid]).isEqualTo(isLost ? NO_PATH : dateline.lfts[sw][lid]);
            }
        }
    }

    /** Returns the switches from a switch to a LID, or to the first one without an entry. */
    private String path(int from, int lid) {
        StringBuilder path = new StringBuilder(" ");
        Fabric fabric = torus.subnet().fabric();
        for (int sw = from; ; ) {
            path.append(sw).append(' ');
            if (sw == torus.subnet().switchOfLid(lid) || dateline.lfts[sw][lid] == NO_PATH) {
                return path.toString();
            }
            sw = fabric.nodeOf(fabric.peer(fabric.port(sw, dateline.lfts[sw][lid])));
        }
    }

    @Test
    void aFabricWithoutAnyRouteIsIncompleteForEachDestination() {
        KeptRoutes kept = kept(new PlanSketch(torus.subnet()).plan());
        assertThat(kept.isComplete()).isFalse();
        assertThat(kept.lostShare()).isEqualTo((SWITCHES - 1.0) / SWITCHES);
    }

    /** An engine that left out a switch has no entries there, not even for its own LIDs. */
    @Test
    void packetsAreDeliveredAtTheSwitchOfALidWithoutAnEntryOfTheEngine() {
        for (int lid : new int[] {1, 2, LIDS}) {
            dateline.lfts[torus.subnet().switchOfLid(lid)][lid] = NO_PATH;
        }
        KeptRoutes kept = kept(dateline.plan());
        for (int lid : new int[] {1, 2, LIDS}) {
            assertThat((int) kept.lfts[torus.subnet().switchOfLid(lid)][lid])
                    .isEqualTo(torus.subnet().deliveryPort(lid));
        }
        assertThat(kept.isComplete()).isTrue();
    }

    /** SLs 0 to 3 without a dateline, over one and both of them, and those of the other half: 0x101 times 1, 2, 4. */
    @Test
    void slsAreThoseOfRoutesAndOfPairsWithoutOne() {
        int all = 0x101 | 0x202 | 0x404 | 0x808;
        assertThat(kept(dateline.plan()).sls()).isEqualTo(all);
        DeadlockChecker checker = new DeadlockChecker(1);
        Certificate proof = (Certificate) checker.check(dateline.plan(), TestRouting.QOS);
        KeptRoutes known =
                new KeptRoutes(dateline.plan(), TestRouting.QOS, IncrementalProof.source(TestRouting.QOS, proof, 1), 1);
        assertThat(known.sls()).isEqualTo(all);
        for (byte[] lft : dateline.lfts) {
            Arrays.fill(lft, NO_PATH);
        }
        assertThat(kept(dateline.plan()).sls()).as("no route is left").isEqualTo(all);
    }

    /** Routes of minhop on rings have credit loops, in each direction and on each VL. */
    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6, 7, 8, 9})
    void keptRoutesOfRingsHaveNoLoop(int switches) {
        for (int vlCap : new int[] {1, 4}) {
            Sketch sketch = new Sketch().vlCap(vlCap);
            for (int sw = 0; sw < switches; sw++) {
                sketch.addSwitch("sw-" + sw, 3);
            }
            for (int sw = 0; sw < switches; sw++) {
                sketch.link(sw, 1, (sw + 1) % switches, 2);
                sketch.addHost(sw, 3);
            }
            Plan plan = (Plan) new MinHopEngine().route(Subnets.of(sketch.build()), TestRouting.QOS);
            KeptRoutes kept = kept(plan);
            assertThat(kept.isAcyclic(null)).isTrue();
            assertThat(kept.isComplete()).isFalse();
            assertThat(kept.lostShare()).isLessThan(0.3);
        }
    }

    /** Four switches, each connected to each: 32 pairs of a switch and a LID, of which 8 are a quarter. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 9, 12})
    void routesAreCompletedIfAtMostAQuarterIsLost(int lostRoutes) {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < 4; sw++) {
            sketch.addSwitch("sw-" + sw, 8);
        }
        for (int sw = 0; sw < 4; sw++) {
            for (int to = sw + 1; to < 4; to++) {
                sketch.link(sw, to + 1, to, sw + 1);
            }
            sketch.addHost(sw, 8);
        }
        PlanSketch mesh = new PlanSketch(Subnets.of(sketch.build()));
        mesh.claimsDeadlockFree = false;
        int lost = 0;
        for (int lid = 1; lid <= 8; lid++) {
            int to = mesh.subnet.switchOfLid(lid);
            for (int sw = 0; sw < 4; sw++) {
                if (sw != to && lost++ >= lostRoutes) {
                    mesh.lfts[sw][lid] = (byte) (to + 1);
                }
            }
        }
        assertThat(kept(mesh.plan()).lostShare()).isEqualTo(lostRoutes / 32.0);
        Plan completed = new LastResort(
                        mesh.plan(), "cut", null, TestRouting.QOS, DeadlockChecker.TrafficSource.NONE, 1)
                .complete();
        assertThat(completed.degradation().orElseThrow().isUpDown()).isEqualTo(lostRoutes > 8);
    }

    /** If the next number goes to a channel with a lower wish, it had to wait for the one before. */
    @Test
    void channelsAreNumberedInTheWantedOrderAsFarAsDependenciesLeaveIt() {
        ChannelDependencyGraph graph = kept(dateline.plan()).graph();
        Random random = Seeds.random(5);
        int[] wish = IntStream.range(0, graph.size())
                .map(any -> random.nextInt(1000))
                .toArray();
        int[] numbering = KeptRoutes.numbering(graph, wish);
        int[] byNumber = new int[graph.channelCount()];
        for (int channel = 0; channel < numbering.length; channel++) {
            assertThat(numbering[channel] == Fabric.NONE).isEqualTo(!graph.isUsed(channel));
            if (numbering[channel] != Fabric.NONE) {
                byNumber[numbering[channel]] = channel;
            }
        }
        for (int number = 1; number < byNumber.length; number++) {
            int previous = byNumber[number - 1];
            int channel = byNumber[number];
            boolean isWaiting = IntStream.range(graph.first(previous), graph.first(previous + 1))
                    .anyMatch(edge -> graph.successor(edge) == channel);
            assertThat(wish[previous] < wish[channel]
                            || (wish[previous] == wish[channel] && previous < channel)
                            || isWaiting)
                    .isTrue();
        }
        for (int channel = 0; channel < graph.size(); channel++) {
            for (int edge = graph.first(channel); edge < graph.first(channel + 1); edge++) {
                assertThat(numbering[channel]).isLessThan(numbering[graph.successor(edge)]);
            }
        }
    }

    /** All routes lead to the first switch. The channels of a link without packets have no number. */
    @Test
    void unusedVlsOfAUsedLinkFollowAUsedOne() {
        for (byte[] lft : dateline.lfts) {
            Arrays.fill(lft, 4, lft.length, NO_PATH);
        }
        int[] numbering = Objects.requireNonNull(kept(dateline.plan()).graph().numbering());
        assertThat(numbering.length % Channels.VLS).isZero();
        int[] placed = LastResort.numberUnusedVls(numbering);
        Integer[] order = IntStream.range(0, placed.length)
                .filter(channel -> placed[channel] != Fabric.NONE)
                .boxed()
                .sorted((one, other) -> Integer.compare(placed[one], placed[other]))
                .toArray(Integer[]::new);
        int lastUsed = Fabric.NONE;
        for (int i = 0; i < order.length; i++) {
            int channel = order[i];
            assertThat(placed[channel]).as("consecutive numbers").isEqualTo(i);
            if (numbering[channel] == Fabric.NONE) {
                assertThat(channel / Channels.VLS).as("its link").isEqualTo(lastUsed / Channels.VLS);
            } else {
                assertThat(lastUsed == Fabric.NONE ? -1 : numbering[lastUsed]).isLessThan(numbering[channel]);
                lastUsed = channel;
            }
        }
        for (int channel = 0; channel < placed.length; channel++) {
            int first = channel / Channels.VLS * Channels.VLS;
            boolean isLinkUsed =
                    IntStream.range(first, first + Channels.VLS).anyMatch(each -> numbering[each] != Fabric.NONE);
            assertThat(placed[channel] != Fabric.NONE).isEqualTo(isLinkUsed);
        }
        assertThat(IntStream.of(placed).anyMatch(number -> number == Fabric.NONE))
                .isTrue();
    }
}
