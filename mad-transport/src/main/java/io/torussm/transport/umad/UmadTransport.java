package io.torussm.transport.umad;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.Rmpp;
import io.torussm.transport.TransportException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port of a host channel adapter, bound to the SM and SA management classes.
 *
 * <p>Threads: {@link #send} from any thread, one at a time; a thread {@code umad-receive} waits in libibumad with a
 * timeout and hands frames over.
 */
public final class UmadTransport implements MadTransport {
    private static final Logger LOG = LoggerFactory.getLogger(UmadTransport.class);
    private static final int POLL_MS = 200;
    private static final int SIMULATED_OUTSTANDING = 16;
    private static final int REAL_OUTSTANDING = 512;
    /** Bytes before what PayloadLength counts. */
    private static final int RMPP_DATA = 36;

    private static final int QKEY_GSI = 0x80010000;
    private static final long SM_METHODS =
            1L << Method.GET | 1L << Method.SET | 1L << Method.TRAP | 1L << Method.TRAP_REPRESS;
    private static final long SA_METHODS = 1L << Method.GET
            | 1L << Method.SET
            | 1L << Method.GET_TABLE
            | 1L << Method.GET_TRACE_TABLE
            | 1L << Method.GET_MULTI
            | 1L << Method.DELETE;

    private final LibIbUmad library;
    private final LibIbUmad.Functions umad;
    private final PortDescription port;
    private final int portId;
    private final int directedAgent;
    private final int lidRoutedAgent;
    private final int saAgent;
    private final Pointer outgoing;
    private int issmFd = -1;
    private volatile boolean closed;
    private @Nullable Thread receiveThread;

    private UmadTransport(LibIbUmad library, PortDescription port, int portId) throws TransportException {
        this.library = library;
        this.umad = library.functions();
        this.port = port;
        this.portId = portId;
        this.outgoing = library.allocate(LibIbUmad.HEADER + MadHeader.MAD_SIZE);
        this.directedAgent = register(MgmtClass.SUBN_DIRECTED_ROUTE, 1, SM_METHODS);
        this.lidRoutedAgent = register(MgmtClass.SUBN_LID, 1, SM_METHODS);
        this.saAgent = registerSubnetAdministration();
    }

    /** The local ports of all channel adapters; empty if there is none. */
    public static List<PortDescription> ports() throws TransportException {
        return ports(LibIbUmad.load());
    }

    /**
     * Opens a port and registers the SM and SA agents on it.
     *
     * @throws TransportException with cause and remedy, if there is no such port, permission is missing, or another
     *     subnet manager holds it
     */
    public static UmadTransport open(PortChoice choice) throws TransportException {
        LibIbUmad library = LibIbUmad.load();
        PortDescription port = choose(choice, ports(library));
        int portId = library.functions().umad_open_port(port.caName(), port.portNum());
        if (portId < 0) {
            throw cannotOpen(port, portId == -1 ? library.lastError() : -portId);
        }
        try {
            return new UmadTransport(library, port, portId);
        } catch (TransportException e) {
            library.functions().umad_close_port(portId);
            throw e;
        }
    }

    private static List<PortDescription> ports(LibIbUmad library) {
        LibIbUmad.Functions umad = library.functions();
        Pointer names = library.allocate(LibIbUmad.MAX_CAS * LibIbUmad.NAME_LENGTH);
        Pointer guids = library.allocate(LibIbUmad.MAX_PORTS * Long.BYTES);
        Pointer port = library.allocate(LibIbUmad.PORT_SIZE);
        List<PortDescription> ports = new ArrayList<>();
        int cas = umad.umad_get_cas_names(names, LibIbUmad.MAX_CAS);
        for (int ca = 0; ca < cas; ca++) {
            String name = LibIbUmad.string(names, ca * LibIbUmad.NAME_LENGTH, LibIbUmad.NAME_LENGTH);
            int count = umad.umad_get_ca_portguids(name, guids, LibIbUmad.MAX_PORTS);
            for (int portNum = 1; portNum < count; portNum++) {
                if (umad.umad_get_port(name, portNum, port) == 0) {
                    ports.add(describe(name, port));
                    umad.umad_release_port(port);
                }
            }
        }
        return ports;
    }

    private static PortDescription describe(String caName, Pointer port) {
        return new PortDescription(
                caName,
                port.getInt(LibIbUmad.PORT_NUM),
                bigEndian(port.getLong(LibIbUmad.PORT_GUID_BE)),
                port.getInt(LibIbUmad.PORT_STATE),
                LibIbUmad.string(port, LibIbUmad.LINK_LAYER, LibIbUmad.NAME_LENGTH));
    }

    private static PortDescription choose(PortChoice choice, List<PortDescription> ports) throws TransportException {
        if (ports.isEmpty()) {
            throw new TransportException("this host has no InfiniBand channel adapter that libibumad can see: load its "
                    + "driver and modprobe ib_umad, and look for /dev/infiniband/umad*");
        }
        List<PortDescription> admitted = ports.stream().filter(choice::admits).toList();
        PortDescription chosen = admitted.stream()
                .filter(PortDescription::isInfiniBand)
                .filter(PortDescription::isUp)
                .findFirst()
                .orElse(admitted.isEmpty() ? null : admitted.get(0));
        if (chosen == null) {
            throw new TransportException("there is no " + choice + " here; ports are: " + list(ports));
        }
        if (!chosen.isInfiniBand()) {
            throw new TransportException(chosen + " is not an InfiniBand port; ports are: " + list(ports));
        }
        return chosen;
    }

    private static String list(List<PortDescription> ports) {
        return ports.stream().map(PortDescription::toString).collect(Collectors.joining(", "));
    }

    private static TransportException cannotOpen(PortDescription port, int errno) {
        String remedy =
                switch (errno) {
                    case Errno.EACCES, Errno.EPERM -> "run as root, or as a user who may write /dev/infiniband/umad*";
                    case Errno.ENOENT, Errno.ENODEV, Errno.ENXIO, Errno.EIO ->
                        "modprobe ib_umad, and look for /dev/infiniband/umad*";
                    default -> "look at the kernel log";
                };
        return new TransportException("cannot open " + port + " (" + Errno.describe(errno) + "): " + remedy);
    }

    private int register(int mgmtClass, int version, long methods) throws TransportException {
        Pointer mask = library.allocate(2 * Long.BYTES);
        mask.putLong(0, methods);
        int agent = umad.umad_register(portId, mgmtClass, version, (byte) 0, mask);
        if (agent < 0) {
            throw new TransportException(String.format(
                    "cannot register for management class 0x%02x on %s (%s): another subnet manager runs on this port; "
                            + "stop it, or choose another port",
                    mgmtClass, port, Errno.describe(agent == -1 ? library.lastError() : -agent)));
        }
        return agent;
    }

    /** With RMPP in user space if the kernel has a word for it, else without RMPP, which comes to the same. */
    private int registerSubnetAdministration() throws TransportException {
        Pointer attributes = library.allocate(LibIbUmad.REG_SIZE);
        attributes.putByte(LibIbUmad.REG_CLASS, (byte) MgmtClass.SUBN_ADM);
        attributes.putByte(LibIbUmad.REG_VERSION, (byte) 2);
        attributes.putInt(LibIbUmad.REG_FLAGS, LibIbUmad.FLAG_USER_RMPP);
        attributes.putLong(LibIbUmad.REG_METHODS, SA_METHODS);
        Pointer agent = library.allocate(Integer.BYTES);
        int status = umad.umad_register2(umad.umad_get_fd(portId), attributes, agent);
        return status == 0 ? agent.getInt(0) : register(MgmtClass.SUBN_ADM, 2, SA_METHODS);
    }

    @Override
    public LocalPort localPort() {
        return new LocalPort(port.caName(), port.portNum(), port.portGuid());
    }

    /** Few on the simulator, whose datagram queues hold about ten and whose library can lock up beyond twenty. */
    @Override
    public int maxOutstanding() {
        return port.caName().startsWith("ibsim") ? SIMULATED_OUTSTANDING : REAL_OUTSTANDING;
    }

    @Override
    public synchronized void start(Receiver receiver) {
        Thread thread = new Thread(() -> receive(receiver), "umad-receive");
        thread.setDaemon(true);
        receiveThread = thread;
        thread.start();
    }

    @Override
    public synchronized boolean send(MadFrame frame, int responseTimeoutMs) {
        if (closed) {
            return false;
        }
        MadAddress peer = frame.peer();
        outgoing.putInt(LibIbUmad.QPN_BE, bigEndian(peer.qpn()));
        outgoing.putInt(LibIbUmad.QKEY_BE, bigEndian(peer.qpn() == 0 ? 0 : QKEY_GSI));
        outgoing.putShort(LibIbUmad.LID_BE, bigEndian((short) peer.lid()));
        outgoing.putByte(LibIbUmad.SL, (byte) peer.sl());
        outgoing.putShort(LibIbUmad.PKEY_INDEX, (short) peer.pKeyIndex());
        outgoing.put(LibIbUmad.HEADER, frame.mad(), 0, MadHeader.MAD_SIZE);
        int agent = agent(MadHeader.mgmtClass(frame.mad()));
        return agent >= 0
                && umad.umad_send(portId, agent, outgoing, usedLength(frame.mad()), responseTimeoutMs, 0) == 0;
    }

    /** The kernel pads to 256 bytes; umad2sim hands the length on, and without RMPP receivers count records by it. */
    private static int usedLength(byte[] mad) {
        boolean isLastSegment = MadHeader.mgmtClass(mad) == MgmtClass.SUBN_ADM
                && SaMad.RMPP_TYPE.get(mad, 0) == Rmpp.DATA
                && (SaMad.RMPP_FLAGS.get(mad, 0) & SaMad.FLAG_LAST) != 0;
        return isLastSegment
                ? Math.min(MadHeader.MAD_SIZE, RMPP_DATA + (int) SaMad.DATA2.get(mad, 0))
                : MadHeader.MAD_SIZE;
    }

    private int agent(int mgmtClass) {
        return switch (mgmtClass) {
            case MgmtClass.SUBN_DIRECTED_ROUTE -> directedAgent;
            case MgmtClass.SUBN_LID -> lidRoutedAgent;
            case MgmtClass.SUBN_ADM -> saAgent;
            default -> -1;
        };
    }

    private void receive(Receiver receiver) {
        Pointer incoming = library.allocate(LibIbUmad.HEADER + MadHeader.MAD_SIZE);
        Pointer length = library.allocate(Integer.BYTES);
        while (!closed) {
            length.putInt(0, MadHeader.MAD_SIZE);
            int agent = umad.umad_recv(portId, incoming, length, POLL_MS);
            if (agent >= 0) {
                byte[] mad = new byte[MadHeader.MAD_SIZE];
                incoming.get(LibIbUmad.HEADER, mad, 0, MadHeader.MAD_SIZE);
                receiver.received(frame(incoming, mad));
            } else if (isFatal(agent)) {
                receiver.transportFailed(port + " is gone (" + Errno.describe(-agent) + ")");
                return;
            }
        }
    }

    private static MadFrame frame(Pointer incoming, byte[] mad) {
        MadAddress peer = new MadAddress(
                bigEndian(incoming.getShort(LibIbUmad.LID_BE)) & 0xffff,
                bigEndian(incoming.getInt(LibIbUmad.QPN_BE)) & 0xffffff,
                incoming.getByte(LibIbUmad.SL) & 0xf,
                incoming.getShort(LibIbUmad.PKEY_INDEX) & 0xffff);
        return new MadFrame(peer, mad, incoming.getInt(LibIbUmad.STATUS) != 0);
    }

    private boolean isFatal(int result) {
        if (closed) {
            return false;
        }
        return switch (-result) {
            case Errno.EIO, Errno.ENODEV, Errno.EBADF, Errno.ENXIO -> true;
            default -> false;
        };
    }

    @Override
    public synchronized void setIsSm(boolean isSm) throws TransportException {
        if (!isSm) {
            lowerIsSm();
        } else if (issmFd < 0) {
            issmFd = raiseIsSm();
        }
    }

    private int raiseIsSm() throws TransportException {
        Pointer path = library.allocate(LibIbUmad.PATH_LENGTH);
        if (umad.umad_get_issm_path(port.caName(), port.portNum(), path, LibIbUmad.PATH_LENGTH) < 0) {
            throw new TransportException("no issm device belongs to " + port + ": modprobe ib_umad");
        }
        String device = LibIbUmad.string(path, 0, LibIbUmad.PATH_LENGTH);
        int fd = LibIbUmad.open(device);
        if (fd >= 0) {
            return fd;
        }
        String remedy =
                switch (-fd) {
                    case Errno.EAGAIN, Errno.EBUSY ->
                        "another subnet manager holds it; stop it, or choose another port";
                    case Errno.EACCES, Errno.EPERM -> "run as root, or as a user who may write " + device;
                    default -> "modprobe ib_umad";
                };
        throw new TransportException("cannot open " + device + " (" + Errno.describe(-fd) + "): " + remedy);
    }

    private void lowerIsSm() {
        if (issmFd >= 0) {
            LibIbUmad.close(issmFd);
            issmFd = -1;
        }
    }

    /** IsSM falls first, so that no other SM waits for one that is gone. */
    @Override
    public void close() {
        Thread thread;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            lowerIsSm();
            thread = receiveThread;
        }
        try {
            if (thread != null && thread != Thread.currentThread()) {
                thread.join(5L * POLL_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        umad.umad_close_port(portId);
        LOG.debug("closed {}", port);
    }

    private static int bigEndian(int value) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
    }

    private static short bigEndian(short value) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Short.reverseBytes(value);
    }

    private static long bigEndian(long value) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
    }
}
