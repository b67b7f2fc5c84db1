package io.torussm.daemon.traffic;

import io.torussm.dataplane.DataPlaneSettings;
import java.util.List;

/**
 * What is to be sent over a plan.
 *
 * @param shift places by which pattern shift sends, 0 for half of the hosts
 * @param loads shares of what each host's cable carries, a run each
 * @param sl the SL that all hosts use, whatever they are told; -1 if each path has the SL that the SA gives
 * @param upperShare share of messages that want QoS level 1
 * @param groupShare share of messages that go to a group of all hosts
 * @param messageBytes of each message
 * @param packetTimes how long is measured, in packets that a host's cable carries meanwhile; half of that goes before
 * @param seed of all that is drawn by lot
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
