package io.torussm.daemon.traffic;

import io.torussm.dataplane.DataPlaneSettings;
import java.util.List;

/**
 * The traffic to be simulated on a plan.
 *
 * @param pattern pairs of sources and destinations
 * @param shift distance of the pattern shift, in hosts; 0 for half of the hosts
 * @param loads offered loads, one for each run, as shares of the rate of a host's cable
 * @param sl SL that all hosts use, in spite of path records; -1 if each path has its SL from the SA
 * @param upperShare share of messages that request QoS level 1
 * @param groupShare share of messages that go to a group of all hosts
 * @param messageBytes size of each message, in bytes
 * @param packetTimes duration of the measurement, in times that a packet takes on a host's cable; the warm-up takes
 *     half of that
 * @param seed seed of all random numbers
 * @param settings settings of the simulated devices
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
