package io.torussm.deadlock;

/**
 * Tables that lose packets, whatever they do to each other.
 *
 * @param kind what goes wrong
 * @param sourcePort port index of an end port whose packets are lost
 * @param dlid the destination LID that they are sent to
 * @param sl an SL that they may carry
 * @param text what happens to them, hop by hop
 */
public record BrokenTables(Kind kind, int sourcePort, int dlid, int sl, String text) implements Verdict {
    /** The ways in which a table can be broken. */
    public enum Kind {
        /** The linear forwarding tables send the LID in circles. */
        LOOP,
        /** A table has no entry for the LID, or one that leads to nothing. */
        DEAD_END,
        /** The packet is handed to an end port that does not have the LID. */
        MISDELIVERY,
        /** A data packet is mapped to VL15 and discarded (IBA 7.6.6). */
        VL15
    }
}
