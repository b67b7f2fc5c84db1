package io.torussm.transport.umad;

import io.torussm.event.EventField;
import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport.Receipt;
import io.torussm.transport.MadTransport.Receiver;
import io.torussm.transport.TransportException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The opened MAD device of one port: its agents, and the thread that receives. */
final class MadDevice {
    private static final EventLog EVENTS = EventLog.of(MadDevice.class);

    /** How long the receive thread may take to see that it should end. */
    private static final int POLL_MS = 100;

    /** Longest pause of the receiving thread. */
    private static final long ASIDE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final Receiver NOBODY = new Receiver() {
        @Override
        public void received(MadFrame frame) {}

        @Override
        public void transportFailed(String reason) {}
    };

    private final Umad umad;
    private final PortDescription port;
    private final int handle;
    private final ArrayDeque<Integer> agents = new ArrayDeque<>();
    private final @Nullable LinkWatch watch;
    private volatile @Nullable Thread receiveThread;
    private volatile Receiver receiver = NOBODY;

    /** Held while a MAD is waited for and handed over. */
    private final ReentrantLock receipt = new ReentrantLock();

    /** True if another thread receives and that of this device pauses. */
    private volatile boolean isAside;

    /**
     * Last time at which another thread received or could have begun to. If that thread does other work, the
     * device's thread resumes, so that other MADs do not wait.
     */
    private volatile long lastAwayNs;

    private volatile boolean receiving = true;

    /** Registers an agent. */
    interface Registration {
        int register(int handle) throws ErrnoException;
    }

    private MadDevice(Umad umad, PortDescription port, int handle, @Nullable LinkWatch watch) {
        this.umad = umad;
        this.port = port;
        this.handle = handle;
        this.watch = watch;
    }

    /**
     * Opens a device.
     *
     * @param watch checked by the receiving thread; null if the link is not monitored
     */
    static MadDevice open(Umad umad, PortDescription port, @Nullable LinkWatch watch) throws TransportException {
        try {
            return new MadDevice(umad, port, umad.open(port.caName(), port.portNum()), watch);
        } catch (ErrnoException e) {
            throw PortFailureRemedies.open(port, e);
        }
    }

    /** Registers an agent, which {@link #release} ends. */
    int register(Registration registration) throws ErrnoException {
        int agent = registration.register(handle);
        agents.push(agent);
        return agent;
    }

    void send(int agent, MadFrame frame, int responseTimeoutMs) throws ErrnoException {
        umad.send(handle, agent, frame, responseTimeoutMs);
    }

    void start(Receiver newReceiver, String threadName) {
        receiver = newReceiver;
        Thread thread = new Thread(this::receive, threadName);
        thread.setDaemon(true);
        receiveThread = thread;
        thread.start();
    }

    /**
     * Receives until the end. Any failure of this thread is reported, because the SM receives nothing
     * afterwards.
     */
    private void receive() {
        String reason = "";
        try {
            while (receiving) {
                if (isAside && System.nanoTime() - lastAwayNs < ASIDE_NS) {
                    LockSupport.parkNanos(this, ASIDE_NS);
                } else {
                    isAside = false;
                    receipt.lock();
                    receiveOne(POLL_MS);
                    lastAwayNs = System.nanoTime(); // A thread that requested the pause meanwhile gets time to return.
                }
                if (watch != null) {
                    watch.look(receiver);
                }
            }
        } catch (ErrnoException e) {
            reason = PortFailureRemedies.receive(port, e);
        } catch (RuntimeException | Error e) {
            EVENTS.report(SmEvent.MAD_RECEIVER_FAILED, e, EventField.DEVICE.of(port.identity()));
            FatalErrors.escalate(e);
            reason = port.identity() + " is not read any more: " + e;
        }
        if (receiving) {
            receiver.transportFailed(reason);
        }
    }

    /** Waits for a MAD and hands it over; the lock must be held, and is given back. */
    private boolean receiveOne(int timeoutMs) throws ErrnoException {
        try {
            MadFrame frame = umad.receive(handle, timeoutMs);
            if (frame != null) {
                deliver(frame);
            }
            return frame != null;
        } finally {
            receipt.unlock();
        }
    }

    /**
     * Receives as in {@link io.torussm.transport.MadTransport#receiveHere}. The own thread meets any error
     * again and reports it.
     */
    Receipt receiveHere(int timeoutMs) {
        lastAwayNs = System.nanoTime();
        isAside = true;
        if (!receipt.tryLock()) {
            return Receipt.NOT_YET;
        }
        try {
            boolean hasCome = receiveOne(timeoutMs);
            lastAwayNs = System.nanoTime();
            return hasCome ? Receipt.CAME : Receipt.NOTHING;
        } catch (ErrnoException e) {
            leaveReceiving();
            return Receipt.NOTHING;
        }
    }

    void leaveReceiving() {
        if (isAside) {
            isAside = false;
            LockSupport.unpark(receiveThread);
        }
    }

    /** Delivers a MAD. A receiver that fails on one MAD has lost that one; it must not become deaf. */
    private void deliver(MadFrame frame) {
        try {
            receiver.received(frame);
        } catch (RuntimeException | Error e) {
            EVENTS.report(SmEvent.MAD_RECEIVER_FAILED, e, EventField.DEVICE.of(port.identity()));
            FatalErrors.escalate(e);
        }
    }

    /** Has the receive thread end; it does so a little later. */
    void stop() {
        receiving = false;
    }

    /** Releases the device once no thread receives from it. Keeps it if the receiver blocks its thread. */
    void release() {
        if (awaitEnd()) {
            while (!agents.isEmpty()) {
                umad.unregister(handle, agents.pop());
            }
            umad.close(handle);
        }
    }

    /**
     * Waits until no thread receives. Returns false if the receiver blocks its thread, against its contract.
     */
    boolean awaitEnd() {
        Thread thread = receiveThread;
        return thread == null || thread == Thread.currentThread() || awaitEnd(thread);
    }

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
            EVENTS.report(SmEvent.RECEIVE_THREAD_HANGS, EventField.DEVICE.of(port.identity()));
        }
        return !thread.isAlive();
    }
}
