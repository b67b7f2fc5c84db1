package io.torussm.sa.query;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;

/**
 * The answer to one request: exactly one of these methods is called, once. It is sent, counted and measured. Any
 * thread.
 */
public interface QueryReply {
    /** Finds the records of an answer. */
    interface Search {
        /**
         * Appends the records that match; may stop as soon as the table has overflown.
         *
         * @return the MAD status, {@link io.torussm.mad.MadStatus#OK} even if none match
         */
        int answer(Query query, RecordTable records);
    }

    /**
     * Finds the records of an answer table by table. Used by one thread at a time; all it says is of the view that it
     * began with.
     */
    interface Walk {
        /**
         * Appends the records that come next. Those that overflow the table, and all after them, are for the next call;
         * if none do, there are no more.
         *
         * @return the MAD status; after any but {@link io.torussm.mad.MadStatus#OK} there are no more
         */
        int go(RecordTable records);
    }

    /** Refuses the request with a MAD status; the answer carries the request's own data (IBA 13.4.7). */
    void refuse(int status);

    /** Answers Get by an attribute that is no record and therefore has no AttributeOffset. */
    void attribute(Attribute<?> value);

    /** Answers Get by the one record that a search finds; none, or several, are an error (IBA 15.4.4). */
    void one(Query query, AttributeType<?> type, Search search);

    /**
     * Answers with all records of a search, by RMPP even if they fit one segment.
     *
     * @param type type of the records in the answer, which may differ from that of the request
     */
    void table(Query query, AttributeType<?> type, Search search);

    /**
     * Answers like {@link #table} by all records that a walk finds, however many: they are found while they are sent.
     * If it fails on the way, the receiver does not get the table.
     */
    void walk(Query query, AttributeType<?> type, Walk walk);

    /**
     * Answers Set or Delete.
     *
     * @param record the current record, or the deleted one, if the status is OK
     */
    void changed(int status, byte[] record);
}
