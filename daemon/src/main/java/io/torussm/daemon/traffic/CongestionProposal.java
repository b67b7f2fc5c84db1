package io.torussm.daemon.traffic;

import io.torussm.congestion.CongestionOptions;
import io.torussm.mad.congestion.CaCongestionSetting;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Settings of congestion control that are the same for all SLs, with a table of even steps.
 *
 * @param threshold cc_sw_cong_setting_threshold, 1 to 15
 * @param markingRate cc_sw_cong_setting_marking_rate
 * @param timer CCTI_Timer, in units of 1.024 us
 * @param increase CCTI_Increase
 * @param step delay of each entry more than of the previous one, in eighths of a packet's time
 */
record CongestionProposal(int threshold, int markingRate, int timer, int increase, int step) {
    /**
     * The defaults of Mellanox's congestion control manager (User Manual Rev 2.3-1.0.1, 3.2.2.8.1): threshold 15, a
     * mark each ten packets, packets of 512 bytes and more, increase 1. It computes timer and table from the number
     * of hosts, by a rule that is not published; those here are our own.
     */
    static final CongestionProposal PUBLISHED = new CongestionProposal(15, 10, 20, 1, 8);

    private static final int VALID = 0b10100;
    private static final int PACKET_SIZE = 8;
    private static final int EIGHTHS = 3;
    private static final int MAX_THRESHOLD = 15;
    private static final int MAX_RATE = 64;
    private static final int MAX_TIMER = 200;
    private static final int MAX_INCREASE = 8;
    private static final int MAX_STEP = 64;

    /** Limits of the fields of the wire. */
    private static final int MAX_SCALED_TIMER = 0xffff;

    private static final int MAX_SCALED_STEP = 0x3fff / (CongestionOptions.MAX_ENTRIES - 1);

    /** Four notifications lead to the end of the table. */
    private static final int SCALED_INCREASE = CongestionOptions.MAX_ENTRIES / 4;

    private static final long TIMER_UNIT_PS = 1_024_000;

    /**
     * Returns settings for a hot spot to which all hosts send. Each packet is marked. The timer is as long as a packet
     * of each host, so that a flow is marked again before its index falls. The last entry of the table delays a flow by
     * a packet of each host, so that all of them together fit. A delay ends at 2,047 packets, the limit of the field.
     *
     * @param packetPs time of a packet on the cable of a host
     */
    static CongestionProposal scaledTo(int hosts, long packetPs) {
        return new CongestionProposal(
                MAX_THRESHOLD,
                0,
                (int) Math.min(MAX_SCALED_TIMER, 1 + hosts * packetPs / TIMER_UNIT_PS),
                SCALED_INCREASE,
                Math.min(MAX_SCALED_STEP, 1 + (hosts << EIGHTHS) / (CongestionOptions.MAX_ENTRIES - 1)));
    }

    /**
     * Returns random settings.
     *
     * @param widest the strongest settings that may be necessary
     */
    static CongestionProposal random(SplittableRandom random, CongestionProposal widest) {
        return new CongestionProposal(
                1 + random.nextInt(MAX_THRESHOLD),
                power(random, MAX_RATE) - 1,
                power(random, Math.max(MAX_TIMER, widest.timer)),
                power(random, Math.max(MAX_INCREASE, widest.increase)),
                power(random, Math.max(MAX_STEP, widest.step)));
    }

    /** Returns a number from 1 to a maximum, each octave as often. */
    private static int power(SplittableRandom random, int max) {
        return (int) Math.round(Math.pow(max, random.nextDouble()));
    }

    /** Returns similar settings, see {@link #random}. */
    CongestionProposal neighbour(SplittableRandom random, CongestionProposal widest) {
        CongestionProposal other = random(random, widest);
        int changed = random.nextInt(1 << 5);
        return new CongestionProposal(
                (changed & 1) == 0 ? threshold : Math.floorMod(threshold + random.nextInt(5) - 3, MAX_THRESHOLD) + 1,
                (changed & 2) == 0 ? markingRate : (markingRate + other.markingRate) / 2,
                (changed & 4) == 0 ? timer : (timer + other.timer + 1) / 2,
                (changed & 8) == 0 ? increase : other.increase,
                (changed & 16) == 0 ? step : (step + other.step + 1) / 2);
    }

    private List<Integer> table() {
        return IntStream.range(0, CongestionOptions.MAX_ENTRIES)
                .mapToObj(i -> i == 0 ? 0 : EIGHTHS << 14 | i * step)
                .toList();
    }

    private static List<Integer> sameForEachSl(int value) {
        return Collections.nCopies(CaCongestionSetting.SLS, value);
    }

    /** Returns the options of the SM. */
    CongestionOptions options() {
        return new CongestionOptions(
                true,
                0,
                1,
                new CongestionOptions.Marking(
                        VALID, BigInteger.ZERO, BigInteger.ZERO, threshold, PACKET_SIZE, 0, 0, markingRate),
                new CongestionOptions.Reaction(
                        0, 0xffff, sameForEachSl(timer), sameForEachSl(increase), sameForEachSl(0), sameForEachSl(0)),
                table());
    }

    /** Returns the lines of the SM's configuration. */
    List<String> lines() {
        return List.of(
                "congestion_control = true",
                "cc_sw_cong_setting_control_map = " + VALID,
                "cc_sw_cong_setting_threshold = " + threshold,
                "cc_sw_cong_setting_packet_size = " + PACKET_SIZE,
                "cc_sw_cong_setting_marking_rate = " + markingRate,
                "cc_ca_cong_setting_control_map = " + 0xffff,
                "cc_ca_cong_setting_ccti_timer = \"" + bySl(timer) + "\"",
                "cc_ca_cong_setting_ccti_increase = \"" + bySl(increase) + "\"",
                "cc_cct = \""
                        + table().stream()
                                .map(entry -> (entry >> 14) + ":" + (entry & 0x3fff))
                                .collect(Collectors.joining(","))
                        + "\"");
    }

    private static String bySl(int value) {
        return IntStream.range(0, CaCongestionSetting.SLS)
                .mapToObj(sl -> sl + ":" + value)
                .collect(Collectors.joining(","));
    }

    @Override
    public String toString() {
        return "threshold " + threshold + ", rate " + markingRate + ", timer " + timer + ", increase " + increase
                + ", step " + step + "/8";
    }
}
