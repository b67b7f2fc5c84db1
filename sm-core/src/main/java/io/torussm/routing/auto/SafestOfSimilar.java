package io.torussm.routing.auto;

import io.torussm.deadlock.sl.SlVerdicts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * The choice among proved plans whose load is not much higher than the lowest. NCCL and UCX use one SL for all paths
 * and ignore path records. So the choice is the plan with the most SLs of which each is free of credit loops if all
 * hosts use it alone. A plan that is free of credit loops with any SLs is the safest. For one choice.
 */
final class SafestOfSimilar<T> {
    /** Loads of up to so many per cent more than the lowest are similar. */
    static final int SIMILAR_PERCENT = 10;

    /** The safety of a plan on which hosts may use any SL: more than sixteen SLs. */
    private static final int ANY_SL = 17;

    private static final int PERCENT = 100;

    private final ToIntFunction<T> load;
    private final Function<T, SlVerdicts> evaluation;
    private final Map<T, SlVerdicts> verdicts = new HashMap<>();

    /**
     * Creates a choice.
     *
     * @param load the load of a plan's most loaded cable
     * @param evaluation the safety of a plan's SLs. It costs about as much as a proof, so it is called only if its
     *     result can change the choice.
     */
    SafestOfSimilar(ToIntFunction<T> load, Function<T, SlVerdicts> evaluation) {
        this.load = load;
        this.evaluation = evaluation;
    }

    /**
     * Returns the safest plan, of equal ones the one with the lower load. After a plan that allows any SL, no other is
     * evaluated.
     *
     * @param plans sorted by load, ascending
     */
    Optional<T> choose(List<T> plans) {
        T best = null;
        int most = -1;
        for (T plan : plans) {
            boolean isSimilar = (long) load.applyAsInt(plan) * PERCENT
                    <= (long) load.applyAsInt(plans.get(0)) * (PERCENT + SIMILAR_PERCENT);
            if (isSimilar && most < ANY_SL) {
                SlVerdicts sls = evaluation.apply(plan);
                verdicts.put(plan, sls);
                int safe = sls.anySl() ? ANY_SL : sls.safeSls().size();
                best = safe > most ? plan : best;
                most = Math.max(most, safe);
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
