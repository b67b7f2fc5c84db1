package io.torussm.sweep.stages;

import io.torussm.fabric.Fabric;
import io.torussm.view.PublishedView;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The view of this SM before its restart, or of the master that it replaces. In the first sweep of a mastership the SA
 * answers from it if no device contradicts it ({@link ViewComparison}), until that sweep ends or a change is reported.
 * Owner thread: the loop, except as stated.
 */
public final class RememberedView {
    private final Supplier<@Nullable PublishedView> stored;
    private volatile @Nullable PublishedView served;

    /** LIDs of switches that reported a change in this sweep, which the next comparison of their ports removes. */
    private BitSet reports = new BitSet();

    /** @param stored returns the last view, null if there is none; called on the pool */
    public RememberedView(Supplier<@Nullable PublishedView> stored) {
        this.stored = stored;
    }

    /** Returns the last view; null if there is none. It may take long; on the pool. */
    @Nullable
    PublishedView read() {
        return stored.get();
    }

    /** Begins a sweep that may serve the view. */
    void begin() {
        reports.clear();
    }

    /**
     * Ends the answers, because a switch reports a change; its ports are read before the view is served again.
     *
     * @param lid LID; 0 for an unknown device. Before LIDs are known, 0 also is a device with other capabilities,
     *     such as the port of this SM, which change no path
     * @param areLidsKnown false in the first sweep until LIDs are assigned: the trap may be forged
     */
    public void reported(int lid, boolean areLidsKnown) {
        PublishedView view = served;
        boolean isOfSwitch = view == null || view.subnet().switchWithLid(lid) != Fabric.NONE;
        if (areLidsKnown || (lid != 0 && isOfSwitch)) {
            reports.set(lid);
            served = null;
        }
    }

    /** Checks whether the SA answers from the view. */
    boolean isServed() {
        return served != null;
    }

    /** Returns the LIDs of the switches that reported a change since the last call, or the begin of the sweep. */
    BitSet takeReports() {
        BitSet taken = reports;
        reports = new BitSet();
        return taken;
    }

    /** Lets the SA answer from a view. */
    void serve(PublishedView view) {
        served = view;
    }

    /** Ends the answers, because this SM has published a view, or a device may contradict the remembered one. */
    public void forget() {
        served = null;
    }

    /** Returns the view from which the SA answers: the published one if there is one. From any thread. */
    public @Nullable PublishedView unless(@Nullable PublishedView published) {
        return published == null ? served : published;
    }
}
