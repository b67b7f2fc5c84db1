package io.torussm.sa.query;

import io.torussm.mad.Method;

/** The handler of a record that also serves Set and Delete, which change state. */
public interface ChangingHandler extends RecordHandler {

    /** The consumer of the outcome of a change. */
    interface Answer {
        /**
         * Receives the outcome; called once, on any thread.
         *
         * @param status MAD status
         * @param record bytes of the record in the answer, if the status is OK
         */
        void complete(int status, byte[] record);
    }

    /** Submits a change, which may be made and answered later. */
    void change(Query query, Answer answer);

    @Override
    default void serve(Query query, QueryReply reply) {
        switch (query.method()) {
            case Method.SET, Method.DELETE -> change(query, reply::sendChange);
            default -> RecordHandler.super.serve(query, reply);
        }
    }
}
