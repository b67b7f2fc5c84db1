package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.placement.HostCondition;
import io.torussm.daemon.placement.KubernetesLabels;
import io.torussm.daemon.placement.PlacedHosts;
import io.torussm.daemon.placement.SlurmTopology;
import io.torussm.names.Names;
import io.torussm.view.FabricState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The command that writes the locations of hosts for job schedulers. */
public final class ExportCommand {
    private static final int MAX_NAME = 64;
    private static final String AFTER = "--after";

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
     * The conditions of all hosts.
     *
     * @param event number of the last event before the conditions were read
     * @param hosts conditions by host
     */
    private record Health(long event, List<HostCondition> hosts) implements Facts {
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
        return Command.query(
                "export hosts|slurm|labels|health [tree|block|--after EVENT]",
                "for schedulers: places of hosts, Slurm's topology.yaml, kubectl's labels, or health of hosts",
                this::export,
                "slurm is a torus for a torus, flat without a switch and a tree for all else; slurm tree and slurm block override this.",
                "A host is called as its node description begins, up to the first blank or dot.",
                "health has a condition for each host, in the form of a Kubernetes NodeCondition.",
                "health --after EVENT responds when there is a newer event than that; EVENT is in the JSON of the last response.");
    }

    private Answer export(List<String> arguments) {
        if (arguments.size() == 3
                && arguments.get(0).equals("health")
                && arguments.get(1).equals(AFTER)
                && arguments.get(2).matches("\\d{1,18}")) {
            long event = Long.parseLong(arguments.get(2));
            return Answer.deferred(Answer.Later.after(control.journal().whenAfter(event), any -> health()));
        }
        String subject = String.join(" ", arguments);
        if (!List.of("hosts", "slurm", "slurm tree", "slurm block", "labels", "health")
                .contains(subject)) {
            throw new UsageException();
        }
        if (subject.equals("health")) {
            return health();
        }
        FabricState state = control.state();
        return Answer.ofActiveSubnet(state, view -> {
            PlacedHosts placed = PlacedHosts.of(state, view);
            return Answer.of(
                    switch (subject) {
                        case "slurm" -> new Text(SlurmTopology.lines(placed, SlurmTopology.RequestedTopology.FABRIC));
                        case "slurm tree" ->
                            new Text(SlurmTopology.lines(placed, SlurmTopology.RequestedTopology.TREE));
                        case "slurm block" ->
                            new Text(SlurmTopology.lines(placed, SlurmTopology.RequestedTopology.BLOCK));
                        case "labels" -> new Text(KubernetesLabels.lines(placed));
                        default -> new Hosts(placed);
                    });
        });
    }

    /**
     * Returns the health. The number of the event is read before the state. So a change between both readings is
     * reported twice, and never missed.
     */
    private Answer health() {
        long event = control.journal().last();
        FabricState state = control.state();
        return Answer.ofDiscoveredSubnet(state, placed -> {
            Map<String, List<String>> problems = new TreeMap<>();
            new HostReport(control, state, placed).hosts().forEach(host -> problemsOf(host.name(), problems)
                    .addAll(host.problems()));
            Names names = placed.fabric().names();
            state.absences().devices(placed.fabric()).stream()
                    .filter(device -> !device.end().isSwitch())
                    .forEach(device -> problemsOf(device.end().withName(names).name(), problems)
                            .add(AbsentCommand.text(device, names)));
            return Answer.of(new Health(event, HostCondition.all(problems)));
        });
    }

    private static List<String> problemsOf(String adapter, Map<String, List<String>> problems) {
        return problems.computeIfAbsent(adapter, name -> new ArrayList<>());
    }
}
