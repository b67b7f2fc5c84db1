package io.torussm.deadlock.chain;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.Verdict;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.transition.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A plan that was computed in advance for a fabric without some switch or cable, with its proof and the order of its
 * writes. The object stores only the differences from the active plan, in few bytes. Immutable.
 *
 * <p>It contains the entries that differ, each with the step in which it is written, the size of the proof, and the
 * tree for multicast if that is not the tree of the engine. SLs and SL2VL are functions of the engine. So when the
 * fault occurs, the engine computes its plan again, and the content is used only if the tables of the new plan equal
 * the precomputed tables entry for entry ({@link #isOf}).
 */
public final class ReadyPlan {
    /** Codes of the groups of entries of a {@link Transition}; 0 is the second step, in which most are written. */
    private static final int EARLY = 1;

    private static final int LATE = 2;
    private static final int DROPPED = 3;

    /** Memory of an object of this class without its byte arrays, in bytes. */
    private static final int OVERHEAD = 96;

    /** The order of writes. */
    private enum Order {
        /** Not computed; the planner must run. */
        UNKNOWN,
        /** Any order. */
        FREE,
        /** The steps of the entries. */
        IN_STEPS,
        /** The steps of the entries, with entries of LIDs that no port has any more after all others. */
        IN_STEPS_VANISHED_LAST;

        static Order of(Transition transition) {
            return transition.isFree() ? FREE : transition.isVanishedLast() ? IN_STEPS_VANISHED_LAST : IN_STEPS;
        }
    }

    /** The entries that differ, in the packed form of {@link Rows}. */
    private final byte[] entries;

    /** A multicast tree other than that of the engine, in the form of {@link PackedTree}; null without such a tree. */
    private final byte @Nullable [] grownTree;

    /** Hash code of the tree of the engine. */
    private final int treeHash;

    private final int topLid;
    private final Certificate.Size provedSize;
    private final Order order;

    private ReadyPlan(
            byte[] entries,
            byte @Nullable [] grownTree,
            int treeHash,
            int topLid,
            Certificate.Size proved,
            Order order) {
        this.entries = entries;
        this.grownTree = grownTree;
        this.treeHash = treeHash;
        this.topLid = topLid;
        this.provedSize = proved;
        this.order = order;
    }

    /**
     * Creates a plan from a result that was computed in advance.
     *
     * @param previousPlan the active plan
     * @param transition order of change from the tables of {@code previousPlan} to those of the result, while all links
     *     are up and no SL2VL row changes; null if unknown
     * @return null unless the result is an undegraded plan of the first engine with an incremental proof
     */
    static @Nullable ReadyPlan of(Plan previousPlan, ChainResult result, @Nullable Transition transition) {
        Plan plan = result.plan();
        boolean isPlain = plan != null
                && result.refusals().isEmpty()
                && plan.degradation().isEmpty()
                && !plan.isForHostsOnly();
        if (plan == null
                || !isPlain
                || !(result.verdict() instanceof Certificate certificate)
                || !certificate.isIncremental()) {
            return null;
        }
        MulticastTree tree = result.multicast();
        MulticastTree engineTree = plan.multicastTree().orElse(null);
        if (tree == null && (engineTree != null || plan.multicastRoots().length > 0)) {
            return null;
        }
        Rows rows = Rows.between(previousPlan, plan, transition == null ? Transition.FREE : transition);
        Order order = transition == null || !rows.hasAllSteps ? Order.UNKNOWN : Order.of(transition);
        return new ReadyPlan(
                rows.pack(),
                tree == null || Objects.equals(tree, engineTree)
                        ? null
                        : PackedTree.pack(plan.subnet().fabric(), tree),
                Objects.hashCode(engineTree),
                plan.subnet().topLid(),
                certificate.size(),
                order);
    }

    /** Returns the approximate memory of this object, in bytes. */
    public int bytes() {
        return OVERHEAD + entries.length + (grownTree == null ? 0 : grownTree.length);
    }

    /** Checks whether the order of writes is known. */
    public boolean hasOrder() {
        return order != Order.UNKNOWN;
    }

    /**
     * Returns the precomputed forwarding tables.
     *
     * @param previousPlan the plan that was active at the computation
     * @param currentFabric the fabric of the computation
     * @return [switch][LID] egress port number, as {@link Plan#lft}; an unchanged table is the array of
     *     {@code previousPlan}
     */
    public byte[][] tables(Plan previousPlan, Fabric currentFabric) {
        return Rows.unpack(entries).applyTo(previousPlan, currentFabric, topLid);
    }

    /** Checks whether a plan has the precomputed tables, entry for entry, and the precomputed tree. */
    boolean isOf(Plan plan, Plan previousPlan) {
        Fabric fabric = plan.subnet().fabric();
        if (plan.subnet().topLid() != topLid
                || Objects.hashCode(plan.multicastTree().orElse(null)) != treeHash) {
            return false;
        }
        byte[][] foreseen = tables(previousPlan, fabric);
        boolean isSame = true;
        for (int sw = 0; isSame && sw < foreseen.length; sw++) {
            isSame = Arrays.equals(foreseen[sw], plan.lft(sw));
        }
        return isSame;
    }

    /**
     * Returns the proof of a plan that {@link #isOf} accepts.
     *
     * @param again proves the plan on the basis of the earlier proof with which it was computed in advance
     */
    DeadlockChecker.Proof proof(Plan plan, RoutingOptions options, Supplier<Verdict> again) {
        MulticastTree engineTree = plan.multicastTree().orElse(null);
        MulticastTree tree =
                grownTree == null ? engineTree : PackedTree.unpack(plan.subnet().fabric(), grownTree);
        Certificate certificate = new Certificate(plan, options, tree, provedSize, again);
        return new DeadlockChecker.Proof(certificate, tree, grownTree == null && tree != null);
    }

    /**
     * Returns the order in which the tables of a plan that {@link #isOf} accepts replace the tables of the switches.
     *
     * @param held the current tables of switches
     * @return null if the order is unknown, or if the current tables are not those of {@code previousPlan}
     */
    public @Nullable Transition transition(HeldTables held, Plan previousPlan, Plan plan) {
        if (order == Order.UNKNOWN
                || !isAsPrecomputed(held, previousPlan, plan.subnet().fabric())) {
            return null;
        }
        return order == Order.FREE
                ? Transition.FREE
                : Rows.unpack(entries)
                        .transition(plan.subnet().fabric().switchCount(), order == Order.IN_STEPS_VANISHED_LAST);
    }

    /**
     * Checks whether the switches of a fabric have the forwarding tables of a plan, their SL2VL rows do not change, and
     * all links between them are up.
     */
    static boolean isAsPrecomputed(HeldTables held, Plan previousPlan, Fabric fabric) {
        boolean isSame = held.areRowsPlanned();
        for (int sw = 0; isSame && sw < fabric.switchCount(); sw++) {
            int old = previousPlan.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw));
            byte[] lft = held.lft(sw);
            isSame = old != Fabric.NONE && lft != null && isSameTable(lft, previousPlan.lft(old));
            for (int port = fabric.port(sw, 1); isSame && port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                int far = fabric.peer(port);
                isSame = far == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(far)) || held.isUp(port);
            }
        }
        return isSame;
    }

    private static boolean isSameTable(byte[] one, byte[] other) {
        int common = Math.min(one.length, other.length);
        return one == other
                || (Arrays.equals(one, 0, common, other, 0, common)
                        && isEmptyFrom(common, one)
                        && isEmptyFrom(common, other));
    }

    private static boolean isEmptyFrom(int lid, byte[] lft) {
        for (int i = lid; i < lft.length; i++) {
            if (lft[i] != LinearForwardingTable.NO_PATH_ENTRY) {
                return false;
            }
        }
        return true;
    }

    /**
     * The entries that differ: for each switch LIDs, ascending, with egress ports and steps. In packed form a switch is
     * its distance from the previous switch and the number of its entries. An entry is the distance from the previous
     * LID, with the step in the lowest two bits, followed by the port.
     */
    private static final class Rows {
        private static final int STEP_BITS = 2;
        private static final int STEPS = (1 << STEP_BITS) - 1;

        private int[] switches = new int[8];
        private int[][] lids = new int[8][];
        private byte[][] ports = new byte[8][];
        private byte[][] steps = new byte[8][];
        private int count;

        /**
         * True if every early, late and dropped entry differs between the plans, so that the rows contain it.
         */
        private boolean hasAllSteps = true;

        static Rows between(Plan previousPlan, Plan plan, Transition transition) {
            Rows rows = new Rows();
            Fabric fabric = plan.subnet().fabric();
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                int old = previousPlan.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw));
                byte[] previous = old == Fabric.NONE ? new byte[0] : previousPlan.lft(old);
                rows.add(sw, previous, plan.lft(sw), transition);
            }
            return rows;
        }

        private void add(int sw, byte[] previous, byte[] current, Transition transition) {
            int[] early = transition.earlyLids(sw);
            int[] late = transition.lateLids(sw);
            int[] dropped = transition.droppedLids(sw);
            int entryCount = previous == current ? 0 : differing(previous, current);
            int[] differing = new int[entryCount];
            byte[] newPorts = new byte[entryCount];
            byte[] stepCodes = new byte[entryCount];
            int steppedCount = 0;
            for (int lid = 0, at = 0; at < entryCount; lid++) {
                if (entry(previous, lid) != entry(current, lid)) {
                    differing[at] = lid;
                    newPorts[at] = entry(current, lid);
                    stepCodes[at] = (byte)
                            (contains(dropped, lid)
                                    ? DROPPED
                                    : contains(early, lid) ? EARLY : contains(late, lid) ? LATE : 0);
                    steppedCount += stepCodes[at++] == 0 ? 0 : 1;
                }
            }
            hasAllSteps &= steppedCount == early.length + late.length + dropped.length;
            if (entryCount > 0) {
                append(sw, differing, newPorts, stepCodes);
            }
        }

        private void append(int sw, int[] lidsOf, byte[] portsOf, byte[] stepsOf) {
            if (count == switches.length) {
                switches = Arrays.copyOf(switches, 2 * count);
                lids = Arrays.copyOf(lids, 2 * count);
                ports = Arrays.copyOf(ports, 2 * count);
                steps = Arrays.copyOf(steps, 2 * count);
            }
            switches[count] = sw;
            lids[count] = lidsOf;
            ports[count] = portsOf;
            steps[count++] = stepsOf;
        }

        private static int differing(byte[] previous, byte[] current) {
            int found = 0;
            for (int lid = 0; lid < Math.max(previous.length, current.length); lid++) {
                found += entry(previous, lid) == entry(current, lid) ? 0 : 1;
            }
            return found;
        }

        private static byte entry(byte[] lft, int lid) {
            return lid < lft.length ? lft[lid] : LinearForwardingTable.NO_PATH_ENTRY;
        }

        private static boolean contains(int[] ascending, int lid) {
            return Arrays.binarySearch(ascending, lid) >= 0;
        }

        byte[] pack() {
            NumberEncoder packing = new NumberEncoder();
            for (int i = 0, last = 0; i < count; last = switches[i++]) {
                packing.addNumber(switches[i] - last);
                packing.addNumber(lids[i].length);
                for (int entry = 0, lid = 0; entry < lids[i].length; lid = lids[i][entry++]) {
                    packing.addNumber(lids[i][entry] - lid << STEP_BITS | steps[i][entry]);
                    packing.addOctet(ports[i][entry]);
                }
            }
            return packing.packed();
        }

        static Rows unpack(byte[] bytes) {
            Rows rows = new Rows();
            NumberDecoder unpacking = new NumberDecoder(bytes);
            for (int sw = 0; !unpacking.isAtEnd(); ) {
                sw += unpacking.nextNumber();
                int[] lids = new int[unpacking.nextNumber()];
                byte[] ports = new byte[lids.length];
                byte[] steps = new byte[lids.length];
                for (int entry = 0, lid = 0; entry < lids.length; entry++) {
                    int next = unpacking.nextNumber();
                    lid += next >>> STEP_BITS;
                    lids[entry] = lid;
                    steps[entry] = (byte) (next & STEPS);
                    ports[entry] = unpacking.nextOctet();
                }
                rows.append(sw, lids, ports, steps);
            }
            return rows;
        }

        byte[][] applyTo(Plan previousPlan, Fabric currentFabric, int topLid) {
            byte[][] tables = new byte[currentFabric.switchCount()][];
            for (int sw = 0, next = 0; sw < tables.length; sw++) {
                int old = previousPlan.subnet().fabric().nodeByGuid(currentFabric.nodeGuid(sw));
                byte[] previous = old == Fabric.NONE ? new byte[0] : previousPlan.lft(old);
                boolean isChanged = next < count && switches[next] == sw;
                if (!isChanged && previous.length == topLid + 1) {
                    tables[sw] = previous;
                    continue;
                }
                tables[sw] = Arrays.copyOf(previous, topLid + 1);
                Arrays.fill(
                        tables[sw],
                        Math.min(previous.length, topLid + 1),
                        topLid + 1,
                        LinearForwardingTable.NO_PATH_ENTRY);
                for (int entry = 0; isChanged && entry < lids[next].length; entry++) {
                    if (lids[next][entry] <= topLid) {
                        tables[sw][lids[next][entry]] = ports[next][entry];
                    }
                }
                next += isChanged ? 1 : 0;
            }
            return tables;
        }

        Transition transition(int switchCount, boolean isGoneLast) {
            return Transition.inSteps(
                    lidsOfStep(EARLY, switchCount),
                    lidsOfStep(LATE, switchCount),
                    lidsOfStep(DROPPED, switchCount),
                    isGoneLast);
        }

        /** Returns [switch] LIDs whose entry is written in a step, ascending. */
        private int[][] lidsOfStep(int step, int switchCount) {
            int[][] chosen = new int[switchCount][0];
            for (int i = 0; i < count; i++) {
                int[] all = new int[lids[i].length];
                int size = 0;
                for (int entry = 0; entry < all.length; entry++) {
                    if (steps[i][entry] == step) {
                        all[size++] = lids[i][entry];
                    }
                }
                chosen[switches[i]] = Arrays.copyOf(all, size);
            }
            return chosen;
        }
    }

    /**
     * The packed form of a multicast tree: the root, then for each switch the number of its cables to its parent (0 for
     * the root and outside the tree), and the port numbers of these cables at the switch.
     */
    private static final class PackedTree {
        private PackedTree() {}

        static byte[] pack(Fabric fabric, MulticastTree tree) {
            NumberEncoder packing = new NumberEncoder();
            packing.addNumber(tree.root());
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                int cables = tree.parent(sw) == Fabric.NONE ? 0 : tree.cableCount(sw);
                packing.addNumber(cables);
                for (int cable = 0; cable < cables; cable++) {
                    packing.addOctet((byte) fabric.portNum(fabric.peer(tree.portAtParent(sw, cable))));
                }
            }
            return packing.packed();
        }

        static MulticastTree unpack(Fabric fabric, byte[] bytes) {
            NumberDecoder unpacking = new NumberDecoder(bytes);
            int root = unpacking.nextNumber();
            int[] parent = new int[fabric.switchCount()];
            int[][] cables = new int[parent.length][];
            for (int sw = 0; sw < parent.length; sw++) {
                parent[sw] = Fabric.NONE;
                cables[sw] = new int[unpacking.nextNumber()];
                for (int cable = 0; cable < cables[sw].length; cable++) {
                    int far = fabric.peer(fabric.port(sw, unpacking.nextOctet() & 0xff));
                    parent[sw] = fabric.nodeOf(far);
                    cables[sw][cable] = fabric.portNum(far);
                }
            }
            return new MulticastTree(fabric, root, parent, cables);
        }
    }
}
