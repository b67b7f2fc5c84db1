package io.torussm.transport.umad;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.Rmpp;
import io.torussm.transport.TransportException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A port of a real HCA, or of ibsim, through libibumad. */
public final class UmadTransport implements MadTransport {
    private static final Logger LOG = LoggerFactory.getLogger(UmadTransport.class);
    private static final EventLog EVENTS = EventLog.of(UmadTransport.class);

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

    /** How long the receive thread may take to see that it should end. */
    private static final int POLL_MS = 100;

    private static final int MAX_OUTSTANDING = 512;
    /** More can lock up umad2sim and ibsim, whose datagram queues hold ten. */
    private static final int MAX_OUTSTANDING_IBSIM = 16;

    private static final int NONE = -1;
    private static final String SA_PURPOSE = "subnet administration (class 0x03)";

    private final Umad umad;
    private final PortDescription port;
    private final int handle;
    private final int directedAgent;
    private final int lidAgent;
    private final int saAgent;
    private final boolean isRmppOfKernel;

    /** Read-held while sending, so that {@link #close} cannot give the handle away under a sender. */
    private final ReadWriteLock inUse = new ReentrantReadWriteLock();

    /** Guards {@link #isSm} and the life of the receive thread. */
    private final Object lifeLock = new Object();

    private int isSm = NONE;
    private @Nullable Thread receiveThread;
    private volatile boolean closed;
    private volatile boolean receiving = true;

    private UmadTransport(Umad umad, PortDescription port, int handle, boolean isRmppOfKernel)
            throws TransportException {
        this.umad = umad;
        this.port = port;
        this.handle = handle;
        this.isRmppOfKernel = isRmppOfKernel;
        directedAgent = registerSmps(MgmtClass.SUBN_DIRECTED_ROUTE, "directed-route subnet management (class 0x81)");
        lidAgent = registerSmps(MgmtClass.SUBN_LID, "LID-routed subnet management (class 0x01)");
        saAgent = registerSa();
    }

    /** Opens a port of this host, with RMPP of our own; as {@link #open(PortChoice, boolean)}. */
    public static UmadTransport open(PortChoice choice) throws TransportException {
        return open(choice, false);
    }

    /**
     * Opens a port of this host.
     *
     * @param isRmppOfKernel whether SA messages of several segments are given to the kernel, and taken from it, whole
     * @throws TransportException with cause and remedy: library, driver, rights or port are missing, or another subnet
     *     manager is there
     */
    public static UmadTransport open(PortChoice choice, boolean isRmppOfKernel) throws TransportException {
        return open(LibIbUmad.load(), choice, isRmppOfKernel);
    }

    /**
     * The ports of this host.
     *
     * @return empty if there is no channel adapter, or its driver is not loaded
     * @throws TransportException if libibumad is missing
     */
    public static List<PortDescription> ports() throws TransportException {
        return LibIbUmad.load().ports();
    }

    static UmadTransport open(Umad umad, PortChoice choice, boolean isRmppOfKernel) throws TransportException {
        List<PortDescription> ports = umad.ports();
        if (ports.isEmpty()) {
            throw new TransportException(Remedies.noPorts());
        }
        PortDescription port = choice.among(ports);
        int handle;
        try {
            handle = umad.open(port.caName(), port.portNum());
        } catch (ErrnoException e) {
            throw Remedies.open(port, e);
        }
        try {
            return new UmadTransport(umad, port, handle, isRmppOfKernel);
        } catch (TransportException e) {
            umad.close(handle);
            throw e;
        }
    }

    private int registerSmps(int mgmtClass, String purpose) throws TransportException {
        try {
            return umad.register(handle, mgmtClass, SM_CLASS_VERSION, SM_METHODS);
        } catch (ErrnoException e) {
            throw Remedies.register(port, purpose, e);
        }
    }

    private int registerSa() throws TransportException {
        if (isRmppOfKernel) {
            try {
                return umad.registerKernelRmpp(handle, MgmtClass.SUBN_ADM, SA_CLASS_VERSION, SA_METHODS);
            } catch (ErrnoException e) {
                throw Remedies.register(port, SA_PURPOSE, e);
            }
        }
        try {
            return umad.registerUserRmpp(handle, MgmtClass.SUBN_ADM, SA_CLASS_VERSION, SA_METHODS);
        } catch (ErrnoException e) {
            // Kernels before 3.17 and umad2sim do not know this call; if the reason is another, it shows again.
            LOG.debug("{}: {}; registering for SA MADs without RMPP", port, e.getMessage());
        }
        try {
            return umad.register(handle, MgmtClass.SUBN_ADM, SA_CLASS_VERSION, SA_METHODS);
        } catch (ErrnoException e) {
            throw Remedies.register(port, SA_PURPOSE, e);
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

    /** {@inheritDoc} Not so umad2sim, which knows no time-outs. */
    @Override
    public boolean returnsUnanswered() {
        return !isSimulated();
    }

    private boolean isSimulated() {
        String preload = System.getenv("LD_PRELOAD");
        return port.caName().startsWith("ibsim") || preload != null && preload.contains("libumad2sim");
    }

    @Override
    public void start(Receiver receiver) {
        synchronized (lifeLock) {
            if (receiveThread != null || closed) {
                throw new IllegalStateException(closed ? "the transport is closed" : "started twice");
            }
            Thread thread = new Thread(() -> receive(receiver), "umad-receive");
            thread.setDaemon(true);
            receiveThread = thread;
            thread.start();
        }
    }

    private void receive(Receiver receiver) {
        while (receiving) {
            MadFrame frame;
            try {
                frame = umad.receive(handle, POLL_MS);
            } catch (ErrnoException e) {
                if (receiving) {
                    receiver.transportFailed(Remedies.receive(port, e));
                }
                return;
            }
            if (frame != null) {
                deliver(receiver, frame);
            }
        }
    }

    /** A receiver that fails on one MAD has lost that one; it must not become deaf. */
    private void deliver(Receiver receiver, MadFrame frame) {
        try {
            receiver.received(frame);
        } catch (RuntimeException e) {
            EVENTS.report(SmEvent.MAD_RECEIVER_FAILED, e, EventField.DEVICE.of(port));
        }
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        int agent = agentFor(frame);
        inUse.readLock().lock();
        try {
            if (closed || agent == NONE) {
                return false;
            }
            umad.send(handle, agent, frame, responseTimeoutMs);
            return true;
        } catch (ErrnoException e) {
            LOG.debug("{}: {}", port, e.getMessage());
            return false;
        } finally {
            inUse.readLock().unlock();
        }
    }

    private int agentFor(MadFrame frame) {
        if (frame.mad().length != MadHeader.MAD_SIZE && !isMessage(frame.mad())) {
            throw new IllegalArgumentException("a MAD has " + MadHeader.MAD_SIZE + " bytes, not " + frame.mad().length);
        }
        return switch (MadHeader.mgmtClass(frame.mad())) {
            case MgmtClass.SUBN_DIRECTED_ROUTE -> directedAgent;
            case MgmtClass.SUBN_LID -> lidAgent;
            case MgmtClass.SUBN_ADM -> saAgent;
            default -> NONE;
        };
    }

    private boolean isMessage(byte[] mad) {
        return isRmppOfKernel
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
                    throw Remedies.isSm(port, e);
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
        Thread thread;
        synchronized (lifeLock) {
            if (closed) {
                return;
            }
            closed = true;
            clearIsSm();
            thread = receiveThread;
        }
        // The receive thread still runs: a sender may wait until the simulator has got rid of its replies.
        inUse.writeLock().lock();
        try {
            receiving = false;
        } finally {
            inUse.writeLock().unlock();
        }
        if (thread == null || thread == Thread.currentThread() || awaitEnd(thread)) {
            release();
        }
    }

    private void release() {
        umad.unregister(handle, saAgent);
        umad.unregister(handle, lidAgent);
        umad.unregister(handle, directedAgent);
        umad.close(handle);
    }

    /** False if the receiver blocks its thread, against its contract: then the handle is kept rather than reused. */
    private boolean awaitEnd(Thread thread) {
        long patienceNs = TimeUnit.SECONDS.toNanos(10);
        long startNs = System.nanoTime();
        boolean interrupted = false;
        try {
            for (long leftNs = patienceNs; thread.isAlive() && leftNs > 0; ) {
                try {
                    TimeUnit.NANOSECONDS.timedJoin(thread, leftNs);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                leftNs = patienceNs - (System.nanoTime() - startNs);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (thread.isAlive()) {
            EVENTS.report(SmEvent.RECEIVE_THREAD_HANGS, EventField.DEVICE.of(port));
        }
        return !thread.isAlive();
    }
}
