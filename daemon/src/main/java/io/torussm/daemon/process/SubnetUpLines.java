package io.torussm.daemon.process;

import io.torussm.event.Finding;
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

    /** Delayed events; null when operators can connect. */
    private @Nullable List<Finding> delayedEvents = new ArrayList<>();

    /** Logs that a subnet is up, or keeps the event until operators can connect. */
    public synchronized void subnetUp(Finding up) {
        if (delayedEvents == null) {
            EVENTS.report(up);
        } else if (delayedEvents.size() < MAX_KEPT) {
            delayedEvents.add(up);
        }
    }

    /** Logs the kept events; called when the console and the HTTP servers are open. */
    public synchronized void operatorsCanConnect() {
        if (delayedEvents != null) {
            delayedEvents.forEach(EVENTS::report);
        }
        delayedEvents = null;
    }
}
