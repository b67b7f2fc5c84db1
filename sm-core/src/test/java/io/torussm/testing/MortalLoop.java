package io.torussm.testing;

import io.torussm.transport.Loop;

/** The loop of one process among others that share a clock: with its death everything that it has scheduled is forgotten. */
public final class MortalLoop implements Loop {
    private final Loop clock;
    private boolean isDead;

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

    private void ifAlive(Runnable task) {
        if (!isDead) {
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
