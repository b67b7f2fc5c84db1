package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.sa.query.Candidates;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.RecordHandler;
import io.torussm.sa.query.RecordTable;
import io.torussm.sa.query.ViewIndex;

/**
 * Records of what is at an end port, or at the switch whose port 0 it is, with the LID of the end port in each of them. The
 * one mechanism of all queries for them: who may see an end port, the look-up by LID, and the comparison under the
 * component mask. A LID may be any of the port's.
 */
final class EndportRecords implements RecordHandler {
    private final AttributeType<?> type;
    private final ComponentMask components;
    private final long lid;
    private final Field lidField;
    private final Source source;

    /** Knows the records of one kind. */
    interface Source {
        /** Offers all records of an end port; may stop as soon as no more are wanted. */
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
        ViewIndex index = query.index();
        Candidates candidates = new Candidates(query, components, query.mask() & ~lid, records);
        if (query.has(lid)) {
            int port = index.subnet().portOfLid(query.value(lidField));
            if (port != Fabric.NONE && query.maySee(port)) {
                source.offer(query, port, candidates);
            }
            return MadStatus.OK;
        }
        for (int port : index.endports()) {
            if (candidates.isEnough()) {
                break;
            }
            if (query.maySee(port)) {
                source.offer(query, port, candidates);
            }
        }
        return MadStatus.OK;
    }
}
