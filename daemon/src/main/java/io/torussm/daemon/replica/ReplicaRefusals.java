package io.torussm.daemon.replica;

import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.transport.Loop;
import java.util.HashMap;
import java.util.Map;

/**
 * The log lines about messages and files of peers that are not taken. A peer with another program version causes one
 * line. Any thread.
 */
final class ReplicaRefusals {
    private static final EventLog EVENTS = EventLog.of(Replication.class);

    /** The last line about each peer and file. */
    private final Map<Object, String> reported = new HashMap<>();

    /** Limits the number of subjects, and so the size of {@link #reported}. */
    private final LogRateLimiter lines;

    ReplicaRefusals(Loop clock) {
        lines = new LogRateLimiter(clock::nowNs);
    }

    /** Reports a cause once until it is another one, at most once a minute. */
    synchronized void report(String subject, String text) {
        if (text.equals(reported.get(subject))) {
            return;
        }
        LogRateLimiter.Line line = lines.happened(subject);
        if (line.isDue()) {
            reported.put(line.source(), text);
            EVENTS.report(SmEvent.REPLICATION_REFUSED.says(text));
        }
    }
}
