package io.torussm.daemon.replica;

import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.transport.Loop;
import java.util.HashMap;
import java.util.Map;

/**
 * The log lines about messages and files of peers that are rejected. Repeated causes are not logged again, so a peer
 * with another program version causes only one line. Thread-safe.
 */
final class ReplicaRefusals {
    private static final EventLog EVENTS = EventLog.of(Replication.class);

    /** Last logged text by subject. */
    private final Map<Object, String> reported = new HashMap<>();

    /** Rate limiter, which also limits the number of subjects, and so the size of {@link #reported}. */
    private final LogRateLimiter lines;

    ReplicaRefusals(Loop clock) {
        lines = new LogRateLimiter(clock::nowNs);
    }

    /**
     * Logs a text about a subject, at most once a minute, if it differs from the last logged text about the subject.
     *
     * @param subject peer, file, or both
     */
    synchronized void report(String subject, String text) {
        if (text.equals(reported.get(subject))) {
            return;
        }
        LogRateLimiter.Line line = lines.recordEvent(subject);
        if (line.isDue()) {
            reported.put(line.source(), text);
            EVENTS.report(SmEvent.REPLICATION_REFUSED.finding(text));
        }
    }
}
