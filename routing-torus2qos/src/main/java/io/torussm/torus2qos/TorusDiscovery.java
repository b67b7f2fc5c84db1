package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Finding;
import io.torussm.torus2qos.CubeTable.Attempt;
import io.torussm.torus2qos.Torus2QosConf.Link;
import io.torussm.torus2qos.Torus2QosConf.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the place of every switch, from the seed outwards.
 *
 * <p>Two rules find a switch. The fourth corner of a square: a switch next to both known arms other than the base
 * between them. And a perpendicular: a neighbour of the base, other than the one behind it, that closes a square with
 * each arm. Cables between placed neighbours are taken out of the search at once; that makes a ring of four, which is
 * itself a square, harmless. The grid is swept cube by cube until nothing more is found.
 *
 * <p>Only the order of port numbers inside a switch matters for the result, never the order of switches.
 */
final class TorusDiscovery {
    private static final int NONE = -1;
    private static final String WRONG_SHAPE =
            "the radices, their suffixes or the seed links are not those of this fabric "
                    + "(a torus dimension of 4 must be declared as 4, and seed links must join neighbours)";

    private final Fabric fabric;
    private final Torus2QosConf conf;
    private final int[] radix = new int[Dim.COUNT];
    private final CubeTable cubes;
    /** By port index: the switch at the other end of an inter-switch cable that is not in the torus yet. */
    private final int[] freeNeighbour;

    private final int[] slotAt;
    private final int[] switchOf;
    private final int[] positionOf;
    private final PortList[] groups;
    private final Set<String> overflows = new TreeSet<>();
    private int slots;
    private int linksMoved;

    /** A port group while it fills. */
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

    TorusDiscovery(Fabric fabric, Torus2QosConf conf) {
        this.fabric = fabric;
        this.conf = conf;
        int dims = 0;
        int positions = 1;
        for (int d = 0; d < Dim.COUNT; d++) {
            radix[d] = conf.radix(d);
            positions *= radix[d];
            dims |= radix[d] > 1 ? 1 << d : 0;
        }
        cubes = new CubeTable(dims);
        slotAt = new int[positions];
        Arrays.fill(slotAt, NONE);
        switchOf = new int[positions];
        positionOf = new int[positions];
        groups = new PortList[positions * Dim.GROUPS];
        freeNeighbour = new int[fabric.portCount()];
        for (int port = 0; port < freeNeighbour.length; port++) {
            freeNeighbour[port] = Capture.isSwitchLink(fabric, port) ? fabric.nodeOf(fabric.peer(port)) : NONE;
        }
    }

    /**
     * Places switches from a seed.
     *
     * @param findings takes what is to say, errors where null is returned
     * @return null if the fabric and the file cannot belong together
     */
    @Nullable
    Torus place(Seed seed, List<Finding> findings) {
        if (!start(seed, findings)) {
            return null;
        }
        int before;
        do {
            before = linksMoved;
            for (int z = 0; z < radix[2]; z++) {
                for (int y = 0; y < radix[1]; y++) {
                    for (int x = 0; x < radix[0]; x++) {
                        visit(new int[] {x, y, z});
                    }
                }
            }
        } while (linksMoved != before);
        boolean sound = gatherLocalPorts(findings);
        overflows.forEach(overflow -> findings.add(Finding.warning(overflow)));
        return sound ? finish() : null;
    }

    private boolean start(Seed seed, List<Finding> findings) {
        int[] origin = new int[Dim.COUNT];
        for (int d = 0; d < Dim.COUNT; d++) {
            origin[d] = Math.floorMod(-seed.dateline()[d], radix[d]);
        }
        for (int d = 0; d < Dim.COUNT; d++) {
            for (int group : new int[] {2 * d + 1, 2 * d}) {
                Link link = seed.link(group);
                if (link == null) {
                    continue;
                }
                int[] neighbour = origin.clone();
                neighbour[d] = Math.floorMod(origin[d] + (group % 2 == 0 ? -1 : 1), radix[d]);
                if (!place(position(origin), Capture.switchByGuid(fabric, link.from()))
                        || !place(position(neighbour), Capture.switchByGuid(fabric, link.to()))) {
                    findings.add(Finding.error(conf.at(link.line()) + "the seed link in " + Dim.groupName(group)
                            + " names a switch that is not in the fabric; correct or remove it"));
                    return false;
                }
            }
        }
        return true;
    }

    /** True if the position is occupied now, even by another switch. */
    private boolean place(int position, int sw) {
        if (slotAt[position] != NONE) {
            return true;
        }
        if (sw == NONE) {
            return false;
        }
        slotAt[position] = slots;
        switchOf[slots] = sw;
        positionOf[slots] = position;
        for (int group = 0; group < Dim.GROUPS; group++) {
            groups[slots * Dim.GROUPS + group] = new PortList();
        }
        slots++;
        return true;
    }

    private void visit(int[] at) {
        for (int d = 0; d < Dim.COUNT; d++) {
            if (conf.isMesh(d) && radix[d] > 1 && at[d] == radix[d] - 1) {
                return;
            }
        }
        do {
            connectEdges(at);
        } while (placeCorner(at));
        connectEdges(at);
    }

    private void connectEdges(int[] at) {
        for (int d = 0; d < Dim.COUNT; d++) {
            for (int corner = 0; corner < 8; corner++) {
                if ((corner >> d & 1) == 0) {
                    int p = slotAt[corner(at, corner)];
                    int q = slotAt[corner(at, corner | 1 << d)];
                    if (p != NONE && q != NONE) {
                        connect(d, p, q);
                    }
                }
            }
        }
    }

    /** Tries what the table says for the empty corners of a cube until one is filled. */
    private boolean placeCorner(int[] at) {
        int empty = 0;
        for (int corner = 0; corner < 8; corner++) {
            empty |= slotAt[corner(at, corner)] == NONE ? 1 << corner : 0;
        }
        for (Attempt attempt : cubes.attempts(empty)) {
            int sw = attempt.dim() < 0
                    ? fourthCorner(
                            switchAt(corner(at, attempt.armA())),
                            switchAt(corner(at, attempt.base())),
                            switchAt(corner(at, attempt.armC())))
                    : perpendicular(at, attempt);
            if (place(corner(at, attempt.target()), sw)) {
                return true;
            }
        }
        return false;
    }

    private int perpendicular(int[] at, Attempt attempt) {
        int d = attempt.dim();
        int base = corner(at, attempt.base());
        for (int e = 0; e < Dim.COUNT; e++) {
            if (e != d && !safeRing(e, base)) {
                return NONE;
            }
        }
        int behind = switchAt(step(base, d, (attempt.base() >> d & 1) == 0 ? -1 : 1));
        int baseSwitch = switchAt(base);
        int a = switchAt(corner(at, attempt.armA()));
        boolean twoArms = attempt.armC() >= 0;
        int c = twoArms ? switchAt(corner(at, attempt.armC())) : a;
        if (behind == NONE || baseSwitch == NONE || a == NONE || c == NONE) {
            return NONE;
        }
        for (int port = fabric.port(baseSwitch, 1); port <= lastPort(baseSwitch); port++) {
            int sw = freeNeighbour[port];
            if (sw != NONE
                    && sw != behind
                    && fourthCorner(a, baseSwitch, sw) != NONE
                    && (!twoArms || fourthCorner(c, baseSwitch, sw) != NONE)) {
                return sw;
            }
        }
        return NONE;
    }

    /** The first free neighbour of {@code a}, not {@code o}, that has {@code c} for a free neighbour. */
    private int fourthCorner(int a, int o, int c) {
        if (a == NONE || o == NONE || c == NONE) {
            return NONE;
        }
        for (int port = fabric.port(a, 1); port <= lastPort(a); port++) {
            int sw = freeNeighbour[port];
            if (sw != NONE && sw != o && isFreeNeighbour(sw, c)) {
                return sw;
            }
        }
        return NONE;
    }

    private boolean isFreeNeighbour(int sw, int other) {
        for (int port = fabric.port(sw, 1); port <= lastPort(sw); port++) {
            if (freeNeighbour[port] == other) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a perpendicular to a ring may be looked for from one of its switches. A torus ring of four must have two of
     * its cables out of the search first, or it could be mistaken for a square.
     */
    private boolean safeRing(int d, int position) {
        if (radix[d] != 4 || conf.isMesh(d)) {
            return true;
        }
        int[] ring = {step(position, d, 2), step(position, d, -1), position, step(position, d, 1)};
        int others = 0;
        for (int at : ring) {
            others += at != position && slotAt[at] != NONE ? 1 : 0;
        }
        if (others < 2) {
            return false;
        }
        boolean all = true;
        for (int i = 0; i < ring.length; i++) {
            int p = slotAt[ring[i]];
            int q = slotAt[ring[(i + 1) % ring.length]];
            all &= p == NONE || q == NONE || connect(d, p, q);
        }
        return all;
    }

    /** Moves all free cables from {@code p} to {@code q}, its neighbour in +d, into the torus; false if they did not fit. */
    private boolean connect(int d, int p, int q) {
        if (p == q) {
            return true;
        }
        int from = switchOf[p];
        for (int portNum = 1; portNum <= fabric.numPorts(from); portNum++) {
            int port = fabric.port(from, portNum);
            if (freeNeighbour[port] != switchOf[q]) {
                continue;
            }
            PortList plus = groups[p * Dim.GROUPS + 2 * d + 1];
            PortList minus = groups[q * Dim.GROUPS + 2 * d];
            if (plus.size >= conf.portgroupMaxPorts() || minus.size >= conf.portgroupMaxPorts()) {
                overflows.add(conf.file() + ": " + fabric.name(from) + " has more than portgroup_max_ports = "
                        + conf.portgroupMaxPorts() + " cables to " + fabric.name(switchOf[q])
                        + "; raise portgroup_max_ports, or those beyond stay unused");
                return false;
            }
            int far = fabric.peer(port);
            plus.add(portNum);
            minus.add(fabric.portNum(far));
            freeNeighbour[port] = NONE;
            freeNeighbour[far] = NONE;
            linksMoved++;
        }
        return true;
    }

    /** Fills the local groups; false if a switch was placed twice or has too many hosts. */
    private boolean gatherLocalPorts(List<Finding> findings) {
        int[] firstPlace = new int[fabric.switchCount()];
        Arrays.fill(firstPlace, NONE);
        boolean sound = true;
        for (int position = 0; position < slotAt.length; position++) {
            int slot = slotAt[position];
            if (slot == NONE) {
                continue;
            }
            int sw = switchOf[slot];
            if (firstPlace[sw] != NONE) {
                findings.add(
                        Finding.error(conf.file() + ": " + fabric.name(sw) + " would be at " + place(firstPlace[sw])
                                + " and at " + place(position) + " of a " + conf.describe() + "; " + WRONG_SHAPE));
                return false;
            }
            firstPlace[sw] = position;
            PortList local = groups[slot * Dim.GROUPS + Dim.LOCAL];
            for (int portNum = 0; portNum <= fabric.numPorts(sw); portNum++) {
                if (portNum == 0 || Capture.isHostLink(fabric, fabric.port(sw, portNum))) {
                    local.add(portNum);
                }
            }
            if (local.size > conf.portgroupMaxPorts()) {
                findings.add(Finding.error(conf.file() + ": " + place(position) + " " + fabric.name(sw) + " has "
                        + (local.size - 1) + " hosts, but portgroup_max_ports = " + conf.portgroupMaxPorts()
                        + " allows " + Math.max(0, conf.portgroupMaxPorts() - 1) + " beside port 0; raise it to "
                        + local.size));
                sound = false;
            }
        }
        return sound;
    }

    private Torus finish() {
        int[][] ports = new int[slots * Dim.GROUPS][];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = groups[i].toArray();
        }
        return new Torus(fabric, conf, slotAt, Arrays.copyOf(switchOf, slots), Arrays.copyOf(positionOf, slots), ports);
    }

    private int lastPort(int sw) {
        return fabric.port(sw, fabric.numPorts(sw));
    }

    private int switchAt(int position) {
        return slotAt[position] == NONE ? NONE : switchOf[slotAt[position]];
    }

    private int position(int[] at) {
        return at[0] + radix[0] * (at[1] + radix[1] * at[2]);
    }

    private int corner(int[] at, int corner) {
        int x = (at[0] + (corner & 1)) % radix[0];
        int y = (at[1] + (corner >> 1 & 1)) % radix[1];
        int z = (at[2] + (corner >> 2)) % radix[2];
        return x + radix[0] * (y + radix[1] * z);
    }

    private int step(int position, int d, int steps) {
        int[] at = {position % radix[0], position / radix[0] % radix[1], position / radix[0] / radix[1]};
        at[d] = Math.floorMod(at[d] + steps, radix[d]);
        return position(at);
    }

    private String place(int position) {
        return "(" + position % radix[0] + "," + position / radix[0] % radix[1] + "," + position / radix[0] / radix[1]
                + ")";
    }
}
