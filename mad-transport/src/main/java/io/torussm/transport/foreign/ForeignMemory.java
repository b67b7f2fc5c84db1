package io.torussm.transport.foreign;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Memory that C is given again and again. Where it begins is asked once, since the answer is a call of C, too. Whoever passes
 * {@link #address} on keeps this until the call is over ({@link #keep}).
 */
public final class ForeignMemory {
    private final ByteBuffer bytes;
    private final long address;

    private ForeignMemory(ByteBuffer bytes) {
        this.bytes = bytes;
        this.address = ForeignFunction.address(bytes);
    }

    /** As {@link ForeignLibrary#memory}. */
    public static ForeignMemory of(int bytes) {
        return new ForeignMemory(ForeignLibrary.memory(bytes));
    }

    /** What stands there. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** Where it begins, as C sees it. */
    public long address() {
        return address;
    }

    /** It was in use until here; called in a {@code finally} block. */
    @SuppressWarnings("ReachabilityFenceUsage") // that block is the caller's
    public void keep() {
        Reference.reachabilityFence(bytes);
    }
}
