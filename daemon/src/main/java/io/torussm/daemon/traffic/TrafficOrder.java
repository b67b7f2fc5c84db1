package io.torussm.daemon.traffic;

import io.torussm.dataplane.DataPlaneSettings;
import java.util.List;

/**
 * The traffic to be simulated on a plan.
 *
 * @param shift distance in hosts of the pattern shift, 0 for half of the hosts
 * @param loads shares of the rate of each host's cable, a run each
 * @param sl the SL that all hosts use, in spite of path records; -1 if each path has its SL from the SA
 * @param upperShare share of messages that want QoS level 1
 * @param groupShare share of messages that go to a group of all hosts
 * @param messageBytes size of each message
 * @param packetTimes duration of the measurement, in packets that a host's cable carries meanwhile; the
 *     warm-up takes half of that
 * @param seed seed of all random numbers
 */
public record TrafficOrder(
        TrafficPattern pattern,
        int shift,
        List<Double> loads,
        int sl,
        double upperShare,
        double groupShare,
        int messageBytes,
        int packetTimes,
        long seed,
        DataPlaneSettings settings) {
    public TrafficOrder {
        loads = List.copyOf(loads);
    }
}
