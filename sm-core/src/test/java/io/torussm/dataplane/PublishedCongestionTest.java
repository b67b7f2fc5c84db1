package io.torussm.dataplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.torussm.dataplane.congestion.CongestionParameters;
import io.torussm.dataplane.congestion.TestParameters;
import io.torussm.testing.TorusSketch;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scenarios of three papers of E. G. Gran et al. on congestion control of InfiniBand, and the shape of the results that
 * their abstracts state. Two switches with eight hosts each have one cable between them. Shares are of its rate. All
 * scenarios have the same settings.
 */
class PublishedCongestionTest {
    private static final int HOSTS = 16;
    private static final int FIRST_HOSTS = HOSTS / 2;

    /** The first hosts of the second switch. */
    private static final int HOT_SPOT = FIRST_HOSTS;

    private static final int VICTIM = 3;
    private static final int FAR_FROM_VICTIM = HOT_SPOT + 1;
    private static final int NEAR = HOT_SPOT + 2;
    private static final int IDLE = -1;

    /** The index of the flow that has its input port alone, after those that share one. */
    private static final int ALONE = 5;

    private static final int PUBLISHED_RATE = 10;
    private static final long MS = 1_000_000;
    private static final int WARM_UP_MS = 2;
    private static final int MEASURED_MS = 6;

    private final TestTraffic line = TestTraffic.of(TorusSketch.of(2, 1, 1, 1, FIRST_HOSTS), false);

    /** Destinations that depend on the time. */
    @FunctionalInterface
    private interface TimedDestinations {
        /** Returns the destination of a message, or {@link #IDLE} if the host does not send. */
        int next(int host, long nowNs, SplittableRandom random);
    }

    /** Full load, whose arrivals are counted by source and destination. */
    private final class CountedLoad implements Workload {
        private final OfferedLoad load;
        private final double[][] shares = new double[HOSTS][HOSTS];
        private long timeNs;

        CountedLoad(TimedDestinations destinations) {
            load = line.load((host, random) -> destinations.next(host, timeNs, random), 1);
        }

        @Override
        public boolean next(int host, long nowNs, Message message) {
            timeNs = nowNs;
            return load.next(host, nowNs, message);
        }

        @Override
        public boolean isEndless() {
            return load.isEndless();
        }

        @Override
        public void arrived(int host, int from, int bytes, long nowNs) {
            if (nowNs > WARM_UP_MS * MS) {
                shares[from][host] += bytes * line.hosts.psPerByte(0) / 1_000.0 / (MEASURED_MS * MS);
            }
        }
    }

    /** Returns what arrives by source and destination. */
    private double[][] shares(TimedDestinations destinations, @Nullable CongestionParameters parameters) {
        CountedLoad load = new CountedLoad(destinations);
        DataPlane plane = line.plane(load, DataPlaneSettings.DEFAULT.withCongestion(parameters));
        plane.run((WARM_UP_MS + MEASURED_MS) * MS);
        assertThat(plane.deadlock()).isEmpty();
        return load.shares;
    }

    /** Returns the threshold and the packet size of Mellanox's defaults, with a timer and a table of the test. */
    private static CongestionParameters settings(int markingRate) {
        return new CongestionParameters(
                TestParameters.marking(15, 8, markingRate),
                TestParameters.reaction(0, 20, 1, 0, 0),
                TestParameters.quarters(127));
    }

    private static double[] toHotSpot(double[][] shares, int... contributors) {
        return IntStream.of(contributors)
                .mapToDouble(host -> shares[host][HOT_SPOT])
                .toArray();
    }

    private static double sum(double... shares) {
        return DoubleStream.of(shares).sum();
    }

    /** Returns Jain's index. */
    private static double fairness(double... shares) {
        double sum = sum(shares);
        return sum
                * sum
                / shares.length
                / DoubleStream.of(shares).map(share -> share * share).sum();
    }

    /**
     * "First experiences with congestion control in InfiniBand hardware" (IPDPS 2010): congestion throttles flows that
     * do not contribute; congestion control resolves it, and solves the parking lot problem. Three contributors share
     * the cable with a victim, two are beside the hot spot.
     */
    @Test
    void aVictimIsFreedAndFarContributorsGetNearlyAsMuchAsNearOnes() {
        TimedDestinations destinations = (host, nowNs, random) -> switch (host) {
            case 0, 1, 2, NEAR, NEAR + 1 -> HOT_SPOT;
            case VICTIM -> FAR_FROM_VICTIM;
            default -> IDLE;
        };
        double[][] off = shares(destinations, null);
        double[][] on = shares(destinations, settings(PUBLISHED_RATE));
        double[] without = toHotSpot(off, 0, 1, 2, NEAR, NEAR + 1);
        double[] with = toHotSpot(on, 0, 1, 2, NEAR, NEAR + 1);
        assertThat(off[VICTIM][FAR_FROM_VICTIM]).isCloseTo(1 / 9.0, within(0.01));
        assertThat(on[VICTIM][FAR_FROM_VICTIM]).isGreaterThan(0.5);
        assertThat(sum(without)).isGreaterThan(0.99);
        assertThat(sum(with)).isGreaterThan(0.95);
        assertThat(without[3] / without[0]).isBetween(2.9, 3.3);
        assertThat(with[3] / with[0]).isLessThan(2);
        assertThat(fairness(with)).isGreaterThan(fairness(without) + 0.1);
    }

    /**
     * "On the relation between congestion control, switch arbitration and fairness" (CCGrid 2011): one flow has its
     * input port alone and the others share one. Only proper parameters solve this parking lot problem, and others make
     * it unfair in turn.
     */
    @Test
    void theMarkingRateDecidesOnTheParkingLotProblem() {
        double[] off = parkingLot(null);
        double[] few = parkingLot(settings(50));
        double[] right = parkingLot(settings(20));
        double[] many = parkingLot(settings(4));
        assertThat(off[ALONE]).isCloseTo(0.5, within(0.01));
        assertThat(off[0]).isCloseTo(0.1, within(0.01));
        assertThat(few[ALONE]).isGreaterThan(3 * few[0]);
        assertThat(fairness(right)).isGreaterThan(0.99);
        assertThat(sum(right)).isGreaterThan(0.99);
        assertThat(many[ALONE]).isLessThan(0.6 * many[0]);
    }

    /** Returns the shares of five flows that share an input port, and of one that has its own. */
    private double[] parkingLot(@Nullable CongestionParameters parameters) {
        return toHotSpot(
                shares((host, nowNs, random) -> host < ALONE || host == NEAR ? HOT_SPOT : IDLE, parameters),
                0,
                1,
                2,
                3,
                4,
                NEAR);
    }

    /**
     * "Exploring the scope of the InfiniBand congestion control mechanism" (IPDPS 2012): with one set of parameters
     * congestion control performs well although hot spots move. Half of the messages go to the hot spot.
     */
    @ParameterizedTest
    @ValueSource(longs = {10_000, 1_000, 100, 20})
    void oneSetOfValuesHelpsHoweverFastAHotSpotMoves(long lifeUs) {
        TimedDestinations destinations = (host, nowNs, random) -> {
            int hotSpot = (int) (nowNs / 1_000 / lifeUs * 3 % FIRST_HOSTS);
            int other = (host + 1 + random.nextInt(FIRST_HOSTS - 1)) % FIRST_HOSTS;
            boolean isHot = random.nextBoolean() && HOT_SPOT + hotSpot != host;
            return host < FIRST_HOSTS ? IDLE : HOT_SPOT + (isHot ? hotSpot : other);
        };
        double off = mean(shares(destinations, null));
        double on = mean(shares(destinations, settings(PUBLISHED_RATE)));
        assertThat(off).isLessThan(0.45);
        assertThat(on).isGreaterThan(1.7 * off);
    }

    /** Returns what a host of the second switch sends. */
    private static double mean(double[][] shares) {
        return IntStream.range(HOT_SPOT, HOSTS)
                        .mapToDouble(host -> sum(shares[host]))
                        .sum()
                / (HOSTS - HOT_SPOT);
    }
}
