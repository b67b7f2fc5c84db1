package io.torussm.sa;

import io.torussm.mad.Field;
import io.torussm.mad.sa.PortInfoRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sa.query.Candidates;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.RecordHandler;
import io.torussm.sa.query.ViewIndex;

/**
 * The source of PortInfoRecord (IBA 15.2.5.3): every port of a switch under the LID of the switch, and every end port
 * of other nodes. Secret components are cleared before the comparison, so that an untrusted requester cannot search
 * for them.
 */
final class PortInfoRecords {
    private static final long OPTIONS = PortInfoRecord.COMPONENTS.bit(PortInfoRecord.OPTIONS);
    private static final Field M_KEY = PortInfoRecord.field(PortInfo.M_KEY);
    private static final Field CAPABILITY_MASK = PortInfoRecord.field(PortInfo.CAPABILITY_MASK);
    private static final Field CAPABILITY_MASK2 = PortInfoRecord.field(PortInfo.CAPABILITY_MASK2);
    private static final Field SPEED_ACTIVE = PortInfoRecord.field(PortInfo.LINK_SPEED_ACTIVE);
    private static final Field SPEED_ENABLED = PortInfoRecord.field(PortInfo.LINK_SPEED_ENABLED);
    private static final Field SPEED_EXT_ACTIVE = PortInfoRecord.field(PortInfo.LINK_SPEED_EXT_ACTIVE);
    private static final Field SPEED_EXT_ACTIVE2 = PortInfoRecord.field(PortInfo.LINK_SPEED_EXT_ACTIVE2);
    private static final long CAPABILITY_BIT = PortInfoRecord.COMPONENTS.bit(CAPABILITY_MASK);
    private static final long CAPABILITY2_BIT = PortInfoRecord.COMPONENTS.bit(CAPABILITY_MASK2);

    /** The bit of Options by which the requester declares support of extended speeds. */
    private static final int KNOWS_EXTENDED_SPEEDS = 0x80;

    private static final int SPEED_QDR = 4;

    private PortInfoRecords() {}

    static RecordHandler handler() {
        return new EndportRecords(
                PortInfoRecord.TYPE, PortInfoRecord.COMPONENTS, PortInfoRecord.ENDPORT_LID, PortInfoRecords::offer);
    }

    private static void offer(Query query, int endport, Candidates candidates) {
        ViewIndex index = query.index();
        for (int port = endport; port <= index.lastPortAt(endport); port++) {
            PortInfo info = index.fabric().portInfo(port);
            if (info != null) {
                candidates
                        .begin()
                        .set(PortInfoRecord.ENDPORT_LID, index.subnet().lid(endport))
                        .set(PortInfoRecord.PORT_NUM, index.fabric().portNum(port))
                        .write(
                                info,
                                PortInfoRecord.PORT_INFO_OFFSET,
                                PortInfo.TYPE.layout().size());
                if (query.has(OPTIONS)) {
                    candidates.set(PortInfoRecord.OPTIONS, query.value(PortInfoRecord.OPTIONS));
                }
                adapt(query, candidates);
                if (matches(query, candidates)) {
                    candidates.keep();
                }
            }
        }
    }

    /**
     * Clears M_Key for an untrusted requester. To a requester without support of extended speeds, a port with such a
     * speed is shown as QDR.
     */
    private static void adapt(Query query, Candidates record) {
        if (!query.isTrusted()) {
            record.set(M_KEY, 0);
        }
        boolean knowsExtended =
                query.has(OPTIONS) && (query.value(PortInfoRecord.OPTIONS) & KNOWS_EXTENDED_SPEEDS) != 0;
        if (!knowsExtended && (record.get(SPEED_EXT_ACTIVE) | record.get(SPEED_EXT_ACTIVE2)) != 0) {
            record.set(SPEED_ACTIVE, SPEED_QDR).set(SPEED_ENABLED, record.get(SPEED_ENABLED) | SPEED_QDR);
        }
    }

    /**
     * Checks whether a record matches. Options is not compared, because it describes the requester. If the
     * AttributeModifier requests it, a record matches if its capability masks contain the requested bits.
     */
    private static boolean matches(Query query, Candidates record) {
        return (query.attributeModifier() & PortInfoRecord.MATCH_BY_CONTAINMENT) == 0
                ? record.matches(~OPTIONS)
                : contains(query, CAPABILITY_BIT, CAPABILITY_MASK, record)
                        && contains(query, CAPABILITY2_BIT, CAPABILITY_MASK2, record)
                        && record.matches(~(OPTIONS | CAPABILITY_BIT | CAPABILITY2_BIT));
    }

    private static boolean contains(Query query, long bit, Field field, Candidates record) {
        long wanted = field.get(query.mad(), SaMad.DATA_OFFSET);
        return !query.has(bit) || (record.get(field) & wanted) == wanted;
    }
}
