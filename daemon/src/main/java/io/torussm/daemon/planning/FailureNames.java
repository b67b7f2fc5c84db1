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
 * The parser of failures: {@code SWITCH}, {@code SWITCH:PORT}, or {@code SWITCH--SWITCH} for all cables
 * between two. A switch is named by its description, GUID, coordinates x,y,z, or place in a tree.
 */
public final class FailureNames {
    private static final String BETWEEN = "--";

    private final Plan plan;
    private final Fabric fabric;
    private final NodeSearch search;
    private @Nullable FabricTree tree;

    public FailureNames(Plan plan) {
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
     * Returns the failure with a name.
     *
     * @throws IllegalArgumentException if the name fits none, or more than one; with a message for the
     *     operator
     */
    public Failure parse(String text) {
        int whole = find(text);
        if (whole != Fabric.NONE) {
            return Failure.ofSwitch(plan, whole);
        }
        int colon = text.lastIndexOf(':');
        int sw = colon < 0 ? Fabric.NONE : find(text.substring(0, colon));
        if (sw != Fabric.NONE) {
            return cable(sw, text.substring(colon + 1));
        }
        for (int at = text.indexOf(BETWEEN); at >= 0; at = text.indexOf(BETWEEN, at + 1)) {
            int a = find(text.substring(0, at));
            int b = find(text.substring(at + BETWEEN.length()));
            if (a != Fabric.NONE && b != Fabric.NONE) {
                return between(a, b);
            }
        }
        throw new IllegalArgumentException("no switch or link is called \"" + text
                + "\"; write a switch (its name, GUID or place), SWITCH:PORT or SWITCH--SWITCH"
                + search.suggestion(text));
    }

    private Failure cable(int sw, String portText) {
        int portNum = portText.matches("\\d{1,3}") ? Integer.parseInt(portText) : 0;
        if (portNum < 1 || portNum > fabric.numPorts(sw)) {
            throw new IllegalArgumentException(
                    Failure.name(plan, sw) + " has ports 1 to " + fabric.numPorts(sw) + ", not \"" + portText + "\"");
        }
        int port = fabric.port(sw, portNum);
        if (fabric.peer(port) == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(fabric.peer(port)))) {
            throw new IllegalArgumentException(Failure.end(plan, port) + " has no cable to a switch");
        }
        return Failure.ofCable(plan, port);
    }

    private Failure between(int a, int b) {
        List<Integer> cables = new ArrayList<>();
        for (int portNum = 1; portNum <= fabric.numPorts(a); portNum++) {
            int far = fabric.peer(fabric.port(a, portNum));
            if (far != Fabric.NONE && fabric.nodeOf(far) == b) {
                cables.add(fabric.port(a, portNum));
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
