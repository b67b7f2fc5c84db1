package io.torussm.sim.model;

import java.util.concurrent.TimeUnit;

/**
 * The random faults and the latency of the wires. Each direction of a transaction is drawn separately. The
 * same seed on the same virtual time gives the same faults.
 *
 * @param seed seed of the random numbers
 * @param loss probability that a MAD is lost, 0 to 1
 * @param duplication probability that a MAD arrives twice, 0 to 1
 * @param hopLatencyNs time per cable, not negative
 * @param deviceLatencyNs response time of an agent, not negative
 * @param jitterNs upper bound of a random delay of each MAD, not negative; MADs may overtake each other
 */
public record FaultPlan(
        long seed, double loss, double duplication, long hopLatencyNs, long deviceLatencyNs, long jitterNs) {
    private static final long MAX_TIME_NS = TimeUnit.HOURS.toNanos(1);

    /** Nothing is lost and nothing takes time. */
    public static final FaultPlan NONE = new FaultPlan(0, 0, 0, 0, 0);

    /** Creates a plan whose agents respond immediately. */
    public FaultPlan(long seed, double loss, double duplication, long hopLatencyNs, long jitterNs) {
        this(seed, loss, duplication, hopLatencyNs, 0, jitterNs);
    }

    /** Rejects a value out of its range. */
    public FaultPlan {
        checkProbability("loss", loss);
        checkProbability("duplication", duplication);
        checkTime("hopLatencyNs", hopLatencyNs);
        checkTime("deviceLatencyNs", deviceLatencyNs);
        checkTime("jitterNs", jitterNs);
    }

    private static void checkTime(String name, long value) {
        if (value < 0 || value > MAX_TIME_NS) {
            throw new IllegalArgumentException(
                    name + " is 0 to " + MAX_TIME_NS + " (an hour), neither negative nor more: " + value);
        }
    }

    /**
     * Checks a probability.
     *
     * @throws IllegalArgumentException if it is not 0 to 1
     */
    public static void checkProbability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " is a probability from 0 to 1, not " + value);
        }
    }
}
