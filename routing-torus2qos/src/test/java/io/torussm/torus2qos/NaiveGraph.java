package io.torussm.torus2qos;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A graph of channels, each of which waits for others, and its cycles. */
final class NaiveGraph {
    private final Map<Channel, Set<Channel>> waits = new HashMap<>();

    /** The packets that leave a switch by a port (or by any cable of a side) on a virtual lane. */
    record Channel(int sw, int out, int vl) {}

    void add(Channel holds, Channel wants) {
        waits.computeIfAbsent(holds, any -> new LinkedHashSet<>()).add(wants);
    }

    NaiveGraph copy() {
        NaiveGraph copy = new NaiveGraph();
        waits.forEach((holds, wants) -> copy.waits.put(holds, new LinkedHashSet<>(wants)));
        return copy;
    }

    /** Channels in a circle, found depth first; empty if there is no circle. */
    List<Channel> cycle() {
        Set<Channel> done = new HashSet<>();
        for (Channel start : waits.keySet()) {
            List<Channel> cycle = done.contains(start) ? List.of() : cycleFrom(start, done);
            if (!cycle.isEmpty()) {
                return cycle;
            }
        }
        return List.of();
    }

    private List<Channel> cycleFrom(Channel start, Set<Channel> done) {
        List<Channel> way = new ArrayList<>(List.of(start));
        Set<Channel> onWay = new HashSet<>(way);
        Deque<Iterator<Channel>> open = new ArrayDeque<>();
        open.push(after(start));
        while (!open.isEmpty()) {
            if (!open.element().hasNext()) {
                open.pop();
                Channel left = way.remove(way.size() - 1);
                onWay.remove(left);
                done.add(left);
                continue;
            }
            Channel next = open.element().next();
            if (onWay.contains(next)) {
                return List.copyOf(way.subList(way.indexOf(next), way.size()));
            }
            if (!done.contains(next)) {
                way.add(next);
                onWay.add(next);
                open.push(after(next));
            }
        }
        return List.of();
    }

    private Iterator<Channel> after(Channel channel) {
        return waits.getOrDefault(channel, Set.of()).iterator();
    }
}
