package io.torussm.daemon.console.answer;

import io.torussm.daemon.control.SubnetStatus;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The response of a command.
 *
 * @param facts results, or the reason for a refusal
 * @param isGood true if the command succeeded
 */
public record Answer(Facts facts, boolean isGood) {
    private static final String NO_VIEW = "no subnet is up yet; see status";

    /** The report that an action was executed or requested. */
    record Done(String done) implements Facts {
        @Override
        public List<String> lines() {
            return List.of(done);
        }
    }

    /**
     * The refusal of a command.
     *
     * @param error reason
     * @param usage usage of the command; null unless the arguments are invalid
     */
    public record Trouble(String error, @Nullable String usage) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>(error.isEmpty() ? List.of() : List.of(error));
            if (usage != null) {
                lines.add("usage: " + usage);
            }
            return lines;
        }
    }

    /** A result that arrives later; no thread waits for it. */
    public record Later(CompletableFuture<Answer> answer) implements Facts {
        /** Returns the future of a function of a future result. Its cancellation also cancels {@code cause}. */
        public static <T, U> CompletableFuture<U> after(CompletableFuture<T> cause, Function<T, U> function) {
            CompletableFuture<U> result = cause.thenApply(function);
            var unused = result.whenComplete((value, failure) -> cause.cancel(false));
            return result;
        }

        @Override
        public List<String> lines() {
            return List.of();
        }
    }

    /** Checks whether the command was refused because no subnet is up. */
    public boolean isWithoutSubnet() {
        return facts instanceof Trouble trouble && trouble.error().equals(NO_VIEW);
    }

    public static Answer of(Facts facts) {
        return new Answer(facts, true);
    }

    public static Answer done(String message) {
        return new Answer(new Done(message), true);
    }

    public static Answer refusal(String reason) {
        return new Answer(new Trouble(reason, null), false);
    }

    /** Returns a response that is sent when a future completes. */
    public static Answer deferred(CompletableFuture<Answer> answer) {
        return new Answer(new Later(answer), true);
    }

    /**
     * Waits for the outcome of a requested change, and returns a response from it.
     *
     * @param seconds time-out of the wait, in seconds
     * @param late error text after the time-out
     */
    public static <T> Answer ofChange(Future<T> change, long seconds, String late, Function<T, Answer> answer) {
        try {
            return answer.apply(change.get(seconds, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refusal("interrupted");
        } catch (ExecutionException | TimeoutException e) {
            return refusal(late);
        }
    }

    /** Returns a response from the published subnet, or else the refusal that no subnet is up. */
    public static Answer from(@Nullable PublishedView view, Function<PublishedView, Answer> answer) {
        return view == null ? refusal(NO_VIEW) : answer.apply(view);
    }

    /** Returns a response from the active subnet, or else a refusal with the reason for its absence. */
    public static Answer ofActiveSubnet(FabricState state, Function<PublishedView, Answer> answer) {
        PublishedView view = state.view();
        if (view != null) {
            return answer.apply(view);
        }
        return refusal(
                state.found() == null
                        ? NO_VIEW
                        : "no subnet is up yet: "
                                + SubnetStatus.Routing.of(state).text());
    }

    /** Returns a response from the last discovered subnet, or else a refusal. */
    public static Answer ofDiscoveredSubnet(FabricState state, Function<PlacedSubnet, Answer> answer) {
        PlacedSubnet seen = state.visibleSubnet();
        return seen == null ? refusal(NO_VIEW) : answer.apply(seen);
    }
}
