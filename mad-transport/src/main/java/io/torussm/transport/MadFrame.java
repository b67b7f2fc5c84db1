package io.torussm.transport;

/**
 * A MAD and the address of its peer. The bytes belong to the frame: neither side changes them after passing it on.
 *
 * @param peer destination or source
 * @param mad 256 bytes; longer for a reassembled SA message, or an SA message that the kernel segments
 * @param isUndelivered true for a request that returns because the port did not respond or could not be reached
 */
public record MadFrame(MadAddress peer, byte[] mad, boolean isUndelivered) {

    /** Creates a frame that is sent or was received, not a returned request. */
    public MadFrame(MadAddress peer, byte[] mad) {
        this(peer, mad, false);
    }
}
