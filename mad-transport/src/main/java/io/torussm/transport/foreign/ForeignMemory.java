package io.torussm.transport.foreign;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Memory for repeated calls of C. Its address is read once, since reading it is a call of C, too. A caller that passes
 * {@link #address} must keep this object reachable until the end of the call ({@link #keepReachable}).
 */
public final class ForeignMemory {
    private final ByteBuffer bytes;
    private final long address;

    private ForeignMemory(ByteBuffer bytes) {
        this.bytes = bytes;
        this.address = ForeignFunction.address(bytes);
    }

    /** Allocates memory of zeros, as {@link ForeignLibrary#memory} does. */
    public static ForeignMemory of(int bytes) {
        return new ForeignMemory(ForeignLibrary.memory(bytes));
    }

    /** Returns the content. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** Returns the address of the first byte. */
    public long address() {
        return address;
    }

    /** Keeps this memory reachable until this call; called in a {@code finally} block. */
    @SuppressWarnings("ReachabilityFenceUsage") // the caller has the finally block
    public void keepReachable() {
        Reference.reachabilityFence(bytes);
    }
}
