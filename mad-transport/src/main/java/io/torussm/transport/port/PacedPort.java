package io.torussm.transport.port;

import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * A port with a limited rate of MADs per second for all its senders together. Early MADs wait in order, at most
 * {@value #MAX_WAITING}; further ones are refused. If the wrapped port refuses a waiting MAD, this MAD returns as
 * undelivered. The window of a sender should be small enough to drain within a fraction of its time-out.
 *
 * <p>Any thread may call it. Timers run on the loop.
 */
public final class PacedPort extends ForwardingTransport {
    private static final int MAX_WAITING = 4096;

    private final Loop loop;
    private final IntSupplier perSecond;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();

    /** Earliest time of the next MAD. */
    private long nextNs;

    private boolean isClosed;

    /** True if {@link #sendNext} is scheduled. */
    private boolean isScheduled;

    /** A MAD that was sent too early. */
    private record Waiting(MadFrame frame, int responseTimeoutMs) {}

    /**
     * Wraps a port.
     *
     * @param inner wrapped port, not started
     * @param perSecond rate in MADs per second, at least 1; read for every MAD
     */
    public PacedPort(MadTransport inner, Loop loop, IntSupplier perSecond) {
        super(inner);
        this.loop = loop;
        this.perSecond = perSecond;
        nextNs = loop.nowNs();
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        synchronized (this) {
            long nowNs = loop.nowNs();
            if (isClosed) {
                return false;
            }
            if (!queue.isEmpty() || nextNs - nowNs > 0) {
                if (queue.size() >= MAX_WAITING) {
                    return false;
                }
                queue.add(new Waiting(frame, responseTimeoutMs));
                await(nowNs);
                return true;
            }
            advanceNextTime(nowNs);
        }
        return super.send(frame, responseTimeoutMs);
    }

    /** Counts a MAD: moves the time of the next one on. */
    private void advanceNextTime(long nowNs) {
        long intervalNs = TimeUnit.SECONDS.toNanos(1) / Math.max(1, perSecond.getAsInt());
        nextNs = Math.max(nextNs, nowNs) + intervalNs;
    }

    private void await(long nowNs) {
        if (!isScheduled) {
            isScheduled = true;
            loop.schedule(Math.max(0, nextNs - nowNs), this::sendNext);
        }
    }

    private void sendNext() {
        Waiting next;
        synchronized (this) {
            isScheduled = false;
            next = isClosed ? null : queue.poll();
            if (next == null) {
                return;
            }
            advanceNextTime(loop.nowNs());
            if (!queue.isEmpty()) {
                await(loop.nowNs());
            }
        }
        if (!super.send(next.frame, next.responseTimeoutMs)) {
            received(new MadFrame(next.frame.peer(), next.frame.mad(), true)); // send() returned true for this MAD
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            queue.clear();
        }
        super.close();
    }
}
