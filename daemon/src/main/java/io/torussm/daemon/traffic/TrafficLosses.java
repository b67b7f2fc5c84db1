package io.torussm.daemon.traffic;

import io.torussm.daemon.planning.Failure;
import io.torussm.daemon.planning.FailureParser;
import io.torussm.routing.Plan;
import java.util.List;
import java.util.stream.Stream;

/**
 * The cables and switches that a fabric loses between two studies of traffic.
 *
 * @param named failures, named as for {@code what-if}
 * @param drawn number of cables between switches, chosen at random
 * @param seed seed of the random numbers
 */
public record TrafficLosses(List<String> named, int drawn, long seed) {
    /** Copies the list. */
    public TrafficLosses {
        named = List.copyOf(named);
    }

    /** Checks whether there are no losses. */
    public boolean isEmpty() {
        return named.isEmpty() && drawn == 0;
    }

    /**
     * Returns the losses of a fabric.
     *
     * @throws IllegalArgumentException if a name is not known, or there are too few cables
     */
    public List<Failure> of(Plan plan) {
        FailureParser names = new FailureParser(plan);
        return Stream.concat(named.stream().map(names::parse), Failure.random(plan, drawn, seed).stream())
                .toList();
    }
}
