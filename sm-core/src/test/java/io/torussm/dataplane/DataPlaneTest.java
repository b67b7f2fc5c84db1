package io.torussm.dataplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.torussm.deadlock.Cycle;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.fabric.Fabric;
import io.torussm.routing.VlArbitrationPolicy.Tables;
import io.torussm.testing.TorusSketch;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Packets, credits, deadlocks and shares of links in simulated traffic on tori of {@link TorusSketch} ({@code of(x, y,
 * z, parallel cables, hosts of each switch)}).
 */
class DataPlaneTest {
    private static final long US = 1_000;

    /** A finite number of messages of random sizes to random hosts. */
    private static final class RandomWorkload implements Workload {
        private final SplittableRandom random;
        private final int hosts;
        private final int[] left;
        long arrivedBytes;
        long sentBytes;

        RandomWorkload(int hosts, int each, long seed) {
            this.hosts = hosts;
            random = new SplittableRandom(seed);
            left = IntStream.range(0, hosts).map(host -> each).toArray();
        }

        @Override
        public boolean next(int host, long nowNs, Message message) {
            if (left[host] == 0) {
                return false;
            }
            left[host]--;
            message.to = (host + 1 + random.nextInt(hosts - 1)) % hosts;
            message.bytes = 1 + random.nextInt(10_000);
            message.level = random.nextInt(2);
            message.atPs = 1_000 * (nowNs + random.nextInt(40_000));
            sentBytes += message.bytes;
            return true;
        }

        @Override
        public void arrived(int host, int from, int bytes, long nowNs) {
            arrivedBytes += bytes;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void losesAndInventsNeitherPacketsNorCredits(long seed) {
        TestTraffic traffic = TestTraffic.of(TorusSketch.of(4, 3, 2, 1 + (int) seed % 2, 2), true);
        RandomWorkload messages = new RandomWorkload(traffic.hosts.count(), 40, seed);
        DataPlane plane = traffic.plane(messages, DataPlaneSettings.DEFAULT.withBuffers(2_048 + 1_000 * (int) seed));
        plane.run(Long.MAX_VALUE);
        assertThat(plane.isIdle()).isTrue();
        assertThat(plane.inFlight()).isZero();
        assertThat(messages.arrivedBytes).isEqualTo(messages.sentBytes);
        assertThat(plane.tally().bytes()).isEqualTo(messages.sentBytes);
        assertThat(plane.tally().drops()).isZero();
        assertThat(plane.credits).containsOnly(2_048 + 1_000 * (int) seed, Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 8})
    void ringWithOneVlHangsAndTheCircleIsOneThatTheCheckerPredicts(int switches) {
        TestTraffic ring = TestTraffic.of(TorusSketch.of(switches, 1, 1, 1, 3), false);
        DataPlane plane = ring.plane(ring.load(Destinations.uniform(ring.hosts.count()), 1), DataPlaneSettings.DEFAULT);
        plane.run(10_000 * US);
        Deadlock deadlock = plane.deadlock().orElseThrow();
        assertThat(new DeadlockChecker(1).prove(ring.plan, TestTraffic.OPTIONS).verdict())
                .isInstanceOf(Cycle.class);
        assertThat(deadlock.circle()).hasSize(switches).allMatch(wait -> wait.packets() > 0);
        ring.assertPredicted(deadlock);
        long before = plane.tally().packets();
        plane.run(11_000 * US);
        assertThat(plane.deadlock()).isPresent();
        assertThat(plane.tally().packets() - before).isLessThan(switches * 1_000L);
    }

    @Test
    void transposesAndSendsNothingWhereThatIsNoPlace() {
        TestTraffic torus = TestTraffic.of(TorusSketch.of(4, 3, 1, 1, 2), true);
        int[] switchAt = torus.lattice.switchesIn(torus.plan.subnet().fabric());
        Destinations transpose = Destinations.transpose(torus.hosts, torus.lattice);
        for (int host = 0; host < torus.hosts.count(); host++) {
            int sw = torus.hosts.switchOf(host);
            int at = IntStream.range(0, 12)
                    .filter(i -> switchAt[i] == sw)
                    .findFirst()
                    .orElseThrow();
            int x = at % 4;
            int y = at / 4;
            int to = transpose.next(host, new SplittableRandom(1));
            if (x == y || x == 3) {
                assertThat(to).isEqualTo(Destinations.NO_DESTINATION);
            } else {
                assertThat(torus.hosts.switchOf(to)).isEqualTo(switchAt[y + 4 * x]);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"5,1,1", "6,1,1", "5,5,1", "4,4,4"})
    void datelinesDoNotHang(int x, int y, int z) {
        TestTraffic torus = TestTraffic.of(TorusSketch.of(x, y, z, 1, 2), true);
        DataPlane plane =
                torus.plane(torus.load(Destinations.uniform(torus.hosts.count()), 1), DataPlaneSettings.DEFAULT);
        for (int step = 1; step <= 20; step++) {
            plane.run(20 * US * step);
            assertThat(plane.deadlock()).isEmpty();
        }
    }

    /** Without HOQLife a ring deadlocks; with it, some packets are lost and the others arrive. */
    @Test
    void headOfQueueLifetimeEndsADeadlock() {
        TestTraffic ring = TestTraffic.of(TorusSketch.of(6, 1, 1, 1, 3), false);
        DataPlane plane = ring.plane(
                ring.load(Destinations.uniform(18), 1),
                DataPlaneSettings.DEFAULT.withLifetimes(50 * US, DataPlaneSettings.FOREVER));
        plane.run(2_000 * US);
        TrafficCounters tally = plane.resetCounters();
        plane.run(4_000 * US);
        assertThat(tally.drops(Drop.EXPIRED)).isPositive();
        assertThat(tally.packets()).isGreaterThan(tally.drops(Drop.EXPIRED));
    }

    /** The limit is the bottleneck of the routes; all cables are 4x SDR. */
    @ParameterizedTest
    @Tag("slow")
    @CsvSource({"9,1,1,tornado", "8,1,1,tornado", "7,7,1,tornado", "5,5,1,uniform", "8,8,1,uniform", "4,4,4,uniform"})
    void torusCarriesWhatTheoryAllows(int x, int y, int z, String pattern) {
        int hosts = pattern.equals("uniform") ? 3 : 1;
        TestTraffic torus = TestTraffic.of(TorusSketch.of(x, y, z, 1, hosts), true);
        Destinations destinations = pattern.equals("uniform")
                ? Destinations.uniform(torus.hosts.count())
                : Destinations.tornado(torus.hosts, torus.lattice);
        double capacity = capacity(torus, destinations);
        assertThat(accepted(torus, destinations, 0.95 * capacity)).isEqualTo(0.95 * capacity, within(0.015 * capacity));
    }

    /**
     * Returns the share of the hosts' capacity at which the link with most paths is full; pairs are weighted
     * by their frequency.
     */
    private static double capacity(TestTraffic torus, Destinations destinations) {
        Fabric fabric = torus.torus.subnet().fabric();
        int[] load = new int[fabric.portCount()];
        SplittableRandom random = new SplittableRandom(7);
        int draws = 200;
        for (int host = 0; host < torus.hosts.count(); host++) {
            for (int draw = 0; draw < draws; draw++) {
                int to = destinations.next(host, random);
                int sw = torus.hosts.switchOf(host);
                while (sw != torus.hosts.switchOf(to)) {
                    int port = fabric.port(sw, torus.plan.lft(sw)[torus.hosts.lid(to)] & 0xff);
                    load[port]++;
                    sw = fabric.nodeOf(fabric.peer(port));
                }
            }
        }
        return draws / (double) IntStream.of(load).max().orElseThrow();
    }

    private static double accepted(TestTraffic torus, Destinations destinations, double load) {
        DataPlane plane = torus.plane(torus.load(destinations, load), DataPlaneSettings.DEFAULT.withBuffers(65_536));
        plane.run(1_000 * US);
        TrafficCounters tally = plane.resetCounters();
        plane.run(3_000 * US);
        double bytesPerHost = tally.bytes() / (double) torus.hosts.count();
        return bytesPerHost * torus.hosts.psPerByte(0) / (2_000 * US * 1_000);
    }

    /** Two hosts send to a third by one link, on two VLs with weights of 3 to 1. */
    @Test
    void arbitrationSharesALinkByWeights() {
        TestTraffic line = TestTraffic.of(TorusSketch.of(5, 1, 1, 1, 2), true);
        Tables weights = TestTraffic.tables(255, new int[0], new int[] {0, 192, 1, 64, 4, 64});
        PlanTables tables = new PlanTables(line.plan, TestTraffic.OPTIONS, (portClass, low, high, vls) -> weights);
        long[] arrived = new long[2];
        Workload both = new Workload() {
            @Override
            public boolean next(int host, long nowNs, Message message) {
                message.to = 2 + host;
                message.bytes = 2_048;
                message.level = host;
                message.atPs = 0;
                return host < 2;
            }

            @Override
            public void arrived(int host, int from, int bytes, long nowNs) {
                arrived[from] += bytes;
            }
        };
        SlChoice level = (from, dlid, wanted) -> 8 * wanted;
        DataPlane plane = new DataPlane(line.hosts, tables, level, both, DataPlaneSettings.DEFAULT);
        plane.run(10_000 * US);
        assertThat(arrived[0] / (double) arrived[1]).isEqualTo(3, within(0.1));
    }

    /** Packets on a cable are lost with it, and the space reserved for them is free again. */
    @Test
    void packetsOnACableThatGoesDownAreLost() {
        TestTraffic traffic = TestTraffic.of(TorusSketch.of(4, 1, 1, 1, 1), true);
        RandomWorkload messages = new RandomWorkload(traffic.hosts.count(), 40, 1);
        DataPlane plane = traffic.plane(messages, DataPlaneSettings.DEFAULT);
        Fabric fabric = traffic.plan.subnet().fabric();
        int[] ports = IntStream.rangeClosed(1, fabric.numPorts(0))
                .map(number -> fabric.port(0, number))
                .filter(port -> fabric.peer(port) != Fabric.NONE)
                .toArray();
        for (long ns = 1_000; ns <= 200_000; ns += 1_000) {
            plane.run(ns);
            IntStream.of(ports).forEach(port -> plane.setUp(port, false));
            plane.run(ns + 400);
            IntStream.of(ports).forEach(port -> plane.setUp(port, true));
        }
        plane.run(Long.MAX_VALUE);
        assertThat(plane.tally().drops(Drop.CUT)).isPositive();
        assertThat(plane.isIdle()).isTrue();
        assertThat(plane.inFlight()).isZero();
        assertThat(plane.credits).containsOnly(DataPlaneSettings.DEFAULT.bufferBytes(), Integer.MAX_VALUE);
        assertThat(messages.arrivedBytes).isLessThan(messages.sentBytes);
    }

    /**
     * Losses of a host without a path take the time of its cable. Otherwise the simulation would never leave
     * one moment.
     */
    @Test
    void lossesOfABusyHostTakeTime() {
        TestTraffic traffic = TestTraffic.of(TorusSketch.of(4, 1, 1, 1, 1), true);
        Workload eager = (host, nowNs, message) -> {
            message.to = (host + 1) % traffic.hosts.count();
            message.bytes = 2_048;
            message.atPs = 0;
            return true;
        };
        DataPlane plane = new DataPlane(
                traffic.hosts, traffic.tables(), (from, dlid, level) -> -1, eager, DataPlaneSettings.DEFAULT);
        plane.run(100_000);
        long each = 100_000_000L / (2_048L * traffic.hosts.psPerByte(0));
        assertThat(plane.tally().drops(Drop.NO_PATH))
                .isBetween(each * traffic.hosts.count(), (each + 2) * traffic.hosts.count());
    }

    @Test
    void aVlWithoutWeightIsNamed() {
        TestTraffic line = TestTraffic.of(TorusSketch.of(5, 1, 1, 1, 1), true);
        Tables weights = TestTraffic.tables(255, new int[0], new int[] {0, 64, 1, 64});
        PlanTables tables = new PlanTables(line.plan, TestTraffic.OPTIONS, (portClass, low, high, vls) -> weights);
        DataPlane plane = new DataPlane(
                line.hosts,
                tables,
                (from, dlid, level) -> 8,
                line.load(Destinations.ring(line.hosts.count()), 1),
                DataPlaneSettings.DEFAULT);
        plane.run(100 * US);
        Deadlock deadlock = plane.deadlock().orElseThrow();
        assertThat(deadlock.circle()).extracting(Deadlock.Wait::vl).containsExactly(4);
        assertThat(deadlock.lines().get(0)).contains("VL arbitration never serves this VL");
    }

    @Test
    void sameSeedSameRun() {
        TestTraffic torus = TestTraffic.of(TorusSketch.of(4, 4, 1, 1, 1), true);
        long[] packets = IntStream.range(0, 2)
                .mapToLong(run -> {
                    DataPlane plane = torus.plane(torus.load(Destinations.uniform(16), 0.7), DataPlaneSettings.DEFAULT);
                    plane.run(300 * US);
                    return plane.tally().hops() * 1_000_000 + plane.tally().latencyNs(0.99);
                })
                .toArray();
        assertThat(packets[0]).isPositive().isEqualTo(packets[1]);
    }
}
