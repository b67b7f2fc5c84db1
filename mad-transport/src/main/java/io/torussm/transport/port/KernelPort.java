package io.torussm.transport.port;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.rmpp.Rmpp;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A port with the behaviour of the MAD layer of the Linux kernel (drivers/infiniband/core, mad.c and user_mad.c),
 * around a transport without limits:
 *
 * <ul>
 * <li>A request is refused (EINVAL) if its transaction ID and class are those of another that waits for its response,
 * with any other content, and also if it expects no response.
 * <li>A request without a response returns, its header only, after its time-out. That counts from the time of sending
 * and is rounded up like the timer wheel.
 * <li>SMPs that expect responses are sent 128 at a time. The others wait in a backlog, and their time has not begun.
 * <li>SMPs that arrive while 512 wait for the kernel are lost. The kernel queues SMPs until the process reads them.
 * <li>A response without a waiting request is dropped.
 * </ul>
 *
 * <p>May be used from any thread. Time-outs and received MADs are delivered on the loop.
 */
public final class KernelPort extends ForwardingTransport {
    /** Bytes of a returned request (IB_MGMT_MAD_HDR). */
    private static final int HEADER_BYTES = 24;

    /** Ticks of the first level of the timer wheel, in steps of one. Each further level has eight times both. */
    private static final int WHEEL_LEVEL_TICKS = 63;

    private static final int WHEEL_SHIFT = 3;

    private final Loop loop;
    private final Limits limits;
    private final Object lock = new Object();
    private final Map<Key, Pending> pending = new HashMap<>();
    private final Map<Integer, Agent> agents = new HashMap<>();
    private long readFreeNs;
    private int unread;
    private long refused;
    private long returned;
    private long overrun;

    /**
     * The limits in which kernels differ.
     *
     * @param hz ticks per second, 100 to 1000
     * @param smpsInFlight concurrent requests of an SMP class; the others wait
     * @param receiveQueue SMPs that may wait for the kernel
     * @param readNs time that the kernel takes for one of them
     */
    public record Limits(int hz, int smpsInFlight, int receiveQueue, long readNs) {
        /** A kernel of 2025 or later with 1000 ticks a second. */
        public static final Limits LINUX = new Limits(1000, 128, 512, 5_000);

        /** Returns a copy with another number of ticks a second. */
        public Limits ticking(int ticks) {
            return new Limits(ticks, smpsInFlight, receiveQueue, readNs);
        }
    }

    /**
     * The counters of a port.
     *
     * @param refused requests refused as duplicates
     * @param returned requests returned without a response
     * @param overrun SMPs lost because the receive queue was full
     */
    public record Counters(long refused, long returned, long overrun) {}

    private record Key(long tid, int mgmtClass) {
        static Key of(byte[] mad) {
            return new Key(MadHeader.tid(mad) & 0xffffffffL, MadHeader.mgmtClass(mad));
        }
    }

    private static final class Pending {
        final MadFrame frame;
        final int timeoutMs;
        Loop.@Nullable Timer timer;

        Pending(MadFrame frame, int timeoutMs) {
            this.frame = frame;
            this.timeoutMs = timeoutMs;
        }
    }

    /** One for each SMP class. */
    private static final class Agent {
        final ArrayDeque<Pending> backlog = new ArrayDeque<>();
        int inFlight;
    }

    /**
     * Puts a kernel before a port.
     *
     * @param loop on which the port delivers
     */
    public KernelPort(MadTransport inner, Loop loop, Limits limits) {
        super(inner);
        this.loop = loop;
        this.limits = limits;
    }

    /** Returns the counters. */
    public Counters counters() {
        synchronized (lock) {
            return new Counters(refused, returned, overrun);
        }
    }

    @Override
    public boolean returnsUnanswered() {
        return true;
    }

    /** {@inheritDoc} False also for a duplicate of a request that waits. */
    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        if (MadHeader.isResponse(frame.mad())) {
            return super.send(frame, 0);
        }
        Pending request = new Pending(frame, responseTimeoutMs);
        Key key = Key.of(frame.mad());
        synchronized (lock) {
            if (pending.containsKey(key)) {
                refused++;
                return false;
            }
            if (responseTimeoutMs <= 0) {
                return super.send(frame, 0);
            }
            pending.put(key, request);
            Agent agent = agent(key);
            if (agent != null && agent.inFlight >= limits.smpsInFlight) {
                agent.backlog.add(request);
                return true;
            }
            return launch(key, request, agent);
        }
    }

    private @Nullable Agent agent(Key key) {
        return MgmtClass.isSmp(key.mgmtClass) ? agents.computeIfAbsent(key.mgmtClass, unused -> new Agent()) : null;
    }

    private boolean launch(Key key, Pending request, @Nullable Agent agent) {
        if (!super.send(request.frame, request.timeoutMs)) {
            pending.remove(key, request);
            return false;
        }
        if (agent != null) {
            agent.inFlight++;
        }
        request.timer = loop.schedule(timeoutNs(request.timeoutMs), () -> timedOut(key, request));
        return true;
    }

    /** Returns the time to the tick at which the timer wheel lets a timer of this time expire. */
    private long timeoutNs(int timeoutMs) {
        long tickNs = TimeUnit.SECONDS.toNanos(1) / limits.hz;
        long ticks = (TimeUnit.MILLISECONDS.toNanos(timeoutMs) + tickNs - 1) / tickNs;
        int shift = 0;
        while (ticks >= (long) WHEEL_LEVEL_TICKS << shift) {
            shift += WHEEL_SHIFT;
        }
        long granule = 1L << shift;
        long expires = (loop.nowNs() / tickNs + ticks + granule) / granule * granule;
        return expires * tickNs - loop.nowNs();
    }

    private void timedOut(Key key, Pending request) {
        synchronized (lock) {
            if (!pending.remove(key, request)) {
                return;
            }
            returned++;
            landed(key);
        }
        byte[] header = new byte[MadHeader.MAD_SIZE];
        System.arraycopy(request.frame.mad(), 0, header, 0, HEADER_BYTES);
        super.received(new MadFrame(request.frame.peer(), header, true));
    }

    /** Makes room for one of the backlog. */
    private void landed(Key key) {
        Agent agent = agent(key);
        if (agent == null) {
            return;
        }
        agent.inFlight--;
        Pending next = agent.backlog.poll();
        if (next != null) {
            launch(Key.of(next.frame.mad()), next, agent);
        }
    }

    @Override
    protected void received(MadFrame frame) {
        boolean isSmp = MgmtClass.isSmp(MadHeader.mgmtClass(frame.mad()));
        if (!isSmp || limits.readNs == 0) {
            read(frame);
            return;
        }
        synchronized (lock) {
            if (unread >= limits.receiveQueue) {
                overrun++;
                return;
            }
            unread++;
        }
        readFreeNs = Math.max(loop.nowNs(), readFreeNs) + limits.readNs;
        loop.schedule(readFreeNs - loop.nowNs(), () -> {
            synchronized (lock) {
                unread--;
            }
            read(frame);
        });
    }

    private void read(MadFrame frame) {
        byte[] mad = frame.mad();
        if (MadHeader.isResponse(mad) && !matches(mad)) {
            return;
        }
        super.received(frame);
    }

    /** Checks whether a request waits for this MAD. The process itself handles segments of a table. */
    private boolean matches(byte[] mad) {
        Key key = Key.of(mad);
        synchronized (lock) {
            Pending request = pending.get(key);
            if (request == null || request.timer == null) {
                return key.mgmtClass == MgmtClass.SUBN_ADM && mad.length >= SaMad.DATA && Rmpp.isActive(mad);
            }
            pending.remove(key);
            request.timer.cancel();
            landed(key);
            return true;
        }
    }

    @Override
    public void close() {
        super.close();
        synchronized (lock) {
            pending.values().forEach(request -> {
                if (request.timer != null) {
                    request.timer.cancel();
                }
            });
            pending.clear();
            agents.clear();
        }
    }
}
