package io.torussm.sa;

import io.torussm.mad.AttributeType;
import io.torussm.mad.MadStatus;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.QueryReply;
import io.torussm.sa.query.RecordTable;
import io.torussm.sa.query.ViewIndex;
import io.torussm.transport.rmpp.RmppSender;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tables that are computed in parts while they are sent. When the receiver has acknowledged enough of the previous
 * parts, the next part is queued like a request of the SA. All parts are from the view with which the table began; that
 * view stays in memory meanwhile.
 *
 * <p>Bounds: {@link RmppSender} limits the bytes, and thus the number of tables, and ends each table in time.
 * Tables use at most {@link #MAX_OLD_VIEWS} earlier views. If another view is published, the tables of the oldest view
 * end by an ABORT. Thread-safe.
 */
final class StreamedTables {
    /**
     * Max number of earlier views in use. A view of a large subnet takes some hundred megabytes, unless it shares
     * tables with the next view.
     */
    static final int MAX_OLD_VIEWS = 2;

    private final RmppSender tables;
    private final int partBytes;
    private final Predicate<Request> queue;
    private final AtomicLong begunTables = new AtomicLong();

    /**
     * Creates a sender without tables.
     *
     * @param partBytes max size of a part in bytes
     * @param queue queues the next part of a table; returns whether there was room
     */
    StreamedTables(RmppSender tables, int partBytes, Predicate<Request> queue) {
        this.tables = tables;
        this.partBytes = partBytes;
        this.queue = queue;
    }

    /** Returns an empty part for at most {@code maxBytes} bytes, but at least one record. */
    RecordTable part(AttributeType<?> type, int maxBytes) {
        int size = type.layout().size();
        return new RecordTable(size, Math.max(1, Math.min(partBytes, maxBytes) / size));
    }

    /** Begins to send a table that is longer than its first part; returns false if a bound is reached. */
    boolean send(
            Request request,
            Query query,
            AttributeType<?> type,
            byte[] header,
            RecordTable first,
            QueryReply.Walk walk) {
        TableStream remainder = new TableStream(request, query.index(), type, walk, begunTables.incrementAndGet());
        return tables.send(request.frame(), header, first.toBytes(), remainder);
    }

    /**
     * Ends the tables of the oldest views, if more than {@link #MAX_OLD_VIEWS} views besides the current one are in
     * use.
     *
     * @param current the current view; null if there is none
     */
    void limit(@Nullable PublishedView current) {
        Map<ViewIndex, List<TableStream>> byView = new LinkedHashMap<>();
        tables.unfinishedSources().stream()
                .filter(TableStream.class::isInstance)
                .map(TableStream.class::cast)
                .filter(stream -> !stream.index.view().equals(current))
                .sorted((one, other) -> Long.compare(one.number, other.number))
                .forEach(stream -> byView.computeIfAbsent(stream.index, key -> new ArrayList<>())
                        .add(stream));
        byView.values().stream()
                .limit(Math.max(0, byView.size() - MAX_OLD_VIEWS))
                .forEach(oldest -> oldest.forEach(tables::giveUp));
    }

    /** The rest of a table, whose parts {@link RmppSender} requests. */
    private final class TableStream implements RmppSender.PartSource {
        final ViewIndex index;

        /** Number of the table in the order of their begins. */
        final long number;

        private final Request request;
        private final AttributeType<?> type;
        private final QueryReply.Walk walk;

        TableStream(Request request, ViewIndex index, AttributeType<?> type, QueryReply.Walk walk, long number) {
            this.request = request;
            this.index = index;
            this.type = type;
            this.walk = walk;
            this.number = number;
        }

        @Override
        public void requestNext(int maxBytes, RmppSender.PartReceiver taker) {
            if (!queue.test(request.part(() -> find(maxBytes, taker)))) {
                taker.giveUp();
            }
        }

        /**
         * Computes the next part. An exception also ends the transfer, so that the receiver does not wait until its
         * time-out.
         */
        private void find(int maxBytes, RmppSender.PartReceiver taker) {
            RecordTable part = part(type, maxBytes);
            boolean isFound = false;
            try {
                isFound = walk.appendNext(part) == MadStatus.OK;
            } finally {
                if (isFound) {
                    taker.supply(part.toBytes(), !part.isOverflown());
                } else {
                    taker.giveUp();
                }
            }
        }
    }
}
