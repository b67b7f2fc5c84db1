package io.torussm.sa.query;

import io.torussm.mad.Method;

/** Changes state by Set and Delete of one record, besides answering queries for it. */
public interface ChangingHandler extends RecordHandler {

    /** Takes the outcome of a change. */
    interface Answer {
        /**
         * Gives the result; called once, on any thread.
         *
         * @param status a MAD status
         * @param record the record to answer with if the status is OK
         */
        void give(int status, byte[] record);
    }

    /** Asks for a change; it may be made, and answered, later. */
    void change(Query query, Answer answer);

    @Override
    default void serve(Query query, QueryReply reply) {
        switch (query.method()) {
            case Method.SET, Method.DELETE -> change(query, reply::changed);
            default -> RecordHandler.super.serve(query, reply);
        }
    }
}
