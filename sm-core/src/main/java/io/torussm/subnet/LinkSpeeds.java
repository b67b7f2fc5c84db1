package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The enabled widths and speeds of ports; names, codes and meaning are those of OpenSM. They take effect when
 * the link trains the next time: nothing here takes a link down.
 *
 * @param forceLinkWidth LinkWidthEnabled: 0 keeps it, 255 is all supported widths, else a mask
 * @param forceLinkSpeed LinkSpeedEnabled: 0 keeps it, 15 is all supported speeds, else a mask
 * @param forceLinkSpeedExt LinkSpeedExtEnabled: 0 keeps it, 30 is none, 31 is all supported speeds, else a
 *     mask
 * @param fdr10 FDR10 of Mellanox devices: 0 keeps it, 1 enables it, 2 disables it
 * @param forceLinkPorts ports with values of their own
 */
public record LinkSpeeds(
        int forceLinkWidth, int forceLinkSpeed, int forceLinkSpeedExt, int fdr10, List<OfPort> forceLinkPorts) {
    /** The value for all supported widths. */
    public static final int ALL_WIDTHS = 255;

    public static final int ALL_SPEEDS = 15;
    public static final int ALL_EXTENDED = 31;
    public static final int NO_EXTENDED = 30;

    /** The defaults of OpenSM. */
    public static final LinkSpeeds DEFAULT = new LinkSpeeds(ALL_WIDTHS, ALL_SPEEDS, ALL_EXTENDED, 1, List.of());

    /**
     * Values of one port; null where it has the general one.
     *
     * @param nodeGuid NodeGUID of its node
     */
    public record OfPort(
            long nodeGuid,
            int portNum,
            @Nullable Integer width,
            @Nullable Integer speed,
            @Nullable Integer speedExt) {
        /** Returns the value as the setting has it. */
        @Override
        public String toString() {
            return Guid.format(nodeGuid) + "/" + portNum + said("width", width) + said("speed", speed)
                    + said("speed_ext", speedExt);
        }

        private static String said(String name, @Nullable Integer value) {
            return value == null ? "" : " " + name + "=" + value;
        }
    }

    public LinkSpeeds {
        forceLinkPorts = List.copyOf(forceLinkPorts);
    }

    /**
     * Returns the settings of a port with a link. Speeds that it does not support cannot be enabled, and are
     * left out.
     */
    public PortInfo on(Fabric fabric, int port, PortInfo current) {
        OfPort own = own(fabric, port);
        int width = own == null || own.width() == null ? forceLinkWidth : own.width();
        int speed = own == null || own.speed() == null ? forceLinkSpeed : own.speed();
        int extended = own == null || own.speedExt() == null ? forceLinkSpeedExt : own.speedExt();
        return withExtended(fabric, port, extended, current)
                .with(
                        PortInfo.LINK_WIDTH_ENABLED,
                        enabled(
                                width,
                                ALL_WIDTHS,
                                current.get(PortInfo.LINK_WIDTH_SUPPORTED),
                                current.get(PortInfo.LINK_WIDTH_ENABLED)))
                .with(
                        PortInfo.LINK_SPEED_ENABLED,
                        enabled(
                                speed,
                                ALL_SPEEDS,
                                current.get(PortInfo.LINK_SPEED_SUPPORTED),
                                current.get(PortInfo.LINK_SPEED_ENABLED)));
    }

    private @Nullable OfPort own(Fabric fabric, int port) {
        for (int i = 0; i < forceLinkPorts.size(); i++) {
            OfPort each = forceLinkPorts.get(i);
            if (each.nodeGuid() == fabric.nodeGuid(fabric.nodeOf(port)) && each.portNum() == fabric.portNum(port)) {
                return each;
            }
        }
        return null;
    }

    /**
     * Returns the value of a Set. All supported widths or speeds have a code of their own, which OpenSM
     * sends.
     */
    public static PortInfo asSent(PortInfo wanted, PortInfo current) {
        PortInfo sent = wanted;
        if (isNewlyAll(wanted, current, PortInfo.LINK_WIDTH_ENABLED, PortInfo.LINK_WIDTH_SUPPORTED)) {
            sent = sent.with(PortInfo.LINK_WIDTH_ENABLED, ALL_WIDTHS);
        }
        if (isNewlyAll(wanted, current, PortInfo.LINK_SPEED_ENABLED, PortInfo.LINK_SPEED_SUPPORTED)) {
            sent = sent.with(PortInfo.LINK_SPEED_ENABLED, ALL_SPEEDS);
        }
        if (isNewlyAll(wanted, current, PortInfo.LINK_SPEED_EXT_ENABLED, PortInfo.LINK_SPEED_EXT_SUPPORTED)) {
            sent = sent.with(PortInfo.LINK_SPEED_EXT_ENABLED, ALL_EXTENDED);
        }
        return sent;
    }

    private static boolean isNewlyAll(PortInfo wanted, PortInfo current, Field enabled, Field supported) {
        return wanted.get(enabled) != current.get(enabled) && wanted.get(enabled) == wanted.get(supported);
    }

    private static long enabled(int wanted, int all, long supported, long now) {
        long possible = wanted == all ? supported : wanted & supported;
        return possible == 0 ? now : possible;
    }

    /** Returns PortInfo with extended speeds, which depend on both ends of a cable. */
    private static PortInfo withExtended(Fabric fabric, int port, int wanted, PortInfo current) {
        int far = fabric.peer(port);
        PortInfo own = fabric.governing(port);
        PortInfo other = far == Fabric.NONE ? null : fabric.governing(far);
        boolean isExtended = own != null
                && own.can(PortInfo.CAP_EXTENDED_SPEEDS)
                && other != null
                && other.can(PortInfo.CAP_EXTENDED_SPEEDS);
        long enabled = current.get(PortInfo.LINK_SPEED_EXT_ENABLED);
        if (!isExtended || current.get(PortInfo.LINK_SPEED_EXT_SUPPORTED) == 0) {
            return current;
        }
        boolean isOff = enabled == 0 || enabled == NO_EXTENDED;
        return wanted == NO_EXTENDED
                ? current.with(PortInfo.LINK_SPEED_EXT_ENABLED, isOff ? enabled : NO_EXTENDED)
                : current.with(
                        PortInfo.LINK_SPEED_EXT_ENABLED,
                        enabled(wanted, ALL_EXTENDED, current.get(PortInfo.LINK_SPEED_EXT_SUPPORTED), enabled));
    }
}
