package io.torussm.discovery;

import io.torussm.mad.Field;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The usual values of fields that a Set carries although no SM computes them: it repeats what was read. Other values
 * are the work of an earlier SM, or one false answer, which a Set would make permanent. One discovery; owner thread:
 * the loop.
 */
final class PowerUpValues {
    private static final List<Field> ZERO = List.of(
            PortInfo.FILTER_RAW_INBOUND, PortInfo.FILTER_RAW_OUTBOUND, PortInfo.MULTICAST_PKEY_TRAP_SUPPRESSION);

    private static final List<Field> DEFAULT_PORTS = List.of(
            SwitchInfo.DEFAULT_PORT,
            SwitchInfo.DEFAULT_MULTICAST_PRIMARY_PORT,
            SwitchInfo.DEFAULT_MULTICAST_NOT_PRIMARY_PORT);

    /** The default port of a switch that discards packets. */
    private static final int NO_PORT = 255;

    /** Values of VLHighLimit. An earlier SM gave all ports the same few. */
    private final Set<Long> highLimits = new HashSet<>(Set.of(0L));

    /**
     * Checks whether all supported widths and speeds are enabled, VLHighLimit is 0 or was seen before, and the other
     * fields are 0.
     */
    boolean areIn(PortInfo info) {
        return !highLimits.add(info.get(PortInfo.VL_HIGH_LIMIT))
                && info.get(PortInfo.LINK_WIDTH_ENABLED) == info.get(PortInfo.LINK_WIDTH_SUPPORTED)
                && info.get(PortInfo.LINK_SPEED_ENABLED) == info.get(PortInfo.LINK_SPEED_SUPPORTED)
                && info.get(PortInfo.LINK_SPEED_EXT_ENABLED) == info.get(PortInfo.LINK_SPEED_EXT_SUPPORTED)
                && info.get(PortInfo.LINK_SPEED_EXT_ENABLED2) == info.get(PortInfo.LINK_SPEED_EXT_SUPPORTED2)
                && ZERO.stream().allMatch(field -> info.get(field) == 0);
    }

    /** Checks whether the default ports are port 0 or none. */
    boolean areIn(SwitchInfo info) {
        return DEFAULT_PORTS.stream().allMatch(field -> info.get(field) == 0 || info.get(field) == NO_PORT);
    }
}
