package io.torussm.sweep.state;

import io.torussm.event.EventField;
import java.util.List;

/**
 * The work of a sweep, or of several.
 *
 * @param blocks table entries written: LFT, multicast and P_Key blocks, SL2VL rows, VL arbitration parts, SwitchInfo
 * @param activated ports that became ACTIVE
 * @param smpsSent SMPs sent, retries included
 */
public record SweepWork(long blocks, long activated, long smpsSent) {
    /** No work. */
    public static final SweepWork NONE = new SweepWork(0, 0, 0);

    /** Returns the sum of the work of several sweeps. */
    public SweepWork plus(SweepWork other) {
        return new SweepWork(blocks + other.blocks, activated + other.activated, smpsSent + other.smpsSent);
    }

    /** Returns the numbers as fields of an event. */
    public List<EventField.Value> fields() {
        return List.of(EventField.BLOCKS.of(blocks), EventField.ACTIVATED.of(activated), EventField.SMPS.of(smpsSent));
    }

    /** Returns the numbers in words, as a part of a line. */
    @Override
    public String toString() {
        return blocks
                + (blocks == 1 ? " table block written, " : " table blocks written, ")
                + activated
                + (activated == 1 ? " port activated, " : " ports activated, ")
                + smpsSent
                + (smpsSent == 1 ? " SMP" : " SMPs");
    }
}
