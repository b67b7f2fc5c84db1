package io.torussm.sweep.stages;

import io.torussm.fabric.Fabric;
import io.torussm.view.PublishedView;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The view of this SM before its restart, or of the master that it replaces. In the first sweep of a mastership the SA
 * answers from this view if no device contradicts it ({@link ViewComparison}). The answers end when the sweep ends or
 * a change is reported. The first routes are compared with its SLs. Owner thread: the loop, except for methods that say
 * otherwise.
 */
public final class RememberedView {
    private final Supplier<@Nullable PublishedView> stored;
    private volatile @Nullable PublishedView served;

    /** LIDs of switches that reported a change in this sweep, and whose ports are not read since. */
    private BitSet reportedLids = new BitSet();

    /** @param stored returns the last view, null if there is none; called on the pool */
    public RememberedView(Supplier<@Nullable PublishedView> stored) {
        this.stored = stored;
    }

    /** Reads and returns the last view; null if there is none. It may take long, and is called on the pool. */
    @Nullable
    PublishedView read() {
        return stored.get();
    }

    /** Begins a sweep that may serve the view. */
    void begin() {
        reportedLids.clear();
    }

    /**
     * Ends the answers, because a switch reports a change; its ports are read before the view is served again.
     *
     * @param lid LID of the switch; 0 for an unknown device. Before LIDs are known, 0 also stands for a change of
     *     capabilities, for example of the port of this SM, which changes no path
     * @param areLidsKnown false in the first sweep until LIDs are assigned; until then the trap may be forged
     */
    public void onPortChange(int lid, boolean areLidsKnown) {
        PublishedView view = served;
        boolean isOfSwitch = view == null || view.subnet().switchWithLid(lid) != Fabric.NONE;
        if (areLidsKnown || (lid != 0 && isOfSwitch)) {
            reportedLids.set(lid);
            served = null;
        }
    }

    /** Checks whether the SA answers from the view. */
    boolean isServed() {
        return served != null;
    }

    /** Returns the LIDs of the switches that reported a change since the last call, or the begin of the sweep. */
    BitSet takeReports() {
        BitSet taken = reportedLids;
        reportedLids = new BitSet();
        return taken;
    }

    /** Makes the SA answer from a view. */
    void serve(PublishedView view) {
        served = view;
    }

    /** Ends the answers, because this SM has published a view, or a device may contradict the remembered one. */
    public void forget() {
        served = null;
    }

    /**
     * Returns the view from which the SA answers. May be called from any thread.
     *
     * @param published the published view, which has precedence; null if there is none
     * @return view; null if the SA cannot answer
     */
    public @Nullable PublishedView publishedOrServed(@Nullable PublishedView published) {
        return published == null ? served : published;
    }
}
