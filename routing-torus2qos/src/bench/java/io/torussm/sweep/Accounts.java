package io.torussm.sweep;

import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.port.ForwardingTransport;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The processor time of one thread that does all work in virtual time, by account: the embedded fabric, the loop of
 * the SM, and the computations of the SM on its pool. It is the processor time of the thread, which other load does not
 * change. Fabric and loop alternate too quickly for readings of that clock: they share the rest by elapsed time.
 */
final class Accounts {
    /** A user of the processor. */
    enum Account {
        FABRIC,
        LOOP,
        ROUTING,
        PROOF,
        ORDER
    }

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** The elapsed time of an account, and the processor time of its computations. */
    private static final class AccountTime {
        long elapsedNs;
        long processorNs;
    }

    private final Map<Account, AccountTime> times = new EnumMap<>(Account.class);
    private Account current = Account.FABRIC;
    private long sinceNs = System.nanoTime();
    private long beganNs = THREADS.getCurrentThreadCpuTime();

    Accounts() {
        for (Account account : Account.values()) {
            times.put(account, new AccountTime());
        }
    }

    private AccountTime timeOf(Account account) {
        return Objects.requireNonNull(times.get(account));
    }

    private void change(Account next) {
        long now = System.nanoTime();
        timeOf(current).elapsedNs += now - sinceNs;
        sinceNs = now;
        current = next;
    }

    /** Runs a short task of an account. */
    void run(Account account, Runnable task) {
        Account before = current;
        change(account);
        try {
            task.run();
        } finally {
            change(before);
        }
    }

    /** Runs a computation of an account. Its processor time is measured. */
    <T> T compute(Account account, Supplier<T> task) {
        Account before = current;
        long began = THREADS.getCurrentThreadCpuTime();
        long nested = computedNs();
        change(account);
        try {
            return task.get();
        } finally {
            change(before);
            timeOf(account).processorNs += THREADS.getCurrentThreadCpuTime() - began - (computedNs() - nested);
        }
    }

    private long computedNs() {
        return times.values().stream().mapToLong(one -> one.processorNs).sum();
    }

    /** Returns the seconds of processor time by account since the last call. */
    Map<Account, Double> secondsSinceLastCall() {
        change(current);
        long all = THREADS.getCurrentThreadCpuTime();
        double rest = all - beganNs - computedNs();
        double elapsed = Math.max(1, timeOf(Account.FABRIC).elapsedNs + timeOf(Account.LOOP).elapsedNs);
        Map<Account, Double> seconds = new EnumMap<>(Account.class);
        times.forEach((account, one) -> {
            boolean isShort = account == Account.FABRIC || account == Account.LOOP;
            seconds.put(account, (isShort ? rest * one.elapsedNs / elapsed : one.processorNs) / 1e9);
            one.elapsedNs = 0;
            one.processorNs = 0;
        });
        beganNs = all;
        return seconds;
    }

    /** Returns the loop of the SM, which charges its tasks to the SM's account. */
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
            public boolean isInLoop() {
                return inner.isInLoop();
            }
        };
    }

    /** Returns the port of the SM, which charges the work of the fabric to the fabric's account. */
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
