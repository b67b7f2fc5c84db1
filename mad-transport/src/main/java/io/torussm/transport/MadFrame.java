package io.torussm.transport;

/**
 * A MAD and where it goes or came from. The bytes belong to the frame: neither side changes them after handing it
 * over.
 *
 * @param peer destination or source
 * @param mad 256 bytes; an SA message of several segments, whole: one put together from them, or any where the kernel
 *     does RMPP
 * @param undelivered true for a request that comes back because the port did not answer or could not be reached
 */
public record MadFrame(MadAddress peer, byte[] mad, boolean undelivered) {

    /** A frame to send, or one received whole. */
    public MadFrame(MadAddress peer, byte[] mad) {
        this(peer, mad, false);
    }
}
