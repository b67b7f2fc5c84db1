package io.torussm.sweep.state;

import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.mastership.RemoteSm;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A listener for the outcome of each heavy sweep; called on the loop, exactly one of the first four for each.
 */
public interface SweepListener {
    /** Called when the subnet is up: programmed, active and published. */
    void subnetUp(PublishedView view, SweepReport report);

    /**
     * Called when no engine routes the fabric, and the active routes remain; see
     * {@link io.torussm.routing.Plan#standing}. Their devices are programmed, active and published; other
     * devices wait. {@link #refused} follows.
     */
    default void staying(PublishedView view, SweepReport report) {}

    /** Called when no engine routes the fabric; no route was changed. */
    void refused(List<Finding> findings);

    /**
     * Called when another SM is master; nothing was written.
     *
     * @param other null if it is unknown
     */
    void otherMaster(@Nullable RemoteSm other);

    /** Called when the sweep could not be finished; nothing is published. */
    void failed(String why);

    /**
     * Called before a view is published, so that its readers can prepare for it; the only call that comes on
     * the pool, not on the loop.
     */
    default void prepare(PublishedView next) {}

    /** Called after engines ran; one of the calls above follows. */
    default void routed(RoutingChain.ChainResult result) {}

    /**
     * Called after new routes were compared with the published ones.
     *
     * @param differences in the terms of the engine, and SLs that change
     * @param changedSls number of paths whose SL changes
     */
    default void compared(List<Finding> differences, long changedSls) {}

    /**
     * Called when hosts, switches or cables were lost or added since the previous sweep; before the end of
     * the sweep.
     */
    default void fabricChanged(List<Finding> changes) {}

    /** Called after another discovery; before the end of the sweep. */
    default void looked(FabricState before, FabricState after, Instant at) {}

    /** Called when groups changed between sweeps, and the switches are programmed for them. */
    void multicastProgrammed();

    /**
     * Called when members of partitions changed between sweeps: other P_Keys are programmed at their ports,
     * and published.
     */
    default void partitionsChanged(PublishedView view) {}

    /**
     * Called when the own port does not report an SM, as after a reset of its device: other SMs do not find
     * this one.
     */
    default void isSmMissing() {}
}
