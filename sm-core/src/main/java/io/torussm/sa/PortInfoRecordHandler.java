package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.PortInfoRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.PortInfo;

/**
 * PortInfoRecord (IBA 15.2.5.3): every port of a switch under the switch's LID, and every end port of other nodes. A LID
 * may be any of the port's. What an untrusted requester may not see is also what it cannot search for.
 */
final class PortInfoRecordHandler implements RecordHandler {
    private static final long ENDPORT_LID = PortInfoRecord.COMPONENTS.bit(PortInfoRecord.ENDPORT_LID);
    private static final long OPTIONS = PortInfoRecord.COMPONENTS.bit(PortInfoRecord.OPTIONS);
    private static final Field M_KEY = PortInfoRecord.field(PortInfo.M_KEY);
    private static final Field CAPABILITY_MASK = PortInfoRecord.field(PortInfo.CAPABILITY_MASK);
    private static final Field CAPABILITY_MASK2 = PortInfoRecord.field(PortInfo.CAPABILITY_MASK2);
    private static final Field SPEED_ACTIVE = PortInfoRecord.field(PortInfo.LINK_SPEED_ACTIVE);
    private static final Field SPEED_ENABLED = PortInfoRecord.field(PortInfo.LINK_SPEED_ENABLED);
    private static final Field SPEED_EXT_ACTIVE = PortInfoRecord.field(PortInfo.LINK_SPEED_EXT_ACTIVE);
    private static final long CAPABILITY_BIT = PortInfoRecord.COMPONENTS.bit(CAPABILITY_MASK);
    private static final long CAPABILITY2_BIT = PortInfoRecord.COMPONENTS.bit(CAPABILITY_MASK2);

    /** Options: the requester understands extended speeds. */
    private static final int KNOWS_EXTENDED_SPEEDS = 0x80;

    private static final int SPEED_QDR = 4;

    @Override
    public AttributeType<?> type() {
        return PortInfoRecord.TYPE;
    }

    @Override
    public int answer(Query query, RecordTable records) {
        ViewIndex index = query.index();
        if (query.has(ENDPORT_LID)) {
            int port = index.subnet().portOfLid(query.value(PortInfoRecord.ENDPORT_LID));
            if (port != Fabric.NONE) {
                addPortsOf(query, port, records);
            }
            return MadStatus.OK;
        }
        for (int port : index.endports()) {
            if (records.isOverflown()) {
                break;
            }
            addPortsOf(query, port, records);
        }
        return MadStatus.OK;
    }

    private static void addPortsOf(Query query, int endport, RecordTable records) {
        if (!query.maySee(endport)) {
            return;
        }
        Fabric fabric = query.index().fabric();
        int node = fabric.nodeOf(endport);
        int lid = query.index().subnet().lid(endport);
        int last = fabric.isSwitch(node) ? fabric.port(node, fabric.numPorts(node)) : endport;
        for (int port = endport; port <= last; port++) {
            PortInfo info = fabric.portInfo(port);
            if (info != null) {
                int at = records.next();
                write(query, lid, fabric.portNum(port), info, records.bytes(), at);
                if (matches(query, records.bytes(), at)) {
                    records.commit();
                }
            }
        }
    }

    private static void write(Query query, int lid, int portNum, PortInfo info, byte[] record, int at) {
        PortInfoRecord.ENDPORT_LID.set(record, at, lid);
        PortInfoRecord.PORT_NUM.set(record, at, portNum);
        info.write(record, at + PortInfoRecord.PORT_INFO);
        if (!query.isTrusted()) {
            M_KEY.set(record, at, 0);
        }
        boolean knowsExtended =
                query.has(OPTIONS) && (query.value(PortInfoRecord.OPTIONS) & KNOWS_EXTENDED_SPEEDS) != 0;
        if (!knowsExtended && SPEED_EXT_ACTIVE.get(record, at) != 0) {
            SPEED_ACTIVE.set(record, at, SPEED_QDR);
            SPEED_ENABLED.set(record, at, SPEED_ENABLED.get(record, at) | SPEED_QDR);
        }
    }

    /** Options tell of the requester, so they select nothing; capabilities may be asked for by containment. */
    private static boolean matches(Query query, byte[] record, int at) {
        long mask = query.mask() & ~(ENDPORT_LID | OPTIONS);
        if ((query.attributeModifier() & PortInfoRecord.MATCH_BY_CONTAINMENT) != 0) {
            if (!contains(query, CAPABILITY_BIT, CAPABILITY_MASK, record, at)
                    || !contains(query, CAPABILITY2_BIT, CAPABILITY_MASK2, record, at)) {
                return false;
            }
            mask &= ~(CAPABILITY_BIT | CAPABILITY2_BIT);
        }
        return PortInfoRecord.COMPONENTS.matches(mask, query.mad(), SaMad.DATA, record, at);
    }

    private static boolean contains(Query query, long bit, Field field, byte[] record, int at) {
        long wanted = field.get(query.mad(), SaMad.DATA);
        return !query.has(bit) || (field.get(record, at) & wanted) == wanted;
    }
}
