package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.PortInfoRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.PortInfo;

/** PortInfoRecord (IBA 15.2.5.3): every port of a switch under the switch's LID, and every end port of other nodes. */
final class PortInfoRecordHandler implements RecordHandler {
    private static final Layout LAYOUT = PortInfoRecord.TYPE.layout();
    private static final Field[] CAPABILITIES = {
        PortInfoRecord.field(PortInfo.CAPABILITY_MASK), PortInfoRecord.field(PortInfo.CAPABILITY_MASK2)
    };

    @Override
    public AttributeType<?> type() {
        return PortInfoRecord.TYPE;
    }

    @Override
    public int answer(Query query, RecordTable records) {
        ViewIndex index = query.index();
        if (query.has(LAYOUT, PortInfoRecord.ENDPORT_LID)) {
            int port = index.subnet().portOfLid((int) query.value(PortInfoRecord.ENDPORT_LID));
            if (port != Fabric.NONE) {
                addPortsOf(query, port, records);
            }
            return MadStatus.OK;
        }
        for (int port : index.endports()) {
            if (records.isFull()) {
                break;
            }
            addPortsOf(query, port, records);
        }
        return MadStatus.OK;
    }

    private static void addPortsOf(Query query, int endport, RecordTable records) {
        Fabric fabric = query.index().fabric();
        int node = fabric.nodeOf(endport);
        int lid = query.index().subnet().lid(endport);
        int last = fabric.isSwitch(node) ? fabric.port(node, fabric.numPorts(node)) : endport;
        for (int port = endport; port <= last; port++) {
            PortInfo info = fabric.portInfo(port);
            if (info != null) {
                addIfMatching(query, lid, fabric.portNum(port), info, records);
            }
        }
    }

    private static void addIfMatching(Query query, int lid, int portNum, PortInfo info, RecordTable records) {
        byte[] candidate = new byte[LAYOUT.size()];
        PortInfoRecord.ENDPORT_LID.set(candidate, 0, lid);
        PortInfoRecord.PORT_NUM.set(candidate, 0, portNum);
        info.write(candidate, PortInfoRecord.PORT_INFO);
        if (!query.isTrusted()) {
            PortInfoRecord.field(PortInfo.M_KEY).set(candidate, 0, 0);
        }
        PortInfoRecord.OPTIONS.set(candidate, 0, query.value(PortInfoRecord.OPTIONS));
        long mask = query.mask();
        if ((query.attributeModifier() & PortInfoRecord.MATCH_BY_CONTAINMENT) != 0) {
            for (Field capability : CAPABILITIES) {
                long bit = ComponentMask.of(LAYOUT, capability);
                long wanted = query.value(capability);
                if ((mask & bit) != 0 && (capability.get(candidate, 0) & wanted) != wanted) {
                    return;
                }
                mask &= ~bit;
            }
        }
        if (ComponentMask.matches(LAYOUT, mask, query.mad(), SaMad.DATA, candidate)) {
            PortInfoRecord.OPTIONS.set(candidate, 0, 0);
            records.add(candidate);
        }
    }
}
