package io.torussm.sim;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One port of a simulated device and what its registers hold. Tables exist from the first write on.
 *
 * <p>Invariant: if the link is trained, a cable is plugged in at both ends, and the peer's link is trained too.
 */
final class SimPort {
    /** No lease is running out. */
    static final long NO_LEASE = Long.MIN_VALUE;

    private static final int GUID_BYTES = 8;
    private static final int PART_BYTES = 2 * PowerUp.VL_ARBITRATION_CAP;

    final SimDevice device;
    final int portNum;
    /** PortInfo as it stands; LocalPortNum is put in when it is read. */
    final byte[] info;
    /** The other end of the cable that the topology names; null if there is none. */
    @Nullable
    SimPort cable;
    /** False while the cable is pulled. */
    boolean isPluggedIn = true;
    /** Probability that a MAD is lost when it leaves by this port. */
    double loss;
    /** When M_KeyProtectBits fall back to 0. */
    long leaseEndNs = NO_LEASE;
    /** Who gets what the agent does not answer itself. */
    final AtomicReference<@Nullable SimTransport> client = new AtomicReference<>();

    private byte @Nullable [] pKeys;
    private byte @Nullable [] vlArbitration;
    private byte @Nullable [] guids;

    final Vl15Queues.Queue vl15 = new Vl15Queues.Queue();

    SimPort(SimDevice device, int portNum) {
        this.device = device;
        this.portNum = portNum;
        this.info = device.node.portInfo(portNum).toBytes();
    }

    /** Back to what stands in the registers after power-up; cables and clients stay. */
    void reset() {
        System.arraycopy(device.node.portInfo(portNum).toBytes(), 0, info, 0, info.length);
        leaseEndNs = NO_LEASE;
        pKeys = null;
        vlArbitration = null;
        guids = null;
    }

    int get(Field field) {
        return (int) field.get(info, 0);
    }

    void set(Field field, long value) {
        field.set(info, 0, value);
    }

    int state() {
        return get(PortInfo.PORT_STATE);
    }

    boolean isLinkUp() {
        return state() >= PortInfo.STATE_INITIALIZE;
    }

    boolean isActive() {
        return state() == PortInfo.STATE_ACTIVE;
    }

    int lid() {
        return get(PortInfo.LID);
    }

    /** Whether packets to this LID are for this port: its base LID and the 2^LMC - 1 that follow. */
    boolean ownsLid(int lid) {
        int lmc = get(PortInfo.LMC);
        return lid() != 0 && lid >>> lmc == lid() >>> lmc;
    }

    /** The bits of a LID that tell the LIDs of this port apart. */
    int pathMask() {
        return (1 << get(PortInfo.LMC)) - 1;
    }

    /** A GID of this port; 0 behind the subnet's prefix where the table has none. */
    Gid gid(int index) {
        byte[] table = guids();
        int at = GUID_BYTES * index;
        long guid = at < table.length ? new Field("GUID", 0, 64).get(table, at) : 0;
        return new Gid(PortInfo.GID_PREFIX.get(info, 0), guid);
    }

    /** The entries of a P_Key block, 64 bytes. */
    void readPKeys(int block, byte[] to, int offset) {
        System.arraycopy(pKeys(), block * SwitchTables.BLOCK_BYTES, to, offset, SwitchTables.BLOCK_BYTES);
    }

    void writePKeys(int block, byte[] from, int offset) {
        byte[] table = pKeys();
        System.arraycopy(from, offset, table, block * SwitchTables.BLOCK_BYTES, SwitchTables.BLOCK_BYTES);
        pKeys = table;
    }

    private byte[] pKeys() {
        if (pKeys != null) {
            return pKeys;
        }
        byte[] table = new byte[2 * PowerUp.PARTITION_CAP];
        table[0] = (byte) (PKeyTable.DEFAULT_FULL >> 8);
        table[1] = (byte) PKeyTable.DEFAULT_FULL;
        return table;
    }

    /** The entries of a part, zeros behind the capacity; half 0 is the low-priority table, 1 the high one. */
    void readVlArbitration(int half, byte[] to, int offset) {
        Arrays.fill(to, offset, offset + SwitchTables.BLOCK_BYTES, (byte) 0);
        if (vlArbitration != null) {
            System.arraycopy(vlArbitration, half * PART_BYTES, to, offset, PART_BYTES);
        }
    }

    void writeVlArbitration(int half, byte[] from, int offset) {
        if (vlArbitration == null) {
            vlArbitration = new byte[2 * PART_BYTES];
        }
        System.arraycopy(from, offset, vlArbitration, half * PART_BYTES, PART_BYTES);
    }

    void readGuids(int block, byte[] to, int offset) {
        System.arraycopy(guids(), block * SwitchTables.BLOCK_BYTES, to, offset, SwitchTables.BLOCK_BYTES);
    }

    /** Entry 0 of block 0 is the port's own GUID and stays (IBA 14.2.5.5). */
    void writeGuids(int block, byte[] from, int offset) {
        byte[] table = guids();
        int kept = block == 0 ? GUID_BYTES : 0;
        System.arraycopy(
                from, offset + kept, table, block * SwitchTables.BLOCK_BYTES + kept, SwitchTables.BLOCK_BYTES - kept);
        guids = table;
    }

    private byte[] guids() {
        if (guids != null) {
            return guids;
        }
        byte[] table = new byte[GUID_BYTES * PowerUp.GUID_CAP];
        new Field("GUID", 0, 64).set(table, 0, device.node.portGuid(portNum));
        return table;
    }

    @Override
    public String toString() {
        return device.node + " port " + portNum;
    }
}
