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
 * The verdicts on the active routes by the SLs that hosts may use. They are computed on the first request,
 * and kept as long as these routes are active. One computation runs at a time, outside of the sweep and of
 * the threads of requests. Any thread.
 */
final class SlJudge {
    private final Executor on;
    private final Consumer<Throwable> defects;
    private @Nullable Judged last;

    private record Judged(
            Plan plan, @Nullable MulticastTree tree, RoutingOptions options, CompletableFuture<SlVerdicts> verdicts) {
        boolean isOf(PublishedView view, RoutingOptions wanted) {
            return plan.isSameRouting(view.plan()) && Objects.equals(tree, view.multicast()) && options.equals(wanted);
        }
    }

    /** @param on the executor of the computation, which is one task */
    SlJudge(Executor on, Consumer<Throwable> defects) {
        this.on = on;
        this.defects = defects;
    }

    /**
     * Returns the verdicts. The first request starts their computation.
     *
     * @param view null if no routes are active
     * @param options the options of these routes
     * @param waitMs maximum time to wait for them, 0 or more
     * @return null as long as there are none
     */
    @Nullable
    SlVerdicts of(@Nullable PublishedView view, RoutingOptions options, long waitMs) {
        CompletableFuture<SlVerdicts> verdicts = judged(view, options);
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

    private synchronized @Nullable CompletableFuture<SlVerdicts> judged(
            @Nullable PublishedView view, RoutingOptions options) {
        Judged known = last;
        if (known != null && view != null && known.isOf(view, options)) {
            return known.verdicts;
        } else if (known != null && !known.verdicts.isDone()) {
            return null;
        } else if (view == null) {
            last = null;
            return null;
        }
        Judged next = new Judged(view.plan(), view.multicast(), options, new CompletableFuture<>());
        try {
            on.execute(() -> judge(next));
        } catch (RejectedExecutionException e) {
            return null; // the SM ends
        }
        last = next;
        return next.verdicts;
    }

    private void judge(Judged next) {
        try {
            next.verdicts.complete(SlVerdicts.of(next.plan, next.tree, next.options, new DeadlockChecker(1)));
        } catch (RuntimeException | Error bug) {
            next.verdicts.completeExceptionally(bug);
            defects.accept(bug);
            FatalErrors.escalate(bug);
        }
    }
}
