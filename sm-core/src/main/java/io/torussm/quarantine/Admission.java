package io.torussm.quarantine;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * A fabric without its excluded parts.
 *
 * @param fabric the remaining fabric, to whose indexes the other components refer
 * @param tolerated indexes of failed nodes that cannot be excluded
 * @param borders indexes of ports that lead to an excluded part
 */
public record Admission(Fabric fabric, BitSet tolerated, BitSet borders) {
    /**
     * Returns a fabric without some parts, and without links that cannot be activated.
     *
     * @param out devices and ports to exclude; devices that only they connect are excluded, too
     * @param tolerated NodeGUIDs of failed nodes that cannot be excluded
     */
    static Admission without(Fabric found, Set<Part> out, Set<Long> tolerated) {
        Set<Part> lame = unreadableLinks(found);
        if (out.isEmpty() && lame.isEmpty()) {
            return new Admission(found, nodes(found, tolerated), new BitSet());
        }
        FabricBuilder rest = FabricBuilder.of(found);
        Set<Part> borders = new HashSet<>();
        for (Part part : out) {
            int node = found.nodeByGuid(part.nodeGuid());
            int first = part.isDevice() ? 1 : part.portNum();
            int last = part.isDevice() ? found.numPorts(node) : part.portNum();
            for (int portNum = first; portNum <= last; portNum++) {
                int far = found.peer(found.port(node, portNum));
                if (far != Fabric.NONE) {
                    borders.add(new Part(found.nodeGuid(found.nodeOf(far)), found.portNum(far)));
                    rest.unlink(part.nodeGuid(), portNum);
                }
            }
        }
        lame.forEach(part -> rest.unlink(part.nodeGuid(), part.portNum()));
        rest.retrace();
        Fabric fabric = rest.build();
        BitSet ports = new BitSet();
        for (Part border : borders) {
            int node = fabric.nodeByGuid(border.nodeGuid());
            if (node != Fabric.NONE) {
                ports.set(fabric.port(node, border.portNum()));
            }
        }
        return new Admission(fabric, nodes(fabric, tolerated), ports);
    }

    /**
     * Returns the ends without PortInfo of links between switches. Such links cannot be activated.
     */
    private static Set<Part> unreadableLinks(Fabric found) {
        Set<Part> lame = new HashSet<>();
        for (int sw = 0; sw < found.switchCount(); sw++) {
            for (int portNum = 1; portNum <= found.numPorts(sw); portNum++) {
                int port = found.port(sw, portNum);
                int far = found.peer(port);
                if (found.portInfo(port) == null && far != Fabric.NONE && found.isSwitch(found.nodeOf(far))) {
                    lame.add(new Part(found.nodeGuid(sw), portNum));
                }
            }
        }
        return lame;
    }

    private static BitSet nodes(Fabric fabric, Set<Long> guids) {
        BitSet nodes = new BitSet();
        guids.stream()
                .mapToInt(fabric::nodeByGuid)
                .filter(node -> node != Fabric.NONE)
                .forEach(nodes::set);
        return nodes;
    }

    /** Checks whether the SM depends on a node: its own node, and the switch that is attached to it. */
    static boolean isIndispensable(Fabric fabric, int node) {
        return node == fabric.nodeOf(fabric.localPort()) || node == fabric.localSwitch();
    }
}
