package io.torussm.sim;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.congestion.CongestionAgent;
import io.torussm.sim.model.PortCounter;
import io.torussm.sim.topology.Hardware;
import io.torussm.sim.topology.PowerUp;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A port of a simulated device and its registers. Tables exist after their first write.
 *
 * <p>Invariant: if the link is trained, a cable is plugged in at both ends, and the link of the peer is trained, too.
 */
final class SimPort {
    /** The value of {@link #leaseEndNs} while no lease runs. */
    static final long NO_LEASE = Long.MIN_VALUE;

    private static final int GUID_BYTES = 8;
    private static final Field GUID = new Field("GUID", 0, 64);

    final SimDevice device;
    final int portNum;
    /** The PortGUID: that of the topology, or another that the port reports. */
    long portGuid;
    /** PortInfo. LocalPortNum is set in each response. */
    final byte[] info;
    /** The port at the other end of the cable, plugged in or not; null without a cable. */
    @Nullable
    SimPort cable;
    /** False while the cable is unplugged. */
    boolean isPluggedIn = true;
    /** Probability that a packet is lost when it leaves this port. */
    double loss;
    /** Time at which the lease expires, and M_KeyProtectBits become 0. */
    long leaseEndNs = NO_LEASE;
    /** Counters of the port; null while all are 0. */
    private @Nullable PortCounts counts;
    /** Agent of congestion control of an end port; null before the first request. */
    private @Nullable CongestionAgent congestion;
    /** Multicast groups of the host; null before the first one. */
    @Nullable
    GroupClient groups;
    /** Agent of the virtual ports; null if the device has none. */
    @Nullable
    VPortAgent vports;
    /** Receiver of MADs that no agent answers. */
    final AtomicReference<@Nullable SimTransport> client = new AtomicReference<>();

    private byte @Nullable [] pKeys; // all blocks in order; null before the first Set
    private byte @Nullable [] vlArbitration; // parts 1 to 4, 64 bytes each; null before the first Set
    private byte @Nullable [] guids; // 8 bytes each; null before the first Set

    final Vl15Queues.Queue vl15 = new Vl15Queues.Queue();

    SimPort(SimDevice device, int portNum) {
        this.device = device;
        this.portNum = portNum;
        portGuid = device.node.portGuid(portNum);
        this.info = powerUp().toBytes();
    }

    /** Resets the registers to those after power-up. Cable and client stay. */
    void reset() {
        powerUp().write(info, 0);
        leaseEndNs = NO_LEASE;
        pKeys = null;
        vlArbitration = null;
        guids = null;
        counts = null;
        if (vports != null) {
            vports.reset();
        }
        congestion = null;
    }

    /** Returns the agent of congestion control of an end port. */
    CongestionAgent congestion() {
        if (congestion == null) {
            congestion = new CongestionAgent(device.node.type(), device.node.numPorts());
        }
        return congestion;
    }

    /** Returns the mutable counters of this port. */
    PortCounts counts() {
        if (counts == null) {
            counts = new PortCounts();
        }
        return counts;
    }

    /** Returns the count since power-up. */
    long countOf(PortCounter counter) {
        return counts == null ? 0 : counts.get(counter);
    }

    /** Returns the count since the attribute was cleared. */
    long countOf(PortCounter counter, boolean isExtended) {
        return counts == null ? 0 : counts.valueSinceClearing(counter, isExtended);
    }

    /** Resets all counters to 0. */
    void resetCounts() {
        counts = null;
    }

    private PortInfo powerUp() {
        return device.vendor.applyTo(PowerUp.portInfo(device.node, portNum, device.hardware));
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

    /** Checks whether a LID is one of the 2^LMC LIDs of this port, which differ in their lowest LMC bits. */
    boolean ownsLid(int lid) {
        int lmc = get(PortInfo.LMC);
        return lid() != 0 && lid >>> lmc == lid() >>> lmc;
    }

    /** Returns the lowest bits in which the LIDs of this port differ. */
    int pathMask() {
        return (1 << get(PortInfo.LMC)) - 1;
    }

    /** Returns the GID with an index. The GUID of an unused entry is 0. */
    Gid gid(int index) {
        long[] all = guids();
        return new Gid(PortInfo.GID_PREFIX.get(info, 0), index < all.length ? all[index] : 0);
    }

    /** Copies a block of the P_Key table, 64 bytes, to a buffer. */
    void readPKeys(int block, byte[] to, int offset) {
        System.arraycopy(pKeyTable(), block * SwitchTables.BLOCK_BYTES, to, offset, SwitchTables.BLOCK_BYTES);
    }

    void writePKeys(int block, byte[] from, int offset) {
        byte[] table = pKeyTable();
        System.arraycopy(from, offset, table, block * SwitchTables.BLOCK_BYTES, SwitchTables.BLOCK_BYTES);
        pKeys = table;
    }

    /** Returns all P_Keys by index. */
    int[] pKeys() {
        byte[] table = pKeyTable();
        int[] pKeys = new int[PowerUp.PARTITION_CAP];
        for (int i = 0; i < pKeys.length; i++) {
            pKeys[i] = (table[2 * i] & 0xff) << Byte.SIZE | table[2 * i + 1] & 0xff;
        }
        return pKeys;
    }

    private byte[] pKeyTable() {
        if (pKeys != null) {
            return pKeys;
        }
        byte[] table = new byte[2 * PowerUp.PARTITION_CAP];
        table[0] = (byte) (PKeyTable.DEFAULT_FULL >> 8);
        table[1] = (byte) PKeyTable.DEFAULT_FULL;
        return table;
    }

    /**
     * Checks for a part of the VL arbitration table: 1 and 2 are low priority, 3 and 4 high. Parts 2 and 4 exist only
     * if the table has more than 32 entries.
     */
    boolean hasVlArbitration(int part) {
        return part >= 1 && part <= 4 && entriesOf(part) > 0;
    }

    /** Copies a part, 64 bytes, to a buffer. Entries beyond the capacity are 0. */
    void readVlArbitration(int part, byte[] to, int offset) {
        Arrays.fill(to, offset, offset + SwitchTables.BLOCK_BYTES, (byte) 0);
        if (vlArbitration != null) {
            System.arraycopy(vlArbitration, offsetOf(part), to, offset, 2 * entriesOf(part));
        }
    }

    /** Returns a part, 1 to 4; zeros if the table has no such part. */
    VlArbitrationTable vlArbitration(int part) {
        byte[] entries = new byte[SwitchTables.BLOCK_BYTES];
        if (hasVlArbitration(part)) {
            readVlArbitration(part, entries, 0);
        }
        return VlArbitrationTable.TYPE.read(entries, 0);
    }

    void writeVlArbitration(int part, byte[] from, int offset) {
        if (vlArbitration == null) {
            vlArbitration = new byte[2 * 2 * Hardware.MAX_VL_ARBITRATION_CAP];
        }
        System.arraycopy(from, offset, vlArbitration, offsetOf(part), 2 * entriesOf(part));
    }

    private int entriesOf(int part) {
        int cap = get(part <= 2 ? PortInfo.VL_ARBITRATION_LOW_CAP : PortInfo.VL_ARBITRATION_HIGH_CAP);
        int entriesBefore = (part - 1) % 2 * VlArbitrationTable.ENTRIES_PER_PART;
        return Math.max(0, Math.min(VlArbitrationTable.ENTRIES_PER_PART, cap - entriesBefore));
    }

    /** Returns the byte offset of a part. */
    private static int offsetOf(int part) {
        return 2 * VlArbitrationTable.ENTRIES_PER_PART * (part - 1);
    }

    void readGuids(int block, byte[] to, int offset) {
        System.arraycopy(guidTable(), block * SwitchTables.BLOCK_BYTES, to, offset, SwitchTables.BLOCK_BYTES);
    }

    /** Stores a block of GUIDs. Entry 0 of block 0, the port's own GUID, does not change (IBA 14.2.5.5). */
    void writeGuids(int block, byte[] from, int offset) {
        byte[] table = guidTable();
        int kept = block == 0 ? GUID_BYTES : 0;
        System.arraycopy(
                from, offset + kept, table, block * SwitchTables.BLOCK_BYTES + kept, SwitchTables.BLOCK_BYTES - kept);
        guids = table;
    }

    /** Returns all GUIDs by index. */
    long[] guids() {
        byte[] table = guidTable();
        long[] guids = new long[PowerUp.GUID_CAP];
        for (int i = 0; i < guids.length; i++) {
            guids[i] = GUID.get(table, GUID_BYTES * i);
        }
        return guids;
    }

    private byte[] guidTable() {
        if (guids != null) {
            return guids;
        }
        byte[] table = new byte[GUID_BYTES * PowerUp.GUID_CAP];
        GUID.set(table, 0, portGuid);
        return table;
    }

    @Override
    public String toString() {
        return device.node + " port " + portNum;
    }
}
