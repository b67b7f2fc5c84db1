package io.torussm.routing.ftree;

/**
 * The cables from one switch to another (the peer), in the order of the ports of the first switch, with the
 * number of routes on each. The counts belong to one run of {@link FatTreeTables}.
 */
final class PortGroup {
    /** The index of the switch at the other end. */
    final int peer;

    /** Port indexes of the first switch. A cable is an index into this array. */
    final int[] ports;

    /** Number of routes that the peer sends up to the first switch over this group. */
    int up;

    /** Number of routes that the peer sends up, by cable. */
    private final int[] upAt;

    /** Number of routes that the peer sends down to the first switch over this group. */
    int down;

    /** Number of routes that the peer sends down, by cable. */
    private final int[] downAt;

    PortGroup(int peer, int[] ports) {
        this.peer = peer;
        this.ports = ports;
        upAt = new int[ports.length];
        downAt = new int[ports.length];
    }

    /** Returns the first cable with the fewest routes up to the first switch. */
    int leastUp() {
        return least(upAt);
    }

    /** Returns the first cable with the fewest routes down to the first switch. */
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

    /** Counts a route down for a cable, but not for the group. */
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
