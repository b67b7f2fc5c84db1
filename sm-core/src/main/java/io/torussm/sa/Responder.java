package io.torussm.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MultiPathRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.QueryReply;
import io.torussm.sa.query.RecordTable;
import io.torussm.transport.MadFrame;
import io.torussm.transport.rmpp.RmppSender;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The sender of answers: makes their MADs, sends and counts them, and records their latencies. Thread-safe.
 */
final class Responder {
    private final Consumer<MadFrame> out;
    private final RmppSender tables;
    private final StreamedTables streams;
    private final int maxTableBytes;
    private final RequestStatistics statistics;
    private final LongSupplier nowNs;

    /**
     * Creates a responder.
     *
     * @param out sends a MAD
     * @param tables sends tables by RMPP
     * @param streams sends tables that are computed in parts while they are sent
     * @param maxTableBytes max size of the records of a table that is computed before it is sent; a larger answer is
     *     refused with NO_RESOURCES
     * @param nowNs clock of {@link Request#sinceNs}
     */
    Responder(
            Consumer<MadFrame> out,
            RmppSender tables,
            StreamedTables streams,
            int maxTableBytes,
            RequestStatistics statistics,
            LongSupplier nowNs) {
        this.out = out;
        this.tables = tables;
        this.streams = streams;
        this.maxTableBytes = maxTableBytes;
        this.statistics = statistics;
        this.nowNs = nowNs;
    }

    /** Returns the reply to a request. */
    QueryReply to(Request request) {
        return new MeasuredReply(request);
    }

    /** Answers a request with BUSY. */
    void refuseBusy(MadFrame request) {
        refuse(request, MadStatus.BUSY);
    }

    /** A reply that records its latency. */
    private final class MeasuredReply implements QueryReply {
        private final Request request;

        MeasuredReply(Request request) {
            this.request = request;
        }

        private void recordLatency() {
            statistics.addLatency(request.frame().mad(), nowNs.getAsLong() - request.sinceNs());
        }

        @Override
        public void refuse(int status) {
            Responder.this.refuse(request.frame(), status);
            recordLatency();
        }

        @Override
        public void sendAttribute(Attribute<?> value) {
            byte[] answer = SaMad.response(request.frame().mad(), Method.GET_RESP, MadStatus.OK);
            value.write(answer, SaMad.DATA_OFFSET);
            send(request.frame(), answer);
            recordLatency();
        }

        @Override
        public void sendRecord(Query query, AttributeType<?> type, Search search) {
            answerOne(request.frame(), query, type, search);
            recordLatency();
        }

        @Override
        public void sendTable(Query query, AttributeType<?> type, Search search) {
            answerTable(request.frame(), query, type, search);
            recordLatency();
        }

        @Override
        public void sendWalk(Query query, AttributeType<?> type, Walk walk) {
            if (tables.supportsParts()) {
                answerWalk(request, query, type, walk);
                recordLatency();
            } else {
                sendTable(query, type, (asked, records) -> walk.appendNext(records));
            }
        }

        @Override
        public void sendChange(int status, byte[] record) {
            answerChange(request.frame(), status, record);
            recordLatency();
        }
    }

    private void answerOne(MadFrame frame, Query query, AttributeType<?> type, QueryReply.Search search) {
        int size = type.layout().size();
        byte[] answer = SaMad.response(frame.mad(), Method.GET_RESP, MadStatus.OK);
        RecordTable records = RecordTable.within(answer, SaMad.DATA_OFFSET, size);
        int status = search.answer(query, records);
        if (status != MadStatus.OK) {
            refuse(frame, status);
        } else if (records.isOverflown()) {
            refuse(frame, MadStatus.SA_TOO_MANY_RECORDS);
        } else if (records.count() == 0) {
            refuse(frame, MadStatus.SA_NO_RECORDS);
        } else {
            SaMad.ATTRIBUTE_OFFSET.set(answer, 0, size / Long.BYTES);
            // The search wrote records that did not match behind the one that did.
            Arrays.fill(answer, SaMad.DATA_OFFSET + size, answer.length, (byte) 0);
            send(frame, answer);
        }
    }

    private void answerTable(MadFrame frame, Query query, AttributeType<?> type, QueryReply.Search search) {
        if (isRepeated(frame)) {
            return;
        }
        RecordTable records = new RecordTable(
                type.layout().size(), maxTableBytes / type.layout().size());
        int status = search.answer(query, records);
        if (status != MadStatus.OK || records.isOverflown()) {
            refuse(frame, status != MadStatus.OK ? status : MadStatus.SA_NO_RESOURCES);
            return;
        }
        countTableOrRefuse(frame, tables.send(frame, header(frame.mad(), type, records), records.toBytes()));
    }

    private void answerWalk(Request request, Query query, AttributeType<?> type, QueryReply.Walk walk) {
        MadFrame frame = request.frame();
        if (isRepeated(frame)) {
            return;
        }
        RecordTable first = streams.part(type, Integer.MAX_VALUE);
        int status = walk.appendNext(first);
        if (status != MadStatus.OK) {
            refuse(frame, status);
            return;
        }
        byte[] header = header(frame.mad(), type, first);
        countTableOrRefuse(
                frame,
                first.isOverflown()
                        ? streams.send(request, query, type, header, first, walk)
                        : tables.send(frame, header, first.toBytes()));
    }

    /** Checks whether a request is the repetition of one whose table is being sent; it then gets no second answer. */
    private boolean isRepeated(MadFrame frame) {
        boolean isRepeated = tables.sendAgain(frame.peer(), frame.mad());
        if (isRepeated) {
            statistics.countDropped(frame.mad());
        }
        return isRepeated;
    }

    private static byte[] header(byte[] mad, AttributeType<?> type, RecordTable records) {
        byte[] header = SaMad.response(mad, MadHeader.method(mad) | Method.RESPONSE, MadStatus.OK);
        MadHeader.ATTRIBUTE_ID.set(header, 0, type.id());
        SaMad.ATTRIBUTE_OFFSET.set(
                header, 0, records.count() == 0 ? 0 : type.layout().size() / Long.BYTES);
        return header;
    }

    /**
     * Counts a table whose transmission has begun; otherwise answers BUSY, because a bound of the sender is reached.
     */
    private void countTableOrRefuse(MadFrame frame, boolean hasBegun) {
        if (hasBegun) {
            statistics.countAnswer(frame.mad(), MadStatus.OK);
        } else {
            statistics.countBusy(frame.mad());
            refuse(frame, MadStatus.BUSY);
        }
    }

    private void answerChange(MadFrame frame, int status, byte[] record) {
        if (status != MadStatus.OK) {
            refuse(frame, status);
            return;
        }
        byte[] mad = frame.mad();
        int method = MadHeader.method(mad) == Method.SET ? Method.GET_RESP : Method.DELETE_RESP;
        byte[] answer = SaMad.response(mad, method, MadStatus.OK);
        SaMad.ATTRIBUTE_OFFSET.set(answer, 0, record.length / Long.BYTES);
        System.arraycopy(record, 0, answer, SaMad.DATA_OFFSET, record.length);
        send(frame, answer);
    }

    /**
     * Sends an error with the data of the request (IBA 13.4.7), never by RMPP. The answer to a GetMulti of
     * MultiPathRecord has the attribute PathRecord.
     */
    private void refuse(MadFrame frame, int status) {
        byte[] mad = frame.mad();
        byte[] answer = SaMad.response(mad, MadHeader.method(mad) | Method.RESPONSE, status);
        if (MadHeader.method(mad) == Method.SET) {
            MadHeader.METHOD.set(answer, 0, Method.GET_RESP);
        } else if (MadHeader.method(mad) == Method.GET_MULTI
                && MadHeader.attributeId(mad) == MultiPathRecord.TYPE.id()) {
            MadHeader.ATTRIBUTE_ID.set(answer, 0, PathRecord.TYPE.id());
        }
        System.arraycopy(
                mad,
                SaMad.DATA_OFFSET,
                answer,
                SaMad.DATA_OFFSET,
                Math.min(SaMad.DATA_SIZE, mad.length - SaMad.DATA_OFFSET));
        send(frame, answer);
    }

    private void send(MadFrame request, byte[] answer) {
        statistics.countAnswer(request.mad(), MadHeader.status(answer));
        out.accept(new MadFrame(request.peer(), answer));
    }
}
