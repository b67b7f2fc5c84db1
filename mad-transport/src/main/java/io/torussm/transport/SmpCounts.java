package io.torussm.transport;

import io.torussm.mad.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counts of outcomes by attribute and method. Their size is bounded by the attributes of this program's requests.
 * Any thread may call it.
 */
final class SmpCounts {
    /** The names by index. A row has the count of method m and outcome o at {@code m * OUTCOMES.length + o}. */
    private static final String[] METHODS = {"Get", "Set"};

    private static final String[] OUTCOMES = {"reply", "timeout", "bad_status", "malformed", "cancelled"};

    /** One row per attribute, about a dozen. */
    private final List<Row> rows = new CopyOnWriteArrayList<>();

    /** The row counted last, which is likely to be the next one. Initially a row of no attribute. */
    private volatile Row lastRow = new Row("", new AtomicLongArray(0));

    /** The counts of one attribute. */
    private record Row(String attribute, AtomicLongArray counts) {}

    void count(SmpRequest<?> request, Outcome<?> outcome) {
        int method = request.method() == Method.SET ? 1 : 0;
        row(request.type().layout().name()).counts().incrementAndGet(method * OUTCOMES.length + index(outcome));
    }

    private Row row(String attribute) {
        Row row = lastRow;
        if (!row.attribute().equals(attribute)) {
            row = find(attribute);
            lastRow = row;
        }
        return row;
    }

    private Row find(String attribute) {
        synchronized (rows) {
            for (Row row : rows) {
                if (row.attribute().equals(attribute)) {
                    return row;
                }
            }
            Row row = new Row(attribute, new AtomicLongArray(METHODS.length * OUTCOMES.length));
            rows.add(row);
            return row;
        }
    }

    private static int index(Outcome<?> outcome) {
        if (!(outcome instanceof Outcome.Failure<?> failure)) {
            return 0;
        }
        return switch (failure.reason()) {
            case TIMEOUT -> 1;
            case BAD_STATUS -> 2;
            case MALFORMED -> 3;
            case CANCELLED -> 4;
        };
    }

    /** Returns the counts that are not 0. */
    List<MadClient.OutcomeCount> outcomeCounts() {
        List<MadClient.OutcomeCount> counts = new ArrayList<>();
        for (Row row : rows) {
            for (int i = 0; i < row.counts().length(); i++) {
                if (row.counts().get(i) > 0) {
                    counts.add(new MadClient.OutcomeCount(
                            row.attribute(),
                            METHODS[i / OUTCOMES.length],
                            OUTCOMES[i % OUTCOMES.length],
                            row.counts().get(i)));
                }
            }
        }
        // stable: keeps methods and outcomes in order
        counts.sort((one, other) -> one.attribute().compareTo(other.attribute()));
        return counts;
    }
}
