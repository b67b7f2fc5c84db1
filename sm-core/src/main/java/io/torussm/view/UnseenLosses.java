package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.subnet.Neighbors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Cables that were lost while a switch at one of their ends was left out or did not answer. */
public final class UnseenLosses {
    private final Fabric fabric;

    /** By the port GUID of port 0. */
    private final Map<Long, Integer> switches = new HashMap<>();

    private UnseenLosses(Fabric fabric) {
        this.fabric = fabric;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            switches.put(fabric.portGuid(fabric.port(sw, 0)), sw);
        }
    }

    /**
     * Returns these cables.
     *
     * @param then the fabric before
     * @param isLeftOut whether a port is there, but has no part in the subnet
     * @param neighbors knows all cables that were there once
     */
    public static List<LostCable> of(
            Fabric then, PlacedSubnet found, Predicate<NodePort> isLeftOut, Neighbors neighbors, Instant now) {
        UnseenLosses losses = new UnseenLosses(found.fabric());
        List<LostCable> unseen = new ArrayList<>();
        if (losses.hasMoreThan(then)) {
            for (Map.Entry<Neighbors.End, Neighbors.End> cable : neighbors.cables()) {
                int near = losses.freePort(cable.getKey(), isLeftOut);
                int far = losses.freePort(cable.getValue(), isLeftOut);
                if (near != Fabric.NONE && far != Fabric.NONE) {
                    unseen.add(new LostCable(LostCable.End.of(found, near), LostCable.End.of(found, far), now));
                }
            }
        }
        return unseen;
    }

    private boolean hasMoreThan(Fabric then) {
        return switches.values().stream().anyMatch(sw -> then.nodeByGuid(fabric.nodeGuid(sw)) == Fabric.NONE);
    }

    private int freePort(Neighbors.End end, Predicate<NodePort> isLeftOut) {
        Integer sw = switches.get(end.portGuid());
        if (sw == null || end.portNum() > fabric.numPorts(sw)) {
            return Fabric.NONE;
        }
        int port = fabric.port(sw, end.portNum());
        return fabric.peer(port) == Fabric.NONE && !isLeftOut.test(fabric.nodePort(port)) ? port : Fabric.NONE;
    }
}
