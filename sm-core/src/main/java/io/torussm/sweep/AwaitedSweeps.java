package io.torussm.sweep;

import io.torussm.sweep.state.SweepCounts.SweepEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The callers that wait for the end of a sweep. Owner thread: the loop. */
final class AwaitedSweeps {
    /** The max number of waiters; further ones are refused immediately. */
    static final int MAX = 64;

    private final List<Waiter> waiters = new ArrayList<>();

    /**
     * A caller that waits for the end of a sweep.
     *
     * @param from number of the first sweep that suffices
     * @param isLight whether a light sweep without changes suffices
     * @param completion callback
     */
    private record Waiter(long from, boolean isLight, Consumer<Optional<SweepEnd>> completion) {}

    /**
     * Calls back when a sweep with at least a given number ends.
     *
     * @param from number of the first sweep that suffices
     * @param isLight whether a light sweep without changes suffices
     * @param completion callback, called once; empty if there are too many waiters, or {@link #cancelAll} is called
     */
    void await(long from, boolean isLight, Consumer<Optional<SweepEnd>> completion) {
        if (waiters.size() < MAX) {
            waiters.add(new Waiter(from, isLight, completion));
        } else {
            completion.accept(Optional.empty());
        }
    }

    /** Handles the end of a sweep. If it is widened or superseded, the callers wait for the next sweep. */
    void onSweepEnd(long sweep, SweepEnd end) {
        if (!end.isContinued()) {
            complete(end, waiter -> waiter.from() <= sweep);
        }
    }

    /** Handles a light sweep without changes. */
    void onQuietLightSweep() {
        complete(SweepEnd.QUIET, Waiter::isLight);
    }

    /** Ends all waiting, because there are no more sweeps. */
    void cancelAll() {
        List<Waiter> all = List.copyOf(waiters);
        waiters.clear();
        all.forEach(waiter -> waiter.completion().accept(Optional.empty()));
    }

    private void complete(SweepEnd end, Predicate<Waiter> isServed) {
        List<Waiter> served = waiters.stream().filter(isServed).toList();
        waiters.removeAll(served);
        served.forEach(waiter -> waiter.completion().accept(Optional.of(end)));
    }
}
