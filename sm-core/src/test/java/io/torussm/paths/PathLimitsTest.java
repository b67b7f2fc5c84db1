package io.torussm.paths;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.AliasGuids;
import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sa.query.IndexedViews;
import io.torussm.sa.query.ViewIndex;
import io.torussm.sim.VirtualLoop;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.TorusSketch;
import io.torussm.testing.ViewDraft;
import io.torussm.view.PublishedView;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The limits of paths, cached or not, equal the smallest MTU and the lowest rate that a walk along the LFTs finds. */
class PathLimitsTest {
    private static final int SEEDS = 30;
    private static final String UNREACHABLE = "unreachable";

    /** Rate codes of cables, slowest first: 10, 20 and 40 Gb/s. The order of these codes is that of the data rates. */
    private static final int[] RATES = {3, 6, 7};

    /** Values of LinkSpeedActive for {@link #RATES} at width 4x: SDR, DDR, QDR. */
    private static final int[] SPEEDS = {1, 2, 4};

    private static final int WIDTH_4X = 2;
    private static final int MAX_MTU = 5;

    /** A plan of a fabric, and the limits of its cables by the port index of either end; port 0 has an MTU only. */
    private record MixedCables(Plan plan, int[] mtu, int[] rate) {

        /** Draws an MTU for each port 0, and an MTU and a speed for each cable. */
        static MixedCables of(Plan plan, Random random) {
            Fabric fabric = plan.subnet().fabric();
            int[] mtu = new int[fabric.portCount()];
            int[] rate = new int[fabric.portCount()];
            @Nullable PortInfo[] infos = new PortInfo[fabric.portCount()];
            for (int port = 0; port < infos.length; port++) {
                int far = fabric.peer(port);
                boolean isDrawn = far != Fabric.NONE && far < port;
                int speed = random.nextInt(SPEEDS.length);
                mtu[port] = isDrawn ? mtu[far] : 1 + random.nextInt(MAX_MTU);
                rate[port] = isDrawn ? rate[far] : RATES[speed];
                PortInfo info = fabric.portInfo(port);
                infos[port] = info == null ? null : infoOf(info, mtu[port], rate[port]);
            }
            Subnet subnet = plan.subnet().with(fabric.with(infos));
            byte[][] lfts = new byte[fabric.switchCount()][];
            Arrays.setAll(lfts, plan::lft);
            return new MixedCables(Plan.builder(plan.engine(), subnet, lfts).build(), mtu, rate);
        }

        private static PortInfo infoOf(PortInfo info, int mtu, int rate) {
            int speed = SPEEDS[Arrays.binarySearch(RATES, rate)];
            return info.with(PortInfo.MTU_CAP, mtu)
                    .with(PortInfo.NEIGHBOR_MTU, mtu)
                    .with(PortInfo.LINK_WIDTH_ACTIVE, WIDTH_4X)
                    .with(PortInfo.LINK_SPEED_ACTIVE, speed);
        }

        /** Returns the limits of a path as text, without a class of the code under test. */
        String walk(int firstSwitch, int dlid) {
            Fabric fabric = plan.subnet().fabric();
            int destination = plan.subnet().portOfLid(dlid);
            int minMtu = mtu[destination];
            int minRate = Rates.code(Rates.FASTEST_ORDER);
            int node = firstSwitch;
            for (int hops = 0; hops < fabric.switchCount() && fabric.isSwitch(node); hops++) {
                int portNum = plan.lft(node)[dlid] & 0xff;
                int port = portNum <= fabric.numPorts(node) ? fabric.port(node, portNum) : Fabric.NONE;
                int far = port == Fabric.NONE ? Fabric.NONE : fabric.peer(port);
                if (port != destination && far == Fabric.NONE) {
                    return UNREACHABLE;
                }
                minMtu = Math.min(minMtu, mtu[port]);
                minRate = port == destination ? minRate : Math.min(minRate, rate[port]);
                if (port == destination || far == destination) {
                    return text(minMtu, minRate);
                }
                node = fabric.nodeOf(far);
            }
            return UNREACHABLE;
        }
    }

    private static String text(int mtu, int rate) {
        return "MTU " + mtu + ", " + Rates.name(rate);
    }

    private static String text(int limits) {
        return limits == PathLimits.NO_PATH
                ? UNREACHABLE
                : text(PathLimits.mtu(limits), Rates.code(PathLimits.rateOrder(limits)));
    }

    private static ViewIndex index(Plan plan) {
        PublishedView view = ViewDraft.of(plan).build();
        return Objects.requireNonNull(new IndexedViews(() -> view, new AliasGuids(new VirtualLoop(), () -> 0)).index());
    }

    private static Plan minHop(Subnet subnet) {
        boolean hasQos = false;
        int maxOpVls = 5;
        int smSl = 0;
        return (Plan) new MinHopEngine().route(subnet, new RoutingOptions(hasQos, maxOpVls, smSl));
    }

    /** Returns a plan in which up to five random entries of each switch are random ports, or no port. */
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
    void cachedAndFollowedLimitsEqualThoseOfAWalk() {
        Set<String> found = new TreeSet<>();
        for (int seed = 1; seed <= SEEDS; seed++) {
            int cablesBetweenSwitches = 1;
            int hosts = 2;
            Subnet subnet = TorusSketch.of(3, 4, 1 + seed % 3, cablesBetweenSwitches, hosts)
                    .subnet();
            int switches = subnet.fabric().switchCount();
            Random random = Seeds.random(seed);
            MixedCables cables = MixedCables.of(damaged(minHop(subnet), random), random);
            ViewIndex index = index(cables.plan());
            PathLimits cached = new PathLimits(index);
            PathLimits followed = new PathLimits(index, 0);
            PathLimits twoArrays = new PathLimits(index, 2 * switches);
            for (int dlid = 1; dlid <= subnet.topLid(); dlid++) {
                for (int sw = 0; sw < switches; sw++) {
                    String expected = cables.walk(sw, dlid);
                    String path = "seed " + seed + ", switch " + sw + " to LID " + dlid;
                    assertThat(text(followed.from(sw, dlid))).as(path).isEqualTo(expected);
                    assertThat(text(cached.from(sw, dlid))).as(path).isEqualTo(expected);
                    assertThat(text(twoArrays.from(sw, dlid))).as(path).isEqualTo(expected);
                    found.add(expected);
                }
            }
            assertThat(cached.bytes()).isGreaterThan(2L * switches);
            assertThat(followed.bytes()).isZero();
            assertThat(twoArrays.bytes()).isEqualTo(2L * switches);
        }
        int pathsToTheSwitchItself = MAX_MTU;
        assertThat(found).contains(UNREACHABLE).hasSize(1 + MAX_MTU * RATES.length + pathsToTheSwitchItself);
    }

    @Test
    void hostsBehindEqualCablesShareOneArray() {
        Subnet subnet = TorusSketch.of(4, 4, 4, 1, 2).subnet();
        Fabric fabric = subnet.fabric();
        PathLimits limits = new PathLimits(index(minHop(subnet)));
        for (int dlid = 1; dlid <= subnet.topLid(); dlid++) {
            boolean isHost = !fabric.isSwitch(fabric.nodeOf(subnet.portOfLid(dlid)));
            for (int sw = 0; isHost && sw < fabric.switchCount(); sw++) {
                assertThat(limits.from(sw, dlid)).isNotEqualTo(PathLimits.NO_PATH);
            }
        }
        assertThat(limits.bytes()).isEqualTo(fabric.switchCount());
    }

    /** The first requests after a publication do not wait for a pass over the fabric. */
    @Test
    void limitsOfALidAreComputedAfterAsManyHopsAsSwitches() {
        Subnet subnet = TorusSketch.of(4, 4, 4, 1, 2).subnet();
        int switches = subnet.fabric().switchCount();
        int hops = 4; // One in each dimension from (3,3,3) to (0,0,0), and one to port 0.
        int lid = subnet.lid(subnet.fabric().port(0, 0));
        PathLimits limits = new PathLimits(index(minHop(subnet)));
        for (int dlid = 1; dlid <= subnet.topLid(); dlid++) {
            limits.from(switches - 1, dlid);
        }
        for (int requests = 2; requests <= switches / hops; requests++) {
            limits.from(switches - 1, lid);
        }
        assertThat(limits.bytes()).isZero();
        limits.from(switches - 1, lid);
        assertThat(limits.bytes()).isEqualTo(switches);
    }
}
