package io.torussm.deadlock.chain;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain.ChainInput;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.growth.LastResort;
import io.torussm.deadlock.incremental.IncrementalProof;
import io.torussm.event.Finding;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The completion of partial plans by the last resort, with a proof. Immutable; the methods are pure. */
final class LastResortCompletion {
    private final DeadlockChecker checker;
    private final int engines;

    /**
     * Creates a completion.
     *
     * @param engines number of engines of the chain
     */
    LastResortCompletion(DeadlockChecker checker, int engines) {
        this.checker = checker;
        this.engines = engines;
    }

    /**
     * Completes the partial plans of refusals until a completed plan has a proof.
     *
     * @param findings receives the findings of the completion
     * @return the completed plan; a refusal if no completed plan has a proof
     */
    ChainResult completeRefused(List<Refusal> refusals, List<Finding> findings, ChainInput input) {
        for (int i = 0; i < refusals.size(); i++) {
            ChainResult result = complete(refusals, i, findings, input);
            if (result != null) {
                return result;
            }
        }
        return RoutingChain.refusedResult(refusals, findings);
    }

    /**
     * Completes a plan whose engine left out connected switches.
     *
     * @param refusals refusals of preceding engines
     * @param found findings of preceding engines
     * @return null if the engine left out no switch, or if no completed plan has a proof
     */
    @Nullable
    ChainResult completeLeftOut(Plan routed, List<Refusal> refusals, List<Finding> found, ChainInput input) {
        Refusal leftOut = routed.partialRefusal().orElse(null);
        if (leftOut == null) {
            return null;
        }
        List<Refusal> all = new ArrayList<>(refusals);
        all.add(leftOut);
        List<Finding> findings = new ArrayList<>(found);
        findings.addAll(routed.findings());
        findings.addAll(leftOut.findings());
        return complete(all, refusals.size(), findings, input);
    }

    private @Nullable ChainResult complete(List<Refusal> refusals, int i, List<Finding> findings, ChainInput input) {
        Plan proved = refusals.get(i).partialPlan();
        if (proved == null) {
            return null;
        }
        DeadlockChecker.TrafficSource known =
                IncrementalProof.source(input.options(), input.previousProof(), checker.tasks());
        Plan active = input.active();
        LastResort resort = new LastResort(
                proved.withoutVPortLids(),
                refusals.get(i).reason(),
                active == null ? null : active.withoutVPortLids(),
                input.options(),
                known,
                checker.tasks());
        Plan plan = resort.complete().with(input.subnet().vportLids());
        DeadlockChecker.Proof proof = RoutingChain.proofOf(checker, plan, input.options(), input.previousProof());
        if (!(proof.verdict() instanceof Certificate)) {
            plan = resort.upDown().with(input.subnet().vportLids());
            proof = RoutingChain.proofOf(checker, plan, input.options(), input.previousProof());
        }
        if (!(proof.verdict() instanceof Certificate)) {
            return null;
        }
        ChainFindings.reportFallback(plan, refusals.subList(0, i), engines, findings);
        ChainFindings.report(plan, proof, findings);
        return new ChainResult(plan, proof.verdict(), proof.multicast(), refusals, findings);
    }
}
