package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.placement.PlacedHosts;
import io.torussm.daemon.placement.SlurmTopology;
import io.torussm.view.FabricState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The command that writes the locations of hosts for job schedulers. */
public final class ExportCommand {
    private static final List<String> COORDINATES = List.of("x", "y", "z");
    private static final int MAX_NAME = 64;

    private final SmControl control;

    private record Hosts(PlacedHosts placement) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("host", "port GUID", "LID", "place", "switch", "port");
            placement
                    .hosts()
                    .forEach(host -> table.row(
                            host.name(),
                            host.portGuid(),
                            host.lid(),
                            place(host),
                            Printable.text(host.leaf().name(), MAX_NAME),
                            host.hasSwitch() ? host.leaf().port() : ""));
            List<String> lines = new ArrayList<>(table.lines());
            placement.leftOut().forEach(text -> lines.add("left out: " + Printable.text(text, Integer.MAX_VALUE)));
            return lines;
        }

        private static String place(PlacedHosts.Host host) {
            return host.place().isEmpty()
                    ? ""
                    : host.place().stream().map(String::valueOf).collect(Collectors.joining(",", "(", ")"));
        }
    }

    private record Text(List<String> text) implements Facts {
        @Override
        public List<String> lines() {
            return text;
        }
    }

    /**
     * A condition of a host, in the form of a Kubernetes NodeCondition.
     *
     * @param host beginning of its node description, up to the first blank or dot
     * @param status {@code True} if the host is good, {@code False} if it has a problem
     * @param reason one word in camel case
     * @param message problems, separated by semicolons
     */
    private record HostCondition(String host, String type, String status, String reason, String message) {
        private static HostCondition of(String host, List<String> problems) {
            return new HostCondition(
                    host,
                    "InfiniBandReady",
                    problems.isEmpty() ? "True" : "False",
                    problems.isEmpty() ? "PortsServed" : "PortProblem",
                    String.join("; ", problems));
        }

        /** Returns the conditions of hosts, each with the problems of all its adapters. */
        private static List<HostCondition> all(List<HostReport.Host> adapters) {
            Map<String, List<String>> problems = new TreeMap<>();
            adapters.forEach(adapter -> problems.computeIfAbsent(
                            PlacedHosts.nameIn(adapter.name()).orElse(adapter.name()), name -> new ArrayList<>())
                    .addAll(adapter.problems()));
            return problems.entrySet().stream()
                    .map(each -> of(each.getKey(), each.getValue()))
                    .toList();
        }
    }

    private record Health(List<HostCondition> hosts) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("host", "condition", "status", "reason", "message");
            hosts.forEach(each -> table.row(each.host(), each.type(), each.status(), each.reason(), each.message()));
            return table.lines();
        }
    }

    public ExportCommand(SmControl control) {
        this.control = control;
    }

    public Command command() {
        return Command.asks(
                "export hosts|slurm|labels|health [tree|block]",
                "for schedulers: places of hosts, Slurm's topology.yaml, kubectl's labels, or health of hosts",
                this::export,
                "slurm is a torus for a torus, flat without a switch and a tree for all else; slurm tree and slurm block override this.",
                "A host is called as its node description begins, up to the first blank or dot.",
                "health has a condition for each host, in the form of a Kubernetes NodeCondition.");
    }

    private Answer export(List<String> arguments) {
        String what = String.join(" ", arguments);
        if (!List.of("hosts", "slurm", "slurm tree", "slurm block", "labels", "health")
                .contains(what)) {
            throw new UsageException();
        }
        FabricState state = control.state();
        if (what.equals("health")) {
            return Answer.ofFound(
                    state, in -> Answer.of(new Health(HostCondition.all(new HostReport(control, state, in).all()))));
        }
        return Answer.ofRuling(state, view -> {
            PlacedHosts placed = PlacedHosts.of(state, view);
            return Answer.of(
                    switch (what) {
                        case "slurm" -> new Text(SlurmTopology.lines(placed, SlurmTopology.Kind.FABRIC));
                        case "slurm tree" -> new Text(SlurmTopology.lines(placed, SlurmTopology.Kind.TREE));
                        case "slurm block" -> new Text(SlurmTopology.lines(placed, SlurmTopology.Kind.BLOCK));
                        case "labels" -> new Text(labels(placed));
                        default -> new Hosts(placed);
                    });
        });
    }

    private static List<String> labels(PlacedHosts placed) {
        return placed.onSwitches().stream().map(ExportCommand::labels).toList();
    }

    private static String labels(PlacedHosts.Host host) {
        StringBuilder line = new StringBuilder("kubectl label --overwrite node " + host.name() + " torussm/switch="
                + host.leaf().guid());
        for (int d = 0; d < host.place().size(); d++) {
            line.append(" torussm/")
                    .append(COORDINATES.get(d))
                    .append('=')
                    .append(host.place().get(d));
        }
        return line.toString();
    }
}
