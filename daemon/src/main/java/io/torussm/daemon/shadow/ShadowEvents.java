package io.torussm.daemon.shadow;

import io.torussm.daemon.control.ShadowReport;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events of the shadow mode. An event reports the begin or the end of a condition, which is found by comparison of
 * a report with the previous report. Owner thread: that of {@link ShadowDriver}.
 */
final class ShadowEvents {
    private static final EventLog EVENTS = EventLog.of(ShadowEvents.class);

    /** Previous report; null before the first one. */
    private @Nullable ShadowReport last;

    /** True if the last reading of the fabric failed. */
    private boolean hasReadingFailed;

    /** True if the begin of a fault was reported, and its end was not. */
    private boolean isFaultOpen;

    /** Reports the conditions that began or ended since the previous report. */
    void report(ShadowReport current) {
        readingSucceeded();
        ShadowReport previous = last;
        last = current;
        reportLoops(previous, current);
        reportReachability(previous, current);
        reportDifferences(previous, current);
        reportMasters(previous, current);
        if (previous != null && current.drift().changed() > previous.drift().changed()) {
            EVENTS.report(
                    SmEvent.SHADOW_DRIFT,
                    EventField.COUNT.of(
                            current.drift().changed() - previous.drift().changed()),
                    EventField.TEXT.of(countsText(current.drift().counts())));
        }
    }

    private static void reportLoops(@Nullable ShadowReport previous, ShadowReport current) {
        boolean wasFree = previous == null || previous.proof().isFree();
        if (wasFree && !current.proof().isFree()) {
            String loop = current.proof().verdicts().stream()
                    .filter(verdict -> !verdict.loop().isEmpty())
                    .map(verdict -> verdict.about() + ", of " + verdict.loop().size() + " channels, first "
                            + verdict.loop().get(0))
                    .findFirst()
                    .orElse("");
            EVENTS.report(SmEvent.SHADOW_LOOP, EventField.TEXT.of(loop));
        } else if (!wasFree && current.proof().isFree()) {
            EVENTS.report(SmEvent.SHADOW_LOOP_OVER);
        }
    }

    private static void reportReachability(@Nullable ShadowReport previous, ShadowReport current) {
        long lost = current.proof().lost();
        boolean wasWhole = previous == null || previous.proof().lost() == 0;
        if (wasWhole && lost > 0) {
            List<String> losses = current.proof().losses();
            EVENTS.report(
                    SmEvent.SHADOW_UNREACHABLE,
                    EventField.COUNT.of(lost),
                    EventField.TEXT.of(losses.isEmpty() ? "" : losses.get(0)));
        } else if (!wasWhole && lost == 0) {
            EVENTS.report(SmEvent.SHADOW_REACHABLE);
        }
    }

    /** Formats the changes of tables by a takeover of this SM; empty without changes or without a report. */
    private static String difference(@Nullable ShadowReport report) {
        ShadowReport.Takeover own = report == null ? null : report.takeover();
        return own == null || (own.outcome().isEmpty() && own.changed() == 0)
                ? ""
                : own.outcome().isEmpty() ? countsText(own.changes()) : "unknown: " + own.outcome();
    }

    private static void reportDifferences(@Nullable ShadowReport previous, ShadowReport current) {
        boolean wasNone = difference(previous).isEmpty();
        String difference = difference(current);
        if (wasNone && !difference.isEmpty()) {
            EVENTS.report(SmEvent.SHADOW_DIFFERS, EventField.TEXT.of(difference));
        } else if (!wasNone && difference.isEmpty()) {
            EVENTS.report(SmEvent.SHADOW_AGREES);
        }
    }

    /** Formats the port GUID and the name of the master SM; empty if there is none. */
    private static String master(@Nullable ShadowReport report) {
        return report == null
                ? ""
                : report.managers().stream()
                        .filter(manager -> manager.state().equals("master"))
                        .map(manager -> "port GUID " + manager.portGuid()
                                + (manager.name().isEmpty() ? "" : " \"" + manager.name() + "\""))
                        .findFirst()
                        .orElse("");
    }

    private static void reportMasters(@Nullable ShadowReport previous, ShadowReport current) {
        String master = master(current);
        boolean hadOne = previous == null || !master(previous).isEmpty();
        if (hadOne && master.isEmpty()) {
            EVENTS.report(SmEvent.SHADOW_NO_MASTER);
        } else if (!hadOne && !master.isEmpty()) {
            EVENTS.report(SmEvent.SHADOW_MASTER, EventField.PEER.of(master));
        }
    }

    /**
     * Reports the begin or a change of a fault of the fabric.
     *
     * @param changes texts about the changes of cables and devices
     */
    void fault(List<String> changes) {
        isFaultOpen = true;
        EVENTS.report(SmEvent.SHADOW_FAULT, EventField.TEXT.of(String.join("; ", changes)));
    }

    /**
     * Reports the end of a fault if its begin was reported and all LIDs are reachable again.
     *
     * @param fault fault with the changes by the master SM; null if the cables and devices are those before the fault
     * @param seconds time until the tables were complete again; negative if unknown
     * @param isReachable true if all LIDs are reachable
     */
    void faultEnded(ShadowReport.@Nullable Fault fault, double seconds, boolean isReachable) {
        if (!isFaultOpen || !isReachable) {
            return;
        }
        isFaultOpen = false;
        EVENTS.report(
                SmEvent.SHADOW_FAULT_OVER,
                EventField.SECONDS.of(seconds < 0 ? "some" : String.format(Locale.ROOT, "%.1f", seconds)),
                EventField.TEXT.of(
                        fault == null
                                ? "cables and devices are as before"
                                : "the master SM changed " + countsText(fault.changes()) + ownResponse(fault.own())));
    }

    /** Formats the response of this SM to the fault as the end of a sentence; empty if unknown. */
    private static String ownResponse(ShadowReport.@Nullable Response own) {
        return own == null
                ? ""
                : own.outcome().isEmpty()
                        ? String.format(
                                Locale.ROOT,
                                "; this SM would have changed %s within %.1f s",
                                countsText(own.changes()),
                                own.milliseconds() / 1_000.0)
                        : "; this SM: " + own.outcome();
    }

    /** Reports that a reading failed, unless the previous reading failed too. */
    void readingFailed(String reason) {
        if (!hasReadingFailed) {
            hasReadingFailed = true;
            EVENTS.report(SmEvent.SHADOW_UNREAD, EventField.REASON.of(reason));
        }
    }

    private void readingSucceeded() {
        if (hasReadingFailed) {
            hasReadingFailed = false;
            EVENTS.report(SmEvent.SHADOW_READ);
        }
    }

    private static String countsText(Map<String, Long> counts) {
        return counts.isEmpty() ? "nothing" : ShadowReport.countsText(counts);
    }
}
