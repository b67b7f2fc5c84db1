package io.torussm.routing.auto;

import io.torussm.deadlock.sl.SlVerdicts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * The choice among proved plans whose load is not much higher than the lowest. NCCL and UCX use one SL for all
 * paths and ignore path records. So the chosen plan has the most safe SLs: an SL is safe if the fabric has no
 * credit loop while all hosts use this SL alone. A plan that is free of credit loops with any SLs is the safest.
 * An object is used for one choice.
 *
 * @param <T> plans with their outcome
 */
final class SafestOfSimilar<T> {
    /** Loads of at most this percentage above the lowest are similar. */
    static final int SIMILAR_PERCENT = 10;

    /** The rating of a plan on which hosts may use any SL: more than the sixteen SLs. */
    private static final int ANY_SL = 17;

    private static final int PERCENT = 100;

    private final ToIntFunction<T> load;
    private final Function<T, SlVerdicts> evaluation;
    private final Map<T, SlVerdicts> verdicts = new HashMap<>();

    /**
     * Creates a choice.
     *
     * @param load load of the busiest cable of a plan
     * @param evaluation safety of the SLs of a plan. It costs about as much as a proof, so it is called only if its
     *     result can change the choice
     */
    SafestOfSimilar(ToIntFunction<T> load, Function<T, SlVerdicts> evaluation) {
        this.load = load;
        this.evaluation = evaluation;
    }

    /**
     * Returns the safest of the plans with similar loads; of equally safe plans, the one with the lowest load. Empty
     * without plans. After a plan that allows any SL, no other plan is evaluated.
     *
     * @param plans plans sorted by load, ascending
     */
    Optional<T> choose(List<T> plans) {
        T best = null;
        int bestRating = -1;
        for (T plan : plans) {
            boolean isSimilar = (long) load.applyAsInt(plan) * PERCENT
                    <= (long) load.applyAsInt(plans.get(0)) * (PERCENT + SIMILAR_PERCENT);
            if (isSimilar && bestRating < ANY_SL) {
                SlVerdicts sls = evaluation.apply(plan);
                verdicts.put(plan, sls);
                int rating = sls.anySl() ? ANY_SL : sls.safeSls().size();
                best = rating > bestRating ? plan : best;
                bestRating = Math.max(bestRating, rating);
            }
        }
        return Optional.ofNullable(best);
    }

    /** Returns the safety of a plan as the end of a sentence; empty if it was not evaluated. */
    String text(T plan) {
        SlVerdicts sls = verdicts.get(plan);
        if (sls == null) {
            return "";
        }
        if (sls.anySl()) {
            return ", any SL is safe";
        }
        return sls.safeSls().isEmpty()
                ? ", no SL is safe for hosts that use one"
                : ", safe for hosts that use one SL of " + SlVerdicts.ranges(sls.safeSls());
    }
}
