package io.torussm.sim;

import io.torussm.mad.Lids;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.sim.topology.PowerUp;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The forwarding tables of a switch. A page of the linear table, {@value #LIDS_PER_PAGE} LIDs, and a block of the
 * multicast table are allocated at their first write. Unwritten entries discard packets.
 */
final class SwitchTables {
    static final int BLOCK_BYTES = 64;
    static final int LFT_BLOCKS = PowerUp.LINEAR_FDB_CAP / LinearForwardingTable.LIDS_PER_BLOCK;
    static final int MLIDS_PER_BLOCK = 32;
    static final int MFT_BLOCKS = PowerUp.MULTICAST_FDB_CAP / MLIDS_PER_BLOCK;

    private static final int LIDS_PER_PAGE = 1024;
    private static final int BLOCKS_PER_PAGE = LIDS_PER_PAGE / BLOCK_BYTES;
    private static final int PORTS_PER_POSITION = 16;
    /** The page of all LIDs that were never written; shared and never changed. */
    private static final byte[] NO_PATHS = new byte[LIDS_PER_PAGE];

    static {
        Arrays.fill(NO_PATHS, LinearForwardingTable.NO_PATH_ENTRY);
    }

    private final int ports;
    private final byte[][] lftPages = new byte[PowerUp.LINEAR_FDB_CAP / LIDS_PER_PAGE][]; // [page][LID in the page]
    /** By {@code block * positions() + position}; null until the first write, as is each unwritten element. */
    private byte @Nullable [] @Nullable [] multicastBlocks;
    /** Packed SL2VL tables by {@code input port * ports + output port}; null until the first write. */
    private long @Nullable [] slToVl;

    /** Creates empty tables for ports 0 to {@code ports - 1}. */
    SwitchTables(int ports) {
        this.ports = ports;
        Arrays.fill(lftPages, NO_PATHS);
    }

    /** Returns the egress port of a LID below the capacity; 255 if the switch discards its packets. */
    int egress(int lid) {
        return lftPages[lid / LIDS_PER_PAGE][lid % LIDS_PER_PAGE] & 0xff;
    }

    void readLft(int block, byte[] to, int offset) {
        byte[] page = lftPages[block / BLOCKS_PER_PAGE];
        System.arraycopy(page, block % BLOCKS_PER_PAGE * BLOCK_BYTES, to, offset, BLOCK_BYTES);
    }

    void writeLft(int block, byte[] from, int offset) {
        int page = block / BLOCKS_PER_PAGE;
        if (lftPages[page] == NO_PATHS) {
            lftPages[page] = NO_PATHS.clone();
        }
        System.arraycopy(from, offset, lftPages[page], block % BLOCKS_PER_PAGE * BLOCK_BYTES, BLOCK_BYTES);
    }

    /** Returns the linear table from LID 0 to a LID. */
    byte[] lft(int top) {
        byte[] table = new byte[top + 1];
        for (int lid = 0; lid <= top; lid++) {
            table[lid] = (byte) egress(lid);
        }
        return table;
    }

    /** Returns the number of positions of the multicast table: one for every 16 ports. */
    int positions() {
        return (ports + PORTS_PER_POSITION - 1) / PORTS_PER_POSITION;
    }

    void readMft(int block, int position, byte[] to, int offset) {
        byte[] row = multicastBlocks == null ? null : multicastBlocks[block * positions() + position];
        if (row == null) {
            Arrays.fill(to, offset, offset + BLOCK_BYTES, (byte) 0);
        } else {
            System.arraycopy(row, 0, to, offset, BLOCK_BYTES);
        }
    }

    void writeMft(int block, int position, byte[] from, int offset) {
        if (multicastBlocks == null) {
            multicastBlocks = new byte[MFT_BLOCKS * positions()][];
        }
        multicastBlocks[block * positions() + position] = Arrays.copyOfRange(from, offset, offset + BLOCK_BYTES);
    }

    /** Returns the ports of a multicast LID: bit p of word w is port 64 w + p. */
    long[] multicastPorts(int mlid) {
        int index = mlid - Lids.MULTICAST_FIRST;
        if (index < 0 || index >= PowerUp.MULTICAST_FDB_CAP) {
            throw new IllegalArgumentException("MLID " + mlid + " is outside the multicast table");
        }
        long[] words = new long[(ports + Long.SIZE - 1) / Long.SIZE];
        byte[] block = new byte[BLOCK_BYTES];
        for (int position = 0; position < positions(); position++) {
            readMft(index / MLIDS_PER_BLOCK, position, block, 0);
            int offset = 2 * (index % MLIDS_PER_BLOCK);
            long mask = (block[offset] & 0xffL) << 8 | block[offset + 1] & 0xff;
            int first = position * PORTS_PER_POSITION;
            // 64 is a multiple of 16, so the mask fits in one word. The shift uses the lowest six bits of the port.
            words[first / Long.SIZE] |= mask << first;
        }
        return words;
    }

    /** Returns the packed SL2VL table for packets from one port to another; 0 until written. */
    long slToVl(int in, int out) {
        return slToVl == null ? 0 : slToVl[in * ports + out];
    }

    void setSlToVl(int in, int out, long row) {
        if (slToVl == null) {
            slToVl = new long[ports * ports];
        }
        slToVl[in * ports + out] = row;
    }
}
