package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.tree.FabricTree;
import io.torussm.tree.TreeReport;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.ShapeText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The command that shows a fat tree: its levels, leaves, wrong cables and missing uplinks. */
public final class TreeCommand {
    private static final String DRAW = "--draw";

    /** Number of leaves that are named if several are alike. */
    private static final int MAX_NAMED_LEAVES = 4;

    private final SmControl control;

    private record Level(int level, String name, int switches, int cablesUp) {}

    /**
     * A leaf, or another switch with cables up.
     *
     * @param level level of the switch; 0 for leaves
     * @param group number of the group, from 0; switches of one group are connected without spines
     * @param hosts number of hosts
     * @param uplinks number of cables up
     * @param missing number of uplinks that are absent, compared with similar switches
     * @param oversubscription ratio of cables down to cables up
     */
    private record Switch(
            String guid,
            String name,
            String place,
            int level,
            int group,
            int hosts,
            int uplinks,
            int missing,
            double oversubscription) {
        private String kind() {
            String up = missing == 0 ? uplinks + " uplinks" : uplinks + " of " + (uplinks + missing) + " uplinks";
            return hosts + " hosts, " + up
                    + (uplinks == 0 ? "" : String.format(Locale.ROOT, ", %.2f to 1", oversubscription));
        }
    }

    /**
     * A tree. For another fabric {@code summary} is its shape, and the lists are empty.
     *
     * @param shape name of the shape
     * @param summary description of the tree
     * @param confidence share of cables and hosts that agree with the levels, 0 to 1
     * @param levels levels of the tree
     * @param groups number of groups that only spines connect
     * @param switches switches with their cables
     * @param wrongCables findings about cables that do not fit
     * @param missingUplinks findings about uplinks that are missing
     * @param hostsAbove findings about hosts at switches that are no leaves
     * @param drawing lines of the drawing; empty if it was not requested
     */
    private record Tree(
            String shape,
            String summary,
            double confidence,
            List<Level> levels,
            int groups,
            List<Switch> switches,
            List<String> wrongCables,
            List<String> missingUplinks,
            List<String> hostsAbove,
            List<String> drawing)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("tree: " + summary);
            if (levels.isEmpty()) {
                return lines;
            }
            for (Level each : levels) {
                lines.add("level " + each.level() + ": " + each.switches() + " switches (" + each.name() + "), "
                        + each.cablesUp() + " cables up");
            }
            if (levels.size() > 2) {
                lines.add("groups that spines connect: " + groups);
            }
            leaves(lines);
            list("wrong cables", wrongCables, lines);
            list("missing uplinks", missingUplinks, lines);
            list("hosts above the leaves", hostsAbove, lines);
            lines.addAll(drawing);
            return lines;
        }

        private void leaves(List<String> lines) {
            Map<String, List<String>> alike = new LinkedHashMap<>();
            switches.stream().filter(each -> each.level() == 0).forEach(each -> alike.computeIfAbsent(
                            each.kind(), any -> new ArrayList<>())
                    .add(each.name()));
            lines.add("leaves:");
            alike.forEach((kind, names) -> lines.add("  " + names.size() + " with " + kind + ": "
                    + String.join(" ", names.subList(0, Math.min(MAX_NAMED_LEAVES, names.size())))
                    + (names.size() > MAX_NAMED_LEAVES ? " .." : "")));
        }

        private static void list(String label, List<String> found, List<String> lines) {
            lines.add(label + ": " + (found.isEmpty() ? "none" : found.size()));
            found.forEach(each -> lines.add("  " + each));
        }
    }

    public TreeCommand(SmControl control) {
        this.control = control;
    }

    public Command command() {
        return Command.query(
                "tree [--draw]",
                "levels, groups, uplinks and oversubscription of a fat tree, and its wrong and missing cables",
                this::tree,
                "Level 0 is that of the leaves. A cable is missing if most switches like one have it.",
                "--draw draws the levels, spines first: ! marks a switch with a wrong cable, - one that lacks"
                        + " uplinks.");
    }

    private Answer tree(List<String> arguments) {
        boolean isDrawn = arguments.equals(List.of(DRAW));
        if (!isDrawn && !arguments.isEmpty()) {
            throw new UsageException();
        }
        FabricState state = control.state();
        return Answer.ofDiscoveredSubnet(state, found -> Answer.of(tree(found, state.absences(), isDrawn)));
    }

    private static Tree tree(PlacedSubnet found, Absences absences, boolean isDrawn) {
        FabricTree tree = found.treeOrNew();
        TreeReport report = new TreeReport(tree, absences.switches(found.fabric()));
        List<Level> levels = new ArrayList<>();
        List<Switch> switches = new ArrayList<>();
        for (int level = 0; level < tree.levels(); level++) {
            int[] row = tree.switchesAt(level);
            int up = Arrays.stream(row).map(tree::uplinks).sum();
            levels.add(new Level(level, tree.levelName(level), row.length, up));
            if (level == 0 || level < tree.levels() - 1) {
                Arrays.stream(row).forEach(sw -> switches.add(toSwitch(tree, sw)));
            }
        }
        return new Tree(
                tree.shape().name().toLowerCase(Locale.ROOT),
                tree.isTree()
                        ? Printable.text(report.summary(), 200)
                        : "none; the fabric is " + ShapeText.of(found, absences),
                tree.confidence(),
                levels,
                tree.groups(),
                switches,
                printable(report.findings().stream().map(each -> each.text()).toList()),
                printable(report.missing()),
                printable(report.hostsAbove()),
                isDrawn ? new TreeDrawing(tree).lines() : List.of());
    }

    private static List<String> printable(List<String> lines) {
        return lines.stream().map(line -> Printable.text(line, 500)).toList();
    }

    private static Switch toSwitch(FabricTree tree, int sw) {
        Fabric fabric = tree.fabric();
        double over = tree.oversubscription(sw);
        return new Switch(
                Guid.format(fabric.nodeGuid(sw)),
                Printable.text(fabric.nodeName(sw), 64),
                tree.place(sw),
                tree.level(sw),
                tree.group(sw),
                tree.hosts(sw),
                tree.uplinks(sw),
                tree.missingUplinks(sw),
                Double.isFinite(over) ? over : 0);
    }
}
