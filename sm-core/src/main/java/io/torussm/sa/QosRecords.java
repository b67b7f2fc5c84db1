package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.SlToVlMappingTableRecord;
import io.torussm.mad.sa.VlArbitrationTableRecord;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.sa.query.Candidates;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.RecordHandler;
import io.torussm.sa.query.ViewIndex;
import io.torussm.view.QosTables;
import java.util.stream.IntStream;

/**
 * The sources of records of the programmed QoS tables; without QoS there are no records. A large fabric has millions of
 * rows, so that a source stops within a switch when the answer is full.
 */
final class QosRecords {
    private static final long PORTS = SlToVlMappingTableRecord.COMPONENTS.bit(SlToVlMappingTableRecord.INPUT_PORT_NUM)
            | SlToVlMappingTableRecord.COMPONENTS.bit(SlToVlMappingTableRecord.OUTPUT_PORT_NUM);

    private static final long ARBITRATED_PORT =
            VlArbitrationTableRecord.COMPONENTS.bit(VlArbitrationTableRecord.OUTPUT_PORT_NUM);

    private QosRecords() {}

    /**
     * Returns the handler of SLtoVLMappingTableRecord (IBA 15.2.5.4). A switch has a record for each input port and
     * linked output port, any other end port has one record. In the latter, the port numbers are 0, and any requested
     * port number matches, as in OpenSM.
     */
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
        if (!fabric.isSwitch(node)) {
            int own = fabric.portNum(endport);
            if (tables.hasRow(node, 0, own)) {
                row(index, endport, tables.row(node, 0, own), candidates);
                if (candidates.matches(~PORTS)) {
                    candidates.keep();
                }
            }
            return;
        }
        for (int out = 0; out <= fabric.numPorts(node); out++) {
            for (int in = 0; in <= fabric.numPorts(node) && !candidates.isFull(); in++) {
                if (tables.hasRow(node, in, out)) {
                    row(index, endport, tables.row(node, in, out), candidates);
                    candidates
                            .set(SlToVlMappingTableRecord.INPUT_PORT_NUM, in)
                            .set(SlToVlMappingTableRecord.OUTPUT_PORT_NUM, out)
                            .offer();
                }
            }
        }
    }

    private static void row(ViewIndex index, int endport, long packed, Candidates candidates) {
        candidates
                .begin()
                .set(SlToVlMappingTableRecord.LID, index.subnet().lid(endport))
                .set(SlToVlMappingTableRecord.TABLE, packed);
    }

    /**
     * Returns the handler of VLArbitrationTableRecord (IBA 15.2.5.9): all four parts for all ports of devices with
     * programmed tables. A part that is not programmed is empty, because osmtest expects all parts. At a node that is
     * no switch, the requested port number is ignored.
     */
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
        QosTables tables = index.view().qosTables();
        int node = fabric.nodeOf(endport);
        long compared = fabric.isSwitch(node) ? ~0L : ~ARBITRATED_PORT;
        int last = index.lastPortAt(endport);
        boolean hasAny = IntStream.rangeClosed(endport, last).anyMatch(port -> IntStream.rangeClosed(1, QosTables.PARTS)
                .anyMatch(part -> tables.arbitration(node, fabric.portNum(port), part) != null));
        for (int port = endport; port <= last && hasAny; port++) {
            int portNum = fabric.portNum(port);
            for (int part = 1; part <= QosTables.PARTS && !candidates.isFull(); part++) {
                VlArbitrationTable table = tables.arbitration(node, portNum, part);
                candidates
                        .begin()
                        .set(VlArbitrationTableRecord.LID, index.subnet().lid(endport))
                        .set(VlArbitrationTableRecord.OUTPUT_PORT_NUM, portNum)
                        .set(VlArbitrationTableRecord.BLOCK_NUM, part);
                if (table != null) {
                    candidates.set(VlArbitrationTableRecord.TABLE, table);
                }
                if (candidates.matches(compared)) {
                    candidates.keep();
                }
            }
        }
    }
}
