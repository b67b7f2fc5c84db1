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
 * Tables that are computed in parts while they are sent. The next part is computed when the receiver has
 * acknowledged enough of the previous ones, in a turn of its own in the queue of the SA. All parts are from
 * the view with which the table began; that view stays in memory meanwhile.
 *
 * <p>Bounds: {@link RmppSender} limits the bytes, and thus the number of tables, and ends each in time.
 * Tables use at most {@link #OLD_VIEWS} earlier views. If another one is added, the tables of the oldest view
 * end by an ABORT. Any thread.
 */
final class StreamedTables {
    /** A view of a large subnet has some hundred megabytes, unless it shares tables with the next one. */
    static final int OLD_VIEWS = 2;

    private final RmppSender tables;
    private final int partBytes;
    private final Predicate<Request> queue;
    private final AtomicLong begunTables = new AtomicLong();

    /**
     * Starts without tables.
     *
     * @param partBytes number of bytes of the longest part
     * @param queue queues the next part of a table; returns whether there is room
     */
    StreamedTables(RmppSender tables, int partBytes, Predicate<Request> queue) {
        this.tables = tables;
        this.partBytes = partBytes;
        this.queue = queue;
    }

    /** Returns an empty part with a limit of bytes. */
    RecordTable part(AttributeType<?> type, int maxBytes) {
        int size = type.layout().size();
        return new RecordTable(size, Math.max(1, Math.min(partBytes, maxBytes) / size));
    }

    /** Begins a table that is longer than its first part; returns false if a bound is reached. */
    boolean send(
            Request request,
            Query query,
            AttributeType<?> type,
            byte[] header,
            RecordTable first,
            QueryReply.Walk walk) {
        Stream rest = new Stream(request, query.index(), type, walk, begunTables.incrementAndGet());
        return tables.send(request.frame(), header, first.toBytes(), rest);
    }

    /** Ends the tables of views that are older than the limit allows beside the current one. */
    void limit(@Nullable PublishedView current) {
        Map<ViewIndex, List<Stream>> byView = new LinkedHashMap<>();
        tables.unfinished().stream()
                .filter(Stream.class::isInstance)
                .map(Stream.class::cast)
                .filter(stream -> !stream.index.view().equals(current))
                .sorted((one, other) -> Long.compare(one.number, other.number))
                .forEach(stream -> byView.computeIfAbsent(stream.index, any -> new ArrayList<>())
                        .add(stream));
        byView.values().stream()
                .limit(Math.max(0, byView.size() - OLD_VIEWS))
                .forEach(oldest -> oldest.forEach(tables::giveUp));
    }

    /** The rest of one table. */
    private final class Stream implements RmppSender.Rest {
        final ViewIndex index;
        final long number;
        private final Request request;
        private final AttributeType<?> type;
        private final QueryReply.Walk walk;

        Stream(Request request, ViewIndex index, AttributeType<?> type, QueryReply.Walk walk, long number) {
            this.request = request;
            this.index = index;
            this.type = type;
            this.walk = walk;
            this.number = number;
        }

        @Override
        public void next(int maxBytes, RmppSender.Taker taker) {
            if (!queue.test(request.part(() -> find(maxBytes, taker)))) {
                taker.giveUp();
            }
        }

        /**
         * Computes the next part. Even after an exception the transfer is ended, so that the receiver does
         * not wait in vain.
         */
        private void find(int maxBytes, RmppSender.Taker taker) {
            RecordTable part = part(type, maxBytes);
            boolean isFound = false;
            try {
                isFound = walk.go(part) == MadStatus.OK;
            } finally {
                if (isFound) {
                    taker.give(part.toBytes(), !part.isOverflown());
                } else {
                    taker.giveUp();
                }
            }
        }
    }
}
