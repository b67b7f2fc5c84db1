package io.torussm.deadlock;

import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import org.jspecify.annotations.Nullable;

/** The order of a change as every destination walked from every switch tells it. */
public final class ThoroughTransition {
    private ThoroughTransition() {}

    /** As {@link DeadlockChecker#transition}, whatever it costs. */
    public static Transition find(
            HeldTables held, @Nullable Plan before, Plan plan, Certificate certificate, RoutingOptions options) {
        return new TransitionPlanner(held, before, plan, certificate, options, 2, true).find();
    }
}
