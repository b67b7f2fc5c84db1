package io.torussm.deadlock;

import java.util.List;

/**
 * Channels that wait for one another in a circle: packets that hold them all stop for ever.
 *
 * @param waits the circle; each waits for the next, the last for the first
 * @param text for the operator, a line for each channel
 */
public record Cycle(List<Wait> waits, String text) implements Verdict {

    /**
     * A channel, and a path on which it waits for the next one.
     *
     * @param port port index of the switch port by which packets leave
     * @param vl the virtual lane
     * @param sourcePort port index of an end port that sends such packets
     * @param dlid the destination LID that it sends them to
     * @param sl the SL that they carry
     */
    public record Wait(int port, int vl, int sourcePort, int dlid, int sl) {}

    public Cycle {
        waits = List.copyOf(waits);
    }
}
