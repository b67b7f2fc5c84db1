package io.torussm.transport.umad;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.firmware.FirmwareInfo;
import io.torussm.mad.perf.PerfMad;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.rmpp.Rmpp;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port of a real adapter, or of ibsim, through libibumad. It registers five agents, and owns the devices and IsSM
 * from opening to closing. Any thread may send; one thread per device receives ({@link MadDevice}).
 */
public final class UmadTransport implements MadTransport {
    private static final EventLog EVENTS = EventLog.of(UmadTransport.class);
    private static final Logger LOG = LoggerFactory.getLogger(UmadTransport.class);

    private static final int SM_CLASS_VERSION = 1;
    private static final int SA_CLASS_VERSION = 2;
    private static final long SM_METHODS =
            1L << Method.GET | 1L << Method.SET | 1L << Method.TRAP | 1L << Method.TRAP_REPRESS;
    private static final long SA_METHODS = 1L << Method.GET
            | 1L << Method.SET
            | 1L << Method.GET_TABLE
            | 1L << Method.GET_TRACE_TABLE
            | 1L << Method.GET_MULTI
            | 1L << Method.DELETE;

    /** Max requests of each kind in flight at a real adapter. */
    private static final int MAX_OUTSTANDING = 512;

    /** Max requests with ibsim, GMPs included. More can lock up umad2sim and ibsim, whose datagram queues hold ten. */
    private static final int MAX_OUTSTANDING_IBSIM = 13;

    private static final int MAX_GMPS_IBSIM = 3;

    /** Max time that {@link #close} waits for running sends. */
    private static final long SEND_TIMEOUT_MS = 2000;

    /** The number of an absent agent, and the handle of IsSM while it is not set. */
    private static final int NONE = -1;

    private static final String SA_PURPOSE = "subnet administration (class 0x03)";

    private final Umad umad;
    private final PortDescription port;
    private final Purpose purpose;
    private final OwnLink link;

    /** True if the port belongs to ibsim; computed once, since each request needs it. */
    private final boolean isSimulated;

    /** The device of QP0: equal to {@link #gsi}, the device of QP1, except for adapters in two halves. */
    private final MadDevice smi;

    private final MadDevice gsi;
    private final int directedAgent;
    private final int lidAgent;
    private final int saAgent;
    private final int perfAgent;
    private final int congestionAgent;
    private final int firmwareAgent;

    /** Running sends and receipts, so that {@link #close} does not close a handle in use. */
    private final HandleUsers users = new HandleUsers();

    /** Guards {@link #issmHandle}, {@link #isStarted} and changes of {@link #isClosed}. */
    private final Object lifeLock = new Object();

    /** The handle of the issm device, or {@link #NONE}. */
    private int issmHandle = NONE;

    private boolean isStarted;
    private volatile boolean isClosed;

    /** The purpose of an open port. */
    private enum Purpose {
        MANAGE,
        MANAGE_WITH_RMPP_OF_KERNEL,
        /** Requests only. Unsolicited MADs are not received, so that an SM may use the port, too. */
        REQUEST_ONLY
    }

    private UmadTransport(Umad umad, Halves halves, MadDevice smi, MadDevice gsi, Purpose purpose, OwnLink link)
            throws TransportException {
        this.umad = umad;
        this.purpose = purpose;
        this.link = link;
        port = halves.smi;
        isSimulated = isSimulated(port);
        this.smi = smi;
        this.gsi = gsi;
        long smMethods = purpose == Purpose.REQUEST_ONLY ? 0 : SM_METHODS;
        directedAgent =
                registerSmps(MgmtClass.SUBN_DIRECTED_ROUTE, "directed-route subnet management (class 0x81)", smMethods);
        lidAgent = registerSmps(MgmtClass.SUBN_LID, "LID-routed subnet management (class 0x01)", smMethods);
        saAgent = purpose == Purpose.REQUEST_ONLY
                ? registerRequester(MgmtClass.SUBN_ADM, SA_CLASS_VERSION)
                : registerSa(halves.gsi);
        perfAgent = registerRequester(MgmtClass.PERF_MGT, PerfMad.CLASS_VERSION);
        congestionAgent = registerRequester(MgmtClass.CONGESTION_CONTROL, CongestionMad.CLASS_VERSION);
        firmwareAgent = registerRequester(MgmtClass.MELLANOX, FirmwareInfo.CLASS_VERSION);
    }

    /** The ports with QP0 and with QP1. They are one port, except for adapters in two halves. */
    private record Halves(PortDescription smi, PortDescription gsi) {
        static Halves of(PortDescription chosen, List<PortDescription> ports, List<Umad.Pair> pairs) {
            for (Umad.Pair pair : pairs) {
                boolean isOfPair =
                        pair.smi().equals(chosen.caName()) || pair.gsi().equals(chosen.caName());
                if (isOfPair && !pair.smi().isEmpty() && !pair.gsi().isEmpty()) {
                    return new Halves(port(chosen, pair.smi(), ports), port(chosen, pair.gsi(), ports));
                }
            }
            return new Halves(chosen, chosen);
        }

        /** Returns the port with the same GUID of another device; the chosen port if there is no such port. */
        private static PortDescription port(PortDescription chosen, String caName, List<PortDescription> ports) {
            return ports.stream()
                    .filter(port -> port.caName().equals(caName) && port.portGuid() == chosen.portGuid())
                    .findFirst()
                    .orElse(chosen);
        }
    }

    /** Opens a port of this host with RMPP in this process, as {@link #open(PortChoice, boolean)}. */
    public static UmadTransport open(PortChoice choice) throws TransportException {
        return open(choice, false);
    }

    /**
     * Opens a port of this host.
     *
     * @param isRmppOfKernel true if the kernel segments and reassembles SA messages
     * @throws TransportException with cause and remedy: library, driver, permissions or port are missing, or another SM
     *     is present
     */
    public static UmadTransport open(PortChoice choice, boolean isRmppOfKernel) throws TransportException {
        return open(LibIbUmad.load(), choice, isRmppOfKernel);
    }

    /**
     * Opens a port of this host for requests only. It receives only responses, and another subnet manager may
     * use the port.
     *
     * @throws TransportException with cause and remedy
     */
    public static UmadTransport openForRequests(PortChoice choice) throws TransportException {
        return open(LibIbUmad.load(), choice, Purpose.REQUEST_ONLY, null);
    }

    /**
     * Loads native code in a separate thread, so that opening a port later does not wait. After a failure,
     * the later opening fails, too, and reports it.
     */
    public static void preload() {
        Thread thread = new Thread(
                () -> {
                    try {
                        LibIbUmad.load();
                    } catch (TransportException e) {
                        LOG.debug("{}", e.getMessage());
                    }
                },
                "umad-load");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Returns the ports of this host.
     *
     * @return empty if there is no channel adapter, or its driver is not loaded
     * @throws TransportException if libibumad is missing
     */
    public static List<PortDescription> ports() throws TransportException {
        return LibIbUmad.load().ports();
    }

    static UmadTransport open(Umad umad, PortChoice choice, boolean isRmppOfKernel) throws TransportException {
        return open(umad, choice, isRmppOfKernel ? Purpose.MANAGE_WITH_RMPP_OF_KERNEL : Purpose.MANAGE, null);
    }

    /**
     * Opens the port of this transport again after its loss. The port is found by its GUID, since its device may have
     * another name.
     *
     * @throws TransportException if the port is absent or cannot be opened
     */
    public UmadTransport reopen() throws TransportException {
        return open(umad, PortChoice.byGuid(port.portGuid()), purpose, link);
    }

    /** @param known state of the link of a port that is opened again; null at the first time */
    private static UmadTransport open(Umad umad, PortChoice choice, Purpose purpose, @Nullable OwnLink known)
            throws TransportException {
        List<PortDescription> ports = umad.ports();
        if (ports.isEmpty()) {
            throw new PortNotReadyException(PortFailureRemedies.noPorts());
        }
        Halves halves = Halves.of(choice.select(ports), ports, umad.pairs());
        OwnLink link = known == null ? new OwnLink(halves.smi) : known;
        MadDevice smi = MadDevice.open(umad, halves.smi, new LinkWatch(umad, halves.smi, link, System::nanoTime));
        MadDevice gsi = smi;
        try {
            gsi = halves.gsi.caName().equals(halves.smi.caName()) ? smi : MadDevice.open(umad, halves.gsi, null);
            return new UmadTransport(umad, halves, smi, gsi, purpose, link);
        } catch (TransportException e) {
            release(smi, gsi);
            throw e;
        }
    }

    private static void release(MadDevice smi, MadDevice gsi) {
        if (gsi != smi) {
            gsi.release();
        }
        smi.release();
    }

    /** @param methods methods of unsolicited MADs; bit n is method n */
    private int registerSmps(int mgmtClass, String purpose, long methods) throws TransportException {
        try {
            return smi.register(handle -> umad.register(handle, mgmtClass, SM_CLASS_VERSION, methods));
        } catch (ErrnoException e) {
            throw PortFailureRemedies.register(port, purpose, e, holders(port));
        }
    }

    private List<String> holders(PortDescription device) {
        return umad.holders(device.caName(), device.portNum());
    }

    /**
     * Registers for SA MADs with RMPP of the kernel or of this process; if the latter is not supported, without RMPP.
     */
    private int registerSa(PortDescription device) throws TransportException {
        if (isRmppOfKernel()) {
            try {
                return gsi.register(
                        handle -> umad.registerKernelRmpp(handle, MgmtClass.SUBN_ADM, SA_CLASS_VERSION, SA_METHODS));
            } catch (ErrnoException e) {
                throw PortFailureRemedies.register(device, SA_PURPOSE, e, holders(device));
            }
        }
        try {
            return gsi.register(
                    handle -> umad.registerUserRmpp(handle, MgmtClass.SUBN_ADM, SA_CLASS_VERSION, SA_METHODS));
        } catch (ErrnoException e) {
            // Kernels before 3.17 and umad2sim lack this call. If the failure has another reason, the next call fails,
            // too.
            LOG.debug("{}: {}; registering for SA MADs without RMPP", device, e.getMessage());
        }
        try {
            return gsi.register(handle -> umad.register(handle, MgmtClass.SUBN_ADM, SA_CLASS_VERSION, SA_METHODS));
        } catch (ErrnoException e) {
            throw PortFailureRemedies.register(device, SA_PURPOSE, e, holders(device));
        }
    }

    /** Registers for responses of an optional class. Returns {@link #NONE} after a failure, which is only logged. */
    private int registerRequester(int mgmtClass, int classVersion) {
        try {
            return gsi.register(handle -> umad.register(handle, mgmtClass, classVersion, 0));
        } catch (ErrnoException e) {
            LOG.debug("{}: {}; no requests of class 0x{}", port, e.getMessage(), Integer.toHexString(mgmtClass));
            return NONE;
        }
    }

    @Override
    public LocalPort localPort() {
        return new LocalPort(port.caName(), port.portNum(), port.portGuid());
    }

    @Override
    public int maxOutstanding() {
        return isSimulated() ? MAX_OUTSTANDING_IBSIM : MAX_OUTSTANDING;
    }

    @Override
    public int maxOutstandingGmps() {
        return isSimulated() ? MAX_GMPS_IBSIM : MAX_OUTSTANDING;
    }

    /** {@inheritDoc} False for umad2sim, which has no time-outs. */
    @Override
    public boolean returnsTimedOutRequests() {
        return !isSimulated();
    }

    /** Checks whether the port belongs to ibsim. Its preload library cannot open a lost port again. */
    public boolean isSimulated() {
        return isSimulated;
    }

    private static boolean isSimulated(PortDescription port) {
        String preload = System.getenv("LD_PRELOAD");
        return port.caName().startsWith("ibsim") || (preload != null && preload.contains("libumad2sim"));
    }

    @Override
    public void start(Receiver receiver) {
        synchronized (lifeLock) {
            if (isStarted || isClosed) {
                throw new IllegalStateException(isClosed ? "the transport is closed" : "started twice");
            }
            isStarted = true;
            if (gsi == smi) {
                smi.start(receiver, "umad-receive");
            } else {
                Receiver oneByOne = new SerialReceiver(receiver);
                smi.start(oneByOne, "umad-receive");
                gsi.start(oneByOne, "umad-receive-gsi");
            }
        }
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        int agent = agentFor(frame);
        if (agent == NONE || !users.begin()) {
            return false;
        }
        try {
            (isSmp(frame) ? smi : gsi).send(agent, frame, responseTimeoutMs);
            return true;
        } catch (ErrnoException e) {
            LOG.debug("{}: {}", port, e.getMessage());
            return false;
        } finally {
            users.end();
        }
    }

    @Override
    public ReceiveResult receiveInline(int timeoutMs) {
        if (!users.begin()) {
            return ReceiveResult.NONE;
        }
        try {
            return smi.receiveInline(timeoutMs);
        } finally {
            users.end();
        }
    }

    @Override
    public void resumeReceiveThread() {
        smi.resumeReceiveThread();
    }

    private static boolean isSmp(MadFrame frame) {
        return MgmtClass.isSmp(MadHeader.mgmtClass(frame.mad()));
    }

    private int agentFor(MadFrame frame) {
        if (frame.mad().length != MadHeader.MAD_SIZE && !isMessage(frame.mad())) {
            throw new IllegalArgumentException("a MAD has " + MadHeader.MAD_SIZE + " bytes, not " + frame.mad().length);
        }
        return switch (MadHeader.mgmtClass(frame.mad())) {
            case MgmtClass.SUBN_DIRECTED_ROUTE -> directedAgent;
            case MgmtClass.SUBN_LID -> lidAgent;
            case MgmtClass.SUBN_ADM -> saAgent;
            case MgmtClass.PERF_MGT -> perfAgent;
            case MgmtClass.CONGESTION_CONTROL -> congestionAgent;
            case MgmtClass.MELLANOX -> firmwareAgent;
            default -> NONE;
        };
    }

    private boolean isRmppOfKernel() {
        return purpose == Purpose.MANAGE_WITH_RMPP_OF_KERNEL;
    }

    /** Checks whether the kernel segments this message, which may have any length. */
    private boolean isMessage(byte[] mad) {
        return isRmppOfKernel()
                && mad.length >= SaMad.DATA_OFFSET
                && MadHeader.mgmtClass(mad) == MgmtClass.SUBN_ADM
                && Rmpp.isActive(mad);
    }

    @Override
    public void setIsSm(boolean isSmWanted) throws TransportException {
        synchronized (lifeLock) {
            if (!isSmWanted) {
                clearIsSm();
            } else if (isClosed) {
                throw new TransportException(port + " was closed; IsSM cannot be set any more");
            } else if (issmHandle == NONE) {
                try {
                    issmHandle = umad.openIsSm(port.caName(), port.portNum());
                } catch (ErrnoException e) {
                    throw PortFailureRemedies.refusedSm(port, e, holders(port));
                }
            }
        }
    }

    private void clearIsSm() {
        if (issmHandle != NONE) {
            umad.closeIsSm(issmHandle);
            issmHandle = NONE;
        }
    }

    @Override
    public void close() {
        synchronized (lifeLock) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            clearIsSm();
        }
        // The receiving threads still run: a sender may wait until they have read the replies of the simulator.
        boolean isUnused = users.close(SEND_TIMEOUT_MS);
        smi.stop();
        gsi.stop();
        if (isSimulated) {
            smi.awaitEnd(); // umad2sim crashes at a MAD for a closed agent, so all agents stay until the process ends
        } else if (isUnused) {
            release(smi, gsi);
        } else { // a send still blocks: an open handle is lost rather than assigned to another file
            EVENTS.report(SmEvent.SEND_HANGS, EventField.DEVICE.of(port.identity()));
        }
    }
}
