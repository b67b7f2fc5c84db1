package io.torussm.daemon.shadow;

import io.torussm.daemon.control.ShadowReport;
import io.torussm.names.Names;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.RegisterKind;
import io.torussm.snapshot.SnapshotDifference;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The history of the readings of a fabric. It has the faults, and the drift: changed entries of tables without a
 * change of cables or devices. Not thread-safe.
 */
public final class ShadowRecord {
    private static final int MAX_FAULTS = 50;

    /** Tables that change because of requests of hosts: members of groups and alias GUIDs. They are no drift. */
    private static final Set<RegisterKind> HOST_TABLES = EnumSet.of(RegisterKind.MFT, RegisterKind.GUID);

    private final Deque<ShadowReport.Fault> faults = new ArrayDeque<>();
    private @Nullable FabricSnapshot last;

    /** Time of the first reading; null before it. */
    private @Nullable Instant since;

    /** Time of the last reading with drift; null for none. */
    private @Nullable Instant lastDriftAt;

    private long readings;

    /** Number of entries with drift in all readings. */
    private long driftedEntries;

    /** Number of entries with drift by word of the table, in the last reading with drift. */
    private Map<String, Long> driftCounts = Map.of();

    /** Examples of the drift in the last reading with drift. */
    private List<ShadowReport.Change> driftExamples = List.of();

    /**
     * A reading and its analysis.
     *
     * @param seen fabric that was read
     * @param seconds duration of the reading
     * @param mads number of MADs that were sent since the start
     * @param study analysis of the fabric
     * @param change difference from the previous reading; null for the first reading
     * @param own response of this SM to a change of cables or devices; null without a change
     * @param noticed fault that was noticed before the reading; null for none
     */
    public record Reading(
            FabricSnapshot seen,
            double seconds,
            long mads,
            ShadowStudy study,
            @Nullable SnapshotDifference change,
            ShadowReport.@Nullable Response own,
            @Nullable NoticedFault noticed) {}

    /**
     * A fault that a reading of links has noticed.
     *
     * @param at time of the notice
     * @param seconds time from the last reading without the fault until the tables were complete again; -1 if they were
     *     not complete within the time limit
     */
    public record NoticedFault(Instant at, double seconds) {}

    /** Returns the last reading; null before the first. */
    public @Nullable FabricSnapshot last() {
        return last;
    }

    /** Adds a reading, and creates the report about all readings. */
    public ShadowReport add(Reading reading, Names names) {
        FabricSnapshot seen = reading.seen;
        DifferenceTexts texts = DifferenceTexts.ofTables(seen, names);
        readings++;
        if (since == null) {
            since = seen.takenAt();
        }
        SnapshotDifference change = reading.change;
        FabricSnapshot previous = last;
        if (change != null && previous != null) {
            if (!change.isSameTopology()) {
                addFault(reading, previous, change, names);
            } else if (reading.noticed == null) {
                addDrift(seen.takenAt(), change, texts);
            }
        }
        last = seen;
        Instant first = since;
        return new ShadowReport(
                seen.takenAt(),
                readings,
                reading.seconds,
                reading.mads,
                ShadowStudy.read(seen),
                ShadowStudy.managers(seen, names),
                reading.study.proof(),
                reading.study.takeover(),
                reading.study.paths(),
                new ShadowReport.Drift(first, driftedEntries, lastDriftAt, driftCounts, driftExamples),
                List.copyOf(faults),
                seen.notes());
    }

    private void addFault(Reading reading, FabricSnapshot previous, SnapshotDifference change, Names names) {
        NoticedFault noticed = reading.noticed;
        boolean isWhole = reading.study.proof().lost() == 0;
        double elapsedS =
                (reading.seen.takenAt().toEpochMilli() - previous.takenAt().toEpochMilli()) / 1_000.0;
        List<String> changes =
                DifferenceTexts.ofChange(previous, reading.seen, names).topology(change);
        faults.addFirst(new ShadowReport.Fault(
                noticed == null ? reading.seen.takenAt() : noticed.at,
                changes,
                noticed == null ? isWhole ? elapsedS : -1 : noticed.seconds,
                DifferenceTexts.tableCounts(change.counts()),
                reading.own));
        if (faults.size() > MAX_FAULTS) {
            faults.removeLast();
        }
    }

    private void addDrift(Instant at, SnapshotDifference change, DifferenceTexts texts) {
        Map<String, Long> counts = DifferenceTexts.tableCounts(change.counts());
        HOST_TABLES.forEach(table -> counts.remove(table.word()));
        long count = counts.values().stream().mapToLong(Long::longValue).sum();
        if (count > 0) {
            driftedEntries += count;
            lastDriftAt = at;
            driftCounts = counts;
            driftExamples = texts.examples(change).stream()
                    .filter(example -> counts.containsKey(example.table()))
                    .toList();
        }
    }
}
