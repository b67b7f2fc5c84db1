package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.planning.Failure;
import io.torussm.daemon.planning.PlannedFabric;
import io.torussm.daemon.traffic.TrafficLosses;
import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.event.Finding;
import io.torussm.routing.EarlierFacts;
import io.torussm.subnet.Subnet;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fabric as it is routed, and as the rest of it is routed after a loss.
 *
 * @param states one, or two with a loss; none of them has a null plan unless it is the last
 * @param lost the name of each loss
 */
record RoutedFabric(PlannedFabric fabric, List<ChainResult> states, List<String> lost) {
    RoutedFabric {
        states = List.copyOf(states);
        lost = List.copyOf(lost);
    }

    /**
     * Routes a fabric by the chain of its options.
     *
     * @param isAlone true if no default engine follows
     * @throws IllegalArgumentException if the losses are impossible
     */
    static RoutedFabric of(PlannedFabric fabric, TrafficLosses losses, boolean isAlone) throws ConfigurationException {
        RoutingChain named = fabric.chain(Runtime.getRuntime().availableProcessors());
        RoutingChain chain = isAlone ? named.alone(true) : named;
        ChainResult wholeResult = chain.route(fabric.subnet(), fabric.wanted());
        if (wholeResult.plan() == null || losses.isEmpty()) {
            return new RoutedFabric(fabric, List.of(wholeResult), List.of());
        }
        List<Failure> failures = losses.of(wholeResult.plan());
        Subnet rest = Failure.ofAll(failures)
                .applyTo(fabric.subnet())
                .orElseThrow(() -> new IllegalArgumentException("no switch is left"));
        Certificate proof = wholeResult.verdict() instanceof Certificate certificate ? certificate : null;
        ChainResult left =
                chain.route(rest, fabric.wanted(), wholeResult.plan(), EarlierFacts.of(wholeResult.plan()), proof);
        return new RoutedFabric(
                fabric,
                List.of(wholeResult, left),
                failures.stream().map(Failure::name).toList());
    }

    /** Checks whether all states have tables. */
    boolean isRouted() {
        return states.stream().allMatch(state -> state.plan() != null);
    }

    /** Returns the findings of all states. */
    List<Finding> findings() {
        return states.stream()
                .flatMap(state -> state.findings().stream())
                .distinct()
                .toList();
    }

    /** Returns the first error of a state. */
    static String refusal(ChainResult state) {
        return state.findings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::text)
                .flatMap(text -> Stream.of(text.lines().findFirst().orElse("")))
                .findFirst()
                .orElse("");
    }
}
