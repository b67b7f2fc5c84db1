package io.torussm.sim.model;

import java.util.concurrent.TimeUnit;

/**
 * The random faults and the latency of the wires. Request and response have faults of their own. The same seed and
 * virtual time lead to the same faults.
 *
 * @param seed seed of the random numbers
 * @param loss probability that a MAD is lost, 0 to 1
 * @param duplication probability that a MAD arrives twice, 0 to 1
 * @param hopLatencyNs time per cable, 0 to an hour
 * @param deviceLatencyNs response time of an agent, 0 to an hour
 * @param jitterNs max random delay of each MAD, 0 to an hour; MADs may overtake each other
 */
public record FaultPlan(
        long seed, double loss, double duplication, long hopLatencyNs, long deviceLatencyNs, long jitterNs) {
    private static final long MAX_TIME_NS = TimeUnit.HOURS.toNanos(1);

    /** A plan without faults and latency. */
    public static final FaultPlan NONE = new FaultPlan(0, 0, 0, 0, 0);

    /** Creates a plan in which agents respond immediately. */
    public FaultPlan(long seed, double loss, double duplication, long hopLatencyNs, long jitterNs) {
        this(seed, loss, duplication, hopLatencyNs, 0, jitterNs);
    }

    /** Rejects values out of range. */
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
     * @param name name of the value, for the message
     * @throws IllegalArgumentException if the value is not 0 to 1
     */
    public static void checkProbability(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " is a probability from 0 to 1, not " + value);
        }
    }
}
