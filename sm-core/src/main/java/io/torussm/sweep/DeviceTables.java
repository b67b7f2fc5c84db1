package io.torussm.sweep;

import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.multicast.MulticastRouter;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one device is known to hold. An entry is unknown from the moment a write of it is handed out until the device
 * confirms it, so a lost answer means that it is written again.
 *
 * <p>The forwarding table is the array of the plan that was written last, shared, with a bit for each block that is not
 * confirmed. SL2VL rows are few distinct values; at 64 ports and 16,384 switches eight bytes each would be half a
 * gigabyte, so a row is a short index into {@code distinctRows}.
 */
final class DeviceTables {
    /** A block without entries. */
    static final MulticastForwardingTable NO_MULTICAST = MulticastForwardingTable.TYPE.zero();

    private static final short UNKNOWN = 0;

    private final int ports;
    private final int positions;
    private byte[] lft = new byte[0];
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

    /** Distinct SL2VL rows of all devices, numbered from 1; what does not fit stays unknown. */
    static final class RowValues {
        private static final int MAX_ROWS = 0xffff;
        private final Map<Long, Short> numbers = new HashMap<>();

        short number(long packed) {
            Short number = numbers.get(packed);
            if (number == null) {
                if (numbers.size() == MAX_ROWS) {
                    return UNKNOWN;
                }
                number = (short) (numbers.size() + 1);
                numbers.put(packed, number);
            }
            return number;
        }
    }

    /** From now on the device is meant to hold this table; the blocks that differ from what it holds become unknown. */
    void target(byte[] wanted) {
        if (wanted == lft) {
            return;
        }
        int size = LinearForwardingTable.LIDS_PER_BLOCK;
        for (int from = 0; from < wanted.length; from += size) {
            int to = Math.min(wanted.length, from + size);
            if (to > lft.length || !Arrays.equals(wanted, from, to, lft, from, to)) {
                unknownBlocks.set(from / size);
            }
        }
        lft = wanted;
    }

    boolean holdsBlock(int block) {
        return !unknownBlocks.get(block);
    }

    void confirmedBlock(int block) {
        unknownBlocks.clear(block);
    }

    /** A block was read: the device's own words. */
    void learntBlock(int block, LinearForwardingTable content) {
        int from = block * LinearForwardingTable.LIDS_PER_BLOCK;
        int to = from + LinearForwardingTable.LIDS_PER_BLOCK;
        if (lft.length < to) {
            int known = lft.length;
            lft = Arrays.copyOf(lft, to);
            Arrays.fill(lft, known, to, (byte) LinearForwardingTable.NO_PATH);
            unknownBlocks.set(known / LinearForwardingTable.LIDS_PER_BLOCK, block);
        }
        content.write(lft, from);
        unknownBlocks.clear(block);
    }

    boolean holdsRow(int in, int out, long packed) {
        int slot = in * ports + out;
        return slot < rowIndex.length && rowIndex[slot] != UNKNOWN && rowIndex[slot] == rowValues.number(packed);
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

    boolean holdsVlArbitration(int portNum, int part, VlArbitrationTable wanted) {
        int slot = portNum * 4 + part - 1;
        return slot < vlArbitration.length && wanted.equals(vlArbitration[slot]);
    }

    void confirmedVlArbitration(int portNum, int part, @Nullable VlArbitrationTable held) {
        if (vlArbitration.length == 0) {
            vlArbitration = new VlArbitrationTable[ports * 4];
        }
        vlArbitration[portNum * 4 + part - 1] = held;
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
