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
    int upRoutes;

    /** Number of routes that the peer sends up, by cable. */
    private final int[] upRoutesOfCable;

    /** Number of routes that the peer sends down to the first switch over this group. */
    int downRoutes;

    /** Number of routes that the peer sends down, by cable. */
    private final int[] downRoutesOfCable;

    PortGroup(int peer, int[] ports) {
        this.peer = peer;
        this.ports = ports;
        upRoutesOfCable = new int[ports.length];
        downRoutesOfCable = new int[ports.length];
    }

    /** Returns the first cable with the fewest routes up to the first switch. */
    int leastUsedUp() {
        return leastUsed(upRoutesOfCable);
    }

    /** Returns the first cable with the fewest routes down to the first switch. */
    int leastUsedDown() {
        return leastUsed(downRoutesOfCable);
    }

    void countUp(int cable) {
        upRoutes++;
        upRoutesOfCable[cable]++;
    }

    void countDown(int cable) {
        downRoutes++;
        countCableDown(cable);
    }

    /** Counts a route down for a cable, but not for the group. */
    void countCableDown(int cable) {
        downRoutesOfCable[cable]++;
    }

    private static int leastUsed(int[] counts) {
        int least = 0;
        for (int i = 1; i < counts.length; i++) {
            least = counts[i] < counts[least] ? i : least;
        }
        return least;
    }
}
