package io.torussm.deadlock.chain;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Cycle;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.Verdict;
import io.torussm.deadlock.growth.LastResort;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.deadlock.incremental.IncrementalProof;
import io.torussm.deadlock.transition.Transition;
import io.torussm.deadlock.transition.TransitionPlanner;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Unswitched;
import io.torussm.routing.balance.GuidFile;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The chain of engines that the operator named. The engines run in order until one has a plan that passes the deadlock
 * check. If all engines refuse:
 * <ol>
 * <li>the last resort completes the part of the fabric that one of them could route ({@link LastResort});
 * <li>without such a part the chain refuses, and the switches keep their tables;
 * <li>on a fabric whose switches have no tables to keep, the default engine follows ({@link #orDefault}).
 * </ol>
 * With {@code no_fallback} among the names, none of this happens: the chain refuses. Immutable; all methods are pure,
 * so that any thread may call them.
 */
public final class RoutingChain {
    private final List<Member> members;
    private final DeadlockChecker checker;
    private final ChainPolicy policy;
    private final LastResortCompletion completion;

    /** The default engine; null without one. */
    private final @Nullable Member defaultMember;

    /** An engine and its settings. */
    public record Member(Engine engine, EngineConfig config) {}

    /**
     * The result of a chain.
     *
     * @param plan the plan to program; null if the chain refuses
     * @param verdict the check of that plan: a {@link Certificate}, or a {@link Cycle} if its engine does not claim to
     *     be free of credit loops
     * @param multicast the tree for multicast that was proved together with the plan, or that belongs to an accepted
     *     plan with a credit loop; null without multicast
     * @param refusals refusals of engines, in the order of the chain
     * @param findings all findings for the operator, in order, without repetitions
     */
    public record ChainResult(
            @Nullable Plan plan,
            @Nullable Verdict verdict,
            @Nullable MulticastTree multicast,
            List<Refusal> refusals,
            List<Finding> findings) {
        public ChainResult {
            refusals = List.copyOf(refusals);
            findings = findings.stream().distinct().toList();
        }

        /** Returns a copy of this result with more findings. */
        public ChainResult with(List<Finding> more) {
            List<Finding> all = new ArrayList<>(findings);
            all.addAll(more);
            return new ChainResult(plan, verdict, multicast, refusals, all);
        }

        /** Returns the first partial plan among the refusals; null if no engine that refused provides SLs and SL2VL. */
        public @Nullable Plan partialPlan() {
            return refusals.stream()
                    .map(Refusal::partialPlan)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }

        /** Checks whether there is a plan. */
        public boolean isAccepted() {
            return plan != null;
        }
    }

    /** Creates a chain of at least one engine, without settings and without a last resort. */
    public RoutingChain(List<Engine> engines, DeadlockChecker checker) {
        this(engines, checker, ChainPolicy.STRICT);
    }

    /**
     * Creates a chain of engines without settings.
     *
     * @throws IllegalArgumentException if there is no engine
     */
    public RoutingChain(List<Engine> engines, DeadlockChecker checker, ChainPolicy policy) {
        this(
                checker,
                engines.stream()
                        .map(engine -> new Member(engine, EngineConfig.NONE))
                        .toList(),
                policy);
    }

    /**
     * Creates a chain of engines with settings.
     *
     * @throws IllegalArgumentException if there is no engine
     */
    public RoutingChain(DeadlockChecker checker, List<Member> members, ChainPolicy policy) {
        this(checker, members, policy, null);
    }

    /**
     * Creates a chain of engines with settings and a default engine.
     *
     * @param byDefault the engine for a fabric without tables to keep if all members refuse; null without one; ignored
     *     if the policy has no last resort, or if this engine is a member
     * @throws IllegalArgumentException if there is no member
     */
    public RoutingChain(DeadlockChecker checker, List<Member> members, ChainPolicy policy, @Nullable Member byDefault) {
        this.policy = policy;
        String name = byDefault == null ? "" : byDefault.engine().name();
        boolean isNamed =
                members.stream().anyMatch(member -> member.engine().name().equals(name));
        this.defaultMember = isNamed || !policy.hasLastResort() ? null : byDefault;
        if (members.isEmpty()) {
            throw new IllegalArgumentException("routing_engine names no engine");
        }
        this.members = List.copyOf(members);
        this.checker = checker;
        completion = new LastResortCompletion(checker, members.size());
    }

    /**
     * Parses {@code routing_engine}. The chain refuses tables with a credit loop.
     *
     * @param names names of engines, separated by commas, blanks or tabs; case-sensitive
     * @param known all existing engines
     * @return a chain of the engines in order, each with {@link EngineConfig#NONE}
     * @throws IllegalArgumentException if a name is unknown, with a proposal, or if no engine is named
     */
    public static RoutingChain parse(String names, Collection<? extends Engine> known, DeadlockChecker checker) {
        return new RoutingChain(
                EngineNames.engines(names, known),
                checker,
                ChainPolicy.of(names, OnCreditLoop.REFUSE, OnCreditLoop.REFUSE));
    }

    /** Returns the GUIDs in {@code root_guid_file} of any engine, also those of absent switches. */
    public Set<Long> roots() {
        return members.stream()
                .flatMap(member -> GuidFile.roots(member.config).lines().stream())
                .map(GuidFile.Line::guid)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns a chain of these engines without a default engine, and with the last resort only if it is wanted. */
    public RoutingChain withoutDefault(boolean isLastResortWanted) {
        boolean hasLastResort = isLastResortWanted && policy.hasLastResort();
        ChainPolicy alone = new ChainPolicy(hasLastResort, policy.onCreditLoop(), policy.onSwitchPortLoop());
        return new RoutingChain(checker, members, alone);
    }

    /** Proves the whole plan of an incremental proof again. Returns the difference as text; empty if both agree. */
    public String fullProofDifference(Certificate proof) {
        return proof.fullProofDifference(checker);
    }

    /** Returns the coordinates of switches by NodeGUID, from the first engine that has coordinates; may be empty. */
    public Map<Long, String> places(Fabric fabric) {
        return members.stream()
                .map(member -> member.engine().places(fabric, member.config()))
                .filter(places -> !places.isEmpty())
                .findFirst()
                .orElse(Map.of());
    }

    /** Routes a subnet whose switches have no tables: with the engines of the chain, then with the default engine. */
    public ChainResult route(Subnet subnet, RoutingOptions options) {
        return orDefault(subnet, options, route(subnet, options, null, EarlierFacts.NONE));
    }

    /** Checks whether the chain has a default engine, which follows if all others refuse without tables to keep. */
    public boolean hasDefault() {
        return defaultMember != null;
    }

    /**
     * Runs the default engine if all other engines refused.
     *
     * @param result result of the other engines for the same subnet
     * @return {@code result} itself if it is accepted, or if the chain has no default engine
     */
    public ChainResult orDefault(Subnet subnet, RoutingOptions options, ChainResult result) {
        return defaultMember == null || result.isAccepted()
                ? result
                : run(List.of(defaultMember), new ChainInput(subnet, options, null, EarlierFacts.NONE, null), result);
    }

    /**
     * Runs the engines.
     *
     * @param active the active plan; null if none is active
     * @param remembered facts about the subnet before its faults
     */
    public ChainResult route(Subnet subnet, RoutingOptions options, @Nullable Plan active, EarlierFacts remembered) {
        return route(subnet, options, active, remembered, null);
    }

    /**
     * Runs the engines. An earlier proof saves work if the subnet changed little, and does not change the result.
     *
     * @param previousProof the proof of an earlier plan, for {@link IncrementalProof#prove} and
     *     {@link EngineContext#similarPlan}; null without one
     */
    public ChainResult route(
            Subnet subnet,
            RoutingOptions options,
            @Nullable Plan active,
            EarlierFacts remembered,
            @Nullable Certificate previousProof) {
        ChainInput input = new ChainInput(subnet, options, active, remembered, previousProof);
        ChainResult result = run(members, input, refusedResult(List.of(), List.of()));
        boolean isOfDefault = defaultMember != null
                && active != null
                && active.engine().equals(defaultMember.engine().name());
        return isOfDefault && !result.isAccepted() ? run(List.of(defaultMember), input, result) : result;
    }

    /** The parameters of {@link #route}, for all engines; {@code previousProof} is the earlier proof. */
    record ChainInput(
            Subnet subnet,
            RoutingOptions options,
            @Nullable Plan active,
            EarlierFacts remembered,
            @Nullable Certificate previousProof) {}

    /**
     * Runs engines until one has a plan that passes its check. If all engines refuse, the last resort follows.
     *
     * @param earlier the refusals and findings of preceding engines
     */
    private ChainResult run(List<Member> engines, ChainInput input, ChainResult earlier) {
        RoutingOptions options = input.options;
        Plan active = input.active;
        Certificate previousProof = input.previousProof;
        List<Refusal> refusals = new ArrayList<>(earlier.refusals());
        List<Finding> findings = new ArrayList<>(earlier.findings());
        Plan similar = previousProof == null ? null : previousProof.plan();
        for (Member member : engines) {
            RoutingResult result = Unswitched.planOrRoute(
                    member.engine(), context(input.subnet, options, member, active, input.remembered, similar));
            if (result instanceof Plan plain) {
                ChainResult completed =
                        policy.hasLastResort() ? completion.completeLeftOut(plain, refusals, findings, input) : null;
                if (completed != null) {
                    return completed;
                }
                Plan routed = plain.with(input.subnet.vportLids());
                if (active != null) {
                    routed.shareTables(active); // before the proof, which keeps the tables as well
                }
                CheckedPlan proved = proveRouted(routed, options, previousProof);
                boolean needsProofForHosts = proved.proof.verdict() instanceof Cycle
                        && (policy.onSwitchPortLoop() == OnCreditLoop.WARN
                                || !isAcceptable(routed, proved.proof.verdict()));
                CheckedPlan hosts =
                        needsProofForHosts ? proveRouted(routed.forHostsOnly(), options, previousProof) : proved;
                boolean isFreeForHosts = needsProofForHosts && hosts.proof.verdict() instanceof Certificate;
                if (isFreeForHosts && policy.onSwitchPortLoop() == OnCreditLoop.WARN) {
                    findings.add(ChainFindings.switchPortLoop(routed, proved.proof.verdict()));
                    proved = hosts;
                }
                Plan plan = proved.plan;
                DeadlockChecker.Proof proof = proved.proof;
                findings.addAll(plan.findings());
                if (isAcceptable(plan, proof.verdict())) {
                    ChainFindings.reportFallback(plan, refusals, members.size(), findings);
                    ChainFindings.report(plan, proof, findings);
                    return new ChainResult(plan, proof.verdict(), proof.multicast(), refusals, findings);
                }
                result = ChainFindings.refusalOf(plan, proof.verdict(), isFreeForHosts);
            }
            if (result instanceof Refusal refusal) {
                refusals.add(refusal);
                findings.addAll(refusal.findings());
            }
        }
        return policy.hasLastResort()
                ? completion.completeRefused(refusals, findings, input)
                : refusedResult(refusals, findings);
    }

    /**
     * Computes in advance the result of {@link #route} for a subnet after a fault, and the order of its writes.
     *
     * @param foreseen the subnet without some switch or cable of the active plan
     * @param previousProof the proof that {@code route} will receive
     * @param held function that returns the current tables of switches; the order of writes is part of the result only
     *     if no SL2VL row changes and all links are up
     * @param isWanted predicate, called after routing; if it returns false, the computation ends
     * @return null if no engine accepts the subnet, or if the computation was ended
     */
    public @Nullable ReadyPlan precompute(
            Subnet foreseen,
            RoutingOptions options,
            Plan active,
            Certificate previousProof,
            Function<Plan, HeldTables> held,
            BooleanSupplier isWanted) {
        ChainResult result = route(foreseen, options, active, EarlierFacts.of(active), previousProof);
        Plan plan = result.plan();
        if (plan == null || !isWanted.getAsBoolean()) {
            return null;
        }
        HeldTables tables = held.apply(plan);
        boolean hasOrder = ReadyPlan.isAsPrecomputed(tables, active, foreseen.fabric());
        return ReadyPlan.of(active, result, hasOrder ? transition(tables, active, result, options) : null);
    }

    /**
     * Returns the result of {@link #route} if the plan of the first engine equals a plan that was computed in advance.
     * The proof of the plan in advance is reused.
     *
     * @param ready the plan that was computed in advance for this subnet, with the other parameters of this call
     * @return null if the first engine refuses, leaves out switches or has another plan
     */
    public @Nullable ChainResult route(
            Subnet subnet,
            RoutingOptions options,
            Plan active,
            EarlierFacts remembered,
            Certificate previousProof,
            ReadyPlan ready) {
        Member first = members.get(0);
        EngineContext context = context(subnet, options, first, active, remembered, previousProof.plan());
        if (!(Unswitched.planOrRoute(first.engine(), context) instanceof Plan plain)
                || plain.partialRefusal().isPresent()) {
            return null;
        }
        Plan plan = plain.with(subnet.vportLids());
        plan.shareTables(active);
        if (!ready.isOf(plan, active)) {
            return null;
        }
        DeadlockChecker.Proof proof = ready.proof(plan, options, () -> proofOf(checker, plan, options, previousProof)
                .verdict());
        List<Finding> findings = new ArrayList<>(plan.findings());
        ChainFindings.report(plan, proof, findings);
        return new ChainResult(plan, proof.verdict(), proof.multicast(), List.of(), findings);
    }

    private static EngineContext context(
            Subnet subnet,
            RoutingOptions options,
            Member member,
            @Nullable Plan active,
            EarlierFacts remembered,
            @Nullable Plan similar) {
        return new EngineContext(
                        subnet, options, member.config(), active, remembered.places(), remembered.tree(), similar)
                .withoutVPortLids();
    }

    static DeadlockChecker.Proof proofOf(
            DeadlockChecker checker, Plan plan, RoutingOptions options, @Nullable Certificate previousProof) {
        return IncrementalProof.prove(checker, plan, options, previousProof, TreeGrowth::candidates);
    }

    /** A plan and the result of its check. */
    private record CheckedPlan(Plan plan, DeadlockChecker.Proof proof) {}

    /**
     * Proves a plan. If each multicast tree closes a credit loop with it, proves the variant with room for multicast.
     */
    private CheckedPlan proveRouted(Plan plan, RoutingOptions options, @Nullable Certificate previousProof) {
        DeadlockChecker.Proof proof = proofOf(checker, plan, options, previousProof);
        if (proof.verdict() instanceof Certificate && proof.multicast() == null) {
            Plan variant = plan.withRoomForMulticast().orElse(plan);
            DeadlockChecker.Proof second = variant == plan ? proof : proofOf(checker, variant, options, previousProof);
            if (second.verdict() instanceof Certificate && second.multicast() != null) {
                return new CheckedPlan(variant, second);
            }
        }
        return new CheckedPlan(plan, proof);
    }

    static ChainResult refusedResult(List<Refusal> refusals, List<Finding> findings) {
        return new ChainResult(null, null, null, refusals, findings);
    }

    /**
     * Returns the order in which the tables of an accepted plan may replace those of the switches: any order if the
     * plan itself has no certificate.
     *
     * @param previousPlan the active plan; null if unknown
     */
    public Transition transition(
            HeldTables held, @Nullable Plan previousPlan, ChainResult result, RoutingOptions options) {
        Plan plan = result.plan();
        return plan == null ? Transition.FREE : transition(held, previousPlan, plan, result.verdict(), options);
    }

    /** Proves retained routes for the current subnet; see {@link DeadlockChecker#proveRetained}. */
    public DeadlockChecker.Proof prove(Plan retained, RoutingOptions options) {
        return checker.proveRetained(retained, options, TreeGrowth::candidates);
    }

    /** Returns the order in which the tables of a plan with a verdict may replace those of the switches. */
    public Transition transition(
            HeldTables held,
            @Nullable Plan previousPlan,
            Plan plan,
            @Nullable Verdict verdict,
            RoutingOptions options) {
        return verdict instanceof Certificate certificate
                ? new TransitionPlanner(held, previousPlan, plan, certificate, options, checker.tasks()).find()
                : Transition.FREE;
    }

    private boolean isAcceptable(Plan plan, Verdict verdict) {
        return verdict instanceof Certificate
                || (verdict instanceof Cycle
                        && policy.onCreditLoop() == OnCreditLoop.WARN
                        && !plan.claimsDeadlockFree());
    }
}
