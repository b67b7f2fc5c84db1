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
 * Answers of devices that are new or changed, which the next light sweeps ask for again. A device that was false in a sweep and
 * is true again reports nothing, so nothing else would look at it. Owner thread: the loop.
 */
final class Confirmations {
    /** Light sweeps that ask again for what has changed: a minute by default. */
    static final int LOOKS = 6;

    /** Light sweeps that ask again for a fabric that was not known before. */
    static final int LOOKS_AT_FIRST = 2;

    /** In place of a port number: the NodeInfo of the device. */
    static final int NODE = -1;

    /** What differs as often by itself is not asked for any more. */
    private static final int MAX_CONTRADICTIONS = 4;

    /** Light sweeps that are left, by what they ask for. */
    private final Map<NodePort, Integer> looks = new LinkedHashMap<>();

    private final Map<NodePort, Integer> contradictions = new HashMap<>();
    private @Nullable Fabric last;

    /** A sweep is over, after which the fabric is known like this. */
    void swept(Fabric now) {
        Fabric before = last;
        int times = before == null ? LOOKS_AT_FIRST : LOOKS;
        last = now;
        looks.keySet().removeIf(what -> now.nodeByGuid(what.nodeGuid()) == Fabric.NONE);
        for (int node = 0; node < now.nodeCount(); node++) {
            int then = before == null ? Fabric.NONE : before.nodeByGuid(now.nodeGuid(node));
            if (before == null
                    || then == Fabric.NONE
                    || !before.node(then).info().equals(now.node(node).info())) {
                begin(new NodePort(now.nodeGuid(node), NODE), times);
            }
            for (int portNum = 0; portNum <= now.numPorts(node); portNum++) {
                NodePort port = new NodePort(now.nodeGuid(node), portNum);
                int same = before == null ? Fabric.NONE : before.port(port);
                PortInfo known = before == null || same == Fabric.NONE ? null : before.portInfo(same);
                PortInfo info = now.portInfo(now.port(node, portNum));
                if (info != null && (known == null || !Consistency.agrees(known, info))) {
                    begin(port, times);
                }
            }
        }
    }

    private void begin(NodePort what, int times) {
        if (contradictions.getOrDefault(what, 0) < MAX_CONTRADICTIONS) {
            looks.put(what, times);
        }
    }

    /** Returns what a light sweep is to ask for, by NodeGUID and port number or {@link #NODE}. */
    Set<NodePort> due() {
        return new LinkedHashSet<>(looks.keySet());
    }

    /**
     * A light sweep is over.
     *
     * @param contradicted what was answered otherwise than before
     */
    void asked(Set<NodePort> what, List<NodePort> contradicted) {
        what.forEach(each -> looks.computeIfPresent(each, (same, left) -> left > 1 ? left - 1 : null));
        contradicted.forEach(each -> contradictions.merge(each, 1, Integer::sum));
    }

    /** Forgets all devices: another SM is master. */
    void forget() {
        looks.clear();
        contradictions.clear();
        last = null;
    }
}
