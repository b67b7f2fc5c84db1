package io.torussm.program.table;

import io.torussm.deadlock.HeldTables;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import org.jspecify.annotations.Nullable;

/**
 * The known tables of the switches before a change: a snapshot of their forwarding tables, and their SL2VL rows, which
 * must not change during use. The order of a change is computed from them on another thread.
 */
final class KnownTables implements HeldTables {
    private final Plan plan;
    private final DeviceTables[] tables;
    private final boolean[] isRunning;
    private final boolean areRowsPlanned;
    private final byte[] @Nullable [] lfts;

    /**
     * Copies the forwarding tables.
     *
     * @param tables [node] known tables
     * @param isRunning [node] whether packets depend on its tables
     * @param areRowsPlanned whether all SL2VL rows on which packets depend are those of the plan
     */
    KnownTables(Plan plan, DeviceTables[] tables, boolean[] isRunning, boolean areRowsPlanned) {
        this.plan = plan;
        this.tables = tables;
        this.isRunning = isRunning;
        this.areRowsPlanned = areRowsPlanned;
        this.lfts = new byte[fabric().switchCount()][];
        for (int sw = 0; sw < lfts.length; sw++) {
            lfts[sw] = isRunning[sw] ? tables[sw].lft() : null;
        }
    }

    @Override
    public byte @Nullable [] lft(int sw) {
        return lfts[sw];
    }

    @Override
    public long sl2vl(int sw, int in, int out) {
        long wanted = plan.sl2vl(sw, in, out);
        return isRunning[sw] ? tables[sw].row(in, out, wanted) : wanted;
    }

    @Override
    public boolean areRowsPlanned() {
        return areRowsPlanned;
    }

    @Override
    public boolean isUp(int port) {
        return QosWrites.carriesData(fabric(), port);
    }

    private Fabric fabric() {
        return plan.subnet().fabric();
    }
}
