package io.torussm.program.table;

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
 * The known tables of one device. While a write of an entry is outstanding, the entry is unknown. If the response is
 * lost, the entry stays unknown and is written again. Owner thread: the loop.
 *
 * <p>The forwarding table shares the array of the last written plan. It is a private copy only while blocks are missing
 * or differ. SL2VL rows have few distinct values, so a row is a short index into {@link RowValues}: eight bytes for
 * each row of 16,384 switches with 64 ports would need half a gigabyte.
 */
public final class DeviceTables {
    /** A block of a multicast forwarding table without entries, shared by all devices. */
    static final MulticastForwardingTable NO_MULTICAST = MulticastForwardingTable.TYPE.zero();

    private static final short UNKNOWN = RowValues.NONE;
    private static final int LIDS_PER_BLOCK = LinearForwardingTable.LIDS_PER_BLOCK;

    /** Number of ports, port 0 included. */
    private final int ports;

    /** Number of positions of the multicast forwarding table, of 16 ports each. */
    private final int positions;

    /** [LID] egress port number in the last known forwarding table; LIDs beyond its end have no path. */
    private byte[] lft = new byte[0];

    /** True if {@link #lft} is the array of a plan, which must not be written. */
    private boolean isShared = true;

    /** [LID] egress port number in the forwarding table to be programmed. */
    private byte[] target = new byte[0];

    /** Blocks that are programmed as in {@link #target}, even if {@link #lft} differs. */
    private final BitSet written = new BitSet();

    /** Blocks that were never known, or of which a write was not confirmed. */
    private final BitSet unknownBlocks = new BitSet();

    /** [in * ports + out] number of the row in {@link #rowValues}; empty before the first row. */
    private short[] rowIndex = new short[0];

    private final RowValues rowValues;

    /** [4 * port number + part - 1] part of the VL arbitration tables; null if unknown. */
    private @Nullable VlArbitrationTable[] vlArbitration = new VlArbitrationTable[0];

    /** [block * positions + position] block of the multicast forwarding table; null if unknown. */
    private @Nullable MulticastForwardingTable[] multicast = new MulticastForwardingTable[0];

    /** The last confirmed SwitchInfo; null if unknown, or for a host. */
    private @Nullable SwitchInfo switchInfo;

    DeviceTables(int numPorts, RowValues rowValues) {
        this.ports = numPorts + 1;
        this.positions = numPorts / MulticastRouter.PORTS_PER_POSITION + 1;
        this.rowValues = rowValues;
    }

    /**
     * Checks whether these tables can be those of a device: its number of ports and its LinearFDBTop are unchanged.
     */
    boolean fits(int numPorts, @Nullable SwitchInfo current) {
        SwitchInfo previous = switchInfo;
        return ports == numPorts + 1
                && (previous == null || current == null || current.linearFdbTop() == previous.linearFdbTop());
    }

    /** Sets the forwarding table to be programmed. */
    void setTarget(byte[] wanted) {
        applyWrittenBlocks();
        target = wanted;
        for (int from = 0, block = 0; from < wanted.length; from += LIDS_PER_BLOCK, block++) {
            int to = Math.min(wanted.length, from + LIDS_PER_BLOCK);
            boolean isKnown = to <= lft.length && !unknownBlocks.get(block);
            written.set(block, isKnown && (lft == wanted || Arrays.equals(wanted, from, to, lft, from, to)));
        }
        adoptTarget();
    }

    /** Copies the written blocks of an unfinished target into the known table. */
    private void applyWrittenBlocks() {
        for (int block = written.nextSetBit(0); block >= 0 && lft != target; block = written.nextSetBit(block + 1)) {
            ensureOwnTable(block);
            LinearForwardingTable.blockOf(target, block).write(lft, block * LIDS_PER_BLOCK);
        }
        written.clear();
    }

    /** Replaces the known table by the target, if all blocks are written. */
    private void adoptTarget() {
        if (isOnTarget()) {
            lft = target;
            isShared = true;
        }
    }

    /** Makes the table a private copy that is long enough for a block. */
    private void ensureOwnTable(int block) {
        int known = lft.length;
        int length = Math.max(known, (block + 1) * LIDS_PER_BLOCK);
        if (isShared || length > known) {
            lft = Arrays.copyOf(lft, length);
            Arrays.fill(lft, known, length, LinearForwardingTable.NO_PATH_ENTRY);
            isShared = false;
        }
        int firstNew = (known + LIDS_PER_BLOCK - 1) / LIDS_PER_BLOCK;
        if (firstNew < block) {
            unknownBlocks.set(firstNew, block);
        }
    }

    /**
     * Returns [LID] the egress port number in the known forwarding table, without the written blocks of the target.
     * Callers must not write the array.
     */
    byte[] lft() {
        return lft;
    }

    /** Returns the last known entry for a LID. */
    public byte entry(int lid) {
        if (written.get(lid / LIDS_PER_BLOCK) && lid < target.length) {
            return target[lid];
        }
        return lid < lft.length ? lft[lid] : LinearForwardingTable.NO_PATH_ENTRY;
    }

    /** Returns a copy of the last known entries of LIDs 0 to {@code lids - 1}. */
    byte[] entries(int lids) {
        byte[] entries = new byte[lids];
        for (int lid = 0; lid < lids; lid++) {
            entries[lid] = entry(lid);
        }
        return entries;
    }

    /** Checks whether all blocks are known to equal the target. */
    boolean isOnTarget() {
        return written.cardinality() * LIDS_PER_BLOCK >= target.length;
    }

    /** Checks whether a block is known to equal the target. */
    boolean holdsTarget(int block) {
        return written.get(block);
    }

    /** Checks whether a block is known to have this content. */
    boolean holdsBlock(int block, LinearForwardingTable content) {
        int from = block * LIDS_PER_BLOCK;
        boolean isKnown = written.get(block) || (from + LIDS_PER_BLOCK <= lft.length && !unknownBlocks.get(block));
        for (int i = 0; i < LIDS_PER_BLOCK && isKnown; i++) {
            isKnown = entry(from + i) == (byte) content.port(i);
        }
        return isKnown;
    }

    /** Checks whether the content of a block is known. */
    public boolean knows(int block) {
        return written.get(block) || (block * LIDS_PER_BLOCK < lft.length && !unknownBlocks.get(block));
    }

    /** Checks whether a block was never known, or a write of it was not confirmed. */
    boolean isInDoubt(int block) {
        return unknownBlocks.get(block);
    }

    /** Checks whether any block was never known, or a write of it was not confirmed. */
    boolean isAnyBlockInDoubt() {
        return !unknownBlocks.isEmpty();
    }

    /** Records that a write of a block is sent, so that its content is unknown. */
    void invalidateBlock(int block) {
        written.clear(block);
        unknownBlocks.set(block);
    }

    /** Records that the device confirmed a write of a block. */
    void confirmBlock(int block, LinearForwardingTable content) {
        unknownBlocks.clear(block);
        if (block * LIDS_PER_BLOCK < target.length && isOfTarget(block, content)) {
            written.set(block);
            adoptTarget();
        } else {
            ensureOwnTable(block);
            content.write(lft, block * LIDS_PER_BLOCK);
        }
    }

    private boolean isOfTarget(int block, LinearForwardingTable content) {
        for (int i = 0, lid = block * LIDS_PER_BLOCK; i < LIDS_PER_BLOCK; i++, lid++) {
            byte wanted = lid < target.length ? target[lid] : LinearForwardingTable.NO_PATH_ENTRY;
            if ((byte) content.port(i) != wanted) {
                return false;
            }
        }
        return true;
    }

    /** Records the content of a block that was read. */
    void learnBlock(int block, LinearForwardingTable content) {
        ensureOwnTable(block);
        content.write(lft, block * LIDS_PER_BLOCK);
        unknownBlocks.clear(block);
    }

    /** Records the content of a block that was found to differ from the known content. The target stays. */
    public void correctBlock(int block, LinearForwardingTable content) {
        applyWrittenBlocks();
        learnBlock(block, content);
        setTarget(target);
    }

    /** Returns an SL2VL row as an attribute, shared by all devices. */
    SlToVlMappingTable rowTable(long packed) {
        return rowValues.table(packed);
    }

    /** Checks whether the SL2VL row of a pair of port numbers is known to have a value. */
    boolean holdsRow(int in, int out, long packed) {
        return knowsRow(in, out) && rowValues.row(rowIndex[in * ports + out]) == packed;
    }

    /** Returns the packed SL2VL row of a pair of port numbers; {@code unknown} if the row is not known. */
    public long row(int in, int out, long unknown) {
        return knowsRow(in, out) ? rowValues.row(rowIndex[in * ports + out]) : unknown;
    }

    /** Checks whether the SL2VL row of a pair of port numbers is known. */
    public boolean knowsRow(int in, int out) {
        int slot = in * ports + out;
        return slot < rowIndex.length && rowIndex[slot] != UNKNOWN;
    }

    /** Records the packed SL2VL row that the device confirmed. */
    public void confirmRow(int in, int out, long packed) {
        if (rowIndex.length == 0) {
            rowIndex = new short[ports * ports];
        }
        rowIndex[in * ports + out] = rowValues.number(packed);
    }

    /** Records that a write of an SL2VL row is sent, so that the row is unknown. */
    void invalidateRow(int in, int out) {
        if (rowIndex.length != 0) {
            rowIndex[in * ports + out] = UNKNOWN;
        }
    }

    /** Records that the device confirmed one row for many pairs of ports. */
    void confirmRows(Sl2VlCover.Spread spread) {
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

    /** Marks all SL2VL rows as unknown. */
    void forgetRows() {
        rowIndex = new short[0];
    }

    /** Marks the SL2VL row and VL arbitration tables of a port of a host as unknown. */
    void forgetPort(int portNum) {
        invalidateRow(0, portNum);
        for (int part = 1; part <= 4 && vlArbitration.length != 0; part++) {
            setVlArbitration(portNum, part, null);
        }
    }

    /**
     * Returns a part of the VL arbitration tables of a port; null if unknown.
     *
     * @param part 1 to 4
     */
    @Nullable
    public VlArbitrationTable vlArbitration(int portNum, int part) {
        int slot = portNum * 4 + part - 1;
        return slot < vlArbitration.length ? vlArbitration[slot] : null;
    }

    /**
     * Checks whether a part of VL arbitration tables is known.
     *
     * @param slot 4 * port number + part - 1
     */
    boolean knowsVlArbitration(int slot) {
        return slot < vlArbitration.length && vlArbitration[slot] != null;
    }

    /** Records a part of VL arbitration tables that the device confirmed, or, with null, that it is unknown. */
    public void setVlArbitration(int portNum, int part, @Nullable VlArbitrationTable held) {
        if (vlArbitration.length == 0) {
            vlArbitration = new VlArbitrationTable[ports * 4];
        }
        vlArbitration[portNum * 4 + part - 1] = held == null ? null : rowValues.intern(held);
    }

    /** Returns a block of the multicast forwarding table at a position; null if unknown. */
    @Nullable
    public MulticastForwardingTable multicast(int block, int position) {
        int slot = block * positions + position;
        return slot < multicast.length ? multicast[slot] : null;
    }

    /** Records the content of a block of the multicast forwarding table, or, with null, that it is unknown. */
    public void setMulticast(int block, int position, @Nullable MulticastForwardingTable held) {
        if ((block + 1) * positions > multicast.length) {
            multicast = Arrays.copyOf(multicast, (block + 1) * positions);
        }
        multicast[block * positions + position] = Objects.equals(held, NO_MULTICAST) ? NO_MULTICAST : held;
    }

    /** Returns 1 + the highest block of MLIDs that was ever recorded; 0 without any. */
    public int multicastBlocks() {
        return multicast.length / positions;
    }

    /** Returns the last SwitchInfo of the switch; null if unknown. */
    @Nullable
    SwitchInfo switchInfo() {
        return switchInfo;
    }

    /** Records the SwitchInfo of the switch, or, with null, that it is unknown. */
    void setSwitchInfo(@Nullable SwitchInfo held) {
        switchInfo = held;
    }
}
