package io.torussm.paths;

import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastView;
import io.torussm.sa.query.AttributeHandler;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.ViewIndex;
import io.torussm.view.PublishedView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The service of all path queries, with the operator's settings for them: the QoS policy, and the routers to
 * other subnets. Thread-safe; a setting applies from the next request on.
 */
public final class PathService {
    private final MembershipService memberships;
    private volatile PrefixRoutes prefixRoutes = PrefixRoutes.NONE;
    private volatile PathPolicy policy = PathPolicy.NONE;
    private volatile @Nullable Prepared prepared;
    private volatile @Nullable PathWalk walk;

    /** A policy prepared for a view. */
    private record Prepared(PublishedView view, PathPolicy policy, PathPolicy.@Nullable Rules rules) {
        boolean isOf(PublishedView current, PathPolicy active) {
            return view.equals(current) && policy.equals(active);
        }
    }

    /**
     * Creates a service without a policy and without routers.
     *
     * @param memberships the multicast groups, which have paths too
     */
    public PathService(MembershipService memberships) {
        this.memberships = memberships;
    }

    /** Returns the handlers of PathRecord and MultiPathRecord. */
    public List<AttributeHandler> handlers() {
        return List.of(new PathRecordHandler(this), new MultiPathHandler(this));
    }

    /** Sets the routers to other subnets. */
    public void setPrefixRoutes(PrefixRoutes routes) {
        prefixRoutes = routes;
    }

    /** Sets the QoS policy. */
    public void setPolicy(PathPolicy next) {
        policy = next;
    }

    PrefixRoutes prefixRoutes() {
        return prefixRoutes;
    }

    MulticastView groups() {
        return memberships.view();
    }

    /** Returns the policy for the view of a query; null if the policy has no level. */
    PathPolicy.@Nullable Rules rules(Query query) {
        PublishedView view = query.index().view();
        PathPolicy active = policy;
        Prepared known = prepared;
        return (known != null && known.isOf(view, active) ? known : prepare(view, active)).rules();
    }

    /**
     * Returns the limits of paths in the view of a query, with their cache. If the view of the query differs from the
     * cached one, the cache is replaced.
     */
    PathWalk walk(Query query) {
        PathWalk known = walk;
        return known != null && known.isOf(query.index()) ? known : renewWalk(query.index());
    }

    private synchronized PathWalk renewWalk(ViewIndex index) {
        PathWalk known = walk;
        if (known == null || !known.isOf(index)) {
            known = new PathWalk(index);
            walk = known;
        }
        return known;
    }

    /** Prepares a policy in one thread; other threads that need it wait. */
    private synchronized Prepared prepare(PublishedView view, PathPolicy active) {
        Prepared known = prepared;
        if (known == null || !known.isOf(view, active)) {
            known = new Prepared(view, active, active.prepare(view));
            prepared = known;
        }
        return known;
    }
}
