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
 * The events about differences between successive reports: beginnings and ends of conditions. Confined to one
 * thread.
 */
final class ShadowEvents {
    private static final EventLog EVENTS = EventLog.of(ShadowEvents.class);

    private @Nullable ShadowReport last;
    private boolean isUnread;
    private boolean isFaultOpen;

    /** Handles a report. */
    void report(ShadowReport current) {
        readAgain();
        ShadowReport previous = last;
        last = current;
        loops(previous, current);
        reach(previous, current);
        differences(previous, current);
        masters(previous, current);
        if (previous != null && current.drift().changed() > previous.drift().changed()) {
            EVENTS.report(
                    SmEvent.SHADOW_DRIFT,
                    EventField.COUNT.of(
                            current.drift().changed() - previous.drift().changed()),
                    EventField.TEXT.of(listed(current.drift().counts())));
        }
    }

    private static void loops(@Nullable ShadowReport previous, ShadowReport current) {
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

    private static void reach(@Nullable ShadowReport previous, ShadowReport current) {
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

    private static String difference(@Nullable ShadowReport report) {
        ShadowReport.Takeover own = report == null ? null : report.takeover();
        return own == null || own.outcome().isEmpty() && own.changed() == 0
                ? ""
                : own.outcome().isEmpty() ? listed(own.changes()) : "unknown: " + own.outcome();
    }

    private static void differences(@Nullable ShadowReport previous, ShadowReport current) {
        boolean wasNone = difference(previous).isEmpty();
        String difference = difference(current);
        if (wasNone && !difference.isEmpty()) {
            EVENTS.report(SmEvent.SHADOW_DIFFERS, EventField.TEXT.of(difference));
        } else if (!wasNone && difference.isEmpty()) {
            EVENTS.report(SmEvent.SHADOW_AGREES);
        }
    }

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

    private static void masters(@Nullable ShadowReport previous, ShadowReport current) {
        String master = master(current);
        boolean hadOne = previous == null || !master(previous).isEmpty();
        if (hadOne && master.isEmpty()) {
            EVENTS.report(SmEvent.SHADOW_NO_MASTER);
        } else if (!hadOne && !master.isEmpty()) {
            EVENTS.report(SmEvent.SHADOW_MASTER, EventField.PEER.of(master));
        }
    }

    /** Handles changes of cables or devices that a poll or a reading found. */
    void fault(List<String> what) {
        isFaultOpen = true;
        EVENTS.report(SmEvent.SHADOW_FAULT, EventField.TEXT.of(String.join("; ", what)));
    }

    /**
     * Reports the end of a fault, if there was one.
     *
     * @param fault null if cables and devices are as before
     * @param seconds until tables were complete again; -1 if unknown
     */
    void faultOver(ShadowReport.@Nullable Fault fault, double seconds, boolean isWhole) {
        if (!isFaultOpen || !isWhole) {
            return;
        }
        isFaultOpen = false;
        EVENTS.report(
                SmEvent.SHADOW_FAULT_OVER,
                EventField.SECONDS.of(seconds < 0 ? "some" : String.format(Locale.ROOT, "%.1f", seconds)),
                EventField.TEXT.of(
                        fault == null
                                ? "cables and devices are as before"
                                : "the master SM changed " + listed(fault.changes()) + own(fault.own())));
    }

    private static String own(ShadowReport.@Nullable Response own) {
        return own == null
                ? ""
                : own.outcome().isEmpty()
                        ? String.format(
                                Locale.ROOT,
                                "; this SM would have changed %s within %.1f s",
                                listed(own.changes()),
                                own.milliseconds() / 1_000.0)
                        : "; this SM: " + own.outcome();
    }

    /** Handles a reading that failed. */
    void unread(String why) {
        if (!isUnread) {
            isUnread = true;
            EVENTS.report(SmEvent.SHADOW_UNREAD, EventField.REASON.of(why));
        }
    }

    private void readAgain() {
        if (isUnread) {
            isUnread = false;
            EVENTS.report(SmEvent.SHADOW_READ);
        }
    }

    private static String listed(Map<String, Long> counts) {
        return counts.isEmpty() ? "nothing" : ShadowReport.listed(counts);
    }
}
