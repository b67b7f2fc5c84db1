package io.torussm.transport.umad;

import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A library that records its calls, and fails on demand of a test. */
final class FakeUmad implements Umad {
    static final PortDescription PORT = new PortDescription("mlx5_0", 1, 0x2c9_0000_0001L, 3, 4, "InfiniBand");
    private static final int HANDLE = 7;

    private final List<String> calls = new ArrayList<>();
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();
    private final LinkedBlockingQueue<Object> inbound = new LinkedBlockingQueue<>();
    private List<PortDescription> ports = List.of(PORT);
    private List<Pair> pairs = List.of();
    private List<String> holders = List.of();
    private volatile int state = PORT.state();
    private final Semaphore blocked = new Semaphore(0);
    private volatile @Nullable CountDownLatch block;
    private int openCount;
    private int agents;

    FakeUmad withPorts(PortDescription... those) {
        ports = List.of(those);
        return this;
    }

    /** Returns this library with an adapter of two devices, for SMI and GSI. */
    FakeUmad withPair(String smi, String gsi) {
        pairs = List.of(new Pair(smi, gsi));
        return this;
    }

    /** Returns this library with another process that has the port open. */
    FakeUmad withHolder(String holder) {
        holders = List.of(holder);
        return this;
    }

    /** Makes a call succeed again. */
    FakeUmad succeeding(String call) {
        failures.remove(call);
        return this;
    }

    /** Sets the state that the operating system reports for each port from now on. */
    void setPortState(int portState) {
        state = portState;
    }

    /** Makes a call fail from now on: its diary entry must begin with this. */
    FakeUmad failing(String call, int errno) {
        failures.put(call, errno);
        return this;
    }

    /** Lets the receive thread see a frame. */
    void arrive(MadFrame frame) {
        inbound.add(frame);
    }

    /** Lets the receive thread see an error. */
    void failReceive(int errno) {
        inbound.add(errno);
    }

    /** Lets the receive thread meet a defect. */
    void failReceive(Throwable defect) {
        inbound.add(defect);
    }

    /** Blocks each send from now on, until the latch is counted down. */
    CountDownLatch blockSends() {
        CountDownLatch latch = new CountDownLatch(1);
        block = latch;
        return latch;
    }

    /** Waits until a send blocks. */
    void awaitSend() throws InterruptedException {
        blocked.acquire();
    }

    synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    private synchronized void recordCall(String call) {
        calls.add(call);
    }

    private void attempt(String call) throws ErrnoException {
        recordCall(call);
        for (Map.Entry<String, Integer> failure : failures.entrySet()) {
            if (call.startsWith(failure.getKey())) {
                throw new ErrnoException(call, failure.getValue());
            }
        }
    }

    @Override
    public List<PortDescription> ports() {
        return ports;
    }

    @Override
    public List<Pair> pairs() {
        return pairs;
    }

    @Override
    public List<String> holders(String caName, int portNum) {
        return holders;
    }

    @Override
    public int portState(String caName, int portNum) {
        return state;
    }

    @Override
    public int open(String caName, int portNum) throws ErrnoException {
        attempt("open " + caName + " " + portNum);
        return HANDLE + 10 * openCount++;
    }

    @Override
    public void close(int port) {
        recordCall("close");
    }

    @Override
    public int register(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException {
        attempt(String.format("register 0x%02x v%d 0x%x", mgmtClass, classVersion, methods));
        return agents++;
    }

    @Override
    public int registerUserRmpp(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException {
        attempt(String.format("registerUserRmpp 0x%02x v%d 0x%x", mgmtClass, classVersion, methods));
        return agents++;
    }

    @Override
    public int registerKernelRmpp(int port, int mgmtClass, int classVersion, long methods) throws ErrnoException {
        attempt(String.format("registerKernelRmpp 0x%02x v%d 0x%x", mgmtClass, classVersion, methods));
        return agents++;
    }

    @Override
    public void unregister(int port, int agent) {
        recordCall("unregister " + agent);
    }

    @Override
    public void send(int port, int agent, MadFrame frame, int responseTimeoutMs) throws ErrnoException {
        String where = port == HANDLE ? "" : " on " + port;
        attempt("send agent " + agent + " timeout " + responseTimeoutMs + where);
        CountDownLatch latch = block;
        if (latch != null) {
            blocked.release();
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new AssertionError("no thread interrupts a sender", e);
            }
        }
    }

    @Override
    public @Nullable MadFrame receive(int port, int timeoutMs) throws ErrnoException {
        try {
            Object next = inbound.poll(timeoutMs, TimeUnit.MILLISECONDS);
            if (next instanceof Integer errno) {
                throw new ErrnoException("receive", errno);
            } else if (next instanceof Error defect) {
                throw defect;
            } else if (next instanceof RuntimeException defect) {
                throw defect;
            }
            return (MadFrame) next;
        } catch (InterruptedException e) {
            throw new AssertionError("no thread interrupts the receive thread", e);
        }
    }

    @Override
    public int openIsSm(String caName, int portNum) throws ErrnoException {
        attempt("openIsSm");
        return HANDLE + 1;
    }

    @Override
    public void closeIsSm(int handle) {
        recordCall("closeIsSm " + handle);
    }
}
