package io.torussm.sa.query;

import io.torussm.alias.AliasGuids;
import io.torussm.view.PublishedView;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The published view and its index. The index is built before the publication, or else when the first request
 * needs it. Any thread.
 */
public final class IndexedViews {
    private final Supplier<@Nullable PublishedView> view;
    private final AliasGuids aliases;
    private volatile @Nullable ViewIndex cached;

    /** Index of the next view; null after its publication. */
    private @Nullable ViewIndex ahead;

    /**
     * Creates the cache, which is empty.
     *
     * @param view null while there is nothing to answer from
     * @param aliases looked up as they are at the moment: they change between views
     */
    public IndexedViews(Supplier<@Nullable PublishedView> view, AliasGuids aliases) {
        this.view = view;
        this.aliases = aliases;
    }

    /** Returns the view of the moment; null while there is none. */
    public @Nullable PublishedView current() {
        return view.get();
    }

    /** Builds the index of a view that is published next; requests go on with the one before. */
    public void prepare(PublishedView next) {
        ViewIndex index = built(next);
        synchronized (this) {
            ahead = index;
        }
    }

    /** Returns the index of the view of the moment; null while there is none. */
    public @Nullable ViewIndex index() {
        PublishedView current = view.get();
        ViewIndex known = cached;
        if (current == null) {
            return null;
        }
        return known != null && known.isOf(current) ? known : renew();
    }

    /** Prepares a view on one thread, while others that need it wait for it. */
    private synchronized @Nullable ViewIndex renew() {
        PublishedView current = view.get(); // not the one before, while others ask for this one already
        if (current == null) {
            return null;
        }
        ViewIndex known = cached;
        if (known == null || !known.isOf(current)) {
            ViewIndex prepared = ahead;
            if (prepared != null && prepared.isOf(current)) {
                known = prepared;
                ahead = null;
            } else {
                known = built(current);
            }
            cached = known;
        }
        return known;
    }

    private ViewIndex built(PublishedView of) {
        return new ViewIndex(of, aliases);
    }
}
