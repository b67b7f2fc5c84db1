package io.torussm.dataplane;

/**
 * What switches and cables are like. The defaults are those of a switch of 100 Gb/s ports.
 *
 * @param bufferBytes of every input port for each VL: what its credits are worth; at least a packet
 * @param packetBytes payload and headers of the largest packet; longer messages are sent in several
 * @param switchNs from the arrival of a packet's head at a switch until it may leave
 * @param cableNs from one end of a cable to the other
 * @param headOfQueueNs HOQLife of ports between switches: how long a packet may be first of a VL's queue; {@link #FOREVER}
 *     if packets are never dropped
 * @param lifetimeNs how long a packet may be in a switch (LifeTimeValue), or {@link #FOREVER}
 * @param backlog packets that a host keeps ready; whatever it sends waits for room among them
 */
public record DataPlaneSettings(
        int bufferBytes, int packetBytes, int switchNs, int cableNs, long headOfQueueNs, long lifetimeNs, int backlog) {
    /** A time that never comes. */
    public static final long FOREVER = Long.MAX_VALUE;

    /** 16 KiB for each VL, packets of 2 KiB, 100 ns a switch, cables of 2 m, nothing dropped. */
    public static final DataPlaneSettings DEFAULT = new DataPlaneSettings(16_384, 2_048, 100, 10, FOREVER, FOREVER, 32);

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

    /** A moment so much later than another. */
    static long after(long nowNs, long ns) {
        return ns == FOREVER ? FOREVER : nowNs + ns;
    }

    /** With other buffers. */
    public DataPlaneSettings withBuffers(int bytes) {
        return new DataPlaneSettings(bytes, packetBytes, switchNs, cableNs, headOfQueueNs, lifetimeNs, backlog);
    }

    /** With packets of another size. */
    public DataPlaneSettings withPackets(int bytes) {
        return new DataPlaneSettings(bufferBytes, bytes, switchNs, cableNs, headOfQueueNs, lifetimeNs, backlog);
    }

    /** With packets that are dropped when they wait for too long. */
    public DataPlaneSettings withLifetimes(long headOfQueue, long inSwitch) {
        return new DataPlaneSettings(bufferBytes, packetBytes, switchNs, cableNs, headOfQueue, inSwitch, backlog);
    }
}
