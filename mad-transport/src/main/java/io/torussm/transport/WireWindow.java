package io.torussm.transport;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The max number of SMPs that are on the wire simultaneously. VL15 has no flow control: a switch silently drops SMPs
 * that it cannot queue. If several devices lose requests of one burst but respond to a retry, the window halves. Dead
 * devices do not respond to a retry and do not reduce the window. While the window is used up and no SMP is lost, it
 * grows:
 *
 * <ul>
 * <li>by one for each window of responses;
 * <li>above {@value #INITIAL} only while round trips take less than twice the shortest one: slower responses show that
 * SMPs queue, and more of them would not arrive sooner;
 * <li>above three quarters of the size at the last loss only by one per time-out, since a loss is detected after a
 * time-out.
 * </ul>
 *
 * <p>Confined to the client's loop, except {@link #size} and {@link #halvings}.
 */
public final class WireWindow {
    /** Initial size, unless the limit is lower. */
    public static final int INITIAL = 64;

    /** Default limit. The flow control of MADs in the kernel delays any SMP above it. */
    public static final int DEFAULT_LIMIT = 128;

    /** Min size: OpenSM's window (OSM_DEFAULT_SMP_MAX_ON_WIRE), which the smallest switch can queue. */
    private static final int MIN_SIZE = 4;

    /** Min number of devices with losses that shows congestion; with fewer, the devices may be the cause. */
    private static final int MIN_LOSSY_DEVICES = 3;

    /** Max time between requests of one burst, if round trips take less. */
    private static final long MAX_BURST_GAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Divisor of the moving average of round trips. */
    private static final int SMOOTHING = 8;

    private final int limit;
    private final boolean isFixed;
    private volatile int size;

    /** Responses since the last growth. */
    private int responsesSinceGrowth;

    /** Size from which the window grows by one per time-out only. */
    private int ceiling;

    /** Time of the last change of {@link #ceiling}. */
    private long ceilingNs;

    private final LongAdder halvings = new LongAdder();

    /** Moving average of round trips. */
    private long roundTripNs;

    /** Lowest moving average so far. */
    private long minRoundTripNs;

    /** Number of measured round trips, up to {@link #SMOOTHING}. */
    private int roundTrips;

    /** Time of the last halving; MIN_VALUE before the first. */
    private long halvedNs = Long.MIN_VALUE;

    /** Lost tries of the last burst. */
    private final List<Loss> losses = new ArrayList<>();

    /** A lost first try. */
    private record Loss(Object device, long sentNs) {}

    private WireWindow(int limit, boolean isFixed) {
        this.limit = limit;
        this.isFixed = isFixed;
        size = isFixed ? limit : Math.min(limit, INITIAL);
        ceiling = limit;
    }

    /**
     * Returns a window that adapts to the fabric.
     *
     * @param limit max size, at least 1
     */
    public static WireWindow adaptive(int limit) {
        return new WireWindow(limit, false);
    }

    /**
     * Returns a window that adapts to the fabric, within the limit of a transport.
     *
     * @param wanted max size; 0 for {@link #DEFAULT_LIMIT}
     * @param maxOutstanding max requests that the transport accepts
     */
    static WireWindow adaptive(int wanted, int maxOutstanding) {
        return adaptive(Math.min(wanted == 0 ? DEFAULT_LIMIT : wanted, Math.max(1, maxOutstanding)));
    }

    /** Returns a window of constant size, for comparisons. */
    public static WireWindow fixed(int size) {
        return new WireWindow(size, true);
    }

    /** Returns the current max number of SMPs on the wire. Any thread may call it. */
    public int size() {
        return size;
    }

    /** Returns the max size. */
    int limit() {
        return limit;
    }

    /** Returns the number of halvings. Any thread may call it. */
    long halvings() {
        return halvings.sum();
    }

    /**
     * Counts a request with a response to its first try.
     *
     * @param nowNs time of the response
     * @param roundTripNs time from the request to its response
     * @param isFull true if the window was used up
     * @param timeoutNs time-out of a first try
     */
    void handleResponse(long nowNs, long roundTripNs, boolean isFull, long timeoutNs) {
        measure(roundTripNs);
        if (isFixed || !isFull || size >= limit || (size >= INITIAL && this.roundTripNs > 2 * minRoundTripNs)) {
            return;
        }
        if (size < ceiling) {
            responsesSinceGrowth++;
            if (responsesSinceGrowth >= size) {
                responsesSinceGrowth = 0;
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
            // The first round trips are to the local port, which is no measure for a fabric: the shortest one is set
            // from their average.
            roundTrips++;
            roundTripNs += (roundTrip - roundTripNs) / roundTrips;
            minRoundTripNs = roundTripNs;
        } else {
            roundTripNs += (roundTrip - roundTripNs) / SMOOTHING;
            minRoundTripNs = Math.min(minRoundTripNs, roundTripNs);
        }
    }

    /**
     * Handles the loss of a first try, after a response to a later try.
     *
     * @param device destination
     * @param sentNs time of the first try
     * @param nowNs time of the response
     */
    void handleLoss(Object device, long sentNs, long nowNs) {
        if (isFixed || (halvedNs != Long.MIN_VALUE && sentNs - halvedNs <= 0)) {
            return; // sent before the window was halved, so the window has already reacted
        }
        long burstNs = Math.max(MAX_BURST_GAP_NS, roundTripNs);
        losses.removeIf(loss -> Math.abs(loss.sentNs - sentNs) > burstNs);
        losses.add(new Loss(device, sentNs));
        Set<Object> devices = new HashSet<>();
        losses.forEach(loss -> devices.add(loss.device));
        if (devices.size() >= MIN_LOSSY_DEVICES) {
            halve(nowNs);
        }
    }

    private void resize(int newSize) {
        size = newSize;
    }

    private void halve(long nowNs) {
        ceiling = Math.max(Math.min(MIN_SIZE, limit), size * 3 / 4);
        resize(Math.max(Math.min(MIN_SIZE, limit), size / 2));
        halvings.increment();
        halvedNs = nowNs;
        ceilingNs = nowNs;
        responsesSinceGrowth = 0;
        losses.clear();
    }
}
