package io.torussm.transport.umad;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallContextCache;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.Function;
import com.kenai.jffi.HeapInvocationBuffer;
import com.kenai.jffi.Invoker;
import com.kenai.jffi.Library;
import com.kenai.jffi.Type;
import io.torussm.transport.TransportException;
import java.nio.charset.StandardCharsets;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.annotations.SaveError;

/** The binding of libibumad.so.3 (umad_init(3) and the pages it names) and of open(2) and close(2). */
final class LibIbUmad {
    /** Bytes of {@code struct ib_user_mad} before the MAD. */
    static final int HEADER = 64;

    /** Offsets in {@code struct ib_user_mad}. */
    static final int AGENT_ID = 0;

    static final int STATUS = 4;
    static final int TIMEOUT_MS = 8;
    static final int RETRIES = 12;
    static final int LENGTH = 16;
    static final int QPN_BE = 20;
    static final int QKEY_BE = 24;
    static final int LID_BE = 28;
    static final int SL = 30;
    static final int PKEY_INDEX = 56;

    /** Offsets in {@code umad_port_t} on 64-bit platforms. */
    static final int PORT_NUM = 20;

    static final int PORT_STATE = 40;
    static final int PORT_GUID_BE = 64;
    static final int LINK_LAYER = 88;
    static final int PORT_SIZE = 112;

    /** Offsets in {@code struct umad_reg_attr}. */
    static final int REG_CLASS = 0;

    static final int REG_VERSION = 1;
    static final int REG_FLAGS = 4;
    static final int REG_METHODS = 8;
    static final int REG_SIZE = 32;

    /** UMAD_USER_RMPP. */
    static final int FLAG_USER_RMPP = 1;

    static final int NAME_LENGTH = 20;
    static final int MAX_CAS = 32;
    static final int MAX_PORTS = 255;
    static final int PATH_LENGTH = 256;

    private static final int O_RDWR = 2;
    private static final int O_NONBLOCK = 0x800;
    private static final String LIBRARY = "libibumad.so.3";

    /** The functions of libibumad that are used here; signatures as in {@code <infiniband/umad.h>}. */
    public interface Functions {
        int umad_init();

        int umad_get_cas_names(Pointer names, int max);

        int umad_get_ca_portguids(String caName, Pointer guids, int max);

        int umad_get_port(String caName, int portNum, Pointer port);

        int umad_release_port(Pointer port);

        @SaveError
        int umad_get_issm_path(String caName, int portNum, Pointer path, int max);

        @SaveError
        int umad_open_port(String caName, int portNum);

        int umad_close_port(int portId);

        @SaveError
        int umad_register(int portId, int mgmtClass, int mgmtVersion, byte rmppVersion, Pointer methodMask);

        @SaveError
        int umad_register2(int portFd, Pointer attributes, Pointer agentId);

        int umad_get_fd(int portId);

        @SaveError
        int umad_send(int portId, int agentId, Pointer umad, int length, int timeoutMs, int retries);

        @SaveError
        int umad_recv(int portId, Pointer umad, Pointer length, int timeoutMs);
    }

    private final Functions functions;
    private final Runtime runtime;

    private LibIbUmad(Functions functions) {
        this.functions = functions;
        this.runtime = Runtime.getRuntime(functions);
    }

    /**
     * Loads the library.
     *
     * @throws TransportException if it, or the stub that calls into it, cannot be loaded
     */
    static LibIbUmad load() throws TransportException {
        String library = System.getProperty("torussm.umad.library", LIBRARY);
        try {
            Functions functions =
                    LibraryLoader.create(Functions.class).failImmediately().load(library);
            functions.umad_init();
            return new LibIbUmad(functions);
        } catch (UnsatisfiedLinkError e) {
            throw new TransportException(
                    "cannot load " + library + " (" + firstLine(e)
                            + "): install it with apt-get install libibumad3; if it "
                            + "is there, java.io.tmpdir or jffi.extract.dir must be a directory that allows execution",
                    e);
        }
    }

    private static String firstLine(Throwable e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    Functions functions() {
        return functions;
    }

    Pointer allocate(int size) {
        return Memory.allocateDirect(runtime, size, true);
    }

    int lastError() {
        return runtime == null ? 0 : Runtime.getSystemRuntime().getLastError();
    }

    static String string(Pointer memory, int offset, int max) {
        byte[] bytes = new byte[max];
        memory.get(offset, bytes, 0, max);
        int end = 0;
        while (end < max && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.US_ASCII);
    }

    /** open(path, O_RDWR | O_NONBLOCK) of the default scope; a negative errno if it fails. */
    static int open(String path) {
        byte[] zeroTerminated = java.util.Arrays.copyOf(path.getBytes(StandardCharsets.UTF_8), path.length() + 1);
        Function open = function("open", Type.POINTER, Type.SINT32);
        HeapInvocationBuffer arguments = new HeapInvocationBuffer(open);
        arguments.putArray(zeroTerminated, 0, zeroTerminated.length, com.kenai.jffi.ArrayFlags.IN);
        arguments.putInt(O_RDWR | O_NONBLOCK);
        int fd = Invoker.getInstance().invokeInt(open, arguments);
        return fd >= 0 ? fd : -com.kenai.jffi.LastError.getInstance().get();
    }

    /** close(fd) of the default scope. */
    static void close(int fd) {
        Function close = function("close", Type.SINT32);
        HeapInvocationBuffer arguments = new HeapInvocationBuffer(close);
        arguments.putInt(fd);
        Invoker.getInstance().invokeInt(close, arguments);
    }

    private static Function function(String name, Type... parameters) {
        long address = Library.getDefault().getSymbolAddress(name);
        CallContext context =
                CallContextCache.getInstance().getCallContext(Type.SINT32, parameters, CallingConvention.DEFAULT, true);
        return new Function(address, context);
    }
}
