package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.sa.query.Candidates;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.QueryReply;
import io.torussm.sa.query.RecordHandler;
import io.torussm.sa.query.RecordTable;
import io.torussm.sa.query.ViewIndex;

/**
 * The handler of records of end ports, which contain the LID of the end port. The end port of a switch is its port 0.
 * The handler checks whether the requester may see an end port, finds an end port by any of its LIDs, and compares
 * records under the component mask. A {@link Source} only writes the fields.
 */
final class EndportRecords implements RecordHandler {
    private final AttributeType<?> type;
    private final ComponentMask components;
    private final long lid;
    private final Field lidField;
    private final Source source;

    /** The source of the records of one attribute. */
    interface Source {
        /**
         * Offers all records of an end port; may stop as soon as no more are accepted.
         *
         * @param endport port index
         */
        void offer(Query query, int endport, Candidates candidates);
    }

    EndportRecords(AttributeType<?> type, ComponentMask components, Field lidField, Source source) {
        this.type = type;
        this.components = components;
        this.lidField = lidField;
        this.lid = components.bit(lidField);
        this.source = source;
    }

    @Override
    public AttributeType<?> type() {
        return type;
    }

    @Override
    public int answer(Query query, RecordTable records) {
        return new EndportWalk(query).appendNext(records);
    }

    @Override
    public void answerTable(Query query, QueryReply reply) {
        reply.sendWalk(query, type, new EndportWalk(query));
    }

    /** The enumeration of end ports, and of the records of each. */
    private final class EndportWalk implements QueryReply.Walk {
        private final Query query;
        private final int[] endports;

        /** Index in {@link #endports} of the end port whose records are next. */
        private int nextIndex;

        /** Number of records of this end port that earlier parts of the table contain. */
        private int sentRecords;

        EndportWalk(Query query) {
            this.query = query;
            ViewIndex index = query.index();
            int namedPort = query.has(lid) ? index.subnet().portOfLid(query.value(lidField)) : Fabric.NONE;
            this.endports =
                    !query.has(lid) ? index.endports() : namedPort == Fabric.NONE ? new int[0] : new int[] {namedPort};
        }

        @Override
        public int appendNext(RecordTable records) {
            Candidates candidates = new Candidates(query, components, query.mask() & ~lid, records);
            for (; nextIndex < endports.length; nextIndex++) {
                int before = records.count();
                records.skip(sentRecords);
                if (query.maySee(endports[nextIndex])) {
                    source.offer(query, endports[nextIndex], candidates);
                }
                if (candidates.isFull()) {
                    sentRecords += records.count() - before;
                    break;
                }
                sentRecords = 0;
            }
            return MadStatus.OK;
        }
    }
}
