package io.torussm.transport;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The number of SMPs that may be on the wire simultaneously. VL15 has no flow control: a switch silently
 * drops SMPs that it cannot queue. If several devices lose requests of one burst but respond to a retry, the
 * window halves. Dead devices do not respond to a retry and are no reason to slow down. While the window is
 * used up and nothing is lost, it grows:
 *
 * <ul>
 * <li>by one for each window of responses;
 * <li>above {@value #USUAL} only while round trips take less than twice the shortest one: slower responses
 * show that SMPs queue, and more of them would not arrive sooner;
 * <li>above three quarters of the size at the last loss only by one per time-out period, since a time-out is
 * needed to detect a loss.
 * </ul>
 *
 * <p>Confined to the client's loop, except {@link #size} and the count of halvings.
 */
public final class WireWindow {
    /** Where the window begins unless the limit is lower. */
    public static final int USUAL = 64;

    /** Default limit: the flow control of MADs in the kernel keeps back more than this. */
    public static final int USUAL_LIMIT = 128;

    /** OpenSM's window (OSM_DEFAULT_SMP_MAX_ON_WIRE), which the smallest switch bears. */
    private static final int LEAST = 4;

    /** Devices that a congested place is behind; fewer have reasons of their own. */
    private static final int SEVERAL = 3;

    /** Requests sent within this were sent together even where round trips take less. */
    private static final long TOGETHER_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int SMOOTHING = 8;

    private final int limit;
    private final boolean isFixed;
    private volatile int size;
    private int sinceGrowth;
    private int ceiling;
    private long ceilingNs;
    private final LongAdder halvings = new LongAdder();
    private long roundTripNs;
    private long leastRoundTripNs;
    private int roundTrips;
    private long halvedNs = Long.MIN_VALUE;
    private final List<Loss> losses = new ArrayList<>();

    /** A first try that was lost. */
    private record Loss(Object device, long sentNs) {}

    private WireWindow(int limit, boolean isFixed) {
        this.limit = limit;
        this.isFixed = isFixed;
        size = isFixed ? limit : Math.min(limit, USUAL);
        ceiling = limit;
    }

    /**
     * Returns a window that adapts to the fabric.
     *
     * @param limit maximum of the window, at least 1
     */
    public static WireWindow adaptive(int limit) {
        return new WireWindow(limit, false);
    }

    /** Returns a window that stays as it is, for comparisons. */
    public static WireWindow fixed(int size) {
        return new WireWindow(size, true);
    }

    /** Requests that may be on the wire now; may be read from any thread. */
    public int size() {
        return size;
    }

    /** Returns the largest that it may become. */
    int limit() {
        return limit;
    }

    /** Returns how often it was halved. */
    long halvings() {
        return halvings.sum();
    }

    /**
     * Counts a request that was answered at its first try.
     *
     * @param roundTripNs time from the request to its response
     * @param isFull true if the window was used up
     * @param timeoutNs time-out of a first try
     */
    void answered(long nowNs, long roundTripNs, boolean isFull, long timeoutNs) {
        measure(roundTripNs);
        if (isFixed || !isFull || size >= limit || (size >= USUAL && this.roundTripNs > 2 * leastRoundTripNs)) {
            return;
        }
        if (size < ceiling) {
            sinceGrowth++;
            if (sinceGrowth >= size) {
                sinceGrowth = 0;
                resize(size + 1);
            }
        } else if (nowNs - ceilingNs >= timeoutNs) {
            ceilingNs = nowNs;
            resize(size + 1);
            ceiling = size;
        }
    }

    private void measure(long roundTrip) {
        if (roundTrips < SMOOTHING) {
            // The first ones are to the local port, and no measure for a fabric.
            roundTrips++;
            roundTripNs += (roundTrip - roundTripNs) / roundTrips;
            leastRoundTripNs = roundTripNs;
        } else {
            roundTripNs += (roundTrip - roundTripNs) / SMOOTHING;
            leastRoundTripNs = Math.min(leastRoundTripNs, roundTripNs);
        }
    }

    /**
     * Handles the loss of a first try, after a later one was answered.
     *
     * @param device destination
     * @param sentNs time of the first try
     */
    void lost(Object device, long sentNs, long nowNs) {
        if (isFixed || (halvedNs != Long.MIN_VALUE && sentNs - halvedNs <= 0)) {
            return; // sent before the window was halved: the same event
        }
        long together = Math.max(TOGETHER_NS, roundTripNs);
        losses.removeIf(loss -> Math.abs(loss.sentNs - sentNs) > together);
        losses.add(new Loss(device, sentNs));
        Set<Object> devices = new HashSet<>();
        losses.forEach(loss -> devices.add(loss.device));
        if (devices.size() >= SEVERAL) {
            halve(nowNs);
        }
    }

    private void resize(int newSize) {
        size = newSize;
    }

    private void halve(long nowNs) {
        ceiling = Math.max(Math.min(LEAST, limit), size * 3 / 4);
        resize(Math.max(Math.min(LEAST, limit), size / 2));
        halvings.increment();
        halvedNs = nowNs;
        ceilingNs = nowNs;
        sinceGrowth = 0;
        losses.clear();
    }
}
