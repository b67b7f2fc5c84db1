package io.torussm.sweep;

import io.torussm.mastership.RemoteSm;
import io.torussm.routing.Finding;
import io.torussm.view.PublishedView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hears how each heavy sweep ended; called on the loop, exactly one of the first four for each. */
public interface SweepListener {
    /** The subnet is up: programmed, active and published. */
    void subnetUp(PublishedView view, SweepReport report);

    /** No engine routes the fabric; nothing was written. */
    void refused(List<Finding> findings);

    /**
     * Another subnet manager rules; nothing was written.
     *
     * @param other null if nobody knows which
     */
    void otherMaster(@Nullable RemoteSm other);

    /** The sweep could not be finished; nothing is published. */
    void failed(String why);

    /** Groups changed between sweeps, and the switches hold what they need. */
    void multicastProgrammed();

    /** The own port says that it has no SM, as after a reset of its device: others do not find this one. */
    default void isSmMissing() {}
}
