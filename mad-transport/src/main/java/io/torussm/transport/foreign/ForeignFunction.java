package io.torussm.transport.foreign;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A function of C. The caller gives as many arguments as it has parameters, buffers as their
 * {@link #address}, and sees to it that these live until the call is over
 * ({@link java.lang.ref.Reference#reachabilityFence}).
 */
public final class ForeignFunction {
    private static final Invoker INVOKER = Invoker.getInstance();
    private static final MemoryIO MEMORY = MemoryIO.getInstance();

    private final CallContext context;
    private final long address;

    ForeignFunction(CallContext context, long address) {
        this.context = context;
        this.address = address;
    }

    /** Returns where a direct buffer begins; 0 for none. */
    public static long address(@Nullable ByteBuffer memory) {
        return memory == null ? 0 : MEMORY.getDirectBufferAddress(memory);
    }

    /** Calls it. */
    public int call() {
        return (int) INVOKER.invokeN0(context, address);
    }

    /** Calls it. */
    public int call(long a) {
        return (int) INVOKER.invokeN1(context, address, a);
    }

    /** Calls it. */
    public int call(long a, long b) {
        return (int) INVOKER.invokeN2(context, address, a, b);
    }

    /** Calls it. */
    public int call(long a, long b, long c) {
        return (int) INVOKER.invokeN3(context, address, a, b, c);
    }

    /** Calls it. */
    public int call(long a, long b, long c, long d) {
        return (int) INVOKER.invokeN4(context, address, a, b, c, d);
    }

    /** Calls it. */
    public int call(long a, long b, long c, long d, long e) {
        return (int) INVOKER.invokeN5(context, address, a, b, c, d, e);
    }

    /** Calls it. */
    public int call(long a, long b, long c, long d, long e, long f) {
        return (int) INVOKER.invokeN6(context, address, a, b, c, d, e, f);
    }
}
