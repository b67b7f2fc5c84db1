package io.torussm.transport.umad;

import static io.torussm.transport.foreign.ForeignLibrary.memory;
import static io.torussm.transport.foreign.ForeignLibrary.zeroTerminated;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.MadFrame;
import io.torussm.transport.TransportException;
import io.torussm.transport.foreign.ForeignFunction;
import io.torussm.transport.foreign.ForeignLibrary;
import io.torussm.transport.foreign.ForeignMemory;
import io.torussm.transport.rmpp.Rmpp;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The library libibumad.so.3 and the functions of the C library, called through jffi. Any thread may call it.
 *
 * <p>The C library is looked up in the default scope, not by name. Otherwise {@code open} would bypass the function
 * that umad2sim preloads. Structures are direct memory with the offsets of {@link UserMad}.
 */
final class LibIbUmad implements Umad {
    /** System property with the file name of the library, for tests and unusual installations. */
    static final String LIBRARY_PROPERTY = "torussm.umad.library";

    private static final String LIBRARY = "libibumad.so.3";
    private static final int MAX_CAS = 32;
    private static final int MAX_PORTS = 256;
    private static final int PATH_SIZE = 256;

    /** Bytes of an SA MAD before the first byte that PayloadLength counts. */
    private static final int RMPP_HEADERS = 36;

    /** Bytes of a receive buffer. MADs of Omni-Path have up to 2 KiB, and must be read to be discarded. */
    private static final int RECEIVE_SIZE = 2048;

    /**
     * Max bytes of a message that is accepted from the kernel, if the kernel does RMPP. Requests to the SA are shorter.
     */
    static final int MAX_MESSAGE_BYTES = 1 << 20;

    private static final String ABI_VERSION = "/sys/class/infiniband_mad/abi_version";
    private static final int O_RDONLY = 0;
    private static final int O_RDWR = 2;
    private static final int O_NONBLOCK = 0x800;

    /** The C library's functions for files. */
    interface LibC {
        int open(ByteBuffer path, int flags);

        int close(int fd);

        /** The functions of the libraries of this process. */
        final class OfProcess implements LibC {
            private final ForeignFunction open;
            private final ForeignFunction close;

            OfProcess(ForeignLibrary process) {
                open = process.variadic("open", ForeignLibrary.Parameter.POINTER, ForeignLibrary.Parameter.INT);
                close = process.function("close", ForeignLibrary.Parameter.INT);
            }

            @Override
            public int open(ByteBuffer path, int flags) {
                try {
                    return open.call(ForeignFunction.address(path), flags);
                } finally {
                    Reference.reachabilityFence(path);
                }
            }

            @Override
            public int close(int fd) {
                return close.call(fd);
            }
        }
    }

    /** The loaded libraries by file name. Guarded by the class. */
    private static final Map<String, LibIbUmad> LOADED = new HashMap<>();

    private final IbUmad umad;
    private final LibC libc;
    private final ThreadLocal<ReceiveParameters> received = ThreadLocal.withInitial(ReceiveParameters::new);
    private final ThreadLocal<UserMadMemory> sent =
            ThreadLocal.withInitial(() -> new UserMadMemory(MadHeader.MAD_SIZE));

    /** The parameters of umad_recv, one object per receiving thread. */
    private static final class ReceiveParameters {
        final UserMadMemory mad = new UserMadMemory(RECEIVE_SIZE);
        final ForeignMemory length = ForeignMemory.of(Integer.BYTES);

        int length() {
            return length.bytes().getInt(0);
        }
    }

    /** Max bytes of an accepted MAD or message; longer ones are discarded. */
    private volatile int maxReceiveBytes = MadHeader.MAD_SIZE;

    LibIbUmad(IbUmad umad, LibC libc) {
        this.umad = umad;
        this.libc = libc;
    }

    /**
     * Returns the library, which the first call loads.
     *
     * @throws TransportException if the library or the native part of jffi cannot be loaded
     */
    static synchronized LibIbUmad load() throws TransportException {
        String name = System.getProperty(LIBRARY_PROPERTY, LIBRARY);
        LibIbUmad loaded = LOADED.get(name);
        if (loaded == null) {
            loaded = load(name);
            LOADED.put(name, loaded);
        }
        return loaded;
    }

    private static LibIbUmad load(String name) throws TransportException {
        LibC libc;
        try {
            libc = new LibC.OfProcess(ForeignLibrary.ofProcess());
        } catch (LinkageError e) {
            throw new TransportException(PortFailureRemedies.noNativeCode(e), e);
        }
        try {
            return new LibIbUmad(new IbUmad.Loaded(ForeignLibrary.open(name)), libc);
        } catch (LinkageError e) {
            throw new TransportException(PortFailureRemedies.noLibrary(name, e), e);
        }
    }

    @Override
    public List<PortDescription> ports() {
        ByteBuffer names = memory(MAX_CAS * UserMad.NAME_SIZE);
        int count = umad.umad_get_cas_names(names, MAX_CAS);
        List<PortDescription> ports = new ArrayList<>();
        for (int i = 0; i < Math.min(count, MAX_CAS); i++) {
            portsOf(text(names, i * UserMad.NAME_SIZE), ports);
        }
        return List.copyOf(ports);
    }

    private void portsOf(String caName, List<PortDescription> ports) {
        ByteBuffer guids = memory(MAX_PORTS * Long.BYTES);
        // Element n of the list is the GUID of port n. A channel adapter has GUID 0 at element 0; a switch has its only
        // end port there.
        int count = Math.min(umad.umad_get_ca_portguids(zeroTerminated(caName), guids, MAX_PORTS), MAX_PORTS);
        boolean isSwitch = count > 0 && guids.getLong(0) != 0;
        ByteBuffer port = memory(UserMad.PORT_SIZE);
        for (int number = isSwitch ? 0 : 1; number < (isSwitch ? 1 : count); number++) {
            if (umad.umad_get_port(zeroTerminated(caName), number, port) == 0) {
                ports.add(describe(caName, port));
                umad.umad_release_port(port);
            }
        }
    }

    @Override
    public List<Pair> pairs() {
        ByteBuffer memory = memory(MAX_CAS * UserMad.PAIR_SIZE);
        int count;
        try {
            count = umad.umad_get_smi_gsi_pairs(memory, MAX_CAS);
        } catch (LinkageError e) {
            return List.of(); // an older library
        }
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < Math.min(count, MAX_CAS); i++) {
            int offset = i * UserMad.PAIR_SIZE;
            pairs.add(new Pair(text(memory, offset + UserMad.PAIR_SMI), text(memory, offset + UserMad.PAIR_GSI)));
        }
        return List.copyOf(pairs);
    }

    @Override
    public int portState(String caName, int portNum) {
        ByteBuffer port = memory(UserMad.PORT_SIZE);
        if (umad.umad_get_port(zeroTerminated(caName), portNum, port) != 0) {
            return 0;
        }
        int state = port.getInt(UserMad.PORT_STATE);
        umad.umad_release_port(port);
        return state;
    }

    private static PortDescription describe(String caName, ByteBuffer port) {
        return new PortDescription(
                caName,
                port.getInt(UserMad.PORT_NUM),
                UserMadMemory.bigEndian(port.getLong(UserMad.PORT_GUID_BE)),
                port.getInt(UserMad.PORT_BASE_LID),
                port.getInt(UserMad.PORT_STATE),
                text(port, UserMad.PORT_LINK_LAYER));
    }

    /**
     * {@inheritDoc}
     *
     * <p>The version file is opened first. While it is absent, the library must not be called: it would remember the
     * failed read of the version for the rest of the process.
     */
    @Override
    public int open(String caName, int portNum) throws ErrnoException {
        int version = libc.open(zeroTerminated(ABI_VERSION), O_RDONLY);
        if (version < 0) {
            throw new ErrnoException("open " + ABI_VERSION, ErrnoException.ENOENT);
        }
        libc.close(version);
        umad.umad_init();
        return check("umad_open_port", umad.umad_open_port(zeroTerminated(caName), portNum));
    }

    @Override
    public void close(int port) {
        umad.umad_close_port(port);
    }

    @Override
    public int register(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException {
        return register(port, mgmtClass, classVersion, methods, 0);
    }

    @Override
    public int registerKernelRmpp(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException {
        int agent = register(port, mgmtClass, classVersion, methods, Rmpp.VERSION);
        maxReceiveBytes = MAX_MESSAGE_BYTES;
        return agent;
    }

    private int register(int port, int mgmtClass, int classVersion, long methods, int rmppVersion)
            throws ErrnoException {
        // The mask of methods has 128 bits, of which IBA uses the first 64.
        ByteBuffer mask = memory(2 * Long.BYTES);
        mask.putLong(0, methods);
        return check("umad_register", umad.umad_register(port, mgmtClass, classVersion, (byte) rmppVersion, mask));
    }

    @Override
    public int registerUserRmpp(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException {
        ByteBuffer attributes = memory(UserMad.REG_SIZE);
        attributes.put(UserMad.REG_CLASS, (byte) mgmtClass);
        attributes.put(UserMad.REG_VERSION, (byte) classVersion);
        attributes.putInt(UserMad.REG_FLAGS, UserMad.USER_RMPP);
        attributes.putLong(UserMad.REG_METHODS, methods);
        attributes.put(UserMad.REG_RMPP_VERSION, (byte) 1);
        ByteBuffer agent = memory(Integer.BYTES);
        int error = umad.umad_register2(port, attributes, agent);
        if (error != 0) {
            throw new ErrnoException("umad_register2", Math.abs(error));
        }
        return agent.getInt(0);
    }

    @Override
    public void unregister(int port, int agent) {
        umad.umad_unregister(port, agent);
    }

    @Override
    public void send(int port, int agent, MadFrame frame, int responseTimeoutMs) throws ErrnoException {
        byte[] mad = frame.mad();
        UserMadMemory memory = mad.length > MadHeader.MAD_SIZE ? new UserMadMemory(mad.length) : sent.get();
        memory.put(frame.peer(), mad);
        int length = mad.length == MadHeader.MAD_SIZE ? usedLength(mad) : mad.length;
        check("umad_send", umad.umad_send(port, agent, memory.memory(), length, responseTimeoutMs, 0));
    }

    /**
     * Returns the number of bytes of a MAD to send: 256, or fewer for the last segment of a message, which ends at its
     * PayloadLength. The kernel pads to 256 bytes. umad2sim passes the length to the receiver; a receiver without RMPP
     * derives the number of records from it.
     */
    static int usedLength(byte[] mad) {
        boolean isLastSegment = MadHeader.mgmtClass(mad) == MgmtClass.SUBN_ADM
                && SaMad.RMPP_TYPE.get(mad, 0) == Rmpp.DATA
                && (SaMad.RMPP_FLAGS.get(mad, 0) & SaMad.FLAG_LAST) != 0;
        return isLastSegment
                ? (int) Math.min(MadHeader.MAD_SIZE, RMPP_HEADERS + SaMad.DATA2.get(mad, 0))
                : MadHeader.MAD_SIZE;
    }

    @Override
    public @Nullable MadFrame receive(int port, int timeoutMs) throws ErrnoException {
        ReceiveParameters receipt = received.get();
        UserMadMemory memory = receipt.mad;
        int agent = receiveInto(port, memory, receipt, RECEIVE_SIZE, timeoutMs);
        if (agent == -ErrnoException.ENOSPC) {
            // The kernel keeps a MAD that does not fit, and reports its length. Only a second read removes it from the
            // queue.
            int needed = receipt.length();
            memory = new UserMadMemory(needed);
            agent = receiveInto(port, memory, receipt, needed, 0);
        }
        if (agent >= 0) {
            return frame(memory, receipt.length());
        }
        if (agent == -ErrnoException.ETIMEDOUT) {
            return null;
        }
        // The library returns EIO for each error of poll(); errno has the cause.
        int errno = ForeignLibrary.errno();
        if (errno == ErrnoException.EINTR || errno == ErrnoException.EAGAIN || errno == ErrnoException.ETIMEDOUT) {
            return null;
        }
        throw new ErrnoException("umad_recv", errno == 0 ? -agent : errno);
    }

    private int receiveInto(int port, UserMadMemory memory, ReceiveParameters receipt, int size, int timeoutMs) {
        receipt.length.bytes().putInt(0, size);
        return umad.umad_recv(port, memory.memory(), receipt.length, timeoutMs);
    }

    /**
     * Returns a received frame, padded with zeros to 256 bytes: a returned request consists of a header only, and
     * umad2sim truncates MADs.
     *
     * @param length received bytes without the header of libibumad
     * @return null if the MAD is shorter than its header, or longer than {@link #maxReceiveBytes}
     */
    private @Nullable MadFrame frame(UserMadMemory memory, int length) {
        if (length < MadHeader.LAYOUT.size() || length > maxReceiveBytes) {
            return null;
        }
        byte[] mad = new byte[Math.max(length, MadHeader.MAD_SIZE)];
        memory.memory().bytes().get(UserMad.DATA, mad, 0, length);
        memory.readHeader();
        return new MadFrame(memory.address(), mad, memory.isUndelivered());
    }

    @Override
    public int openIsSm(String caName, int portNum) throws ErrnoException {
        String path = smDevicePath(caName, portNum);
        int fd = libc.open(zeroTerminated(path), O_RDWR | O_NONBLOCK);
        if (fd < 0) {
            throw new ErrnoException("open " + path, ForeignLibrary.errno());
        }
        return fd;
    }

    private String smDevicePath(String caName, int portNum) throws ErrnoException {
        ByteBuffer path = memory(PATH_SIZE);
        check("umad_get_issm_path", umad.umad_get_issm_path(zeroTerminated(caName), portNum, path, PATH_SIZE));
        return text(path, 0, PATH_SIZE);
    }

    @Override
    public List<String> holders(String caName, int portNum) {
        try {
            String isSm = smDevicePath(caName, portNum);
            List<String> managers = DeviceHolders.of(Path.of(isSm));
            return managers.isEmpty() ? DeviceHolders.of(Path.of(isSm.replace("issm", "umad"))) : managers;
        } catch (ErrnoException e) {
            return List.of();
        }
    }

    @Override
    public void closeIsSm(int handle) {
        libc.close(handle);
    }

    /**
     * Returns a result that is not negative. Some of these calls return a negative errno; others return a fixed
     * negative number and leave the cause in errno.
     *
     * @param call name of the C function
     * @throws ErrnoException if the result is negative
     */
    private int check(String call, int result) throws ErrnoException {
        if (result < 0) {
            int errno = ForeignLibrary.errno();
            throw new ErrnoException(call, errno == 0 ? -result : errno);
        }
        return result;
    }

    private static String text(ByteBuffer memory, int offset) {
        return text(memory, offset, UserMad.NAME_SIZE);
    }

    /** Returns the zero-terminated ASCII text at an offset. */
    private static String text(ByteBuffer memory, int offset, int size) {
        byte[] bytes = new byte[size];
        memory.get(offset, bytes, 0, bytes.length);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.US_ASCII);
    }
}
