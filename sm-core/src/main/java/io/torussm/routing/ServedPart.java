package io.torussm.routing;

import io.torussm.event.DeviceText;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The part of a subnet that previous tables serve: switches with a table, the usable cables between them, and
 * the end ports for which the table of their switch has entries. All other devices have no routes until the
 * fabric is routed again: they wait.
 *
 * @param subnet subnet of the served part; it has indexes of its own if any device waits
 * @param waiting devices that are not served
 */
record ServedPart(Subnet subnet, List<DeviceText> waiting) {

    /** The served devices of a subnet, by indexes of its fabric. */
    interface Tables {
        /** Checks whether a switch has a table. */
        boolean hasSwitch(int sw);

        /** Checks whether the cable at a port of a switch, which leads to another switch, may be used. */
        boolean hasCable(int port);

        /** Checks whether there are routes to an end port of a host that is attached to a switch with a table. */
        boolean hasEndport(int endport);
    }

    /**
     * Returns the served part of a subnet.
     *
     * @return served part; empty if the port of the SM is not served
     */
    static Optional<ServedPart> of(Subnet subnet, Tables tables) {
        Fabric fabric = subnet.fabric();
        int localPort = fabric.localPort();
        int ownSwitch = fabric.switchOf(localPort);
        if (ownSwitch == Fabric.NONE
                || !tables.hasSwitch(ownSwitch)
                || (ownSwitch != fabric.nodeOf(localPort) && !tables.hasEndport(localPort))) {
            return Optional.empty();
        }
        return Optional.of(find(subnet, tables));
    }

    private static ServedPart find(Subnet subnet, Tables tables) {
        Fabric fabric = subnet.fabric();
        List<Integer> cut = new ArrayList<>();
        List<DeviceText> waiting = new ArrayList<>();
        Set<Long> namedGuids = new HashSet<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            boolean isServed = tables.hasSwitch(sw);
            if (!isServed) {
                namedGuids.add(fabric.nodeGuid(sw));
                waiting.add(fabric.device(sw));
            }
            for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                int far = fabric.peer(port);
                if (far != Fabric.NONE && (!isServed || !isServed(fabric, port, far, tables))) {
                    cut.add(port);
                    if (isServed && (!fabric.isSwitch(fabric.nodeOf(far)) || tables.hasSwitch(fabric.nodeOf(far)))) {
                        namedGuids.add(fabric.nodeGuid(fabric.nodeOf(far)));
                        waiting.add(fabric.devicePort(far));
                    }
                }
            }
        }
        return cut.isEmpty() ? new ServedPart(subnet, List.of()) : without(subnet, cut, waiting, namedGuids);
    }

    private static boolean isServed(Fabric fabric, int port, int far, Tables tables) {
        int node = fabric.nodeOf(far);
        return fabric.isSwitch(node) ? tables.hasSwitch(node) && tables.hasCable(port) : tables.hasEndport(far);
    }

    /** @param namedGuids node GUIDs of the waiting devices; devices that only waiting devices connect are added */
    private static ServedPart without(
            Subnet subnet, List<Integer> cut, List<DeviceText> waiting, Set<Long> namedGuids) {
        Fabric fabric = subnet.fabric();
        FabricBuilder builder = FabricBuilder.of(fabric);
        cut.forEach(port -> builder.unlink(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port)));
        builder.retrace();
        Fabric part = builder.build();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            if (part.nodeByGuid(fabric.nodeGuid(node)) == Fabric.NONE && namedGuids.add(fabric.nodeGuid(node))) {
                waiting.add(fabric.device(node));
            }
        }
        return new ServedPart(subnet.restrictedTo(part), waiting);
    }
}
