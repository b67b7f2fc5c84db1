package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.planning.PlannedFabric;
import io.torussm.daemon.system.ExitCode;
import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.planning.CablingPlan;
import io.torussm.torus2qos.planning.TorusShape;
import java.io.PrintStream;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code torus-sm cabling}: which cables to move so that a fabric is the torus that it should be. */
final class CablingCommand implements Subcommand {
    private static final String TORUS = "--torus";

    /**
     * The JSON output of the command.
     *
     * @param moves cables whose end is to be moved
     * @param absent missing cables, by place, GUID, description and port of both ends
     * @param surplus cables to be removed, by GUID, description and port of both ends
     * @param empty places without a switch, such as {@code (1,2,3)}
     * @param unplaced GUID and description of switches without a place
     */
    public record Answer(
            List<MoveText> moves,
            List<LinkText> absent,
            List<LinkText> surplus,
            List<String> empty,
            List<String> unplaced) {
        private boolean isGood() {
            return moves.isEmpty() && absent.isEmpty() && surplus.isEmpty() && empty.isEmpty() && unplaced.isEmpty();
        }
    }

    /** A cable whose end is to be moved from one port to another. */
    public record MoveText(String stays, String from, String to) {}

    /** A cable. */
    public record LinkText(String a, String b) {}

    @Override
    public String name() {
        return "cabling";
    }

    @Override
    public String synopsis() {
        return "[OPTIONS] TOPOLOGY";
    }

    @Override
    public void describe(CommandSpec spec) {
        PlanningWords.describe(
                spec,
                "Compare a topology with the torus that it should be, and list the cables to move: the fewest that do.",
                "Exit codes: 0 every cable is where it belongs, 1 something is to be done, 2 bad configuration or"
                        + " usage, 7 too far from that torus to tell.");
        CommandWords.addText(
                spec, "XxYxZ", "the torus intended, such as 6x6x6, or 8x8x4m where z does not wrap", TORUS);
        CommandWords.addJson(spec);
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        TorusShape shape;
        try {
            shape = TorusShape.parse(parsed.matchedOptionValue(TORUS, ""));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("option --torus: " + Objects.toString(e.getMessage())));
        }
        PlannedFabric planned = PlanningWords.fabric(parsed);
        PlanningWords.report(planned, List.of(), err);
        Fabric fabric = planned.subnet().fabric();
        CablingPlan.ProposedCabling result = CablingPlan.compare(fabric, shape);
        if (result.plan().isEmpty()) {
            err.println("torus-sm: " + result.reason());
            return ExitCode.ROUTING_REFUSED;
        }
        Answer answer = answer(fabric, result.plan().get());
        if (CommandWords.isJson(parsed)) {
            CommandWords.printJson(answer, out);
        } else {
            print(answer, out);
        }
        return answer.isGood() ? ExitCode.OK : ExitCode.CHECK_FAILED;
    }

    private static Answer answer(Fabric fabric, CablingPlan plan) {
        return new Answer(
                plan.moves().stream()
                        .map(move -> new MoveText(
                                move.fixedEnd().name(fabric),
                                move.oldEnd().name(fabric),
                                move.newEnd().name(fabric)))
                        .toList(),
                plan.absent().stream()
                        .map(link ->
                                new LinkText(link.a().name(fabric), link.b().name(fabric)))
                        .toList(),
                plan.surplus().stream()
                        .map(port -> new LinkText(fabric.portName(port), fabric.portName(fabric.peer(port))))
                        .toList(),
                plan.empty(),
                plan.unplaced().stream().map(fabric::name).toList());
    }

    private static void print(Answer answer, PrintStream out) {
        answer.empty.forEach(place -> out.println("no switch at " + place));
        answer.unplaced.forEach(name -> out.println("a switch that has no place: " + name));
        if (!answer.moves.isEmpty()) {
            out.println(answer.moves.size() + " cable ends to move; unplug all before you plug in any:");
        }
        answer.moves.forEach(move -> {
            out.println("  the cable at " + move.stays);
            out.println("    from " + move.from);
            out.println("    to   " + move.to);
        });
        answer.absent.forEach(link -> out.println("no cable, or a dead one: " + link.a + " to " + link.b));
        answer.surplus.forEach(link -> out.println("a cable that joins no neighbours: " + link.a + " to " + link.b));
        if (answer.isGood()) {
            out.println("every cable is where it belongs");
        }
    }
}
