package io.torussm.transport;

import io.torussm.mad.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How transactions ended, by attribute and method. It grows with the attributes that this program asks for, whatever comes
 * from the wire. Any thread.
 */
final class SmpCounts {
    private static final String[] METHODS = {"Get", "Set"};
    private static final String[] OUTCOMES = {"reply", "timeout", "bad_status", "malformed", "cancelled"};

    private final ConcurrentSkipListMap<String, AtomicLongArray> counts = new ConcurrentSkipListMap<>();

    void count(SmpRequest<?> request, Outcome<?> outcome) {
        int method = request.method() == Method.SET ? 1 : 0;
        counts.computeIfAbsent(
                        request.type().layout().name(), any -> new AtomicLongArray(METHODS.length * OUTCOMES.length))
                .incrementAndGet(method * OUTCOMES.length + index(outcome));
    }

    private static int index(Outcome<?> outcome) {
        if (!(outcome instanceof Outcome.Failure<?> failure)) {
            return 0;
        }
        return switch (failure.kind()) {
            case TIMEOUT -> 1;
            case BAD_STATUS -> 2;
            case MALFORMED -> 3;
            case CANCELLED -> 4;
        };
    }

    /** Those of which there are any. */
    List<MadClient.Ended> counted() {
        List<MadClient.Ended> counted = new ArrayList<>();
        counts.forEach((attribute, row) -> {
            for (int i = 0; i < row.length(); i++) {
                if (row.get(i) > 0) {
                    counted.add(new MadClient.Ended(
                            attribute, METHODS[i / OUTCOMES.length], OUTCOMES[i % OUTCOMES.length], row.get(i)));
                }
            }
        });
        return counted;
    }
}
