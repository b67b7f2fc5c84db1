package io.torussm.routing;

import io.torussm.event.DeviceText;
import java.util.List;

/**
 * What routes are worth that stay in force while no engine routes the fabric. Immutable.
 *
 * @param isAdopted whether the tables were read from the switches; else an engine made them, of this SM and in this run
 * @param pairs of switches, ordered, each with itself included
 * @param lostPairs those of them of which some LID of the second is not reached from the first
 * @param waiting what these routes do not serve: hosts without an entry, switches and cables that were not there
 * @param allPairs SLs of all pairs, those included that have no path any more: whoever was granted one may still send
 */
public record Standing(boolean isAdopted, long pairs, long lostPairs, List<DeviceText> waiting, PathSls allPairs) {
    private static final int MAX_NAMED = 5;

    public Standing {
        waiting = List.copyOf(waiting);
    }

    /** In one line. */
    public String summary() {
        StringBuilder text =
                new StringBuilder(lostPairs + " of " + pairs + " pairs of switches are without some route");
        for (int i = 0; i < Math.min(MAX_NAMED, waiting.size()); i++) {
            text.append(i == 0 ? "; without routes until the fabric is routed again: " : ", ")
                    .append(waiting.get(i).text());
        }
        if (waiting.size() > MAX_NAMED) {
            text.append(" and ").append(waiting.size() - MAX_NAMED).append(" more");
        }
        return text.toString();
    }
}
