package io.torussm.daemon.system;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.ScheduledFuture;
import io.torussm.event.FatalErrors;
import io.torussm.transport.Loop;
import io.torussm.transport.foreign.NiceValue;
import java.time.Instant;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The production loop: one named thread of Netty. If a task throws an exception, a callback receives it and the loop
 * continues. A task that another thread submits after the end of the loop is dropped, because its result is no longer
 * needed.
 */
public final class NettyLoop implements Loop, AutoCloseable {
    private static final long SHUTDOWN_QUIET_MS = 0;
    private static final long SHUTDOWN_MS = 2000;

    private final EventExecutor executor;
    private final Consumer<Throwable> onDefect;

    /**
     * Creates a loop. Its thread starts with the first task.
     *
     * @param name name of the thread
     * @param onDefect callback; called on the loop with the exception of a task
     */
    public NettyLoop(String name, Consumer<Throwable> onDefect) {
        this(task -> thread(name, task), onDefect);
    }

    private NettyLoop(ThreadFactory threads, Consumer<Throwable> onDefect) {
        this.executor = new DefaultEventExecutor(threads);
        this.onDefect = onDefect;
    }

    /** Creates a loop whose thread has a low priority. */
    public static NettyLoop inBackground(String name, Consumer<Throwable> onDefect) {
        return new NettyLoop(
                task -> thread(name, () -> {
                    NiceValue.raise(NiceValue.BACKGROUND);
                    task.run();
                }),
                onDefect);
    }

    private static Thread thread(String name, Runnable task) {
        Thread thread = new FastThreadLocalThread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(guard(task));
        } catch (RejectedExecutionException e) {
            ignoreAfterShutdown(e);
        }
    }

    @Override
    public Timer schedule(long delayNs, Runnable task) {
        try {
            ScheduledFuture<?> future = executor.schedule(guard(task), delayNs, TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            ignoreAfterShutdown(e);
            return () -> {};
        }
    }

    private void ignoreAfterShutdown(RejectedExecutionException refusal) {
        if (!executor.isShuttingDown()) {
            throw refusal;
        }
    }

    private Runnable guard(Runnable task) {
        return () -> FatalErrors.guard(task, onDefect);
    }

    @Override
    public long nowNs() {
        return System.nanoTime();
    }

    @Override
    public Instant timeOfDay() {
        return Instant.ofEpochMilli(timeOfDayMs());
    }

    @Override
    public long timeOfDayMs() {
        return System.currentTimeMillis();
    }

    @Override
    public boolean isInLoop() {
        return executor.inEventLoop();
    }

    /** Runs the tasks that were submitted before the call, for a limited time, and ends the thread. */
    @Override
    public void close() {
        executor.shutdownGracefully(SHUTDOWN_QUIET_MS, SHUTDOWN_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(SHUTDOWN_MS);
    }
}
