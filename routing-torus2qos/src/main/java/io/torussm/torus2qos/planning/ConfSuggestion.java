package io.torussm.torus2qos.planning;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A proposed torus-2QoS.conf for a fabric of which only the cables are known.
 *
 * @param conf the text of the file; empty if the switches are not cabled as a torus
 * @param routed the outcome of routing with the file; null if there is no file
 * @param reason why there is no file, or the cables that do not fit; empty if there are no faults
 */
public record ConfSuggestion(String conf, @Nullable ChainResult routed, String reason) {
    /** The name of the file in findings. */
    private static final String FILE = "torus-2QoS.conf";

    /**
     * Finds sizes, seeds and datelines. Where a damaged torus cannot be routed with the dimensions in the
     * order of their port numbers, other orders are tried: which switches may be missing together depends on
     * it.
     *
     * @param tasks parts to work in side by side, at least 1
     */
    public static ConfSuggestion of(Subnet subnet, RoutingOptions options, int tasks) {
        TorusGraph graph = new TorusGraph(subnet.fabric());
        Optional<Embedding> found = graph.switchCount() < 2 ? Optional.empty() : new TorusRecognition(graph).best();
        String misfit = found.map(Mismatch::describe).orElseGet(() -> Mismatch.shapeless(graph));
        if (found.isEmpty() || Mismatch.isTooFar(found.get())) {
            return new ConfSuggestion("", null, misfit);
        }
        ConfSuggestion first = null;
        for (Embedding turned : turned(found.get())) {
            List<Integer> seeds = new SeedChoice(turned).positions();
            String conf = ConfText.of(turned, seeds);
            ChainResult routed = route(conf, subnet, options, tasks);
            ConfSuggestion suggestion = new ConfSuggestion(conf, routed, misfit);
            if (routed.isAccepted()) {
                return suggestion;
            }
            first = first == null ? suggestion : first;
        }
        return first == null ? new ConfSuggestion("", null, misfit) : first;
    }

    private static ChainResult route(String conf, Subnet subnet, RoutingOptions options, int tasks) {
        Torus2QosEngine engine = new Torus2QosEngine(Torus2QosConf.parse(FILE, conf), tasks);
        return new RoutingChain(List.of(engine), new DeadlockChecker(tasks)).route(subnet, options);
    }

    /** Returns the torus with its dimensions in all orders, that of the port numbers first. */
    private static List<Embedding> turned(Embedding embedding) {
        DirectionPorts ports = new DirectionPorts(embedding);
        int origin = embedding.switchAt(new SeedChoice(embedding).positions().get(0));
        List<Embedding> all = new ArrayList<>();
        for (int[] order : orders(ports.order(), embedding.shape())) {
            all.add(ports.turned(order, origin));
        }
        return all;
    }

    private static List<int[]> orders(int[] first, TorusShape shape) {
        List<int[]> orders = new ArrayList<>();
        int[][] permutations = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
        for (int[] permutation : permutations) {
            int[] order = {first[permutation[0]], first[permutation[1]], first[permutation[2]]};
            boolean isThinLast = shape.radix(order[2]) == 1 || shape.radix(order[0]) > 1 && shape.radix(order[1]) > 1;
            if (isThinLast) {
                orders.add(order);
            }
        }
        return orders;
    }
}
