package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.sl.SlStability;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Degradation;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The changes that the files of engines would make to the active routes.
 *
 * @param engine engine that would route; empty if all engines refuse the fabric
 * @param degraded cost of a last resort; empty without a last resort
 * @param problems reasons why there are no routes or a file is not used; empty without problems
 * @param verdict verdict of the deadlock check, in words
 * @param changedSls number of paths whose SL would change; normally 0
 * @param changedEntries number of forwarding entries, of {@code entries}, that would change
 * @param changedSwitches number of switches with such entries
 * @param changes changes in the terms of the engine, and changes of SLs
 */
record RoutingPreview(
        String engine,
        String degraded,
        List<String> problems,
        List<String> verdict,
        long changedSls,
        long changedEntries,
        long entries,
        int changedSwitches,
        List<String> changes)
        implements Facts {
    private static final int MAX_LINES = 40;

    /** Computes routes for the published subnet without programming them. */
    static Answer of(PublishedView view, RoutingChain engines, RoutingOptions options) {
        Plan previousPlan = view.plan().asRouted();
        RoutingChain.ChainResult result =
                engines.route(view.subnet(), options, previousPlan, EarlierFacts.of(previousPlan));
        Plan plan = result.plan();
        List<String> problems = result.findings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::text)
                .limit(MAX_LINES)
                .toList();
        if (plan == null || result.verdict() == null) {
            return new Answer(new RoutingPreview("", "", problems, List.of(), 0, 0, 0, 0, List.of()), false);
        }
        SlStability sls = SlStability.compare(previousPlan, plan);
        Entries entries = Entries.of(previousPlan, plan);
        List<String> changes = Stream.concat(
                        plan.explainer().changesSince(previousPlan.explainer()).stream(), sls.findings().stream())
                .map(Finding::text)
                .limit(MAX_LINES)
                .toList();
        RoutingPreview preview = new RoutingPreview(
                plan.engine(),
                plan.degradation().map(Degradation::summary).orElse(""),
                problems,
                result.verdict().text().lines().toList(),
                sls.changedPaths(),
                entries.changed,
                entries.all,
                entries.switches,
                changes);
        return new Answer(preview, problems.isEmpty());
    }

    /** The result of a comparison of forwarding entries. */
    private record Entries(long changed, long all, int switches) {
        static Entries of(Plan previousPlan, Plan after) {
            Fabric fabric = after.subnet().fabric();
            long changed = 0;
            long all = 0;
            int switches = 0;
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                int oldSwitch = previousPlan.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw));
                byte[] oldTable = oldSwitch == Fabric.NONE ? new byte[0] : previousPlan.lft(oldSwitch);
                byte[] newTable = after.lft(sw);
                long differences = 0;
                for (int lid = 0; lid < newTable.length; lid++) {
                    differences += lid >= oldTable.length || oldTable[lid] != newTable[lid] ? 1 : 0;
                }
                all += newTable.length;
                changed += differences;
                switches += differences > 0 ? 1 : 0;
            }
            return new Entries(changed, all, switches);
        }
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        problems.forEach(problem -> lines.add("error: " + problem));
        if (engine.isEmpty()) {
            lines.add("no engine would route the subnet; the active routes would stay");
            return lines;
        }
        lines.add(engine + " would route the subnet" + (degraded.isEmpty() ? "" : ", DEGRADED: " + degraded));
        lines.addAll(verdict);
        lines.add("SLs that would change: " + changedSls + (changedSls == 0 ? "" : " paths"));
        lines.add("forwarding entries that would change: " + changedEntries + " of " + entries + ", in "
                + changedSwitches + " switches");
        changes.forEach(change -> lines.add("  " + change));
        if (problems.isEmpty()) {
            lines.add("nothing was changed; reroute makes this active, and so does the next heavy sweep");
        }
        return lines;
    }
}
