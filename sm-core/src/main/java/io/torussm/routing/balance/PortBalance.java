package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;

/**
 * How one switch chooses among ports. It counts the LIDs that leave by each. An end port with several LIDs
 * takes for each a port to a system that its LIDs before do not pass, or else to a switch that they do not
 * pass, as far as there are such.
 */
final class PortBalance {
    private final boolean takesFirstNeighbour;
    private final boolean hasSeveralLids;
    private final boolean shifts;

    /** By port number: the place in the order of the search, the switch behind it, and its system. */
    private final int[] place;

    private final int[] behind;
    private final long[] system;

    /** By port number: LIDs that leave there. */
    private final int[] load;

    /** The ports that earlier LIDs of the end port take. */
    private final int[] taken = new int[1 << 7];

    private int takenCount;

    /** The remaining candidates, in the order of the search. */
    private final int[] left;

    private int leftCount;

    /**
     * The best candidate so far, and its count: of all; of ports to another system; of ports to another
     * switch of a known system.
     */
    private int best;

    private int bestLoad;
    private int otherSystem;
    private int otherSystemLoad;
    private int otherSwitch;
    private int otherSwitchLoad;

    /** A port that is as good as the best replaces it if fewer LIDs of the end port than this pass its switch. */
    private int limit;

    PortBalance(BalancedTables tables, int sw, int[] searched) {
        takesFirstNeighbour = tables.takesFirstNeighbour;
        hasSeveralLids = tables.offsets > 1;
        shifts = tables.balancing.shifts;
        Fabric fabric = tables.links.fabric();
        place = new int[searched.length];
        behind = new int[searched.length];
        system = new long[searched.length];
        load = new int[searched.length];
        left = new int[searched.length];
        behind[0] = Fabric.NONE;
        for (int i = 0; i < searched.length; i++) {
            place[searched[i]] = i;
        }
        for (int portNum = 1; portNum < behind.length; portNum++) {
            behind[portNum] = tables.links.behind(fabric.port(sw, portNum));
            system[portNum] = behind[portNum] == Fabric.NONE
                    ? 0
                    : fabric.node(behind[portNum]).info().systemImageGuid();
        }
    }

    /** Returns the ports in the order in which they are searched, of an array that begins with them. */
    byte[] inOrder(int[] ports, int count) {
        byte[] ordered = new byte[count];
        for (int i = 0; i < count; i++) {
            int at = i;
            for (; at > 0 && place[ordered[at - 1] & 0xff] > place[ports[i]]; at--) {
                ordered[at] = ordered[at - 1];
            }
            ordered[at] = (byte) ports[i];
        }
        return ordered;
    }

    /** Counts a LID that leaves by a port. */
    void count(int portNum) {
        load[portNum]++;
    }

    /** Looks at where some LIDs of an end port go already, before another is to follow. */
    void remember(byte[] lft, int from, int to, boolean[] isCounted) {
        takenCount = 0;
        for (int lid = from; lid < to; lid++) {
            int port = lft[lid] & 0xff;
            if (port != 0 && port != LinearForwardingTable.NO_PATH && isCounted[port]) {
                taken[takenCount++] = port;
            }
        }
    }

    /** Returns one of the ports with the smallest count, at random. */
    int scattered(byte[] ports, AdditiveRandom random) {
        keep(ports, 1);
        int least = Integer.MAX_VALUE;
        int count = 0;
        for (int i = 0; i < leftCount; i++) {
            int port = left[i];
            if (load[port] < least) {
                least = load[port];
                count = 0;
            }
            if (load[port] == least) {
                left[count++] = port;
            }
        }
        return left[random.next() % count];
    }

    /**
     * Returns the port that a LID takes.
     *
     * @param ports ports in the order of the search, at least one
     * @param start place in that order at which the search begins
     */
    int of(byte[] ports, int start) {
        keep(ports, start);
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

    private void keep(byte[] ports, int start) {
        int first = 0;
        while (first < ports.length && place[ports[first] & 0xff] < start) {
            first++;
        }
        leftCount = 0;
        for (int i = 0; i < ports.length; i++) {
            int port = ports[(first + i) % ports.length] & 0xff;
            if (!takesFirstNeighbour || leftCount == 0 || behind[port] == behind[left[0]]) {
                left[leftCount++] = port;
            }
        }
    }

    private void compare() {
        for (int i = 0; i < leftCount; i++) {
            int port = left[i];
            if (hasSeveralLids && !takesFirstNeighbour) {
                offer(port, passesSystem(port), uses(port) > 0);
            }
            int uses = hasSeveralLids ? uses(port) : 0;
            offer(port, uses, hasSeveralLids && (takesFirstNeighbour || uses > 0));
        }
    }

    /**
     * Begins at another candidate each time. OpenSM does not always look up the switch of a candidate, and
     * then uses that of the previous candidate. This is repeated here so that tables are equal.
     */
    private void compareShifted() {
        boolean[] isSystemKnown = new boolean[leftCount];
        boolean[] isSwitchKnown = new boolean[leftCount];
        long sum = 0;
        boolean isKnown = false;
        for (int i = 0; i < leftCount; i++) {
            sum += load[left[i]];
            if (hasSeveralLids && !takesFirstNeighbour) {
                isSystemKnown[i] = passesSystem(left[i]);
                isKnown = isSystemKnown[i] ? uses(left[i]) > 0 : isKnown;
                isSwitchKnown[i] = isKnown;
            }
        }
        int start = (int) (sum / leftCount % leftCount);
        for (int k = 0; k < leftCount; k++) {
            int i = (start + k) % leftCount;
            if (hasSeveralLids) {
                offer(left[i], isSystemKnown[i], isSwitchKnown[i]);
            }
            boolean counts = isSystemKnown[i] || isSwitchKnown[i];
            offer(left[i], counts ? uses(left[i]) : 0, counts);
        }
    }

    /** Offers a port as the best one to another system, or to another switch. */
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

    /** Offers a port for the contest of all. */
    private void offer(int port, int uses, boolean counts) {
        boolean isFewer = counts && uses < limit;
        if (load[port] < bestLoad || (load[port] == bestLoad && isFewer)) {
            best = port;
            bestLoad = load[port];
            limit = isFewer ? uses : limit;
        }
    }

    private boolean passesSystem(int port) {
        for (int i = 0; i < takenCount; i++) {
            if (system[taken[i]] == system[port]) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the number of LIDs of the end port that pass the switch behind a port; with the first neighbour
     * alone, that take the port itself.
     */
    private int uses(int port) {
        int uses = 0;
        for (int i = 0; i < takenCount; i++) {
            boolean isSame = takesFirstNeighbour ? taken[i] == port : behind[taken[i]] == behind[port];
            uses += isSame ? 1 : 0;
        }
        return uses;
    }
}
