package io.torussm;

import io.torussm.transport.Loop;
import java.util.ArrayDeque;

/** A loop that runs its tasks and timers on request, on the calling thread; each timer is due at once. */
public final class WaitingLoop implements Loop {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    /** Runs the waiting tasks and the tasks that they add. Returns their number. */
    public int runAll() {
        int count = 0;
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
            count++;
        }
        return count;
    }

    private synchronized Runnable next() {
        return tasks.poll();
    }

    @Override
    public synchronized void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public synchronized Timer schedule(long delayNs, Runnable task) {
        tasks.add(task);
        return () -> {};
    }

    @Override
    public long nowNs() {
        return 0;
    }

    @Override
    public boolean isInLoop() {
        return true;
    }
}
