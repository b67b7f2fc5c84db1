package io.torussm.sweep;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.ReadyPlan;
import io.torussm.deadlock.RoutingChain;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Subnet;
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
 * Plans that were computed in advance, by what would have to be lost for them, all for one subnet, one plan in force and one
 * configuration; with any other there are none. Owner thread: the loop; {@link #of} may be asked from any.
 */
final class ReadyPlans {
    /** What an entry of the map takes, with its key, in bytes. */
    private static final int ENTRY = 96;

    private final Basis basis;
    private final long limit;
    private final LongAdder taken;
    private final int failures;

    /** Failures for which nothing was computed yet; what comes next first. */
    private final ArrayDeque<SingleFailure> left;

    private final Map<SingleFailure, ReadyPlan> plans = new ConcurrentHashMap<>();
    private long bytes;

    /**
     * What plans are computed from.
     *
     * @param plan in force, as its engine made it
     * @param proof that theirs rest on
     */
    record Basis(Subnet subnet, Plan plan, RoutingChain chain, RoutingOptions options, Certificate proof) {
        /** Of what is published; null if no proof is known of it. */
        static @Nullable Basis of(@Nullable PublishedView view, Known.@Nullable Policy policy, RoutingOptions options) {
            Certificate proof = policy == null ? null : policy.proof();
            return view == null
                            || policy == null
                            || proof == null
                            || view.plan().standing().isPresent()
                    ? null
                    : new Basis(view.subnet(), view.plan().asRouted(), policy.chain(), options, proof);
        }

        /** Whether the same comes of the same failure: all is the same but for what no route depends on. */
        boolean isSameAs(Basis other) {
            return isSameRoutingAs(other)
                    && (subnet == other.subnet
                            || SingleFailure.NONE.equals(SingleFailure.between(subnet, other.subnet)));
        }

        /** Whether that is so but for the subnet. */
        boolean isSameRoutingAs(Basis other) {
            return plan == other.plan && chain == other.chain && proof == other.proof && options.equals(other.options);
        }
    }

    /**
     * None are ready yet.
     *
     * @param limit of the memory that they take, in bytes
     * @param recent failures that are the likeliest to come again, the likeliest first
     * @param taken counts plans that sweeps take
     */
    ReadyPlans(Basis basis, long limit, Collection<SingleFailure> recent, LongAdder taken) {
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

    /** Whether they are what is to be computed from something. */
    boolean isFor(Basis now, long nowLimit) {
        return limit == nowLimit && basis.isSameAs(now);
    }

    /** What they are computed from. */
    Basis basis() {
        return basis;
    }

    /** Whether there is something to compute, and room for it. */
    boolean isAnyLeft() {
        return !left.isEmpty();
    }

    /** The failure to be computed next; null if there is none. */
    @Nullable
    SingleFailure next() {
        return left.poll();
    }

    /** It was given up, and is to be computed all the same. */
    void again(SingleFailure failure) {
        left.addFirst(failure);
    }

    /**
     * Keeps a plan; once there is no room for one nothing is left to compute.
     *
     * @param others bytes that something else takes of the room
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

    /** Computes no more. */
    void end() {
        left.clear();
    }

    /**
     * The plan for a subnet that lacks something.
     *
     * @param now what a sweep would compute from
     * @param found the subnet that it is for
     * @return null if none is ready
     */
    @Nullable
    ReadyPlan of(Basis now, Subnet found) {
        SingleFailure lost =
                plans.isEmpty() || !basis.isSameRoutingAs(now) ? null : SingleFailure.between(basis.subnet(), found);
        return lost == null ? null : plans.get(lost);
    }

    /** A sweep took one. */
    void took() {
        taken.increment();
    }

    /** Memory that they take, in bytes. */
    long bytes() {
        return bytes;
    }

    /** What is ready, with the bytes of what is put aside. */
    ReadyReport report(long others, long takenSoFar) {
        return new ReadyReport(plans.size(), failures, bytes + others, limit, takenSoFar);
    }
}
