package io.torussm.deadlock;

/**
 * Tables that lose packets, independently of credit loops.
 *
 * @param kind the fault
 * @param sourcePort port index of an end port whose packets are lost
 * @param dlid the destination LID of these packets
 * @param sl an SL that these packets may carry
 * @param text the lost packet and the place of its loss, for the operator
 */
public record BrokenTables(TableFault kind, int sourcePort, int dlid, int sl, String text) implements Verdict {
    /** A fault of forwarding or SL2VL tables. */
    public enum TableFault {
        /** The linear forwarding tables have a loop for the LID. */
        LOOP,
        /** A table has no entry for the LID, or an entry of a port without a link. */
        DEAD_END,
        /** The packet is delivered to an end port that does not have the LID. */
        MISDELIVERY,
        /** A data packet is mapped to VL15 and discarded (IBA 7.6.6). */
        VL15
    }
}
