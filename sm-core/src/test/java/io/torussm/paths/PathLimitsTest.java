package io.torussm.paths;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.AliasGuids;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.partition.PartitionPlan;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sa.query.IndexedViews;
import io.torussm.sa.query.ViewIndex;
import io.torussm.sim.VirtualLoop;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.TorusSketch;
import io.torussm.view.PublishedView;
import io.torussm.view.QosTables;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Cached limits for all switches equal the limits along each single path. */
class PathLimitsTest {
    private static final int SEEDS = 30;

    private static ViewIndex index(Plan plan) {
        Subnet subnet = plan.subnet();
        PublishedView view = new PublishedView(
                subnet, plan, null, PartitionPlan.withoutConf(subnet.fabric()), 0, 18, 16, false, QosTables.NONE, 1);
        return Objects.requireNonNull(new IndexedViews(() -> view, new AliasGuids(new VirtualLoop(), () -> 0)).index());
    }

    private static Plan minHop(Subnet subnet) {
        return (Plan) new MinHopEngine().route(subnet, new RoutingOptions(false, 5, 0));
    }

    /** Returns a plan with damaged entries: back, to the wrong host, to no port, in loops. */
    private static Plan damaged(Plan plan, Random random) {
        Fabric fabric = plan.subnet().fabric();
        byte[][] lfts = new byte[fabric.switchCount()][];
        for (int sw = 0; sw < lfts.length; sw++) {
            lfts[sw] = plan.lft(sw).clone();
            for (int i = random.nextInt(6); i > 0; i--) {
                int out = random.nextInt(fabric.numPorts(sw) + 3);
                boolean isNone = out > fabric.numPorts(sw);
                lfts[sw][1 + random.nextInt(plan.subnet().topLid())] =
                        (byte) (isNone ? LinearForwardingTable.NO_PATH : out);
            }
        }
        return plan.withTables(lfts).build();
    }

    @Test
    void areTheSameWhetherKeptOrNot() {
        int without = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            Subnet subnet = TorusSketch.of(3, 4, 1 + seed % 3, 1, 2).subnet();
            ViewIndex index = index(damaged(minHop(subnet), Seeds.random(seed)));
            PathLimits kept = new PathLimits(index);
            PathLimits followed = new PathLimits(index, 0);
            PathLimits few = new PathLimits(index, 2 * subnet.fabric().switchCount());
            for (int dlid = 1; dlid <= subnet.topLid(); dlid++) {
                for (int sw = 0; sw < subnet.fabric().switchCount(); sw++) {
                    int limits = followed.from(sw, dlid);
                    assertThat(kept.from(sw, dlid)).isEqualTo(limits);
                    assertThat(few.from(sw, dlid)).isEqualTo(limits);
                    without += limits == PathLimits.NO_PATH ? 1 : 0;
                }
            }
            assertThat(kept.bytes()).isPositive();
            assertThat(followed.bytes()).isZero();
            assertThat(few.bytes()).isEqualTo(2L * subnet.fabric().switchCount());
        }
        assertThat(without).isPositive();
    }

    @Test
    void whereAllCablesAreAlikeHostsCostNothing() {
        Subnet subnet = TorusSketch.of(4, 4, 4, 1, 2).subnet();
        Fabric fabric = subnet.fabric();
        PathLimits limits = new PathLimits(index(minHop(subnet)));
        for (int port = 0; port < fabric.portCount(); port++) {
            for (int sw = 0; subnet.lid(port) != 0 && !fabric.isSwitch(fabric.nodeOf(port)) && sw < 64; sw++) {
                assertThat(limits.from(sw, subnet.lid(port))).isNotEqualTo(PathLimits.NO_PATH);
            }
        }
        assertThat(limits.bytes()).isEqualTo(fabric.switchCount());
    }

    /** The first request after a publication does not wait for a pass over the fabric. */
    @Test
    void allSwitchesAreLookedAtOnceSingleWaysHaveTakenAsManySteps() {
        Subnet subnet = TorusSketch.of(4, 4, 4, 1, 2).subnet();
        int switches = subnet.fabric().switchCount();
        PathLimits limits = new PathLimits(index(minHop(subnet)));
        for (int dlid = 1; dlid <= subnet.topLid(); dlid++) {
            limits.from(switches - 1, dlid);
        }
        assertThat(limits.bytes()).isZero();
        int lid = subnet.lid(subnet.fabric().port(0, 0));
        for (int asked = 2; asked <= switches && limits.bytes() == 0; asked++) {
            limits.from(switches - 1, lid);
        }
        assertThat(limits.bytes()).isEqualTo(switches);
    }
}
