package io.torussm.transport.foreign;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Memory for repeated calls of C. Its address is read once, since that takes a call of C, too. A caller that
 * passes {@link #address} on must keep this object until the end of the call ({@link #keep}).
 */
public final class ForeignMemory {
    private final ByteBuffer bytes;
    private final long address;

    private ForeignMemory(ByteBuffer bytes) {
        this.bytes = bytes;
        this.address = ForeignFunction.address(bytes);
    }

    /** Allocates memory as {@link ForeignLibrary#memory} does. */
    public static ForeignMemory of(int bytes) {
        return new ForeignMemory(ForeignLibrary.memory(bytes));
    }

    /** Returns the content. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** Returns where it begins, as C sees it. */
    public long address() {
        return address;
    }

    /** Keeps it reachable until here; called in a {@code finally} block. */
    @SuppressWarnings("ReachabilityFenceUsage") // that block is the caller's
    public void keep() {
        Reference.reachabilityFence(bytes);
    }
}
