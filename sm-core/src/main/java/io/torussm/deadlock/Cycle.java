package io.torussm.deadlock;

import java.util.List;

/**
 * A credit loop: channels each of which waits for the next. If packets occupy all these channels, the packets stop for
 * ever.
 *
 * @param waits the cycle; each channel waits for the next, the last one for the first
 * @param text text for the operator, a line for each channel
 */
public record Cycle(List<Wait> waits, String text) implements Verdict {

    /**
     * A channel, and a path on which it waits for the next one.
     *
     * @param port port index of the egress port of the switch
     * @param vl the virtual lane, 0 to 14
     * @param sourcePort port index of an end port that sends such packets
     * @param dlid the destination LID of these packets
     * @param sl the SL of these packets
     */
    public record Wait(int port, int vl, int sourcePort, int dlid, int sl) {}

    public Cycle {
        waits = List.copyOf(waits);
    }
}
