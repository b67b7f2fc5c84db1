package io.torussm.daemon.console;

import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.planning.Failure;
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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Commands that take a switch or a cable out of use for maintenance, and back; without a yes they only show what that would do. */
final class DrainCommands {
    private static final String YES = "yes";

    /** So many times as many paths over the busiest cable are too many. */
    private static final int MAX_LOAD = 2;

    private static final String NODE_NAMES =
            "NODE is a node description (in quotes if it has blanks), a GUID, a LID, or"
                    + " the place of a switch, x,y,z.";

    private final SmControl control;

    private record Drained(
            String name, String guid, @Nullable Integer port, Instant since) {
        static Drained of(Drain drain) {
            return new Drained(
                    drain.name(),
                    Guid.format(drain.nodeGuid()),
                    drain.isSwitch() ? null : drain.portNum(),
                    drain.since());
        }
    }

    private record AllDrained(List<Drained> drained) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("since", "GUID", "port", "what");
            drained.forEach(each -> table.row(
                    each.since(),
                    each.guid(),
                    each.port() == null ? "all" : each.port(),
                    Printable.text(each.name(), Integer.MAX_VALUE)));
            return drained.isEmpty() ? List.of("nothing is drained") : table.lines();
        }
    }

    /**
     * What it would do.
     *
     * @param objection why it is not done; empty if it may be
     */
    private record Preview(String name, WhatIf.Outcome loss, String objection, boolean isRequested) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>(List.of(name));
            if (loss.isRouted()) {
                lines.add("without it: " + loss.changedPairs() + " of " + loss.pairs() + " pairs take another way, "
                        + loss.lostPairs() + " have none, SL changes: " + loss.changedSls()
                        + "; paths over the busiest cable " + loss.maxLoadBefore() + ", then " + loss.maxLoadAfter());
                lines.add("proof: " + loss.proof());
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

    DrainCommands(SmControl control) {
        this.control = control;
    }

    List<Command> commands() {
        return List.of(
                Command.changes(
                        "drain NODE [PORT] [yes]",
                        "lead routes around a switch, or the cable at its PORT, and then take it down; without yes, what that would do",
                        this::drain,
                        NODE_NAMES,
                        "It is not done if others lost their paths by it, if no engine routes the rest as it is, or if more than twice as",
                        "many paths went over a cable. Hosts of a drained switch have no network. It outlives restarts."),
                Command.changes(
                        "undrain NODE [PORT]",
                        "use a switch or a cable again that was drained",
                        this::undrain,
                        "NODE is named as for drain, or by the GUID that drained shows."),
                Command.asks(
                        "drained",
                        "what is drained, since when",
                        Command.plain(() -> Answer.of(new AllDrained(
                                control.drains().stream().map(Drained::of).toList())))));
    }

    private Answer drain(List<String> arguments) {
        List<String> words = new ArrayList<>(arguments);
        boolean isSure = words.size() > 1 && words.get(words.size() - 1).equals(YES);
        if (isSure) {
            words.remove(words.size() - 1);
        }
        int portNum = port(words);
        return Answer.from(control.view(), view -> drain(view, words.get(0), portNum, isSure));
    }

    private static int port(List<String> words) {
        if (words.isEmpty() || words.size() > 2) {
            throw new UsageException();
        }
        if (words.size() == 2 && !words.get(1).matches("[1-9]\\d{0,2}")) {
            throw new UsageException("PORT is a number");
        }
        return words.size() == 2 ? Integer.parseInt(words.get(1)) : Drains.WHOLE;
    }

    private Answer drain(PublishedView view, String name, int portNum, boolean isSure) {
        Fabric fabric = view.subnet().fabric();
        EndportNames.Node found = new EndportNames(view.placed()).node(name);
        if (found.node() == Fabric.NONE) {
            return Answer.bad(found.problem());
        }
        String objection = objection(fabric, found.node(), portNum);
        if (!objection.isEmpty()) {
            return Answer.bad(objection);
        }
        Failure failure = portNum == Drains.WHOLE
                ? Failure.ofSwitch(view.plan(), found.node())
                : Failure.ofCable(view.plan(), fabric.port(found.node(), portNum));
        WhatIf.Outcome loss = new WhatIf(view.plan(), control.routing(), control.routingOptions()).of(failure);
        String cost = cost(loss, lostAnyway(fabric, found.node(), portNum));
        boolean isRequested = isSure && cost.isEmpty();
        if (isRequested) {
            Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
            control.requestDrain(new Drain(fabric.nodeGuid(found.node()), portNum, failure.name(), now), true);
        }
        return new Answer(new Preview(failure.name(), loss, cost, isRequested), cost.isEmpty());
    }

    private String objection(Fabric fabric, int node, int portNum) {
        if (!fabric.isSwitch(node)) {
            return "only switches and cables between them can be drained; a host is its scheduler's business";
        }
        for (Drain drain : control.drains()) {
            if (isUsed(fabric, drain)) {
                return drain.name() + " is drained and still used; wait for the next sweep, or undrain it";
            }
        }
        if (control.drains().size() == Drains.MAX) {
            return Drains.MAX + " are drained already; undrain some";
        }
        if (portNum == Drains.WHOLE) {
            return node == fabric.switchOf(fabric.localPort()) ? "the SM itself is reached through this switch" : "";
        }
        int peer = portNum > fabric.numPorts(node) ? Fabric.NONE : fabric.peer(fabric.port(node, portNum));
        return peer == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(peer))
                ? "at this port there is no cable to another switch"
                : "";
    }

    private static boolean isUsed(Fabric fabric, Drain drain) {
        int node = fabric.nodeByGuid(drain.nodeGuid());
        return node != Fabric.NONE
                && (drain.isSwitch()
                        || drain.portNum() <= fabric.numPorts(node)
                                && fabric.peer(fabric.port(node, drain.portNum())) != Fabric.NONE);
    }

    /** Ordered pairs of host ports of which one hangs on the switch. */
    private static long lostAnyway(Fabric fabric, int sw, int portNum) {
        if (portNum != Drains.WHOLE) {
            return 0;
        }
        long here = IntStream.rangeClosed(1, fabric.numPorts(sw))
                .map(number -> fabric.peer(fabric.port(sw, number)))
                .filter(peer -> peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer)))
                .count();
        long all = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port)
                        && !fabric.isSwitch(fabric.nodeOf(port))
                        && fabric.peer(port) != Fabric.NONE)
                .count();
        return all * (all - 1) - (all - here) * (all - here - 1);
    }

    /** Why it is too much; empty if it is not. */
    private static String cost(WhatIf.Outcome loss, long lostAnyway) {
        if (!loss.isRouted()) {
            return "there would be no routes: " + loss.reason();
        } else if (!loss.degraded().isEmpty()) {
            return "no engine would route the rest as it is: " + loss.degraded();
        } else if (loss.lostPairs() > lostAnyway) {
            return (loss.lostPairs() - lostAnyway) + " pairs of others would have no path";
        } else if (loss.maxLoadAfter() > MAX_LOAD * loss.maxLoadBefore()) {
            return "more than " + MAX_LOAD + " times as many paths would go over one cable";
        }
        return "";
    }

    private Answer undrain(List<String> arguments) {
        int portNum = port(arguments);
        String name = arguments.get(0);
        for (Drain drain : control.drains()) {
            if (drain.portNum() == portNum && isMeant(drain, name)) {
                control.requestDrain(drain, false);
                return Answer.done(
                        Printable.text(drain.name(), Integer.MAX_VALUE) + " is used again after the next sweep");
            }
        }
        return Answer.bad("that is not drained; see drained");
    }

    /** A switch that is drained is in no fabric, and is known by what it was called then. */
    private boolean isMeant(Drain drain, String name) {
        if (drain.name().equals(name) || NodeSearch.number(name) == drain.nodeGuid()) {
            return true;
        }
        if (drain.isSwitch()) {
            String called = name.matches("\\d.*") && NodeSearch.isPlace(name) ? "(" + name + ")" : name;
            return (" " + drain.name() + " ").contains(" " + called + " ");
        }
        PlacedSubnet seen = control.state().seen();
        EndportNames.Node found = seen == null ? null : new EndportNames(seen).node(name);
        return seen != null
                && found != null
                && found.node() != Fabric.NONE
                && seen.fabric().nodeGuid(found.node()) == drain.nodeGuid();
    }
}
