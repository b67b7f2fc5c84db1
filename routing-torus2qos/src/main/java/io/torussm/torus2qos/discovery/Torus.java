package io.torussm.torus2qos.discovery;

import io.torussm.event.DeviceText;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Lattice;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.conf.Torus2QosConf.Seed;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The positions of switches in a torus or mesh, and the ports of each switch that lead to each neighbour.
 * Immutable.
 *
 * <p>Placed switches have a {@code slot}, a number from 0 on in the order in which they were placed. This order
 * decides how destinations share parallel cables. A position {@code x + X * (y + Y * z)} is a place in a torus
 * of X x Y x Z. A group is a direction, see {@link Dim}. Position arithmetic wraps in every dimension, also in a
 * mesh.
 */
public final class Torus {
    private final Fabric fabric;
    private final Torus2QosConf conf;
    private final Seed seed;
    private final boolean isReversed;
    private final boolean isCrossingTies;
    private final int[] radix;
    private final boolean[] mesh;
    private final ShortWay[] shortWays = new ShortWay[Dim.COUNT];
    private final boolean hasSides;
    /** By position: the slot, -1 if the switch is missing. */
    private final int[] slotAt;
    /** By slot: the index of the switch in the fabric. */
    private final int[] switchOf;

    private final int[] positionOf;

    /** By {@code position * Dim.COUNT + d}: the coordinate. */
    private final char[] coordinates;

    /** By switch of the fabric: the slot, -1 if the switch was not placed. */
    private final int[] slotOfSwitch;
    /** By {@code slot * Dim.GROUPS + group}: port numbers. */
    private final int[][] groups;
    /** By port index of the fabric: the group. */
    private final byte[] groupOfPort;

    /**
     * Creates the torus that discovery found. The arrays are not copied.
     *
     * @param seed the seed from which discovery began
     * @param slotAt slot by position, -1 if the switch is missing
     * @param switchOf index of the switch in the fabric by slot
     * @param positionOf position by slot
     * @param groups port numbers by {@code slot * Dim.GROUPS + group}, in the order in which cables are used
     */
    Torus(
            Fabric fabric,
            Torus2QosConf conf,
            Seed seed,
            int[] slotAt,
            int[] switchOf,
            int[] positionOf,
            int[][] groups) {
        this(fabric, conf, seed, slotAt, switchOf, positionOf, groups, Multipath.OFF);
    }

    private Torus(
            Fabric fabric,
            Torus2QosConf conf,
            Seed seed,
            int[] slotAt,
            int[] switchOf,
            int[] positionOf,
            int[][] groups,
            Multipath seenBy) {
        this.fabric = fabric;
        this.conf = conf;
        this.seed = seed;
        this.isReversed = seenBy == Multipath.ORDERS;
        this.isCrossingTies = seenBy != Multipath.OFF;
        this.radix = new int[Dim.COUNT];
        this.mesh = new boolean[Dim.COUNT];
        for (int d = 0; d < Dim.COUNT; d++) {
            radix[d] = conf.radix(axis(d));
            mesh[d] = conf.isMesh(axis(d));
            shortWays[d] = new ShortWay(radix[d], conf.balance(), mesh[d], isCrossingTies);
        }
        hasSides = Arrays.stream(shortWays).anyMatch(ShortWay::hasSides);
        this.slotAt = slotAt;
        this.switchOf = switchOf;
        this.positionOf = positionOf;
        this.groups = groups;
        coordinates = new char[slotAt.length * Dim.COUNT];
        for (int position = 0; position < slotAt.length; position++) {
            for (int d = 0; d < Dim.COUNT; d++) {
                coordinates[position * Dim.COUNT + d] = (char) (position / stride(d) % radix[d]);
            }
        }
        slotOfSwitch = new int[fabric.switchCount()];
        Arrays.fill(slotOfSwitch, -1);
        groupOfPort = new byte[fabric.portCount()];
        Arrays.fill(groupOfPort, (byte) Dim.LOCAL);
        for (int slot = 0; slot < switchOf.length; slot++) {
            slotOfSwitch[switchOf[slot]] = slot;
            for (int group = 0; group < Dim.LOCAL; group++) {
                for (int portNum : group(slot, group)) {
                    groupOfPort[fabric.port(switchOf[slot], portNum)] = (byte) group;
                }
            }
        }
    }

    /**
     * Returns the torus on which LIDs at an odd distance from the base LID of their port are routed. It has the same
     * slots. Paths between opposite switches take the other way.
     *
     * @param multipath variant, not {@link Multipath#OFF} With {@link Multipath#ORDERS} the dimensions are reversed,
     *     so that z is routed first. Texts for operators name the original dimensions and coordinates.
     */
    public Torus variantFor(Multipath multipath) {
        if (multipath != Multipath.ORDERS) {
            return new Torus(fabric, conf, seed, slotAt, switchOf, positionOf, groups, multipath);
        }
        int[] positions = new int[slots()];
        int[] slots = new int[positions()];
        int[][] reversed = new int[groups.length][];
        Arrays.fill(slots, -1);
        for (int slot = 0; slot < positions.length; slot++) {
            positions[slot] = coordinate(slot, 2) + radix[2] * (coordinate(slot, 1) + radix[1] * coordinate(slot, 0));
            slots[positions[slot]] = slot;
            for (int group = 0; group < Dim.GROUPS; group++) {
                int from = group == Dim.LOCAL
                        ? group
                        : Dim.groupTowards(Dim.reversed(Dim.dimension(group)), Dim.sign(group));
                reversed[slot * Dim.GROUPS + group] = group(slot, from);
            }
        }
        return new Torus(fabric, conf, seed, slots, switchOf, positions, reversed, multipath);
    }

    /** Returns the part of the torus that remains in another fabric, which may lack some switches and cables. */
    public Torus remainingOn(Fabric currentFabric) {
        int[] remaining = IntStream.range(0, slots())
                .filter(slot -> switchIndexIn(currentFabric, slot) != Fabric.NONE)
                .toArray();
        int[] slots = new int[positions()];
        int[][] groupsLeft = new int[remaining.length * Dim.GROUPS][];
        Arrays.fill(slots, -1);
        for (int slot = 0; slot < remaining.length; slot++) {
            slots[positionOf[remaining[slot]]] = slot;
            for (int group = 0; group < Dim.GROUPS; group++) {
                int sw = switchOf[remaining[slot]];
                groupsLeft[slot * Dim.GROUPS + group] = group == Dim.LOCAL
                        ? group(remaining[slot], group)
                        : Arrays.stream(group(remaining[slot], group))
                                .filter(portNum -> hasSameCable(fabric.port(sw, portNum), currentFabric))
                                .toArray();
            }
        }
        return new Torus(
                currentFabric,
                conf,
                seed,
                slots,
                Arrays.stream(remaining)
                        .map(slot -> switchIndexIn(currentFabric, slot))
                        .toArray(),
                Arrays.stream(remaining).map(slot -> positionOf[slot]).toArray(),
                groupsLeft);
    }

    /**
     * Returns the index in another fabric of the switch of a slot; {@link Fabric#NONE} if it is absent or has
     * another number of ports.
     */
    private int switchIndexIn(Fabric currentFabric, int slot) {
        int node = currentFabric.nodeByGuid(fabric.nodeGuid(switchOf[slot]));
        return node != Fabric.NONE
                        && currentFabric.isSwitch(node)
                        && currentFabric.numPorts(node) == fabric.numPorts(switchOf[slot])
                ? node
                : Fabric.NONE;
    }

    /** Checks whether another fabric has the same cable at a port. */
    private boolean hasSameCable(int port, Fabric currentFabric) {
        int counterpart = currentFabric.port(fabric.nodePort(port));
        int far = counterpart == Fabric.NONE ? Fabric.NONE : currentFabric.peer(counterpart);
        return far != Fabric.NONE
                && fabric.peer(port) != Fabric.NONE
                && currentFabric.nodePort(far).equals(fabric.nodePort(fabric.peer(port)));
    }

    /** Checks whether the dimensions are reversed: dimension 0 is z, and 2 is x. */
    public boolean isReversed() {
        return isReversed;
    }

    /** Checks whether paths between opposite switches take the way over the dateline. */
    public boolean isCrossingTies() {
        return isCrossingTies;
    }

    /**
     * Converts a dimension of the fabric to a dimension of this torus, or the reverse. They differ only if the
     * dimensions are reversed.
     */
    public int axis(int d) {
        return isReversed ? Dim.reversed(d) : d;
    }

    /** Returns the fabric in which the torus was found. */
    public Fabric fabric() {
        return fabric;
    }

    /** Returns the configuration by which this torus was placed. */
    public Torus2QosConf conf() {
        return conf;
    }

    /** Returns the seed from which discovery began. */
    public Seed seed() {
        return seed;
    }

    /** Returns the number of positions in a dimension, at least 1. */
    public int radix(int d) {
        return radix[d];
    }

    /** Checks whether a dimension has no wrap-around. */
    public boolean isMesh(int d) {
        return mesh[d];
    }

    /** Returns the short ways along a dimension. */
    public ShortWay shortWay(int d) {
        return shortWays[d];
    }

    /** Checks whether another torus has the same sizes and the same short ways between the same coordinates. */
    public boolean hasSameWaysAs(Torus other) {
        return isReversed == other.isReversed
                && isCrossingTies == other.isCrossingTies
                && conf.balance() == other.conf.balance()
                && Arrays.equals(radix, other.radix)
                && Arrays.equals(mesh, other.mesh);
    }

    /** Checks whether ways depend on the side of the destination. */
    public boolean hasSides() {
        return hasSides;
    }

    /**
     * Returns the side of a destination, 0 or 1, by which ties are split. Sides alternate along any line of
     * switches, and among the ports of a switch.
     *
     * @param portNum the port of the slot's switch that leads to the destination; 0 for the switch itself
     */
    public int side(int slot, int portNum) {
        return coordinate(slot, 0) + coordinate(slot, 1) + coordinate(slot, 2) + portNum & 1;
    }

    /** Returns the number of positions, with a switch or without. */
    public int positions() {
        return slotAt.length;
    }

    /** Returns the number of placed switches. */
    public int slots() {
        return switchOf.length;
    }

    /** Returns the slot at a position, -1 if the switch is missing. */
    public int slotAt(int position) {
        return slotAt[position];
    }

    /** Returns the slot of a switch of the fabric, -1 if it was not placed. */
    public int slotOfSwitch(int sw) {
        return slotOfSwitch[sw];
    }

    /** Returns the switch of the fabric in a slot. */
    public int switchOf(int slot) {
        return switchOf[slot];
    }

    /** Returns the position of a slot. */
    public int positionOf(int slot) {
        return positionOf[slot];
    }

    /** Returns the coordinate of a slot in a dimension. */
    public int coordinate(int slot, int d) {
        return coordinateAt(positionOf[slot], d);
    }

    /** Returns one coordinate of a position. */
    public int coordinateAt(int position, int d) {
        return coordinates[position * Dim.COUNT + d];
    }

    /** Returns the position that differs from another in one coordinate; the coordinate is taken modulo the radix. */
    public int withCoordinate(int position, int d, int coordinate) {
        return position + (Math.floorMod(coordinate, radix[d]) - coordinateAt(position, d)) * stride(d);
    }

    /** Returns the name of a dimension of this torus in texts for operators: the name of the fabric's dimension. */
    public String dimensionName(int d) {
        return Dim.name(axis(d));
    }

    /** Returns the name of a group of this torus in texts for operators, by the fabric's dimension. */
    public String groupName(int group) {
        return Dim.groupName(Dim.groupTowards(axis(Dim.dimension(group)), Dim.sign(group)));
    }

    /** Returns the port numbers of a slot's group, in the order in which cables are used. Must not be written. */
    public int[] group(int slot, int group) {
        return groups[slot * Dim.GROUPS + group];
    }

    /** Returns the slot of the neighbour in the direction of a group; -1 if no cable leads there. */
    public int neighbour(int slot, int group) {
        return group(slot, group).length == 0
                ? -1
                : slotAt[
                        withCoordinate(
                                positionOf[slot],
                                Dim.dimension(group),
                                coordinate(slot, Dim.dimension(group)) + Dim.sign(group))];
    }

    /**
     * Checks whether a position has a next position in the direction of a group. False in a dimension of one switch,
     * and over the edge of a mesh.
     */
    public boolean hasNeighbour(int position, int group) {
        int d = Dim.dimension(group);
        int edge = Dim.sign(group) < 0 ? 0 : radix[d] - 1;
        return radix[d] > 1 && !(mesh[d] && coordinateAt(position, d) == edge);
    }

    /**
     * Returns the dimension along which a port (by its index in the fabric) leads; {@link Dim#LOCAL_CLASS} if it
     * leads to no neighbour.
     */
    public int portClass(int port) {
        return Dim.dimension(groupOfPort[port]);
    }

    /** Returns the group of a port (by its index in the fabric), {@link Dim#LOCAL} if it leads to no neighbour. */
    public int groupOf(int port) {
        return groupOfPort[port];
    }

    /** Returns the sizes and the GUIDs of the switches, which are valid without this fabric. */
    public Lattice lattice() {
        long[] guidAt = Arrays.stream(slotAt)
                .mapToLong(slot -> slot < 0 ? 0 : fabric.nodeGuid(switchOf[slot]))
                .toArray();
        return new Lattice(radix.clone(), new boolean[] {!mesh[0], !mesh[1], !mesh[2]}, guidAt);
    }

    /** Returns coordinates as operators write them: {@code (2,1,0)}. */
    public String formatPosition(int position) {
        return "(" + coordinateAt(position, axis(0)) + "," + coordinateAt(position, 1) + ","
                + coordinateAt(position, axis(2)) + ")";
    }

    /** Returns the line through a position, as operators write it: {@code (*,1,0)}. */
    public String line(int position, int d) {
        StringBuilder text = new StringBuilder("(");
        for (int e = 0; e < Dim.COUNT; e++) {
            text.append(e == 0 ? "" : ",").append(axis(e) == d ? "*" : coordinateAt(position, axis(e)));
        }
        return text.append(')').toString();
    }

    /** Returns coordinates, GUID and description of a placed switch. */
    public String name(int slot) {
        return formatPosition(positionOf[slot]) + " " + fabric.name(switchOf[slot]);
    }

    /** Returns the device of an event for a placed switch, with its coordinates. */
    public DeviceText device(int slot) {
        return fabric.device(switchOf[slot], formatPosition(positionOf[slot])).withText(name(slot));
    }

    /** Returns the device of an event for a port of any switch, with the switch's coordinates. */
    public DeviceText devicePort(int port) {
        int slot = slotOfSwitch[fabric.nodeOf(port)];
        return fabric.devicePort(port, slot < 0 ? "" : formatPosition(positionOf[slot]))
                .withText(end(port));
    }

    /** Returns a port of any switch, with the switch's place if it has one. */
    String end(int port) {
        int slot = slotOfSwitch[fabric.nodeOf(port)];
        return (slot < 0 ? "" : formatPosition(positionOf[slot]) + " ") + fabric.portName(port);
    }

    private int stride(int d) {
        return d == 0 ? 1 : d == 1 ? radix[0] : radix[0] * radix[1];
    }
}
