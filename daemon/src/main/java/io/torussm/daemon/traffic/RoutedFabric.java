package io.torussm.daemon.traffic;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.planning.Failure;
import io.torussm.daemon.planning.PlannedFabric;
import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.event.Finding;
import io.torussm.routing.EarlierFacts;
import io.torussm.subnet.Subnet;
import java.util.List;

/**
 * The routes of a fabric, and those of the rest of it after a loss.
 *
 * @param states the whole fabric, then the rest after a loss, if there is one; no state follows a null plan
 * @param lost names of the lost switches and cables
 */
public record RoutedFabric(PlannedFabric fabric, List<ChainResult> states, List<String> lost) {
    public RoutedFabric {
        states = List.copyOf(states);
        lost = List.copyOf(lost);
    }

    /**
     * Routes a fabric by the chain of its options.
     *
     * @param isAlone whether only the configured engines route, without a default engine after them
     * @throws IllegalArgumentException if the losses are impossible
     */
    public static RoutedFabric of(PlannedFabric fabric, TrafficLosses losses, boolean isAlone)
            throws ConfigurationException {
        RoutingChain configured = fabric.chain(Runtime.getRuntime().availableProcessors());
        RoutingChain chain = isAlone ? configured.withoutDefault(true) : configured;
        ChainResult wholeResult = chain.route(fabric.subnet(), fabric.routingOptions());
        if (wholeResult.plan() == null || losses.isEmpty()) {
            return new RoutedFabric(fabric, List.of(wholeResult), List.of());
        }
        List<Failure> failures = losses.of(wholeResult.plan());
        Subnet rest = Failure.ofAll(failures)
                .applyTo(fabric.subnet())
                .orElseThrow(() -> new IllegalArgumentException("no switch is left"));
        Certificate proof = wholeResult.verdict() instanceof Certificate certificate ? certificate : null;
        ChainResult restResult = chain.route(
                rest, fabric.routingOptions(), wholeResult.plan(), EarlierFacts.of(wholeResult.plan()), proof);
        return new RoutedFabric(
                fabric,
                List.of(wholeResult, restResult),
                failures.stream().map(Failure::name).toList());
    }

    /** Checks whether all states have tables. */
    public boolean isRouted() {
        return states.stream().allMatch(state -> state.plan() != null);
    }

    /** Returns the findings of all states. */
    public List<Finding> findings() {
        return states.stream()
                .flatMap(state -> state.findings().stream())
                .distinct()
                .toList();
    }

    /** Returns the first line of the first error of a state; empty without an error. */
    public static String refusal(ChainResult state) {
        return state.findings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::text)
                .map(text -> text.lines().findFirst().orElse(""))
                .findFirst()
                .orElse("");
    }
}
