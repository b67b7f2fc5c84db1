package io.torussm.proof;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Routes of any network, InfiniBand or not, each given as the channels that a packet takes one after the other. Packets hold a
 * channel while they wait for the next of their route. Not thread-safe.
 */
public final class ChannelRoutes {
    private static final int MAX_CHANNELS = 1 << 24;

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final WaitGraph graph = new WaitGraph();
    private final Map<Long, Integer> firstRoute = new HashMap<>();
    private int routes;

    /**
     * Adds a route.
     *
     * @param channels their names in order; one without any is a packet that needs none
     * @throws IllegalArgumentException if there are too many channels
     */
    public void route(List<String> channels) {
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
            graph.use(known);
            if (held != FabricTables.NONE) {
                graph.wait(held, known);
                firstRoute.putIfAbsent((long) held << 32 | known, routes);
            }
            held = known;
        }
        routes++;
    }

    /** Routes that were added. */
    public int routes() {
        return routes;
    }

    /** Channels that some route takes. */
    public int channels() {
        return names.size();
    }

    /** Pairs of channels of which some route takes one right after the other. */
    public int dependencies() {
        return graph.dependencyCount();
    }

    /** A rank for each channel that goes up on every route, in the order in which channels were met; empty if there is none. */
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

    /**
     * A channel of a circle, and the first route, from 0, that takes it right before the next one.
     */
    public record Wait(String channel, int route) {}

    /**
     * The shortest circle of channels that wait for each other.
     *
     * @throws IllegalStateException if there is none
     */
    public List<Wait> circle() {
        int[] circle = graph.shortestCircle();
        List<Wait> waits = new ArrayList<>();
        for (int i = 0; i < circle.length; i++) {
            int next = circle[(i + 1) % circle.length];
            Integer route = firstRoute.get((long) circle[i] << 32 | next);
            waits.add(new Wait(names.get(circle[i]), route == null ? FabricTables.NONE : route));
        }
        return waits;
    }
}
