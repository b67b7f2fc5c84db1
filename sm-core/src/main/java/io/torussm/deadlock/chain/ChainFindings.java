package io.torussm.deadlock.chain;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Cycle;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.Verdict;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.Spelling;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The findings of a chain about the plans of its engines. */
final class ChainFindings {
    private ChainFindings() {}

    /** Returns the finding about a credit loop that needs packets from or to ports 0 of switches. */
    static Finding switchPortLoop(Plan plan, Verdict verdict) {
        return SmEvent.SWITCH_PORT_LOOP.finding(
                plan.engine() + ": hosts and groups are free of credit loops, but with packets from and"
                        + " to ports 0 of switches there is one: " + inOneLine(verdict));
    }

    /** Formats a verdict as one line, so that a loop is one event independently of its number of channels. */
    private static String inOneLine(Verdict verdict) {
        String[] lines = verdict.text().split("\\n\\s*", 2);
        return lines.length == 1
                ? lines[0]
                : lines[0] + " " + lines[1].lines().map(String::strip).collect(Collectors.joining("; "));
    }

    /**
     * Replaces the errors of engines that refused by one finding, which names the engine in use and the reason of each
     * refusal. Without refusals, nothing changes.
     *
     * @param plan the plan of the engine in use
     * @param refusals refusals of the preceding engines
     * @param members number of named engines
     * @param findings findings so far, which are changed
     */
    static void reportFallback(Plan plan, List<Refusal> refusals, int members, List<Finding> findings) {
        if (refusals.isEmpty()) {
            return;
        }
        findings.removeIf(finding -> isOfEngineAlone(finding)
                && refusals.stream().anyMatch(refusal -> refusal.findings().contains(finding)));
        String which =
                refusals.size() < members ? Spelling.ordinal(refusals.size() + 1) + " of " + members : "default engine";
        findings.add(SmEvent.FALLBACK_ENGINE.finding(plan.engine() + ", the " + which + ": "
                + refusals.stream()
                        .map(refusal -> refusal.engine() + " refused: " + refusal.reason())
                        .collect(Collectors.joining("; "))));
    }

    private static boolean isOfEngineAlone(Finding finding) {
        return finding.event() == SmEvent.ROUTING_ERROR || finding.event() == SmEvent.TABLES_UNSOUND;
    }

    /** Adds a finding with the verdict on an accepted plan, and one if the multicast tree changed or is missing. */
    static void report(Plan plan, DeadlockChecker.Proof proof, List<Finding> findings) {
        Verdict verdict = proof.verdict();
        if (verdict instanceof Certificate) {
            findings.add(SmEvent.PROOF_DONE.finding(plan.engine() + ": " + verdict.text()));
        } else {
            findings.add(SmEvent.CREDIT_LOOP.finding(plan.engine()
                    + " does not promise freedom from deadlock, and this fabric can deadlock: " + inOneLine(verdict)));
        }
        reportMulticast(plan, proof, findings);
    }

    private static void reportMulticast(Plan plan, DeadlockChecker.Proof proof, List<Finding> findings) {
        MulticastTree tree = proof.multicast();
        if (tree != null && !proof.isPlanned()) {
            String reason = plan.multicastTree().isEmpty()
                    ? "there is no tree of the usual shape"
                    : "the usual tree could close a credit loop together with unicast, or does not reach every switch";
            findings.add(SmEvent.MULTICAST_TREE_CHANGED.finding(
                    "multicast: " + reason + "; another, from ", plan.device(tree.root()), ", is used"));
        } else if (tree == null && plan.multicastRoots().length > 0) {
            findings.add(SmEvent.MULTICAST_TREE_MISSING.finding(
                    "multicast is off: every tree that was tried could close a credit loop together with"
                            + " unicast; unicast is routed, IPoIB and other multicast will not work until the"
                            + " fabric is repaired"));
        }
    }

    /**
     * Returns the refusal of a plan that did not pass its check. The reason is that of the engine for a plan without
     * proof, or a setting that rejects the tables, or a defect of the engine.
     *
     * @param isFreeForHosts whether the tables are free of credit loops without packets from and to ports 0
     */
    static Refusal refusalOf(Plan plan, Verdict verdict, boolean isFreeForHosts) {
        List<Finding> errors = new ArrayList<>(plan.unprovableReasons());
        if (errors.isEmpty() && isFreeForHosts) {
            errors.add(SmEvent.ROUTING_ERROR.finding(
                    "with the tables of " + plan.engine() + " hosts and groups are free of credit loops, but not"
                            + " together with ports 0 of switches; they are not written"
                            + " (on_switch_port_loop = warn would write them)"));
        } else if (errors.isEmpty() && verdict instanceof Cycle && !plan.claimsDeadlockFree()) {
            errors.add(SmEvent.ROUTING_ERROR.finding(plan.engine()
                    + " does not promise freedom from deadlock, and this fabric could deadlock; its tables are not"
                    + " written (on_credit_loop = warn would write them)"));
        } else if (errors.isEmpty()) {
            errors.add(SmEvent.TABLES_UNSOUND.finding(
                    "the tables of " + plan.engine() + " failed their check and are not written; this"
                            + " is a defect of the engine, please report it with the topology"));
        }
        errors.add(SmEvent.TABLES_UNSOUND.finding(inOneLine(verdict)));
        return new Refusal(plan.engine(), errors, verdict instanceof Cycle || plan.claimsDeadlockFree() ? plan : null);
    }
}
