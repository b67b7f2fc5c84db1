package io.torussm.deadlock.chain;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain.Asked;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.growth.LastResort;
import io.torussm.deadlock.incremental.IncrementalProof;
import io.torussm.event.Finding;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The completion of parts of a plan by the last resort, with a proof. Pure. */
final class LastResortCompletion {
    private final DeadlockChecker checker;
    private final int engines;

    /** @param engines number of engines of the chain */
    LastResortCompletion(DeadlockChecker checker, int engines) {
        this.checker = checker;
        this.engines = engines;
    }

    /** Completes the first part among the refusals that has a proof then; a refusal if there is none. */
    ChainResult ofRefused(List<Refusal> refusals, List<Finding> findings, Asked asked) {
        for (int i = 0; i < refusals.size(); i++) {
            ChainResult result = completed(refusals, i, findings, asked);
            if (result != null) {
                return result;
            }
        }
        return RoutingChain.refused(refusals, findings);
    }

    /** Adds routes to and from switches that an engine leaves out; null if there are none, or without a proof. */
    @Nullable
    ChainResult ofLeftOut(Plan routed, List<Refusal> refusals, List<Finding> found, Asked asked) {
        Refusal leftOut = routed.leftOut().orElse(null);
        if (leftOut == null) {
            return null;
        }
        List<Refusal> all = new ArrayList<>(refusals);
        all.add(leftOut);
        List<Finding> findings = new ArrayList<>(found);
        findings.addAll(routed.findings());
        findings.addAll(leftOut.findings());
        return completed(all, refusals.size(), findings, asked);
    }

    private @Nullable ChainResult completed(List<Refusal> refusals, int i, List<Finding> findings, Asked asked) {
        Plan partial = refusals.get(i).partial();
        if (partial == null) {
            return null;
        }
        DeadlockChecker.TrafficSource known = IncrementalProof.source(asked.options(), asked.before(), checker.tasks());
        LastResort resort = new LastResort(
                partial, refusals.get(i).reason(), asked.standing(), asked.options(), known, checker.tasks());
        Plan plan = resort.completed();
        DeadlockChecker.Proof proof = RoutingChain.proofOf(checker, plan, asked.options(), asked.before());
        if (!(proof.verdict() instanceof Certificate)) {
            plan = resort.upDown();
            proof = RoutingChain.proofOf(checker, plan, asked.options(), asked.before());
        }
        if (!(proof.verdict() instanceof Certificate)) {
            return null;
        }
        ChainFindings.reportFallback(plan, refusals.subList(0, i), engines, findings);
        ChainFindings.report(plan, proof, findings);
        return new ChainResult(plan, proof.verdict(), proof.multicast(), refusals, findings);
    }
}
