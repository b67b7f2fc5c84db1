package io.torussm.transport;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A port in front of another one that lets no SubnSet out once this process has stood still: stopped by a signal, or with its
 * machine, or for a long collection. Another SM may be master by then. Until {@link #whenStoodStill} was heard Sets are refused, as by
 * a port that is full.
 *
 * <p>Both clocks count: the monotonic one stops while a machine is suspended, and the time of day may be set, which
 * costs a sweep for nothing.
 *
 * <p>Owner thread: the loop. Only what is no SubnSet may be sent from elsewhere.
 */
public final class StandstillGuard extends ForwardingTransport {
    /** Looks at the clock within the time that is too long. */
    private static final int LOOKS = 4;

    private final Loop loop;
    private final LongSupplier limit;
    private long limitNs;
    private LongConsumer listener = gapNs -> {};
    private long lastNs;
    private long lastMs;
    private boolean isHeld;

    /**
     * Stands before a port.
     *
     * @param inner not started
     * @param limitNs how long this process may stand still; asked several times within that time, and not for each Set
     */
    public StandstillGuard(MadTransport inner, Loop loop, LongSupplier limitNs) {
        super(inner);
        this.loop = loop;
        this.limit = limitNs;
        this.limitNs = limitNs.getAsLong();
        this.lastNs = loop.nowNs();
        this.lastMs = timeMs();
    }

    /**
     * Sets who hears that this process stood still.
     *
     * @param newListener called on the loop with nanoseconds; Sets go out again after all that it hands over to the loop
     */
    public void whenStoodStill(LongConsumer newListener) {
        listener = newListener;
    }

    @Override
    public void start(Receiver newReceiver) {
        super.start(newReceiver);
        watch();
    }

    private void watch() {
        limitNs = limit.getAsLong();
        loop.schedule(Math.max(1, limitNs / LOOKS), () -> {
            look();
            watch();
        });
    }

    private void look() {
        long nowNs = loop.nowNs();
        long nowMs = timeMs();
        long gapNs = Math.max(nowNs - lastNs, TimeUnit.MILLISECONDS.toNanos(nowMs - lastMs));
        lastNs = nowNs;
        lastMs = nowMs;
        if (gapNs > limitNs && !isHeld) {
            isHeld = true;
            loop.execute(() -> {
                listener.accept(gapNs);
                loop.execute(() -> isHeld = false);
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
            loop.check();
            look();
        }
        return !(isSet && isHeld) && super.send(frame, responseTimeoutMs);
    }
}
