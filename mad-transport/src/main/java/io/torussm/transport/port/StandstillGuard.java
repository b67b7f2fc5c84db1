package io.torussm.transport.port;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A port that refuses SubnSets after a standstill of this process: a stop by a signal, a suspended machine, or a long
 * garbage collection. Another SM may be master by then. Sets are refused until the listener of {@link
 * #setStandstillListener} has been called. From then on the {@link io.torussm.transport.MadClient} above refuses them,
 * until this SM is known to be master.
 *
 * <p>The time is read from two clocks: the monotonic clock stops while a machine is suspended, the time of day does
 * not. A change of the time of day causes a needless sweep.
 *
 * <p>Owner thread: the loop. Other threads may send all MADs except SubnSets.
 */
public final class StandstillGuard extends ForwardingTransport {
    /** Number of checks of the clocks within the max standstill. */
    private static final int CHECKS_PER_LIMIT = 4;

    private final Loop loop;

    /** Max standstill in nanoseconds. {@link #limitNs} is its value at the last check. */
    private final LongSupplier limit;

    private long limitNs;
    private LongConsumer listener = gapNs -> {};

    /** Monotonic time of the last check; {@link #lastCheckTimeMs} is the time of day. */
    private long lastCheckNs;

    private long lastCheckTimeMs;

    /** True while Sets are refused. */
    private boolean isRefusingSets;

    /**
     * Wraps a port.
     *
     * @param inner wrapped port, not started
     * @param limitNs max standstill in nanoseconds; read several times within that time, and not for each Set
     */
    public StandstillGuard(MadTransport inner, Loop loop, LongSupplier limitNs) {
        super(inner);
        this.loop = loop;
        this.limit = limitNs;
        this.limitNs = limitNs.getAsLong();
        this.lastCheckNs = loop.nowNs();
        this.lastCheckTimeMs = timeMs();
    }

    /**
     * Sets the listener for a standstill of this process.
     *
     * @param newListener callback on the loop, which receives the length of the standstill in nanoseconds; Sets are
     *     sent again after all tasks that it passes to the loop
     */
    public void setStandstillListener(LongConsumer newListener) {
        listener = newListener;
    }

    @Override
    public void start(Receiver newReceiver) {
        super.start(newReceiver);
        scheduleCheck();
    }

    private void scheduleCheck() {
        limitNs = limit.getAsLong();
        loop.schedule(Math.max(1, limitNs / CHECKS_PER_LIMIT), () -> {
            scheduleCheck(); // before the check, which may throw
            checkClocks();
        });
    }

    /** Checks both clocks. Begins to refuse Sets if the last check was too long ago. */
    private void checkClocks() {
        long nowNs = loop.nowNs();
        long nowMs = timeMs();
        long gapNs = Math.max(nowNs - lastCheckNs, TimeUnit.MILLISECONDS.toNanos(nowMs - lastCheckTimeMs));
        lastCheckNs = nowNs;
        lastCheckTimeMs = nowMs;
        if (gapNs > limitNs && !isRefusingSets) {
            isRefusingSets = true;
            // Two nested tasks: the listener may queue tasks, and the inner task runs after them.
            loop.execute(() -> {
                try {
                    listener.accept(gapNs);
                } finally { // Without this, one defect of the listener would end all writes.
                    loop.execute(() -> isRefusingSets = false);
                }
            });
        }
    }

    private long timeMs() {
        return loop.timeOfDayMs();
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        boolean isSet =
                MadHeader.method(frame.mad()) == Method.SET && MgmtClass.isSmp(MadHeader.mgmtClass(frame.mad()));
        if (isSet) {
            loop.requireInLoop();
            checkClocks();
        }
        return !(isSet && isRefusingSets) && super.send(frame, responseTimeoutMs);
    }
}
