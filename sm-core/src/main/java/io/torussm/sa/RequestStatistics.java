package io.torussm.sa;

import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.transport.LatencyHistogram;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters and latencies of requests. There is a row for each served attribute and one for all other attributes,
 * and a column for each method and one for all other methods. So requests cannot enlarge it. Thread-safe.
 */
final class RequestStatistics {
    /** Names by {@link #column}. */
    private static final String[] METHODS = {
        "other", "Get", "Set", "GetTable", "GetTraceTable", "GetMulti", "Delete",
    };

    /** Number of buckets. Latencies below 2^n us are in bucket n or lower; the last has no upper bound (from 1 s). */
    static final int BUCKETS = 22;

    /** A microsecond of 1,024 ns. */
    private static final long UNIT_NS = 1 << 10;

    /** Names of statuses: by class-specific status (IBA 15.2.3), then BUSY and all others. */
    private static final String[] STATUSES = {
        "OK",
        "NO_RESOURCES",
        "REQ_INVALID",
        "NO_RECORDS",
        "TOO_MANY_RECORDS",
        "REQ_INVALID_GID",
        "REQ_INSUFFICIENT_COMPONENTS",
        "REQ_DENIED",
        "BUSY",
        "other",
    };

    private static final class Cell {
        final AtomicLongArray statuses = new AtomicLongArray(STATUSES.length);
        final LongAdder taken = new LongAdder();
        final LongAdder answered = new LongAdder();
        final LongAdder busy = new LongAdder();
        final LongAdder dropped = new LongAdder();
    }

    private static final class Row {
        final String name;
        final Cell[] cells = new Cell[METHODS.length];
        final LatencyHistogram latencies = new LatencyHistogram(UNIT_NS, BUCKETS);

        Row(String name) {
            this.name = name;
            for (int i = 0; i < cells.length; i++) {
                cells[i] = new Cell();
            }
        }
    }

    private record ServedRow(AttributeType<?> type, Row row) {}

    private final List<Row> rows = new ArrayList<>();
    private final Row others = new Row("other");
    private final AttributeIndex<ServedRow> servedRows;

    /** Creates counters that are 0. */
    RequestStatistics(Collection<? extends AttributeType<?>> served) {
        List<ServedRow> all = new ArrayList<>();
        for (AttributeType<?> type : served) {
            Row row = new Row(type.layout().name());
            rows.add(row);
            all.add(new ServedRow(type, row));
        }
        servedRows = new AttributeIndex<>(all, ServedRow::type);
        rows.add(others);
    }

    /** Counts a request, and its disposition. */
    void countTaken(byte[] mad, RequestQueue.Disposition disposition) {
        Cell cell = cell(mad);
        cell.taken.increment();
        switch (disposition) {
            case WAITS -> {}
            case IS_REFUSED -> cell.busy.increment();
            case IS_DROPPED -> cell.dropped.increment();
        }
    }

    /** Counts a taken request that is dropped later. */
    void countDropped(byte[] mad) {
        cell(mad).dropped.increment();
    }

    /** Counts a taken request that is refused later for lack of room. */
    void countBusy(byte[] mad) {
        cell(mad).busy.increment();
    }

    /** Counts an answer. */
    void countAnswer(byte[] mad, int status) {
        Cell cell = cell(mad);
        cell.answered.increment();
        cell.statuses.incrementAndGet(index(status));
    }

    /** Returns the index in {@link #STATUSES} of a MAD status, whose upper byte is the class-specific status. */
    private static int index(int status) {
        if (status == MadStatus.BUSY) {
            return STATUSES.length - 2;
        }
        int classStatus = status >>> Byte.SIZE;
        boolean isNamed = (status & 0xff) == 0 && classStatus < STATUSES.length - 2;
        return isNamed ? classStatus : STATUSES.length - 1;
    }

    /** Records the latency of a taken request. */
    void addLatency(byte[] mad, long ns) {
        row(mad).latencies.add(ns);
    }

    private Row row(byte[] mad) {
        ServedRow served = servedRows.of(mad);
        return served == null ? others : served.row;
    }

    private Cell cell(byte[] mad) {
        return row(mad).cells[column(MadHeader.method(mad))];
    }

    private static int column(int method) {
        return switch (method) {
            case Method.GET -> 1;
            case Method.SET -> 2;
            case Method.GET_TABLE -> 3;
            case Method.GET_TRACE_TABLE -> 4;
            case Method.GET_MULTI -> 5;
            case Method.DELETE -> 6;
            default -> 0;
        };
    }

    /** Returns the sums over all attributes and methods. */
    AttributeStatistics.Count total() {
        long taken = 0;
        long answered = 0;
        long busy = 0;
        long dropped = 0;
        for (Row row : rows) {
            for (Cell cell : row.cells) {
                taken += cell.taken.sum();
                answered += cell.answered.sum();
                busy += cell.busy.sum();
                dropped += cell.dropped.sum();
            }
        }
        return new AttributeStatistics.Count("all", taken, answered, busy, dropped);
    }

    /** Returns the rows of attributes with at least one request. */
    List<AttributeStatistics> usedRows() {
        List<AttributeStatistics> statistics = new ArrayList<>();
        for (Row row : rows) {
            List<AttributeStatistics.Count> counts = new ArrayList<>();
            List<AttributeStatistics.Answered> statuses = new ArrayList<>();
            for (int i = 0; i < METHODS.length; i++) {
                Cell cell = row.cells[i];
                AttributeStatistics.Count count = new AttributeStatistics.Count(
                        METHODS[i], cell.taken.sum(), cell.answered.sum(), cell.busy.sum(), cell.dropped.sum());
                if (count.taken() > 0) {
                    counts.add(count);
                }
                for (int status = 0; status < STATUSES.length; status++) {
                    if (cell.statuses.get(status) > 0) {
                        statuses.add(new AttributeStatistics.Answered(
                                METHODS[i], STATUSES[status], cell.statuses.get(status)));
                    }
                }
            }
            if (!counts.isEmpty()) {
                statistics.add(new AttributeStatistics(
                        row.name,
                        List.copyOf(counts),
                        row.latencies.buckets(),
                        row.latencies.totalNs(),
                        List.copyOf(statuses)));
            }
        }
        return statistics;
    }
}
