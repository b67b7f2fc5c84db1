package io.torussm.deadlock.transition;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.HeldTables;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import org.jspecify.annotations.Nullable;

/** The order of a change as every destination walked from every switch tells it. */
public final class ThoroughTransition {
    private ThoroughTransition() {}

    /** Finds the same as {@link TransitionPlanner}, but walks every destination from every switch. */
    public static Transition find(
            HeldTables held, @Nullable Plan before, Plan plan, Certificate certificate, RoutingOptions options) {
        return new TransitionPlanner(new RowByRow(held), before, plan, certificate, options, 2, true).find();
    }

    /** Tables that return their rows one by one, without the claim that the rows are the plan's. */
    private record RowByRow(HeldTables held) implements HeldTables {
        @Override
        public byte @Nullable [] lft(int sw) {
            return held.lft(sw);
        }

        @Override
        public long sl2vl(int sw, int in, int out) {
            return held.sl2vl(sw, in, out);
        }

        @Override
        public boolean isUp(int port) {
            return held.isUp(port);
        }
    }
}
