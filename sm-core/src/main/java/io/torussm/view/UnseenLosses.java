package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.subnet.Neighbors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The search for cables that were lost while a switch at one of their ends was excluded, or one of their ports
 * did not respond.
 */
public final class UnseenLosses {
    private UnseenLosses() {}

    /**
     * Returns these cables. The search is made only if a switch is new, or responds again for a port.
     *
     * @param oldFabric fabric of the previous discovery
     * @param found subnet of this discovery
     * @param isLeftOut test whether a port is present, but excluded from the subnet
     * @param neighbors all cables that were ever present
     * @param now time of this discovery
     */
    public static List<LostCable> of(
            Fabric oldFabric, PlacedSubnet found, Predicate<NodePort> isLeftOut, Neighbors neighbors, Instant now) {
        Fabric fabric = found.fabric();
        if (IntStream.range(0, fabric.switchCount()).noneMatch(sw -> hasMoreThan(oldFabric, fabric, sw))) {
            return List.of();
        }
        Map<Long, Integer> ports = Absences.endports(fabric);
        List<LostCable> unseen = new ArrayList<>();
        for (Map.Entry<Neighbors.CableEnd, Neighbors.CableEnd> cable : neighbors.cables()) {
            int near = Absences.port(fabric, ports, cable.getKey());
            int far = Absences.port(fabric, ports, cable.getValue());
            if (isFree(fabric, near, isLeftOut) && isFree(fabric, far, isLeftOut)) {
                unseen.add(new LostCable(LostCable.LostEnd.of(found, near), LostCable.LostEnd.of(found, far), now));
            }
        }
        return unseen;
    }

    /** Checks whether a switch is new, or returns the PortInfo of a port for which it did not respond before. */
    private static boolean hasMoreThan(Fabric oldFabric, Fabric fabric, int sw) {
        int oldSwitch = oldFabric.nodeByGuid(fabric.nodeGuid(sw));
        return oldSwitch == Fabric.NONE
                || IntStream.rangeClosed(1, Math.min(oldFabric.numPorts(oldSwitch), fabric.numPorts(sw)))
                        .anyMatch(portNum -> oldFabric.portInfo(oldFabric.port(oldSwitch, portNum)) == null
                                && fabric.portInfo(fabric.port(sw, portNum)) != null);
    }

    /** Checks whether the PortInfo of a port was not read, so that its cable may be intact. */
    public static boolean isUnread(Fabric fabric, NodePort end) {
        int node = fabric.nodeByGuid(end.nodeGuid());
        return node != Fabric.NONE
                && end.portNum() <= fabric.numPorts(node)
                && fabric.portInfo(fabric.port(node, end.portNum())) == null;
    }

    /** Checks whether a port of a switch has no cable, and is not excluded. */
    private static boolean isFree(Fabric fabric, int port, Predicate<NodePort> isLeftOut) {
        return port != Fabric.NONE
                && fabric.isSwitch(fabric.nodeOf(port))
                && fabric.peer(port) == Fabric.NONE
                && !isLeftOut.test(fabric.nodePort(port));
    }
}
