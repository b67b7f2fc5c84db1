package io.torussm.program.table;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.program.smp.SmpRequests;

/** A Set of a block of a forwarding table, on which the proof relies. A confirmation updates the known tables. */
final class BlockWrite extends SmpRequests.Write<LinearForwardingTable> {
    private final int block;
    private final LinearForwardingTable wanted;
    private final DeviceTables tables;

    BlockWrite(
            SmpRequests requests, int sw, DrPath path, int block, LinearForwardingTable wanted, DeviceTables tables) {
        super(requests, sw, wanted, path, block, SmpRequests.Harm.ROUTES);
        this.block = block;
        this.wanted = wanted;
        this.tables = tables;
    }

    @Override
    public void onConfirmation(LinearForwardingTable held) {
        tables.confirmBlock(block, wanted);
    }
}
