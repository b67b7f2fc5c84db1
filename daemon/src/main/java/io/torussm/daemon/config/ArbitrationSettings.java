package io.torussm.daemon.config;

import io.torussm.qos.QosOptions;
import io.torussm.qos.QosOptions.PortSet;
import java.util.EnumMap;
import java.util.Map;

/** The settings of VL arbitration: a set for all ports, and one for each type of port. */
final class ArbitrationSettings {
    private ArbitrationSettings() {}

    /** Declares the settings. */
    static void declare() {
        for (PortSet set : PortSet.values()) {
            declare(set.prefix());
        }
    }

    private static void declare(String prefix) {
        draft(prefix + "max_vls", new ValueType.IntOrUnset(1, 15, 0), "0")
                .means("expected VLs, for warnings only; 0: not set", "max_op_vls limits VLs.");
        draft(prefix + "high_limit", new ValueType.IntOrUnset(0, 255, -1), "-1")
                .means("VLHighLimit, units of 4 KiB; 0: one packet, 255: no limit, -1: not set");
        draft(prefix + "vlarb_high", new ValueType.VlWeights(), "")
                .means("high-priority table, up to 64 VL:weight with commas; empty: not set");
        draft(prefix + "vlarb_low", new ValueType.VlWeights(), "")
                .means("low-priority table, up to 64 VL:weight with commas; empty: not set");
        draft(prefix + "sl2vl", new ValueType.VlBySl(), "")
                .means("VL of SL 0, SL 1, ...; torus-2QoS ignores it with a warning; empty: not set");
    }

    private static <T> SettingDraft<T> draft(String key, ValueType<T> type, String standard) {
        return Settings.in(SettingGroup.ARBITRATION, Setting.Reload.NEXT_SWEEP, key, type, standard);
    }

    /** Returns the values of the settings by set of ports. */
    static QosOptions read(SettingValues values) {
        Map<PortSet, QosOptions.Values> sets = new EnumMap<>(PortSet.class);
        for (PortSet set : PortSet.values()) {
            sets.put(set, values.toRecord(QosOptions.Values.class, set.prefix()));
        }
        return new QosOptions(sets);
    }
}
