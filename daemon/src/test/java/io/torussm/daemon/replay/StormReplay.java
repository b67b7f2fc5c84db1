package io.torussm.daemon.replay;

import io.torussm.daemon.FabricSettings;
import io.torussm.recording.Recording;

/** The replay of SMs of storms, which get their settings in another way. */
public final class StormReplay {
    private StormReplay() {}

    /** Returns the replay of an SM with a priority. */
    public static Replay of(Recording recording, int priority) {
        return new Replay(recording, "storm", (options, state) -> new FabricSettings(options, priority));
    }
}
