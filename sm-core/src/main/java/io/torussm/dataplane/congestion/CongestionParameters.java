package io.torussm.dataplane.congestion;

import io.torussm.mad.Field;
import io.torussm.mad.congestion.CaCongestionSetting;
import io.torussm.mad.congestion.CongestionControlTable;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The settings of congestion control of all switches and hosts, as they are on the wire. Fields whose bit of a
 * Control_Map is 0 have no effect.
 *
 * @param marking settings of switches
 * @param reaction settings of hosts
 * @param table congestion control table of hosts, in blocks of {@value CongestionControlTable#ENTRIES} entries
 */
public record CongestionParameters(
        SwitchCongestionSetting marking, CaCongestionSetting reaction, List<CongestionControlTable> table) {
    private static final int CREDIT_BYTES = 64;
    private static final long TIMER_UNIT_NS = 1_024;
    private static final int SHIFT_AT = 14;
    private static final int MULTIPLIER = (1 << SHIFT_AT) - 1;

    public CongestionParameters {
        table = List.copyOf(table);
    }

    private boolean isValid(int bit) {
        return (marking.get(SwitchCongestionSetting.CONTROL_MAP) & bit) != 0;
    }

    /** Returns Threshold, 0 (no marks) to 15. */
    int threshold() {
        return isValid(SwitchCongestionSetting.THRESHOLD_VALID)
                ? (int) marking.get(SwitchCongestionSetting.THRESHOLD)
                : 0;
    }

    /** Returns the size of the smallest packet that is marked, in bytes. */
    int minMarkedBytes() {
        return isValid(SwitchCongestionSetting.THRESHOLD_VALID)
                ? CREDIT_BYTES * (int) marking.get(SwitchCongestionSetting.PACKET_SIZE)
                : 0;
    }

    /** Returns the number of eligible packets between two marks. */
    int markingRate() {
        return isValid(SwitchCongestionSetting.MARKING_RATE_VALID)
                ? (int) marking.get(SwitchCongestionSetting.MARKING_RATE)
                : 0;
    }

    /** Checks whether a port of a switch marks as a victim. */
    boolean isVictimMarked(int port) {
        return isValid(SwitchCongestionSetting.VICTIM_MASK_VALID)
                && isInMask(SwitchCongestionSetting.VICTIM_MASK, port);
    }

    /** Returns CS_Threshold of a port of a switch, 0 if it does not starve. */
    int starvationThreshold(int port) {
        return isValid(SwitchCongestionSetting.CREDIT_MASK_VALID)
                        && isValid(SwitchCongestionSetting.CREDIT_STARVATION_VALID)
                        && isInMask(SwitchCongestionSetting.CREDIT_MASK, port)
                ? (int) marking.get(SwitchCongestionSetting.CS_THRESHOLD)
                : 0;
    }

    /** Returns CS_ReturnDelay, see {@link #delay}. */
    int starvationDelay() {
        return (int) marking.get(SwitchCongestionSetting.CS_RETURN_DELAY);
    }

    private boolean isInMask(Field mask, int port) {
        byte[] bytes = marking.getBytes(mask);
        return (bytes[bytes.length - 1 - port / Byte.SIZE] >> port % Byte.SIZE & 1) != 0;
    }

    /** Checks whether a flow is all packets of an SL of a host, instead of a QP. */
    boolean isBySl() {
        return (reaction.get(CaCongestionSetting.PORT_CONTROL) & 1) != 0;
    }

    /** Checks whether hosts slow flows of an SL down: it has a timer, and there is a table. */
    boolean isThrottled(int sl) {
        return (reaction.get(CaCongestionSetting.CONTROL_MAP) >> sl & 1) != 0 && timerNs(sl) > 0 && limit() > 0;
    }

    /** Returns CCTI_Timer, in nanoseconds. */
    long timerNs(int sl) {
        return TIMER_UNIT_NS * reaction.get(CaCongestionSetting.entry(sl).timer());
    }

    int increase(int sl) {
        return (int) reaction.get(CaCongestionSetting.entry(sl).increase());
    }

    int triggerThreshold(int sl) {
        return (int) reaction.get(CaCongestionSetting.entry(sl).triggerThreshold());
    }

    /** Returns CCTI_Min, at most the limit. */
    int minimum(int sl) {
        return Math.min(
                limit(), (int) reaction.get(CaCongestionSetting.entry(sl).minimum()));
    }

    /** Returns CCTI_Limit, less if there are fewer entries. */
    int limit() {
        int entries = CongestionControlTable.ENTRIES * table.size();
        return entries == 0 ? 0 : Math.min(entries - 1, (int) table.get(0).get(CongestionControlTable.CCTI_LIMIT));
    }

    /** Returns the entries of the table, by CCTI from 0 to {@link #limit}; empty without a table. */
    int[] delays() {
        return table.stream()
                .flatMapToInt(block ->
                        IntStream.range(0, CongestionControlTable.ENTRIES).map(block::entry))
                .limit(limit() + 1)
                .toArray();
    }

    /**
     * Returns a delay.
     *
     * @param entry an entry of {@link #delays}, or CS_ReturnDelay
     * @param packetPs time of a packet on a cable
     */
    static long delay(int entry, long packetPs) {
        return packetPs * (entry & MULTIPLIER) >> (entry >> SHIFT_AT);
    }
}
