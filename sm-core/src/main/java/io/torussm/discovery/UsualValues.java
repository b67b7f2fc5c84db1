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
 * The values that almost all devices have in fields which a later Set repeats as they were read. Through such a Set a
 * damaged response would become a permanent setting.
 *
 * <p>A response of a known device is compared with its previous response ({@link io.torussm.stage.Consistency}). An
 * unknown device has no previous response. Its first response is accepted if it has the usual values; otherwise the
 * device is read again. Other values are legal, too: an earlier SM may have set them.
 *
 * <p>An instance belongs to one discovery. Owner thread: the loop.
 */
final class UsualValues {
    private static final List<Field> DEFAULT_PORT_FIELDS = List.of(
            SwitchInfo.DEFAULT_PORT,
            SwitchInfo.DEFAULT_MULTICAST_PRIMARY_PORT,
            SwitchInfo.DEFAULT_MULTICAST_NOT_PRIMARY_PORT);

    /** Default port 255: the switch discards packets that have no route. */
    private static final int DISCARD_PORT = 255;

    /** The field of supported widths or speeds for each field of enabled ones. */
    private static final Map<Field, Field> SUPPORTED_FIELDS = Map.of(
            PortInfo.LINK_WIDTH_ENABLED, PortInfo.LINK_WIDTH_SUPPORTED,
            PortInfo.LINK_SPEED_ENABLED, PortInfo.LINK_SPEED_SUPPORTED,
            PortInfo.LINK_SPEED_EXT_ENABLED, PortInfo.LINK_SPEED_EXT_SUPPORTED,
            PortInfo.LINK_SPEED_EXT_ENABLED2, PortInfo.LINK_SPEED_EXT_SUPPORTED2);

    /**
     * The unusual settings in which two responses of a port agreed, because an earlier SM writes the same few values to
     * all ports. The first element, without unusual settings, is that of a port to which no SM has written.
     */
    private final Set<Map<Field, Long>> confirmedSettings = new HashSet<>(Set.of(Map.of()));

    /** Checks whether the first response of an unknown port has usual or confirmed settings. */
    boolean isAcceptable(PortInfo info) {
        return confirmedSettings.contains(unusualSettings(info));
    }

    /** Adds the settings of a port whose two responses agreed. */
    void confirm(PortInfo info) {
        confirmedSettings.add(unusualSettings(info));
    }

    /**
     * Returns the unusual settings of a port by field. Usual are: all supported widths and speeds are enabled,
     * VLHighLimit is 0, and fields that no SM writes are 0.
     */
    private static Map<Field, Long> unusualSettings(PortInfo info) {
        Map<Field, Long> unusual = new HashMap<>();
        SUPPORTED_FIELDS.forEach((enabled, supported) -> {
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
     * Checks whether the first response of an unknown switch has usual settings.
     *
     * @return true if each default port is 0 or {@link #DISCARD_PORT}
     */
    boolean isAcceptable(SwitchInfo info) {
        return DEFAULT_PORT_FIELDS.stream().allMatch(field -> info.get(field) == 0 || info.get(field) == DISCARD_PORT);
    }
}
