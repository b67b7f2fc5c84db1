package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.sa.query.Candidates;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.RecordHandler;

/** The source of NodeRecord (IBA 15.2.5.2): one record for each end port; the end port of a switch is its port 0. */
final class NodeRecords {
    private static final int NODE_INFO_OFFSET = NodeRecord.BASE_VERSION.offset() / Byte.SIZE;
    private static final int NODE_INFO_SIZE = NodeRecord.NODE_DESCRIPTION.offset() / Byte.SIZE - NODE_INFO_OFFSET;

    private NodeRecords() {}

    static RecordHandler handler() {
        return new EndportRecords(NodeRecord.TYPE, NodeRecord.COMPONENTS, NodeRecord.LID, NodeRecords::offer);
    }

    private static void offer(Query query, int port, Candidates candidates) {
        Fabric fabric = query.index().fabric();
        Fabric.Node node = fabric.node(fabric.nodeOf(port));
        candidates
                .begin()
                .write(node.info(), NODE_INFO_OFFSET, NODE_INFO_SIZE)
                .set(NodeRecord.LID, query.index().subnet().lid(port))
                .set(NodeRecord.PORT_GUID, fabric.portGuid(port))
                .set(NodeRecord.LOCAL_PORT_NUM, fabric.portNum(port))
                .set(NodeRecord.NODE_DESCRIPTION, NodeDescription.of(node.description()))
                .offer();
    }
}
