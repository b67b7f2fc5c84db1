package io.torussm.testing;

import io.torussm.transport.Loop;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A loop in real time on a daemon thread, for tests against real programs. A task that throws ends the JVM. */
public final class RealLoop implements Loop, AutoCloseable {
    private volatile @Nullable Thread thread;
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, this::newThread);

    private Thread newThread(Runnable body) {
        Thread created = new Thread(body, "test-loop");
        created.setDaemon(true);
        thread = created;
        return created;
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(() -> run(task));
    }

    @Override
    public Timer schedule(long delayNs, Runnable task) {
        ScheduledFuture<?> future = executor.schedule(() -> run(task), delayNs, TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(70);
        }
    }

    @Override
    public long nowNs() {
        return System.nanoTime();
    }

    @Override
    public boolean isInLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
