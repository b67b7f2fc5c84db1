package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.EndportNames;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.maintenance.DrainBudget;
import io.torussm.daemon.planning.WhatIf;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.subnet.Drains;
import io.torussm.subnet.Drains.Drain;
import io.torussm.view.NodeSearch;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The commands that drain a switch or a cable, and end a drain. Without {@code yes}, {@code drain} only shows the
 * effects.
 */
public final class DrainCommands {
    /** Time limit for the SM to begin the drain, in seconds. */
    private static final long TIMEOUT_S = 10;

    private static final int MAX_NAMED = 8;

    private static final String NODE_NAMES =
            "NODE is a node description (in quotes if it has blanks), a GUID, a LID, or"
                    + " the place of a switch, x,y,z.";

    private final SmControl control;

    private record Drained(
            String name, String guid, @Nullable Integer port, Instant since, Drains.Cause by) {
        static Drained of(Drain drain) {
            return new Drained(
                    drain.name(),
                    Guid.format(drain.nodeGuid()),
                    drain.isSwitch() ? null : drain.portNum(),
                    drain.since(),
                    drain.cause());
        }
    }

    private record AllDrained(List<Drained> drained) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("since", "by", "GUID", "port", "what");
            drained.forEach(each -> table.row(
                    each.since(),
                    each.by(),
                    each.guid(),
                    each.port() == null ? "all" : each.port(),
                    Printable.text(each.name(), Integer.MAX_VALUE)));
            return drained.isEmpty() ? List.of("nothing is drained") : table.lines();
        }
    }

    /**
     * The effects of a drain.
     *
     * @param name name of the device
     * @param loss effects on routes
     * @param hosts names of hosts that would have no network
     * @param vports number of virtual ports of these hosts
     * @param objection reason for refusal; empty if the drain is allowed
     * @param isRequested true if the drain was requested, false for a preview
     */
    private record Preview(
            String name, WhatIf.Outcome loss, List<String> hosts, int vports, String objection, boolean isRequested)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>(List.of(name));
            if (loss.isRouted()) {
                lines.add("without it: " + loss.changedPairs() + " of " + loss.pairs() + " pairs take another way, "
                        + loss.lostPairs() + " have none, SL changes: " + loss.changedSls()
                        + "; paths over the busiest cable " + loss.maxLoadBefore() + ", then " + loss.maxLoadAfter());
                lines.add("proof: " + loss.proof());
            }
            if (!hosts.isEmpty()) {
                lines.add(
                        "its " + hosts.size() + (hosts.size() == 1 ? " host has" : " hosts have") + " no network then: "
                                + hosts.stream()
                                        .limit(MAX_NAMED)
                                        .map(host -> Printable.text(host, Integer.MAX_VALUE))
                                        .collect(Collectors.joining(", "))
                                + (hosts.size() > MAX_NAMED ? ", .." : "")
                                + (vports == 0 ? "" : "; with " + vports + " virtual ports"));
            }
            lines.add(
                    !objection.isEmpty()
                            ? "nothing was done: " + objection
                            : isRequested
                                    ? "drained; routes lead around it when the next sweep has ended"
                                    : "nothing was done; append yes to drain it");
            return lines;
        }
    }

    public DrainCommands(SmControl control) {
        this.control = control;
    }

    public List<Command> commands() {
        return List.of(
                Command.withYes(
                        "drain NODE [PORT] [yes]",
                        "route around a switch, or the cable at its PORT, and then take it down; without yes, show the effect",
                        this::drain,
                        NODE_NAMES,
                        "A drain is refused if other hosts would lose paths, if no engine routes the rest, or if a cable would carry more",
                        "than twice as many paths. Hosts of a drained switch have no network. A drain outlives restarts."),
                Command.change(
                        "undrain NODE [PORT]",
                        "use a switch or a cable again that was drained",
                        this::undrain,
                        "NODE is named as for drain, or by the GUID that drained shows."),
                Command.query(
                        "drained",
                        "drained and isolated switches and cables, since when",
                        Command.withoutArguments(() -> Answer.of(new AllDrained(
                                control.drains().stream().map(Drained::of).toList())))));
    }

    private Answer drain(List<String> arguments) {
        List<String> words = new ArrayList<>(arguments);
        boolean isSure = words.size() > 1 && words.get(words.size() - 1).equals(Command.YES);
        if (isSure) {
            words.remove(words.size() - 1);
        }
        int portNum = parsePort(words);
        return Answer.from(control.view(), view -> drain(view, words.get(0), portNum, isSure));
    }

    private static int parsePort(List<String> words) {
        if (words.isEmpty() || words.size() > 2) {
            throw new UsageException();
        }
        if (words.size() == 2 && !words.get(1).matches("[1-9]\\d{0,2}")) {
            throw new UsageException("PORT is a number");
        }
        return words.size() == 2 ? Integer.parseInt(words.get(1)) : Drains.WHOLE_SWITCH;
    }

    private Answer drain(PublishedView view, String wanted, int portNum, boolean isSure) {
        Fabric fabric = view.subnet().fabric();
        EndportNames.Node found = new EndportNames(view.placed()).node(wanted);
        if (found.node() == Fabric.NONE) {
            return Answer.refusal(found.problem());
        }
        List<Drain> drains = control.drains();
        String objection = DrainBudget.objection(fabric, drains, found.node(), portNum);
        if (!objection.isEmpty()) {
            return Answer.refusal(objection);
        }
        DrainBudget.Verdict verdict =
                DrainBudget.of(view.plan(), control.routing(), control.routingOptions(), found.node(), portNum);
        String name = verdict.failure().name();
        boolean isRequested = isSure && verdict.isGranted();
        Answer preview = new Answer(
                new Preview(
                        name,
                        verdict.loss(),
                        verdict.hosts(),
                        verdict.hosts().isEmpty() ? 0 : vports(fabric, found.node()),
                        verdict.objection(),
                        isRequested),
                verdict.isGranted());
        if (!isRequested) {
            return preview;
        }
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        return Answer.ofChange(
                control.requestDrain(new Drain(fabric.nodeGuid(found.node()), portNum, name, now), drains),
                TIMEOUT_S,
                "the SM is busy; ask drained later whether it was done",
                refusal -> refusal.isEmpty() ? preview : Answer.refusal(refusal));
    }

    /** Returns the number of the virtual ports of the hosts at a switch. */
    private int vports(Fabric fabric, int sw) {
        return IntStream.rangeClosed(1, fabric.numPorts(sw))
                .map(number -> fabric.peer(fabric.port(sw, number)))
                .filter(far -> far != Fabric.NONE && fabric.isEndport(far))
                .map(far -> control.vports().of(fabric.portGuid(far)).size())
                .sum();
    }

    private Answer undrain(List<String> arguments) {
        int portNum = parsePort(arguments);
        String name = arguments.get(0);
        for (Drain drain : control.drains()) {
            if (drain.portNum() == portNum && isNamed(drain, name)) {
                control.requestUndrain(drain);
                return Answer.done(
                        Printable.text(drain.name(), Integer.MAX_VALUE) + " is used again after the next sweep");
            }
        }
        return Answer.refusal("that is not drained; see drained");
    }

    /**
     * Checks whether a name denotes a drained device. A drained switch is absent from the fabric, so the name of the
     * drain counts.
     */
    private boolean isNamed(Drain drain, String name) {
        if (drain.name().equals(name) || NodeSearch.number(name) == drain.nodeGuid()) {
            return true;
        }
        if (drain.isSwitch()) {
            String called = name.matches("\\d.*") && NodeSearch.isPlace(name) ? "(" + name + ")" : name;
            return (" " + drain.name() + " ").contains(" " + called + " ");
        }
        PlacedSubnet seen = control.state().visibleSubnet();
        EndportNames.Node found = seen == null ? null : new EndportNames(seen).node(name);
        return seen != null
                && found != null
                && found.node() != Fabric.NONE
                && seen.fabric().nodeGuid(found.node()) == drain.nodeGuid();
    }
}
