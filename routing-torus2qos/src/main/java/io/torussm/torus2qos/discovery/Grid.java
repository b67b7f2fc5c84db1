package io.torussm.torus2qos.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.conf.Torus2QosConf;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * A torus under construction: the switches that are placed so far, and the cables that are still free. Switches
 * get slots in the order in which they are placed. A placed switch is never moved or removed. A position is
 * {@code x + X * (y + Y * z)}.
 */
final class Grid {
    static final int NONE = -1;

    private final Fabric fabric;
    private final Torus2QosConf conf;

    /** By dimension: the number of coordinates. */
    private final int[] radix = new int[Dim.COUNT];

    /**
     * By port index: the switch at the other end of a free cable, that is, a cable between switches that is not yet
     * in the torus; NONE without such a cable.
     */
    private final int[] freeNeighbour;

    /** By switch: its number of free cables. */
    private final int[] freeCables;

    /** By position: the slot, NONE while the position is empty. */
    private final int[] slotAt;

    /** By slot: the index of the switch in the fabric. */
    private final int[] switchOf;

    /** By slot: the position. */
    private final int[] positionOf;

    /** By {@code slot * Dim.GROUPS + group}: port numbers; null for slots from {@link #placedCount} on. */
    private final PortList[] groups;

    /**
     * By {@code slot * Dim.COUNT + dimension}: the slot in + direction to which all cables are already in the torus,
     * or NONE. It avoids repeated work, because four cubes share each edge, and the grid is searched several times.
     */
    private final int[] connectedTo;

    private final Set<String> overflows = new TreeSet<>();
    private int placedCount;
    private int connectedCables;

    /** The port numbers of a group, which grow. */
    private static final class PortList {
        private int[] ports = new int[2];
        private int size;

        void add(int portNum) {
            if (size == ports.length) {
                ports = Arrays.copyOf(ports, 2 * size);
            }
            ports[size++] = portNum;
        }

        int[] toArray() {
            return Arrays.copyOf(ports, size);
        }
    }

    Grid(Fabric fabric, Torus2QosConf conf) {
        this.fabric = fabric;
        this.conf = conf;
        int positions = 1;
        for (int d = 0; d < Dim.COUNT; d++) {
            radix[d] = conf.radix(d);
            positions *= radix[d];
        }
        slotAt = new int[positions];
        Arrays.fill(slotAt, NONE);
        switchOf = new int[positions];
        positionOf = new int[positions];
        groups = new PortList[positions * Dim.GROUPS];
        connectedTo = new int[positions * Dim.COUNT];
        Arrays.fill(connectedTo, NONE);
        freeNeighbour = new int[fabric.portCount()];
        freeCables = new int[fabric.switchCount()];
        Arrays.fill(freeNeighbour, NONE);
        for (int sw = 0; sw < freeCables.length; sw++) {
            for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                if (FabricFilter.isSwitchLink(fabric, port)) {
                    freeNeighbour[port] = fabric.nodeOf(fabric.peer(port));
                    freeCables[sw]++;
                }
            }
        }
    }

    /** Returns the number of positions, which is the number of switches of the complete torus. */
    int positions() {
        return slotAt.length;
    }

    /** Checks whether at most one dimension has several positions. */
    boolean isLine() {
        return Arrays.stream(radix).anyMatch(size -> size == positions());
    }

    /** Returns the number of placed switches. Their slots are 0 to this number - 1. */
    int placedCount() {
        return placedCount;
    }

    /** Returns the number of cables that are in the torus so far. */
    int connectedCables() {
        return connectedCables;
    }

    /** Returns messages about cables that exceed the limit of a port group. */
    Set<String> overflows() {
        return overflows;
    }

    /** Returns the slot at a position, {@link #NONE} while it is empty. */
    int slotAt(int position) {
        return slotAt[position];
    }

    /** Returns the switch at a position, {@link #NONE} while it is empty. */
    int switchAt(int position) {
        return slotAt[position] == NONE ? NONE : switchOf[slotAt[position]];
    }

    /** Returns the position of a slot. */
    int positionOf(int slot) {
        return positionOf[slot];
    }

    /** Returns the switch in a slot. */
    int switchOf(int slot) {
        return switchOf[slot];
    }

    /**
     * Returns the switch at the other end of a port's cable if the cable is not yet in the torus, else {@link
     * #NONE}.
     *
     * @param port index in the fabric
     */
    int freeNeighbour(int port) {
        return freeNeighbour[port];
    }

    /** Returns the number of ports that a slot has in a group so far. */
    int groupSize(int slot, int group) {
        return groups[slot * Dim.GROUPS + group].size;
    }

    /** Adds port 0, and all ports to hosts, to the local group of a slot. */
    void addLocalPorts(int slot) {
        for (int portNum = 0; portNum <= fabric.numPorts(switchOf(slot)); portNum++) {
            if (portNum == 0 || FabricFilter.isHostLink(fabric, fabric.port(switchOf(slot), portNum))) {
                groups[slot * Dim.GROUPS + Dim.LOCAL].add(portNum);
            }
        }
    }

    /**
     * Places a switch at a position, unless the position is occupied.
     *
     * @param sw index in the fabric, {@link #NONE} for no switch
     * @return true if the position is occupied after the call, even by another switch
     */
    boolean place(int position, int sw) {
        if (slotAt[position] != NONE) {
            return true;
        }
        if (sw == NONE) {
            return false;
        }
        slotAt[position] = placedCount;
        switchOf[placedCount] = sw;
        positionOf[placedCount] = position;
        for (int group = 0; group < Dim.GROUPS; group++) {
            groups[placedCount * Dim.GROUPS + group] = new PortList();
        }
        placedCount++;
        return true;
    }

    /**
     * Moves the free cables between two neighbouring slots into the torus, as many as the port groups have space for.
     *
     * @param d dimension
     * @param lower slot with the lower coordinate (modulo the radix)
     * @param upper neighbour of {@code lower} in + direction
     * @return false if a free cable is left, because a port group is full
     */
    boolean connect(int d, int lower, int upper) {
        if (lower == upper || connectedTo[lower * Dim.COUNT + d] == upper) {
            return true;
        }
        int from = switchOf[lower];
        int to = switchOf[upper];
        for (int portNum = 1; portNum <= fabric.numPorts(from); portNum++) {
            if (freeCables[from] == 0 || freeCables[to] == 0) {
                break; // Most switches have no free cable when the grid is searched again.
            }
            int port = fabric.port(from, portNum);
            if (freeNeighbour[port] == to && !moveCable(d, lower, upper, port)) {
                addOverflow(from, to);
                return false;
            }
        }
        connectedTo[lower * Dim.COUNT + d] = upper;
        return true;
    }

    /** Moves a free cable of a port into the torus. Returns false if a port group has no space for it. */
    private boolean moveCable(int d, int lower, int upper, int port) {
        PortList plus = groups[lower * Dim.GROUPS + Dim.plus(d)];
        PortList minus = groups[upper * Dim.GROUPS + Dim.minus(d)];
        if (plus.size >= conf.portgroupMaxPorts() || minus.size >= conf.portgroupMaxPorts()) {
            return false;
        }
        int far = fabric.peer(port);
        plus.add(fabric.portNum(port));
        minus.add(fabric.portNum(far));
        freeNeighbour[port] = NONE;
        freeNeighbour[far] = NONE;
        freeCables[switchOf[lower]]--;
        freeCables[switchOf[upper]]--;
        connectedCables++;
        return true;
    }

    private void addOverflow(int from, int to) {
        overflows.add(conf.file() + ": " + fabric.name(from) + " has more than portgroup_max_ports = "
                + conf.portgroupMaxPorts() + " cables to " + fabric.name(to)
                + "; raise portgroup_max_ports, or those beyond stay unused");
    }

    /**
     * Returns the torus with the current content.
     *
     * @param seed seed from which it was found
     */
    Torus toTorus(Torus2QosConf.Seed seed) {
        int[][] ports = new int[placedCount * Dim.GROUPS][];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = groups[i].toArray();
        }
        return new Torus(
                fabric,
                conf,
                seed,
                slotAt.clone(),
                Arrays.copyOf(switchOf, placedCount),
                Arrays.copyOf(positionOf, placedCount),
                ports);
    }

    /** Returns the position of three coordinates, each below its radix. */
    int position(int[] coordinates) {
        return coordinates[0] + radix[0] * (coordinates[1] + radix[1] * coordinates[2]);
    }

    /**
     * Returns the position some steps away in a dimension. The coordinate is taken modulo the radix, also in a mesh.
     */
    int step(int position, int d, int steps) {
        int[] coordinates = coordinates(position);
        coordinates[d] = Math.floorMod(coordinates[d] + steps, radix[d]);
        return position(coordinates);
    }

    /**
     * Returns the next position in the direction of a group; {@link #NONE} over the edge of a mesh, and if the radix
     * is 1.
     */
    int neighbour(int position, int group) {
        int d = Dim.dimension(group);
        int edge = Dim.sign(group) < 0 ? 0 : radix[d] - 1;
        boolean isAtEdge = conf.isMesh(d) && coordinates(position)[d] == edge;
        return radix[d] == 1 || isAtEdge ? NONE : step(position, d, Dim.sign(group));
    }

    /** Returns the coordinate of a position in a dimension, from 0 on. */
    int coordinate(int position, int d) {
        return coordinates(position)[d];
    }

    private int[] coordinates(int position) {
        return new int[] {position % radix[0], position / radix[0] % radix[1], position / radix[0] / radix[1]};
    }

    /** Returns the coordinates of a position as operators write them: {@code (2,1,0)}. */
    String formatPosition(int position) {
        int[] coordinates = coordinates(position);
        return "(" + coordinates[0] + "," + coordinates[1] + "," + coordinates[2] + ")";
    }
}
