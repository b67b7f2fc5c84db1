package io.torussm.sweep.stages;

import io.torussm.deadlock.transition.Transition;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.function.Consumer;

/** The stage that reuses the published plan, because only hosts changed. It runs no engine and writes no table. */
final class ReusedPlan implements Stage<Subnet, Routed> {
    private final PublishedView published;
    private final Plan plan;

    /**
     * Creates the stage.
     *
     * @param plan the published plan on the current subnet; see {@link Plan#onSubnet}
     */
    ReusedPlan(PublishedView published, Plan plan) {
        this.published = published;
        this.plan = plan;
    }

    @Override
    public Phase phase() {
        return Phase.ROUTE;
    }

    @Override
    public void start(StageContext context, Subnet subnet, Consumer<Routed> then) {
        MulticastTree tree = published.multicast();
        then.accept(
                new Routed(plan, tree == null ? null : tree.onFabric(subnet.fabric()), held -> Transition.FREE, null));
    }
}
