package io.torussm.testing;

import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.List;

/**
 * The loop of one process that shares a clock with others. When the process is killed, its scheduled tasks
 * are dropped.
 */
public final class MortalLoop implements Loop {
    private final Loop clock;
    private boolean isDead;
    private boolean isStopped;
    private final List<Runnable> postponedTasks = new ArrayList<>();

    /** Makes the loop of a running process. */
    public MortalLoop(Loop clock) {
        this.clock = clock;
    }

    /** Kills the process: no further task runs. */
    public void die() {
        isDead = true;
    }

    public boolean isDead() {
        return isDead;
    }

    @Override
    public void execute(Runnable task) {
        clock.execute(() -> ifAlive(task));
    }

    @Override
    public Timer schedule(long delayNs, Runnable task) {
        return clock.schedule(delayNs, () -> ifAlive(task));
    }

    /**
     * Stops or continues the process like SIGSTOP and SIGCONT: tasks that are due while it is stopped run
     * when it continues.
     */
    public void stop(boolean isWanted) {
        isStopped = isWanted;
        List<Runnable> due = List.copyOf(postponedTasks);
        postponedTasks.clear();
        due.forEach(this::ifAlive);
    }

    private void ifAlive(Runnable task) {
        if (isStopped) {
            postponedTasks.add(task);
        } else if (!isDead) {
            task.run();
        }
    }

    @Override
    public long nowNs() {
        return clock.nowNs();
    }

    @Override
    public boolean isInLoop() {
        return clock.isInLoop();
    }
}
