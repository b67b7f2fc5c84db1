package io.torussm.discovery;

import io.torussm.mad.Field;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.PortInfoFields;
import io.torussm.mad.smp.SwitchInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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

    /** VLHighLimit 0 and the values of all answers so far: an earlier SM wrote the same few values to all ports. */
    private final Set<Long> highLimits = new HashSet<>(Set.of(0L));

    /**
     * Accepts or rejects the first answer of an unknown port. Its VLHighLimit counts as usual from then on.
     *
     * @return true if all supported widths and speeds are enabled, VLHighLimit is usual, and the fields that no SM
     *     computes are 0
     */
    boolean accept(PortInfo info) {
        boolean isUsualHighLimit = !highLimits.add(info.get(PortInfo.VL_HIGH_LIMIT));
        return isUsualHighLimit
                && isAllEnabled(info)
                && PortInfoFields.NEVER_COMPUTED.stream().allMatch(field -> info.get(field) == 0);
    }

    private static boolean isAllEnabled(PortInfo info) {
        return info.get(PortInfo.LINK_WIDTH_ENABLED) == info.get(PortInfo.LINK_WIDTH_SUPPORTED)
                && info.get(PortInfo.LINK_SPEED_ENABLED) == info.get(PortInfo.LINK_SPEED_SUPPORTED)
                && info.get(PortInfo.LINK_SPEED_EXT_ENABLED) == info.get(PortInfo.LINK_SPEED_EXT_SUPPORTED)
                && info.get(PortInfo.LINK_SPEED_EXT_ENABLED2) == info.get(PortInfo.LINK_SPEED_EXT_SUPPORTED2);
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
