package io.torussm.sweep.idle;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.view.FabricState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of the read-back of devices. Immutable.
 *
 * @param isRunning whether a pass over all devices is in progress
 * @param remainingDevices number of devices that are still to be read
 * @param lastPassEnd time of the end of the last pass over all devices; null if none has ended
 * @param seconds duration of the last completed pass in seconds; 0 if none has ended
 * @param passes number of completed passes
 * @param reads total number of completed Gets
 * @param differences total number of confirmed differing entries
 * @param openDrifts devices with differences that are not repaired yet, the oldest first
 */
public record DriftReport(
        boolean isRunning,
        int remainingDevices,
        @Nullable Instant lastPassEnd,
        long seconds,
        long passes,
        long reads,
        long differences,
        List<Drift> openDrifts) {
    /** The state before the first read. */
    public static final DriftReport NOTHING = new DriftReport(false, 0, null, 0, 0, 0, 0, List.of());

    public DriftReport {
        openDrifts = List.copyOf(openDrifts);
    }

    /**
     * Returns a copy of a fabric state with a finding for the devices that differ, if there are any: packets through
     * these devices may be lost.
     */
    public FabricState addTo(FabricState state) {
        if (openDrifts.isEmpty()) {
            return state;
        }
        Drift first = openDrifts.get(0);
        String others = openDrifts.size() == 1 ? "" : "; so do " + (openDrifts.size() - 1) + " other devices";
        return state.withDrift(new FabricState.TimedFinding(
                Finding.of(
                        SmEvent.DRIFT_FOUND,
                        EventField.NAME.of(first.name()),
                        EventField.TEXT.of(first.text() + others + "; hosts may not reach each other or this SM")),
                first.at()));
    }

    /**
     * The first difference of a device.
     *
     * @param at time of the detection
     * @param nodeGuid NodeGUID of the device
     * @param name name of the device
     * @param attribute attribute that was read, such as {@code LinearForwardingTable}
     * @param entry position in the attribute, as text
     * @param wanted the written value
     * @param found the present value
     * @param more number of further differing entries of this device
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
        /** Returns a text that does not name the device. */
        public String text() {
            return attribute + " " + entry + ": wanted " + wanted + ", found " + found
                    + (more > 0 ? ", and " + more + " more" : "");
        }

        Drift withMore(long others) {
            return new Drift(at, nodeGuid, name, attribute, entry, wanted, found, more + others);
        }
    }
}
