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
 * What was accepted as the fabric that is meant, in the file {@code expected} of the state directory, and what differs from
 * it. Any thread asks; {@link #look} and {@link #forgetSubnet} are for the loop of the SM.
 */
public final class Inventory {
    private static final EventLog EVENTS = EventLog.of(Inventory.class);

    private final StateDirectory directory;
    private final Supplier<List<Drain>> drains;
    private volatile ExpectedFabric expected;
    private volatile @Nullable Compared last;
    private boolean differs;

    /** Whether it was accepted here since this SM began with a file. */
    private volatile boolean isAcceptedHere;

    /** A comparison that was made, for as long as both are the same. */
    private record Compared(
            ExpectedFabric expected,
            Fabric found,
            List<Drain> drains,
            List<Difference> differences,
            List<Difference> drained) {
        static Compared of(ExpectedFabric expected, Fabric found, List<Drain> drains) {
            Map<Boolean, List<Difference>> all = expected.isEmpty()
                    ? Map.of()
                    : Comparison.of(expected, ExpectedFabric.of(found), drains).stream()
                            .collect(Collectors.partitioningBy(each -> each.kind() == Difference.Kind.DRAINED));
            return new Compared(
                    expected, found, drains, all.getOrDefault(false, List.of()), all.getOrDefault(true, List.of()));
        }
    }

    /**
     * Reads what was accepted; a file that cannot be used is an event, and stays as it is. With replication, the file of the
     * master replaces it.
     *
     * @param drains what is not to be used for a while, and so is not found; another list whenever that changes
     */
    public Inventory(StateDirectory directory, Supplier<List<Drain>> drains) {
        this.directory = directory;
        this.drains = drains;
        this.expected = directory
                .readInPlace(ExpectedFile.FILE, new ExpectedFile.Lines())
                .orElse(ExpectedFabric.NONE);
        directory.follow(ExpectedFile.FILE, ExpectedFile.Lines::new, new Inheriting());
    }

    /** What was accepted at another SM. */
    private final class Inheriting implements StateSuccessor<ExpectedFabric> {
        @Override
        public void replace(ExpectedFabric adopted) {
            isAcceptedHere = false;
            expected = adopted;
        }

        /** The other one's is newer, unless something was accepted here. */
        @Override
        public void complete(ExpectedFabric adopted) {
            if (!isAcceptedHere && !adopted.equals(expected)) {
                expected = adopted;
                directory.write(ExpectedFile.FILE, () -> ExpectedFile.lines(adopted));
            }
        }
    }

    /**
     * A fabric as a file has it that was written by {@link #accept}, or by hand without first and last line.
     *
     * @throws StateFile.Damage if it is none; names the line
     */
    public static ExpectedFabric read(byte[] file) throws StateFile.Damage {
        return ExpectedFile.FILE.parse(file, new ExpectedFile.Lines());
    }

    /** What was accepted; empty if nothing was. */
    public ExpectedFabric expected() {
        return expected;
    }

    /**
     * What differs from what was accepted, the worst first; nothing as long as nothing was. What is drained is no difference, see
     * {@link #drained}.
     */
    public List<Difference> against(Fabric found) {
        return compared(found).differences();
    }

    /** What is expected and not found since it is drained or isolated. */
    public List<Difference> drained(Fabric found) {
        return compared(found).drained();
    }

    @SuppressWarnings("ReferenceEquality") // another object may be equal, and then is only compared once more
    private Compared compared(Fabric found) {
        ExpectedFabric wanted = expected;
        List<Drain> out = drains.get();
        Compared known = last;
        if (known == null || known.expected() != wanted || known.found() != found || known.drains() != out) {
            known = Compared.of(wanted, found, out);
            last = known;
        }
        return known;
    }

    /** What would differ if another fabric than the one that was accepted were found. */
    public List<Difference> changesTo(ExpectedFabric other) {
        return expected.isEmpty() ? List.of() : Comparison.of(expected, other);
    }

    /**
     * Expects another fabric from now on, or nothing.
     *
     * @param then whether it is on the disk
     */
    public void accept(ExpectedFabric wanted, Consumer<Boolean> then) {
        isAcceptedHere = true;
        expected = wanted;
        directory.write(ExpectedFile.FILE, () -> ExpectedFile.lines(wanted), then);
    }

    /** Reports if what is found begins to differ from what was accepted, and if it ends to. */
    public void look(Fabric found) {
        List<Difference> now = against(found);
        if (now.isEmpty() == differs) {
            differs = !now.isEmpty();
            if (differs) {
                EVENTS.report(finding(now));
            } else {
                EVENTS.report(SmEvent.INVENTORY_AGREES);
            }
        }
    }

    /**
     * Returns what differences amount to.
     *
     * @param differences at least one, the worst first
     */
    public static Finding finding(List<Difference> differences) {
        Difference worst = differences.get(0);
        return Finding.of(
                SmEvent.INVENTORY_DIFFERS,
                EventField.COUNT.of(differences.size()),
                EventField.TEXT.of(worst.kind().label() + ": " + worst.text()));
    }

    /** Another SM is master: what differs is its to report. */
    public void forgetSubnet() {
        differs = false;
    }
}
