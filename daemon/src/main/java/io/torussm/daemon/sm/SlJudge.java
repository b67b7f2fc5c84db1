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
 * Judges the routes in force by the SLs that hosts may send with, when somebody asks first, and knows it as long as these
 * routes are in force. One judgement at a time, away from those who ask and from the sweep. Any thread.
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

    /** @param on where it is computed, in one part */
    SlJudge(Executor on, Consumer<Throwable> defects) {
        this.on = on;
        this.defects = defects;
    }

    /**
     * The verdicts; asked for the first time, computing them begins.
     *
     * @param view null if no routes are in force
     * @param options that they were made with
     * @param waitMs how long to wait for them at most, 0 or more
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
