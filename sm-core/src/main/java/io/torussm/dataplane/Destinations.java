package io.torussm.dataplane;

import io.torussm.routing.Lattice;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The destinations of the messages of hosts. */
@FunctionalInterface
public interface Destinations {
    /** The host sends nothing. */
    int NO_DESTINATION = -1;

    /** Dimensions of a {@link Lattice}. */
    int DIMENSIONS = 3;

    /** Returns the destination of the next message of a host. */
    int next(int host, SplittableRandom random);

    /** Returns a uniform distribution over all other hosts. */
    static Destinations uniform(int hosts) {
        return (host, random) -> {
            int other = random.nextInt(hosts - 1);
            return other < host ? other : other + 1;
        };
    }

    /**
     * Returns all other hosts in turn. At a time, all hosts send over the same distance in the order of
     * hosts, as all-to-all is programmed.
     */
    static Destinations shifts(int hosts) {
        int[] shift = new int[hosts];
        return (host, random) -> {
            shift[host] = shift[host] % (hosts - 1) + 1;
            return (host + shift[host]) % hosts;
        };
    }

    /** Returns the next host in the order of hosts, as in a ring of ranks. */
    static Destinations ring(int hosts) {
        return shift(hosts, 1);
    }

    /**
     * Returns the host at a fixed distance in the order of hosts, which wraps.
     *
     * @param places 1 to hosts - 1
     */
    static Destinations shift(int hosts, int places) {
        return (host, random) -> (host + places) % hosts;
    }

    /** Returns one other host for each host, drawn at random; no host is the destination of two. */
    static Destinations permutation(int hosts, long seed) {
        SplittableRandom lot = new SplittableRandom(seed);
        int[] order = IntStream.range(0, hosts).toArray();
        for (int i = hosts - 1; i > 0; i--) {
            int j = lot.nextInt(i + 1);
            int moved = order[i];
            order[i] = order[j];
            order[j] = moved;
        }
        int[] next = new int[hosts];
        for (int i = 0; i < hosts; i++) {
            next[order[i]] = order[(i + 1) % hosts];
        }
        return (host, random) -> next[host];
    }

    /** Returns the first host for all hosts. */
    static Destinations incast() {
        return (host, random) -> host == 0 ? NO_DESTINATION : 0;
    }

    /**
     * Returns hosts of the switch that is just less than half a dimension ahead, in every dimension that
     * wraps: the worst pattern for shortest paths on a torus (Dally and Towles, Principles and Practices of
     * Interconnection Networks, 3.2).
     */
    static Destinations tornado(Hosts hosts, Lattice lattice) {
        int[] shift = IntStream.range(0, DIMENSIONS)
                .map(d -> lattice.wraps(d) ? (lattice.size(d) + 1) / 2 - 1 : 0)
                .toArray();
        int[] to = hostsAtDistance(hosts, lattice, shift);
        return (host, random) -> to[host];
    }

    /**
     * Returns hosts of the switch with x and the last dimension exchanged, as when a matrix is transposed.
     * With dimension order, paths of a whole row turn at one switch. If there is no such switch, a host sends
     * nothing.
     */
    static Destinations transpose(Hosts hosts, Lattice lattice) {
        int last = lattice.size(2) > 1 ? 2 : 1;
        int[] places = new int[lattice.positions()];
        for (int position = 0; position < places.length; position++) {
            int[] at = {
                lattice.coordinate(position, 0), lattice.coordinate(position, 1), lattice.coordinate(position, 2)
            };
            int first = at[0];
            at[0] = at[last];
            at[last] = first;
            places[position] = at[0] < lattice.size(0) && at[last] < lattice.size(last)
                    ? at[0] + lattice.size(0) * (at[1] + lattice.size(1) * at[2])
                    : NO_DESTINATION;
        }
        int[] to = hostsAtPositions(hosts, lattice, places);
        return (host, random) -> to[host];
    }

    /** Returns hosts of the next switch of a dimension, as in a ring along it. */
    static Destinations neighbor(Hosts hosts, Lattice lattice, int d) {
        int[] shift = new int[DIMENSIONS];
        shift[d] = 1;
        int[] to = hostsAtDistance(hosts, lattice, shift);
        return (host, random) -> to[host];
    }

    /** Returns hosts of the six neighbours of their switch, at random. */
    static Destinations neighbors(Hosts hosts, Lattice lattice) {
        int[][] to = new int[2 * DIMENSIONS][];
        int count = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            for (int step = 1; step >= -1 && lattice.size(d) > 1; step -= 2) {
                int[] shift = new int[DIMENSIONS];
                shift[d] = step;
                to[count++] = hostsAtDistance(hosts, lattice, shift);
            }
        }
        int[][] all = Arrays.copyOf(to, count);
        return (host, random) -> all[random.nextInt(all.length)][host];
    }

    /** Returns by host the host at the same position of the switch at this distance; -1 if there is none. */
    private static int[] hostsAtDistance(Hosts hosts, Lattice lattice, int[] shift) {
        int[] places = IntStream.range(0, lattice.positions()).toArray();
        for (int start = 0; start < places.length; start++) {
            for (int d = 0; d < shift.length; d++) {
                int steps = Math.floorMod(shift[d], lattice.size(d));
                for (int step = 0; step < steps && places[start] != NO_DESTINATION; step++) {
                    places[start] = lattice.next(places[start], d);
                }
            }
        }
        return hostsAtPositions(hosts, lattice, places);
    }

    /**
     * Returns by host the host at the same position of another switch; -1 if there is none.
     *
     * @param places the other switch by coordinates, or -1
     */
    private static int[] hostsAtPositions(Hosts hosts, Lattice lattice, int[] places) {
        int[] to = new int[hosts.count()];
        Arrays.fill(to, NO_DESTINATION);
        int[][] hostsOf = IntStream.range(0, hosts.subnet().fabric().switchCount())
                .mapToObj(sw -> IntStream.range(0, hosts.count())
                        .filter(host -> hosts.switchOf(host) == sw)
                        .toArray())
                .toArray(int[][]::new);
        int[] switches = lattice.switchesIn(hosts.subnet().fabric());
        for (int position = 0; position < places.length; position++) {
            int sw = switches[position];
            int there = places[position] == NO_DESTINATION ? NO_DESTINATION : switches[places[position]];
            for (int i = 0; sw >= 0 && there >= 0 && i < hostsOf[sw].length; i++) {
                to[hostsOf[sw][i]] = i < hostsOf[there].length && there != sw ? hostsOf[there][i] : NO_DESTINATION;
            }
        }
        return to;
    }
}
