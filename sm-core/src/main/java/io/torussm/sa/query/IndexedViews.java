package io.torussm.sa.query;

import io.torussm.alias.AliasGuids;
import io.torussm.view.PublishedView;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The view that is published now, and its index, which is built when the first request needs it. Any thread. */
public final class IndexedViews {
    private final Supplier<@Nullable PublishedView> view;
    private final AliasGuids aliases;
    private volatile @Nullable ViewIndex cached;

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

    /** The view of the moment; null while there is none. */
    public @Nullable PublishedView current() {
        return view.get();
    }

    /** The index of a view that is, or was a moment ago, the current one. */
    public ViewIndex index(PublishedView current) {
        ViewIndex known = cached;
        return known != null && known.isOf(current) ? known : renew(current);
    }

    /** One thread prepares a view, while those that need it too wait for it. */
    private synchronized ViewIndex renew(PublishedView current) {
        ViewIndex known = cached;
        if (known == null || !known.isOf(current)) {
            known = new ViewIndex(current, guid -> aliases.table().portOf(guid));
            cached = known;
        }
        return known;
    }
}
