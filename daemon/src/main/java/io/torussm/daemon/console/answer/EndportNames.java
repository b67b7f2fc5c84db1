package io.torussm.daemon.console.answer;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.view.NodeSearch;
import io.torussm.view.PlacedSubnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A search for end ports by name, GUID of port or node, LID, or place of a switch. */
public final class EndportNames {
    private static final int MAX_LISTED = 4;

    private final Subnet subnet;
    private final Fabric fabric;
    private final NodeSearch search;

    /**
     * The result of a search.
     *
     * @param lid LID of the end port; 0 unless exactly one end port matches
     * @param problem error text if the LID is 0; else empty
     */
    public record EndportMatch(int lid, String problem) {}

    /**
     * The result of a search for a node.
     *
     * @param node index of the node; {@link Fabric#NONE} unless exactly one node matches
     * @param problem error text if the node is {@link Fabric#NONE}; else empty
     */
    public record Node(int node, String problem) {}

    public EndportNames(PlacedSubnet placed) {
        this.subnet = placed.subnet();
        this.fabric = subnet.fabric();
        this.search = new NodeSearch(fabric, placed::place, node -> true);
    }

    /** Finds an end port. A name takes precedence over a LID, because the name of a node may be a number. */
    public EndportMatch find(String name) {
        List<Integer> matches = new ArrayList<>();
        long guid = NodeSearch.number(name);
        List<Integer> withGuid = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && subnet.lid(port) != 0) {
                int node = fabric.nodeOf(port);
                if (fabric.nodeName(node).equals(name)) {
                    matches.add(port);
                }
                if (guid != 0 && (fabric.portGuid(port) == guid || fabric.nodeGuid(node) == guid)) {
                    withGuid.add(port);
                }
            }
        }
        if (!matches.isEmpty()) {
            return onlyMatch(name, matches);
        }
        if (!withGuid.isEmpty()) {
            return onlyMatch(name, withGuid);
        }
        if (guid > 0 && guid <= subnet.topLid() && subnet.portOfLid((int) guid) != Fabric.NONE) {
            return new EndportMatch((int) guid, "");
        }
        if (NodeSearch.isPlace(name) || search.at(name).length > 0) {
            return switchAt(name);
        }
        List<Integer> candidates = Arrays.stream(search.withFirstWord(name))
                .flatMap(this::endports)
                .boxed()
                .toList();
        if (!candidates.isEmpty()) {
            return withFirstWord(name, candidates);
        }
        return new EndportMatch(
                0,
                "no end port has the name, GUID or LID \"" + Printable.text(name, 64) + "\""
                        + (guid == 0 ? search.suggestion(name) : ""));
    }

    /** Finds a node. Several matching end ports of one node are one match. */
    public Node node(String name) {
        int[] matches = search.find(name);
        if (matches.length == 1) {
            return new Node(matches[0], "");
        }
        EndportMatch found = find(name);
        return found.lid() == 0
                ? new Node(Fabric.NONE, found.problem())
                : new Node(fabric.nodeOf(subnet.portOfLid(found.lid())), "");
    }

    private EndportMatch switchAt(String place) {
        for (int sw : search.at(place)) {
            if (subnet.lid(fabric.port(sw, 0)) != 0) {
                return new EndportMatch(subnet.lid(fabric.port(sw, 0)), "");
            }
        }
        return new EndportMatch(0, "no switch stands at " + (place.startsWith("(") ? place : "(" + place + ")"));
    }

    private IntStream endports(int node) {
        boolean isSwitch = fabric.isSwitch(node);
        return IntStream.rangeClosed(isSwitch ? 0 : 1, isSwitch ? 0 : fabric.numPorts(node))
                .map(portNum -> fabric.port(node, portNum))
                .filter(port -> fabric.isEndport(port) && subnet.lid(port) != 0);
    }

    private EndportMatch withFirstWord(String word, List<Integer> ports) {
        return ports.size() == 1
                ? new EndportMatch(subnet.lid(ports.get(0)), "")
                : new EndportMatch(
                        0,
                        "\"" + Printable.text(word, 64) + "\" is the first word of the names of " + ports.size()
                                + " end ports; write a name in quotes, or a LID: "
                                + ports.stream()
                                        .limit(MAX_LISTED)
                                        .map(port -> "\"" + Printable.text(fabric.nodeName(fabric.nodeOf(port)), 64)
                                                + "\" (LID " + subnet.lid(port) + ")")
                                        .collect(Collectors.joining(", "))
                                + (ports.size() > MAX_LISTED ? ", ..." : ""));
    }

    private EndportMatch onlyMatch(String name, List<Integer> ports) {
        if (ports.size() == 1) {
            return new EndportMatch(subnet.lid(ports.get(0)), "");
        }
        StringBuilder text = new StringBuilder("\"" + Printable.text(name, 64) + "\" is the name of " + ports.size()
                + " end ports, say which by its LID:");
        for (int port : ports.subList(0, Math.min(MAX_LISTED, ports.size()))) {
            text.append(' ').append(subnet.lid(port));
        }
        return new EndportMatch(
                0, text.append(ports.size() > MAX_LISTED ? " ..." : "").toString());
    }
}
