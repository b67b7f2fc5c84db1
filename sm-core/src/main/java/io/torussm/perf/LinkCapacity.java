package io.torussm.perf;

import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.LinkWidth;
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

    /**
     * Returns the capacity of the link at a port.
     *
     * @param governing PortInfo whose CapabilityMask applies, see {@link LinkSpeed#of(PortInfo, PortInfo)}; null if
     *     unknown
     * @return capacity; null if width or speed are unknown
     */
    public static @Nullable LinkCapacity of(PortInfo port, @Nullable PortInfo governing) {
        LinkSpeed speed = LinkSpeed.of(port, governing).orElse(null);
        LinkWidth width = LinkWidth.of(port).orElse(null);
        return speed == null || width == null
                ? null
                : new LinkCapacity(
                        speed, speed.signalGbps() * width.lanes() * GIGA, speed.dataGbps() * width.lanes() * GIGA);
    }
}
