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
 * The chain of engines that the operator named. They run in order until one has a plan that passes its check.
 *
 * <p>If all refuse, the last resort completes the part that one of them could route ({@link LastResort}). If there is
 * no such part, the chain refuses, and the switches keep their tables. On a fabric without tables to keep, the default
 * engine follows ({@link #orByDefault}). With {@code no_fallback} among the names nothing follows.
 */
public final class RoutingChain {
    private final List<Member> members;
    private final DeadlockChecker checker;
    private final Policy policy;
    private final LastResortCompletion completion;

    /** The default engine; null if none follows. */
    private final @Nullable Member byDefault;

    /**
     * The policy for the case that no engine has a plan that passes its check.
     *
     * @param hasLastResort whether the part that an engine could route is completed if all refuse
     * @param onCreditLoop the action on tables with a credit loop
     * @param onSwitchPortLoop the action if hosts and groups alone close no credit loop
     */
    public record Policy(boolean hasLastResort, OnCreditLoop onCreditLoop, OnCreditLoop onSwitchPortLoop) {
        /** Plans of engines with a proof only. */
        public static final Policy STRICT = new Policy(false, OnCreditLoop.REFUSE);

        /** Creates a policy that requires the proof for switch ports as well. */
        public Policy(boolean hasLastResort, OnCreditLoop onCreditLoop) {
            this(hasLastResort, onCreditLoop, OnCreditLoop.REFUSE);
        }

        /** Returns the policy of {@code routing_engine}: no last resort if {@link EngineNames#NO_FALLBACK} is among
         * the names. */
        public static Policy of(String names, OnCreditLoop onCreditLoop, OnCreditLoop onSwitchPortLoop) {
            return new Policy(!EngineNames.hasNoFallback(names), onCreditLoop, onSwitchPortLoop);
        }
    }

    /** An engine and its settings. */
    public record Member(Engine engine, EngineConfig config) {}

    /**
     * The result of a chain.
     *
     * @param plan the plan to program; null if the chain refuses
     * @param verdict the check of that plan: a {@link Certificate}, or a {@link Cycle} if its engine does not
     *     claim to be free of credit loops
     * @param multicast the tree for multicast that was proved together with the plan, or that belongs to an
     *     accepted plan with a credit loop; null if there is none
     * @param refusals of the engines that refused, in order
     * @param findings all findings for the operator, in order; each once, though several engines may have it
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

        /** Returns this result with more findings. */
        public ChainResult with(List<Finding> more) {
            List<Finding> all = new ArrayList<>(findings);
            all.addAll(more);
            return new ChainResult(plan, verdict, multicast, refusals, all);
        }

        /**
         * Returns the first part of a plan among the refusals; null if no engine that refused provides SLs and SL2VL.
         */
        public @Nullable Plan partial() {
            return refusals.stream()
                    .map(Refusal::partial)
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
        this(engines, checker, Policy.STRICT);
    }

    /**
     * Creates a chain of engines without settings.
     *
     * @throws IllegalArgumentException if there is no engine
     */
    public RoutingChain(List<Engine> engines, DeadlockChecker checker, Policy policy) {
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
    public RoutingChain(DeadlockChecker checker, List<Member> members, Policy policy) {
        this(checker, members, policy, null);
    }

    /**
     * Creates a chain of engines with settings and a default engine.
     *
     * @param byDefault the engine for a fabric without tables to keep if all members refuse; null if there is
     *     none. It follows only if the policy has a last resort and it is no member
     * @throws IllegalArgumentException if there is no member
     */
    public RoutingChain(DeadlockChecker checker, List<Member> members, Policy policy, @Nullable Member byDefault) {
        this.policy = policy;
        String name = byDefault == null ? "" : byDefault.engine().name();
        boolean isNamed =
                members.stream().anyMatch(member -> member.engine().name().equals(name));
        this.byDefault = isNamed || !policy.hasLastResort() ? null : byDefault;
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
     * @param names separated by commas, blanks or tabs; case-sensitive
     * @param known all existing engines
     * @return the engines in order, each with {@link EngineConfig#NONE}
     * @throws IllegalArgumentException if a name is unknown, or if there is none; the message proposes a known one
     */
    public static RoutingChain parse(String names, Collection<? extends Engine> known, DeadlockChecker checker) {
        return new RoutingChain(
                EngineNames.engines(names, known), checker, Policy.of(names, OnCreditLoop.REFUSE, OnCreditLoop.REFUSE));
    }

    /** Returns the GUIDs in {@code root_guid_file} of any engine, also those of absent switches. */
    public Set<Long> roots() {
        return members.stream()
                .flatMap(member -> GuidFile.roots(member.config).lines().stream())
                .map(GuidFile.Line::guid)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the same engines without a default engine, and with the last resort only if it is wanted. */
    public RoutingChain alone(boolean isLastResortWanted) {
        boolean hasLastResort = isLastResortWanted && policy.hasLastResort();
        Policy alone = new Policy(hasLastResort, policy.onCreditLoop(), policy.onSwitchPortLoop());
        return new RoutingChain(checker, members, alone);
    }

    /** Proves the plan of an incremental proof again; returns the difference, empty if there is none. Pure. */
    public String doubts(Certificate proof) {
        return proof.doubts(checker);
    }

    /** Returns coordinates of switches by NodeGUID from the first engine that has any. Pure. */
    public Map<Long, String> places(Fabric fabric) {
        return members.stream()
                .map(member -> member.engine().places(fabric, member.config()))
                .filter(places -> !places.isEmpty())
                .findFirst()
                .orElse(Map.of());
    }

    /** Routes a subnet whose switches have no tables, with the default engine if all others refuse. Pure. */
    public ChainResult route(Subnet subnet, RoutingOptions options) {
        return orByDefault(subnet, options, route(subnet, options, null, EarlierFacts.NONE));
    }

    /** Checks whether a default engine follows if all others refuse and there are no tables to keep. */
    public boolean hasDefault() {
        return byDefault != null;
    }

    /**
     * Runs the default engine if all others refused. Pure, as engines are.
     *
     * @param result of the others for the same subnet
     * @return the same result if one of them accepted, or if there is no default engine
     */
    public ChainResult orByDefault(Subnet subnet, RoutingOptions options, ChainResult result) {
        return byDefault == null || result.isAccepted()
                ? result
                : ask(List.of(byDefault), new Asked(subnet, options, null, EarlierFacts.NONE, null), result);
    }

    /**
     * Runs the engines. Pure, as they are.
     *
     * @param standing the active plan; null if there is none
     * @param remembered facts from before faults
     */
    public ChainResult route(Subnet subnet, RoutingOptions options, @Nullable Plan standing, EarlierFacts remembered) {
        return route(subnet, options, standing, remembered, null);
    }

    /**
     * Runs the engines, with less work if little changed.
     *
     * @param before the proof of an earlier plan, see {@link IncrementalProof#prove}, from which engines may
     *     take over tables, see {@link EngineContext}; null if there is none
     */
    public ChainResult route(
            Subnet subnet,
            RoutingOptions options,
            @Nullable Plan standing,
            EarlierFacts remembered,
            @Nullable Certificate before) {
        Asked asked = new Asked(subnet, options, standing, remembered, before);
        ChainResult result = ask(members, asked, refused(List.of(), List.of()));
        boolean isOfDefault = byDefault != null
                && standing != null
                && standing.engine().equals(byDefault.engine().name());
        return isOfDefault && !result.isAccepted() ? ask(List.of(byDefault), asked, result) : result;
    }

    /** The input of all engines of a run. */
    record Asked(
            Subnet subnet,
            RoutingOptions options,
            @Nullable Plan standing,
            EarlierFacts remembered,
            @Nullable Certificate before) {}

    /** @param earlier the refusals of preceding engines */
    private ChainResult ask(List<Member> engines, Asked asked, ChainResult earlier) {
        RoutingOptions options = asked.options;
        Plan standing = asked.standing;
        Certificate before = asked.before;
        List<Refusal> refusals = new ArrayList<>(earlier.refusals());
        List<Finding> findings = new ArrayList<>(earlier.findings());
        Plan similar = before == null ? null : before.plan();
        for (Member member : engines) {
            RoutingResult result = Unswitched.orBy(
                    member.engine(), context(asked.subnet, options, member, standing, asked.remembered, similar));
            if (result instanceof Plan routed) {
                ChainResult whole =
                        policy.hasLastResort() ? completion.ofLeftOut(routed, refusals, findings, asked) : null;
                if (whole != null) {
                    return whole;
                }
                if (standing != null) {
                    routed.shareTables(standing); // before the proof, which keeps the tables as well
                }
                Proved proved = proveRouted(routed, options, before);
                boolean asksForHosts = proved.proof.verdict() instanceof Cycle
                        && (policy.onSwitchPortLoop() == OnCreditLoop.WARN
                                || !isGoodEnough(routed, proved.proof.verdict()));
                Proved hosts = asksForHosts ? proveRouted(routed.forHostsAlone(), options, before) : proved;
                boolean isFreeForHosts = asksForHosts && hosts.proof.verdict() instanceof Certificate;
                if (isFreeForHosts && policy.onSwitchPortLoop() == OnCreditLoop.WARN) {
                    findings.add(ChainFindings.switchPortLoop(routed, proved.proof.verdict()));
                    proved = hosts;
                }
                Plan plan = proved.plan;
                DeadlockChecker.Proof proof = proved.proof;
                findings.addAll(plan.findings());
                if (isGoodEnough(plan, proof.verdict())) {
                    ChainFindings.reportFallback(plan, refusals, members.size(), findings);
                    ChainFindings.report(plan, proof, findings);
                    return new ChainResult(plan, proof.verdict(), proof.multicast(), refusals, findings);
                }
                result = ChainFindings.failed(plan, proof.verdict(), isFreeForHosts);
            }
            if (result instanceof Refusal refusal) {
                refusals.add(refusal);
                findings.addAll(refusal.findings());
            }
        }
        return policy.hasLastResort() ? completion.ofRefused(refusals, findings, asked) : refused(refusals, findings);
    }

    /**
     * Computes in advance the result of {@link #route} for a subnet after a fault, and the order of its writes. Pure.
     *
     * @param foreseen the subnet without some switch or cable of the active plan
     * @param before the proof that {@code route} will receive
     * @param held the current tables of switches; the order is kept if no SL2VL row changes and all links are up
     * @param isWanted checked in between; if false, the computation ends
     * @return null if there is nothing to keep
     */
    public @Nullable ReadyPlan foresee(
            Subnet foreseen,
            RoutingOptions options,
            Plan standing,
            Certificate before,
            Function<Plan, HeldTables> held,
            BooleanSupplier isWanted) {
        ChainResult result = route(foreseen, options, standing, EarlierFacts.of(standing), before);
        Plan plan = result.plan();
        if (plan == null || !isWanted.getAsBoolean()) {
            return null;
        }
        HeldTables tables = held.apply(plan);
        boolean hasOrder = ReadyPlan.isAsForeseen(tables, standing, foreseen.fabric());
        return ReadyPlan.of(standing, result, hasOrder ? transition(tables, standing, result, options) : null);
    }

    /**
     * Returns the result of {@link #route} if the plan of the first engine equals a plan that was computed in advance.
     * The proof of that is reused. Pure.
     *
     * @param ready the plan that was computed in advance for such a subnet, with all other parameters the same
     * @return null if the engine has another plan
     */
    public @Nullable ChainResult route(
            Subnet subnet,
            RoutingOptions options,
            Plan standing,
            EarlierFacts remembered,
            Certificate before,
            ReadyPlan ready) {
        Member first = members.get(0);
        EngineContext context = context(subnet, options, first, standing, remembered, before.plan());
        if (!(Unswitched.orBy(first.engine(), context) instanceof Plan plan)
                || plan.leftOut().isPresent()) {
            return null;
        }
        plan.shareTables(standing);
        if (!ready.isOf(plan, standing)) {
            return null;
        }
        DeadlockChecker.Proof proof =
                ready.proof(plan, options, () -> proofOf(plan, options, before).verdict());
        List<Finding> findings = new ArrayList<>(plan.findings());
        ChainFindings.report(plan, proof, findings);
        return new ChainResult(plan, proof.verdict(), proof.multicast(), List.of(), findings);
    }

    private static EngineContext context(
            Subnet subnet,
            RoutingOptions options,
            Member member,
            @Nullable Plan standing,
            EarlierFacts remembered,
            @Nullable Plan similar) {
        return new EngineContext(
                subnet, options, member.config(), standing, remembered.places(), remembered.tree(), similar);
    }

    private DeadlockChecker.Proof proofOf(Plan plan, RoutingOptions options, @Nullable Certificate before) {
        return proofOf(checker, plan, options, before);
    }

    static DeadlockChecker.Proof proofOf(
            DeadlockChecker checker, Plan plan, RoutingOptions options, @Nullable Certificate before) {
        return IncrementalProof.prove(checker, plan, options, before, TreeGrowth::candidates);
    }

    private record Proved(Plan plan, DeadlockChecker.Proof proof) {}

    /** Proves a plan. If no tree closes no credit loop with it, proves its variant that leaves room for multicast. */
    private Proved proveRouted(Plan plan, RoutingOptions options, @Nullable Certificate before) {
        DeadlockChecker.Proof proof = proofOf(plan, options, before);
        if (proof.verdict() instanceof Certificate && proof.multicast() == null) {
            Plan other = plan.withRoomForMulticast().orElse(plan);
            DeadlockChecker.Proof second = other == plan ? proof : proofOf(other, options, before);
            if (second.verdict() instanceof Certificate && second.multicast() != null) {
                return new Proved(other, second);
            }
        }
        return new Proved(plan, proof);
    }

    static ChainResult refused(List<Refusal> refusals, List<Finding> findings) {
        return new ChainResult(null, null, null, refusals, findings);
    }

    /**
     * Returns the order in which the tables of an accepted plan may replace those of the switches: any order
     * if the plan itself has no certificate.
     *
     * @param before the active plan; null if none is known
     */
    public Transition transition(HeldTables held, @Nullable Plan before, ChainResult result, RoutingOptions options) {
        Plan plan = result.plan();
        return plan == null ? Transition.FREE : transition(held, before, plan, result.verdict(), options);
    }

    /** Proves retained routes for the current subnet; see {@link DeadlockChecker#proveStanding}. */
    public DeadlockChecker.Proof prove(Plan standing, RoutingOptions options) {
        return checker.proveStanding(standing, options, TreeGrowth::candidates);
    }

    /** Returns the order in which the tables of a plan with a verdict may replace those of the switches. */
    public Transition transition(
            HeldTables held, @Nullable Plan before, Plan plan, @Nullable Verdict verdict, RoutingOptions options) {
        return verdict instanceof Certificate certificate
                ? new TransitionPlanner(held, before, plan, certificate, options, checker.tasks()).find()
                : Transition.FREE;
    }

    private boolean isGoodEnough(Plan plan, Verdict verdict) {
        return verdict instanceof Certificate
                || verdict instanceof Cycle && policy.onCreditLoop() == OnCreditLoop.WARN && !plan.claimsDeadlockFree();
    }
}
