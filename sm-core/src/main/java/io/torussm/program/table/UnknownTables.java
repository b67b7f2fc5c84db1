package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.transport.SmpRequest;
import org.jspecify.annotations.Nullable;

/**
 * The tables of devices with traffic that have to be read before a plan is written: all of an unknown device, and
 * entries in doubt of others after an unconfirmed write. Owner thread: the loop.
 */
final class UnknownTables {
    private final Fabric fabric;
    private final DeviceTables[] tables;
    private final boolean[] isRunning;
    private final boolean[] isUnknown;
    private final ForwardingBlocks blocks;
    private final @Nullable QosWrites qos;

    /**
     * Creates the reading.
     *
     * @param tables by node
     * @param isRunning by node, whether packets depend on its tables
     * @param isUnknown by node, whether all its tables have to be read
     * @param qos the SL2VL tables; null if they are not programmed
     */
    UnknownTables(
            Fabric fabric,
            DeviceTables[] tables,
            boolean[] isRunning,
            boolean[] isUnknown,
            ForwardingBlocks blocks,
            @Nullable QosWrites qos) {
        this.fabric = fabric;
        this.tables = tables;
        this.isRunning = isRunning;
        this.isUnknown = isUnknown;
        this.blocks = blocks;
        this.qos = qos;
    }

    /** Checks whether all tables of a device have to be read. */
    boolean isUnknown(int node) {
        return isUnknown[node];
    }

    /** Checks whether any entry of a device has to be read. */
    boolean isAny(int node) {
        return isUnknown[node]
                || (isRunning[node]
                        && fabric.isSwitch(node)
                        && (tables[node].isAnyBlockInDoubt() || (qos != null && qos.isAnyRowInDoubt(node))));
    }

    /** Reads an entry if necessary: a block of the forwarding table, or an entry of {@link QosWrites} after these. */
    @Nullable
    SmpRequest<?> read(int node, int entry) {
        if (!isRunning[node]) {
            return null;
        }
        if (entry < blocks.count()) {
            boolean isDue = isUnknown[node] ? !tables[node].knows(entry) : tables[node].isInDoubt(entry);
            return isDue && fabric.isSwitch(node) ? blocks.read(node, entry) : null;
        }
        return qos == null ? null : qos.read(node, entry - blocks.count(), isUnknown[node]);
    }
}
