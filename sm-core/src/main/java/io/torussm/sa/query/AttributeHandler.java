package io.torussm.sa.query;

import io.torussm.mad.AttributeType;

/** Serves every method that the SA has for one attribute. Stateless; called on several threads at once. */
public interface AttributeHandler {
    /** Returns the attribute that requests name. */
    AttributeType<?> type();

    /**
     * Checks whether an answer may take long, so that it must not delay short ones; called on the transport's
     * thread.
     */
    default boolean isLarge(byte[] mad) {
        return false;
    }

    /**
     * Checks whether a few look-ups answer it, which cost less than waking a thread; called on the
     * transport's thread.
     *
     * @param lmc the highest of the subnet: a port has at most 2^LMC LIDs
     */
    default boolean isBrief(byte[] mad, int lmc) {
        return false;
    }

    /**
     * Answers a request, by one call of one method of the reply; now or, if state is changed first, later.
     *
     * @param query query of any method
     */
    void serve(Query query, QueryReply reply);
}
