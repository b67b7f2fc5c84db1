package io.torussm.dataplane;

import io.torussm.dataplane.congestion.CongestionParameters;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of switches and cables. The defaults are those of a switch of 100 Gb/s ports.
 *
 * @param bufferBytes size of the buffer of every input port for each VL, for which it gives credits; at least
 * a packet
 * @param packetBytes payload and headers of the largest packet; longer messages are sent in several
 * @param switchNs time from the arrival of a packet's head at a switch until it may leave
 * @param cableNs time from one end of a cable to the other
 * @param headOfQueueNs HOQLife of ports between switches: time for which a packet may be first of a VL's
 * queue; {@link #FOREVER} if packets are never dropped
 * @param lifetimeNs time for which a packet may be in a switch (LifeTimeValue), or {@link #FOREVER}
 * @param backlog limit of the packets in the queue of a host; further packets wait for space there
 * @param congestion settings of congestion control; null without it
 */
public record DataPlaneSettings(
        int bufferBytes,
        int packetBytes,
        int switchNs,
        int cableNs,
        long headOfQueueNs,
        long lifetimeNs,
        int backlog,
        @Nullable CongestionParameters congestion) {
    /** An infinite time. */
    public static final long FOREVER = Long.MAX_VALUE;

    /** 16 KiB for each VL, packets of 2 KiB, 100 ns a switch, cables of 2 m, nothing dropped. */
    public static final DataPlaneSettings DEFAULT =
            new DataPlaneSettings(16_384, 2_048, 100, 10, FOREVER, FOREVER, 32, null);

    public DataPlaneSettings {
        if (packetBytes < 1 || bufferBytes < packetBytes || switchNs < 0 || cableNs < 1 || backlog < 1) {
            throw new IllegalArgumentException("packets of " + packetBytes + " bytes in buffers of " + bufferBytes
                    + ", " + switchNs + " ns a switch, " + cableNs + " ns a cable, backlog " + backlog
                    + ": a buffer holds a packet at least, a cable takes 1 ns at least, and the backlog is 1 at least");
        }
        if (headOfQueueNs < 1 || lifetimeNs < 1) {
            throw new IllegalArgumentException("HOQLife and lifetime are 1 ns at least");
        }
    }

    boolean canExpire() {
        return headOfQueueNs != FOREVER || lifetimeNs != FOREVER;
    }

    /** Returns a time plus a duration. */
    static long after(long nowNs, long ns) {
        return ns == FOREVER ? FOREVER : nowNs + ns;
    }

    /** Returns these settings with other buffers. */
    public DataPlaneSettings withBuffers(int bytes) {
        return new DataPlaneSettings(
                bytes, packetBytes, switchNs, cableNs, headOfQueueNs, lifetimeNs, backlog, congestion);
    }

    /** Returns these settings with packets of another size. */
    public DataPlaneSettings withPackets(int bytes) {
        return new DataPlaneSettings(
                bufferBytes, bytes, switchNs, cableNs, headOfQueueNs, lifetimeNs, backlog, congestion);
    }

    /** Returns these settings with packets that are dropped when they wait too long. */
    public DataPlaneSettings withLifetimes(long headOfQueue, long inSwitch) {
        return new DataPlaneSettings(
                bufferBytes, packetBytes, switchNs, cableNs, headOfQueue, inSwitch, backlog, congestion);
    }

    /** Returns these settings with congestion control, or without if it is null. */
    public DataPlaneSettings withCongestion(@Nullable CongestionParameters parameters) {
        return new DataPlaneSettings(
                bufferBytes, packetBytes, switchNs, cableNs, headOfQueueNs, lifetimeNs, backlog, parameters);
    }
}
