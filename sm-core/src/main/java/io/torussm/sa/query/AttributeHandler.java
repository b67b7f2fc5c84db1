package io.torussm.sa.query;

import io.torussm.mad.AttributeType;

/** Serves every method that the SA has for one attribute. Stateless; called on several threads at once. */
public interface AttributeHandler {
    /** The attribute that requests name. */
    AttributeType<?> type();

    /** Whether the answer may take long, so that it must not keep small ones waiting; called on the transport's thread. */
    default boolean isLarge(byte[] mad) {
        return false;
    }

    /**
     * Whether a few look-ups answer it, which costs less than to wake a thread for it; called on the transport's thread.
     *
     * @param lmc the highest of the subnet: 2^LMC LIDs are at a port at most
     */
    default boolean isBrief(byte[] mad, int lmc) {
        return false;
    }

    /**
     * Answers a request, by one call of one method of the reply; now or, if state is changed first, later.
     *
     * @param query of any method
     */
    void serve(Query query, Reply reply);
}
