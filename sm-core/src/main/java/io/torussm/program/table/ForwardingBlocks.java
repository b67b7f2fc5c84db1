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
    private final int count;

    /**
     * Blocks, over all switches, that differ only in entries of LIDs that no port has any more. They are written last.
     */
    private final BitSet gone = new BitSet();

    /**
     * Creates the blocks; each may be written.
     *
     * @param tables by node
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

    /** Postpones the blocks of a switch that differ only in entries of LIDs that are gone. */
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

    /** Checks whether such a block exists. */
    boolean isAnyLeft() {
        return IntStream.range(0, fabric.switchCount())
                .filter(sw -> !tables[sw].isOnTarget())
                .anyMatch(sw -> IntStream.range(0, count).anyMatch(block -> isLeft(sw, block)));
    }

    /** Writes a block, unless it is known to have this content. */
    @Nullable
    SmpRequest<?> write(int sw, int block, LinearForwardingTable wanted) {
        DeviceTables held = tables[sw];
        if (held.holdsBlock(block, wanted) || requests.isPastWriting(sw, LinearForwardingTable.TYPE)) {
            return null;
        }
        held.writingBlock(block);
        return requests.set(new BlockWrite(requests, sw, fabric.node(sw).path(), block, wanted, held));
    }

    /** Reads a block, unless LinearFDBTop excludes it. */
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
