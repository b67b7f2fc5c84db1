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
        return new Measured(request);
    }

    /** Answers a request with BUSY. */
    void refuseBusy(MadFrame request) {
        refuse(request, MadStatus.BUSY);
    }

    /** A reply that records its latency. */
    private final class Measured implements QueryReply {
        private final Request request;

        Measured(Request request) {
            this.request = request;
        }

        private void done() {
            statistics.took(request.frame().mad(), nowNs.getAsLong() - request.sinceNs());
        }

        @Override
        public void refuse(int status) {
            Responder.this.refuse(request.frame(), status);
            done();
        }

        @Override
        public void attribute(Attribute<?> value) {
            byte[] answer = SaMad.answer(request.frame().mad(), Method.GET_RESP, MadStatus.OK);
            value.write(answer, SaMad.DATA);
            send(request.frame(), answer);
            done();
        }

        @Override
        public void one(Query query, AttributeType<?> type, Search search) {
            answerOne(request.frame(), query, type, search);
            done();
        }

        @Override
        public void table(Query query, AttributeType<?> type, Search search) {
            answerTable(request.frame(), query, type, search);
            done();
        }

        @Override
        public void walk(Query query, AttributeType<?> type, Walk walk) {
            if (tables.takesParts()) {
                answerWalk(request, query, type, walk);
                done();
            } else {
                table(query, type, (asked, records) -> walk.go(records));
            }
        }

        @Override
        public void changed(int status, byte[] record) {
            answerChange(request.frame(), status, record);
            done();
        }
    }

    private void answerOne(MadFrame frame, Query query, AttributeType<?> type, QueryReply.Search search) {
        int size = type.layout().size();
        byte[] answer = SaMad.answer(frame.mad(), Method.GET_RESP, MadStatus.OK);
        RecordTable records = RecordTable.within(answer, SaMad.DATA, size);
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
            Arrays.fill(answer, SaMad.DATA + size, answer.length, (byte) 0);
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
        began(frame, tables.send(frame, header(frame.mad(), type, records), records.toBytes()));
    }

    private void answerWalk(Request request, Query query, AttributeType<?> type, QueryReply.Walk walk) {
        MadFrame frame = request.frame();
        if (isRepeated(frame)) {
            return;
        }
        RecordTable first = streams.part(type, Integer.MAX_VALUE);
        int status = walk.go(first);
        if (status != MadStatus.OK) {
            refuse(frame, status);
            return;
        }
        byte[] header = header(frame.mad(), type, first);
        began(
                frame,
                first.isOverflown()
                        ? streams.send(request, query, type, header, first, walk)
                        : tables.send(frame, header, first.toBytes()));
    }

    /** Checks whether a request is the repetition of one whose table is being sent; it then gets no second answer. */
    private boolean isRepeated(MadFrame frame) {
        boolean isRepeated = tables.sendAgain(frame.peer(), frame.mad());
        if (isRepeated) {
            statistics.dropped(frame.mad());
        }
        return isRepeated;
    }

    private static byte[] header(byte[] mad, AttributeType<?> type, RecordTable records) {
        byte[] header = SaMad.answer(mad, MadHeader.method(mad) | Method.RESPONSE, MadStatus.OK);
        MadHeader.ATTRIBUTE_ID.set(header, 0, type.id());
        SaMad.ATTRIBUTE_OFFSET.set(
                header, 0, records.count() == 0 ? 0 : type.layout().size() / Long.BYTES);
        return header;
    }

    /**
     * Counts a table whose transmission has begun; otherwise answers BUSY, because a bound of the sender is reached.
     */
    private void began(MadFrame frame, boolean hasBegun) {
        if (hasBegun) {
            statistics.answered(frame.mad(), MadStatus.OK);
        } else {
            statistics.busy(frame.mad());
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
        byte[] answer = SaMad.answer(mad, method, MadStatus.OK);
        SaMad.ATTRIBUTE_OFFSET.set(answer, 0, record.length / Long.BYTES);
        System.arraycopy(record, 0, answer, SaMad.DATA, record.length);
        send(frame, answer);
    }

    /**
     * Sends an error with the data of the request (IBA 13.4.7), never by RMPP. The answer to a GetMulti of
     * MultiPathRecord has the attribute PathRecord.
     */
    private void refuse(MadFrame frame, int status) {
        byte[] mad = frame.mad();
        byte[] answer = SaMad.answer(mad, MadHeader.method(mad) | Method.RESPONSE, status);
        if (MadHeader.method(mad) == Method.SET) {
            MadHeader.METHOD.set(answer, 0, Method.GET_RESP);
        } else if (MadHeader.method(mad) == Method.GET_MULTI
                && MadHeader.attributeId(mad) == MultiPathRecord.TYPE.id()) {
            MadHeader.ATTRIBUTE_ID.set(answer, 0, PathRecord.TYPE.id());
        }
        System.arraycopy(mad, SaMad.DATA, answer, SaMad.DATA, Math.min(SaMad.DATA_SIZE, mad.length - SaMad.DATA));
        send(frame, answer);
    }

    private void send(MadFrame request, byte[] answer) {
        statistics.answered(request.mad(), MadHeader.status(answer));
        out.accept(new MadFrame(request.peer(), answer));
    }
}
