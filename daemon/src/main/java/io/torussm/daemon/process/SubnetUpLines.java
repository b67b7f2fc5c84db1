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
    private @Nullable List<String> delayedLines = new ArrayList<>();

    /** Logs that a subnet is up, or keeps the line until operators can connect. */
    public synchronized void subnetUp(String summary) {
        if (delayedLines == null) {
            EVENTS.report(SmEvent.SUBNET_UP.finding(summary));
        } else if (delayedLines.size() < MAX_KEPT) {
            delayedLines.add(summary);
        }
    }

    /** Logs the kept lines; called when the console and the HTTP servers are open. */
    public synchronized void operatorsCanConnect() {
        if (delayedLines != null) {
            delayedLines.forEach(summary -> EVENTS.report(SmEvent.SUBNET_UP.finding(summary)));
        }
        delayedLines = null;
    }
}
