package io.torussm.torus2qos.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.conf.Torus2QosConf.Seed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The search for the sizes of a fabric if the sizes in the file are doubtful. The result fits without a gap:
 * every switch has a position, every position a switch, and every cable joins neighbours. If several sizes fit,
 * the result is the one nearest to the file. Only sizes that give the same number of switches and of
 * neighbouring pairs as the fabric are tried, so there are few.
 */
final class SizeSearch {
    /** The largest fabric for which sizes are tried. */
    private static final int MAX_SWITCHES = 20_000;

    private static final int MAX_TRIES = 200;

    /** Switches placed in all tries together. */
    private static final int MAX_PLACED = 1_000_000;

    private final Fabric fabric;
    private final Torus2QosConf conf;
    private final Seed seed;
    /** Number of pairs of switches that are joined by at least one cable. */
    private final int pairs;

    private final List<Torus2QosConf> candidates = new ArrayList<>();

    private SizeSearch(Fabric fabric, Torus2QosConf conf, Seed seed) {
        this.fabric = fabric;
        this.conf = conf;
        this.seed = seed;
        this.pairs = neighbouringPairs(fabric);
    }

    /**
     * Checks whether the sizes in the file may have a plane too few or too many: at least as many switches are
     * unplaced, positions are empty, or cables are strays, as the smallest plane has positions.
     */
    static boolean isDoubtful(Torus torus) {
        int plane = torus.positions() / Math.max(torus.radix(0), Math.max(torus.radix(1), torus.radix(2)));
        int unplaced = torus.fabric().switchCount() - torus.slots();
        int empty = torus.positions() - torus.slots();
        return Math.max(strayCables(torus), Math.max(unplaced, empty)) >= plane;
    }

    /**
     * Returns the configuration with the nearest sizes that fit without a gap, from the same seed; empty if no sizes
     * fit, or the fabric is too large to try.
     */
    static Optional<Torus2QosConf> find(Fabric fabric, Torus2QosConf conf, Seed seed) {
        return fabric.switchCount() > MAX_SWITCHES ? Optional.empty() : new SizeSearch(fabric, conf, seed).find();
    }

    /**
     * Checks whether a configuration fits the fabric without a gap: every switch has a position, every position a
     * switch, and every cable joins neighbours.
     */
    static boolean fits(Fabric fabric, Torus2QosConf conf, Seed seed) {
        Torus torus = new TorusDiscovery(fabric, conf).place(seed, new ArrayList<>());
        return torus != null
                && torus.slots() == torus.positions()
                && torus.slots() == fabric.switchCount()
                && strayCables(torus) == 0;
    }

    /** Returns the number of cables between switches that are no links of a torus. */
    static int strayCables(Torus torus) {
        Fabric fabric = torus.fabric();
        int ends = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            ends += FabricFilter.isSwitchLink(fabric, port) && torus.portClass(port) == Dim.LOCAL_CLASS ? 1 : 0;
        }
        return ends / 2;
    }

    private Optional<Torus2QosConf> find() {
        int count = fabric.switchCount();
        for (int x = 1; x <= count; x++) {
            for (int y = 1; count % x == 0 && y <= count / x; y++) {
                if (count / x % y == 0) {
                    addCandidates(new int[] {x, y, count / x / y});
                }
            }
        }
        candidates.sort(Comparator.comparingInt(this::distance));
        int tries = Math.min(MAX_TRIES, MAX_PLACED / Math.max(1, count));
        for (Torus2QosConf candidate : candidates) {
            for (Seed wholeSeed : SeedAdvice.wholeSeeds(fabric, candidate, seed)) {
                if (tries-- <= 0) {
                    return Optional.empty();
                } else if (fits(fabric, candidate, wholeSeed)) {
                    return Optional.of(candidate);
                }
            }
        }
        return Optional.empty();
    }

    private void addCandidates(int[] radix) {
        for (int meshes = 0; meshes < 1 << Dim.COUNT; meshes++) {
            boolean[] mesh = new boolean[Dim.COUNT];
            boolean isMeaningful = true;
            int expected = 0;
            for (int d = 0; d < Dim.COUNT; d++) {
                mesh[d] = (meshes >> d & 1) != 0;
                isMeaningful &= !mesh[d] || radix[d] > 2;
                isMeaningful &= radix[d] > 1 == hasLink(d);
                boolean isOpen = mesh[d] || radix[d] <= 2;
                expected += fabric.switchCount() / radix[d] * (isOpen ? radix[d] - 1 : radix[d]);
            }
            Torus2QosConf candidate = conf.withSizes(radix, mesh);
            if (isMeaningful && expected == pairs && distance(candidate) > 0) {
                candidates.add(candidate);
            }
        }
    }

    /**
     * Checks whether the seed has a link along a dimension. Sizes are tried only if exactly the dimensions with
     * links have more than one switch.
     */
    private boolean hasLink(int d) {
        return seed.link(Dim.minus(d)) != null || seed.link(Dim.plus(d)) != null;
    }

    /** Returns the distance of sizes from the sizes in the file; 0 if they are equivalent. */
    private int distance(Torus2QosConf candidate) {
        int distance = 0;
        for (int d = 0; d < Dim.COUNT; d++) {
            distance += 2 * Math.abs(candidate.radix(d) - conf.radix(d));
            distance += candidate.radix(d) > 2 && candidate.isMesh(d) != conf.isMesh(d) ? 1 : 0;
        }
        return distance;
    }

    private static int neighbouringPairs(Fabric fabric) {
        int ends = 0;
        Set<Integer> neighbours = new HashSet<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            neighbours.clear();
            for (int port = fabric.port(sw, 0); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                if (FabricFilter.isSwitchLink(fabric, port)) {
                    neighbours.add(fabric.nodeOf(fabric.peer(port)));
                }
            }
            neighbours.remove(sw);
            ends += neighbours.size();
        }
        return ends / 2;
    }
}
