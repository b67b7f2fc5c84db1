package io.torussm.daemon.planning;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.routing.Plan;
import io.torussm.tree.FabricTree;
import io.torussm.view.NodeSearch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parser of failures in texts of operators: {@code SWITCH}, {@code SWITCH:PORT}, or {@code SWITCH--SWITCH}
 * for all cables between two. A switch is named by its description, GUID, coordinates x,y,z, or place in a tree.
 */
public final class FailureParser {
    private static final String SEPARATOR = "--";

    private final Plan plan;
    private final Fabric fabric;
    private final NodeSearch search;

    /** Created when a switch first has no coordinates, since it costs a search of the fabric. */
    private @Nullable FabricTree tree;

    public FailureParser(Plan plan) {
        this.plan = plan;
        fabric = plan.subnet().fabric();
        search = new NodeSearch(fabric, this::place, fabric::isSwitch);
    }

    private String place(int sw) {
        String coordinates = plan.coordinates(sw);
        if (!coordinates.isEmpty()) {
            return coordinates;
        }
        if (tree == null) {
            tree = FabricTree.of(fabric);
        }
        return tree.place(sw);
    }

    /**
     * Parses a failure. A description may contain colons and {@value #SEPARATOR}, so the whole text is tried as a
     * switch first, then the last colon as the separator of a port, then each {@value #SEPARATOR}.
     *
     * @throws IllegalArgumentException if the text denotes no device or several; the message is for the operator
     */
    public Failure parse(String text) {
        int wholeText = find(text);
        if (wholeText != Fabric.NONE) {
            return Failure.ofSwitch(plan, wholeText);
        }
        int colon = text.lastIndexOf(':');
        int sw = colon < 0 ? Fabric.NONE : find(text.substring(0, colon));
        if (sw != Fabric.NONE) {
            return ofCable(sw, text.substring(colon + 1));
        }
        for (int at = text.indexOf(SEPARATOR); at >= 0; at = text.indexOf(SEPARATOR, at + 1)) {
            int a = find(text.substring(0, at));
            int b = find(text.substring(at + SEPARATOR.length()));
            if (a != Fabric.NONE && b != Fabric.NONE) {
                return ofCables(a, b);
            }
        }
        throw new IllegalArgumentException("no switch or link is called \"" + text
                + "\"; write a switch (its name, GUID or place), SWITCH:PORT or SWITCH--SWITCH"
                + search.suggestion(text));
    }

    private Failure ofCable(int sw, String portText) {
        int portNum = portText.matches("\\d{1,3}") ? Integer.parseInt(portText) : 0;
        if (portNum < 1 || portNum > fabric.numPorts(sw)) {
            throw new IllegalArgumentException(
                    Failure.name(plan, sw) + " has ports 1 to " + fabric.numPorts(sw) + ", not \"" + portText + "\"");
        }
        int port = fabric.port(sw, portNum);
        if (fabric.peer(port) == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(fabric.peer(port)))) {
            throw new IllegalArgumentException(Failure.portName(plan, port) + " has no cable to a switch");
        }
        return Failure.ofCable(plan, port);
    }

    private Failure ofCables(int a, int b) {
        List<Integer> cables = new ArrayList<>();
        for (int portNum = 1; portNum <= fabric.numPorts(a); portNum++) {
            int port = fabric.port(a, portNum);
            int far = fabric.peer(port);
            boolean isSecondEnd = a == b && far < port;
            if (far != Fabric.NONE && fabric.nodeOf(far) == b && !isSecondEnd) {
                cables.add(port);
            }
        }
        String name = Failure.name(plan, a) + " to " + Failure.name(plan, b);
        if (cables.isEmpty()) {
            throw new IllegalArgumentException("there is no cable from " + name);
        }
        return new Failure("link " + name, List.of(), cables);
    }

    private int find(String text) {
        int[] found = search.find(text);
        if (found.length > 1) {
            throw new IllegalArgumentException("more than one switch is called \"" + text + "\"; name it by its GUID: "
                    + Guid.format(fabric.nodeGuid(found[0])) + " or " + Guid.format(fabric.nodeGuid(found[1])));
        }
        return found.length == 0 ? Fabric.NONE : found[0];
    }
}
