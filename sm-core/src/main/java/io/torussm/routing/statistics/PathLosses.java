package io.torussm.routing.statistics;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The changes of the paths of a plan if part of its fabric is lost and other tables bypass it. Only paths
 * that lead to a changed entry are followed. Counts are as in {@link PathStatistics}. Immutable; each thread
 * needs its own {@link Comparison}.
 */
public final class PathLosses {
    private static final int NONE = Fabric.NONE;
    private final Plan before;
    private final Fabric fabric;
    private final PathEnds ends;
    private final int[] loads;
    private final int[] firstPort;

    /**
     * By port index of a switch: the switch and the port number at the other end of its cable; NONE if there
     * is no switch.
     */
    private final int[] farSwitch;

    private final int[] farPort;

    /** By end: ends with a path to it. */
    private final int[] pairsTo;

    /** By LID, that of an end: which of the ends; NONE for others. */
    private final int[] endOfLid;

    /**
     * Makes a base for comparisons.
     *
     * @param loads loads of the plan, by port index; see {@link PathStatistics#loads()}
     */
    public PathLosses(Plan previousPlan, PathEnds ends, int[] loads) {
        this.before = previousPlan;
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
            tree.towards(ends.lid(ends.ports()[end]));
            for (int rank = 0; rank < tree.reached(); rank++) {
                pairsTo[end] += ends.on(tree.at(rank));
            }
            pairsTo[end] = Math.max(0, pairsTo[end] - 1); // none leads over a switch where there is none
        }
    }

    /**
     * The outcome of a comparison.
     *
     * @param pairs number of pairs with a path afterwards
     * @param changedPairs number of these pairs whose path changed
     * @param loads afterwards, by port index of the fabric before the loss
     */
    public record PairCounts(long pairs, long changedPairs, int[] loads) {
        /** Returns the port with the most paths, of the fabric before. */
        public int mostLoaded() {
            int max = 0;
            for (int port = 1; port < loads.length; port++) {
                max = loads[port] > loads[max] ? port : max;
            }
            return max;
        }
    }

    /** Compares with one plan after another. Belongs to one thread. */
    public final class Comparison {
        private final int[] newSwitch = new int[fabric.switchCount()];
        private final byte[][] tables = new byte[fabric.switchCount()][];

        /** By end: the end of its changes in {@code ordered}. */
        private final int[] count = new int[ends.ports().length + 1];

        private final int[] flow = new int[fabric.switchCount()];
        private final int[] next = new int[fabric.switchCount()];
        private final int[] beyond = new int[fabric.switchCount()];
        private final BitSet isDown = new BitSet();
        private final int[] pending = new int[fabric.switchCount()];
        private final int[] part = new int[fabric.switchCount()];
        private final int[] queue = new int[fabric.switchCount()];
        private final boolean[] isInside = new boolean[fabric.switchCount()];
        private int[] changedEnd = new int[1024];
        private int[] changedAt = new int[1024];
        private int changes;
        private int[] ordered = {};
        private int[] lost = {};
        private int[] now = {};
        private long pairs;
        private long changedPairs;
        private int lid;
        private int home;

        /**
         * Follows the paths that change.
         *
         * @param after on a part of the fabric before, with the same LIDs
         */
        public PairCounts with(Plan after) {
            now = loads.clone();
            pairs = 0;
            changedPairs = 0;
            match(after.subnet().fabric());
            collect(after);
            for (int end = 0; end < count.length - 1; end++) {
                follow(end, after);
            }
            return new PairCounts(pairs, changedPairs, now);
        }

        private void match(Fabric left) {
            int losses = 0;
            for (int sw = 0, then = 0; sw < newSwitch.length; sw++) {
                boolean isThere = then < left.switchCount() && left.nodeGuid(then) == fabric.nodeGuid(sw);
                newSwitch[sw] = isThere ? then++ : NONE;
                losses += isThere ? 0 : 1;
            }
            lost = new int[losses];
            for (int sw = newSwitch.length - 1; sw >= 0; sw--) {
                if (newSwitch[sw] == NONE) {
                    lost[--losses] = sw;
                }
            }
        }

        /**
         * Collects changed entries. Entries with a lost cable count as changed, since the new tables bypass
         * it.
         */
        private void collect(Plan after) {
            Arrays.fill(count, 0);
            changes = 0;
            for (int sw = 0; sw < newSwitch.length; sw++) {
                byte[] old = before.lft(sw);
                byte[] mine = newSwitch[sw] == NONE ? null : after.lft(newSwitch[sw]);
                tables[sw] = mine == null ? old : mine;
                int length = mine == null ? 0 : Math.min(old.length, mine.length);
                int at = mine == null || mine == old ? -1 : Arrays.mismatch(old, 0, length, mine, 0, length);
                while (at >= 0) {
                    add(at, sw);
                    int next = Arrays.mismatch(old, at + 1, length, mine, at + 1, length);
                    at = next < 0 ? -1 : at + 1 + next;
                }
                if (mine != null) {
                    collectDown(sw, old, mine, after.subnet().fabric());
                }
            }
            order();
        }

        /** Sorts changes by end; afterwards {@code count} is the end index of the changes of each. */
        private void order() {
            for (int end = 0; end + 1 < count.length; end++) {
                count[end + 1] += count[end];
            }
            ordered = ordered.length < changes ? new int[changes] : ordered;
            for (int i = 0; i < changes; i++) {
                ordered[count[changedEnd[i]]++] = changedAt[i];
            }
        }

        private void collectDown(int sw, byte[] old, byte[] mine, Fabric left) {
            for (int port = firstPort[sw]; port < firstPort[sw + 1]; port++) {
                int entry = port - firstPort[sw];
                boolean isLost = farSwitch[port] != NONE && left.peer(left.port(newSwitch[sw], entry)) == NONE;
                isDown.set(port, isLost);
                for (int at = 0; isLost && at < Math.min(old.length, mine.length); at++) {
                    if (old[at] == (byte) entry && mine[at] == (byte) entry) {
                        add(at, sw);
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

        private void follow(int end, Plan after) {
            lid = ends.lid(ends.ports()[end]);
            home = ends.switchOf(ends.ports()[end]);
            boolean isLost = newSwitch[home] == NONE || after.subnet().portOfLid(lid) == NONE;
            int size = 0;
            if (isLost) {
                for (int sw = 0; sw < isInside.length; sw++) {
                    size = take(sw, size);
                }
            } else {
                for (int sw : lost) {
                    size = take(sw, size);
                }
                for (int i = first(end); i < count[end]; i++) {
                    size = take(ordered[i], size);
                }
                size = takeUpstream(size);
            }
            int gone = flow(size, false);
            int left = isLost ? 0 : flow(size, true);
            pairs += (isLost ? 0 : pairsTo[end]) - (isLost ? 0 : gone) + left;
            changedPairs += left;
            carryOn(size);
        }

        private int first(int end) {
            return end == 0 ? 0 : count[end - 1];
        }

        private int take(int sw, int size) {
            if (isInside[sw]) {
                return size;
            }
            isInside[sw] = true;
            part[size] = sw;
            return size + 1;
        }

        private int takeUpstream(int roots) {
            int size = roots;
            for (int head = 0; head < size; head++) {
                for (int port = firstPort[part[head]]; port < firstPort[part[head] + 1]; port++) {
                    int behind = farSwitch[port];
                    if (behind != NONE
                            && behind != home
                            && !isInside[behind]
                            && (before.lft(behind)[lid] & 0xff) == farPort[port]) {
                        size = take(behind, size);
                    }
                }
            }
            return size;
        }

        /**
         * Returns the port by which a switch sends. NONE if there is no path, or the LID is above all that
         * remain.
         */
        private int out(int sw, boolean isNow) {
            byte[] table = isNow ? tables[sw] : before.lft(sw);
            int port = firstPort[sw] + (lid < table.length ? table[lid] & 0xff : LinearForwardingTable.NO_PATH);
            boolean isWay = sw != home && port < firstPort[sw + 1] && farSwitch[port] != NONE;
            return isWay && !(isNow && isDown.get(port)) ? port : NONE;
        }

        /**
         * Moves the packets of the switches of the part to the points where they leave the part, and counts
         * loads on the way.
         *
         * @return number of ends whose packets reach the destination or leave the part
         */
        private int flow(int size, boolean isNow) {
            for (int i = 0; i < size; i++) {
                int port = out(part[i], isNow);
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
                int all = flow[sw] + (isSource ? ends.on(sw) - (sw == home ? 1 : 0) : 0);
                flow[sw] = 0;
                if (port == NONE) {
                    arrived += sw == home ? all : 0;
                    continue;
                }
                now[port] += isNow ? all : -all;
                int to = farSwitch[port];
                if (!isInside[to]) {
                    arrived += all;
                    beyond[to] += isNow ? all : -all;
                } else {
                    flow[to] += all;
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
         * Follows paths from the points where they leave the part, where routes are unchanged. The difference
         * in load at such a point applies to the rest of the path.
         */
        private void carryOn(int size) {
            for (int i = 0; i < size; i++) {
                for (int isNow = 0; isNow < 2; isNow++) {
                    int port = out(part[i], isNow == 1);
                    int sw = port == NONE ? home : farSwitch[port];
                    int more = isInside[sw] ? 0 : beyond[sw];
                    beyond[sw] = 0;
                    while (more != 0 && sw != home) {
                        int onward = out(sw, false);
                        if (onward == NONE) {
                            break;
                        }
                        now[onward] += more;
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
