package io.torussm.sa;

import io.torussm.mad.AttributeType;

/** Answers Get and GetTable of one record from a view. Stateless. */
interface RecordHandler {
    /** The record. */
    AttributeType<?> type();

    /**
     * Appends the records that match.
     *
     * @return the MAD status, {@link io.torussm.mad.MadStatus#OK} even if none match
     */
    int answer(Query query, RecordTable records);
}
