package io.torussm.perf;

import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.PortInfo;
import org.jspecify.annotations.Nullable;

/**
 * What a link can carry in one direction.
 *
 * @param speed of its lanes
 * @param signalBits a second on the wire, with the code
 * @param dataBits a second of packets
 */
public record LinkCapacity(LinkSpeed speed, double signalBits, double dataBits) {
    private static final double GIGA = 1e9;

    /** Of each speed: signalling rate of a lane and what the code leaves of it, in Gb/s (IBA volume 2, 5.3 and 5.4). */
    private static final double[][] LANES = {
        {2.5, 2}, {5, 4}, {10, 8}, {14.0625, 13.64}, {25.78125, 25}, {50, 50}, {100, 100}, {200, 200}
    };

    /**
     * That of the link at a port.
     *
     * @param governing as for {@link LinkSpeed#of(PortInfo, PortInfo)}
     * @return null if width or speed are not known
     */
    public static @Nullable LinkCapacity of(PortInfo port, @Nullable PortInfo governing) {
        LinkSpeed speed = LinkSpeed.of(port, governing).orElse(null);
        int lanes = lanes(port);
        if (speed == null || lanes == 0) {
            return null;
        }
        double[] lane = LANES[speed.ordinal()];
        return new LinkCapacity(speed, lane[0] * lanes * GIGA, lane[1] * lanes * GIGA);
    }

    private static int lanes(PortInfo port) {
        return switch ((int) port.get(PortInfo.LINK_WIDTH_ACTIVE)) {
            case 1 -> 1;
            case 2 -> 4;
            case 4 -> 8;
            case 8 -> 12;
            case 16 -> 2;
            default -> 0;
        };
    }
}
