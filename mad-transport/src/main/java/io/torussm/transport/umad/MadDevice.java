package io.torussm.transport.umad;

import io.torussm.event.EventField;
import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport.ReceiveResult;
import io.torussm.transport.MadTransport.Receiver;
import io.torussm.transport.TransportException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The opened MAD device of one port: its agents, and the thread that receives. While another thread receives with
 * {@link #receiveInline}, the device's thread pauses, so that no MAD needs a change of threads.
 */
final class MadDevice {
    private static final EventLog EVENTS = EventLog.of(MadDevice.class);

    /** Max time in milliseconds that the receiving thread waits for a MAD, and thus for the request to end. */
    private static final int POLL_MS = 100;

    /** Max pause of the receiving thread after the last receipt by another thread. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final Receiver NO_RECEIVER = new Receiver() {
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
    private volatile Receiver receiver = NO_RECEIVER;

    /** Held while a thread waits for a MAD and delivers it. */
    private final ReentrantLock receiveLock = new ReentrantLock();

    /** True if another thread receives, so that the receiving thread pauses. */
    private volatile boolean isPauseRequested;

    /**
     * Last time at which another thread received, or could have begun to receive. {@link #PAUSE_NS} later the receiving
     * thread resumes, so that MADs do not wait while the other thread does other work.
     */
    private volatile long lastOtherReceiptNs;

    private volatile boolean isReceiving = true;

    /** A call that registers an agent. */
    interface Registration {
        /**
         * Registers an agent at an open device.
         *
         * @return the number of the agent
         */
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
     * @param watch check of the link by the receiving thread; null if the link is not monitored
     * @throws TransportException with cause and remedy
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

    /**
     * Sends a MAD.
     *
     * @param agent number of the agent, as {@link #register} returned it
     * @param responseTimeoutMs max time for the response in milliseconds; 0 if no response is expected
     */
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
     * Receives until the device is stopped. Each failure of this thread is reported, because the SM receives nothing
     * afterwards.
     */
    private void receive() {
        String reason = "";
        try {
            while (isReceiving) {
                if (isPauseRequested && System.nanoTime() - lastOtherReceiptNs < PAUSE_NS) {
                    LockSupport.parkNanos(this, PAUSE_NS);
                } else {
                    isPauseRequested = false;
                    receiveLock.lock();
                    receiveOne(POLL_MS);
                    // a thread that requested the pause meanwhile can return within PAUSE_NS
                    lastOtherReceiptNs = System.nanoTime();
                }
                if (watch != null) {
                    watch.checkLink(receiver);
                }
            }
        } catch (ErrnoException e) {
            reason = PortFailureRemedies.receive(port, e);
        } catch (RuntimeException | Error e) {
            EVENTS.report(SmEvent.MAD_RECEIVER_FAILED, e, EventField.DEVICE.of(port.identity()));
            FatalErrors.escalate(e);
            reason = port.identity() + " is not read any more: " + e;
        }
        if (isReceiving) {
            receiver.transportFailed(reason);
        }
    }

    /**
     * Waits for a MAD, delivers it, and releases {@link #receiveLock}, which the caller holds.
     *
     * @return false if no MAD arrived in time
     */
    private boolean receiveOne(int timeoutMs) throws ErrnoException {
        try {
            MadFrame frame = umad.receive(handle, timeoutMs);
            if (frame != null) {
                deliver(frame);
            }
            return frame != null;
        } finally {
            receiveLock.unlock();
        }
    }

    /**
     * Receives in the calling thread, as in {@link io.torussm.transport.MadTransport#receiveInline}. An error ends the
     * pause of the receiving thread, whose next call fails, too, and reports the error.
     */
    ReceiveResult receiveInline(int timeoutMs) {
        lastOtherReceiptNs = System.nanoTime();
        isPauseRequested = true;
        if (!receiveLock.tryLock()) {
            return ReceiveResult.THREAD_STILL_RECEIVES;
        }
        try {
            boolean hasArrived = receiveOne(timeoutMs);
            lastOtherReceiptNs = System.nanoTime();
            return hasArrived ? ReceiveResult.RECEIVED : ReceiveResult.NONE;
        } catch (ErrnoException e) {
            resumeReceiveThread();
            return ReceiveResult.NONE;
        }
    }

    /** Ends the pause of the receiving thread. */
    void resumeReceiveThread() {
        if (isPauseRequested) {
            isPauseRequested = false;
            LockSupport.unpark(receiveThread);
        }
    }

    /** Delivers a MAD. If the receiver throws, only this MAD is lost: the receiving thread continues. */
    private void deliver(MadFrame frame) {
        try {
            receiver.received(frame);
        } catch (RuntimeException | Error e) {
            EVENTS.report(SmEvent.MAD_RECEIVER_FAILED, e, EventField.DEVICE.of(port.identity()));
            FatalErrors.escalate(e);
        }
    }

    /** Requests the end of the receiving thread, which ends within {@link #POLL_MS}. */
    void stop() {
        isReceiving = false;
    }

    /**
     * Closes the device after its receiving thread has ended. If the receiver blocks that thread, the device stays
     * open.
     */
    void release() {
        if (awaitEnd()) {
            while (!agents.isEmpty()) {
                umad.unregister(handle, agents.pop());
            }
            umad.close(handle);
        }
    }

    /**
     * Waits up to 10 s until the receiving thread has ended. Returns false if the receiver blocks that thread, against
     * its contract.
     */
    boolean awaitEnd() {
        Thread thread = receiveThread;
        return thread == null || thread == Thread.currentThread() || awaitEnd(thread);
    }

    private boolean awaitEnd(Thread thread) {
        long maxNs = TimeUnit.SECONDS.toNanos(10);
        long startNs = System.nanoTime();
        boolean interrupted = false;
        try {
            for (long remainingNs = maxNs; thread.isAlive() && remainingNs > 0; ) {
                try {
                    TimeUnit.NANOSECONDS.timedJoin(thread, remainingNs);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                remainingNs = maxNs - (System.nanoTime() - startNs);
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
