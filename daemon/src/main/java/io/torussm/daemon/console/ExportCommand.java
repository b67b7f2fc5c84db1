package io.torussm.daemon.console;

import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.placement.PlacedHosts;
import io.torussm.daemon.placement.SlurmTopology;
import io.torussm.view.FabricState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The command that writes the locations of hosts for job schedulers. */
final class ExportCommand {
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

    ExportCommand(SmControl control) {
        this.control = control;
    }

    Command command() {
        return Command.asks(
                "export hosts|slurm|labels [tree|block]",
                "where hosts are that can be reached: a table, Slurm's topology.yaml, or kubectl's labels",
                this::export,
                "slurm is a torus for a torus, flat without a switch and a tree for all else; slurm tree and slurm block override this.",
                "A host is called as its node description begins, up to the first blank or dot.");
    }

    private Answer export(List<String> arguments) {
        String what = String.join(" ", arguments);
        if (!List.of("hosts", "slurm", "slurm tree", "slurm block", "labels").contains(what)) {
            throw new UsageException();
        }
        FabricState state = control.state();
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
