package io.torussm.torus2qos.planning;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A proposed torus-2QoS.conf for a fabric of which only the cables are known.
 *
 * @param conf text of the file; empty if the switches are not cabled as a torus
 * @param chainResult outcome of routing with the file, a refusal if no order of dimensions can be routed; null if
 *     there is no file
 * @param reason reason why there is no file, or the cables and positions that differ from a torus; empty if
 *     nothing differs
 */
public record ConfSuggestion(String conf, @Nullable ChainResult chainResult, String reason) {
    /** The name of the file in findings. */
    private static final String FILE = "torus-2QoS.conf";

    /**
     * Finds the sizes, seeds and datelines of a fabric. The dimensions are tried first in the order of their port
     * numbers. If a damaged torus cannot be routed so, the other orders follow: the order decides which switches may
     * be missing together. Each try routes and proves the whole fabric.
     *
     * @param tasks number of parallel tasks, at least 1
     * @return the first order that is routed; if none is, the order of the port numbers
     */
    public static ConfSuggestion of(Subnet subnet, RoutingOptions options, int tasks) {
        TorusGraph graph = new TorusGraph(subnet.fabric());
        Optional<Embedding> best = graph.switchCount() < 2 ? Optional.empty() : new TorusRecognition(graph).best();
        String misfit = best.map(Mismatch::describe).orElseGet(() -> Mismatch.describeNoTorus(graph));
        if (best.isEmpty() || Mismatch.isNoTorus(best.get())) {
            return new ConfSuggestion("", null, misfit);
        }
        DirectionPorts ports = new DirectionPorts(best.get());
        int origin = best.get().switchAt(new SeedChoice(best.get()).positions().get(0));
        List<int[]> orders = DimensionOrders.of(ports.order(), best.get().shape());
        ConfSuggestion first = chainResult(ports.oriented(orders.get(0), origin), misfit, subnet, options, tasks);
        return Stream.concat(
                        Stream.of(first),
                        orders.stream()
                                .skip(1)
                                .map(order ->
                                        chainResult(ports.oriented(order, origin), misfit, subnet, options, tasks)))
                .filter(suggestion -> suggestion.chainResult() != null
                        && suggestion.chainResult().isAccepted())
                .findFirst()
                .orElse(first);
    }

    private static ConfSuggestion chainResult(
            Embedding embedding, String misfit, Subnet subnet, RoutingOptions options, int tasks) {
        String conf = ConfText.of(embedding, new SeedChoice(embedding).positions());
        return new ConfSuggestion(conf, route(conf, subnet, options, tasks), misfit);
    }

    private static ChainResult route(String conf, Subnet subnet, RoutingOptions options, int tasks) {
        Torus2QosEngine engine = new Torus2QosEngine(Torus2QosConf.parse(FILE, conf), tasks);
        return new RoutingChain(List.of(engine), new DeadlockChecker(tasks)).route(subnet, options);
    }
}
