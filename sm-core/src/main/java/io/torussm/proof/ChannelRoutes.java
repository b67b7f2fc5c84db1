package io.torussm.proof;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The routes of any network, InfiniBand or not, each as the sequence of channels of a packet. A packet occupies a
 * channel while it waits for the next channel of its route. Not thread-safe.
 */
public final class ChannelRoutes {
    private static final int MAX_CHANNELS = 1 << 24;

    /** Number of each channel by name, in the order of first use. */
    private final Map<String, Integer> numbers = new HashMap<>();

    private final List<String> names = new ArrayList<>();
    private final WaitGraph graph = new WaitGraph();

    /** First route of each dependency, by held channel in the upper 32 bits and wanted channel in the lower ones. */
    private final Map<Long, Integer> firstRoute = new HashMap<>();

    private int routes;

    /**
     * Adds a route.
     *
     * @param channels names of the channels in order; empty for a packet that uses no channel
     * @throws IllegalArgumentException if all routes have more than 2^24 channels
     */
    public void addRoute(List<String> channels) {
        int held = FabricTables.NONE;
        for (String name : channels) {
            Integer known = numbers.get(name);
            if (known == null && names.size() == MAX_CHANNELS) {
                throw new IllegalArgumentException("there are more than " + MAX_CHANNELS + " channels");
            } else if (known == null) {
                known = names.size();
                numbers.put(name, known);
                names.add(name);
            }
            graph.markUsed(known);
            if (held != FabricTables.NONE) {
                graph.addWait(held, known);
                firstRoute.putIfAbsent((long) held << 32 | known, routes);
            }
            held = known;
        }
        routes++;
    }

    /** Returns the number of routes. */
    public int routes() {
        return routes;
    }

    /** Returns the number of channels on any route. */
    public int channels() {
        return names.size();
    }

    /** Returns the number of pairs of channels that follow each other on any route. */
    public int dependencies() {
        return graph.dependencyCount();
    }

    /**
     * Returns a rank for each channel by name, in the order of first use, so that ranks increase on every route; empty
     * if there is a cycle.
     */
    public Optional<Map<String, Integer>> ranks() {
        int[] ranks = graph.ranks();
        if (ranks == null) {
            return Optional.empty();
        }
        Map<String, Integer> byName = new LinkedHashMap<>();
        for (int channel = 0; channel < ranks.length; channel++) {
            byName.put(names.get(channel), ranks[channel]);
        }
        return Optional.of(byName);
    }

    /** A channel of a cycle, and the first route (counted from 0) on which the next channel of the cycle follows it. */
    public record Wait(String channel, int route) {}

    /**
     * Returns the shortest cycle of channels that wait for each other.
     *
     * @throws IllegalStateException if there is no cycle
     */
    public List<Wait> creditLoop() {
        int[] creditLoop = graph.shortestCreditLoop();
        List<Wait> waits = new ArrayList<>();
        for (int i = 0; i < creditLoop.length; i++) {
            int next = creditLoop[(i + 1) % creditLoop.length];
            Integer route = firstRoute.get((long) creditLoop[i] << 32 | next);
            waits.add(new Wait(names.get(creditLoop[i]), route == null ? FabricTables.NONE : route));
        }
        return waits;
    }
}
