package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.sa.SlToVlMappingTableRecord;
import io.torussm.mad.sa.VlArbitrationTableRecord;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.view.QosTables;

/**
 * Records of the QoS tables that devices were programmed with; without QoS there are none. All rows of a large fabric are
 * millions: a source stops in the middle of a switch once there are too many.
 */
final class QosRecords {
    private QosRecords() {}

    /** SLtoVLMappingTableRecord (IBA 15.2.5.4): of switches every input of each linked output, of end ports one. */
    static RecordHandler slToVl() {
        return new EndportRecords(
                SlToVlMappingTableRecord.TYPE,
                SlToVlMappingTableRecord.COMPONENTS,
                SlToVlMappingTableRecord.LID,
                QosRecords::offerRows);
    }

    private static void offerRows(Query query, int endport, Candidates candidates) {
        ViewIndex index = query.index();
        Fabric fabric = index.fabric();
        QosTables tables = index.view().qosTables();
        int node = fabric.nodeOf(endport);
        int inputs = fabric.isSwitch(node) ? fabric.numPorts(node) : 0;
        for (int port = endport; port <= index.lastPortAt(endport); port++) {
            int out = fabric.portNum(port);
            for (int in = 0; in <= inputs && tables.hasRow(node, in, out) && !candidates.isEnough(); in++) {
                candidates
                        .begin()
                        .set(SlToVlMappingTableRecord.LID, index.subnet().lid(endport))
                        .set(SlToVlMappingTableRecord.INPUT_PORT_NUM, in)
                        .set(SlToVlMappingTableRecord.OUTPUT_PORT_NUM, out)
                        .set(SlToVlMappingTableRecord.TABLE, tables.row(node, in, out))
                        .offer();
            }
        }
    }

    /** VLArbitrationTableRecord (IBA 15.2.5.9): the parts that ports have. */
    static RecordHandler vlArbitration() {
        return new EndportRecords(
                VlArbitrationTableRecord.TYPE,
                VlArbitrationTableRecord.COMPONENTS,
                VlArbitrationTableRecord.LID,
                QosRecords::offerArbitration);
    }

    private static void offerArbitration(Query query, int endport, Candidates candidates) {
        ViewIndex index = query.index();
        Fabric fabric = index.fabric();
        Field table = VlArbitrationTableRecord.TABLE;
        for (int port = endport; port <= index.lastPortAt(endport); port++) {
            for (int part = 1; part <= QosTables.PARTS && !candidates.isEnough(); part++) {
                VlArbitrationTable held =
                        index.view().qosTables().arbitration(fabric.nodeOf(port), fabric.portNum(port), part);
                if (held != null) {
                    candidates
                            .begin()
                            .set(VlArbitrationTableRecord.LID, index.subnet().lid(endport))
                            .set(VlArbitrationTableRecord.OUTPUT_PORT_NUM, fabric.portNum(port))
                            .set(VlArbitrationTableRecord.BLOCK_NUM, part)
                            .set(table, held)
                            .offer();
                }
            }
        }
    }
}
