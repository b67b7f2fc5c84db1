package io.torussm.sweep.stages;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.LogSubject;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The report of findings that every sweep makes while a condition lasts, such as a missing cable. A finding is reported
 * when it begins and when it changes. Its end is reported if it has a device or coordinates, or its event has an end
 * event. Owner thread: the loop.
 */
public final class StandingFindings {
    private static final EventLog EVENTS = EventLog.of(StandingFindings.class);

    /** The findings of the last look, by subject, then by text. */
    private Map<String, Map<String, Finding>> presentFindings = Map.of();

    /** Places (see {@link #place}) with a report at the last look. */
    private final Set<String> reported = new HashSet<>();

    /** Subjects whose begin and end are reported elsewhere. */
    private final Set<String> subjectsReportedElsewhere = new HashSet<>();

    /** Reports the begin, change or end of findings since the last look. */
    public void update(List<Finding> current) {
        update(current, finding -> false);
    }

    /**
     * Reports the begin, change or end of findings since the last look, except for those that are reported elsewhere.
     *
     * @param isElsewhere checks whether a finding that begins now is reported elsewhere
     */
    public void update(List<Finding> current, Predicate<Finding> isElsewhere) {
        Map<String, Map<String, Finding>> previous = presentFindings;
        reported.clear();
        lookAlso(current, isElsewhere);
        presentFindings = bySubject(current);
        previous.forEach((subject, findings) -> {
            if (!presentFindings.containsKey(subject)) {
                if (!subjectsReportedElsewhere.remove(subject)) {
                    findings.values().forEach(this::reportEnd);
                }
            }
        });
    }

    /** Reports the begin or change of findings after a partial look, which does not show that others have ended. */
    public void updatePart(List<Finding> current) {
        updatePart(current, finding -> false);
    }

    /**
     * Reports the begin or change of findings after a partial look, except for those that are reported elsewhere.
     *
     * @param isElsewhere checks whether a finding that begins now is reported elsewhere
     */
    public void updatePart(List<Finding> current, Predicate<Finding> isElsewhere) {
        reported.clear();
        lookAlso(current, isElsewhere);
        Map<String, Map<String, Finding>> all = new LinkedHashMap<>(presentFindings);
        all.putAll(bySubject(current));
        presentFindings = all;
    }

    /** Reports the same for a partial look, but only subjects that have no finding yet, since it may come often. */
    public void addNew(List<Finding> current) {
        updatePart(current.stream()
                .filter(finding -> !presentFindings.containsKey(subject(finding)))
                .toList());
    }

    private void lookAlso(List<Finding> current, Predicate<Finding> isElsewhere) {
        for (Finding finding : current) {
            String subject = subject(finding);
            Map<String, Finding> known = presentFindings.getOrDefault(subject, Map.of());
            if ((known.isEmpty() || subjectsReportedElsewhere.contains(subject)) && isElsewhere.test(finding)) {
                subjectsReportedElsewhere.add(subject);
            } else if (known.isEmpty()
                    || (!known.containsKey(finding.text()) && finding.event() != SmEvent.PROOF_DONE)) {
                subjectsReportedElsewhere.remove(subject);
                EVENTS.report(finding);
                reported.add(place(finding));
            }
        }
    }

    private static Map<String, Map<String, Finding>> bySubject(List<Finding> findings) {
        Map<String, Map<String, Finding>> sorted = new LinkedHashMap<>();
        findings.forEach(finding -> sorted.computeIfAbsent(subject(finding), subject -> new LinkedHashMap<>())
                .put(finding.text(), finding));
        return sorted;
    }

    /** Returns the subject of a finding. A condition of the whole subnet has one subject for all its texts. */
    private static String subject(Finding finding) {
        return end(finding) == null ? LogSubject.of(finding) : finding.event().code();
    }

    /** Returns the event that ends a condition of the whole subnet; null for all other findings. */
    private static @Nullable SmEvent end(Finding finding) {
        return switch (finding.event()) {
            case FALLBACK_ENGINE -> SmEvent.FIRST_ENGINE;
            case TORUS_SEEDS_ABSENT -> SmEvent.TORUS_SEED_PRESENT;
            default -> null;
        };
    }

    private void reportEnd(Finding finding) {
        SmEvent end = end(finding);
        if (end != null) {
            EVENTS.report(end);
        } else if (finding.severity() != Finding.Severity.INFO && LogSubject.hasDevice(finding)) {
            DeviceText device = new DeviceText(
                    finding.text() + " (" + finding.event().code() + ")",
                    finding.values().stream()
                            .filter(value -> DeviceText.FIELDS.contains(value.field()))
                            .toList());
            EVENTS.report(SmEvent.FINDING_OVER.finding(device));
            reported.add(place(finding));
        }
    }

    /** Reports changes, except at places with a report at the last look, to avoid duplicates. */
    void reportChanges(List<Finding> changes) {
        changes.stream()
                .filter(change -> !LogSubject.hasDevice(change) || !reported.contains(place(change)))
                .forEach(EVENTS::report);
    }

    /** Returns the coordinates or the GUID of a finding, and its port, as one text. */
    private static String place(Finding finding) {
        return text(finding, EventField.COORDINATES, EventField.GUID) + " " + text(finding, EventField.PORT);
    }

    /** Returns the text of the first of the fields that a finding has; empty if it has none. */
    private static String text(Finding finding, EventField... fields) {
        for (EventField field : fields) {
            for (EventField.Value value : finding.values()) {
                if (value.field() == field) {
                    return value.text();
                }
            }
        }
        return "";
    }

    /** Forgets the state, because another SM is master. */
    void forget() {
        presentFindings = Map.of();
        reported.clear();
        subjectsReportedElsewhere.clear();
    }
}
