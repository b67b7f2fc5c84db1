package io.torussm.testing;

import io.torussm.transport.Loop;

/** A loop with a switch that says whether the caller is on the loop. */
public final class SwitchableLoop implements Loop {
    private final Loop loop;

    /** True while callers are on the loop. */
    public boolean isInLoop = true;

    /** Creates a loop that runs its tasks on another one. */
    public SwitchableLoop(Loop loop) {
        this.loop = loop;
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public Timer schedule(long delayNs, Runnable task) {
        return loop.schedule(delayNs, task);
    }

    @Override
    public long nowNs() {
        return loop.nowNs();
    }

    @Override
    public boolean isInLoop() {
        return isInLoop;
    }
}
