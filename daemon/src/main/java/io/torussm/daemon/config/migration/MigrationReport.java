package io.torussm.daemon.config.migration;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The report of a conversion for the operator: each option below one heading, then the steps to do. */
final class MigrationReport {
    /** The headings, in their order. */
    enum Section {
        TAKEN("taken over"),
        NOT_AS_WRITTEN("taken over, but not as written"),
        UNSUPPORTED("set, but without a counterpart"),
        WITHOUT_EFFECT("set, but without effect"),
        DIFFERING_DEFAULTS("left at OpenSM's default, which is not ours; ours is used"),
        EQUAL_DEFAULTS("left at OpenSM's default, which is ours too"),
        UNSUPPORTED_DEFAULTS("without a counterpart, and left at OpenSM's default"),
        TO_DO("to do");

        private final String title;

        Section(String title) {
            this.title = title;
        }

        /** Checks whether the entries are names of options, which share a line. */
        private boolean isListOfNames() {
            return this == TAKEN || this == EQUAL_DEFAULTS;
        }
    }

    private final Map<Section, List<String>> entries = new EnumMap<>(Section.class);

    /** Options that are left at OpenSM's default, by the reason why they have no counterpart. */
    private final Map<String, List<String>> unsupportedByReason = new TreeMap<>();

    /** Adds an entry below a heading. */
    void add(Section section, String entry) {
        entries.computeIfAbsent(section, key -> new ArrayList<>()).add(entry);
    }

    /** Adds an entry before the others below a heading. */
    void addFirst(Section section, String entry) {
        entries.computeIfAbsent(section, key -> new ArrayList<>()).add(0, entry);
    }

    /** Adds an option that has no counterpart and is left at OpenSM's default. Options of one reason share a line. */
    void addUnsupportedDefault(String option, String reason) {
        unsupportedByReason.computeIfAbsent(reason, key -> new ArrayList<>()).add(option);
    }

    /** Returns the entries below a heading, in the order of their addition. */
    List<String> entries(Section section) {
        return section == Section.UNSUPPORTED_DEFAULTS
                ? unsupportedByReason.entrySet().stream()
                        .map(each -> String.join(", ", each.getValue()) + ": " + each.getKey())
                        .toList()
                : entries.getOrDefault(section, List.of());
    }

    /** Returns the lines of the report. A heading without entries is left out. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Section section : Section.values()) {
            List<String> entries = entries(section);
            if (!entries.isEmpty()) {
                lines.add(section.title + ":");
                (section.isListOfNames() ? List.of(String.join(", ", entries)) : entries)
                        .forEach(entry -> lines.add("  " + entry));
            }
        }
        return lines;
    }
}
