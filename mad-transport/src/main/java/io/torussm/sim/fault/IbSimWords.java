package io.torussm.sim.fault;

import io.torussm.mad.Guid;
import io.torussm.sim.SimInterventions.CableEnd;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.topology.Topology;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The commands of ibsim's console, with its responses. */
final class IbSimWords {
    private static final String LINK = "Link \"nodeid\"[port] \"remoteid\"[port]";
    private static final String ERROR = "Error \"nodeid\"[port] error-rate [attribute]";
    private static final String GUID = "Guid \"nodeid\"[port] guid";
    private static final String BASELID = "Baselid \"nodeid\"[port] lid [lmc]";
    private static final int MAX_LID = 0xbfff;
    private static final int MAX_LMC = 7;
    private static final int PERCENT = 100;
    private static final int MAX_LEVEL = 9;

    private final Faults faults;
    private final Clients clients;
    private final FabricText text;
    private int verbosity;

    IbSimWords(Faults faults, Clients clients) {
        this.faults = faults;
        this.clients = clients;
        text = new FabricText(faults);
    }

    List<ConsoleWord> all() {
        return List.of(
                new ConsoleWord(
                        "Start", "Start network", "does nothing: the network runs", line -> () -> ConsoleReply.DONE),
                new ConsoleWord("Dump", "Dump [\"nodeid\"]", "dump node information in network", this::dump),
                new ConsoleWord("Route", "Route from-lid to-lid", "the way along the forwarding tables", this::route),
                new ConsoleWord("Link", LINK, "plug a cable into two ports", this::link),
                new ConsoleWord(
                        "ReLink",
                        "ReLink \"nodeid\"[port]",
                        "restore previously unconnected link(s) of the node or port",
                        this::relink),
                new ConsoleWord(
                        "Unlink", "Unlink \"nodeid\"[port]", "remove all links of the node, or one", this::unlink),
                new ConsoleWord(
                        "Clear", "Clear \"nodeid\"[port]", "unlink & reset all ports of the node, or one", this::clear),
                new ConsoleWord("Guid", GUID, "set GUID value for this node or port", this::guid),
                new ConsoleWord(
                        "Error", ERROR, "set error rate, 0 to 100, for node or port, or for an attribute", this::error),
                new ConsoleWord("Baselid", BASELID, "change port's lid (lmc)", this::baselid),
                new ConsoleWord("Verbose", "Verbose [newlevel]", "show/set simulator verbosity", this::verbose),
                new ConsoleWord("Wait", "Wait seconds", "suspend the prompt", this::pause),
                new ConsoleWord("Attached", "Attached", "list attached clients", line -> this::attached),
                new ConsoleWord("X", "X client-number", "(force) disconnect client", this::disconnect),
                new ConsoleWord("Quit", "Quit", "end the fabric", line -> IbSimWords::quit));
    }

    private Arguments args(ConsoleLine line, String usage) {
        return new Arguments(faults.nodes(), line, usage);
    }

    private ConsoleWord.Action dump(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, "Dump [\"nodeid\"]");
        @Nullable Long guid = args.has(0) ? (Long) args.node(0).nodeGuid() : null;
        return () -> ConsoleReply.success(text.dump(guid));
    }

    private ConsoleWord.Action route(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, "Route from-lid to-lid");
        int sourceLid = (int) args.number(1, MAX_LID);
        int destinationLid = (int) args.number(1, MAX_LID);
        return () -> text.route(sourceLid, destinationLid);
    }

    private ConsoleWord.Action link(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, LINK);
        CableEnd local = args.port(0, 1);
        CableEnd remote = args.port(1, 1);
        args.requireEnd();
        return () -> tryConnect(() -> faults.link(local, remote));
    }

    private static ConsoleReply tryConnect(Runnable link) {
        try {
            link.run();
            return ConsoleReply.DONE;
        } catch (IllegalStateException e) {
            return ConsoleReply.failure("can't link: local/remote port are already connected");
        }
    }

    private ConsoleWord.Action relink(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, "ReLink \"nodeid\"[port]");
        List<CableEnd> ports = args.ports(0, 1);
        boolean isOne = args.hasPort(0);
        args.requireEnd();
        return () -> {
            if (!isOne) {
                ports.forEach(faults::relinkIfFree);
                return ConsoleReply.DONE;
            }
            return tryConnect(() -> {
                if (!faults.relink(ports.get(0))) {
                    throw new IllegalArgumentException("no previous link stored");
                }
            });
        };
    }

    private ConsoleWord.Action unlink(ConsoleLine line) throws BadLineException {
        return atPorts(line, "Unlink \"nodeid\"[port]", faults::unlink);
    }

    private ConsoleWord.Action clear(ConsoleLine line) throws BadLineException {
        return atPorts(line, "Clear \"nodeid\"[port]", end -> {
            faults.clear(end);
            return true;
        });
    }

    /**
     * Returns an action at one port, or at all ports of a node.
     *
     * @param action change of a port; false if it is impossible, which is an error if the line names one port
     */
    private ConsoleWord.Action atPorts(ConsoleLine line, String usage, Predicate<CableEnd> action)
            throws BadLineException {
        Arguments args = args(line, usage);
        List<CableEnd> ports = args.ports(0, 1);
        boolean isOne = args.hasPort(0);
        args.requireEnd();
        return () -> {
            long done = ports.stream().filter(action).count();
            return isOne && done == 0
                    ? ConsoleReply.failure("port " + ports.get(0).portNum() + " at nodeid "
                            + faults.nodes().text(ports.get(0).nodeGuid()) + " is not linked")
                    : ConsoleReply.DONE;
        };
    }

    private ConsoleWord.Action guid(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, GUID);
        Topology.Node node = args.node(0);
        boolean isOfPort = args.hasPort(0) && !node.isSwitch();
        CableEnd port = isOfPort ? args.port(0, 1) : new CableEnd(node.nodeGuid(), node.isSwitch() ? 0 : 1);
        String word = args.word("a GUID");
        args.requireEnd();
        long guid = Guid.parseAnyForm(word)
                .orElseThrow(() -> new BadLineException("\"" + word + "\" is no GUID; write " + GUID));
        return isOfPort
                ? ConsoleWord.silentAction(() -> faults.setPortGuid(port, guid))
                : ConsoleWord.silentAction(() -> faults.setNodeGuid(node.nodeGuid(), guid));
    }

    /** Parses {@code Error}. Loss at port 0, or at all ports of a node, also concerns its agent. */
    private ConsoleWord.Action error(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, ERROR);
        Topology.Node node = args.node(0);
        List<CableEnd> ports = args.ports(0, 0);
        boolean isWhole = !args.hasPort(0) || ports.get(0).portNum() == 0;
        double rate = args.number(0, PERCENT) / (double) PERCENT;
        int attribute = args.hasMore() ? args.attribute() : 0;
        args.requireEnd();
        if (attribute != 0) {
            return ConsoleWord.silentAction(() -> dropAtAgent(node, "Error " + attribute, attribute, rate));
        }
        return ConsoleWord.silentAction(() -> {
            ports.stream().filter(end -> end.portNum() != 0).forEach(end -> faults.setLossInto(end, rate));
            if (isWhole) {
                dropAtAgent(node, "Error", AgentProfile.ANY, rate);
            }
        });
    }

    /** Lets the agent of a node drop requests of an attribute; with rate 0, ends this fault. */
    private void dropAtAgent(Topology.Node node, String kind, int attribute, double rate) {
        if (rate == 0) {
            faults.restoreAgent(node.nodeGuid(), kind);
        } else {
            faults.changeAgent(node.nodeGuid(), kind, "with probability " + rate, profile -> AgentProfile.CONFORMING
                    .dropping(attribute, AgentProfile.ANY, rate)
                    .and(profile));
        }
    }

    private ConsoleWord.Action baselid(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, BASELID);
        CableEnd port = args.port(0, 0);
        if (faults.nodes().of(port.nodeGuid()).isSwitch() && port.portNum() != 0) {
            throw new BadLineException("can't change baselid for port " + port.portNum() + " at nodeid "
                    + faults.nodes().text(port.nodeGuid()) + ": a switch has its LID at port 0");
        }
        int lid = (int) args.number(1, MAX_LID);
        int lmc = args.hasMore() ? (int) args.number(0, MAX_LMC) : 0;
        args.requireEnd();
        return ConsoleWord.silentAction(
                () -> faults.fabric().interventions().setLid(port.nodeGuid(), port.portNum(), lid, lmc));
    }

    private ConsoleWord.Action verbose(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, "Verbose [newlevel]");
        int level = args.hasMore() ? (int) args.number(0, MAX_LEVEL) : -1;
        args.requireEnd();
        return () -> {
            verbosity = level < 0 ? verbosity : level;
            return ConsoleReply.success("simulator verbose level is " + verbosity);
        };
    }

    private ConsoleWord.Action pause(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, "Wait seconds");
        long seconds = args.number(1, TimeUnit.DAYS.toSeconds(1));
        args.requireEnd();
        return () -> new ConsoleReply("", true, TimeUnit.SECONDS.toNanos(seconds), false);
    }

    private ConsoleReply attached() {
        return ConsoleReply.success(String.join("\n", clients.attached()));
    }

    private ConsoleWord.Action disconnect(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, "X client-number");
        int number = (int) args.number(0, Integer.MAX_VALUE);
        args.requireEnd();
        return () -> clients.disconnect(number)
                ? ConsoleReply.DONE
                : ConsoleReply.failure("disconnect client: bad clientid " + number + "; Attached lists them");
    }

    private static ConsoleReply quit() {
        return new ConsoleReply("Exiting network simulator.\n", true, 0, true);
    }
}
