package io.torussm.dataplane;

import java.util.List;

/**
 * Packets that wait for each other for ever.
 *
 * @param channels number of blocked channels: those of the cycle, and all that wait for them
 * @param packets number of packets in their buffers
 * @param circle the channels of the cycle: each buffer is full of packets that wait for blocked channels, one
 * of them for the next, the last for the first. A VL without weight in VL arbitration is a single channel
 * without a successor.
 */
public record Deadlock(int channels, int packets, List<Wait> circle) {
    public Deadlock {
        circle = List.copyOf(circle);
    }

    /**
     * A full buffer, and one of its packets.
     *
     * @param port port index of the switch port by which packets left for the buffer
     * @param vl VL
     * @param packets number of packets in it
     * @param bytes size of these packets
     * @param source port index of the end port that sent the packet
     * @param dlid destination of the packet
     * @param sl SL
     * @param text description of the wait
     */
    public record Wait(int port, int vl, int packets, int bytes, int source, int dlid, int sl, String text) {}

    /** Returns the text, a line for each channel. */
    public List<String> lines() {
        return circle.stream().map(Wait::text).toList();
    }
}
