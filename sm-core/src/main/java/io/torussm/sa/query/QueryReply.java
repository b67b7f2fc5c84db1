package io.torussm.sa.query;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;

/**
 * The answer to one request. Exactly one of these methods is called, once, on any thread. The answer is sent and
 * counted, and its latency recorded.
 */
public interface QueryReply {
    /** The search for the records of an answer. */
    interface Search {
        /**
         * Appends the records that match; may stop as soon as the table has overflown.
         *
         * @return MAD status; {@link io.torussm.mad.MadStatus#OK} also if no record matches
         */
        int answer(Query query, RecordTable records);
    }

    /**
     * The search for the records of an answer in parts. One thread at a time uses it. All records are from the view
     * with which it began.
     */
    interface Walk {
        /**
         * Appends the next records that match. If the table overflows, the next call continues with the first record
         * that had no room; otherwise there are no more records.
         *
         * @return MAD status; if it is not {@link io.torussm.mad.MadStatus#OK}, there are no more records
         */
        int appendNext(RecordTable records);
    }

    /** Refuses the request with a MAD status. The answer contains the data of the request (IBA 13.4.7). */
    void refuse(int status);

    /** Answers Get with an attribute that is no record and therefore has no AttributeOffset. */
    void sendAttribute(Attribute<?> value);

    /** Answers Get with the only record that a search finds; no record, or several, is an error (IBA 15.4.4). */
    void sendRecord(Query query, AttributeType<?> type, Search search);

    /**
     * Answers with all records of a search, by RMPP even if they fit one segment.
     *
     * @param type type of the records in the answer, which may differ from that of the request
     */
    void sendTable(Query query, AttributeType<?> type, Search search);

    /**
     * Answers with all records of a walk, without a limit of their number, because they are computed while they are
     * sent. If the walk fails after the first part, the transfer is aborted.
     *
     * @param type type of the records in the answer
     */
    void sendWalk(Query query, AttributeType<?> type, Walk walk);

    /**
     * Answers Set or Delete.
     *
     * @param status MAD status
     * @param record bytes of the present record, or of the deleted one, if the status is OK; ignored otherwise
     */
    void sendChange(int status, byte[] record);
}
