package io.torussm.sa;

import io.torussm.alias.AliasGuids;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.registration.Registrations;
import io.torussm.registration.Services;
import io.torussm.report.Subscriptions;
import io.torussm.sim.VirtualLoop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.RmppSender;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An SA with which nobody has registered anything, for tests and benchmarks of what it tells of a view. */
public final class PathsAlone {
    private PathsAlone() {}

    /**
     * Such an SA, without SM_Key.
     *
     * @param answers where they go, on a thread of {@code workers}
     */
    public static SubnetAdministrator administrator(
            Supplier<@Nullable PublishedView> view, Consumer<MadFrame> answers, Executor workers) {
        VirtualLoop idle = new VirtualLoop();
        return new SubnetAdministrator(
                view,
                answers,
                workers,
                idle,
                RmppSender.Limits.DEFAULT,
                new Registrations(
                        new MembershipService(idle, new MulticastGroups(() -> 18, 1)),
                        new Services(idle),
                        new Subscriptions(idle),
                        new AliasGuids(idle, () -> 0)),
                List::of,
                new SubnetAdministrator.Settings(0, 1 << 20));
    }
}
