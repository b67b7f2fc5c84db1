package io.torussm.transport.umad;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.perf.PerfMad;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.PortNotReadyException;
import io.torussm.transport.TransportException;
import io.torussm.transport.rmpp.Rmpp;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A port of a real HCA, or of ibsim, through libibumad. */
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

    private static final int MAX_OUTSTANDING = 512;

    /**
     * Limit of requests of both kinds with ibsim. More can lock up umad2sim and ibsim, whose datagram queues
     * hold ten.
     */
    private static final int MAX_OUTSTANDING_IBSIM = 13;

    private static final int MAX_GMPS_IBSIM = 3;

    /** How long {@link #close} waits for sends that are under way. */
    private static final long SEND_PATIENCE_MS = 2000;

    private static final int NONE = -1;
    private static final String SA_PURPOSE = "subnet administration (class 0x03)";

    private final Umad umad;
    private final PortDescription port;
    private final Purpose purpose;
    private final OwnLink link;

    /** Stored, since each request needs it. */
    private final boolean isSimulated;

    /** The devices of QP0 and of QP1: one and the same, but for adapters in two halves. */
    private final MadDevice smi;

    private final MadDevice gsi;
    private final int directedAgent;
    private final int lidAgent;
    private final int saAgent;
    private final int perfAgent;
    private final int congestionAgent;

    /** Counted while sending, so that {@link #close} cannot give the handle away under a sender. */
    private final HandleUsers users = new HandleUsers();

    /** Guards {@link #isSm} and the life of the receive threads. */
    private final Object lifeLock = new Object();

    private int isSm = NONE;
    private boolean isStarted;
    private volatile boolean closed;

    /** The purpose of an open port. */
    private enum Purpose {
        MANAGE,
        MANAGE_WITH_RMPP_OF_KERNEL,
        /** Nothing is received but answers, so that others may manage the port. */
        ASK
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
        long smMethods = purpose == Purpose.ASK ? 0 : SM_METHODS;
        directedAgent =
                registerSmps(MgmtClass.SUBN_DIRECTED_ROUTE, "directed-route subnet management (class 0x81)", smMethods);
        lidAgent = registerSmps(MgmtClass.SUBN_LID, "LID-routed subnet management (class 0x01)", smMethods);
        saAgent = purpose == Purpose.ASK
                ? registerRequester(MgmtClass.SUBN_ADM, SA_CLASS_VERSION)
                : registerSa(halves.gsi);
        perfAgent = registerRequester(MgmtClass.PERF_MGT, PerfMad.CLASS_VERSION);
        congestionAgent = registerRequester(MgmtClass.CONGESTION_CONTROL, CongestionMad.CLASS_VERSION);
    }

    /** The ports with QP0 and with QP1, which are one but for adapters in two halves. */
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

        /** Returns the same port of another device. */
        private static PortDescription port(PortDescription of, String caName, List<PortDescription> ports) {
            return ports.stream()
                    .filter(port -> port.caName().equals(caName) && port.portGuid() == of.portGuid())
                    .findFirst()
                    .orElse(of);
        }
    }

    /** Opens a port of this host, with RMPP of our own; as {@link #open(PortChoice, boolean)}. */
    public static UmadTransport open(PortChoice choice) throws TransportException {
        return open(choice, false);
    }

    /**
     * Opens a port of this host.
     *
     * @param isRmppOfKernel true if the kernel segments and reassembles SA messages
     * @throws TransportException with cause and remedy: library, driver, rights or port are missing, or
     *     another subnet manager is present
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
    public static UmadTransport openToAsk(PortChoice choice) throws TransportException {
        return open(LibIbUmad.load(), choice, Purpose.ASK, null);
    }

    /**
     * Loads native code in a separate thread, so that opening a port later need not wait. A failure recurs at
     * that time.
     */
    public static void loadAhead() {
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
     * Opens the port of this transport, which is lost, again. Its GUID stays, its device may have another name.
     *
     * @throws TransportException if it is not there, or cannot be opened
     */
    public UmadTransport openAgain() throws TransportException {
        return open(umad, PortChoice.byGuid(port.portGuid()), purpose, link);
    }

    /** @param known link of the port that is opened again; null at the first time */
    private static UmadTransport open(Umad umad, PortChoice choice, Purpose purpose, @Nullable OwnLink known)
            throws TransportException {
        List<PortDescription> ports = umad.ports();
        if (ports.isEmpty()) {
            throw new PortNotReadyException(PortFailureRemedies.noPorts());
        }
        Halves halves = Halves.of(choice.among(ports), ports, umad.pairs());
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

    /**
     * Registers for SMPs.
     *
     * @param methods methods of unsolicited MADs, one bit each
     */
    private int registerSmps(int mgmtClass, String purpose, long methods) throws TransportException {
        try {
            return smi.register(handle -> umad.register(handle, mgmtClass, SM_CLASS_VERSION, methods));
        } catch (ErrnoException e) {
            throw PortFailureRemedies.register(port, purpose, e, holders(port));
        }
    }

    private List<String> holders(PortDescription of) {
        return umad.holders(of.caName(), of.portNum());
    }

    private int registerSa(PortDescription of) throws TransportException {
        if (isRmppOfKernel()) {
            try {
                return gsi.register(
                        handle -> umad.registerKernelRmpp(handle, MgmtClass.SUBN_ADM, SA_CLASS_VERSION, SA_METHODS));
            } catch (ErrnoException e) {
                throw PortFailureRemedies.register(of, SA_PURPOSE, e, holders(of));
            }
        }
        try {
            return gsi.register(
                    handle -> umad.registerUserRmpp(handle, MgmtClass.SUBN_ADM, SA_CLASS_VERSION, SA_METHODS));
        } catch (ErrnoException e) {
            // Kernels before 3.17 and umad2sim lack this call. A failure for another reason recurs.
            LOG.debug("{}: {}; registering for SA MADs without RMPP", of, e.getMessage());
        }
        try {
            return gsi.register(handle -> umad.register(handle, MgmtClass.SUBN_ADM, SA_CLASS_VERSION, SA_METHODS));
        } catch (ErrnoException e) {
            throw PortFailureRemedies.register(of, SA_PURPOSE, e, holders(of));
        }
    }

    /**
     * Registers for a class of which only answers to own requests are wanted; an SM can do without it, so a failure
     * costs the class alone.
     */
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

    /** {@inheritDoc} Except umad2sim, which has no time-outs. */
    @Override
    public boolean returnsUnanswered() {
        return !isSimulated();
    }

    /** Checks whether the port belongs to ibsim, whose preload library cannot reopen a lost port. */
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
            if (isStarted || closed) {
                throw new IllegalStateException(closed ? "the transport is closed" : "started twice");
            }
            isStarted = true;
            if (gsi == smi) {
                smi.start(receiver, "umad-receive");
            } else {
                Receiver oneByOne = new OneByOne(receiver);
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
    public Receipt receiveHere(int timeoutMs) {
        if (!users.begin()) {
            return Receipt.NOTHING;
        }
        try {
            return smi.receiveHere(timeoutMs);
        } finally {
            users.end();
        }
    }

    @Override
    public void leaveReceiving() {
        smi.leaveReceiving();
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
            default -> NONE;
        };
    }

    private boolean isRmppOfKernel() {
        return purpose == Purpose.MANAGE_WITH_RMPP_OF_KERNEL;
    }

    private boolean isMessage(byte[] mad) {
        return isRmppOfKernel()
                && mad.length >= SaMad.DATA
                && MadHeader.mgmtClass(mad) == MgmtClass.SUBN_ADM
                && Rmpp.isActive(mad);
    }

    @Override
    public void setIsSm(boolean isSmWanted) throws TransportException {
        synchronized (lifeLock) {
            if (!isSmWanted) {
                clearIsSm();
            } else if (closed) {
                throw new TransportException(port + " was closed; IsSM cannot be set any more");
            } else if (isSm == NONE) {
                try {
                    isSm = umad.openIsSm(port.caName(), port.portNum());
                } catch (ErrnoException e) {
                    throw PortFailureRemedies.refusedSm(port, e, holders(port));
                }
            }
        }
    }

    private void clearIsSm() {
        if (isSm != NONE) {
            umad.closeIsSm(isSm);
            isSm = NONE;
        }
    }

    @Override
    public void close() {
        synchronized (lifeLock) {
            if (closed) {
                return;
            }
            closed = true;
            clearIsSm();
        }
        // The receive threads still run: a sender may wait until the simulator has got rid of its replies.
        boolean isUnused = users.close(SEND_PATIENCE_MS);
        smi.stop();
        gsi.stop();
        if (isSimulated) {
            smi.awaitEnd(); // A MAD for a closed agent crashes umad2sim, so all agents are kept until the process ends.
        } else if (isUnused) {
            release(smi, gsi);
        } else { // a send still blocks: the handles are kept rather than reused
            EVENTS.report(SmEvent.SEND_HANGS, EventField.DEVICE.of(port.identity()));
        }
    }
}
