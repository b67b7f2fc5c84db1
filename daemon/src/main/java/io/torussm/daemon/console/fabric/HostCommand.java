package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.EndportNames;
import io.torussm.daemon.console.answer.PortFacts;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.fabric.Fabric;
import io.torussm.view.FabricState;
import java.util.List;

/** The command that shows one host with its ports, services and faults. */
public final class HostCommand {
    private final SmControl control;

    public HostCommand(SmControl control) {
        this.control = control;
    }

    public Command command() {
        return Command.query(
                "host NODE",
                "a host: faults, ports, path to the SM, P_Keys, groups, virtual ports, errors, cable failures",
                this::host,
                "NODE is a name (in quotes if it has blanks), a GUID or a LID.",
                "A host that is away is shown with the time and place at which it was last seen.");
    }

    private Answer host(List<String> arguments) {
        if (arguments.size() != 1) {
            throw new UsageException();
        }
        FabricState state = control.state();
        return Answer.ofDiscoveredSubnet(state, placed -> {
            EndportNames.Node found = new EndportNames(placed).node(arguments.get(0));
            if (found.node() == Fabric.NONE) {
                return Answer.refusal(
                        AbsentCommand.find(state, arguments.get(0)).orElse(found.problem()));
            }
            return placed.fabric().isSwitch(found.node())
                    ? Answer.refusal(
                            PortFacts.name(placed.fabric(), found.node()) + " is a switch; see the command switch")
                    : Answer.of(new HostReport(control, state, placed).host(found.node()));
        });
    }
}
