package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.EndportNames;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.PortFacts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.console.sm.RoutingCommands;
import io.torussm.daemon.control.FabricSize;
import io.torussm.daemon.control.MomentParser;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SubnetStatus;
import io.torussm.daemon.journal.SweepHistory.Sweep;
import io.torussm.fabric.Fabric;
import io.torussm.history.Change;
import io.torussm.history.PastState;
import io.torussm.history.StateDifference;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.names.SiteMap;
import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.subnet.Subnet;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The commands for changes by sweeps and for previous states. */
public final class ChangeCommands {
    private static final String COMMITTED = "committed";
    private static final int CHANGES_SHOWN = 5;
    private static final int COMMITTED_SHOWN = 20;
    private static final int MAX_SHOWN = 100;
    private static final int MAX_NAME = 120;
    private final SmControl control;
    private final Supplier<Instant> clock;

    private record Changes(long slChanges, List<Sweep> sweeps) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            sweeps.forEach(sweep -> RoutingCommands.lines(sweep).forEach(lines::add));
            if (sweeps.isEmpty()) {
                lines.add("no sweep has ended yet");
            }
            lines.add("SL changes: " + slChanges);
            return lines;
        }
    }

    /** @param also for each change, text on parts that have no column; may be empty */
    private record Committed(List<Change> changes, List<String> also) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable(
                    "sweep", "time", "routing", "nodes", "cables", "switches", "entries", "SLs", "rings", "");
            for (int i = 0; i < changes.size(); i++) {
                Change change = changes.get(i);
                Change.Counts counts = change.counts();
                table.row(
                        change.sweep(),
                        change.at(),
                        change.routing(),
                        signed(counts.nodesAdded(), counts.nodesRemoved()),
                        signed(counts.cablesAdded(), counts.cablesRemoved()),
                        counts.switches(),
                        counts.entries(),
                        counts.sls(),
                        counts.rings(),
                        also.get(i));
            }
            return changes.isEmpty() ? List.of("nothing is kept") : table.lines();
        }

        private static String signed(int more, int less) {
            return (more == 0 ? "" : "+" + more) + (less == 0 ? "" : (more == 0 ? "" : " ") + "-" + less);
        }
    }

    /** A previous state. */
    private record Past(
            Change change,
            SubnetStatus.Routing routing,
            FabricSize size,
            List<Ring> rings,
            List<Missing> missing,
            List<String> conditions)
            implements Facts {
        static Past of(PastState past) {
            SubnetStatus.Routing routing = SubnetStatus.Routing.of(past.state());
            return new Past(
                    past.change(),
                    new SubnetStatus.Routing(routing.state(), past.reason(), routing.since(), ""),
                    FabricSize.of(past.view().subnet()),
                    past.rings().stream()
                            .filter(ring -> ring.state() != RingState.WHOLE)
                            .toList(),
                    past.state().absences().cables().stream().map(Missing::of).toList(),
                    past.conditions());
        }

        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("sweep " + change.sweep() + ", since " + change.at() + ", routes of " + change.engine());
            lines.add("routing: " + routing.text());
            lines.add(size.switches() + " switches, " + size.hostPorts() + " host ports, " + size.links() + " links, "
                    + size.lids() + " LIDs");
            list(
                    "rings that were not whole",
                    rings,
                    ring -> ring.name() + " " + ring.state() + ": " + String.join("; ", ring.causes()),
                    lines);
            list("missing cables", missing, each -> each.from() + " - " + each.to(), lines);
            list("conditions", conditions, each -> each, lines);
            return lines;
        }
    }

    private record Missing(String from, String to) {
        static Missing of(LostCable cable) {
            return new Missing(
                    Printable.text(cable.near().text(), MAX_NAME),
                    Printable.text(cable.far().text(), MAX_NAME));
        }
    }

    private record Entry(int lid, int port, String destination, String next) {}

    /** A forwarding table. */
    private record Table(Change change, String name, List<Entry> entries) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(name + " as of sweep " + change.sweep() + ", since " + change.at());
            TextTable table = new TextTable("LID", "port", "of", "to");
            entries.forEach(entry -> table.row(entry.lid(), entry.port(), entry.destination(), entry.next()));
            lines.addAll(table.lines());
            return lines;
        }
    }

    /** The difference of two states. */
    private record Difference(StateDifference difference) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            Change previous = difference.before();
            Change after = difference.after();
            lines.add("from sweep " + previous.sweep() + " (" + previous.at() + ") to sweep " + after.sweep() + " ("
                    + after.at() + ")");
            if (difference.isNone()) {
                lines.add("nothing differs");
                return lines;
            }
            changed("routing", previous.routing(), after.routing(), lines);
            changed("engine", previous.engine(), after.engine(), lines);
            list(
                    "nodes",
                    difference.nodes(),
                    each -> sign(each.kind()) + each.name() + " " + each.guid()
                            + (each.was().isEmpty() ? "" : ", was " + each.was()),
                    lines);
            list("cables", difference.cables(), each -> sign(each.kind()) + each.near() + " - " + each.far(), lines);
            var links = difference.links();
            list("links", links, each -> each.port() + ": " + each.before() + " -> " + each.after(), lines);
            list("LIDs", difference.lids(), each -> each.port() + ": " + each.before() + " -> " + each.after(), lines);
            String tables = "forwarding tables, " + difference.entries() + " entries";
            list(tables, difference.tables(), Difference::table, lines);
            if (difference.sls() > 0) {
                lines.add("SLs of paths, by switch and LID: " + difference.sls());
            }
            if (difference.sl2vl() > 0) {
                lines.add("nodes whose SL2VL tables changed: " + difference.sl2vl());
            }
            list(
                    "rings",
                    difference.rings(),
                    each -> each.name() + ": " + each.before() + " -> " + each.after()
                            + (each.causes().isEmpty() ? "" : ", " + String.join("; ", each.causes())),
                    lines);
            list("conditions that began", difference.begun(), each -> each, lines);
            list("conditions that ended", difference.ended(), each -> each, lines);
            return lines;
        }

        private static void changed(String label, Object previous, Object after, List<String> lines) {
            if (!previous.equals(after)) {
                lines.add(label + ": " + previous + " -> " + after);
            }
        }

        private static String sign(StateDifference.ChangeType kind) {
            return switch (kind) {
                case ADDED -> "+ ";
                case REMOVED -> "- ";
                case CHANGED -> "  ";
            };
        }

        private static String table(StateDifference.TableChange table) {
            List<String> first = table.first().stream()
                    .limit(CHANGES_SHOWN)
                    .map(entry -> entry.lid() + ": " + port(entry.before()) + " -> " + port(entry.after()))
                    .toList();
            return table.name() + ", " + table.entries() + " entries: LID " + String.join(", ", first)
                    + (table.entries() > first.size() ? ", .." : "");
        }

        private static String port(int port) {
            return port == LinearForwardingTable.NO_PATH ? "none" : String.valueOf(port);
        }
    }

    private static <T> void list(String label, List<T> all, Function<T, String> text, List<String> lines) {
        if (!all.isEmpty()) {
            lines.add(label + ": " + all.size());
            all.stream()
                    .limit(MAX_SHOWN)
                    .map(each -> "  " + Printable.text(text.apply(each), 4 * MAX_NAME))
                    .forEach(lines::add);
            if (all.size() > MAX_SHOWN) {
                lines.add("  and " + (all.size() - MAX_SHOWN) + " more; --json has all");
            }
        }
    }

    /** @param now the time of day */
    public ChangeCommands(SmControl control, Supplier<Instant> now) {
        this.control = control;
        this.clock = now;
    }

    public List<Command> commands() {
        return List.of(
                Command.query(
                        "changes [committed] [COUNT]",
                        "findings and changes of the last sweeps, with the number of changed SLs (0)",
                        this::changes,
                        "committed: the size of each change of the subnet, over restarts too, with the numbers of"
                                + " sweeps",
                        "for show and diff."),
                Command.query(
                        "diff SWEEP [SWEEP]",
                        "how two states of the subnet differ, or one and the newest: nodes, cables, LIDs, tables, SLs,"
                                + " rings",
                        this::diff,
                        "SWEEP is " + MomentParser.SYNTAX + "."),
                Command.query(
                        "show SWEEP [path SRC DST [LEVEL|both]|lft SWITCH]",
                        "the routes of a sweep or a time; or a path hop by hop, or a forwarding table, at that time",
                        this::show,
                        "SWEEP is " + MomentParser.SYNTAX + ".",
                        "Names, places and tables are of that time. changes committed lists the kept states."));
    }

    private Answer changes(List<String> arguments) {
        List<String> words = new ArrayList<>(arguments);
        boolean isCommitted = words.remove(COMMITTED);
        int count = isCommitted ? COMMITTED_SHOWN : CHANGES_SHOWN;
        if (words.size() == 1 && words.get(0).matches("[1-9]\\d{0,4}")) {
            count = Integer.parseInt(words.remove(0));
        }
        if (!words.isEmpty()) {
            throw new UsageException("COUNT is a number from 1 to 99999");
        }
        return Answer.of(
                isCommitted
                        ? committed(control.changes().changes(), count)
                        : new Changes(
                                control.history().slChanges(),
                                lastItems(control.history().sweeps(), count)));
    }

    /** Returns the last changes that an operator may notice. */
    private Committed committed(List<Change> all, int count) {
        List<Change> shown = new ArrayList<>();
        List<String> also = new ArrayList<>();
        for (int i = all.size() - 1; i >= 0 && shown.size() < count; i--) {
            Change change = all.get(i);
            boolean isCounted = !change.counts().equals(Change.Counts.NONE);
            String more = change.isFirst()
                    ? "first since a start"
                    : change.merged() > 0 ? change.merged() + " more in one" : "";
            if (!isCounted && more.isEmpty() && i > 0) {
                more = otherDifferences(all.get(i - 1), change);
            }
            if (isCounted || !more.isEmpty()) {
                shown.add(0, change);
                also.add(0, more);
            }
        }
        return new Committed(shown, also);
    }

    /** Returns a text on the differences that have no column; empty if no operator would notice them. */
    private String otherDifferences(Change previous, Change after) {
        List<String> parts = new ArrayList<>();
        if (previous.routing() != after.routing()) {
            parts.add("was " + previous.routing());
        }
        try {
            StateDifference difference = control.changes().difference(previous, after);
            if (!difference.begun().isEmpty() || !difference.ended().isEmpty()) {
                parts.add("conditions: " + difference.begun().size() + " began, "
                        + difference.ended().size() + " ended");
            }
            count(difference.links().size(), " links of another speed", parts);
            count(difference.lids().size(), " LIDs", parts);
            count(difference.sl2vl(), " SL2VL tables", parts);
        } catch (IOException e) {
            parts.add("cannot be read: " + e.getMessage());
        }
        return String.join("; ", parts);
    }

    private static void count(int count, String noun, List<String> parts) {
        if (count > 0) {
            parts.add(count + noun);
        }
    }

    private static <T> List<T> lastItems(List<T> all, int count) {
        return all.subList(Math.max(0, all.size() - count), all.size());
    }

    /** A function from a stored change to an answer. */
    private interface ChangeFunction {
        Answer of(Change change) throws IOException;
    }

    private Answer answerAt(String word, ChangeFunction use) {
        PublishedView view = control.view();
        Optional<String> unknown =
                MomentParser.futureSweepError(control.changes(), word, view == null ? 0 : view.sweep());
        if (unknown.isPresent()) {
            return Answer.refusal(unknown.get());
        }
        Optional<Change> change;
        try {
            change = MomentParser.find(control.changes(), word, clock.get());
        } catch (DateTimeException e) {
            throw new UsageException("SWEEP is " + MomentParser.SYNTAX);
        }
        if (change.isEmpty()) {
            return Answer.refusal("nothing is kept of that time; see changes committed");
        }
        try {
            return use.of(change.get());
        } catch (IOException e) {
            return Answer.refusal("sweep " + change.get().sweep() + " cannot be shown: " + e.getMessage());
        }
    }

    private Answer diff(List<String> arguments) {
        if (arguments.isEmpty() || arguments.size() > 2) {
            throw new UsageException();
        }
        return answerAt(arguments.get(0), previous -> {
            if (arguments.size() == 2) {
                return answerAt(arguments.get(1), after -> difference(previous, after));
            }
            List<Change> all = control.changes().changes();
            return difference(previous, all.get(all.size() - 1));
        });
    }

    private Answer difference(Change previous, Change after) throws IOException {
        return Answer.of(new Difference(control.changes().difference(previous, after)));
    }

    private Answer show(List<String> arguments) {
        String verb = arguments.size() > 1 ? arguments.get(1) : "";
        boolean isPath = verb.equals("path") && (arguments.size() == 4 || arguments.size() == 5);
        boolean isTable = verb.equals("lft") && arguments.size() == 3;
        if (arguments.size() != 1 && !isPath && !isTable) {
            throw new UsageException();
        }
        int[] levels = ExplainPath.levels(arguments.size() == 5 ? arguments.get(4) : "0");
        if (levels.length == 0) {
            throw new UsageException("LEVEL is a number from 0 to 15, or both");
        }
        return answerAt(arguments.get(0), change -> {
            PastState past = control.changes().state(change, sites());
            return isPath
                    ? path(past, arguments.get(2), arguments.get(3), levels)
                    : isTable ? table(past, arguments.get(2)) : Answer.of(Past.of(past));
        });
    }

    /** Returns the current positions of nodes in the machine room. */
    private SiteMap sites() {
        PlacedSubnet seen = control.state().visibleSubnet();
        return seen == null ? SiteMap.NONE : seen.fabric().names().sites();
    }

    private static Answer path(PastState past, String from, String to, int... levels) {
        ExplainPath.Explanation path = new ExplainPath(past.view(), past.state(), null).explain(from, to, levels);
        boolean areKnown = path.from() != null && path.to() != null;
        return areKnown ? new Answer(path, path.isGood()) : Answer.refusal(String.join("; ", path.notes()));
    }

    private static Answer table(PastState past, String name) {
        PlacedSubnet placed = past.view().placed();
        Subnet subnet = placed.subnet();
        Fabric fabric = placed.fabric();
        EndportNames.Node found = new EndportNames(placed).node(name);
        if (found.node() == Fabric.NONE || !fabric.isSwitch(found.node())) {
            return Answer.refusal(
                    found.node() == Fabric.NONE
                            ? found.problem()
                            : PortFacts.name(fabric, found.node()) + " is no switch");
        }
        byte[] lft = past.view().plan().lft(found.node());
        List<Entry> entries = new ArrayList<>();
        for (int lid = 1; lid < lft.length; lid++) {
            int port = lft[lid] & 0xff;
            if (port != LinearForwardingTable.NO_PATH) {
                int owner = subnet.portOfLid(lid);
                entries.add(new Entry(lid, port, device(placed, owner), next(placed, found.node(), port)));
            }
        }
        return Answer.of(new Table(past.change(), device(placed, fabric.port(found.node(), 0)), entries));
    }

    private static String next(PlacedSubnet placed, int sw, int portNum) {
        Fabric fabric = placed.fabric();
        return portNum == 0 || portNum > fabric.numPorts(sw)
                ? ""
                : device(placed, fabric.peer(fabric.port(sw, portNum)));
    }

    private static String device(PlacedSubnet placed, int port) {
        if (port == Fabric.NONE) {
            return "";
        }
        int node = placed.fabric().nodeOf(port);
        return (placed.place(node) + " " + PortFacts.name(placed.fabric(), node)).strip();
    }
}
