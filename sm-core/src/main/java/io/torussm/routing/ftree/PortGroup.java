package io.torussm.routing.ftree;

/**
 * The cables from one switch to another, in the order of its ports, and the number of routes on each. The
 * counts belong to one run of {@link FatTreeTables}.
 */
final class PortGroup {
    /** The switch at the other end. */
    final int peer;

    /** Port indexes of the switch that has the group. */
    final int[] ports;

    /**
     * Number of routes to destinations above, which the peer sends up to this switch; of the group and by
     * port.
     */
    int up;

    private final int[] upAt;

    /**
     * Number of routes to destinations below, which the peer sends down to this switch; of the group and by
     * port.
     */
    int down;

    private final int[] downAt;

    PortGroup(int peer, int[] ports) {
        this.peer = peer;
        this.ports = ports;
        upAt = new int[ports.length];
        downAt = new int[ports.length];
    }

    /** Returns the cable that the fewest routes take up to this switch, the first of several. */
    int leastUp() {
        return least(upAt);
    }

    /** Returns the cable that the fewest routes take down to this switch, the first of several. */
    int leastDown() {
        return least(downAt);
    }

    void countUp(int cable) {
        up++;
        upAt[cable]++;
    }

    void countDown(int cable) {
        down++;
        countCableDown(cable);
    }

    /** Counts for the cable and not for the group. */
    void countCableDown(int cable) {
        downAt[cable]++;
    }

    private static int least(int[] counts) {
        int least = 0;
        for (int i = 1; i < counts.length; i++) {
            least = counts[i] < counts[least] ? i : least;
        }
        return least;
    }
}
