package io.torussm.daemon.process;

import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reports of subnets that come up, held back until the console and the HTTP server are open. Any thread. */
public final class SubnetUpLines {
    private static final EventLog EVENTS = EventLog.of(SubnetUpLines.class);
    private static final int MAX_KEPT = 64;

    /** Lines that wait until operators can connect; null from then on. */
    private @Nullable List<String> kept = new ArrayList<>();

    /** Reports that a subnet is up, or keeps the line until operators can connect. */
    public synchronized void up(String summary) {
        if (kept == null) {
            EVENTS.report(SmEvent.SUBNET_UP.says(summary));
        } else if (kept.size() < MAX_KEPT) {
            kept.add(summary);
        }
    }

    /** Reports the kept lines: the console and the HTTP server are open. */
    public synchronized void operatorsCanConnect() {
        if (kept != null) {
            kept.forEach(summary -> EVENTS.report(SmEvent.SUBNET_UP.says(summary)));
        }
        kept = null;
    }
}
