package io.torussm.sa;

import io.torussm.mad.AttributeType;

/** Answers Get and GetTable of one record from a view. Stateless; called on several threads at once. */
interface RecordHandler {
    /** The record. */
    AttributeType<?> type();

    /**
     * Appends the records that match; may stop as soon as the table has overflown.
     *
     * @return the MAD status, {@link io.torussm.mad.MadStatus#OK} even if none match
     */
    int answer(Query query, RecordTable records);

    /** Whether even one record may take long to find, as for a request of several records. */
    default boolean isLarge(byte[] mad) {
        return false;
    }
}
