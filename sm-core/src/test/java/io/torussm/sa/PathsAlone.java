package io.torussm.sa;

import io.torussm.alias.AliasGuids;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.paths.PathPolicy;
import io.torussm.paths.PathService;
import io.torussm.registration.Registrations;
import io.torussm.registration.Services;
import io.torussm.report.Subscriptions;
import io.torussm.sa.query.IndexedViews;
import io.torussm.sim.VirtualLoop;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An SA without registrations, for tests and benchmarks of answers from a view. */
public final class PathsAlone {
    private PathsAlone() {}

    /**
     * Returns an SA without SM_Key.
     *
     * @param answers receives answers on a thread of {@code workers}
     */
    public static SubnetAdministrator administrator(
            Supplier<@Nullable PublishedView> view, Consumer<MadFrame> answers, Executor workers) {
        return administrator(view, PathPolicy.NONE, answers, workers);
    }

    /** Returns an SA with a QoS policy. */
    public static SubnetAdministrator administrator(
            Supplier<@Nullable PublishedView> view, PathPolicy policy, Consumer<MadFrame> answers, Executor workers) {
        return administrator(view, policy, answers, workers, new VirtualLoop());
    }

    /** Returns an SA with a QoS policy and a clock; no timer ever expires. */
    public static SubnetAdministrator administrator(
            Supplier<@Nullable PublishedView> view,
            PathPolicy policy,
            Consumer<MadFrame> answers,
            Executor workers,
            Loop idle) {
        Registrations registrations = new Registrations(
                new MembershipService(idle, new MulticastGroups(() -> 18, 1)),
                new Services(idle),
                new Subscriptions(idle),
                new AliasGuids(idle, () -> 0));
        PathService paths = new PathService(registrations.memberships());
        paths.setPolicy(policy);
        return new SubnetAdministrator(
                new IndexedViews(view, registrations.aliases()),
                AttributeHandlers.all(registrations, List::of, paths, idle::nowNs),
                answers,
                workers,
                idle,
                new SubnetAdministrator.Settings(0, 1 << 20));
    }
}
