package io.torussm.sweep;

import io.torussm.quarantine.DeadEnds;
import io.torussm.quarantine.DeviceTroubles;
import io.torussm.quarantine.Quarantine;
import io.torussm.quarantine.RetryPace;
import io.torussm.transport.Loop;

/** What is remembered from sweep to sweep of devices that do not do what they are asked to. Owner thread: the loop. */
record DeviceFaults(Quarantine quarantine, DeadEnds deadEnds, DeviceTroubles troubles, RetryPace retries) {
    static DeviceFaults none(Loop loop) {
        return new DeviceFaults(new Quarantine(loop), new DeadEnds(), new DeviceTroubles(), new RetryPace());
    }

    /** Another SM is master. */
    void forget() {
        quarantine.forget();
        deadEnds.forget();
        troubles.forget();
        retries.forget();
    }
}
