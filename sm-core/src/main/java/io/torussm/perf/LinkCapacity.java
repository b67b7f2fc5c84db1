package io.torussm.perf;

import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.PortInfo;
import org.jspecify.annotations.Nullable;

/**
 * The capacity of a link in one direction.
 *
 * @param speed speed of the lanes of the link
 * @param signalBits bits per second on the wire, those of the line code included
 * @param dataBits bits per second of packets, without the line code
 */
public record LinkCapacity(LinkSpeed speed, double signalBits, double dataBits) {
    private static final double GIGA = 1e9;

    /** The signalling rate of a lane, and its rate without the line code, in Gb/s (IBA volume 2, 5.3 and 5.4). */
    private record Lane(double signal, double data) {}

    /**
     * Returns the capacity of the link at a port.
     *
     * @param governing PortInfo whose CapabilityMask applies, see {@link LinkSpeed#of(PortInfo, PortInfo)}; null if
     *     unknown
     * @return capacity; null if width or speed are unknown
     */
    public static @Nullable LinkCapacity of(PortInfo port, @Nullable PortInfo governing) {
        LinkSpeed speed = LinkSpeed.of(port, governing).orElse(null);
        int lanes = lanes(port);
        if (speed == null || lanes == 0) {
            return null;
        }
        Lane lane = lane(speed);
        return new LinkCapacity(speed, lane.signal() * lanes * GIGA, lane.data() * lanes * GIGA);
    }

    private static Lane lane(LinkSpeed speed) {
        return switch (speed) {
            case SDR -> new Lane(2.5, 2);
            case DDR -> new Lane(5, 4);
            case QDR -> new Lane(10, 8);
            case FDR -> new Lane(14.0625, 13.64);
            case EDR -> new Lane(25.78125, 25);
            case HDR -> new Lane(50, 50);
            case NDR -> new Lane(100, 100);
            case XDR -> new Lane(200, 200);
        };
    }

    /** Returns the number of lanes by LinkWidthActive; 0 if the code is unknown. */
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
