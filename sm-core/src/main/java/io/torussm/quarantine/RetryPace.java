package io.torussm.quarantine;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * How often it is worth a light sweep's question, or a whole sweep, to try again what devices did not do: with the next light sweep
 * at first, and after each retry that failed half as often, each thing by itself. So a device that stays as it is, or comes and
 * goes, does not keep the subnet in motion, and another one that begins to fail does not wait for it. Owner thread: the loop.
 */
public final class RetryPace {
    /** Light sweeps between two whole sweeps at most that only try again. */
    private static final int MAX_PAUSE = 64;

    /** The same between two questions, which are one SMP each: who is well again waits no longer. */
    private static final int MAX_QUIET = 3;

    private final Map<Object, Pace> paces = new HashMap<>();

    private static final class Pace {
        boolean isUndone;
        boolean isRetried;
        /** Light sweeps that pass before it is tried, or asked for, and those that have. */
        int pause;

        int quiet;
        int waited;
        int unasked;
    }

    /** A light sweep is due. What has been done for as long as anything waits at most is forgotten. */
    public void tick() {
        paces.values().removeIf(pace -> {
            pace.waited++;
            pace.unasked++;
            return !pace.isUndone && pace.waited > MAX_PAUSE;
        });
    }

    /** Whether something that was not done is worth a whole sweep. */
    public boolean isDue(Object undone) {
        Pace pace = paces.get(undone);
        return pace == null || pace.waited > pace.pause;
    }

    /** Whether something that was not done is worth a question now; then it is asked. */
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

    /** A whole sweep begins that does nothing but try these again. */
    public void retried(Collection<?> undone) {
        undone.stream()
                .map(paces::get)
                .filter(Objects::nonNull)
                .forEach(pace -> pace.isRetried = pace.waited > pace.pause);
    }

    /** A sweep is over; some things were not done. Who fails again although all was well meanwhile counts as retried, too. */
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

    /** Another SM is master. */
    public void forget() {
        paces.clear();
    }
}
