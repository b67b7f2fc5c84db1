package io.torussm.transport.foreign;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A function of C. The caller passes as many arguments as the function has parameters, and a buffer as its
 * {@link #address}. The caller keeps buffers reachable until the call ends
 * ({@link java.lang.ref.Reference#reachabilityFence}). Each {@code call} returns the result, cut to an {@code int}. Any
 * thread may call it.
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

    /** Returns the address of the first byte of a direct buffer; 0 for null. */
    public static long address(@Nullable ByteBuffer memory) {
        return memory == null ? 0 : MEMORY.getDirectBufferAddress(memory);
    }

    /** Calls the function without arguments. */
    public int call() {
        return (int) INVOKER.invokeN0(context, address);
    }

    /** Calls the function with one argument. */
    public int call(long a) {
        return (int) INVOKER.invokeN1(context, address, a);
    }

    /** Calls the function with two arguments. */
    public int call(long a, long b) {
        return (int) INVOKER.invokeN2(context, address, a, b);
    }

    /** Calls the function with three arguments. */
    public int call(long a, long b, long c) {
        return (int) INVOKER.invokeN3(context, address, a, b, c);
    }

    /** Calls the function with four arguments. */
    public int call(long a, long b, long c, long d) {
        return (int) INVOKER.invokeN4(context, address, a, b, c, d);
    }

    /** Calls the function with five arguments. */
    public int call(long a, long b, long c, long d, long e) {
        return (int) INVOKER.invokeN5(context, address, a, b, c, d, e);
    }

    /** Calls the function with six arguments. */
    public int call(long a, long b, long c, long d, long e, long f) {
        return (int) INVOKER.invokeN6(context, address, a, b, c, d, e, f);
    }
}
