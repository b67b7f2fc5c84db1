package io.torussm.history;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.history.Change.Counts;
import io.torussm.history.RowKey.RowType;
import io.torussm.names.SiteMap;
import io.torussm.state.SegmentLog;
import io.torussm.state.StateDirectory;
import io.torussm.transport.Loop;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last states of the subnet, each as its difference from the previous one. They are in memory and in
 * files {@code changes-*.log} of the state directory. A state without a difference is not kept.
 *
 * <p>The loop of the SM only hands over the immutable state. The loop that writes state files computes the
 * differences. If states come faster, several are merged into one change, which reports their number. Any
 * thread may read.
 */
public final class ChangeHistory {
    /** The segment files. */
    static final SegmentLog.RecordFormat LOG =
            new SegmentLog.RecordFormat("changes", 1, "the changes from there to the end of the file cannot be shown");

    /** The limit of states that wait for comparison; each keeps its tables in memory. */
    static final int MAX_WAITING = 4;

    /** The number of changes after a whole state. To show the last of them, all must be read. */
    private static final int MAX_CHAIN_CHANGES = 64;

    /** The bytes of changes after which a whole state follows, even if that state is smaller. */
    private static final long MIN_CHAIN_BYTES = 64 << 10;

    private static final EventLog EVENTS = EventLog.of(ChangeHistory.class);

    private final Settings settings;
    private final Loop disk;
    private final StateRows rows;
    private final SegmentLog log;
    private final ArrayDeque<WaitingState> waiting = new ArrayDeque<>();
    private final ArrayDeque<Chain> chains = new ArrayDeque<>();

    /** The rows of the last kept state; null if the next state is kept whole. */
    private @Nullable NavigableMap<RowKey, Row> lastRows;

    /** Set if the file lacks a record on which the next change depends. */
    private boolean isBroken;

    private boolean isFirst = true;
    private boolean isTooLargeReported;

    /**
     * The limits of the history.
     *
     * @param changes limit of kept changes; 0 to keep none
     * @param maxBytes limit of the bytes of all changes, in memory and again on the disk
     */
    public record Settings(int changes, long maxBytes) {}

    private record WaitingState(FabricState state, Instant at, Supplier<List<String>> conditions, int merged) {}

    /** A whole state and the changes that follow it. */
    private static final class Chain {
        final long segment;
        final List<ChangeRecord> records = new ArrayList<>();
        long bytes;

        Chain(long segment) {
            this.segment = segment;
        }

        void add(ChangeRecord record) {
            records.add(record);
            bytes += record.bytes().length;
        }

        /** Returns the bytes of the changes after the whole state. */
        long changeBytes() {
            return bytes - records.get(0).bytes().length;
        }
    }

    /** Reads the history of a directory; damaged records are reported and left out. */
    public ChangeHistory(StateDirectory directory, Loop disk, Settings settings) {
        this(directory, disk, settings, new StateRows());
    }

    /**
     * Reads the history of a directory; damaged records are reported and left out.
     *
     * @param rows shared with {@link LastState}
     */
    public ChangeHistory(StateDirectory directory, Loop disk, Settings settings, StateRows rows) {
        this.settings = settings;
        this.disk = disk;
        this.rows = rows;
        log = directory.log(LOG);
        for (SegmentLog.Segment segment : log.read()) {
            Chain chain = chain(segment);
            if (!chain.records.isEmpty()) {
                chains.addLast(chain);
            }
        }
        log.roll();
        trim();
    }

    /** Returns the records of a segment up to the first that cannot be read. */
    private Chain chain(SegmentLog.Segment segment) {
        Chain chain = new Chain(segment.number());
        for (byte[] bytes : segment.records()) {
            try {
                if (bytes == null) {
                    return chain;
                }
                ChangeRecord record = ChangeRecord.read(bytes);
                if (record.isWhole() != chain.records.isEmpty()) {
                    throw new IOException("a whole state is not where it should be");
                }
                chain.add(record);
            } catch (IOException e) {
                log.reportUnusable(segment.number(), String.valueOf(e.getMessage()));
                return chain;
            }
        }
        return chain;
    }

    /**
     * Records the state after a sweep. Called on the loop of the SM, which does not wait for the record.
     *
     * @param state the present state; it is ignored if it has no view
     * @param at the time
     * @param conditions the open conditions, a line each; read on the loop that writes state files
     */
    public void record(FabricState state, Instant at, Supplier<List<String>> conditions) {
        if (settings.changes() == 0 || state.view() == null) {
            return;
        }
        synchronized (waiting) {
            int merged = 0;
            if (waiting.size() == MAX_WAITING) {
                merged = 1 + waiting.removeLast().merged();
            }
            waiting.addLast(new WaitingState(state, at, conditions, merged));
        }
        disk.execute(this::recordNext);
    }

    private void recordNext() {
        WaitingState next;
        synchronized (waiting) {
            next = waiting.pollFirst();
        }
        PublishedView view = next == null ? null : next.state().view();
        if (next != null && view != null) {
            keep(next, view);
        }
    }

    private void keep(WaitingState next, PublishedView view) {
        NavigableMap<RowKey, Row> current = StateWriter.withConditions(
                rows.of(next.state(), view), next.conditions().get());
        NavigableMap<RowKey, Row> previous = lastRows;
        Delta delta = Delta.between(previous == null ? new TreeMap<>() : previous, current);
        if (previous != null && delta.isEmpty()) {
            lastRows = current; // The rows refer to their view: the older one can be collected.
            return;
        }
        Change change = new Change(
                next.at(),
                view.sweep(),
                isFirst,
                next.state().routing(),
                view.plan().engine(),
                next.merged(),
                previous == null ? Counts.NONE : counts(delta));
        boolean isWhole = previous == null || needsWholeState(delta.bytes().length);
        byte[] content = isWhole && previous != null
                ? Delta.between(new TreeMap<>(), current).bytes()
                : delta.bytes();
        lastRows = keep(ChangeRecord.of(change, isWhole, content)) ? current : null;
        isFirst &= lastRows == null;
    }

    private boolean needsWholeState(int more) {
        Chain chain;
        synchronized (chains) {
            chain = chains.peekLast();
        }
        return chain == null
                || isBroken
                || chain.records.size() >= MAX_CHAIN_CHANGES
                || chain.changeBytes() + more
                        > Math.max(MIN_CHAIN_BYTES, chain.records.get(0).bytes().length)
                || chain.bytes + more > settings.maxBytes() / 2;
    }

    /** Adds a record; returns whether there was room for it. */
    private boolean keep(ChangeRecord record) {
        int size = record.bytes().length;
        boolean hasRoom = size <= Math.min(settings.maxBytes(), SegmentLog.MAX_RECORD_BYTES);
        if (hasRoom == isTooLargeReported) {
            isTooLargeReported = !hasRoom;
            if (isTooLargeReported) {
                EVENTS.report(SmEvent.HISTORY_TOO_LARGE, EventField.COUNT.of(size));
            } else {
                EVENTS.report(SmEvent.HISTORY_KEPT);
            }
        }
        if (!hasRoom) {
            return false;
        }
        if (record.isWhole()) {
            log.roll();
        }
        isBroken = !log.append(List.of(record.bytes()), true);
        synchronized (chains) {
            if (record.isWhole()) {
                chains.addLast(new Chain(log.newest()));
            }
            chains.getLast().add(record);
        }
        trim();
        return true;
    }

    private void trim() {
        synchronized (chains) {
            while (chains.size() > 1 && (bytes() > settings.maxBytes() || hasEnoughWithout(chains.getFirst()))) {
                chains.removeFirst();
            }
            if (!chains.isEmpty() && chains.getFirst().segment > 0) {
                log.dropBefore(chains.getFirst().segment);
            }
        }
    }

    private boolean hasEnoughWithout(Chain first) {
        return changes().size() - first.records.size() >= settings.changes();
    }

    /** Returns the bytes of all records. */
    public long bytes() {
        synchronized (chains) {
            return chains.stream().mapToLong(chain -> chain.bytes).sum();
        }
    }

    private static Counts counts(Delta delta) {
        Delta.Count nodes = delta.count(RowType.NODE);
        Delta.Count cables = delta.count(RowType.CABLE);
        Delta.Count tables = delta.count(RowType.LFT);
        Delta.Count rings = delta.count(RowType.RING);
        return new Counts(
                nodes.added(),
                nodes.removed(),
                cables.added() + cables.changed(),
                cables.removed() + cables.changed(),
                tables.changed(),
                tables.entries(),
                delta.count(RowType.SL).entries(),
                rings.added() + rings.removed() + rings.changed());
    }

    /** Returns all kept changes, the oldest first. */
    public List<Change> changes() {
        synchronized (chains) {
            return chains.stream()
                    .flatMap(chain -> chain.records.stream())
                    .map(ChangeRecord::change)
                    .toList();
        }
    }

    /**
     * Returns the change whose state was active after a sweep. Sweeps count from 1 with each start. Sweeps
     * since the last start take precedence; of earlier starts only a change with exactly this number is
     * found.
     */
    public Optional<Change> at(long sweep) {
        List<Change> all = changes();
        Change found = null;
        boolean isLastRun = true;
        for (int i = all.size() - 1; i >= 0; i--) {
            Change change = all.get(i);
            boolean isMeant = isLastRun ? change.sweep() <= sweep : change.sweep() == sweep;
            if (isMeant && (found == null || (found.sweep() == change.sweep() && change.sweep() == sweep))) {
                found = change;
            }
            if (found != null && (change.isFirst() || change.sweep() < found.sweep())) {
                return Optional.of(found);
            }
            isLastRun &= !change.isFirst();
        }
        return Optional.ofNullable(found);
    }

    /** Returns the change whose state was active at a time. */
    public Optional<Change> at(Instant time) {
        return changes().stream().filter(change -> !change.at().isAfter(time)).reduce((a, b) -> b);
    }

    /**
     * Returns the state after a change.
     *
     * @param sites positions of nodes in the machine room, which are not recorded
     * @throws IOException if it is no longer kept, or cannot be read
     */
    public PastState state(Change change, SiteMap sites) throws IOException {
        return StateReader.read(change, rows(change), sites);
    }

    /**
     * Returns the difference between two states.
     *
     * @throws IOException if one of them is no longer kept, or cannot be read
     */
    public StateDifference difference(Change previous, Change after) throws IOException {
        return Differences.of(previous, rows(previous), after, rows(after));
    }

    private NavigableMap<RowKey, byte[]> rows(Change change) throws IOException {
        List<ChangeRecord> needed = new ArrayList<>();
        synchronized (chains) {
            for (Chain chain : chains) {
                int index = chain.records.stream()
                        .map(ChangeRecord::change)
                        .toList()
                        .indexOf(change);
                if (index >= 0) {
                    needed.addAll(chain.records.subList(0, index + 1));
                }
            }
        }
        if (needed.isEmpty()) {
            throw new IOException("it is not kept any more");
        }
        NavigableMap<RowKey, byte[]> rows = new TreeMap<>();
        for (ChangeRecord record : needed) {
            record.apply(rows);
        }
        return rows;
    }

    /** Records all waiting states; on the loop that writes state files, at shutdown. */
    public void flush() {
        boolean isMore = true;
        while (isMore) {
            recordNext();
            synchronized (waiting) {
                isMore = !waiting.isEmpty();
            }
        }
        log.close();
    }
}
