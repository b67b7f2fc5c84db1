package io.torussm.program;

import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.multicast.MulticastRouter;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one device is known to hold. An entry is unknown from the moment a write of it is handed out until the device
 * confirms it, so a lost answer means that it is written again.
 *
 * <p>The forwarding table is the array of the plan that was written last, shared, unless blocks of it are missing or hold
 * something else for a time; then it is a copy. SL2VL rows are few distinct values; at 64 ports and 16,384 switches eight bytes each would be half a
 * gigabyte, so a row is a short index into {@link RowValues}.
 */
final class DeviceTables {
    /** A block without entries. */
    static final MulticastForwardingTable NO_MULTICAST = MulticastForwardingTable.TYPE.zero();

    private static final short UNKNOWN = RowValues.NONE;
    private static final int BLOCK = LinearForwardingTable.LIDS_PER_BLOCK;

    private final int ports;
    private final int positions;

    /** What the forwarding table held when it was last known; behind its end there is no path. */
    private byte[] lft = new byte[0];

    private boolean isShared = true;

    /** What it is meant to hold. */
    private byte[] target = new byte[0];

    /** Blocks that hold what they are meant to, whatever {@link #lft} says. */
    private final BitSet written = new BitSet();

    /** Blocks that were never known, or of which a write was not confirmed. */
    private final BitSet unknownBlocks = new BitSet();

    private short[] rowIndex = new short[0];
    private final RowValues rowValues;
    private @Nullable VlArbitrationTable[] vlArbitration = new VlArbitrationTable[0];
    private @Nullable MulticastForwardingTable[] multicast = new MulticastForwardingTable[0];
    private @Nullable SwitchInfo switchInfo;

    DeviceTables(int numPorts, RowValues rowValues) {
        this.ports = numPorts + 1;
        this.positions = numPorts / MulticastRouter.PORTS_PER_POSITION + 1;
        this.rowValues = rowValues;
    }

    /** Whether these can be the tables of a device as it is now: it has as many ports, and did not forget its LinearFDBTop. */
    boolean fits(int numPorts, @Nullable SwitchInfo now) {
        SwitchInfo before = switchInfo;
        return ports == numPorts + 1 && (before == null || now == null || now.linearFdbTop() == before.linearFdbTop());
    }

    /** From now on the device is meant to hold this forwarding table. */
    void target(byte[] wanted) {
        settle();
        target = wanted;
        for (int from = 0, block = 0; from < wanted.length; from += BLOCK, block++) {
            int to = Math.min(wanted.length, from + BLOCK);
            boolean isKnown = to <= lft.length && !unknownBlocks.get(block);
            written.set(block, isKnown && (lft == wanted || Arrays.equals(wanted, from, to, lft, from, to)));
        }
        share();
    }

    /** Takes over what was written of a target that was not reached. */
    private void settle() {
        for (int block = written.nextSetBit(0); block >= 0 && lft != target; block = written.nextSetBit(block + 1)) {
            own(block);
            LinearForwardingTable.blockOf(target, block).write(lft, block * BLOCK);
        }
        written.clear();
    }

    private void share() {
        if (isOnTarget()) {
            lft = target;
            isShared = true;
        }
    }

    /** Makes the table one that may be changed, and long enough for a block. */
    private void own(int block) {
        int known = lft.length;
        int length = Math.max(known, (block + 1) * BLOCK);
        if (isShared || length > known) {
            lft = Arrays.copyOf(lft, length);
            Arrays.fill(lft, known, length, LinearForwardingTable.NO_PATH_ENTRY);
            isShared = false;
        }
        int firstNew = (known + BLOCK - 1) / BLOCK;
        if (firstNew < block) {
            unknownBlocks.set(firstNew, block);
        }
    }

    /** The forwarding table before anything of the target was written, as far as it is known. Must not be written. */
    byte[] lft() {
        return lft;
    }

    /** The entry that the device holds for a LID, or was known to hold last. */
    byte entry(int lid) {
        if (written.get(lid / BLOCK) && lid < target.length) {
            return target[lid];
        }
        return lid < lft.length ? lft[lid] : LinearForwardingTable.NO_PATH_ENTRY;
    }

    /** The entries of the LIDs from 0 on, as they were known to be last; a copy. */
    byte[] entries(int lids) {
        byte[] entries = new byte[lids];
        for (int lid = 0; lid < lids; lid++) {
            entries[lid] = entry(lid);
        }
        return entries;
    }

    /** Whether all blocks are known to hold what they are meant to. */
    boolean isOnTarget() {
        return written.cardinality() * BLOCK >= target.length;
    }

    /** Whether a block is known to hold what it is meant to. */
    boolean holdsTarget(int block) {
        return written.get(block);
    }

    /** Whether a block is known to hold this. */
    boolean holdsBlock(int block, LinearForwardingTable content) {
        int from = block * BLOCK;
        boolean isKnown = written.get(block) || from + BLOCK <= lft.length && !unknownBlocks.get(block);
        for (int i = 0; i < BLOCK && isKnown; i++) {
            isKnown = entry(from + i) == (byte) content.port(i);
        }
        return isKnown;
    }

    /** Whether it is known what a block holds. */
    boolean knows(int block) {
        return written.get(block) || block * BLOCK < lft.length && !unknownBlocks.get(block);
    }

    /** Whether there is doubt about a block, because a write of it was not confirmed. */
    boolean isInDoubt(int block) {
        return unknownBlocks.get(block);
    }

    boolean isAnyBlockInDoubt() {
        return !unknownBlocks.isEmpty();
    }

    /** A write of a block was handed out. */
    void writingBlock(int block) {
        written.clear(block);
        unknownBlocks.set(block);
    }

    /** The device confirmed a write of a block. */
    void confirmedBlock(int block, LinearForwardingTable content) {
        unknownBlocks.clear(block);
        if (block * BLOCK < target.length && isOfTarget(block, content)) {
            written.set(block);
            share();
        } else {
            own(block);
            content.write(lft, block * BLOCK);
        }
    }

    private boolean isOfTarget(int block, LinearForwardingTable content) {
        for (int i = 0, lid = block * BLOCK; i < BLOCK; i++, lid++) {
            byte wanted = lid < target.length ? target[lid] : LinearForwardingTable.NO_PATH_ENTRY;
            if ((byte) content.port(i) != wanted) {
                return false;
            }
        }
        return true;
    }

    /** A block was read: the device's own words. */
    void learntBlock(int block, LinearForwardingTable content) {
        own(block);
        content.write(lft, block * BLOCK);
        unknownBlocks.clear(block);
    }

    /** A block turned out to hold something else than was known: the device's own words. What it is meant to hold stays. */
    void foundBlock(int block, LinearForwardingTable content) {
        settle();
        learntBlock(block, content);
        target(target);
    }

    /** An SL2VL row as it is written: one for all devices. */
    SlToVlMappingTable rowTable(long packed) {
        return rowValues.table(packed);
    }

    boolean holdsRow(int in, int out, long packed) {
        return knowsRow(in, out) && rowValues.row(rowIndex[in * ports + out]) == packed;
    }

    /** The SL2VL row that the device holds; {@code unknown} if that is not known. */
    long row(int in, int out, long unknown) {
        return knowsRow(in, out) ? rowValues.row(rowIndex[in * ports + out]) : unknown;
    }

    boolean knowsRow(int in, int out) {
        int slot = in * ports + out;
        return slot < rowIndex.length && rowIndex[slot] != UNKNOWN;
    }

    void confirmedRow(int in, int out, long packed) {
        if (rowIndex.length == 0) {
            rowIndex = new short[ports * ports];
        }
        rowIndex[in * ports + out] = rowValues.number(packed);
    }

    void writingRow(int in, int out) {
        if (rowIndex.length != 0) {
            rowIndex[in * ports + out] = UNKNOWN;
        }
    }

    /** One row was confirmed for many pairs of ports. */
    void confirmedRows(Sl2VlCover.Spread spread) {
        if (rowIndex.length == 0) {
            rowIndex = new short[ports * ports];
        }
        short number = rowValues.number(spread.row());
        for (int slot = 0; slot < rowIndex.length; slot++) {
            if (spread.covers(slot / ports, slot % ports)) {
                rowIndex[slot] = number;
            }
        }
    }

    /** Nothing is known any more of SL2VL rows. */
    void forgetRows() {
        rowIndex = new short[0];
    }

    /** Nothing is known any more of the tables of a port of a host. */
    void forgetPort(int portNum) {
        writingRow(0, portNum);
        for (int part = 1; part <= 4 && vlArbitration.length != 0; part++) {
            confirmedVlArbitration(portNum, part, null);
        }
    }

    /** A part of the tables of a port; null if it is not known. */
    @Nullable
    VlArbitrationTable vlArbitration(int portNum, int part) {
        int slot = portNum * 4 + part - 1;
        return slot < vlArbitration.length ? vlArbitration[slot] : null;
    }

    /** Whether a part is known, counted over all ports: four to each. */
    boolean knowsVlArbitration(int slot) {
        return slot < vlArbitration.length && vlArbitration[slot] != null;
    }

    void confirmedVlArbitration(int portNum, int part, @Nullable VlArbitrationTable held) {
        if (vlArbitration.length == 0) {
            vlArbitration = new VlArbitrationTable[ports * 4];
        }
        vlArbitration[portNum * 4 + part - 1] = held == null ? null : rowValues.shared(held);
    }

    /** A block of the multicast forwarding table; null if it is not known. */
    @Nullable
    MulticastForwardingTable multicast(int block, int position) {
        int slot = block * positions + position;
        return slot < multicast.length ? multicast[slot] : null;
    }

    /** What a block holds; null if that is not known any more. */
    void confirmedMulticast(int block, int position, @Nullable MulticastForwardingTable held) {
        if ((block + 1) * positions > multicast.length) {
            multicast = Arrays.copyOf(multicast, (block + 1) * positions);
        }
        multicast[block * positions + position] = Objects.equals(held, NO_MULTICAST) ? NO_MULTICAST : held;
    }

    /** Blocks of MLIDs up to the last one that anything was known of. */
    int multicastBlocks() {
        return multicast.length / positions;
    }

    /** SwitchInfo as the switch answered it last; null if it is not known. */
    @Nullable
    SwitchInfo switchInfo() {
        return switchInfo;
    }

    void confirmedSwitchInfo(@Nullable SwitchInfo held) {
        switchInfo = held;
    }
}
