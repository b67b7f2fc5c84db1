package io.torussm.routing.statistics;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The changes of the paths of a plan if part of its fabric is lost and other tables bypass it. Only paths over
 * changed entries are followed, so many failures can be compared quickly. Numbers are counted as in {@link
 * PathStatistics}. Immutable; each thread needs its own {@link Comparison}. An end is an index into {@link
 * PathEnds#ports}.
 */
public final class PathLosses {
    private static final int NONE = Fabric.NONE;
    private final Plan previousPlan;
    private final Fabric fabric;
    private final PathEnds ends;
    /** By port index: the number of paths that leave a switch through it. */
    private final int[] loads;
    /** By switch: the index of its port 0; the last entry is the number of ports of switches. */
    private final int[] firstPort;

    /** By port index of a switch: the switch at the other end of its cable, NONE without one. */
    private final int[] farSwitch;

    /** By port index of a switch: the port number of that switch. */
    private final int[] farPort;

    /** By end: the number of other ends with a path to it. */
    private final int[] pairsTo;

    /** By LID: the end with this LID, NONE for other LIDs. */
    private final int[] endOfLid;

    /**
     * Prepares comparisons with a plan.
     *
     * @param loads loads of the plan by port index, see {@link PathStatistics#loads()}
     */
    public PathLosses(Plan previousPlan, PathEnds ends, int[] loads) {
        this.previousPlan = previousPlan;
        this.ends = ends;
        this.loads = loads;
        fabric = previousPlan.subnet().fabric();
        int switches = fabric.switchCount();
        firstPort = new int[switches + 1];
        for (int sw = 0; sw < switches; sw++) {
            firstPort[sw + 1] = firstPort[sw] + fabric.numPorts(sw) + 1;
        }
        farSwitch = new int[firstPort[switches]];
        farPort = new int[farSwitch.length];
        Arrays.fill(farSwitch, NONE);
        for (int port = 0; port < farSwitch.length; port++) {
            int far = fabric.peer(port);
            if (far != NONE && fabric.isSwitch(fabric.nodeOf(far))) {
                farSwitch[port] = fabric.nodeOf(far);
                farPort[port] = fabric.portNum(far);
            }
        }
        endOfLid = new int[previousPlan.subnet().topLid() + 1];
        Arrays.fill(endOfLid, NONE);
        for (int end = 0; end < ends.ports().length; end++) {
            endOfLid[ends.lid(ends.ports()[end])] = end;
        }
        pairsTo = new int[ends.ports().length];
        PathTree tree = new PathTree(previousPlan);
        for (int end = 0; end < pairsTo.length; end++) {
            tree.followTo(ends.lid(ends.ports()[end]));
            for (int rank = 0; rank < tree.reachedCount(); rank++) {
                pairsTo[end] += ends.endCount(tree.switchAt(rank));
            }
            pairsTo[end] = Math.max(0, pairsTo[end] - 1); // On a fabric without switches no path leads over a switch.
        }
    }

    /**
     * The outcome of a comparison.
     *
     * @param pairs number of ordered pairs of ends with a path after the loss
     * @param changedPairs number of these pairs whose path changed
     * @param loads loads after the loss, by port index of the fabric before the loss
     */
    public record PairCounts(long pairs, long changedPairs, int[] loads) {
        /** Returns the port with the most paths after the loss, by index in the fabric before the loss. */
        public int mostLoaded() {
            int max = 0;
            for (int port = 1; port < loads.length; port++) {
                max = loads[port] > loads[max] ? port : max;
            }
            return max;
        }
    }

    /** The comparison with other plans, one after the other. It reuses its arrays, so one thread uses it. */
    public final class Comparison {
        /** By switch: its index in the fabric after the loss, NONE if it is lost. */
        private final int[] newSwitch = new int[fabric.switchCount()];
        /** Tables {@code [switch][LID]} after the loss; the previous table for a lost switch. */
        private final byte[][] tables = new byte[fabric.switchCount()][];

        /** By end: the index after its last change in {@code sortedSwitches}. */
        private final int[] count = new int[ends.ports().length + 1];

        /** By switch of the part: the paths that enter it from other switches of the part. */
        private final int[] flow = new int[fabric.switchCount()];
        /** By switch of the part: the port index by which it sends, NONE without a path. */
        private final int[] next = new int[fabric.switchCount()];
        /** By switch outside the part: the change of the number of paths that enter it from the part. */
        private final int[] changeBeyond = new int[fabric.switchCount()];
        /** Port indexes whose cable is lost. */
        private final BitSet isDown = new BitSet();
        /**
         * By switch of the part: the number of switches of the part that send to it and are not yet counted; 0 between
         * calls.
         */
        private final int[] pending = new int[fabric.switchCount()];
        /** The part: switches whose path to the current end may have changed. */
        private final int[] part = new int[fabric.switchCount()];
        /** The switches of the part in topological order: each after all switches that send to it. */
        private final int[] queue = new int[fabric.switchCount()];
        /** By switch: true if it is in the part. */
        private final boolean[] isInside = new boolean[fabric.switchCount()];
        /** By change: the end whose entry changed. */
        private int[] changedEnd = new int[1024];
        /** By change: the switch whose entry changed. */
        private int[] changedAt = new int[1024];

        private int changes;
        /** The switches of changes, sorted by end. */
        private int[] sortedSwitches = {};
        /** The lost switches. */
        private int[] lostSwitches = {};
        /** Loads after the loss, by port index. */
        private int[] currentLoads = {};

        private long pairs;
        private long changedPairs;
        /** The LID of the current end. */
        private int lid;
        /** The switch of the current end. */
        private int destination;

        /**
         * Returns the numbers after a loss. Follows the paths that change.
         *
         * @param after plan for a part of the previous fabric, with the same LIDs
         */
        public PairCounts countAfter(Plan after) {
            currentLoads = loads.clone();
            pairs = 0;
            changedPairs = 0;
            match(after.subnet().fabric());
            collect(after);
            for (int end = 0; end < count.length - 1; end++) {
                follow(end, after);
            }
            return new PairCounts(pairs, changedPairs, currentLoads);
        }

        private void match(Fabric remaining) {
            int losses = 0;
            for (int sw = 0, newIndex = 0; sw < newSwitch.length; sw++) {
                boolean isThere =
                        newIndex < remaining.switchCount() && remaining.nodeGuid(newIndex) == fabric.nodeGuid(sw);
                newSwitch[sw] = isThere ? newIndex++ : NONE;
                losses += isThere ? 0 : 1;
            }
            lostSwitches = new int[losses];
            for (int sw = newSwitch.length - 1; sw >= 0; sw--) {
                if (newSwitch[sw] == NONE) {
                    lostSwitches[--losses] = sw;
                }
            }
        }

        /**
         * Collects the changed entries. An entry with a lost cable counts as changed, since its paths bypass the cable.
         */
        private void collect(Plan after) {
            Arrays.fill(count, 0);
            changes = 0;
            for (int sw = 0; sw < newSwitch.length; sw++) {
                byte[] old = previousPlan.lft(sw);
                byte[] current = newSwitch[sw] == NONE ? null : after.lft(newSwitch[sw]);
                tables[sw] = current == null ? old : current;
                int length = current == null ? 0 : Math.min(old.length, current.length);
                int entry =
                        current == null || current == old ? -1 : Arrays.mismatch(old, 0, length, current, 0, length);
                while (entry >= 0) {
                    add(entry, sw);
                    int next = Arrays.mismatch(old, entry + 1, length, current, entry + 1, length);
                    entry = next < 0 ? -1 : entry + 1 + next;
                }
                if (current != null) {
                    collectDown(sw, old, current, after.subnet().fabric());
                }
            }
            order();
        }

        /**
         * Sorts the changes by end with a counting sort. Then {@code count} has the index after the last change of each
         * end.
         */
        private void order() {
            for (int end = 0; end + 1 < count.length; end++) {
                count[end + 1] += count[end];
            }
            sortedSwitches = sortedSwitches.length < changes ? new int[changes] : sortedSwitches;
            for (int i = 0; i < changes; i++) {
                sortedSwitches[count[changedEnd[i]]++] = changedAt[i];
            }
        }

        /** Collects the entries of a switch that lead to a lost cable in both tables. */
        private void collectDown(int sw, byte[] old, byte[] current, Fabric remaining) {
            for (int port = firstPort[sw]; port < firstPort[sw + 1]; port++) {
                int entry = port - firstPort[sw];
                boolean isLost =
                        farSwitch[port] != NONE && remaining.peer(remaining.port(newSwitch[sw], entry)) == NONE;
                isDown.set(port, isLost);
                for (int changed = 0; isLost && changed < Math.min(old.length, current.length); changed++) {
                    if (old[changed] == (byte) entry && current[changed] == (byte) entry) {
                        add(changed, sw);
                    }
                }
            }
        }

        private void add(int changedLid, int sw) {
            int end = endOfLid[changedLid];
            if (end == NONE || ends.switchOf(ends.ports()[end]) == sw) {
                return;
            }
            if (changes == changedEnd.length) {
                changedEnd = Arrays.copyOf(changedEnd, 2 * changes);
                changedAt = Arrays.copyOf(changedAt, 2 * changes);
            }
            changedEnd[changes] = end;
            changedAt[changes++] = sw;
            count[end + 1]++;
        }

        /** Subtracts the previous paths of the part to an end, and adds the new ones. */
        private void follow(int end, Plan after) {
            lid = ends.lid(ends.ports()[end]);
            destination = ends.switchOf(ends.ports()[end]);
            boolean isLost = newSwitch[destination] == NONE || after.subnet().portOfLid(lid) == NONE;
            int size = 0;
            if (isLost) {
                for (int sw = 0; sw < isInside.length; sw++) {
                    size = addSwitch(sw, size);
                }
            } else {
                for (int sw : lostSwitches) {
                    size = addSwitch(sw, size);
                }
                for (int i = firstChange(end); i < count[end]; i++) {
                    size = addSwitch(sortedSwitches[i], size);
                }
                size = addUpstream(size);
            }
            int removed = flow(size, false);
            int added = isLost ? 0 : flow(size, true);
            pairs += (isLost ? 0 : pairsTo[end]) - (isLost ? 0 : removed) + added;
            changedPairs += added;
            propagateChanges(size);
        }

        private int firstChange(int end) {
            return end == 0 ? 0 : count[end - 1];
        }

        /** Adds a switch to the part, and returns the new size of the part. */
        private int addSwitch(int sw, int size) {
            if (isInside[sw]) {
                return size;
            }
            isInside[sw] = true;
            part[size] = sw;
            return size + 1;
        }

        /** Adds the switches whose previous path leads through the part, and returns the new size of the part. */
        private int addUpstream(int roots) {
            int size = roots;
            for (int head = 0; head < size; head++) {
                for (int port = firstPort[part[head]]; port < firstPort[part[head] + 1]; port++) {
                    int behind = farSwitch[port];
                    if (behind != NONE
                            && behind != destination
                            && !isInside[behind]
                            && (previousPlan.lft(behind)[lid] & 0xff) == farPort[port]) {
                        size = addSwitch(behind, size);
                    }
                }
            }
            return size;
        }

        /**
         * Returns the port index by which a switch sends to the current LID; NONE without a path.
         *
         * @param isNow true for the tables after the loss, false for the previous tables
         */
        private int outputPort(int sw, boolean isNow) {
            byte[] table = isNow ? tables[sw] : previousPlan.lft(sw);
            int port = firstPort[sw] + (lid < table.length ? table[lid] & 0xff : LinearForwardingTable.NO_PATH);
            boolean isWay = sw != destination && port < firstPort[sw + 1] && farSwitch[port] != NONE;
            return isWay && !(isNow && isDown.get(port)) ? port : NONE;
        }

        /**
         * Follows the paths of the switches of the part to the points where they leave the part, in topological order,
         * and counts loads.
         *
         * @return number of ends whose paths reach the destination or leave the part
         */
        private int flow(int size, boolean isNow) {
            for (int i = 0; i < size; i++) {
                int port = outputPort(part[i], isNow);
                next[part[i]] = port;
                if (port != NONE && isInside[farSwitch[port]]) {
                    pending[farSwitch[port]]++;
                }
            }
            int tail = 0;
            for (int i = 0; i < size; i++) {
                if (pending[part[i]] == 0) {
                    queue[tail++] = part[i];
                }
            }
            int arrived = 0;
            for (int head = 0; head < tail; head++) {
                int sw = queue[head];
                int port = next[sw];
                boolean isSource = !isNow || newSwitch[sw] != NONE;
                int paths = flow[sw] + (isSource ? ends.endCount(sw) - (sw == destination ? 1 : 0) : 0);
                flow[sw] = 0;
                if (port == NONE) {
                    arrived += sw == destination ? paths : 0;
                    continue;
                }
                currentLoads[port] += isNow ? paths : -paths;
                int to = farSwitch[port];
                if (!isInside[to]) {
                    arrived += paths;
                    changeBeyond[to] += isNow ? paths : -paths;
                } else {
                    flow[to] += paths;
                    if (--pending[to] == 0) {
                        queue[tail++] = to;
                    }
                }
            }
            for (int i = 0; i < size && tail < size; i++) {
                pending[part[i]] = 0;
                flow[part[i]] = 0;
            }
            return arrived;
        }

        /**
         * Adds the change of load at each point where paths leave the part to the rest of the path, which is unchanged.
         * Then clears the part.
         */
        private void propagateChanges(int size) {
            for (int i = 0; i < size; i++) {
                for (int isNow = 0; isNow < 2; isNow++) {
                    int port = outputPort(part[i], isNow == 1);
                    int sw = port == NONE ? destination : farSwitch[port];
                    int change = isInside[sw] ? 0 : changeBeyond[sw];
                    changeBeyond[sw] = 0;
                    while (change != 0 && sw != destination) {
                        int onward = outputPort(sw, false);
                        if (onward == NONE) {
                            break;
                        }
                        currentLoads[onward] += change;
                        sw = farSwitch[onward];
                    }
                }
            }
            for (int i = 0; i < size; i++) {
                isInside[part[i]] = false;
            }
        }
    }
}
