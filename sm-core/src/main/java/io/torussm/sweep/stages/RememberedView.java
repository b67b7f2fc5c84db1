package io.torussm.sweep.stages;

import io.torussm.view.PublishedView;
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

    /** @param stored returns the last view, null if there is none; called on the pool */
    public RememberedView(Supplier<@Nullable PublishedView> stored) {
        this.stored = stored;
    }

    /** Returns the last view; null if there is none. It may take long; on the pool. */
    @Nullable
    PublishedView read() {
        return stored.get();
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
