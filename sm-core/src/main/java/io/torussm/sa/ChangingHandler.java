package io.torussm.sa;

/** Changes state by Set and Delete of one record, besides answering queries for it. */
interface ChangingHandler extends RecordHandler {

    /** Takes the outcome of a change. */
    interface Answer {
        /**
         * Called once, on any thread.
         *
         * @param status a MAD status
         * @param record the record to answer with if the status is OK
         */
        void give(int status, byte[] record);
    }

    /** Asks for a change; it may be made, and answered, later. */
    void change(Query query, Answer answer);
}
