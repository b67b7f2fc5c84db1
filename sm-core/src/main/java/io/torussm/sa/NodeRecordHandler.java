package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.NodeDescription;

/** NodeRecord (IBA 15.2.5.2): one for each end port; of a switch, its port 0. A LID may be any of the port's. */
final class NodeRecordHandler implements RecordHandler {
    private static final long LID = NodeRecord.COMPONENTS.bit(NodeRecord.LID);
    private static final int NODE_INFO_AT = NodeRecord.BASE_VERSION.offset() / Byte.SIZE;
    private static final int NODE_INFO_SIZE = NodeRecord.NODE_DESCRIPTION.offset() / Byte.SIZE - NODE_INFO_AT;

    @Override
    public AttributeType<?> type() {
        return NodeRecord.TYPE;
    }

    @Override
    public int answer(Query query, RecordTable records) {
        ViewIndex index = query.index();
        if (query.has(LID)) {
            int port = index.subnet().portOfLid(query.value(NodeRecord.LID));
            if (port != Fabric.NONE) {
                addIfMatching(query, port, records);
            }
            return MadStatus.OK;
        }
        for (int port : index.endports()) {
            if (records.isOverflown()) {
                break;
            }
            addIfMatching(query, port, records);
        }
        return MadStatus.OK;
    }

    private static void addIfMatching(Query query, int port, RecordTable records) {
        if (!query.maySee(port)) {
            return;
        }
        int at = records.next();
        write(query.index(), port, records.bytes(), at);
        if (NodeRecord.COMPONENTS.matches(query.mask() & ~LID, query.mad(), SaMad.DATA, records.bytes(), at)) {
            records.commit();
        }
    }

    private static void write(ViewIndex index, int port, byte[] record, int at) {
        Fabric fabric = index.fabric();
        Fabric.Node node = fabric.node(fabric.nodeOf(port));
        System.arraycopy(node.info().toBytes(), 0, record, at + NODE_INFO_AT, NODE_INFO_SIZE);
        NodeRecord.LID.set(record, at, index.subnet().lid(port));
        NodeRecord.PORT_GUID.set(record, at, fabric.portGuid(port));
        if (!fabric.isSwitch(fabric.nodeOf(port))) {
            NodeRecord.LOCAL_PORT_NUM.set(record, at, fabric.portNum(port));
        }
        NodeDescription.of(node.description()).write(record, at + NodeRecord.NODE_DESCRIPTION.offset() / Byte.SIZE);
    }
}
