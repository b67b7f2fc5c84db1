package io.torussm.sweep;

import io.torussm.deadlock.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.mastership.RemoteSm;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hears how each heavy sweep ended; called on the loop, exactly one of the first four for each. */
public interface SweepListener {
    /** The subnet is up: programmed, active and published. */
    void subnetUp(PublishedView view, SweepReport report);

    /**
     * No engine routes the fabric, and the routes in force stay; see {@link io.torussm.routing.Plan#standing}. What they serve
     * is programmed, active and published, the rest waits. {@link #refused} follows.
     */
    default void staying(PublishedView view, SweepReport report) {}

    /** No engine routes the fabric; no route was changed. */
    void refused(List<Finding> findings);

    /**
     * Another subnet manager is master; nothing was written.
     *
     * @param other null if nobody knows which
     */
    void otherMaster(@Nullable RemoteSm other);

    /** The sweep could not be finished; nothing is published. */
    void failed(String why);

    /** A view is published next, and who answers from it can make itself ready; the one call that comes on the pool, not on the loop. */
    default void prepare(PublishedView next) {}

    /** Engines were asked for routes; one of the calls above follows. */
    default void routed(RoutingChain.ChainResult result) {}

    /**
     * New routes were compared with those that are published.
     *
     * @param differences in the terms of the engine, and SLs that change
     * @param changedSls paths whose SL changes
     */
    default void compared(List<Finding> differences, long changedSls) {}

    /** Hosts, switches or cables came or went since the sweep before; called before the end of the sweep. */
    default void fabricChanged(List<Finding> changes) {}

    /** The fabric was looked at again; called before the end of the sweep. */
    default void looked(FabricState before, FabricState after, Instant at) {}

    /** Groups changed between sweeps, and the switches hold what they need. */
    void multicastProgrammed();

    /** Members of partitions were changed between sweeps: their ports hold other P_Keys, and that is published. */
    default void partitionsChanged(PublishedView view) {}

    /** The own port says that it has no SM, as after a reset of its device: others do not find this one. */
    default void isSmMissing() {}
}
