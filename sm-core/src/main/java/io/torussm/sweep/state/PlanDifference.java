package io.torussm.sweep.state;

import io.torussm.deadlock.sl.SlStability;
import io.torussm.event.Finding;
import io.torussm.routing.Plan;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a new plan on clients of the published plan, or of the plan before this mastership. It costs switches x
 * switches steps, so that it is computed on the pool.
 *
 * @param findings findings for the operator, to be reported when the plan is used
 * @param changedSls number of paths that have another SL
 */
public record PlanDifference(List<Finding> findings, long changedSls) {
    /** No effect. */
    public static final PlanDifference NONE = new PlanDifference(List.of(), 0);

    /**
     * Compares two plans. If one of them is missing, there is no effect.
     *
     * @param published the published view; null before the first subnet is up
     * @param plan the new plan; null if no engine routes the fabric
     */
    public static PlanDifference of(@Nullable PublishedView published, @Nullable Plan plan) {
        if (published == null || plan == null) {
            return NONE;
        }
        SlStability sls = SlStability.compare(published.plan(), plan);
        List<Finding> findings = new ArrayList<>(
                plan.explainer().changesSince(published.plan().asRouted().explainer()));
        findings.addAll(sls.findings());
        return new PlanDifference(List.copyOf(findings), sls.changedPaths());
    }

    /**
     * Compares the SLs of a plan with those of the state before this mastership, which hosts may still use. For
     * example, the last master had no usable torus-2QoS.conf, so that the default engine gave its SLs.
     *
     * @param remembered the last view of that state; null if there is none
     * @param plan the first plan of this mastership; null if no engine routes the fabric
     */
    public static PlanDifference ofSls(@Nullable PublishedView remembered, @Nullable Plan plan) {
        SlStability sls = SlStability.compare(remembered == null ? null : remembered.plan(), plan);
        return new PlanDifference(sls.findings(), sls.changedPaths());
    }
}
