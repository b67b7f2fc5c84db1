package io.torussm.daemon.traffic;

import io.torussm.dataplane.Destinations;
import io.torussm.dataplane.Hosts;
import io.torussm.routing.Lattice;
import io.torussm.routing.Plan;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The pattern of a traffic: the destinations of each source. */
public enum TrafficPattern {
    /** Each message to a random other host, all with the same probability. */
    UNIFORM,
    /** All other hosts in turn. At each turn, all sources have the same distance to their destinations. */
    ALL_TO_ALL,
    /** The host almost half of a ring away, in each dimension. */
    TORNADO,
    /** The host whose coordinates are those of the source, with x and the last dimension exchanged. */
    TRANSPOSE,
    /** Hosts at neighbouring switches. */
    NEIGHBORS,
    /** The host at a fixed distance in the order of hosts (default: half of the hosts). */
    SHIFT,
    /** The next host, as in a ring of ranks. */
    RING,
    /** Along a dimension. */
    RING_X,
    RING_Y,
    RING_Z,
    /** One other host for each source, drawn at random. */
    PERMUTATION,
    /** All hosts to one host. */
    INCAST,
    /** 32 hosts send to one host, and a neighbour of a sender sends to a neighbour of that host. */
    VICTIM,
    /** One host is sent eight times the rate of its cable at full load; other messages go to any host. */
    HOT_SPOT,
    /** As {@link #HOT_SPOT}, with eight such hosts. */
    WINDY;

    private static final int WINDY_SPOTS = 8;

    /** Returns the hosts that are sent more than others; empty for patterns without hot spots. */
    BitSet hotSpots(int hosts) {
        BitSet spots = new BitSet(hosts);
        int count = this == WINDY
                ? Math.min(WINDY_SPOTS, hosts)
                : this == INCAST || this == VICTIM || this == HOT_SPOT ? 1 : 0;
        for (int spot = 0; spot < count; spot++) {
            spots.set(spot * (hosts / count));
        }
        return spots;
    }

    /** Returns the word of the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns all words, for help and messages. */
    public static List<String> words() {
        return Arrays.stream(values()).map(TrafficPattern::word).toList();
    }

    /** Returns the pattern of a word of the command line; empty if the word is unknown. */
    public static Optional<TrafficPattern> of(String word) {
        return Arrays.stream(values())
                .filter(pattern -> pattern.word().equals(word))
                .findFirst();
    }

    /** Checks whether the pattern needs a fabric with coordinates. */
    public boolean needsPlaces() {
        return this == TORNADO
                || this == TRANSPOSE
                || this == NEIGHBORS
                || this == RING_X
                || this == RING_Y
                || this == RING_Z;
    }

    /**
     * Returns the destinations on a plan.
     *
     * @param shift distance of the pattern shift, in hosts; 0 for half of the hosts
     * @param seed seed of random numbers
     * @throws IllegalArgumentException if the pattern needs coordinates and the engine has none, or if there are too
     *     few hosts for the shift
     */
    Destinations destinations(Plan plan, Hosts hosts, int shift, long seed) {
        return switch (this) {
            case UNIFORM -> Destinations.uniform(hosts.count());
            case ALL_TO_ALL -> Destinations.shifts(hosts.count());
            case SHIFT -> Destinations.shift(hosts.count(), places(hosts, shift));
            case RING -> Destinations.ring(hosts.count());
            case PERMUTATION -> Destinations.permutation(hosts.count(), seed);
            case INCAST -> Destinations.incast();
            case VICTIM -> HotSpots.victim(hosts);
            case HOT_SPOT -> HotSpots.mixed(hosts.count(), hotSpots(hosts.count()));
            case WINDY -> HotSpots.mixed(hosts.count(), hotSpots(hosts.count()));
            case TORNADO -> Destinations.tornado(hosts, lattice(plan));
            case TRANSPOSE -> Destinations.transpose(hosts, lattice(plan));
            case NEIGHBORS -> Destinations.neighbors(hosts, lattice(plan));
            case RING_X -> Destinations.neighbor(hosts, lattice(plan), 0);
            case RING_Y -> Destinations.neighbor(hosts, lattice(plan), 1);
            case RING_Z -> Destinations.neighbor(hosts, lattice(plan), 2);
        };
    }

    private static int places(Hosts hosts, int shift) {
        if (shift >= hosts.count()) {
            throw new IllegalArgumentException(
                    "--shift " + shift + ": there are " + hosts.count() + " hosts; give 1 to " + (hosts.count() - 1));
        }
        return shift == 0 ? hosts.count() / 2 : shift;
    }

    private Lattice lattice(Plan plan) {
        return plan.explainer()
                .lattice()
                .orElseThrow(() ->
                        new IllegalArgumentException("pattern " + word() + " needs places of switches, and engine "
                                + plan.engine() + " knows none; take another, or torus-2QoS"));
    }
}
