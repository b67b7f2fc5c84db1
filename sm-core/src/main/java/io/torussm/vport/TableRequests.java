package io.torussm.vport;

import io.torussm.transport.Loop;
import io.torussm.vport.VPortManager.RoutingStart;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The requests for tables of switches with the LIDs of all vports. Each one costs a run of the engine, so changes are
 * collected, and a request is repeated only if its tables have not come. Owner thread: the loop.
 */
final class TableRequests {
    /**
     * The time after a request in which changes are collected. The first change after it does not wait. As long as
     * changes come within it, as when many hosts are read, it is doubled each time.
     */
    private static final long MIN_COLLECTING_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long MAX_COLLECTING_NS = TimeUnit.MILLISECONDS.toNanos(80);

    /** The time after which tables are requested again if they have not come; doubled each time. */
    private static final long FIRST_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The time after which tables are requested again if a sweep was in progress, and published nothing. */
    private static final long BUSY_NS = TimeUnit.SECONDS.toNanos(1);

    /** Requests in a row for the same LIDs, the last one after a minute. */
    private static final int MAX_REQUESTS = 10;

    /** The time after which a vport that waits for tables is reported. */
    private static final long LONG_WAIT_NS = TimeUnit.SECONDS.toNanos(25);

    private final Loop loop;
    private final Supplier<RoutingStart> routing;

    /** True while changes are collected. */
    private boolean isCollecting;

    /** True until the published subnet has all LIDs. */
    private boolean isWaiting;

    /** The time of the first request of this wait. */
    private long sinceNs;

    /** Requests in a row that did not give all vports their LIDs. */
    private int requests;

    private long collectingNs = MIN_COLLECTING_NS;

    /** The time of the last request, and {@link #collectingNs}. */
    private long collectedNs = Long.MIN_VALUE;

    private RoutingStart lastStart = RoutingStart.BUSY;
    private Loop.Timer timer = () -> {};

    /** @param routing begins to compute and write the tables of switches, if that is possible now */
    TableRequests(Loop loop, Supplier<RoutingStart> routing) {
        this.loop = loop;
        this.routing = routing;
    }

    /** Notes that LIDs have changed, so that earlier requests do not count. */
    void renew() {
        requests = 0;
    }

    /** Checks whether no request is in progress, so that a subnet without all LIDs requires one. */
    boolean isIdle() {
        return requests == 0 || lastStart != RoutingStart.BEGUN;
    }

    /**
     * Begins to collect changes.
     *
     * @param onCollected stores the changes, and then calls {@link #request}
     */
    void requestSoon(Runnable onCollected) {
        if (!isWaiting) {
            isWaiting = true;
            sinceNs = loop.nowNs();
        }
        if (!isCollecting) {
            isCollecting = true;
            timer.cancel();
            boolean isSoon = collectedNs > loop.nowNs();
            collectingNs = isSoon ? Math.min(MAX_COLLECTING_NS, 2 * collectingNs) : MIN_COLLECTING_NS;
            timer = loop.schedule(isSoon ? collectedNs - loop.nowNs() : 0, () -> {
                isCollecting = false;
                onCollected.run();
            });
        }
    }

    /** Requests tables now, and again until the published subnet has all LIDs. */
    void request() {
        if (isWaiting && !isCollecting && requests < MAX_REQUESTS) {
            lastStart = routing.get();
            boolean isBegun = lastStart == RoutingStart.BEGUN;
            collectedNs = isBegun ? loop.nowNs() + collectingNs : collectedNs;
            requests += isBegun ? 1 : 0;
            timer.cancel();
            timer = loop.schedule(isBegun ? FIRST_RETRY_NS << requests : BUSY_NS, this::request);
        }
    }

    /** Ends the wait: the published subnet has all LIDs, or another SM is master. */
    void end() {
        timer.cancel();
        isCollecting = false;
        isWaiting = false;
        requests = 0;
    }

    /** Checks whether no more requests follow. */
    boolean isExhausted() {
        return requests >= MAX_REQUESTS;
    }

    /** Returns the reason why tables with a LID have not come; empty if that is not to be reported yet. */
    String reason(int lid) {
        if (isExhausted()) {
            return "no tables have LID " + lid;
        } else if (isWaiting && lastStart == RoutingStart.SUSPENDED) {
            return "LID " + lid + " waits for tables of switches, and sweeps are suspended";
        }
        boolean isLong = isWaiting && loop.nowNs() - sinceNs >= LONG_WAIT_NS;
        return isLong ? "LID " + lid + " waits for tables of switches" : "";
    }
}
