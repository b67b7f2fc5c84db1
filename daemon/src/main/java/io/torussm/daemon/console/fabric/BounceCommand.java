package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.EndportNames;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.PortFacts;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.planning.Failure;
import io.torussm.daemon.planning.WhatIf;
import io.torussm.fabric.Fabric;
import io.torussm.program.port.LinkBounce;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command that takes a link down so that it trains again. Without {@code yes} it only shows the effects. */
public final class BounceCommand {
    private static final String YES = "yes";

    private final SmControl control;

    /**
     * The effects of the loss of the link while it trains.
     *
     * @param port name of the port
     * @param cabledTo name of the port at the other end
     * @param loss effects on the routes; null for the link of a host, which carries only packets of that host
     * @param isRequested true if the link was taken down
     */
    private record Bounce(String port, String cabledTo, WhatIf.@Nullable Outcome loss, boolean isRequested)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(port + ", cabled to " + cabledTo);
            if (loss == null) {
                lines.add("the host has no link while it trains; no other path changes");
            } else if (loss.isRouted()) {
                lines.add("without the link: " + loss.changedPairs() + " of " + loss.pairs()
                        + " pairs take another way, " + loss.lostPairs() + " have none, SL changes: "
                        + loss.changedSls());
                lines.add("proof: " + loss.proof());
            } else {
                lines.add("WITHOUT THE LINK THERE ARE NO ROUTES: " + loss.reason());
                lines.add("the switches keep their tables until the link is up again");
            }
            lines.add(isRequested ? "bounce requested" : "nothing was done; append yes to take the link down");
            return lines;
        }
    }

    public BounceCommand(SmControl control) {
        this.control = control;
    }

    public List<Command> commands() {
        return List.of(Command.change(
                "bounce NODE PORT [yes]",
                "take a link down to train it again; without yes, show the effect of its loss",
                this::bounce,
                "NODE is a name (in quotes if it has blanks), a GUID, a LID, or the place of a switch, x,y,z.",
                "MTU, VLs, width and speed of a link can only change while it trains."));
    }

    private Answer bounce(List<String> arguments) {
        boolean isSure = arguments.size() == 3 && arguments.get(2).equals(YES);
        if (arguments.size() < 2 || (arguments.size() > 2 && !isSure)) {
            throw new UsageException();
        }
        if (!arguments.get(1).matches("\\d{1,3}")) {
            throw new UsageException("PORT is a number");
        }
        int portNum = Integer.parseInt(arguments.get(1));
        return Answer.from(control.view(), view -> bounce(view, arguments.get(0), portNum, isSure));
    }

    private Answer bounce(PublishedView view, String name, int portNum, boolean isSure) {
        Fabric fabric = view.subnet().fabric();
        EndportNames.Node found = new EndportNames(view.placed()).node(name);
        if (found.node() == Fabric.NONE) {
            return Answer.refusal(found.problem());
        }
        if (portNum == 0 || portNum > fabric.numPorts(found.node())) {
            return Answer.refusal(
                    PortFacts.name(fabric, found.node()) + " has ports 1 to " + fabric.numPorts(found.node()));
        }
        int port = fabric.port(found.node(), portNum);
        String objection = LinkBounce.objection(fabric, port);
        if (!objection.isEmpty()) {
            return Answer.refusal(objection);
        }
        Bounce facts = new Bounce(fabric.portName(port), fabric.portName(fabric.peer(port)), loss(view, port), isSure);
        if (isSure) {
            control.requestBounce(fabric.nodeGuid(found.node()), portNum);
        }
        return Answer.of(facts);
    }

    private WhatIf.@Nullable Outcome loss(PublishedView view, int port) {
        Fabric fabric = view.subnet().fabric();
        boolean isBetweenSwitches =
                fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(fabric.peer(port)));
        return isBetweenSwitches
                ? new WhatIf(view.plan(), control.routing(), control.routingOptions())
                        .of(Failure.ofCable(view.plan(), port))
                : null;
    }
}
