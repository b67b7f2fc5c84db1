package io.torussm.sweep.idle;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.chain.ReadyPlan;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.state.SweepState;
import io.torussm.view.PublishedView;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Precomputed plans by the failure to which they belong. All are for one subnet, one active plan and one configuration
 * ({@link Basis}). Owner thread: the loop; {@link #planFor} and {@link #countTaken} may be called from any thread.
 */
public final class ReadyPlans {
    /** The memory of a map entry with its key, in bytes (estimate). */
    private static final int ENTRY_BYTES = 96;

    private final Basis basis;
    private final long limit;
    private final LongAdder takenCount;

    /** Number of possible failures. */
    private final int failures;

    /** Failures without a computed plan, the next one first. */
    private final ArrayDeque<SingleFailure> remainingFailures;

    private final Map<SingleFailure, ReadyPlan> plans = new ConcurrentHashMap<>();
    private long bytes;

    /**
     * The input of the computation of plans.
     *
     * @param subnet published subnet
     * @param plan the active plan, as its engine made it
     * @param chain engines, with the contents of their files
     * @param proof proof of the active plan, from which the proofs of the precomputed plans start
     */
    public record Basis(Subnet subnet, Plan plan, RoutingChain chain, RoutingOptions options, Certificate proof) {
        /** Returns the input from the published view; null without a view or a proof, or if routes are retained. */
        public static @Nullable Basis of(
                @Nullable PublishedView view, SweepState.@Nullable Policy policy, RoutingOptions options) {
            Certificate proof = policy == null ? null : policy.proof();
            return view == null
                            || policy == null
                            || proof == null
                            || view.plan().retention().isPresent()
                    ? null
                    : new Basis(view.subnet(), view.plan().asRouted(), policy.chain(), options, proof);
        }

        /**
         * Checks whether a failure has the same result with another input: the inputs differ at most in parts of the
         * subnet on which routes do not depend.
         */
        boolean isSameAs(Basis other) {
            return isSameRoutingAs(other)
                    && (subnet == other.subnet
                            || SingleFailure.NONE.equals(SingleFailure.between(subnet, other.subnet)));
        }

        /** Checks whether plan, engines, proof and options are those of another input; ignores the subnet. */
        boolean isSameRoutingAs(Basis other) {
            return plan == other.plan && chain == other.chain && proof == other.proof && options.equals(other.options);
        }
    }

    /**
     * Creates an empty store.
     *
     * @param limit max memory of the plans in bytes
     * @param recent recent failures, the most likely first
     * @param taken counts plans that sweeps take
     */
    public ReadyPlans(Basis basis, long limit, Collection<SingleFailure> recent, LongAdder taken) {
        this.basis = basis;
        this.limit = limit;
        this.takenCount = taken;
        List<SingleFailure> all = SingleFailure.of(basis.subnet().fabric());
        Set<SingleFailure> order = new LinkedHashSet<>(recent);
        order.retainAll(new HashSet<>(all));
        order.addAll(all);
        failures = all.size();
        remainingFailures = new ArrayDeque<>(order);
    }

    /** Checks whether the plans are valid for another input and limit. */
    public boolean isFor(Basis otherBasis, long otherLimit) {
        return limit == otherLimit && basis.isSameAs(otherBasis);
    }

    /** Returns the input of the plans. */
    Basis basis() {
        return basis;
    }

    /** Checks whether there is a failure to compute; false after the memory is used up. */
    boolean hasNext() {
        return !remainingFailures.isEmpty();
    }

    /** Removes and returns the next failure to compute; null if there is none. */
    @Nullable
    public SingleFailure next() {
        return remainingFailures.poll();
    }

    /** Adds a failure again whose computation was cancelled. */
    void requeue(SingleFailure failure) {
        remainingFailures.addFirst(failure);
    }

    /**
     * Keeps a plan. If the memory does not suffice for it, drops it and ends the computation.
     *
     * @param others memory of the plans that were set aside, in bytes
     */
    void add(SingleFailure failure, ReadyPlan plan, long others) {
        int planBytes = plan.bytes() + ENTRY_BYTES;
        if (bytes + others + planBytes > limit) {
            end();
            return;
        }
        bytes += planBytes;
        plans.put(failure, plan);
    }

    /** Ends the computation: drops the remaining failures. */
    void end() {
        remainingFailures.clear();
    }

    /**
     * Returns the plan for a subnet after a failure.
     *
     * @param currentBasis the input with which a sweep would compute routes; its subnet is ignored
     * @param found discovered subnet
     * @return plan; null if the discovered subnet does not differ by a failure with a plan
     */
    @Nullable
    public ReadyPlan planFor(Basis currentBasis, Subnet found) {
        SingleFailure lost = plans.isEmpty() || !basis.isSameRoutingAs(currentBasis)
                ? null
                : SingleFailure.between(basis.subnet(), found);
        return lost == null ? null : plans.get(lost);
    }

    /** Counts a plan that a sweep took. */
    public void countTaken() {
        takenCount.increment();
    }

    /** Returns the memory of the plans, in bytes. */
    long bytes() {
        return bytes;
    }

    /**
     * Returns the numbers of ready plans.
     *
     * @param others memory of the plans for other hosts, in bytes
     */
    ReadyReport report(long others, long takenSoFar) {
        return new ReadyReport(plans.size(), failures, bytes + others, limit, takenSoFar);
    }
}
