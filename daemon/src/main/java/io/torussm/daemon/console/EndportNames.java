package io.torussm.daemon.console;

import io.torussm.event.Spelling;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.subnet.Subnet;
import io.torussm.view.PlacedSubnet;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Finds the end port that an operator means: by node description, GUID of port or node, LID, or place of a switch. */
final class EndportNames {
    private static final int LISTED = 4;
    private static final Pattern PLACE = Pattern.compile("\\d{1,5},\\d{1,5},\\d{1,5}|\\(\\d{1,5},\\d{1,5},\\d{1,5}\\)");

    private static final Pattern IBNETDISCOVER = Pattern.compile("[SHR]-\\p{XDigit}{16}");

    private final Subnet subnet;
    private final Fabric fabric;
    private final PlacedSubnet placed;

    /**
     * What came of looking.
     *
     * @param lid a LID of the end port, 0 if none or more than one is meant
     * @param problem why, empty if {@code lid} is not 0
     */
    record Found(int lid, String problem) {}

    /**
     * What came of looking for a node.
     *
     * @param node {@link Fabric#NONE} if none or more than one is meant
     * @param problem why, empty if there is one
     */
    record Node(int node, String problem) {}

    EndportNames(PlacedSubnet placed) {
        this.placed = placed;
        this.subnet = placed.subnet();
        this.fabric = subnet.fabric();
    }

    /** A node description goes before a number: a node may be called 17. */
    Found find(String name) {
        List<Integer> named = new ArrayList<>();
        long guid = number(name);
        List<Integer> withGuid = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && subnet.lid(port) != 0) {
                int node = fabric.nodeOf(port);
                if (fabric.node(node).description().equals(name)) {
                    named.add(port);
                }
                if (guid != 0 && (fabric.portGuid(port) == guid || fabric.nodeGuid(node) == guid)) {
                    withGuid.add(port);
                }
            }
        }
        if (!named.isEmpty()) {
            return one(name, named);
        }
        if (!withGuid.isEmpty()) {
            return one(name, withGuid);
        }
        if (guid > 0 && guid <= subnet.topLid() && subnet.portOfLid((int) guid) != Fabric.NONE) {
            return new Found((int) guid, "");
        }
        if (PLACE.matcher(name).matches()) {
            return at(name.startsWith("(") ? name : "(" + name + ")");
        }
        return new Found(
                0,
                "no end port has the name, GUID or LID \"" + Printable.text(name, 64) + "\""
                        + (guid == 0 ? suggestion(name) : ""));
    }

    /** The node that is meant; several end ports of one node are no matter. */
    Node node(String name) {
        int[] named = IntStream.range(0, fabric.nodeCount())
                .filter(node -> fabric.node(node).description().equals(name))
                .limit(2)
                .toArray();
        int withGuid = named.length == 0 ? fabric.nodeByGuid(number(name)) : Fabric.NONE;
        if (named.length == 1 || withGuid != Fabric.NONE) {
            return new Node(named.length == 1 ? named[0] : withGuid, "");
        }
        Found found = find(name);
        return found.lid() == 0
                ? new Node(Fabric.NONE, found.problem())
                : new Node(fabric.nodeOf(subnet.portOfLid(found.lid())), "");
    }

    private Found at(String place) {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int lid = subnet.lid(fabric.port(sw, 0));
            if (lid != 0 && placed.place(sw).equals(place)) {
                return new Found(lid, "");
            }
        }
        return new Found(0, "no switch stands at " + place);
    }

    private String suggestion(String name) {
        Set<String> known = new LinkedHashSet<>();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            known.add(fabric.node(node).description());
        }
        known.remove("");
        return Spelling.like(name, known)
                .map(like -> "; did you mean \"" + Printable.text(like, 64) + "\"?")
                .orElse("");
    }

    private Found one(String name, List<Integer> ports) {
        if (ports.size() == 1) {
            return new Found(subnet.lid(ports.get(0)), "");
        }
        StringBuilder text = new StringBuilder("\"" + Printable.text(name, 64) + "\" is the name of " + ports.size()
                + " end ports, say which by its LID:");
        for (int port : ports.subList(0, Math.min(LISTED, ports.size()))) {
            text.append(' ').append(subnet.lid(port));
        }
        return new Found(0, text.append(ports.size() > LISTED ? " ..." : "").toString());
    }

    /** Also of names as ibnetdiscover prints them, such as {@code S-0000000000200060}. */
    private static long number(String text) {
        try {
            if (IBNETDISCOVER.matcher(text).matches()) {
                return Guid.parse("0x" + text.substring(2));
            }
            return Guid.parse(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
