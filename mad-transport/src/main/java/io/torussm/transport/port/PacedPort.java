package io.torussm.transport.port;

import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * A port with a limited rate of MADs per second for all its senders. Early MADs wait in order, at most
 * {@value #MAX_WAITING}; more are refused. If the wrapped port refuses a waiting MAD later, it returns as
 * undelivered. The window of a sender should be small enough to drain within a fraction of its time-out.
 *
 * <p>May be used from any thread. Timers run on the loop.
 */
public final class PacedPort extends ForwardingTransport {
    private static final int MAX_WAITING = 4096;

    private final Loop loop;
    private final IntSupplier perSecond;
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private long nextNs;
    private boolean isClosed;
    private boolean isTimed;

    private record Waiting(MadFrame frame, int responseTimeoutMs) {}

    /**
     * Wraps a port.
     *
     * @param inner wrapped port, not started
     * @param perSecond rate, at least 1; read for every MAD
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
            spend(nowNs);
        }
        return super.send(frame, responseTimeoutMs);
    }

    private void spend(long nowNs) {
        long each = TimeUnit.SECONDS.toNanos(1) / Math.max(1, perSecond.getAsInt());
        nextNs = Math.max(nextNs, nowNs) + each;
    }

    private void await(long nowNs) {
        if (!isTimed) {
            isTimed = true;
            loop.schedule(Math.max(0, nextNs - nowNs), this::sendNext);
        }
    }

    private void sendNext() {
        Waiting next;
        synchronized (this) {
            isTimed = false;
            next = isClosed ? null : queue.poll();
            if (next == null) {
                return;
            }
            spend(loop.nowNs());
            if (!queue.isEmpty()) {
                await(loop.nowNs());
            }
        }
        if (!super.send(next.frame, next.responseTimeoutMs)) {
            received(new MadFrame(
                    next.frame.peer(), next.frame.mad(), true)); // its sender believes that it is under way
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
