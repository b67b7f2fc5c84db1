package io.torussm.testing;

import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.List;

/** The loop of one process among others that share a clock: with its death everything that it has scheduled is forgotten. */
public final class MortalLoop implements Loop {
    private final Loop clock;
    private boolean isDead;
    private boolean isStopped;
    private final List<Runnable> missed = new ArrayList<>();

    /** A loop that lives. */
    public MortalLoop(Loop clock) {
        this.clock = clock;
    }

    /** From now on nothing runs. */
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

    /** As SIGSTOP and SIGCONT do: what should have run while the process was stopped runs when it goes on. */
    public void stop(boolean isWanted) {
        isStopped = isWanted;
        List<Runnable> due = List.copyOf(missed);
        missed.clear();
        due.forEach(this::ifAlive);
    }

    private void ifAlive(Runnable task) {
        if (isStopped) {
            missed.add(task);
        } else if (!isDead) {
            task.run();
        }
    }

    @Override
    public long nowNs() {
        return clock.nowNs();
    }

    @Override
    public boolean inLoop() {
        return clock.inLoop();
    }
}
