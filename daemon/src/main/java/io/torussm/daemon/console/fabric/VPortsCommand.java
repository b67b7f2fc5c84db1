package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.EndportNames;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.MomentParser;
import io.torussm.daemon.control.SmControl;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.view.PublishedView;
import io.torussm.vport.VPortHistory;
import io.torussm.vport.VPortTable;
import io.torussm.vport.VirtualPort;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The command that lists virtual ports. */
public final class VPortsCommand {
    private static final List<String> STATES = List.of("none", "DOWN", "INITIALIZE", "ARMED", "ACTIVE");

    private final SmControl control;
    private final Supplier<Instant> now;

    /** @param description VNodeDescription; empty if it is unknown */
    private record VPort(
            String name,
            int port,
            int lid,
            int index,
            String guid,
            String nodeGuid,
            String state,
            String description) {}

    private record VPorts(int ports, long vports, long active, List<VPort> list) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("virtual ports: " + vports + ", in ACTIVE: " + active + ", ports that have them: " + ports);
            if (!list.isEmpty()) {
                TextTable table =
                        new TextTable("name", "port", "LID", "vport", "GUID", "virtual node", "state", "description");
                list.forEach(each -> table.row(
                        Printable.text(each.name(), Integer.MAX_VALUE),
                        each.port(),
                        each.lid(),
                        each.index(),
                        each.guid(),
                        each.nodeGuid(),
                        each.state(),
                        Printable.text(each.description(), Integer.MAX_VALUE)));
                lines.addAll(table.lines());
            }
            return lines;
        }
    }

    /**
     * The arrivals and departures of a vport.
     *
     * @param at time of the last one
     * @param change "came" or "went"
     * @param changes number of arrivals and departures
     * @param name name of the device; GUID of the port if it is absent
     * @param port port number; 0 if it is absent
     * @param description last VNodeDescription; empty if it is unknown
     */
    private record VPortChange(
            Instant at,
            String change,
            int changes,
            String name,
            int port,
            int index,
            String guid,
            String description) {}

    private record VPortChanges(List<VPortChange> changes) implements Facts {
        @Override
        public List<String> lines() {
            if (changes.isEmpty()) {
                return List.of("no virtual port has come or gone");
            }
            TextTable table =
                    new TextTable("last change", "", "changes", "name", "port", "vport", "GUID", "description");
            changes.forEach(each -> table.row(
                    each.at(),
                    each.change(),
                    each.changes(),
                    Printable.text(each.name(), Integer.MAX_VALUE),
                    each.port(),
                    each.index(),
                    each.guid(),
                    Printable.text(each.description(), Integer.MAX_VALUE)));
            return table.lines();
        }
    }

    /**
     * A vport at a past moment.
     *
     * @param note empty if it was there for certain
     * @param description last VNodeDescription; empty if it is unknown
     */
    private record PastVPort(String name, int port, int index, String guid, String note, String description) {}

    /** @param unknown ports whose vports are not known of that moment */
    private record PastVPorts(Instant at, List<PastVPort> list, List<String> unknown) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("virtual ports at " + at + ": " + list.size());
            if (!list.isEmpty()) {
                TextTable table = new TextTable("name", "port", "vport", "GUID", "", "description");
                list.forEach(each -> table.row(
                        Printable.text(each.name(), Integer.MAX_VALUE),
                        each.port(),
                        each.index(),
                        each.guid(),
                        each.note(),
                        Printable.text(each.description(), Integer.MAX_VALUE)));
                lines.addAll(table.lines());
            }
            unknown.forEach(port -> lines.add("not known of that moment: " + Printable.text(port, Integer.MAX_VALUE)));
            return lines;
        }
    }

    /**
     * Makes the command on this control.
     *
     * @param now current time, for past moments
     */
    public VPortsCommand(SmControl control, Supplier<Instant> now) {
        this.control = control;
        this.now = now;
    }

    /** Returns the command. */
    public Command command() {
        return Command.query(
                "vports [NODE [TIME]|all|changes]",
                "virtual ports of SR-IOV, as virt_enabled has them: their number, those of NODE or all, or which came"
                        + " and went",
                this::vports,
                "NODE is a node description (in quotes if it has blanks), a GUID, a LID, or the place of a switch,"
                        + " x,y,z.",
                "TIME, such as 09:30 in UTC or -10m, shows those of NODE then, as far as changes has them.");
    }

    private Answer vports(List<String> words) {
        if (words.size() > 2) {
            throw new UsageException();
        }
        Instant at = words.size() == 2 ? time(words.get(1)) : null;
        return Answer.from(control.view(), view -> {
            VPortTable table = control.vports();
            boolean isAll = !words.isEmpty() && words.get(0).equals("all");
            if (words.size() == 1 && words.contains("changes")) {
                return Answer.of(changes(view.subnet().fabric(), table));
            } else if (words.isEmpty() || isAll) {
                return Answer.of(facts(view, table, Fabric.NONE, isAll));
            }
            EndportNames.Node found = new EndportNames(view.placed()).node(words.get(0));
            return found.node() == Fabric.NONE
                    ? Answer.refusal(found.problem())
                    : Answer.of(
                            at != null ? past(view, table, found.node(), at) : facts(view, table, found.node(), true));
        });
    }

    private Instant time(String word) {
        try {
            return MomentParser.time(word, now.get());
        } catch (DateTimeException e) {
            throw new UsageException("TIME is a time (2026-11-25T09:30Z, 09:30; all in UTC), or how long ago (-10m)");
        }
    }

    private static PastVPorts past(PublishedView view, VPortTable table, int node, Instant at) {
        Fabric fabric = view.subnet().fabric();
        List<PastVPort> list = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
            int port = fabric.port(node, portNum);
            long portGuid = fabric.portGuid(port);
            if (fabric.isEndport(port) && view.subnet().lid(port) != 0) {
                List<VPortHistory.PastVPort> past = table.history().at(portGuid, table.of(portGuid), at);
                if (past == null) {
                    unknown.add(fabric.portName(port));
                } else {
                    past.forEach(each -> list.add(new PastVPort(
                            fabric.name(node),
                            fabric.portNum(port),
                            each.index(),
                            Guid.format(each.guid()),
                            each.isCertain() ? "" : "came and went around then",
                            each.name())));
                }
            }
        }
        return new PastVPorts(at, list, unknown);
    }

    private static VPortChanges changes(Fabric fabric, VPortTable table) {
        return new VPortChanges(table.changes().stream()
                .map(entry -> {
                    int port = fabric.endport(entry.portGuid());
                    boolean isAbsent = port == Fabric.NONE;
                    return new VPortChange(
                            entry.last(),
                            entry.isArrival() ? "came" : "went",
                            entry.changes(),
                            isAbsent ? Guid.format(entry.portGuid()) : fabric.name(fabric.nodeOf(port)),
                            isAbsent ? 0 : fabric.portNum(port),
                            entry.index(),
                            Guid.format(entry.guid()),
                            entry.name());
                })
                .toList());
    }

    /** @param only the node whose vports are listed; {@link Fabric#NONE} for all */
    private static VPorts facts(PublishedView view, VPortTable table, int only, boolean isListed) {
        Fabric fabric = view.subnet().fabric();
        List<VPort> list = new ArrayList<>();
        int listedPorts = isListed ? fabric.portCount() : 0;
        for (int port = 0; port < listedPorts; port++) {
            int node = fabric.nodeOf(port);
            if (fabric.isEndport(port) && (only == Fabric.NONE || only == node)) {
                for (VirtualPort each : table.of(fabric.portGuid(port))) {
                    list.add(new VPort(
                            fabric.name(node),
                            fabric.portNum(port),
                            each.lid() == 0 ? view.subnet().lid(port) : Math.max(0, each.lid()),
                            each.index(),
                            Guid.format(each.guid()),
                            Guid.format(each.nodeGuid()),
                            STATES.get(each.state()),
                            each.name()));
                }
            }
        }
        return new VPorts(table.ports(), table.vports(), table.countActive(), list);
    }
}
