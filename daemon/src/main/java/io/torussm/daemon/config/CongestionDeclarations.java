package io.torussm.daemon.config;

import static io.torussm.daemon.config.ValueType.bits64;
import static io.torussm.daemon.config.ValueType.bool;
import static io.torussm.daemon.config.ValueType.integer;

import io.torussm.congestion.CongestionOptions;
import java.util.List;

/** The settings of congestion control. */
final class CongestionDeclarations {
    private static final int BYTE = 0xff;
    private static final int WORD = 0xffff;
    private static final int NIBBLE = 0xf;
    private static final int MAX_CONTROL_MAP = 0x1f;
    private static final int MAX_MADS = 4096;
    private static final String NO_PORTS = "0x" + "0".repeat(64);
    private static final String SWITCH = "cc_sw_cong_setting_";
    private static final String ADAPTER = "cc_ca_cong_setting_";

    private CongestionDeclarations() {}

    /** Declares the settings. */
    static void declare() {
        draft("congestion_control", bool(), "false")
                .options("--congestion_control")
                .componentName("isCongestionControlled")
                .means("set congestion control of switches and channel adapters", "Taken away, it changes no device.");
        draft("cc_key", bits64(), "0")
                .options("--cc_key")
                .componentName("congestionKey")
                .secret()
                .means(
                        "CC_Key of Sets; 0: none",
                        "It is sent to ports that show it, and to switches that hide theirs.");
        draft("cc_max_outstanding_mads", integer(1, MAX_MADS), "500")
                .componentName("congestionMads")
                .means("limit of requests of congestion control in flight");
        declareSwitch();
        declareAdapter();
        draft("cc_cct", new ValueType.Parsed<>("SHIFT:MULT,...", CongestionOptions::table), "")
                .componentName("delayTable")
                .means("CongestionControlTable: SHIFT:MULTIPLIER with commas, at most 128; empty: no table");
    }

    private static void declareSwitch() {
        draft(SWITCH + "control_map", integer(0, MAX_CONTROL_MAP), "0")
                .componentName("markingMap")
                .means(
                        "fields of switches to set, a sum of 1, 2, 4, 8, 16",
                        "1: victim mask, 2: credit mask, 4: threshold and packet size, 8: credit starvation, 16: marking"
                                + " rate.");
        draft(SWITCH + "victim_mask", new ValueType.Parsed<>("0xMASK", CongestionOptions::mask), NO_PORTS)
                .componentName("victimMask")
                .means("switch ports that mark packets which wait for credits; bit p: port p");
        draft(SWITCH + "credit_mask", new ValueType.Parsed<>("0xMASK", CongestionOptions::mask), NO_PORTS)
                .componentName("creditMask")
                .means("switch ports with credit starvation; bit p: port p");
        draft(SWITCH + "threshold", integer(0, NIBBLE), "0")
                .componentName("markingThreshold")
                .means("when switches mark packets: 0 never, 1 late to 15 early");
        draft(SWITCH + "packet_size", integer(0, BYTE), "0")
                .componentName("markedPacketSize")
                .means("smaller packets are not marked, units of 64 bytes");
        draft(SWITCH + "credit_starvation_threshold", integer(0, NIBBLE), "0")
                .componentName("starvationThreshold")
                .means("threshold of credit starvation, 0 to 15");
        draft(
                        SWITCH + "credit_starvation_return_delay",
                        new ValueType.Parsed<>("SHIFT:MULT", CongestionOptions::delay),
                        "0:0")
                .componentName("starvationDelay")
                .means("delay of returned credits, SHIFT:MULTIPLIER");
        draft(SWITCH + "marking_rate", integer(0, WORD), "0")
                .componentName("markingRate")
                .means("mean number of packets from one mark to the next");
    }

    private static void declareAdapter() {
        draft(ADAPTER + "port_control", integer(0, WORD), "0")
                .componentName("portControl")
                .means("1: channel adapters slow down an SL of a port; 0: a QP");
        draft(ADAPTER + "control_map", integer(0, WORD), "0")
                .componentName("reactionMap")
                .means("SLs of channel adapters to set; bit s: SL s");
        draft(ADAPTER + "ccti_timer", bySl(WORD), "0:0")
                .componentName("cctiTimer")
                .means("SL:TIME with commas, units of 1.024 us after which an index falls");
        draft(ADAPTER + "ccti_increase", bySl(BYTE), "0:0")
                .componentName("cctiIncrease")
                .means("SL:N with commas, rise of an index with each notification");
        draft(ADAPTER + "trigger_threshold", bySl(BYTE), "0:0")
                .componentName("triggerThreshold")
                .means("SL:N with commas, index that is logged; 0: never");
        draft(ADAPTER + "ccti_min", bySl(BYTE), "0:0").componentName("cctiMin").means("SL:N with commas, lowest index");
    }

    private static ValueType<List<Integer>> bySl(int max) {
        return new ValueType.Parsed<>("SL:N,...", text -> CongestionOptions.bySl(text, max));
    }

    private static <T> SettingDraft<T> draft(String key, ValueType<T> type, String standard) {
        return Settings.in(SettingGroup.CONGESTION, Setting.Reload.NOW, key, type, standard);
    }
}
