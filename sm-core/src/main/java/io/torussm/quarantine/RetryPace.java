package io.torussm.quarantine;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The pace at which light sweeps ask again, and whole sweeps write again, after a device failed to comply.
 * The first retry comes with the next light sweep; each failure halves the rate. Each failed item has its own
 * pace. A device that stays broken, or alternates, does not keep the subnet busy, and does not delay the
 * retry of another one. Owner thread: the loop.
 */
public final class RetryPace {
    /** The maximum number of light sweeps between two whole sweeps that only retry. */
    private static final int MAX_PAUSE = 64;

    /**
     * The maximum number of light sweeps between two questions, each one SMP, so that recovery is noticed
     * soon.
     */
    private static final int MAX_QUIET = 3;

    private final Map<Object, Pace> paces = new HashMap<>();

    private static final class Pace {
        boolean isUndone;
        boolean isRetried;
        /**
         * Number of light sweeps that pass before a whole sweep (pause) or a question (quiet), and that have
         * passed.
         */
        int pause;

        int quiet;
        int waited;
        int unasked;
    }

    /** Counts a light sweep. Forgets items that have succeeded for longer than the longest pause. */
    public void tick() {
        paces.values().removeIf(pace -> {
            pace.waited++;
            pace.unasked++;
            return !pace.isUndone && pace.waited > MAX_PAUSE;
        });
    }

    /** Checks whether a failed item is worth a whole sweep. */
    public boolean isDue(Object undone) {
        Pace pace = paces.get(undone);
        return pace == null || pace.waited > pace.pause;
    }

    /** Checks whether a failed item is worth a question now, and counts the question if so. */
    public boolean isAsked(Object undone) {
        Pace pace = paces.get(undone);
        if (pace == null) {
            return true;
        }
        if (pace.unasked <= pace.quiet || pace.waited <= pace.pause) {
            return false;
        }
        pace.unasked = 0;
        pace.quiet = Math.min(MAX_QUIET, 2 * pace.quiet + 1);
        return true;
    }

    /** Notes that a whole sweep begins only to retry these items. */
    public void retried(Collection<?> undone) {
        undone.stream()
                .map(paces::get)
                .filter(Objects::nonNull)
                .forEach(pace -> pace.isRetried = pace.waited > pace.pause);
    }

    /** Notes the failed items of a sweep. An item that fails again after a success counts as retried, too. */
    public void ended(Set<?> undone) {
        undone.forEach(what -> {
            Pace pace = paces.get(what);
            if (pace == null) {
                pace = new Pace();
                paces.put(what, pace);
            } else if (pace.isRetried || !pace.isUndone) {
                pace.pause = Math.min(MAX_PAUSE, 2 * pace.pause + 1);
                pace.waited = 0;
            }
            pace.isRetried = false;
        });
        paces.forEach((what, pace) -> {
            boolean isUndone = undone.contains(what);
            if (pace.isUndone && !isUndone) {
                pace.waited = 0;
                pace.quiet = 0;
                pace.isRetried = false;
            }
            pace.isUndone = isUndone;
        });
    }

    /** Discards the state: another SM is master. */
    public void forget() {
        paces.clear();
    }
}
