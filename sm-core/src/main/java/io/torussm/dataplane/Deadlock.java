package io.torussm.dataplane;

import java.util.List;

/**
 * Packets that wait for each other for ever.
 *
 * @param channels channels of which nothing can ever leave: those of the circle, and all that wait for them
 * @param packets in their buffers
 * @param circle each channel's buffer is full of packets that wait for stuck channels, one of them for the next, the last
 *     for the first; a single one without a successor if its VL has no weight in VL arbitration
 */
public record Deadlock(int channels, int packets, List<Wait> circle) {
    public Deadlock {
        circle = List.copyOf(circle);
    }

    /**
     * A full buffer, and one of the packets in it.
     *
     * @param port port index of the switch port by which packets left for the buffer
     * @param vl its VL
     * @param packets in it
     * @param bytes of them
     * @param source port index of the end port that sent the packet
     * @param dlid where it goes
     * @param sl its SL
     * @param text the same for the operator
     */
    public record Wait(int port, int vl, int packets, int bytes, int source, int dlid, int sl, String text) {}

    /** For the operator, a line for each channel. */
    public List<String> lines() {
        return circle.stream().map(Wait::text).toList();
    }
}
