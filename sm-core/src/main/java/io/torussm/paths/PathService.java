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
 * Everything about paths that the SA serves, and what the operator says of them: the QoS policy, and the routers to other
 * subnets. Any thread; a setting counts from the next request on.
 */
public final class PathService {
    private final MembershipService memberships;
    private volatile PrefixRoutes prefixRoutes = PrefixRoutes.NONE;
    private volatile PathPolicy policy = PathPolicy.NONE;
    private volatile @Nullable Prepared prepared;
    private volatile @Nullable PathWalk walk;

    /** A policy on one view. */
    private record Prepared(PublishedView view, PathPolicy policy, PathPolicy.@Nullable Rules rules) {
        boolean isOf(PublishedView current, PathPolicy inForce) {
            return view.equals(current) && policy.equals(inForce);
        }
    }

    /**
     * Creates the service, without a policy and without routers.
     *
     * @param memberships the multicast groups, which have paths too
     */
    public PathService(MembershipService memberships) {
        this.memberships = memberships;
    }

    /** Handlers of PathRecord and MultiPathRecord. */
    public List<AttributeHandler> handlers() {
        return List.of(new PathRecordHandler(this), new MultiPathHandler(this));
    }

    /** Says which routers lead to other subnets. */
    public void setPrefixRoutes(PrefixRoutes routes) {
        prefixRoutes = routes;
    }

    /** Says which QoS level each path has. */
    public void setPolicy(PathPolicy next) {
        policy = next;
    }

    PrefixRoutes prefixRoutes() {
        return prefixRoutes;
    }

    MulticastView groups() {
        return memberships.view();
    }

    /** What the policy says of the paths of a query's view; null if nothing. */
    PathPolicy.@Nullable Rules rules(Query query) {
        PublishedView view = query.index().view();
        PathPolicy inForce = policy;
        Prepared known = prepared;
        return (known != null && known.isOf(view, inForce) ? known : prepare(view, inForce)).rules();
    }

    /** The ways in a query's view, with what was found of them; that of a view that has gone is not kept. */
    PathWalk walk(Query query) {
        PathWalk known = walk;
        return known != null && known.isOf(query.index()) ? known : forget(query.index());
    }

    private synchronized PathWalk forget(ViewIndex index) {
        PathWalk known = walk;
        if (known == null || !known.isOf(index)) {
            known = new PathWalk(index);
            walk = known;
        }
        return known;
    }

    /** One thread prepares a policy, while those that need it too wait for it. */
    private synchronized Prepared prepare(PublishedView view, PathPolicy inForce) {
        Prepared known = prepared;
        if (known == null || !known.isOf(view, inForce)) {
            known = new Prepared(view, inForce, inForce.on(view));
            prepared = known;
        }
        return known;
    }
}
