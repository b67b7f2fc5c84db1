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
 * A plan that was computed in advance for a fabric that lacks something, with its proof and the order of its writes, in few bytes: what is
 * not as in the plan in force. Immutable.
 *
 * <p>Kept are the entries that differ, with the step in which each is written; how much was proved; and the tree for multicast, if it is
 * not the engine's. SLs and SL2VL are functions of the engine, which makes them again; so it makes tables, too, and what is kept counts only if
 * they are, entry for entry, those that were foreseen.
 */
public final class ReadyPlan {
    /** Steps of a {@link Transition} in which an entry is written: with all others, or not. */
    private static final int EARLY = 1;

    private static final int LATE = 2;
    private static final int DROPPED = 3;

    /** What an object of this class takes beside its bytes. */
    private static final int OVERHEAD = 96;

    /** What is known of the order of writes. */
    private enum Order {
        UNKNOWN,
        FREE,
        IN_STEPS,
        /** What is left of LIDs that nobody has any more waits for all of them. */
        IN_STEPS_GONE_LAST;

        static Order of(Transition transition) {
            return transition.isFree() ? FREE : transition.isGoneLast() ? IN_STEPS_GONE_LAST : IN_STEPS;
        }
    }

    /** Entries that differ, see {@link Rows}; packed. */
    private final byte[] entries;

    /** A tree for multicast that is not the engine's, packed; null if it is the engine's, or there is none. */
    private final byte @Nullable [] grownTree;

    /** Of the tree that the engine would have. */
    private final int treeHash;

    private final int topLid;
    private final Certificate.Size proved;
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
        this.proved = proved;
        this.order = order;
    }

    /**
     * Keeps what came of asking engines in advance.
     *
     * @param before the plan in force
     * @param transition from its tables to those of the result, while all links are up and no SL2VL row changes; null if it is not known
     * @return null if the result is not of the kind that is kept: the first engine's own plan, with a proof that rests on the one before
     */
    static @Nullable ReadyPlan of(Plan before, ChainResult result, @Nullable Transition transition) {
        Plan plan = result.plan();
        boolean isPlain = plan != null
                && result.refusals().isEmpty()
                && plan.degradation().isEmpty()
                && !plan.isForHostsAlone();
        if (plan == null
                || !isPlain
                || !(result.verdict() instanceof Certificate certificate)
                || !certificate.isIncremental()) {
            return null;
        }
        MulticastTree tree = result.multicast();
        MulticastTree engines = plan.multicastTree().orElse(null);
        if (tree == null && (engines != null || plan.multicastRoots().length > 0)) {
            return null;
        }
        Rows rows = Rows.between(before, plan, transition == null ? Transition.FREE : transition);
        Order order = transition == null || !rows.haveAllSteps ? Order.UNKNOWN : Order.of(transition);
        return new ReadyPlan(
                rows.packed(),
                tree == null || Objects.equals(tree, engines)
                        ? null
                        : PackedTree.of(plan.subnet().fabric(), tree),
                Objects.hashCode(engines),
                plan.subnet().topLid(),
                certificate.size(),
                order);
    }

    /** Memory that this takes, in bytes. */
    public int bytes() {
        return OVERHEAD + entries.length + (grownTree == null ? 0 : grownTree.length);
    }

    /** Whether the order of writes is known, too. */
    public boolean hasOrder() {
        return order != Order.UNKNOWN;
    }

    /**
     * The forwarding tables.
     *
     * @param before the plan that was in force
     * @param now the fabric that was foreseen
     * @return by switch, as {@link Plan#lft}; tables that are as before are those of before
     */
    public byte[][] tables(Plan before, Fabric now) {
        return Rows.unpacked(entries).appliedTo(before, now, topLid);
    }

    /** Whether a plan has, entry for entry, the tables that were foreseen, and the tree. */
    boolean isOf(Plan plan, Plan before) {
        Fabric fabric = plan.subnet().fabric();
        if (plan.subnet().topLid() != topLid
                || Objects.hashCode(plan.multicastTree().orElse(null)) != treeHash) {
            return false;
        }
        byte[][] foreseen = tables(before, fabric);
        boolean isSame = true;
        for (int sw = 0; isSame && sw < foreseen.length; sw++) {
            isSame = Arrays.equals(foreseen[sw], plan.lft(sw));
        }
        return isSame;
    }

    /**
     * The proof of such a plan.
     *
     * @param again proves it from the proof that this one rests on
     */
    DeadlockChecker.Proof proof(Plan plan, RoutingOptions options, Supplier<Verdict> again) {
        MulticastTree engines = plan.multicastTree().orElse(null);
        MulticastTree tree =
                grownTree == null ? engines : PackedTree.on(plan.subnet().fabric(), grownTree);
        Certificate certificate = new Certificate(plan, options, tree, proved, again);
        return new DeadlockChecker.Proof(certificate, tree, grownTree == null && tree != null);
    }

    /**
     * The order in which the tables of such a plan take the place of those before.
     *
     * @param held what switches hold
     * @return null if it is not known, or if something else is held than was foreseen
     */
    public @Nullable Transition transition(HeldTables held, Plan before, Plan plan) {
        if (order == Order.UNKNOWN || !isAsForeseen(held, before, plan.subnet().fabric())) {
            return null;
        }
        return order == Order.FREE
                ? Transition.FREE
                : Rows.unpacked(entries)
                        .transition(plan.subnet().fabric().switchCount(), order == Order.IN_STEPS_GONE_LAST);
    }

    /** Whether switches hold the tables of a plan, with SL2VL rows as they stay, while all links between them are up. */
    static boolean isAsForeseen(HeldTables held, Plan before, Fabric fabric) {
        boolean isSame = held.areRowsPlanned();
        for (int sw = 0; isSame && sw < fabric.switchCount(); sw++) {
            int old = before.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw));
            byte[] lft = held.lft(sw);
            isSame = old != Fabric.NONE && lft != null && isSameTable(lft, before.lft(old));
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
                || Arrays.equals(one, 0, common, other, 0, common)
                        && isEmptyFrom(common, one)
                        && isEmptyFrom(common, other);
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
     * Entries that differ, by switch: LIDs, ascending, the ports that they lead to and the steps in which they are written. Packed, a
     * switch is the distance from the one before and the number of its entries, an entry the distance from the one before with the step
     * in its lowest two bits, and the port.
     */
    private static final class Rows {
        private static final int STEP_BITS = 2;
        private static final int STEPS = (1 << STEP_BITS) - 1;

        private int[] switches = new int[8];
        private int[][] lids = new int[8][];
        private byte[][] ports = new byte[8][];
        private byte[][] steps = new byte[8][];
        private int count;

        /** Whether every entry that has a step of its own differs. */
        private boolean haveAllSteps = true;

        static Rows between(Plan before, Plan plan, Transition transition) {
            Rows rows = new Rows();
            Fabric fabric = plan.subnet().fabric();
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                int old = before.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw));
                byte[] then = old == Fabric.NONE ? new byte[0] : before.lft(old);
                rows.add(sw, then, plan.lft(sw), transition);
            }
            return rows;
        }

        private void add(int sw, byte[] then, byte[] now, Transition transition) {
            int[] early = transition.early(sw);
            int[] late = transition.late(sw);
            int[] dropped = transition.dropped(sw);
            int found = then == now ? 0 : differing(then, now);
            int[] differing = new int[found];
            byte[] to = new byte[found];
            byte[] step = new byte[found];
            int stepped = 0;
            for (int lid = 0, at = 0; at < found; lid++) {
                if (entry(then, lid) != entry(now, lid)) {
                    differing[at] = lid;
                    to[at] = entry(now, lid);
                    step[at] =
                            (byte) (has(dropped, lid) ? DROPPED : has(early, lid) ? EARLY : has(late, lid) ? LATE : 0);
                    stepped += step[at++] == 0 ? 0 : 1;
                }
            }
            haveAllSteps &= stepped == early.length + late.length + dropped.length;
            if (found > 0) {
                append(sw, differing, to, step);
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

        private static int differing(byte[] then, byte[] now) {
            int found = 0;
            for (int lid = 0; lid < Math.max(then.length, now.length); lid++) {
                found += entry(then, lid) == entry(now, lid) ? 0 : 1;
            }
            return found;
        }

        private static byte entry(byte[] lft, int lid) {
            return lid < lft.length ? lft[lid] : LinearForwardingTable.NO_PATH_ENTRY;
        }

        private static boolean has(int[] ascending, int lid) {
            return Arrays.binarySearch(ascending, lid) >= 0;
        }

        byte[] packed() {
            Packing packing = new Packing();
            for (int i = 0, last = 0; i < count; last = switches[i++]) {
                packing.number(switches[i] - last);
                packing.number(lids[i].length);
                for (int entry = 0, lid = 0; entry < lids[i].length; lid = lids[i][entry++]) {
                    packing.number(lids[i][entry] - lid << STEP_BITS | steps[i][entry]);
                    packing.octet(ports[i][entry]);
                }
            }
            return packing.packed();
        }

        static Rows unpacked(byte[] bytes) {
            Rows rows = new Rows();
            Unpacking unpacking = new Unpacking(bytes);
            for (int sw = 0; !unpacking.isOver(); ) {
                sw += unpacking.number();
                int[] lids = new int[unpacking.number()];
                byte[] ports = new byte[lids.length];
                byte[] steps = new byte[lids.length];
                for (int entry = 0, lid = 0; entry < lids.length; entry++) {
                    int next = unpacking.number();
                    lid += next >>> STEP_BITS;
                    lids[entry] = lid;
                    steps[entry] = (byte) (next & STEPS);
                    ports[entry] = unpacking.octet();
                }
                rows.append(sw, lids, ports, steps);
            }
            return rows;
        }

        byte[][] appliedTo(Plan before, Fabric now, int topLid) {
            byte[][] tables = new byte[now.switchCount()][];
            for (int sw = 0, next = 0; sw < tables.length; sw++) {
                int old = before.subnet().fabric().nodeByGuid(now.nodeGuid(sw));
                byte[] then = old == Fabric.NONE ? new byte[0] : before.lft(old);
                boolean isChanged = next < count && switches[next] == sw;
                if (!isChanged && then.length == topLid + 1) {
                    tables[sw] = then;
                    continue;
                }
                tables[sw] = Arrays.copyOf(then, topLid + 1);
                Arrays.fill(
                        tables[sw], Math.min(then.length, topLid + 1), topLid + 1, LinearForwardingTable.NO_PATH_ENTRY);
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
                    in(EARLY, switchCount), in(LATE, switchCount), in(DROPPED, switchCount), isGoneLast);
        }

        /** LIDs by switch whose entry is written in a step. */
        private int[][] in(int step, int switchCount) {
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

    /** A tree for multicast by the cables of its fabric: the root, then by switch the ports that lead to its parent. */
    private static final class PackedTree {
        private PackedTree() {}

        static byte[] of(Fabric fabric, MulticastTree tree) {
            Packing packing = new Packing();
            packing.number(tree.root());
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                int cables = tree.parent(sw) == Fabric.NONE ? 0 : tree.cableCount(sw);
                packing.number(cables);
                for (int cable = 0; cable < cables; cable++) {
                    packing.octet((byte) fabric.portNum(fabric.peer(tree.portAtParent(sw, cable))));
                }
            }
            return packing.packed();
        }

        static MulticastTree on(Fabric fabric, byte[] bytes) {
            Unpacking unpacking = new Unpacking(bytes);
            int root = unpacking.number();
            int[] parent = new int[fabric.switchCount()];
            int[][] cables = new int[parent.length][];
            for (int sw = 0; sw < parent.length; sw++) {
                parent[sw] = Fabric.NONE;
                cables[sw] = new int[unpacking.number()];
                for (int cable = 0; cable < cables[sw].length; cable++) {
                    int far = fabric.peer(fabric.port(sw, unpacking.octet() & 0xff));
                    parent[sw] = fabric.nodeOf(far);
                    cables[sw][cable] = fabric.portNum(far);
                }
            }
            return new MulticastTree(fabric, root, parent, cables);
        }
    }
}
