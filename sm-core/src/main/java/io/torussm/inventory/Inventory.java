package io.torussm.inventory;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.state.StateDirectory;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What was accepted as the fabric that is meant, in the file {@code expected} of the state directory, and what differs from
 * it. Any thread asks; {@link #look} and {@link #forgetSubnet} are for the loop of the SM.
 */
public final class Inventory {
    private static final EventLog EVENTS = EventLog.of(Inventory.class);

    private final StateDirectory directory;
    private volatile ExpectedFabric expected;
    private volatile @Nullable Compared last;
    private boolean differs;

    /** A comparison that was made, for as long as both are the same. */
    private record Compared(ExpectedFabric expected, Fabric found, List<Difference> differences) {}

    /** Reads what was accepted; a file that cannot be used is an event, and stays as it is. */
    public Inventory(StateDirectory directory) {
        this.directory = directory;
        this.expected = directory
                .readInPlace(ExpectedFile.FILE, new ExpectedFile.Lines())
                .orElse(ExpectedFabric.NONE);
    }

    /** What was accepted; empty if nothing was. */
    public ExpectedFabric expected() {
        return expected;
    }

    /** What differs from what was accepted, the worst first; nothing as long as nothing was. */
    @SuppressWarnings("ReferenceEquality") // another object may be equal, and then is only compared once more
    public List<Difference> against(Fabric found) {
        ExpectedFabric wanted = expected;
        Compared known = last;
        if (known == null || known.expected() != wanted || known.found() != found) {
            known = new Compared(
                    wanted, found, wanted.isEmpty() ? List.of() : Comparison.of(wanted, ExpectedFabric.of(found)));
            last = known;
        }
        return known.differences();
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
        expected = wanted;
        directory.write(ExpectedFile.FILE, () -> ExpectedFile.lines(wanted), then);
    }

    /** Reports if what is found begins to differ from what was accepted, and if it ends to. */
    public void look(Fabric found) {
        List<Difference> now = against(found);
        if (now.isEmpty() == differs) {
            differs = !now.isEmpty();
            if (differs) {
                EVENTS.report(
                        SmEvent.INVENTORY_DIFFERS,
                        EventField.COUNT.of(now.size()),
                        EventField.TEXT.of(
                                now.get(0).kind().label() + ": " + now.get(0).text()));
            } else {
                EVENTS.report(SmEvent.INVENTORY_AGREES);
            }
        }
    }

    /** Another SM is master: what differs is its to report. */
    public void forgetSubnet() {
        differs = false;
    }
}
