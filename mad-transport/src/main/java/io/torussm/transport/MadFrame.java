package io.torussm.transport;

/**
 * A MAD and its peer. The bytes belong to the frame: neither side changes them after passing it on.
 *
 * @param peer destination or source
 * @param mad 256 bytes; an SA message of several segments if it was reassembled or the kernel does RMPP
 * @param undelivered true for a request that returns because the port did not respond or could not be reached
 */
public record MadFrame(MadAddress peer, byte[] mad, boolean undelivered) {

    /** Creates a frame to send, or one received whole. */
    public MadFrame(MadAddress peer, byte[] mad) {
        this(peer, mad, false);
    }
}
