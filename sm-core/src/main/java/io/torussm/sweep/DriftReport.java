package io.torussm.sweep;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.view.FabricState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of reading back what devices hold.
 *
 * @param isRunning whether a pass over all devices is under way
 * @param left devices that are still to be read
 * @param ended when the last pass over all devices ended; null if none has
 * @param seconds that it took
 * @param passes that ended
 * @param reads answers to Gets, all in all
 * @param differences found, all in all
 * @param open devices that differed and have not been seen in order since, the oldest first
 */
public record DriftReport(
        boolean isRunning,
        int left,
        @Nullable Instant ended,
        long seconds,
        long passes,
        long reads,
        long differences,
        List<Drift> open) {
    /** Nothing was read yet. */
    public static final DriftReport NOTHING = new DriftReport(false, 0, null, 0, 0, 0, 0, List.of());

    public DriftReport {
        open = List.copyOf(open);
    }

    /**
     * The state of a fabric, with the devices that differ: what comes through to them, to others and to this SM is not certain.
     */
    public FabricState on(FabricState state) {
        if (open.isEmpty()) {
            return state;
        }
        Drift first = open.get(0);
        String others = open.size() == 1 ? "" : "; so do " + (open.size() - 1) + " other devices";
        return state.drifted(new FabricState.Noted(
                Finding.of(
                        SmEvent.DRIFT_FOUND,
                        EventField.NAME.of(first.name()),
                        EventField.TEXT.of(first.text() + others + "; hosts may not reach each other or this SM")),
                first.at()));
    }

    /**
     * The first difference of a device.
     *
     * @param at when it was found
     * @param name of the device
     * @param attribute that was read, such as {@code LinearForwardingTable}
     * @param entry in it
     * @param wanted what was written there
     * @param found what is there
     * @param more differing entries of this device
     */
    public record Drift(
            Instant at,
            long nodeGuid,
            String name,
            String attribute,
            String entry,
            String wanted,
            String found,
            long more) {
        /** For people, without the device. */
        public String text() {
            return attribute + " " + entry + ": wanted " + wanted + ", found " + found
                    + (more > 0 ? ", and " + more + " more" : "");
        }

        Drift and(long others) {
            return new Drift(at, nodeGuid, name, attribute, entry, wanted, found, more + others);
        }
    }
}
