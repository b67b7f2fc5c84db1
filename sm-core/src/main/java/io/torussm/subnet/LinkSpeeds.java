package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Field;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The enabled widths and speeds of ports, with the names, codes and meanings of OpenSM. They take effect at the next
 * training of a link; no link is taken down for them.
 *
 * @param forceLinkWidth LinkWidthEnabled: 0 keeps the current value, 255 is all supported widths, else a mask
 * @param forceLinkSpeed LinkSpeedEnabled: 0 keeps the current value, 15 is all supported speeds, else a mask
 * @param forceLinkSpeedExt LinkSpeedExtEnabled: 0 keeps the current value, 30 is none, 31 is all supported speeds, else
 *     a mask
 * @param fdr10 FDR10 of Mellanox devices: 0 keeps the current value, 1 enables it, 2 disables it
 * @param forceLinkPorts ports with values of their own, each once
 */
public record LinkSpeeds(
        int forceLinkWidth, int forceLinkSpeed, int forceLinkSpeedExt, int fdr10, List<PortSpeeds> forceLinkPorts) {
    /** LinkWidthEnabled of all supported widths. */
    public static final int ALL_WIDTHS = 255;

    /** LinkSpeedEnabled of all supported speeds. */
    public static final int ALL_SPEEDS = 15;

    /** LinkSpeedExtEnabled of all supported extended speeds. */
    public static final int ALL_EXTENDED = 31;

    /** LinkSpeedExtEnabled without extended speeds. */
    public static final int NO_EXTENDED = 30;

    /** The defaults of OpenSM. */
    public static final LinkSpeeds DEFAULT = new LinkSpeeds(ALL_WIDTHS, ALL_SPEEDS, ALL_EXTENDED, 1, List.of());

    /**
     * The values of one port. A value is null if the general value applies.
     *
     * @param nodeGuid NodeGUID of the node of the port
     * @param width LinkWidthEnabled, coded like {@code forceLinkWidth}
     * @param speed LinkSpeedEnabled, coded like {@code forceLinkSpeed}
     * @param speedExt LinkSpeedExtEnabled, coded like {@code forceLinkSpeedExt}
     */
    public record PortSpeeds(
            long nodeGuid,
            int portNum,
            @Nullable Integer width,
            @Nullable Integer speed,
            @Nullable Integer speedExt) {
        /** Returns the port that has the values. */
        public NodePort port() {
            return new NodePort(nodeGuid, portNum);
        }

        /** Returns the values in the syntax of the setting. */
        @Override
        public String toString() {
            return Guid.format(nodeGuid) + "/" + portNum + text("width", width) + text("speed", speed)
                    + text("speed_ext", speedExt);
        }

        private static String text(String name, @Nullable Integer value) {
            return value == null ? "" : " " + name + "=" + value;
        }
    }

    public LinkSpeeds {
        forceLinkPorts = List.copyOf(forceLinkPorts);
    }

    /**
     * Returns a PortInfo with the wanted widths and speeds of a port with a link. Unsupported values are left out.
     *
     * @param port port index
     */
    public PortInfo applyTo(Fabric fabric, int port, PortInfo current) {
        PortSpeeds own = portSpeeds(fabric, port);
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

    private @Nullable PortSpeeds portSpeeds(Fabric fabric, int port) {
        for (int i = 0; i < forceLinkPorts.size(); i++) {
            PortSpeeds each = forceLinkPorts.get(i);
            if (each.nodeGuid() == fabric.nodeGuid(fabric.nodeOf(port)) && each.portNum() == fabric.portNum(port)) {
                return each;
            }
        }
        return null;
    }

    /**
     * Returns the value of a Set for wanted widths and speeds. If a field changes to all supported values, the Set
     * carries the code for "all", as in OpenSM.
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

    /** Returns the supported part of a wanted mask; the current mask if no part is supported. */
    private static long enabled(int wanted, int all, long supported, long current) {
        long possible = wanted == all ? supported : wanted & supported;
        return possible == 0 ? current : possible;
    }

    /** Returns a PortInfo with extended speeds, if both ends of the cable support them. */
    private static PortInfo withExtended(Fabric fabric, int port, int wanted, PortInfo current) {
        int far = fabric.peer(port);
        PortInfo ownInfo = fabric.capabilityPortInfo(port);
        PortInfo farInfo = far == Fabric.NONE ? null : fabric.capabilityPortInfo(far);
        boolean isExtended = ownInfo != null
                && ownInfo.hasCapability(PortInfo.CAP_EXTENDED_SPEEDS)
                && farInfo != null
                && farInfo.hasCapability(PortInfo.CAP_EXTENDED_SPEEDS);
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
