package io.torussm.partition;

import io.torussm.fabric.Fabric;
import io.torussm.partition.PartitionConf.Partition;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** The wanted P_Keys of some end ports, without indexes. */
final class PartitionWishes {
    private static final int[] NOTHING = {};

    private final Fabric fabric;
    private final boolean allowsBoth;

    /** By port index; null for ports that are not planned. */
    private final int[][] pKeys;

    private final int[] index0;
    private final Map<Long, Integer> portOfGuid = new HashMap<>();

    PartitionWishes(Fabric fabric, boolean allowsBoth, BitSet endPorts) {
        this.fabric = fabric;
        this.allowsBoth = allowsBoth;
        this.pKeys = new int[fabric.portCount()][];
        this.index0 = new int[fabric.portCount()];
        endPorts.stream().forEach(port -> {
            pKeys[port] = NOTHING;
            portOfGuid.putIfAbsent(fabric.portGuid(port), port);
        });
    }

    int[] of(int port) {
        return pKeys[port];
    }

    /** Returns the key for index 0: the marked one, else the default one. */
    int index0(int port) {
        return index0[port] != 0 ? index0[port] : PKeys.DEFAULT;
    }

    void add(Partition partition) {
        LastRules last = new LastRules(partition);
        if (last.hasClasses()) {
            for (int port = 0; port < pKeys.length; port++) {
                if (pKeys[port] != null) {
                    add(partition, port, last);
                }
            }
        } else {
            last.guids().forEach(guid -> {
                Integer port = portOfGuid.get(guid);
                if (port != null && port != fabric.localPort()) {
                    add(partition, port, last);
                }
            });
            if (pKeys[fabric.localPort()] != null) {
                add(partition, fabric.localPort(), last);
            }
        }
    }

    private void add(Partition partition, int port, LastRules last) {
        boolean isSelf = port == fabric.localPort();
        int nodeType = fabric.node(fabric.nodeOf(port)).info().nodeType();
        boolean isAtIndex0 =
                last.addTo(pKey -> append(port, pKey), nodeType, fabric.portGuid(port), isSelf, allowsBoth);
        if (isAtIndex0 && index0[port] == 0) {
            index0[port] = partition.pKey();
        }
    }

    private void append(int port, int pKey) {
        int[] longer = Arrays.copyOf(pKeys[port], pKeys[port].length + 1);
        longer[longer.length - 1] = pKey;
        pKeys[port] = longer;
    }
}
