package io.torussm.quarantine;

import java.util.HashSet;
import java.util.Set;

/**
 * How often the whole fabric is swept only to try again what devices did not do: with the next light sweep at first, and after
 * each time that was in vain twice as rarely, down to once in {@value #MAX_PAUSE} light sweeps. Owner thread: the loop.
 */
public final class RetryPace {
    /** Light sweeps between two retries at most. */
    private static final int MAX_PAUSE = 64;

    private Set<Object> before = Set.of();
    private boolean isRetry;
    private int pause;
    private int waited;

    /** A light sweep is due: whether it should rather be one that tries again. */
    public boolean isDue() {
        waited++;
        return waited > pause;
    }

    /** A sweep begins that does nothing but try again. */
    public void retried() {
        isRetry = true;
        waited = 0;
    }

    /** A sweep is over; some things were not done. */
    public void ended(Set<?> undone) {
        Set<Object> now = new HashSet<>(undone);
        if (now.isEmpty() || !before.containsAll(now)) {
            pause = 0;
        } else if (isRetry) {
            pause = Math.min(MAX_PAUSE, 2 * pause + 1);
        }
        isRetry = false;
        before = now;
    }
}
