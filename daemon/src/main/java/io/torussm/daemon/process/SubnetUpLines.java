package io.torussm.daemon.process;

import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The log of subnets that come up. Its lines are delayed until the console and the HTTP servers are open. Thread-safe.
 */
public final class SubnetUpLines {
    private static final EventLog EVENTS = EventLog.of(SubnetUpLines.class);
    private static final int MAX_KEPT = 64;

    /** Delayed lines; null when operators can connect. */
    private @Nullable List<String> kept = new ArrayList<>();

    /** Logs that a subnet is up, or keeps the line until operators can connect. */
    public synchronized void up(String summary) {
        if (kept == null) {
            EVENTS.report(SmEvent.SUBNET_UP.says(summary));
        } else if (kept.size() < MAX_KEPT) {
            kept.add(summary);
        }
    }

    /** Logs the kept lines; called when the console and the HTTP servers are open. */
    public synchronized void operatorsCanConnect() {
        if (kept != null) {
            kept.forEach(summary -> EVENTS.report(SmEvent.SUBNET_UP.says(summary)));
        }
        kept = null;
    }
}
