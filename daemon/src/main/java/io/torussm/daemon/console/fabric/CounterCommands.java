package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.EndportNames;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.PortFacts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.CountedPort;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.fabric.Fabric;
import io.torussm.perf.Counter;
import io.torussm.perf.PollStatistics;
import io.torussm.perf.PortFault;
import io.torussm.perf.PortSample;
import io.torussm.view.PlacedSubnet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commands for counters of ports. */
public final class CounterCommands {
    private static final int MAX_WORST_PORTS = 20;
    private static final int MAX_NAME = 64;
    private static final double MEGA = 1e6;
    private static final double PERCENT = 100;

    private final SmControl control;

    /**
     * A port on one line.
     *
     * @param guid GUID of the node
     * @param port port number
     * @param peer port at the other end of the cable; empty without a link
     * @param errors errors that indicate a bad link, since the first reading
     * @param faults exceeded limits, the gravest first
     */
    private record PortLine(
            String guid,
            int port,
            String place,
            String name,
            String peer,
            long errors,
            double errorsPerHour,
            double xmitBytesPerSecond,
            double rcvBytesPerSecond,
            double xmitWaitShare,
            List<String> faults) {
        static PortLine of(CountedPort port) {
            return new PortLine(
                    port.guid(),
                    port.portNum(),
                    port.place(),
                    Printable.text(port.name(), MAX_NAME),
                    Printable.text(port.peer(), 2 * MAX_NAME),
                    port.errors(),
                    port.statistics().errorsPerHour(),
                    port.statistics().xmitBytesPerSecond(),
                    port.statistics().rcvBytesPerSecond(),
                    port.statistics().xmitWaitShare(),
                    port.faults().stream().map(PortFault::text).toList());
        }
    }

    /**
     * A list of ports, with the progress of reading counters.
     *
     * @param polled number of ports whose counters are read
     * @param silent number of agents that do not answer
     * @param readAt end time of the last reading of all ports; null before the first reading
     * @param seconds duration of that reading
     * @param ports ports of the list
     */
    private record Ports(int polled, int silent, @Nullable Instant readAt, double seconds, List<PortLine> ports)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("ports read: " + polled + ", agents that do not answer: " + silent
                    + (readAt == null
                            ? ""
                            : ", last " + readAt + " in " + String.format(Locale.ROOT, "%.2f", seconds) + " s"));
            if (ports.isEmpty()) {
                lines.add("no port has counted an error, or waits longer for credits than it should");
                return lines;
            }
            TextTable table = new TextTable(
                    "GUID",
                    "port",
                    "name",
                    "errors",
                    "an hour",
                    "sends MB/s",
                    "receives MB/s",
                    "waits",
                    "over its limit");
            ports.forEach(each -> table.row(
                    each.guid(),
                    each.port(),
                    (each.place().isEmpty() ? "" : each.place() + " ") + each.name(),
                    each.errors(),
                    number(each.errorsPerHour()),
                    number(each.xmitBytesPerSecond() / MEGA),
                    number(each.rcvBytesPerSecond() / MEGA),
                    number(PERCENT * each.xmitWaitShare()) + " %",
                    String.join(", ", each.faults())));
            lines.addAll(table.lines());
            return lines;
        }
    }

    /**
     * A counter and its total. If {@code isFull}, the counter has reached its highest value, and the total is a
     * minimum.
     */
    private record Value(String counter, long total, boolean isFull) {}

    /**
     * A port in detail.
     *
     * @param port row of the port in the table of ports
     * @param readAt time of the last reading
     * @param counters counters and their totals
     * @param samples last samples, the oldest first
     */
    private record OnePort(PortLine port, Instant readAt, List<Value> counters, List<PortSample> samples)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(port.guid() + " \"" + port.name() + "\" port " + port.port()
                    + (port.place().isEmpty() ? "" : " at " + port.place())
                    + (port.peer().isEmpty() ? ", no link" : ", cabled to " + port.peer()) + ", read " + readAt);
            port.faults().forEach(fault -> lines.add("over its limit: " + fault));
            TextTable table = new TextTable("counter", "total");
            counters.forEach(each -> table.row(each.counter(), each.total() + (each.isFull() ? " or more" : "")));
            lines.addAll(table.lines());
            TextTable history = new TextTable("time", "sends MB/s", "receives MB/s", "waits", "errors");
            samples.forEach(each -> history.row(
                    each.at(),
                    number(each.xmitBytesPerSecond() / MEGA),
                    number(each.rcvBytesPerSecond() / MEGA),
                    number(PERCENT * each.xmitWaitShare()) + " %",
                    each.errors()));
            lines.addAll(samples.isEmpty() ? List.of() : history.lines());
            return lines;
        }
    }

    public CounterCommands(SmControl control) {
        this.control = control;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value != 0 && value < 10 ? "%.1f" : "%.0f", value);
    }

    public List<Command> commands() {
        return List.of(
                Command.query(
                        "counters [NODE] [PORT]",
                        "counters of ports: the worst " + MAX_WORST_PORTS
                                + ", the ports of a node, or one port with all counters and its history",
                        this::counters,
                        "NODE is a name (in quotes if it has blanks), a GUID, a LID, or the place of a switch, x,y,z.",
                        "Totals continue if devices, or other monitors, clear their counters. Counters are read only if perfmgr is set."),
                Command.change(
                        "clear-counters [NODE] [PORT]",
                        "count from 0 again: all ports, the ports of a node, or one port",
                        this::clear,
                        "The counters of the devices are left alone."));
    }

    private static void check(List<String> arguments) {
        if (arguments.size() > 2) {
            throw new UsageException();
        }
        if (arguments.size() == 2 && !arguments.get(1).matches("[1-9]\\d{0,2}")) {
            throw new UsageException("PORT is a number");
        }
    }

    private Answer counters(List<String> arguments) {
        check(arguments);
        SmStatistics statistics = control.statistics();
        PollStatistics polling = statistics == null ? PollStatistics.NONE : statistics.counters();
        return Answer.ofDiscoveredSubnet(control.state(), found -> {
            if (arguments.isEmpty()) {
                return Answer.of(ports(polling, CountedPort.worst(found, control.counters(), MAX_WORST_PORTS)));
            }
            return runOnNode(found, arguments, (node, portNum) -> {
                List<CountedPort> counted = read(found, node, portNum);
                if (counted.isEmpty()) {
                    return Answer.refusal(
                            "no counters were read there; see perfmgr, and whether the port ever had a link");
                }
                return portNum == 0 ? Answer.of(ports(polling, counted)) : Answer.of(onePort(found, counted.get(0)));
            });
        });
    }

    private interface NodeAction {
        Answer answer(int node, int portNum);
    }

    /** Runs an action on the node and the port number of the arguments; port number 0 stands for all ports. */
    private static Answer runOnNode(PlacedSubnet found, List<String> arguments, NodeAction action) {
        EndportNames.Node named = new EndportNames(found).node(arguments.get(0));
        int portNum = arguments.size() == 1 ? 0 : Integer.parseInt(arguments.get(1));
        if (named.node() == Fabric.NONE) {
            return Answer.refusal(named.problem());
        }
        int ports = found.fabric().numPorts(named.node());
        return portNum > ports
                ? Answer.refusal(
                        PortFacts.name(found.fabric(), named.node()) + " has no port " + portNum + ", only " + ports)
                : action.answer(named.node(), portNum);
    }

    private List<CountedPort> read(PlacedSubnet found, int node, int portNum) {
        return IntStream.rangeClosed(1, found.fabric().numPorts(node))
                .filter(each -> portNum == 0 || each == portNum)
                .mapToObj(each ->
                        CountedPort.of(found, control.counters(), found.fabric().port(node, each)))
                .flatMap(Stream::ofNullable)
                .toList();
    }

    private static Ports ports(PollStatistics polling, List<CountedPort> ports) {
        return new Ports(
                polling.ports(),
                polling.silent(),
                polling.lastAt(),
                polling.lastNs() / 1e9,
                ports.stream().map(PortLine::of).toList());
    }

    private OnePort onePort(PlacedSubnet found, CountedPort port) {
        long guid = found.fabric().nodeGuid(found.fabric().nodeOf(port.port()));
        List<Value> values = Counter.all().stream()
                .filter(port.statistics()::has)
                .map(counter -> new Value(
                        counter.attribute(),
                        port.statistics().total(counter),
                        port.statistics().full().get(counter.index())))
                .toList();
        return new OnePort(
                PortLine.of(port),
                port.statistics().at(),
                values,
                control.counters().samples(guid, port.portNum()));
    }

    private Answer clear(List<String> arguments) {
        check(arguments);
        if (arguments.isEmpty()) {
            control.restartCounters("all ports", 0, 0);
            return Answer.done("all ports count from 0 again");
        }
        return Answer.ofDiscoveredSubnet(
                control.state(),
                found -> runOnNode(found, arguments, (node, portNum) -> {
                    String name = found.fabric().name(node) + (portNum == 0 ? "" : " port " + portNum);
                    control.restartCounters(name, found.fabric().nodeGuid(node), portNum);
                    return Answer.done(Printable.text(name, 2 * MAX_NAME) + " counts from 0 again");
                }));
    }
}
