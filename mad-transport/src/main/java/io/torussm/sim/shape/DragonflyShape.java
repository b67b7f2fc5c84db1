package io.torussm.sim.shape;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.topology.Topology;

/**
 * A dragonfly (Kim, Dally and others, ISCA 2008): groups of A switches, each switch with a cable to all others of its
 * group, to P hosts, and with H cables to other groups. Any two groups have the same number of cables; ports for cables
 * that cannot be divided evenly stay empty. Ports of a switch in order: other switches of the group, other groups,
 * hosts. Names are {@code sw-GROUP-NUMBER} and {@code host-GROUP-SWITCH-NUMBER}.
 */
final class DragonflyShape {
    static final String GRAMMAR = "dragonfly:A,P,H[,GROUPS] (A switches a group, P hosts and H global cables a switch)";

    private final int size; // A: switches of a group
    private final int hosts; // P: hosts of a switch
    private final int global; // H: cables of a switch to other groups
    private final int groups;
    private final int ports; // ports of a switch

    private DragonflyShape(SpecWords words) {
        words.checkSize(3, 4);
        size = words.number(0, "A", 1, NodeInfo.MAX_PORT_NUM);
        hosts = words.number(1, "P", 0, NodeInfo.MAX_PORT_NUM);
        global = words.number(2, "H", 0, NodeInfo.MAX_PORT_NUM);
        groups = words.size() == 3 ? size * global + 1 : words.number(3, "GROUPS", 1, size * global + 1);
        ports = words.checkedPorts((long) size - 1 + global + hosts);
        words.checkLids((long) groups * size, (long) groups * size * hosts);
    }

    static Topology read(SpecWords words) {
        return new DragonflyShape(words).topology();
    }

    private Topology topology() {
        ShapeBuilder builder = new ShapeBuilder();
        for (int host = 0; host < groups * size * hosts; host++) {
            builder.addHost("host-" + name(host / hosts) + "-" + host % hosts, 1);
        }
        for (int sw = 0; sw < groups * size; sw++) {
            builder.addSwitch("sw-" + name(sw), ports);
        }
        for (int sw = 0; sw < groups * size; sw++) {
            for (int h = 0; h < hosts; h++) {
                builder.attach(sw * hosts + h, sw, size + global + h);
            }
            for (int other = sw % size + 1; other < size; other++) {
                builder.cable(sw, other, sw - sw % size + other, 1 + sw % size);
            }
        }
        for (int group = 0; group < groups; group++) {
            cableGlobally(builder, group);
        }
        return builder.build();
    }

    private String name(int sw) {
        return sw / size + "-" + sw % size;
    }

    /**
     * Connects a group to the groups with a higher number. Cable k of a group leads k mod (groups - 1) + 1 groups
     * ahead, so that each round of (groups - 1) cables reaches every other group once. Switch k / H has cable k.
     */
    private void cableGlobally(ShapeBuilder builder, int group) {
        int others = groups - 1;
        int cables = others == 0 ? 0 : size * global / others * others;
        for (int k = 0; k < cables; k++) {
            int other = (group + 1 + k % others) % groups;
            if (group < other) {
                // The number of this cable at the other group. It belongs to the same round. Cable k leads d groups
                // ahead, so its other end leads groups - d groups ahead.
                int end = k - k % others + others - 1 - k % others;
                builder.cable(group * size + k / global, globalPort(k), other * size + end / global, globalPort(end));
            }
        }
    }

    /** Returns the port of cable k of a group. */
    private int globalPort(int k) {
        return size + k % global;
    }
}
