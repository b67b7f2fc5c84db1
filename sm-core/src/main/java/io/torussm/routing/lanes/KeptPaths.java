package io.torussm.routing.lanes;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.util.List;

/**
 * The comparison of the paths of a new plan with the active plan.
 *
 * @param unchanged number of paths with unchanged route and SL
 * @param rerouted number of paths with another route and the same SL
 * @param others number of paths with another SL
 */
public record KeptPaths(long unchanged, long rerouted, long others) {
    /**
     * The text of {@link io.torussm.routing.PlanExplainer#slChangeCause} for engines that keep the SLs of
     * paths if possible.
     */
    public static final String CAUSE =
            "Likely cause: cables or switches were lost or came back, and paths that go another way did"
                    + " not fit into the VLs that they had, or the SM started again and chose VLs without the earlier"
                    + " paths";

    /**
     * Returns the numbers as findings; empty if all paths are the same.
     *
     * @param engine name of the engine that makes the new plan
     * @param message noun for the counted paths
     */
    public List<Finding> notes(String engine, String message) {
        return rerouted + others == 0
                ? List.of()
                : List.of(SmEvent.ROUTING_NOTE.finding(
                        engine + ": of " + (unchanged + rerouted + others) + " " + message + " " + unchanged
                                + " stay, " + rerouted + " go another way with the SL that they had, and " + others
                                + " have another SL"));
    }
}
