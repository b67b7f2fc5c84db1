package io.torussm.sa.query;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;

/** Answers Get and GetTable of one record from a view. */
public interface RecordHandler extends AttributeHandler, QueryReply.Search {
    /** Checks whether even one record may take long to find, as for a request of several records. */
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
            case Method.GET -> reply.one(query, type(), this);
            case Method.GET_TABLE -> table(query, reply);
            default -> reply.refuse(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        }
    }

    /** Answers GetTable: all at once, unless a handler can do it bit by bit. */
    default void table(Query query, QueryReply reply) {
        reply.table(query, type(), this);
    }
}
