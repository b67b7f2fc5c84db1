package io.torussm.daemon.maintenance;

import io.torussm.view.CableHistory.End;
import io.torussm.view.CableHistory.Ends;

/**
 * Errors on a cable between switches, as counters of its ports have them.
 *
 * @param perMinute at the end that has more, over the last minutes
 */
public record CableErrors(End near, End far, double perMinute) {
    Ends ends() {
        return new Ends(near.port(), far.port());
    }
}
