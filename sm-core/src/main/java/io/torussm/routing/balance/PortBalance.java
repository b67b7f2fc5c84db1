package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;

/**
 * The choice of a port on one switch, by the number of LIDs that already use each port. If an end port has
 * several LIDs, a LID preferably takes a port to a system (SystemImageGUID) that previous LIDs of the end port
 * do not use. Without such a port, it takes one to an unused switch. The rules and their order are OpenSM's. One
 * thread at a time.
 */
final class PortBalance {
    private final boolean takesFirstNeighbour;
    private final boolean hasSeveralLids;
    private final boolean shifts;

    /** By port number: the index in the order of the search. */
    private final int[] searchIndex;

    /** By port number: the neighbour, {@link Fabric#NONE} without one. */
    private final int[] farSwitch;
    /** By port number: the SystemImageGUID of the neighbour, 0 without one. */
    private final long[] systemImageGuid;

    /** By port number: the number of counted LIDs that use the port. */
    private final int[] load;

    /** The port numbers that previous LIDs of the end port use; LMC is at most 7. */
    private final int[] usedPorts = new int[1 << 7];

    private int usedCount;

    /** The remaining candidates, in the order of the search. */
    private final int[] candidates;

    private int candidateCount;

    /**
     * The best candidates so far, as port numbers with their loads: of all ports; of ports to another system; of
     * ports to another switch. 0 without a candidate.
     */
    private int best;

    private int bestLoad;
    private int otherSystem;
    private int otherSystemLoad;
    private int otherSwitch;
    private int otherSwitchLoad;

    /**
     * A port with the load of the best port replaces it if fewer than this number of LIDs of the end port pass its
     * switch.
     */
    private int limit;

    PortBalance(BalancedTables tables, int sw, int[] searched) {
        takesFirstNeighbour = tables.takesFirstNeighbour;
        hasSeveralLids = tables.offsets > 1;
        shifts = tables.balancing.shifts;
        Fabric fabric = tables.links.fabric();
        searchIndex = new int[searched.length];
        farSwitch = new int[searched.length];
        systemImageGuid = new long[searched.length];
        load = new int[searched.length];
        candidates = new int[searched.length];
        farSwitch[0] = Fabric.NONE;
        for (int i = 0; i < searched.length; i++) {
            searchIndex[searched[i]] = i;
        }
        for (int portNum = 1; portNum < farSwitch.length; portNum++) {
            farSwitch[portNum] = tables.links.farSwitch(fabric.port(sw, portNum));
            systemImageGuid[portNum] = farSwitch[portNum] == Fabric.NONE
                    ? 0
                    : fabric.node(farSwitch[portNum]).info().systemImageGuid();
        }
    }

    /** Returns the first {@code count} port numbers of an array, in the order of the search. */
    byte[] inOrder(int[] ports, int count) {
        byte[] ordered = new byte[count];
        for (int i = 0; i < count; i++) {
            int slot = i;
            for (; slot > 0 && searchIndex[ordered[slot - 1] & 0xff] > searchIndex[ports[i]]; slot--) {
                ordered[slot] = ordered[slot - 1];
            }
            ordered[slot] = (byte) ports[i];
        }
        return ordered;
    }

    /** Counts a LID that uses a port. */
    void countRoute(int portNum) {
        load[portNum]++;
    }

    /**
     * Collects the ports that previous LIDs of an end port use.
     *
     * @param from first of these LIDs
     * @param to LID after the last of them
     * @param isCounted by port number: true if its routes are counted
     */
    void collectUsedPorts(byte[] lft, int from, int to, boolean[] isCounted) {
        usedCount = 0;
        for (int lid = from; lid < to; lid++) {
            int port = lft[lid] & 0xff;
            if (port != 0 && port != LinearForwardingTable.NO_PATH && isCounted[port]) {
                usedPorts[usedCount++] = port;
            }
        }
    }

    /** Returns one of the ports with the minimum load, at random. */
    int randomPort(byte[] ports, AdditiveRandom random) {
        collectCandidates(ports, 1);
        int minLoad = Integer.MAX_VALUE;
        int count = 0;
        for (int i = 0; i < candidateCount; i++) {
            int port = candidates[i];
            if (load[port] < minLoad) {
                minLoad = load[port];
                count = 0;
            }
            if (load[port] == minLoad) {
                candidates[count++] = port;
            }
        }
        return candidates[random.next() % count];
    }

    /**
     * Returns the port for a LID.
     *
     * @param ports ports in the order of the search, at least one
     * @param start index in the order of the search at which the search begins
     */
    int choosePort(byte[] ports, int start) {
        collectCandidates(ports, start);
        best = 0;
        otherSystem = 0;
        otherSwitch = 0;
        bestLoad = Integer.MAX_VALUE;
        otherSystemLoad = Integer.MAX_VALUE;
        otherSwitchLoad = Integer.MAX_VALUE;
        limit = Integer.MAX_VALUE;
        if (shifts) {
            compareShifted();
        } else {
            compare();
        }
        return otherSystem != 0 ? otherSystem : otherSwitch != 0 ? otherSwitch : best;
    }

    /**
     * Collects the candidates from an index of the search order on, cyclically; with {@code takesFirstNeighbour}
     * only those to the neighbour of the first candidate.
     */
    private void collectCandidates(byte[] ports, int start) {
        int first = 0;
        while (first < ports.length && searchIndex[ports[first] & 0xff] < start) {
            first++;
        }
        candidateCount = 0;
        for (int i = 0; i < ports.length; i++) {
            int port = ports[(first + i) % ports.length] & 0xff;
            if (!takesFirstNeighbour || candidateCount == 0 || farSwitch[port] == farSwitch[candidates[0]]) {
                candidates[candidateCount++] = port;
            }
        }
    }

    private void compare() {
        for (int i = 0; i < candidateCount; i++) {
            int port = candidates[i];
            if (hasSeveralLids && !takesFirstNeighbour) {
                offer(port, passesSystem(port), uses(port) > 0);
            }
            int uses = hasSeveralLids ? uses(port) : 0;
            offer(port, uses, hasSeveralLids && (takesFirstNeighbour || uses > 0));
        }
    }

    /**
     * Compares the candidates from an index that the loads determine, so that it changes from LID to LID. OpenSM
     * does not always look up the switch of a candidate, and then uses that of the previous candidate. This method
     * does the same, so that tables are equal.
     */
    private void compareShifted() {
        boolean[] isSystemKnown = new boolean[candidateCount];
        boolean[] isSwitchKnown = new boolean[candidateCount];
        long sum = 0;
        boolean isKnown = false;
        for (int i = 0; i < candidateCount; i++) {
            sum += load[candidates[i]];
            if (hasSeveralLids && !takesFirstNeighbour) {
                isSystemKnown[i] = passesSystem(candidates[i]);
                isKnown = isSystemKnown[i] ? uses(candidates[i]) > 0 : isKnown;
                isSwitchKnown[i] = isKnown;
            }
        }
        int start = (int) (sum / candidateCount % candidateCount);
        for (int k = 0; k < candidateCount; k++) {
            int i = (start + k) % candidateCount;
            if (hasSeveralLids) {
                offer(candidates[i], isSystemKnown[i], isSwitchKnown[i]);
            }
            boolean counts = isSystemKnown[i] || isSwitchKnown[i];
            offer(candidates[i], counts ? uses(candidates[i]) : 0, counts);
        }
    }

    /**
     * Compares a port with the best port to another system, or to another switch.
     *
     * @param isSystemKnown true if previous LIDs use the system of the port
     * @param isSwitchKnown true if previous LIDs use the switch of the port
     */
    private void offer(int port, boolean isSystemKnown, boolean isSwitchKnown) {
        if (!isSystemKnown && load[port] < otherSystemLoad) {
            otherSystem = port;
            otherSystemLoad = load[port];
            limit = 0;
        } else if ((isSystemKnown || shifts) && !isSwitchKnown && load[port] < otherSwitchLoad) {
            otherSwitch = port;
            otherSwitchLoad = load[port];
            limit = 0;
        }
    }

    /**
     * Compares a port with the best of all ports.
     *
     * @param uses number of previous LIDs that pass its switch
     * @param counts true if {@code uses} matters for equal loads
     */
    private void offer(int port, int uses, boolean counts) {
        boolean isFewer = counts && uses < limit;
        if (load[port] < bestLoad || (load[port] == bestLoad && isFewer)) {
            best = port;
            bestLoad = load[port];
            limit = isFewer ? uses : limit;
        }
    }

    private boolean passesSystem(int port) {
        for (int i = 0; i < usedCount; i++) {
            if (systemImageGuid[usedPorts[i]] == systemImageGuid[port]) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the number of previous LIDs of the end port that pass the neighbour at a port. With {@code
     * takesFirstNeighbour}, returns the number that use the port itself.
     */
    private int uses(int port) {
        int uses = 0;
        for (int i = 0; i < usedCount; i++) {
            boolean isSame = takesFirstNeighbour ? usedPorts[i] == port : farSwitch[usedPorts[i]] == farSwitch[port];
            uses += isSame ? 1 : 0;
        }
        return uses;
    }
}
