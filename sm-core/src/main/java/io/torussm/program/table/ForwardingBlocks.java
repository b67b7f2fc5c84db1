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
    private final int count;

    /**
     * Postponed blocks (index: switch * count + block). They differ only in entries of LIDs that no port has any more,
     * and are written last.
     */
    private final BitSet gone = new BitSet();

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
        this.count = topLid / LinearForwardingTable.LIDS_PER_BLOCK + 1;
    }

    /** Returns the number of blocks of a switch. */
    int count() {
        return count;
    }

    /** Postpones the blocks of a switch that differ from the plan only in entries of LIDs that no port has any more. */
    void postponeGone(int sw, ForwardingSteps steps) {
        for (int block = 0; block < count; block++) {
            gone.set(sw * count + block, !tables[sw].holdsTarget(block) && steps.isOfGoneOnly(sw, block));
        }
    }

    /** Checks whether a block is postponed. */
    boolean isGone(int sw, int block) {
        return gone.get(sw * count + block);
    }

    /** Checks whether any block is postponed. */
    boolean isAnyGone() {
        return !gone.isEmpty();
    }

    /** Checks whether a block differs from the plan and is not postponed. */
    boolean isLeft(int sw, int block) {
        return !tables[sw].holdsTarget(block) && !isGone(sw, block);
    }

    /** Checks whether any block of a switch differs from the plan and is not postponed. */
    boolean isAnyLeft() {
        return IntStream.range(0, fabric.switchCount())
                .filter(sw -> !tables[sw].isOnTarget())
                .anyMatch(sw -> IntStream.range(0, count).anyMatch(block -> isLeft(sw, block)));
    }

    /** Returns the request that writes a block; null if the block is known to have this content. */
    @Nullable
    SmpRequest<?> write(int sw, int block, LinearForwardingTable wanted) {
        DeviceTables held = tables[sw];
        if (held.holdsBlock(block, wanted) || requests.isPastWriting(sw, LinearForwardingTable.TYPE)) {
            return null;
        }
        held.writingBlock(block);
        return requests.set(new BlockWrite(requests, sw, fabric.node(sw).path(), block, wanted, held));
    }

    /** Returns the request that reads a block; null for a block above LinearFDBTop. */
    @Nullable
    SmpRequest<?> read(int sw, int block) {
        SwitchInfo info = fabric.node(sw).switchInfo();
        if (info == null
                || block * LinearForwardingTable.LIDS_PER_BLOCK > info.linearFdbTop()
                || requests.isPastReading(sw, LinearForwardingTable.TYPE)) {
            return null;
        }
        return requests.get(LinearForwardingTable.TYPE, sw, block, held -> tables[sw].learntBlock(block, held));
    }
}
