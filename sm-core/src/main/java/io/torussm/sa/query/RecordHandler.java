package io.torussm.sa.query;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;

/** The handler of a record that serves Get and GetTable from a view. */
public interface RecordHandler extends AttributeHandler, QueryReply.Search {
    /** Checks whether the search for even one record (Get) may take long. */
    default boolean isLongSearch(byte[] mad) {
        return false;
    }

    @Override
    default boolean isLarge(byte[] mad) {
        return switch (MadHeader.method(mad)) {
            case Method.GET_TABLE, Method.GET_TRACE_TABLE, Method.GET_MULTI -> true;
            case Method.GET -> isLongSearch(mad);
            default -> false;
        };
    }

    @Override
    default void serve(Query query, QueryReply reply) {
        switch (query.method()) {
            case Method.GET -> reply.sendRecord(query, type(), this);
            case Method.GET_TABLE -> answerTable(query, reply);
            default -> reply.refuse(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        }
    }

    /** Answers GetTable. This computes all records first; a handler may override it to compute them in parts. */
    default void answerTable(Query query, QueryReply reply) {
        reply.sendTable(query, type(), this);
    }
}
