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
 * Precomputed plans by the failure to which they belong. All are for one subnet, one active plan and one
 * configuration; for any other there are none. Owner thread: the loop; {@link #of} may be called from any.
 */
public final class ReadyPlans {
    /** The bytes of a map entry with its key. */
    private static final int ENTRY = 96;

    private final Basis basis;
    private final long limit;
    private final LongAdder taken;
    private final int failures;

    /** Failures without a computed plan; the next one first. */
    private final ArrayDeque<SingleFailure> left;

    private final Map<SingleFailure, ReadyPlan> plans = new ConcurrentHashMap<>();
    private long bytes;

    /**
     * The input of the computation of plans.
     *
     * @param plan the active plan, as its engine made it
     * @param proof the base of their proofs
     */
    public record Basis(Subnet subnet, Plan plan, RoutingChain chain, RoutingOptions options, Certificate proof) {
        /** Returns the input from the published view; null if its proof is unknown. */
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
         * Checks whether the same failure has the same result: all is the same except for parts that routes
         * do not depend on.
         */
        boolean isSameAs(Basis other) {
            return isSameRoutingAs(other)
                    && (subnet == other.subnet
                            || SingleFailure.NONE.equals(SingleFailure.between(subnet, other.subnet)));
        }

        /** Checks the same without the subnet. */
        boolean isSameRoutingAs(Basis other) {
            return plan == other.plan && chain == other.chain && proof == other.proof && options.equals(other.options);
        }
    }

    /**
     * Starts without plans.
     *
     * @param limit limit of their memory, in bytes
     * @param recent recent failures, the most likely first
     * @param taken counts plans that sweeps take
     */
    public ReadyPlans(Basis basis, long limit, Collection<SingleFailure> recent, LongAdder taken) {
        this.basis = basis;
        this.limit = limit;
        this.taken = taken;
        List<SingleFailure> all = SingleFailure.of(basis.subnet().fabric());
        Set<SingleFailure> order = new LinkedHashSet<>(recent);
        order.retainAll(new HashSet<>(all));
        order.addAll(all);
        failures = all.size();
        left = new ArrayDeque<>(order);
    }

    /** Checks whether the plans are those for this input and limit. */
    public boolean isFor(Basis now, long nowLimit) {
        return limit == nowLimit && basis.isSameAs(now);
    }

    /** Returns the input of the plans. */
    Basis basis() {
        return basis;
    }

    /** Checks whether there is a failure to compute, and room for its plan. */
    boolean isAnyLeft() {
        return !left.isEmpty();
    }

    /** Returns the next failure to compute; null if there is none. */
    @Nullable
    public SingleFailure next() {
        return left.poll();
    }

    /** Adds a failure again whose computation was cancelled. */
    void again(SingleFailure failure) {
        left.addFirst(failure);
    }

    /**
     * Keeps a plan; once there is no room for one, the computation ends.
     *
     * @param others bytes of the room that other plans take
     */
    void add(SingleFailure failure, ReadyPlan plan, long others) {
        int more = plan.bytes() + ENTRY;
        if (bytes + others + more > limit) {
            end();
            return;
        }
        bytes += more;
        plans.put(failure, plan);
    }

    /** Ends the computation. */
    void end() {
        left.clear();
    }

    /**
     * Returns the plan for a subnet after a failure.
     *
     * @param now the input with which a sweep would compute
     * @param found the subnet of the plan
     * @return null if none is ready
     */
    @Nullable
    public ReadyPlan of(Basis now, Subnet found) {
        SingleFailure lost =
                plans.isEmpty() || !basis.isSameRoutingAs(now) ? null : SingleFailure.between(basis.subnet(), found);
        return lost == null ? null : plans.get(lost);
    }

    /** Counts a plan that a sweep took. */
    public void took() {
        taken.increment();
    }

    /** Returns the memory of the plans, in bytes. */
    long bytes() {
        return bytes;
    }

    /** Returns the numbers of ready plans, with the bytes of plans for other hosts. */
    ReadyReport report(long others, long takenSoFar) {
        return new ReadyReport(plans.size(), failures, bytes + others, limit, takenSoFar);
    }
}
