package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.NodeDescription;

/** NodeRecord (IBA 15.2.5.2): one for each end port; of a switch, its port 0. */
final class NodeRecordHandler implements RecordHandler {
    private static final int NODE_INFO = 4;
    private static final int NODE_INFO_SIZE = 40;

    @Override
    public AttributeType<?> type() {
        return NodeRecord.TYPE;
    }

    @Override
    public int answer(Query query, RecordTable records) {
        ViewIndex index = query.index();
        if (query.has(NodeRecord.TYPE.layout(), NodeRecord.LID)) {
            int port = index.subnet().portOfLid((int) query.value(NodeRecord.LID));
            if (port != Fabric.NONE) {
                addIfMatching(query, port, records);
            }
            return MadStatus.OK;
        }
        for (int port : index.endports()) {
            if (records.isFull()) {
                break;
            }
            addIfMatching(query, port, records);
        }
        return MadStatus.OK;
    }

    private static void addIfMatching(Query query, int port, RecordTable records) {
        byte[] candidate = recordOf(query.index(), port);
        if (ComponentMask.matches(NodeRecord.TYPE.layout(), query.mask(), query.mad(), SaMad.DATA, candidate)) {
            records.add(candidate);
        }
    }

    private static byte[] recordOf(ViewIndex index, int port) {
        Fabric fabric = index.fabric();
        Fabric.Node node = fabric.node(fabric.nodeOf(port));
        byte[] bytes = new byte[NodeRecord.TYPE.layout().size()];
        System.arraycopy(node.info().toBytes(), 0, bytes, NODE_INFO, NODE_INFO_SIZE);
        NodeRecord.LID.set(bytes, 0, index.subnet().lid(port));
        NodeRecord.PORT_GUID.set(bytes, 0, fabric.portGuid(port));
        if (!fabric.isSwitch(fabric.nodeOf(port))) {
            NodeRecord.LOCAL_PORT_NUM.set(bytes, 0, fabric.portNum(port));
        }
        NodeDescription.of(node.description()).write(bytes, NodeRecord.NODE_DESCRIPTION.offset() / Byte.SIZE);
        return bytes;
    }
}
