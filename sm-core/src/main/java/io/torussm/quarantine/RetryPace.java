package io.torussm.quarantine;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The pace of retries after a device failed to comply: of requests by light sweeps, and of whole sweeps that only
 * retry. The first retry is in the next light sweep; each failure halves the rate. Each failed item has its own pace.
 * So a device that stays broken, or fails repeatedly, neither keeps the subnet busy nor delays the retry of another
 * device. Owner thread: the loop.
 */
public final class RetryPace {
    /** The max number of light sweeps between two whole sweeps that only retry. */
    private static final int MAX_PAUSE = 64;

    /**
     * The max number of light sweeps between two requests to a failed item, each one SMP, so that its recovery is found
     * soon.
     */
    private static final int MAX_REQUEST_PAUSE = 3;

    private final Map<Object, Pace> paces = new HashMap<>();

    /** The pace of one item. */
    private static final class Pace {
        /** True if the item failed in the last sweep. */
        boolean hasFailed;

        /** True if the current sweep retries the item. */
        boolean isRetried;

        /** Number of light sweeps that must pass before a whole sweep retries the item. */
        int pause;

        /** Number of light sweeps that must pass before the next request. */
        int requestPause;

        /** Number of light sweeps since the last retry by a whole sweep, or since the success. */
        int sinceRetry;

        /** Number of light sweeps since the last request. */
        int sinceRequest;
    }

    /** Counts a light sweep. Removes items that have succeeded for longer than the longest pause. */
    public void countLightSweep() {
        paces.values().removeIf(pace -> {
            pace.sinceRetry++;
            pace.sinceRequest++;
            return !pace.hasFailed && pace.sinceRetry > MAX_PAUSE;
        });
    }

    /** Checks whether a whole sweep may retry a failed item. */
    public boolean isDue(Object undone) {
        Pace pace = paces.get(undone);
        return pace == null || pace.sinceRetry > pace.pause;
    }

    /** Checks whether this light sweep sends a request to a failed item, and counts the request if so. */
    public boolean takeRequest(Object undone) {
        Pace pace = paces.get(undone);
        if (pace == null) {
            return true;
        }
        if (pace.sinceRequest <= pace.requestPause || pace.sinceRetry <= pace.pause) {
            return false;
        }
        pace.sinceRequest = 0;
        pace.requestPause = Math.min(MAX_REQUEST_PAUSE, 2 * pace.requestPause + 1);
        return true;
    }

    /** Records that a whole sweep begins only to retry these items. */
    public void onRetry(Collection<?> undone) {
        undone.stream()
                .map(paces::get)
                .filter(Objects::nonNull)
                .forEach(pace -> pace.isRetried = pace.sinceRetry > pace.pause);
    }

    /** Records the failed items of a sweep. An item that fails again after a success counts as retried, too. */
    public void onSweepEnd(Set<?> undone) {
        undone.forEach(item -> {
            Pace pace = paces.get(item);
            if (pace == null) {
                pace = new Pace();
                paces.put(item, pace);
            } else if (pace.isRetried || !pace.hasFailed) {
                pace.pause = Math.min(MAX_PAUSE, 2 * pace.pause + 1);
                pace.sinceRetry = 0;
            }
            pace.isRetried = false;
        });
        paces.forEach((item, pace) -> {
            boolean isUndone = undone.contains(item);
            if (pace.hasFailed && !isUndone) {
                pace.sinceRetry = 0;
                pace.requestPause = 0;
                pace.isRetried = false;
            }
            pace.hasFailed = isUndone;
        });
    }

    /** Removes the whole state, because another SM is master. */
    public void forget() {
        paces.clear();
    }
}
