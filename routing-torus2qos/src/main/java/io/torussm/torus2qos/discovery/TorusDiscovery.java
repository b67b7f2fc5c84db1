package io.torussm.torus2qos.discovery;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.conf.Torus2QosConf.Link;
import io.torussm.torus2qos.conf.Torus2QosConf.Seed;
import io.torussm.torus2qos.discovery.CubeTable.Attempt;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The search for the position of every switch, from the seed outwards.
 *
 * <p>Two rules find a switch. The first is the fourth corner of a square. Two placed switches, the arms, are
 * neighbours of a placed switch, the base. Another switch that is a neighbour of both arms is the fourth corner.
 * The second rule is a perpendicular: a neighbour of the base that closes a square with each arm, other than the
 * switch on the opposite side of the base. Cables between placed neighbours are removed from the search
 * immediately. So a ring of four, which is itself a square, does no harm. The grid is searched cube by cube
 * until no more switches are found.
 *
 * <p>The algorithm is that of OpenSM's torus-2QoS, so that positions and the order of slots are equal. Only the
 * order of port numbers inside a switch affects the result, never the order of switches.
 */
public final class TorusDiscovery {
    private static final int NONE = Grid.NONE;
    private static final String WRONG_SHAPE =
            "the radices, their suffixes or the seed links are not those of this fabric "
                    + "(a torus dimension of 4 must be declared as 4, and seed links must join neighbours)";

    private final Fabric fabric;
    private final Torus2QosConf conf;
    private final int[] radix = new int[Dim.COUNT];
    private final CubeTable cubes;
    private final Grid grid;

    /** Creates a search in a fabric for the torus of a file. */
    public TorusDiscovery(Fabric fabric, Torus2QosConf conf) {
        this.fabric = fabric;
        this.conf = conf;
        int dims = 0;
        for (int d = 0; d < Dim.COUNT; d++) {
            radix[d] = conf.radix(d);
            dims |= radix[d] > 1 ? 1 << d : 0;
        }
        cubes = new CubeTable(dims);
        grid = new Grid(fabric, conf);
    }

    /**
     * Places switches from a seed: exactly those that OpenSM places, in the same order. May be called only once.
     *
     * @param findings receives the findings; an error if the method returns null
     * @return the torus; null if the fabric contradicts the configuration file
     */
    @Nullable
    public Torus place(Seed seed, List<Finding> findings) {
        return searchGrid(seed, findings) ? finish(seed, findings) : null;
    }

    /**
     * Places switches from a seed. Then adds switches that the search by squares misses, but whose cables allow only
     * one position ({@link PlacementCompletion}). May be called only once.
     *
     * @param findings receives the findings; an error if the method returns null
     * @return the torus; null if the fabric contradicts the configuration file
     */
    @Nullable
    Torus placeAndComplete(Seed seed, List<Finding> findings) {
        if (!searchGrid(seed, findings)) {
            return null;
        }
        new PlacementCompletion(fabric, grid).run();
        return finish(seed, findings);
    }

    /**
     * Searches the grid cube by cube until no more cables move into the torus. Returns false, with an error, if the
     * placement failed.
     */
    private boolean searchGrid(Seed seed, List<Finding> findings) {
        if (!start(seed, findings)) {
            return false;
        }
        int linksBefore;
        do {
            linksBefore = grid.connectedCables();
            for (int z = 0; z < radix[2]; z++) {
                for (int y = 0; y < radix[1]; y++) {
                    for (int x = 0; x < radix[0]; x++) {
                        searchCube(x, y, z);
                    }
                }
            }
        } while (grid.connectedCables() != linksBefore);
        return checkOnePlaceEach(findings);
    }

    private @Nullable Torus finish(Seed seed, List<Finding> findings) {
        boolean sound = gatherLocalPorts(findings);
        grid.overflows().forEach(overflow -> findings.add(SmEvent.TORUS_PLACEMENT_WARNING.finding(overflow)));
        return sound ? grid.toTorus(seed) : null;
    }

    private boolean start(Seed seed, List<Finding> findings) {
        int[] origin = new int[Dim.COUNT];
        for (int d = 0; d < Dim.COUNT; d++) {
            origin[d] = Math.floorMod(-seed.dateline()[d], radix[d]);
        }
        for (int d = 0; d < Dim.COUNT; d++) {
            for (int group : new int[] {Dim.plus(d), Dim.minus(d)}) {
                Link link = seed.link(group);
                if (link == null) {
                    continue;
                }
                int[] neighbour = origin.clone();
                neighbour[d] = Math.floorMod(origin[d] + Dim.sign(group), radix[d]);
                if (!grid.place(grid.position(origin), FabricFilter.switchByGuid(fabric, link.from()))
                        || !grid.place(grid.position(neighbour), FabricFilter.switchByGuid(fabric, link.to()))) {
                    findings.add(SmEvent.TORUS_PLACEMENT_ERROR.finding(
                            conf.linePrefix(link.line()) + "the seed link in " + Dim.groupName(group)
                                    + " names a switch that is not in the fabric; correct or remove it"));
                    return false;
                }
            }
        }
        return true;
    }

    /** Searches the cube whose lowest corner has these coordinates. Its other corners wrap around. */
    private void searchCube(int x, int y, int z) {
        if (isPastEdge(0, x) || isPastEdge(1, y) || isPastEdge(2, z)) {
            return;
        }
        int[] corners = new int[8];
        for (int corner = 0; corner < corners.length; corner++) {
            corners[corner] = (x + (corner & 1)) % radix[0]
                    + radix[0] * ((y + (corner >> 1 & 1)) % radix[1] + radix[1] * ((z + (corner >> 2)) % radix[2]));
        }
        connectEdges(corners);
        for (int placed = placeCorner(corners); placed != NONE; placed = placeCorner(corners)) {
            for (int d = 0; d < Dim.COUNT; d++) {
                connectEdge(corners, d, placed & ~(1 << d));
            }
        }
    }

    private boolean isPastEdge(int d, int coordinate) {
        return conf.isMesh(d) && radix[d] > 1 && coordinate == radix[d] - 1;
    }

    /**
     * Moves the cables along the edges of a cube into the torus. Bit d of the number of a corner is its offset in
     * dimension d.
     *
     * @param corners positions by number of the corner
     */
    private void connectEdges(int[] corners) {
        for (int d = 0; d < Dim.COUNT; d++) {
            for (int corner = 0; corner < 8; corner++) {
                if ((corner >> d & 1) == 0) {
                    connectEdge(corners, d, corner);
                }
            }
        }
    }

    private void connectEdge(int[] corners, int d, int corner) {
        int p = grid.slotAt(corners[corner]);
        int q = grid.slotAt(corners[corner | 1 << d]);
        if (p != NONE && q != NONE) {
            grid.connect(d, p, q);
        }
    }

    /**
     * Tries the attempts of the table for the empty corners of a cube until a corner is filled.
     *
     * @return the number of the filled corner; {@link #NONE} if no attempt succeeds
     */
    private int placeCorner(int[] corners) {
        int empty = 0;
        for (int corner = 0; corner < 8; corner++) {
            empty |= grid.slotAt(corners[corner]) == NONE ? 1 << corner : 0;
        }
        for (Attempt attempt : cubes.attempts(empty)) {
            int sw = attempt.dim() < 0
                    ? fourthCorner(
                            grid.switchAt(corners[attempt.armA()]),
                            grid.switchAt(corners[attempt.base()]),
                            grid.switchAt(corners[attempt.armC()]))
                    : perpendicular(corners, attempt);
            if (grid.place(corners[attempt.target()], sw)) {
                return attempt.target();
            }
        }
        return NONE;
    }

    /**
     * Returns the switch that an attempt with a dimension finds: a free neighbour of the base that closes a square
     * with each arm; {@link #NONE} if no neighbour does.
     */
    private int perpendicular(int[] corners, Attempt attempt) {
        int d = attempt.dim();
        int base = corners[attempt.base()];
        for (int e = 0; e < Dim.COUNT; e++) {
            if (e != d && !isSafeRing(e, base)) {
                return NONE;
            }
        }
        int behind = grid.switchAt(grid.step(base, d, (attempt.base() >> d & 1) == 0 ? -1 : 1));
        int baseSwitch = grid.switchAt(base);
        int a = grid.switchAt(corners[attempt.armA()]);
        boolean twoArms = attempt.armC() >= 0;
        int c = twoArms ? grid.switchAt(corners[attempt.armC()]) : a;
        if (behind == NONE || baseSwitch == NONE || a == NONE || c == NONE) {
            return NONE;
        }
        for (int port = fabric.port(baseSwitch, 1); port <= lastPort(baseSwitch); port++) {
            int sw = grid.freeNeighbour(port);
            if (sw != NONE
                    && sw != behind
                    && fourthCorner(a, baseSwitch, sw) != NONE
                    && (!twoArms || fourthCorner(c, baseSwitch, sw) != NONE)) {
                return sw;
            }
        }
        return NONE;
    }

    /**
     * Returns the first switch other than {@code o} that is a free neighbour of {@code a} and of {@code c}; {@link
     * #NONE} if there is no such switch, or an argument is {@link #NONE}. A free neighbour is joined by a cable that
     * is not yet in the torus.
     */
    private int fourthCorner(int a, int o, int c) {
        if (a == NONE || o == NONE || c == NONE) {
            return NONE;
        }
        for (int port = fabric.port(a, 1); port <= lastPort(a); port++) {
            int sw = grid.freeNeighbour(port);
            if (sw != NONE && sw != o && isFreeNeighbour(sw, c)) {
                return sw;
            }
        }
        return NONE;
    }

    private boolean isFreeNeighbour(int sw, int other) {
        for (int port = fabric.port(sw, 1); port <= lastPort(sw); port++) {
            if (grid.freeNeighbour(port) == other) {
                return true;
            }
        }
        return false;
    }

    /**
     * Checks whether a perpendicular to a ring may be searched from one of the switches of the ring. In a ring of
     * four, at least three switches must be placed and their cables moved into the torus. Otherwise the ring could
     * be mistaken for a square.
     */
    private boolean isSafeRing(int d, int position) {
        if (radix[d] != 4 || conf.isMesh(d)) {
            return true;
        }
        int[] ring = {grid.step(position, d, 2), grid.step(position, d, -1), position, grid.step(position, d, 1)};
        int placedOthers = 0;
        for (int corner : ring) {
            placedOthers += corner != position && grid.slotAt(corner) != NONE ? 1 : 0;
        }
        if (placedOthers < 2) {
            return false;
        }
        boolean isConnected = true;
        for (int i = 0; i < ring.length; i++) {
            int p = grid.slotAt(ring[i]);
            int q = grid.slotAt(ring[(i + 1) % ring.length]);
            isConnected &= p == NONE || q == NONE || grid.connect(d, p, q);
        }
        return isConnected;
    }

    /**
     * Checks that no switch was placed twice, which is the surest sign of wrong sizes. Adds an error and returns
     * false otherwise.
     */
    private boolean checkOnePlaceEach(List<Finding> findings) {
        int[] firstPlace = new int[fabric.switchCount()];
        Arrays.fill(firstPlace, NONE);
        for (int position = 0; position < grid.positions(); position++) {
            int sw = grid.switchAt(position);
            if (sw != NONE && firstPlace[sw] != NONE) {
                findings.add(SmEvent.TORUS_PLACEMENT_ERROR.finding(
                        conf.file() + ": ",
                        fabric.device(sw),
                        " would be at " + grid.formatPosition(firstPlace[sw]) + " and at "
                                + grid.formatPosition(position) + " of a " + conf.describe() + "; " + WRONG_SHAPE));
                return false;
            } else if (sw != NONE) {
                firstPlace[sw] = position;
            }
        }
        return true;
    }

    /** Fills the local groups. Returns false, with an error, if a switch has too many hosts. */
    private boolean gatherLocalPorts(List<Finding> findings) {
        boolean sound = true;
        for (int position = 0; position < grid.positions(); position++) {
            int slot = grid.slotAt(position);
            if (slot == NONE) {
                continue;
            }
            int sw = grid.switchOf(slot);
            grid.addLocalPorts(slot);
            int size = grid.groupSize(slot, Dim.LOCAL);
            if (size > conf.portgroupMaxPorts()) {
                findings.add(SmEvent.TORUS_PLACEMENT_ERROR.finding(
                        conf.file() + ": " + grid.formatPosition(position) + " ",
                        fabric.device(sw, grid.formatPosition(position)),
                        " has " + (size - 1) + " hosts, but portgroup_max_ports = " + conf.portgroupMaxPorts()
                                + " allows " + Math.max(0, conf.portgroupMaxPorts() - 1)
                                + " beside port 0; raise it to " + size));
                sound = false;
            }
        }
        return sound;
    }

    private int lastPort(int sw) {
        return fabric.port(sw, fabric.numPorts(sw));
    }
}
