package io.torussm.program.table;

import io.torussm.deadlock.transition.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Plan;
import java.util.Arrays;

/**
 * The contents of forwarding blocks in each step of a {@link Transition}, computed on demand. Owner thread: the loop.
 */
final class ForwardingSteps {
    /** Number of LIDs of a block. */
    private static final int LIDS_PER_BLOCK = LinearForwardingTable.LIDS_PER_BLOCK;

    private final Transition transition;
    private final DeviceTables[] tables;
    private final Plan plan;
    private final Fabric fabric;

    ForwardingSteps(Transition transition, DeviceTables[] tables, Plan plan) {
        this.transition = transition;
        this.tables = tables;
        this.plan = plan;
        this.fabric = plan.subnet().fabric();
    }

    /** Returns 1 + the highest block that the first step writes in any switch; 0 if it writes none. */
    int firstBlocks() {
        int blocks = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int[] lids : new int[][] {transition.earlyLids(sw), transition.droppedLids(sw)}) {
                blocks = lids.length == 0 ? blocks : Math.max(blocks, lids[lids.length - 1] / LIDS_PER_BLOCK + 1);
            }
        }
        return blocks;
    }

    /** Checks whether the first step writes to a switch. */
    boolean isInFirstStep(int sw) {
        return transition.earlyLids(sw).length + transition.droppedLids(sw).length > 0;
    }

    /**
     * Checks whether packets may use an entry that the first step changes. Only then may packets be in flight that must
     * leave the fabric before the second step. The caller calls it before the first step.
     */
    boolean isTrafficReroutedFirst() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int[] lids : new int[][] {transition.earlyLids(sw), transition.droppedLids(sw)}) {
                for (int lid : lids) {
                    if (tables[sw].entry(lid) != wanted(sw, lid) && mayForward(sw, tables[sw].entry(lid))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Checks whether packets may use an entry that the second step changes. */
    boolean isTrafficRerouted() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (!tables[sw].isOnTarget() && isTrafficRerouted(sw)) {
                return true;
            }
        }
        return false;
    }

    private boolean isTrafficRerouted(int sw) {
        byte[] lft = plan.lft(sw);
        for (int lid = 0; lid < lft.length; lid++) {
            byte held = tables[sw].entry(lid);
            boolean isOfSecond =
                    held != lft[lid] && !isIn(transition.lateLids(sw), lid) && !isIn(transition.droppedLids(sw), lid);
            if (isOfSecond && mayForward(sw, held)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isIn(int[] lids, int lid) {
        return Arrays.binarySearch(lids, lid) >= 0;
    }

    /** Checks whether packets may leave a switch by an entry: the port exists, and is not known to be down. */
    private boolean mayForward(int sw, byte held) {
        int portNum = held & 0xff;
        boolean isPort = held != LinearForwardingTable.NO_PATH_ENTRY && portNum <= fabric.numPorts(sw);
        PortInfo info = isPort ? fabric.portInfo(fabric.port(sw, portNum)) : null;
        return isPort && (info == null || portNum == 0 || info.isArmedOrActive());
    }

    /** Returns a block after the first step: current entries, planned early entries, NO_PATH for dropped entries. */
    LinearForwardingTable afterFirstStep(int sw, int block) {
        byte[] content = new byte[LIDS_PER_BLOCK];
        for (int i = 0; i < LIDS_PER_BLOCK; i++) {
            content[i] = tables[sw].entry(block * LIDS_PER_BLOCK + i);
        }
        for (int lid : lidsOfBlock(transition.earlyLids(sw), block)) {
            content[lid % LIDS_PER_BLOCK] = wanted(sw, lid);
        }
        for (int lid : lidsOfBlock(transition.droppedLids(sw), block)) {
            content[lid % LIDS_PER_BLOCK] = LinearForwardingTable.NO_PATH_ENTRY;
        }
        return LinearForwardingTable.TYPE.constructor().apply(content);
    }

    /** Returns a block after the second step: planned entries, current late entries, NO_PATH for dropped entries. */
    LinearForwardingTable afterSecondStep(int sw, int block) {
        LinearForwardingTable planned = afterLastStep(sw, block);
        int[] late = lidsOfBlock(transition.lateLids(sw), block);
        int[] dropped = lidsOfBlock(transition.droppedLids(sw), block);
        if (late.length + dropped.length == 0) {
            return planned;
        }
        byte[] content = planned.toBytes();
        for (int lid : late) {
            content[lid % LIDS_PER_BLOCK] = tables[sw].entry(lid);
        }
        for (int lid : dropped) {
            content[lid % LIDS_PER_BLOCK] = LinearForwardingTable.NO_PATH_ENTRY;
        }
        return LinearForwardingTable.TYPE.constructor().apply(content);
    }

    /** Returns a block after the last step: all entries as planned. */
    LinearForwardingTable afterLastStep(int sw, int block) {
        return LinearForwardingTable.blockOf(plan.lft(sw), block);
    }

    private byte wanted(int sw, int lid) {
        byte[] lft = plan.lft(sw);
        return lid < lft.length ? lft[lid] : LinearForwardingTable.NO_PATH_ENTRY;
    }

    /** Returns the LIDs of an ascending array that belong to a block. */
    private static int[] lidsOfBlock(int[] lids, int block) {
        return Arrays.copyOfRange(
                lids, indexFrom(lids, block * LIDS_PER_BLOCK), indexFrom(lids, (block + 1) * LIDS_PER_BLOCK));
    }

    private static int indexFrom(int[] lids, int lid) {
        int index = Arrays.binarySearch(lids, lid);
        return index < 0 ? -index - 1 : index;
    }

    /**
     * Checks whether a known block differs from the plan only in entries of LIDs that no port has any more.
     *
     * @return false if the block does not differ
     */
    boolean differsOnlyInVanishedLids(int sw, int block) {
        byte[] lft = plan.lft(sw);
        boolean isAnyGone = false;
        for (int lid = block * LIDS_PER_BLOCK; lid < Math.min(lft.length, (block + 1) * LIDS_PER_BLOCK); lid++) {
            if (tables[sw].entry(lid) != lft[lid]) {
                if (lft[lid] != LinearForwardingTable.NO_PATH_ENTRY
                        || plan.subnet().switchOfLid(lid) != Fabric.NONE) {
                    return false;
                }
                isAnyGone = true;
            }
        }
        return isAnyGone && tables[sw].knows(block);
    }

    /** Checks whether a block has an entry that the plan changes and that loses packets because its link is down. */
    boolean isUrgent(int sw, int block) {
        byte[] lft = plan.lft(sw);
        for (int lid = block * LIDS_PER_BLOCK; lid < Math.min(lft.length, (block + 1) * LIDS_PER_BLOCK); lid++) {
            byte held = tables[sw].entry(lid);
            if (held != lft[lid] && held != LinearForwardingTable.NO_PATH_ENTRY && isLinkDown(sw, held & 0xff)) {
                return true;
            }
        }
        return false;
    }

    private boolean isLinkDown(int sw, int portNum) {
        if (portNum > fabric.numPorts(sw)) {
            return true;
        }
        int port = fabric.port(sw, portNum);
        PortInfo info = fabric.portInfo(port);
        return portNum > 0 && (fabric.peer(port) == Fabric.NONE || info == null || !info.isLinkUp());
    }
}
