package io.torussm.sweep;

import io.torussm.sweep.SweepCounts.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Who waits for the end of a sweep. Owner thread: the loop. */
final class AwaitedSweeps {
    /** More are told at once that nobody waits for them. */
    static final int MAX = 64;

    private final List<Waiter> waiters = new ArrayList<>();

    /**
     * @param from number of the first sweep that will do
     * @param isLight whether a light sweep that finds nothing will do
     */
    private record Waiter(long from, boolean isLight, Consumer<Optional<End>> told) {}

    /** Tells how the sweep of a number ends, or one after it; nothing if none will. */
    void await(long from, boolean isLight, Consumer<Optional<End>> told) {
        if (waiters.size() < MAX) {
            waiters.add(new Waiter(from, isLight, told));
        } else {
            told.accept(Optional.empty());
        }
    }

    /** A sweep ended; one that is widened or superseded goes on in the next. */
    void ended(long sweep, End end) {
        if (!end.isContinued()) {
            tell(end, waiter -> waiter.from() <= sweep);
        }
    }

    /** A light sweep found nothing. */
    void quiet() {
        tell(End.QUIET, Waiter::isLight);
    }

    /** There will be none. */
    void giveUp() {
        List<Waiter> all = List.copyOf(waiters);
        waiters.clear();
        all.forEach(waiter -> waiter.told().accept(Optional.empty()));
    }

    private void tell(End end, Predicate<Waiter> isMeant) {
        List<Waiter> meant = waiters.stream().filter(isMeant).toList();
        waiters.removeAll(meant);
        meant.forEach(waiter -> waiter.told().accept(Optional.of(end)));
    }
}
