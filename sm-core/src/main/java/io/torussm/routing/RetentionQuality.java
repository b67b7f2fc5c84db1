package io.torussm.routing;

import io.torussm.event.DeviceText;
import io.torussm.names.NameList;
import java.util.List;

/**
 * The quality of routes that are retained while no engine accepts the fabric. Immutable.
 *
 * @param isAdopted true if the tables were read from the switches; false if an engine of this process made them
 * @param pairs number of ordered pairs of switches, including each switch with itself
 * @param lostPairs number of these pairs in which the first switch has no path to some LID of the second
 * @param waiting devices that these routes do not serve: hosts without an entry, new switches and cables
 * @param allPairs SLs of all pairs, also without a path, because a host may still use a path record from before
 *     the loss
 */
public record RetentionQuality(
        boolean isAdopted, long pairs, long lostPairs, List<DeviceText> waiting, PathSls allPairs) {
    private static final int MAX_NAMED = 5;

    public RetentionQuality {
        waiting = List.copyOf(waiting);
    }

    /** Returns a summary in one line. */
    public String summary() {
        return lostPairs + " of " + pairs + " pairs of switches are without some route"
                + (waiting.isEmpty()
                        ? ""
                        : "; without routes until the fabric is routed again: " + NameList.of(waiting, MAX_NAMED));
    }
}
