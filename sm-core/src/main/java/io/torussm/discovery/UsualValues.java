package io.torussm.discovery;

import io.torussm.mad.Field;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.PortInfoFields;
import io.torussm.mad.smp.SwitchInfo;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The values that almost all devices have in fields which a Set may write back as they were read. A damaged answer
 * would become a permanent setting by such a Set.
 *
 * <p>An answer of a known device is compared with its previous one ({@link io.torussm.stage.Consistency}). An unknown
 * device has none. Its first answer is accepted if it has the usual values; otherwise the device is asked again. Other
 * values than the usual ones are legal: an earlier SM may have set them.
 *
 * <p>Life: one discovery. Owner thread: the loop.
 */
final class UsualValues {
    private static final List<Field> DEFAULT_PORTS = List.of(
            SwitchInfo.DEFAULT_PORT,
            SwitchInfo.DEFAULT_MULTICAST_PRIMARY_PORT,
            SwitchInfo.DEFAULT_MULTICAST_NOT_PRIMARY_PORT);

    /** Default port 255: the switch discards packets that have no route. */
    private static final int DISCARD = 255;

    /** The enabled widths and speeds, each with the supported ones. */
    private static final Map<Field, Field> SUPPORTED = Map.of(
            PortInfo.LINK_WIDTH_ENABLED, PortInfo.LINK_WIDTH_SUPPORTED,
            PortInfo.LINK_SPEED_ENABLED, PortInfo.LINK_SPEED_SUPPORTED,
            PortInfo.LINK_SPEED_EXT_ENABLED, PortInfo.LINK_SPEED_EXT_SUPPORTED,
            PortInfo.LINK_SPEED_EXT_ENABLED2, PortInfo.LINK_SPEED_EXT_SUPPORTED2);

    /**
     * Settings that two answers of a port agreed on: an earlier SM wrote the same few values to all ports. At first
     * those of a port that no SM has written to.
     */
    private final Set<Map<Field, Long>> confirmed = new HashSet<>(Set.of(Map.of()));

    /** Returns whether the first answer of an unknown port has usual or confirmed settings. */
    boolean accept(PortInfo info) {
        return confirmed.contains(unusualOf(info));
    }

    /** Adds the settings of a port that gave the same answer twice. */
    void confirm(PortInfo info) {
        confirmed.add(unusualOf(info));
    }

    /** Returns settings other than: all supported widths and speeds, VLHighLimit 0, and 0 in fields of no SM. */
    private static Map<Field, Long> unusualOf(PortInfo info) {
        Map<Field, Long> unusual = new HashMap<>();
        SUPPORTED.forEach((enabled, supported) -> {
            if (info.get(enabled) != info.get(supported)) {
                unusual.put(enabled, info.get(enabled));
            }
        });
        Stream.concat(Stream.of(PortInfo.VL_HIGH_LIMIT), PortInfoFields.NEVER_COMPUTED.stream())
                .filter(field -> info.get(field) != 0)
                .forEach(field -> unusual.put(field, info.get(field)));
        return unusual;
    }

    /**
     * Accepts or rejects the first answer of an unknown switch.
     *
     * @return true if each default port is 0 or {@link #DISCARD}
     */
    boolean accept(SwitchInfo info) {
        return DEFAULT_PORTS.stream().allMatch(field -> info.get(field) == 0 || info.get(field) == DISCARD);
    }
}
