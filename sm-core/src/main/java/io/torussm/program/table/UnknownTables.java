package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.transport.SmpRequest;
import org.jspecify.annotations.Nullable;

/**
 * The reading of tables before a plan is written: all tables of an unknown device with traffic, and, for known devices
 * with traffic, the entries that are in doubt after an unconfirmed write. Owner thread: the loop.
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
     * @param tables [node] known tables
     * @param isRunning [node] whether packets depend on its tables
     * @param isUnknown [node] whether all its tables must be read
     * @param blocks the blocks of forwarding tables
     * @param qos the SL2VL and VL arbitration tables; null if they are not programmed
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

    /** Checks whether all tables of a device must be read. */
    boolean isUnknown(int node) {
        return isUnknown[node];
    }

    /** Checks whether any entry of a device must be read. */
    boolean isAny(int node) {
        return isUnknown[node]
                || (isRunning[node]
                        && fabric.isSwitch(node)
                        && (tables[node].isAnyBlockInDoubt() || (qos != null && qos.isAnyRowInDoubt(node))));
    }

    /**
     * Returns the request that reads an entry; null if the entry need not be read.
     *
     * @param entry number of a block of the forwarding table; from {@code blocks.count()} on, an entry of {@link
     *     QosWrites}
     */
    @Nullable
    SmpRequest<?> read(int node, int entry) {
        if (!isRunning[node]) {
            return null;
        }
        if (entry < blocks.blocksPerSwitch()) {
            boolean isDue = isUnknown[node] ? !tables[node].knows(entry) : tables[node].isInDoubt(entry);
            return isDue && fabric.isSwitch(node) ? blocks.read(node, entry) : null;
        }
        return qos == null ? null : qos.read(node, entry - blocks.blocksPerSwitch(), isUnknown[node]);
    }
}
