package io.torussm.daemon.sm;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.event.FatalErrors;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.view.PublishedView;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts on the active routes for hosts that choose other SLs than these routes expect. They are computed on the
 * first request, and kept as long as these routes are active. One computation runs at a time, on an executor that
 * neither sweeps nor handles requests. Any thread.
 */
final class SlVerdictCache {
    private final Executor executor;
    private final Consumer<Throwable> defects;
    private @Nullable Computation last;

    private record Computation(
            Plan plan, @Nullable MulticastTree tree, RoutingOptions options, CompletableFuture<SlVerdicts> verdicts) {
        boolean isOf(PublishedView view, RoutingOptions wanted) {
            return plan.isSameRouting(view.plan()) && Objects.equals(tree, view.multicast()) && options.equals(wanted);
        }
    }

    /**
     * Creates a source of verdicts.
     *
     * @param on executor of computations, each of which is one task
     * @param defects receiver of unexpected exceptions
     */
    SlVerdictCache(Executor on, Consumer<Throwable> defects) {
        this.executor = on;
        this.defects = defects;
    }

    /**
     * Returns the verdicts. The first request starts their computation.
     *
     * @param view null if no routes are active
     * @param options options of these routes
     * @param waitMs max time to wait for the verdicts in ms, 0 or more
     * @return null while no routes are active, or if the verdicts are not computed within that time
     */
    @Nullable
    SlVerdicts verdicts(@Nullable PublishedView view, RoutingOptions options, long waitMs) {
        CompletableFuture<SlVerdicts> verdicts = request(view, options);
        try {
            return verdicts == null || verdicts.isCompletedExceptionally()
                    ? null
                    : verdicts.get(waitMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | TimeoutException e) {
            return null;
        }
    }

    private synchronized @Nullable CompletableFuture<SlVerdicts> request(
            @Nullable PublishedView view, RoutingOptions options) {
        Computation previous = last;
        if (previous != null && view != null && previous.isOf(view, options)) {
            return previous.verdicts;
        } else if (previous != null && !previous.verdicts.isDone()) {
            return null;
        } else if (view == null) {
            last = null;
            return null;
        }
        Computation next = new Computation(view.plan(), view.multicast(), options, new CompletableFuture<>());
        try {
            executor.execute(() -> compute(next));
        } catch (RejectedExecutionException e) {
            return null; // the SM ends
        }
        last = next;
        return next.verdicts;
    }

    private void compute(Computation next) {
        try {
            next.verdicts.complete(SlVerdicts.of(next.plan, next.tree, next.options, new DeadlockChecker(1)));
        } catch (RuntimeException | Error bug) {
            next.verdicts.completeExceptionally(bug);
            defects.accept(bug);
            FatalErrors.escalate(bug);
        }
    }
}
