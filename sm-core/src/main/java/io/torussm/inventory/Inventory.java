package io.torussm.inventory;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.state.StateSuccessor;
import io.torussm.subnet.Drains.Drain;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The accepted fabric, in the file {@code expected} of the state directory, and its differences from the
 * found one. Any thread may read; {@link #reportDifferences} and {@link #forgetSubnet} are for the loop of the SM.
 */
public final class Inventory {
    private static final EventLog EVENTS = EventLog.of(Inventory.class);

    private final StateDirectory directory;
    private final Supplier<List<Drain>> drains;
    private volatile ExpectedFabric expected;
    private volatile @Nullable CachedComparison lastComparison;
    private boolean hasReported;

    /** Set if a fabric was accepted here since the start of this SM with a file. */
    private volatile boolean isAcceptedHere;

    /** The last comparison, reused while both fabrics are the same. */
    private record CachedComparison(
            ExpectedFabric expected,
            Fabric found,
            List<Drain> drains,
            List<Difference> differences,
            List<Difference> drained) {
        static CachedComparison of(ExpectedFabric expected, Fabric found, List<Drain> drains) {
            Map<Boolean, List<Difference>> all = expected.isEmpty()
                    ? Map.of()
                    : Comparison.of(expected, ExpectedFabric.of(found), drains).stream()
                            .collect(Collectors.partitioningBy(
                                    each -> each.kind() == Difference.DifferenceType.DRAINED));
            return new CachedComparison(
                    expected, found, drains, all.getOrDefault(false, List.of()), all.getOrDefault(true, List.of()));
        }
    }

    /**
     * Reads the accepted fabric. An unusable file is reported, and remains unchanged. With replication, the
     * file of the master replaces it.
     *
     * @param drains the present drains, whose parts are absent temporarily; a new list after each change
     */
    public Inventory(StateDirectory directory, Supplier<List<Drain>> drains) {
        this.directory = directory;
        this.drains = drains;
        this.expected = directory
                .readInPlace(ExpectedFile.FILE, new ExpectedFile.ExpectedLines())
                .orElse(ExpectedFabric.NONE);
        directory.register(ExpectedFile.FILE, ExpectedFile.ExpectedLines::new, new InventorySuccessor());
    }

    /** The successor to the inventory that was accepted at another SM. */
    private final class InventorySuccessor implements StateSuccessor<ExpectedFabric> {
        @Override
        public void replace(ExpectedFabric adopted) {
            isAcceptedHere = false;
            expected = adopted;
        }

        /** Replaces the accepted fabric by the newer one of the other SM, unless one was accepted here. */
        @Override
        public void complete(ExpectedFabric adopted) {
            if (!isAcceptedHere && !adopted.equals(expected)) {
                expected = adopted;
                directory.write(ExpectedFile.FILE, () -> ExpectedFile.lines(adopted));
            }
        }
    }

    /**
     * Reads a fabric from a file that {@link #accept} wrote, or a hand-written one without first and last
     * line.
     *
     * @throws StateFile.DamagedFileException if it is invalid; names the line
     */
    public static ExpectedFabric read(byte[] file) throws StateFile.DamagedFileException {
        return ExpectedFile.FILE.parse(file, new ExpectedFile.ExpectedLines());
    }

    /** Returns the accepted fabric; empty if there is none. */
    public ExpectedFabric expected() {
        return expected;
    }

    /**
     * Returns the differences from the accepted fabric, the worst first; none if no fabric was accepted.
     * Drained parts are not included, see {@link #drained}.
     */
    public List<Difference> differencesOf(Fabric found) {
        return comparison(found).differences();
    }

    /** Returns the expected parts that are absent because they are drained or isolated. */
    public List<Difference> drained(Fabric found) {
        return comparison(found).drained();
    }

    @SuppressWarnings("ReferenceEquality") // Another object may be equal; it is compared once more.
    private CachedComparison comparison(Fabric found) {
        ExpectedFabric wanted = expected;
        List<Drain> out = drains.get();
        CachedComparison known = lastComparison;
        if (known == null || known.expected() != wanted || known.found() != found || known.drains() != out) {
            known = CachedComparison.of(wanted, found, out);
            lastComparison = known;
        }
        return known;
    }

    /** Returns the differences between the accepted fabric and another one. */
    public List<Difference> changesTo(ExpectedFabric other) {
        return expected.isEmpty() ? List.of() : Comparison.of(expected, other);
    }

    /**
     * Sets the expected fabric, or none.
     *
     * @param then receives whether it is on the disk
     */
    public void accept(ExpectedFabric wanted, Consumer<Boolean> then) {
        isAcceptedHere = true;
        expected = wanted;
        directory.write(ExpectedFile.FILE, () -> ExpectedFile.lines(wanted), then);
    }

    /** Reports the begin and end of differences between the found and the accepted fabric. */
    public void reportDifferences(Fabric found) {
        List<Difference> current = differencesOf(found);
        if (current.isEmpty() == hasReported) {
            hasReported = !current.isEmpty();
            if (hasReported) {
                EVENTS.report(finding(current));
            } else {
                EVENTS.report(SmEvent.INVENTORY_AGREES);
            }
        }
    }

    /**
     * Returns the finding for differences.
     *
     * @param differences differences, at least one, the worst first
     */
    public static Finding finding(List<Difference> differences) {
        Difference worst = differences.get(0);
        return Finding.of(
                SmEvent.INVENTORY_DIFFERS,
                EventField.COUNT.of(differences.size()),
                EventField.TEXT.of(worst.kind().label() + ": " + worst.text()));
    }

    /** Drops the last result, because another SM is master and reports differences. */
    public void forgetSubnet() {
        hasReported = false;
    }
}
