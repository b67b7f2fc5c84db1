package io.torussm.routing.auto;

import io.torussm.deadlock.sl.SlVerdicts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * The choice among proved plans whose load is not much higher than the lowest. It takes the plan with the
 * most SLs that all hosts may use alone, since NCCL and UCX use one SL and ignore path records. A plan that
 * is free of credit loops with any SLs is the safest. One use.
 */
final class SafestOfSimilar<T> {
    /** Loads of up to so many per cent more than the lowest are similar. */
    static final int SIMILAR_PERCENT = 10;

    private static final int ANY_SL = 17;
    private static final int PERCENT = 100;

    private final ToIntFunction<T> load;
    private final Function<T, SlVerdicts> judge;
    private final Map<T, SlVerdicts> judged = new HashMap<>();

    /**
     * Makes a choice.
     *
     * @param load of the most loaded cable
     * @param judge costs about as much as a proof, so it is called only if its result can change the choice
     */
    SafestOfSimilar(ToIntFunction<T> load, Function<T, SlVerdicts> judge) {
        this.load = load;
        this.judge = judge;
    }

    /**
     * Returns the safest.
     *
     * @param plans by load, the lowest first
     */
    Optional<T> of(List<T> plans) {
        T best = null;
        int most = -1;
        for (T plan : plans) {
            boolean isSimilar = (long) load.applyAsInt(plan) * PERCENT
                    <= (long) load.applyAsInt(plans.get(0)) * (PERCENT + SIMILAR_PERCENT);
            if (isSimilar && most < ANY_SL) {
                SlVerdicts sls = judge.apply(plan);
                judged.put(plan, sls);
                int safe = sls.anySl() ? ANY_SL : sls.safeSls().size();
                best = safe > most ? plan : best;
                most = Math.max(most, safe);
            }
        }
        return Optional.ofNullable(best);
    }

    /** Returns for people how safe a plan is; empty if that did not matter. */
    String text(T plan) {
        SlVerdicts sls = judged.get(plan);
        if (sls == null) {
            return "";
        }
        return sls.anySl()
                ? ", any SL is safe"
                : sls.safeSls().isEmpty()
                        ? ", no SL is safe for hosts that use one"
                        : ", safe for hosts that use one SL of " + SlVerdicts.ranges(sls.safeSls());
    }
}
