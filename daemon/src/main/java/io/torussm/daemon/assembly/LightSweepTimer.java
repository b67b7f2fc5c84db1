package io.torussm.daemon.assembly;

import io.torussm.transport.Loop;
import java.util.function.Supplier;

/** The timer of periodic light sweeps. Owner thread: the {@code sm} loop. */
final class LightSweepTimer {
    private final Loop loop;
    private final Supplier<SweepPace> settings;
    private final Runnable sweepLight;
    private SweepPace pace = SweepPace.NEVER;
    private Loop.Timer next = () -> {};
    private boolean isStarted;

    /**
     * Creates a timer that is not started yet.
     *
     * @param settings the configured pace, read for each sweep
     * @param sweepLight callback, called when a sweep is due
     */
    LightSweepTimer(Loop loop, Supplier<SweepPace> settings, Runnable sweepLight) {
        this.loop = loop;
        this.settings = settings;
        this.sweepLight = sweepLight;
    }

    /** Warns the operator if sweeps come more often than configured. */
    void warn() {
        settings.get().warn();
    }

    /** Starts with a whole interval. */
    void start() {
        isStarted = true;
        schedule();
    }

    private void schedule() {
        pace = settings.get();
        next = loop.schedule(pace.delayNs(), () -> {
            schedule(); // first, since the next sweep comes also after one that throws
            if (pace.isSweeping()) {
                sweepLight.run();
            }
        });
    }

    /** Applies a changed pace immediately, after the start. */
    void settingsChanged() {
        if (isStarted && !settings.get().equals(pace)) {
            next.cancel();
            schedule();
        }
    }

    /** Ends; no other sweep is started. */
    void stop() {
        isStarted = false;
        next.cancel();
    }
}
