package io.torussm.sa.query;

import io.torussm.alias.AliasGuids;
import io.torussm.view.PublishedView;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cache of the index of the published view. The index is built before the publication, or when the first request
 * needs it. Thread-safe.
 */
public final class IndexedViews {
    private final Supplier<@Nullable PublishedView> view;
    private final AliasGuids aliases;
    private volatile @Nullable ViewIndex cached;

    /** Index of the next view; null if none is prepared, or after the publication. */
    private @Nullable ViewIndex preparedIndex;

    /**
     * Creates an empty cache.
     *
     * @param view returns the published view; null if there is none
     * @param aliases alias GUIDs, whose present state is used for each look-up, because they change between views
     */
    public IndexedViews(Supplier<@Nullable PublishedView> view, AliasGuids aliases) {
        this.view = view;
        this.aliases = aliases;
    }

    /** Returns the published view; null if there is none. */
    public @Nullable PublishedView current() {
        return view.get();
    }

    /** Builds the index of the view that is published next. Meanwhile requests use the index of the previous view. */
    public void prepare(PublishedView next) {
        ViewIndex index = build(next);
        synchronized (this) {
            preparedIndex = index;
        }
    }

    /** Returns the index of the published view; null if there is no view. */
    public @Nullable ViewIndex index() {
        PublishedView current = view.get();
        ViewIndex known = cached;
        if (current == null) {
            return null;
        }
        return known != null && known.isOf(current) ? known : renew();
    }

    /** Builds the index on one thread, while other threads that need it wait. */
    private synchronized @Nullable ViewIndex renew() {
        PublishedView current = view.get(); // Read again under the lock: an older view must not replace a newer one.
        if (current == null) {
            return null;
        }
        ViewIndex known = cached;
        if (known == null || !known.isOf(current)) {
            ViewIndex prepared = preparedIndex;
            if (prepared != null && prepared.isOf(current)) {
                known = prepared;
                preparedIndex = null;
            } else {
                ViewIndex shared = known == null ? null : known.on(current);
                known = shared == null ? build(current) : shared;
            }
            cached = known;
        }
        return known;
    }

    private ViewIndex build(PublishedView publishedView) {
        return new ViewIndex(publishedView, aliases);
    }
}
