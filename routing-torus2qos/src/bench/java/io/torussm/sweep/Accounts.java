package io.torussm.sweep;

import io.torussm.transport.ForwardingTransport;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Processor time of one thread that does everything in virtual time, by who uses it: the fabric around the SM, the SM's loop, and what
 * the SM computes on its pool. The thread's own clock counts, so that other load does not; what takes less than it costs to read that
 * clock is divided by the clock on the wall.
 */
final class Accounts {
    /** Who uses the processor. */
    enum Account {
        FABRIC,
        LOOP,
        ROUTING,
        PROOF,
        ORDER
    }

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final long[] wallNs = new long[Account.values().length];
    private final long[] processorNs = new long[Account.values().length];
    private Account current = Account.FABRIC;
    private long sinceNs = System.nanoTime();
    private long beganNs = THREADS.getCurrentThreadCpuTime();

    private void change(Account next) {
        long now = System.nanoTime();
        wallNs[current.ordinal()] += now - sinceNs;
        sinceNs = now;
        current = next;
    }

    /** Something short, on whoever's account. */
    void run(Account account, Runnable task) {
        Account before = current;
        change(account);
        try {
            task.run();
        } finally {
            change(before);
        }
    }

    /** Something long. */
    <T> T compute(Account account, Supplier<T> task) {
        Account before = current;
        long began = THREADS.getCurrentThreadCpuTime();
        long nested = computed();
        change(account);
        try {
            return task.get();
        } finally {
            change(before);
            processorNs[account.ordinal()] += THREADS.getCurrentThreadCpuTime() - began - (computed() - nested);
        }
    }

    private long computed() {
        return Arrays.stream(processorNs).sum();
    }

    /** Seconds by account since the last call. */
    double[] take() {
        change(current);
        long all = THREADS.getCurrentThreadCpuTime();
        double rest = all - beganNs - computed();
        double wall = wallNs[Account.FABRIC.ordinal()] + wallNs[Account.LOOP.ordinal()];
        double[] seconds = new double[wallNs.length];
        for (Account account : Account.values()) {
            int at = account.ordinal();
            boolean isShort = account == Account.FABRIC || account == Account.LOOP;
            seconds[at] = (isShort ? rest * wallNs[at] / Math.max(1, wall) : processorNs[at]) / 1e9;
        }
        Arrays.fill(wallNs, 0);
        Arrays.fill(processorNs, 0);
        beganNs = all;
        return seconds;
    }

    /** The loop as the SM uses it: what it runs there is on its account. */
    Loop loop(Loop inner) {
        return new Loop() {
            @Override
            public void execute(Runnable task) {
                inner.execute(() -> run(Account.LOOP, task));
            }

            @Override
            public Timer schedule(long delayNs, Runnable task) {
                return inner.schedule(delayNs, () -> run(Account.LOOP, task));
            }

            @Override
            public long nowNs() {
                return inner.nowNs();
            }

            @Override
            public boolean inLoop() {
                return inner.inLoop();
            }
        };
    }

    /** The port as the SM uses it: what the fabric does meanwhile is on the fabric's account. */
    MadTransport wire(MadTransport inner) {
        return new ForwardingTransport(inner) {
            @Override
            public boolean send(MadFrame frame, int responseTimeoutMs) {
                Account before = current;
                change(Account.FABRIC);
                try {
                    return super.send(frame, responseTimeoutMs);
                } finally {
                    change(before);
                }
            }

            @Override
            protected void received(MadFrame frame) {
                run(Account.LOOP, () -> super.received(frame));
            }
        };
    }
}
