package io.torussm.daemon.assembly;

import io.torussm.transport.Loop;
import java.util.function.Supplier;

/** The timer of periodic light sweeps. Owner thread: {@code sm}. */
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
     * @param loop loop of the owner thread
     * @param settings supplier of the configured pace, called before each interval
     * @param sweepLight callback; called when a sweep is due
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

    /** Starts the timer. The first sweep is due after one whole interval. */
    void start() {
        isStarted = true;
        schedule();
    }

    private void schedule() {
        pace = settings.get();
        next = loop.schedule(pace.delayNs(), () -> {
            schedule(); // before the sweep, so that an exception of the sweep does not end the timer
            if (pace.isSweeping()) {
                sweepLight.run();
            }
        });
    }

    /** Applies a changed pace immediately if the timer is started. */
    void settingsChanged() {
        if (isStarted && !settings.get().equals(pace)) {
            next.cancel();
            schedule();
        }
    }

    /** Stops the timer. No further sweep is started. */
    void stop() {
        isStarted = false;
        next.cancel();
    }
}
