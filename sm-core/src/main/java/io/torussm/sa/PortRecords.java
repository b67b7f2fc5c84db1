package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.LinkRecord;
import io.torussm.mad.sa.PKeyTableRecord;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.partition.PortKeys;
import io.torussm.sa.query.Candidates;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.QueryReply;
import io.torussm.sa.query.RecordHandler;
import io.torussm.sa.query.RecordTable;
import io.torussm.sa.query.ViewIndex;

/** The sources of records of the cables and P_Key tables of ports. */
final class PortRecords {
    private static final long TO_LID = LinkRecord.COMPONENTS.bit(LinkRecord.TO_LID);

    private PortRecords() {}

    /** Returns the handler of LinkRecord (IBA 15.2.5.13): both directions of every cable whose ends have LIDs. */
    static RecordHandler links() {
        return new EndportRecords(LinkRecord.TYPE, LinkRecord.COMPONENTS, LinkRecord.FROM_LID, PortRecords::offerLinks);
    }

    private static void offerLinks(Query query, int endport, Candidates candidates) {
        ViewIndex index = query.index();
        Fabric fabric = index.fabric();
        for (int port = endport; port <= index.lastPortAt(endport); port++) {
            int far = fabric.peer(port);
            int farEnd = far == Fabric.NONE ? Fabric.NONE : index.endportOf(far);
            if (farEnd != Fabric.NONE && index.subnet().lid(farEnd) != 0 && query.maySee(farEnd)) {
                candidates
                        .begin()
                        .set(LinkRecord.FROM_LID, index.subnet().lid(endport))
                        .set(LinkRecord.FROM_PORT, fabric.portNum(port))
                        .set(LinkRecord.TO_LID, index.subnet().lid(farEnd))
                        .set(LinkRecord.TO_PORT, fabric.portNum(far));
                if (isNamed(query, farEnd) && candidates.matches(~TO_LID)) {
                    candidates.keep();
                }
            }
        }
    }

    /** Checks whether the far end port matches ToLID, which may be any LID of that port; true without ToLID. */
    private static boolean isNamed(Query query, int farEnd) {
        return !query.has(TO_LID) || query.index().subnet().portOfLid(query.value(LinkRecord.TO_LID)) == farEnd;
    }

    /**
     * Returns the handler of P_KeyTableRecord (IBA 15.2.5.11): the blocks with P_Keys of every port that has a table.
     * Only trusted requesters are served.
     */
    static RecordHandler pKeys() {
        RecordHandler all = new EndportRecords(
                PKeyTableRecord.TYPE, PKeyTableRecord.COMPONENTS, PKeyTableRecord.LID, PortRecords::offerPKeys);
        return new RecordHandler() {
            @Override
            public AttributeType<?> type() {
                return all.type();
            }

            @Override
            public int answer(Query query, RecordTable records) {
                return query.isTrusted() ? all.answer(query, records) : MadStatus.SA_REQ_INVALID;
            }

            @Override
            public void answerTable(Query query, QueryReply reply) {
                if (query.isTrusted()) {
                    all.answerTable(query, reply);
                } else {
                    reply.refuse(MadStatus.SA_REQ_INVALID);
                }
            }
        };
    }

    private static void offerPKeys(Query query, int endport, Candidates candidates) {
        ViewIndex index = query.index();
        for (int port = endport; port <= index.lastPortAt(endport); port++) {
            PortKeys table = index.view().partitions().table(port);
            for (int block = 0; table != null && block * PKeyTable.KEYS_PER_BLOCK < table.length(); block++) {
                candidates
                        .begin()
                        .set(PKeyTableRecord.LID, index.subnet().lid(endport))
                        .set(PKeyTableRecord.PORT_NUM, index.fabric().portNum(port))
                        .set(PKeyTableRecord.BLOCK_NUM, block)
                        .set(PKeyTableRecord.TABLE, table.block(block))
                        .offer();
            }
        }
    }
}
