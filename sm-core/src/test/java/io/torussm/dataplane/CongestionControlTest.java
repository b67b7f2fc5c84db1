package io.torussm.dataplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.torussm.dataplane.congestion.CongestionCounters;
import io.torussm.dataplane.congestion.CongestionParameters;
import io.torussm.dataplane.congestion.TestParameters;
import io.torussm.fabric.Fabric;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import io.torussm.testing.TorusSketch;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Congestion control in a fabric: marks, notifications, slow flows. */
class CongestionControlTest {
    /** Hosts 0 to 3 are on one switch, 4 to 7 on the next. */
    private static final int HOSTS = 8;

    private static final int HOT_SPOT = 4;
    private static final int VICTIM = 3;
    private static final long MS = 1_000_000;

    /** Two contributors on each switch, and a victim that shares the cable of the first two. */
    private static final int[] VICTIM_FLOW = {HOT_SPOT, HOT_SPOT, -1, 5, -1, -1, HOT_SPOT, HOT_SPOT};

    /** Counts the bytes that arrive by destination and source. */
    private static final class CountingWorkload implements Workload {
        private final Workload load;
        final long[][] bytes = new long[HOSTS][HOSTS];

        CountingWorkload(Workload load) {
            this.load = load;
        }

        @Override
        public boolean next(int host, long nowNs, Message message) {
            return load.next(host, nowNs, message);
        }

        @Override
        public boolean isEndless() {
            return load.isEndless();
        }

        @Override
        public void arrived(int host, int from, int size, long nowNs) {
            bytes[host][from] += size;
        }
    }

    private final TestTraffic line = TestTraffic.of(TorusSketch.of(2, 1, 1, 1, HOSTS / 2), false);

    private static SwitchCongestionSetting marking() {
        return TestParameters.marking(8, 8, 5);
    }

    private static CongestionParameters parameters(SwitchCongestionSetting marking, int portControl) {
        return new CongestionParameters(
                marking, TestParameters.reaction(portControl, 20, 1, 0, 0), TestParameters.quarters(127));
    }

    private static Destinations fixed(int... to) {
        return (host, random) -> to[host];
    }

    /** Returns what arrives, by destination and source, as shares of a cable. */
    private double[][] shares(Destinations destinations, @Nullable CongestionParameters congestion) {
        CountingWorkload load = new CountingWorkload(line.load(destinations, 0.9));
        DataPlane plane = line.plane(load, DataPlaneSettings.DEFAULT.withCongestion(congestion));
        plane.run(2 * MS);
        double[][] shares = new double[HOSTS][HOSTS];
        for (int host = 0; host < HOSTS; host++) {
            Arrays.fill(load.bytes[host], 0);
        }
        plane.run(10 * MS);
        assertThat(plane.deadlock()).isEmpty();
        for (int to = 0; to < HOSTS; to++) {
            for (int from = 0; from < HOSTS; from++) {
                shares[to][from] = load.bytes[to][from] * line.hosts.psPerByte(0) / 1_000.0 / (8 * MS);
            }
        }
        return shares;
    }

    private static double sum(double[] shares) {
        return DoubleStream.of(shares).sum();
    }

    @Test
    void aVictimGetsTheRestOfItsCableOnceContributorsAreSlowedDown() {
        double[][] without = shares(fixed(VICTIM_FLOW), null);
        double[][] with = shares(fixed(VICTIM_FLOW), parameters(marking(), 0));
        assertThat(sum(without[HOT_SPOT])).isGreaterThan(0.99);
        assertThat(without[5][VICTIM]).isCloseTo(1 / 6.0, within(0.02));
        assertThat(sum(with[HOT_SPOT])).isGreaterThan(0.9);
        assertThat(with[5][VICTIM]).isGreaterThan(2.5 * without[5][VICTIM]);
    }

    @Test
    void contributorsFarFromTheHotSpotAreNotWorseOff() {
        double[][] without = shares(fixed(VICTIM_FLOW), null);
        double[][] with = shares(fixed(VICTIM_FLOW), parameters(marking(), 0));
        assertThat(without[HOT_SPOT][6] / without[HOT_SPOT][0]).isGreaterThan(1.9);
        assertThat(with[HOT_SPOT][6] / with[HOT_SPOT][0]).isBetween(0.7, 1.4);
    }

    /** Host 0 sends to the hot spot and to host 5 in turn. */
    @Test
    void throttlingBySlSlowsAllFlowsOfTheHost() {
        Destinations inTurn = (host, random) ->
                host == 0 ? (random.nextBoolean() ? HOT_SPOT : 5) : host == 1 || host >= 6 ? HOT_SPOT : -1;
        double byQp = shares(inTurn, parameters(marking(), 0))[5][0];
        double bySl = shares(inTurn, parameters(marking(), 1))[5][0];
        assertThat(byQp).isGreaterThan(0.35);
        assertThat(bySl).isLessThan(0.7 * byQp);
    }

    @Test
    void aMinimumSlowsDownWithoutCongestion() {
        Destinations one = fixed(4, -1, -1, -1, -1, -1, -1, -1);
        CongestionParameters slow = new CongestionParameters(
                marking(), TestParameters.reaction(0, 20, 1, 0, 4), TestParameters.quarters(127));
        assertThat(shares(one, null)[4][0]).isCloseTo(0.9, within(0.02));
        assertThat(shares(one, slow)[4][0]).isCloseTo(0.5, within(0.01));
    }

    /** The cable between the switches waits for credits; the port of the hot spot never does. */
    @Test
    void onlyTheRootMarksUnlessVictimsAreInVictimMask() {
        Fabric fabric = line.torus.subnet().fabric();
        int toHotSpot = fabric.peer(line.hosts.port(HOT_SPOT));
        int near = line.hosts.switchOf(0);
        int between = fabric.port(near, line.tables().out(near, line.hosts.lid(HOT_SPOT)));
        long[] roots = marks(marking(), toHotSpot, between);
        long[] all = marks(TestParameters.withVictims(marking(), fabric.portNum(between)), toHotSpot, between);
        assertThat(roots[0]).isPositive();
        assertThat(roots[1]).isZero();
        assertThat(all[1]).isPositive();
    }

    /** Returns the marks of ports while no host reacts. */
    private long[] marks(SwitchCongestionSetting marking, int... ports) {
        CongestionParameters parameters =
                new CongestionParameters(marking, TestParameters.reaction(0, 0, 0, 0, 0), TestParameters.linear(127));
        DataPlane plane = line.plane(
                line.load(fixed(4, -1, -1, -1, -1, -1, 4, 4), 0.9),
                DataPlaneSettings.DEFAULT.withCongestion(parameters));
        plane.run(2 * MS);
        CongestionCounters counters = plane.congestion().orElseThrow();
        return IntStream.of(ports).mapToLong(counters::marks).toArray();
    }

    /** Hosts 6 and 7 do not react; their switch returns their credits late, so that the others get more. */
    @Test
    void creditStarvationSlowsDownHostsThatDoNotReact() {
        Destinations incast = fixed(4, 4, -1, -1, -1, -1, 4, 4);
        Fabric fabric = line.torus.subnet().fabric();
        int[] local = IntStream.of(6, 7)
                .map(host -> fabric.portNum(fabric.peer(line.hosts.port(host))))
                .toArray();
        SwitchCongestionSetting starving = TestParameters.withStarvation(marking(), 15, 3 << 14 | 0x3fff, local);
        CongestionParameters noReaction =
                new CongestionParameters(starving, TestParameters.reaction(0, 0, 0, 0, 0), TestParameters.linear(127));
        double[] without = shares(incast, null)[HOT_SPOT];
        double[] with = shares(incast, noReaction)[HOT_SPOT];
        assertThat(without[6]).isGreaterThan(0.3);
        assertThat(with[6]).isLessThan(0.1);
        assertThat(with[0]).isGreaterThan(0.4);
    }

    @Test
    void theSameWorkloadGivesTheSameRun() {
        assertThat(shares(fixed(VICTIM_FLOW), parameters(marking(), 0)))
                .isDeepEqualTo(shares(fixed(VICTIM_FLOW), parameters(marking(), 0)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void allMessagesOfAJobArriveAlthoughFlowsAreSlowedDown(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Trace.TimedMessage> messages = IntStream.range(0, 2_000)
                .mapToObj(i -> new Trace.TimedMessage(
                        random.nextInt(4), 4 + random.nextInt(2), 1 + random.nextInt(9_000), random.nextInt(100)))
                .toList();
        Trace trace = new Trace(HOSTS, messages);
        DataPlane plane = line.plane(
                trace,
                DataPlaneSettings.DEFAULT.withCongestion(
                        parameters(TestParameters.marking(15, 0, (int) seed), (int) seed % 2)));
        plane.run(Long.MAX_VALUE);
        assertThat(trace.undeliveredMessages()).isZero();
        assertThat(plane.isIdle()).isTrue();
        assertThat(plane.inFlight()).isZero();
        CongestionCounters counters = plane.congestion().orElseThrow();
        assertThat(counters.notifications()).isPositive().isLessThanOrEqualTo(counters.marks());
        assertThat(plane.credits).containsOnly(DataPlaneSettings.DEFAULT.bufferBytes(), Integer.MAX_VALUE);
    }

    /** Returns a run of one host whose flows are slowed down from the start. Host 7 has no path. */
    private DataPlane flowsOf(List<Trace.TimedMessage> messages, int minimum, int backlog) {
        DataPlaneSettings each = DataPlaneSettings.DEFAULT;
        CongestionParameters slow = new CongestionParameters(
                marking(), TestParameters.reaction(0, 20, 1, 0, minimum), TestParameters.quarters(127));
        DataPlaneSettings settings = new DataPlaneSettings(
                each.bufferBytes(),
                each.packetBytes(),
                each.switchNs(),
                each.cableNs(),
                each.headOfQueueNs(),
                each.lifetimeNs(),
                backlog,
                slow);
        int lost = line.hosts.lid(7);
        return new DataPlane(
                line.hosts,
                line.tables(),
                (from, dlid, level) -> dlid == lost ? -1 : 0,
                new Trace(HOSTS, messages),
                settings);
    }

    private static Trace.TimedMessage message(int to, int packets) {
        return new Trace.TimedMessage(0, to, packets * DataPlaneSettings.DEFAULT.packetBytes(), 0);
    }

    /** The space was for other packets, of which the host had none that was not lost. */
    @Test
    void flowsGetTheSpaceThatOthersDoNotUse() {
        for (long seed = 1; seed <= 400; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int lost = random.nextInt(4);
            int[] packets = random.ints(4 + random.nextInt(20), 1, 6).toArray();
            List<Trace.TimedMessage> messages = IntStream.of(packets)
                    .mapToObj(count -> message(random.nextInt(4) < lost ? 7 : 1 + random.nextInt(6), count))
                    .toList();
            DataPlane plane = flowsOf(messages, 1 + random.nextInt(8), 1 + random.nextInt(2));
            plane.run(Long.MAX_VALUE);
            assertThat(plane.tally().packets() + plane.tally().drops())
                    .as("seed " + seed)
                    .isEqualTo(IntStream.of(packets).sum());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aFlowWhosePacketIsLostLeavesItsSpaceToTheNext(int backlog) {
        DataPlane plane =
                flowsOf(IntStream.range(1, 7).mapToObj(to -> message(to, 4)).toList(), 4, backlog);
        plane.run(1_200);
        plane.setUp(line.hosts.port(0), false);
        plane.run(Long.MAX_VALUE);
        assertThat(plane.tally().packets() + plane.tally().drops()).isEqualTo(6 * 4);
    }
}
