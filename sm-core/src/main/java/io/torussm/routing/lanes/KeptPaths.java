package io.torussm.routing.lanes;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.util.List;

/**
 * What became of the paths of an earlier plan.
 *
 * @param same those that have their way and their SL
 * @param turned those that go another way with the SL that they had
 * @param others those that have another SL
 */
public record KeptPaths(long same, long turned, long others) {
    /** What {@link io.torussm.routing.PlanExplainer#slChangeCause} says where paths keep their SL if they can. */
    public static final String CAUSE =
            "Likely cause: cables or switches were lost or came back, and paths that go another way did"
                    + " not fit into the VLs that they had; when all is as before, SLs are, too";

    /**
     * In words; nothing if all are the same.
     *
     * @param engine that makes the new plan
     * @param what is counted
     */
    public List<Finding> notes(String engine, String what) {
        return turned + others == 0
                ? List.of()
                : List.of(
                        SmEvent.ROUTING_NOTE.says(engine + ": of " + (same + turned + others) + " " + what + " " + same
                                + " stay, " + turned + " go another way with the SL that they had, and " + others
                                + " have another SL"));
    }
}
