package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.smp.PortInfo;
import io.torussm.stage.Consistency;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Second reads of new or changed attributes of devices by the next light sweeps. A device that gave a wrong
 * answer in a sweep and a right one later does not report that, and without these reads the error would
 * remain. Owner thread: the loop.
 */
final class SecondReads {
    /** Number of light sweeps that read a change again: a minute by default. */
    static final int LOOKS = 6;

    /** Number of light sweeps that read a new fabric again. */
    static final int LOOKS_AT_FIRST = 2;

    /** The mark for NodeInfo of the device, in place of a port number. */
    static final int NODE = -1;

    /** The number of differences after which an attribute is not read again. */
    private static final int MAX_CONTRADICTIONS = 4;

    /** Remaining light sweeps, by the attribute that they read. */
    private final Map<NodePort, Integer> looks = new LinkedHashMap<>();

    private final Map<NodePort, Integer> contradictions = new HashMap<>();
    private @Nullable Fabric last;

    /** Handles the end of a sweep with this fabric. */
    void swept(Fabric currentFabric) {
        Fabric previousFabric = last;
        int times = previousFabric == null ? LOOKS_AT_FIRST : LOOKS;
        last = currentFabric;
        looks.keySet().removeIf(place -> currentFabric.nodeByGuid(place.nodeGuid()) == Fabric.NONE);
        for (int node = 0; node < currentFabric.nodeCount(); node++) {
            int then = previousFabric == null ? Fabric.NONE : previousFabric.nodeByGuid(currentFabric.nodeGuid(node));
            if (previousFabric == null
                    || then == Fabric.NONE
                    || !previousFabric
                            .node(then)
                            .info()
                            .equals(currentFabric.node(node).info())) {
                begin(new NodePort(currentFabric.nodeGuid(node), NODE), times);
            }
            for (int portNum = 0; portNum <= currentFabric.numPorts(node); portNum++) {
                NodePort port = new NodePort(currentFabric.nodeGuid(node), portNum);
                int same = previousFabric == null ? Fabric.NONE : previousFabric.port(port);
                PortInfo known = previousFabric == null || same == Fabric.NONE ? null : previousFabric.portInfo(same);
                PortInfo info = currentFabric.portInfo(currentFabric.port(node, portNum));
                if (info != null && (known == null || !Consistency.agrees(known, info))) {
                    begin(port, times);
                }
            }
        }
    }

    private void begin(NodePort place, int times) {
        if (contradictions.getOrDefault(place, 0) < MAX_CONTRADICTIONS) {
            looks.put(place, times);
        }
    }

    /**
     * Returns the attributes that a light sweep reads again, by NodeGUID and port number or {@link #NODE}.
     */
    Set<NodePort> due() {
        return new LinkedHashSet<>(looks.keySet());
    }

    /**
     * Handles the end of a light sweep.
     *
     * @param contradicted attributes whose answer differs from the previous one
     */
    void asked(Set<NodePort> what, List<NodePort> contradicted) {
        what.forEach(each -> looks.computeIfPresent(each, (same, left) -> left > 1 ? left - 1 : null));
        contradicted.forEach(each -> contradictions.merge(each, 1, Integer::sum));
    }

    /** Forgets all devices, because another SM is master. */
    void forget() {
        looks.clear();
        contradictions.clear();
        last = null;
    }
}
