package io.torussm.daemon.traffic;

import io.torussm.dataplane.Destinations;
import io.torussm.dataplane.Hosts;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/** Patterns in which some destinations, the hot spots, receive more than others. */
final class HotSpots {
    private static final int CONTRIBUTORS = 32;
    private static final double OVERLOAD = 8;
    private static final double MAX_SHARE = 0.5;

    private HotSpots() {}

    /**
     * Returns destinations that are hot spots for a share of the messages, and any host for the others. Each source has
     * one hot spot. At full load, a hot spot is sent eight times the rate of its cable, or half of all messages if that
     * is less.
     */
    static Destinations mixed(int hosts, BitSet spots) {
        int[] all = spots.stream().toArray();
        double share = Math.min(MAX_SHARE, OVERLOAD * all.length / hosts);
        Destinations uniform = Destinations.uniform(hosts);
        return (host, random) -> {
            int spot = all[host % all.length];
            return spot != host && random.nextDouble() < share ? spot : uniform.next(host, random);
        };
    }

    /**
     * Returns destinations with a hot spot and a victim. Of all hosts, 32 evenly spread ones send to host 0. The
     * victim, a neighbour of one of them, sends to a neighbour of host 0. If a switch has one host only, the victim
     * sends to host 1.
     */
    static Destinations victim(Hosts hosts) {
        int[] to = new int[hosts.count()];
        Arrays.fill(to, Destinations.NO_DESTINATION);
        int contributors = Math.min(CONTRIBUTORS, Math.max(1, hosts.count() - 3));
        for (int i = 0; i < contributors; i++) {
            to[hosts.count() - 1 - i * (hosts.count() - 3) / contributors] = 0;
        }
        int target = IntStream.range(1, hosts.count())
                .filter(host -> to[host] == Destinations.NO_DESTINATION && hosts.switchOf(host) == hosts.switchOf(0))
                .findFirst()
                .orElse(1);
        to[target] = Destinations.NO_DESTINATION;
        int victim = IntStream.iterate(hosts.count() - 1, host -> host > 0, host -> host - 1)
                .filter(host -> host != target && to[host] == Destinations.NO_DESTINATION)
                .findFirst()
                .orElse(0);
        to[victim] = victim == 0 ? Destinations.NO_DESTINATION : target;
        return (host, random) -> to[host];
    }
}
