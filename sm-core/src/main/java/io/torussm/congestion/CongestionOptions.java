package io.torussm.congestion;

import io.torussm.mad.Field;
import io.torussm.mad.congestion.CaCongestionSetting;
import io.torussm.mad.congestion.CongestionControlTable;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of congestion control, with OpenSM's names, meanings and defaults.
 *
 * @param isCongestionControlled congestion_control
 * @param congestionKey cc_key; 0 for none
 * @param congestionMads cc_max_outstanding_mads
 * @param marking what switches are set to
 * @param reaction what ports of channel adapters are set to
 * @param delayTable cc_cct: entries of the CongestionControlTable, each CCT_Shift in the two highest of 16 bits and
 *     CCT_Multiplier; at most {@value #MAX_ENTRIES}
 */
public record CongestionOptions(
        boolean isCongestionControlled,
        long congestionKey,
        int congestionMads,
        Marking marking,
        Reaction reaction,
        List<Integer> delayTable) {
    /** OpenSM's limit of cc_cct: two blocks. */
    public static final int MAX_ENTRIES = 128;

    private static final int MASK_BYTES = 32;
    private static final int MAX_SHIFT = 3;
    private static final int MAX_MULTIPLIER = 0x3fff;
    private static final int SHIFT_POSITION = 14;
    private static final Pattern PAIR = Pattern.compile("(\\d{1,5}):(\\d{1,5})");

    /**
     * The content of SwitchCongestionSetting, from the options cc_sw_cong_setting_*.
     *
     * @param markingMap control_map: valid fields
     * @param victimMask bit p: port p marks packets that wait for credits
     * @param creditMask bit p: credit starvation at port p
     * @param markingThreshold 0 (no marking), 1 (late) to 15 (early)
     * @param markedPacketSize smaller packets are not marked, units of 64 bytes
     * @param starvationThreshold CS_Threshold, 0 to 15
     * @param starvationDelay CS_ReturnDelay: shift in the two highest of 16 bits, and multiplier
     * @param markingRate mean number of eligible packets from one mark to the next
     */
    public record Marking(
            int markingMap,
            BigInteger victimMask,
            BigInteger creditMask,
            int markingThreshold,
            int markedPacketSize,
            int starvationThreshold,
            int starvationDelay,
            int markingRate) {
        /** Returns the attribute. */
        public SwitchCongestionSetting attribute() {
            return SwitchCongestionSetting.TYPE
                    .zero()
                    .with(SwitchCongestionSetting.CONTROL_MAP, markingMap)
                    .with(SwitchCongestionSetting.VICTIM_MASK, bytes(victimMask))
                    .with(SwitchCongestionSetting.CREDIT_MASK, bytes(creditMask))
                    .with(SwitchCongestionSetting.THRESHOLD, markingThreshold)
                    .with(SwitchCongestionSetting.PACKET_SIZE, markedPacketSize)
                    .with(SwitchCongestionSetting.CS_THRESHOLD, starvationThreshold)
                    .with(SwitchCongestionSetting.CS_RETURN_DELAY, starvationDelay)
                    .with(SwitchCongestionSetting.MARKING_RATE, markingRate);
        }

        private static byte[] bytes(BigInteger mask) {
            byte[] all = new byte[MASK_BYTES];
            byte[] bytes = mask.toByteArray();
            int length = Math.min(bytes.length, MASK_BYTES);
            System.arraycopy(bytes, bytes.length - length, all, MASK_BYTES - length, length);
            return all;
        }
    }

    /**
     * The content of CACongestionSetting, from the options cc_ca_cong_setting_*. Lists have a value for each SL.
     *
     * @param portControl bit 0: control by SL and port instead of by QP
     * @param reactionMap control_map: bit s for a valid entry of SL s
     * @param cctiTimer units of 1.024 us
     * @param cctiIncrease rise of the index with each notification
     * @param triggerThreshold index that is logged
     * @param cctiMin lowest index
     */
    public record Reaction(
            int portControl,
            int reactionMap,
            List<Integer> cctiTimer,
            List<Integer> cctiIncrease,
            List<Integer> triggerThreshold,
            List<Integer> cctiMin) {
        /** Copies the lists. */
        public Reaction {
            cctiTimer = List.copyOf(cctiTimer);
            cctiIncrease = List.copyOf(cctiIncrease);
            triggerThreshold = List.copyOf(triggerThreshold);
            cctiMin = List.copyOf(cctiMin);
        }

        /** Returns the attribute. */
        public CaCongestionSetting attribute() {
            byte[] bytes = new byte[CaCongestionSetting.TYPE.layout().size()];
            CaCongestionSetting.PORT_CONTROL.set(bytes, 0, portControl);
            CaCongestionSetting.CONTROL_MAP.set(bytes, 0, reactionMap);
            fill(bytes, cctiTimer, CaCongestionSetting.Entry::timer);
            fill(bytes, cctiIncrease, CaCongestionSetting.Entry::increase);
            fill(bytes, triggerThreshold, CaCongestionSetting.Entry::triggerThreshold);
            fill(bytes, cctiMin, CaCongestionSetting.Entry::minimum);
            return CaCongestionSetting.TYPE.read(bytes, 0);
        }

        private static void fill(byte[] bytes, List<Integer> values, Function<CaCongestionSetting.Entry, Field> field) {
            for (int sl = 0; sl < values.size(); sl++) {
                field.apply(CaCongestionSetting.entry(sl)).set(bytes, 0, values.get(sl));
            }
        }
    }

    /** Copies the table. */
    public CongestionOptions {
        delayTable = List.copyOf(delayTable);
    }

    /**
     * Returns the blocks of the CongestionControlTable. As in OpenSM, a table of no or one entry is one empty block
     * with limit 0.
     */
    public List<CongestionControlTable> table() {
        List<CongestionControlTable> blocks = new ArrayList<>();
        int size = delayTable.size() > 1 ? delayTable.size() : 0;
        int limit = Math.max(0, size - 1);
        for (int at = 0; at == 0 || at < size; at += CongestionControlTable.ENTRIES) {
            int[] entries =
                    delayTable.subList(Math.min(at, size), Math.min(at + CongestionControlTable.ENTRIES, size)).stream()
                            .mapToInt(Integer::intValue)
                            .toArray();
            blocks.add(CongestionControlTable.of(limit, entries));
        }
        return blocks;
    }

    /**
     * Parses a mask of ports: a hexadecimal number of at most 256 bits.
     *
     * @throws IllegalArgumentException with the end of a sentence that begins with the setting's name
     */
    public static BigInteger mask(String text) {
        if (!text.matches("0[xX][0-9a-fA-F]{1,64}")) {
            throw new IllegalArgumentException("must be 0x and up to 64 hexadecimal digits");
        }
        return new BigInteger(text.substring(2), 16);
    }

    /**
     * Parses SHIFT:MULTIPLIER.
     *
     * @return the shift in the two highest of 16 bits, and the multiplier
     * @throws IllegalArgumentException with the end of a sentence that begins with the setting's name
     */
    public static int delay(String text) {
        int[] pair = pair(text, MAX_SHIFT, MAX_MULTIPLIER, "SHIFT:MULTIPLIER");
        return pair[0] << SHIFT_POSITION | pair[1];
    }

    /**
     * Parses a list of SHIFT:MULTIPLIER with commas; empty for no table.
     *
     * @throws IllegalArgumentException with the end of a sentence that begins with the setting's name
     */
    public static List<Integer> table(String text) {
        List<Integer> entries =
                items(text).stream().map(CongestionOptions::delay).toList();
        if (entries.size() > MAX_ENTRIES) {
            throw new IllegalArgumentException("must have at most " + MAX_ENTRIES + " entries");
        }
        return entries;
    }

    /**
     * Parses a list of SL:VALUE with commas. SLs that are not given have 0.
     *
     * @throws IllegalArgumentException with the end of a sentence that begins with the setting's name
     */
    public static List<Integer> bySl(String text, int max) {
        List<Integer> values = new ArrayList<>(Collections.nCopies(CaCongestionSetting.SLS, 0));
        for (String item : items(text)) {
            int[] pair = pair(item, CaCongestionSetting.SLS - 1, max, "SL:VALUE");
            values.set(pair[0], pair[1]);
        }
        return List.copyOf(values);
    }

    private static List<String> items(String text) {
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    private static int[] pair(String text, int maxFirst, int maxSecond, String form) {
        Matcher matcher = PAIR.matcher(text);
        if (matcher.matches()) {
            int first = Integer.parseInt(matcher.group(1));
            int second = Integer.parseInt(matcher.group(2));
            if (first <= maxFirst && second <= maxSecond) {
                return new int[] {first, second};
            }
        }
        throw new IllegalArgumentException("must be " + form + ", 0 to " + maxFirst + " and 0 to " + maxSecond);
    }

    /** Omits the key. */
    @Override
    public String toString() {
        return "CongestionOptions[" + isCongestionControlled + ", " + marking + ", " + reaction + ", " + delayTable
                + "]";
    }
}
