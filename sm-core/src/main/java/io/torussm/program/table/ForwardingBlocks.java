package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.program.smp.SmpRequests;
import io.torussm.transport.SmpRequest;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The blocks of the forwarding tables of all switches for one plan. Owner thread: the loop. */
final class ForwardingBlocks {
    private final Fabric fabric;
    private final DeviceTables[] tables;
    private final SmpRequests requests;

    /** Number of blocks of a switch. */
    private final int blocksPerSwitch;

    /**
     * Postponed blocks (index: switch * count + block). They differ only in entries of LIDs that no port has any more,
     * and are written last.
     */
    private final BitSet postponed = new BitSet();

    private final LidChanges lidChanges = new LidChanges();

    /**
     * Creates the blocks. None is postponed.
     *
     * @param tables [node] known tables
     * @param topLid the highest LID of the plan
     */
    ForwardingBlocks(Fabric fabric, DeviceTables[] tables, SmpRequests requests, int topLid) {
        this.fabric = fabric;
        this.tables = tables;
        this.requests = requests;
        this.blocksPerSwitch = topLid / LinearForwardingTable.LIDS_PER_BLOCK + 1;
    }

    /** Returns the number of blocks of a switch. */
    int blocksPerSwitch() {
        return blocksPerSwitch;
    }

    /** Returns the LIDs that most switches get or lose. */
    LidChanges lidChanges() {
        return lidChanges;
    }

    /** Postpones the blocks of a switch that differ from the plan only in entries of LIDs that no port has any more. */
    void postponeVanishedLids(int sw, ForwardingSteps steps) {
        for (int block = 0; block < blocksPerSwitch; block++) {
            postponed.set(
                    sw * blocksPerSwitch + block,
                    !tables[sw].holdsTarget(block) && steps.differsOnlyInVanishedLids(sw, block));
        }
    }

    /** Checks whether a block is postponed. */
    boolean isPostponed(int sw, int block) {
        return postponed.get(sw * blocksPerSwitch + block);
    }

    /** Checks whether any block is postponed. */
    boolean isAnyPostponed() {
        return !postponed.isEmpty();
    }

    /** Checks whether a block differs from the plan and is not postponed. */
    boolean isPending(int sw, int block) {
        return !tables[sw].holdsTarget(block) && !isPostponed(sw, block);
    }

    /** Checks whether any block of a switch differs from the plan and is not postponed. */
    boolean isAnyPending() {
        return IntStream.range(0, fabric.switchCount())
                .filter(sw -> !tables[sw].isOnTarget())
                .anyMatch(sw -> IntStream.range(0, blocksPerSwitch).anyMatch(block -> isPending(sw, block)));
    }

    /** Returns the request that writes a block; null if the block is known to have this content. */
    @Nullable
    SmpRequest<?> write(int sw, int block, LinearForwardingTable wanted) {
        DeviceTables held = tables[sw];
        if (held.holdsBlock(block, wanted) || requests.hasGivenUpSets(sw, LinearForwardingTable.TYPE)) {
            return null;
        }
        held.invalidateBlock(block);
        return requests.set(new BlockWrite(requests, sw, fabric.node(sw).path(), block, wanted, held));
    }

    /** Returns the request that reads a block; null for a block above LinearFDBTop. */
    @Nullable
    SmpRequest<?> read(int sw, int block) {
        SwitchInfo info = fabric.node(sw).switchInfo();
        if (info == null
                || block * LinearForwardingTable.LIDS_PER_BLOCK > info.linearFdbTop()
                || requests.hasGivenUpGets(sw, LinearForwardingTable.TYPE)) {
            return null;
        }
        return requests.get(LinearForwardingTable.TYPE, sw, block, held -> tables[sw].learnBlock(block, held));
    }
}
