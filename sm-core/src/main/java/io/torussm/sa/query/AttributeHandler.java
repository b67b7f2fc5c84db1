package io.torussm.sa.query;

import io.torussm.mad.AttributeType;

/**
 * The handler of all methods that the SA serves for one attribute. Implementations have no state; they are called on
 * several threads simultaneously.
 */
public interface AttributeHandler {
    /** Returns the attribute that requests name. */
    AttributeType<?> type();

    /**
     * Checks whether the answer to a request may take long, so that it must not delay short answers. Called on the
     * transport's thread.
     */
    default boolean isLarge(byte[] mad) {
        return false;
    }

    /**
     * Checks whether a few look-ups answer a request, which cost less than waking a thread. Called on the
     * transport's thread.
     *
     * @param lmc highest LMC of the subnet: a port has at most 2^LMC LIDs
     */
    default boolean isBrief(byte[] mad, int lmc) {
        return false;
    }

    /**
     * Answers a request by exactly one call of a method of the reply. If state is changed first, the call comes later.
     *
     * @param query request with any method
     */
    void serve(Query query, QueryReply reply);
}
