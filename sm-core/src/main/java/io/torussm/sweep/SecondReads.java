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
 * The second reads of new or changed attributes of devices by the next light sweeps. If a device gives a wrong
 * answer in a sweep and a right one later, it does not report the difference. Without these reads the error would
 * remain. Owner thread: the loop.
 */
final class SecondReads {
    /** Number of light sweeps that read a change again: one minute at the default {@code sweep_interval}. */
    static final int LIGHT_SWEEPS_AFTER_CHANGE = 6;

    /** Number of light sweeps that read a new fabric again. */
    static final int LIGHT_SWEEPS_AFTER_FIRST_SWEEP = 2;

    /** The mark for NodeInfo of the device, in place of a port number. */
    static final int NODE = -1;

    /** The number of differences after which an attribute is not read again. */
    private static final int MAX_CONTRADICTIONS = 4;

    /** Number of light sweeps that still read an attribute, by NodeGUID and port number or {@link #NODE}. */
    private final Map<NodePort, Integer> remainingReads = new LinkedHashMap<>();

    private final Map<NodePort, Integer> contradictions = new HashMap<>();
    private @Nullable Fabric lastFabric;

    /** Handles the end of a sweep with this fabric. */
    void onSweepEnd(Fabric currentFabric) {
        Fabric previousFabric = lastFabric;
        int times = previousFabric == null ? LIGHT_SWEEPS_AFTER_FIRST_SWEEP : LIGHT_SWEEPS_AFTER_CHANGE;
        lastFabric = currentFabric;
        remainingReads.keySet().removeIf(place -> currentFabric.nodeByGuid(place.nodeGuid()) == Fabric.NONE);
        for (int node = 0; node < currentFabric.nodeCount(); node++) {
            int previousNode =
                    previousFabric == null ? Fabric.NONE : previousFabric.nodeByGuid(currentFabric.nodeGuid(node));
            if (previousFabric == null
                    || previousNode == Fabric.NONE
                    || !previousFabric
                            .node(previousNode)
                            .info()
                            .equals(currentFabric.node(node).info())) {
                begin(new NodePort(currentFabric.nodeGuid(node), NODE), times);
            }
            for (int portNum = 0; portNum <= currentFabric.numPorts(node); portNum++) {
                NodePort port = new NodePort(currentFabric.nodeGuid(node), portNum);
                int previousPort = previousFabric == null ? Fabric.NONE : previousFabric.port(port);
                PortInfo known = previousFabric == null || previousPort == Fabric.NONE
                        ? null
                        : previousFabric.portInfo(previousPort);
                PortInfo info = currentFabric.portInfo(currentFabric.port(node, portNum));
                if (info != null && (known == null || !Consistency.agrees(known, info))) {
                    begin(port, times);
                }
            }
        }
    }

    private void begin(NodePort place, int times) {
        if (contradictions.getOrDefault(place, 0) < MAX_CONTRADICTIONS) {
            remainingReads.put(place, times);
        }
    }

    /**
     * Returns the attributes that a light sweep reads again, by NodeGUID and port number or {@link #NODE}.
     */
    Set<NodePort> due() {
        return new LinkedHashSet<>(remainingReads.keySet());
    }

    /**
     * Handles the end of a light sweep.
     *
     * @param attributes attributes that were read again
     * @param contradicted attributes whose second read differs from the first
     */
    void onLightSweepEnd(Set<NodePort> attributes, List<NodePort> contradicted) {
        attributes.forEach(each ->
                remainingReads.computeIfPresent(each, (attribute, remaining) -> remaining > 1 ? remaining - 1 : null));
        contradicted.forEach(each -> contradictions.merge(each, 1, Integer::sum));
    }

    /** Forgets all devices, because another SM is master. */
    void forget() {
        remainingReads.clear();
        contradictions.clear();
        lastFabric = null;
    }
}
