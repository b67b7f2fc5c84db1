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
 * around a transport without limits. It lets the embedded fabric show effects that only a real adapter has:
 *
 * <ul>
 * <li>A request is refused (EINVAL) if another request with its transaction ID and class waits for a response. This
 * holds for any content, and also if the new request expects no response.
 * <li>A request without a response returns after its time-out, its header only. The time-out begins at the sending and
 * is rounded up like the kernel's timer wheel.
 * <li>Of the SMPs that expect responses, 128 are in flight. The others wait in a backlog, and their time-out has not
 * begun.
 * <li>SMPs that arrive while 512 wait for the kernel are lost. SMPs that the process has not read are not limited.
 * <li>A response without a waiting request is dropped.
 * </ul>
 *
 * <p>Any thread may call it. Time-outs and received MADs are delivered on the loop.
 */
public final class KernelPort extends ForwardingTransport {
    /** Bytes of a returned request (IB_MGMT_MAD_HDR). */
    private static final int HEADER_BYTES = 24;

    /**
     * Ticks of the first level of the timer wheel, which has a granule of one tick. Each further level has eight times
     * the ticks and eight times the granule.
     */
    private static final int WHEEL_LEVEL_TICKS = 63;

    /** Binary logarithm of the factor between two levels of the timer wheel. */
    private static final int WHEEL_SHIFT = 3;

    private final Loop loop;
    private final Limits limits;

    /** Guards all fields below, except {@link #readFreeNs}. */
    private final Object lock = new Object();

    /** The requests that wait for responses, including the backlog. */
    private final Map<Key, Pending> pending = new HashMap<>();

    /** The agents by management class, 0x01 and 0x81. */
    private final Map<Integer, Agent> agents = new HashMap<>();

    /** Time at which the kernel has read all waiting SMPs. */
    private long readFreeNs;

    /** SMPs that wait for the kernel. */
    private int unread;

    private long refused;
    private long returned;
    private long overrun;

    /**
     * The limits in which kernels differ.
     *
     * @param hz ticks per second, 100 to 1000
     * @param smpsInFlight max concurrent requests of an SMP class
     * @param receiveQueue max SMPs that wait for the kernel
     * @param readNs time in which the kernel reads one SMP; 0 for no limit of the receive queue
     */
    public record Limits(int hz, int smpsInFlight, int receiveQueue, long readNs) {
        /** A kernel of 2025 or later with 1000 ticks a second. */
        public static final Limits LINUX = new Limits(1000, 128, 512, 5_000);

        /** Returns a copy with another number of ticks per second. */
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

    /** The identity of a request: the kernel matches the lower 32 bits of the transaction ID, and the class. */
    private record Key(long tid, int mgmtClass) {
        static Key of(byte[] mad) {
            return new Key(MadHeader.tid(mad) & 0xffffffffL, MadHeader.mgmtClass(mad));
        }
    }

    /** A request that waits for a response or in the backlog, where its timer is null. */
    private static final class Pending {
        final MadFrame frame;
        final int timeoutMs;
        Loop.@Nullable Timer timer;

        Pending(MadFrame frame, int timeoutMs) {
            this.frame = frame;
            this.timeoutMs = timeoutMs;
        }
    }

    /** The requests of one SMP class. */
    private static final class Agent {
        final ArrayDeque<Pending> backlog = new ArrayDeque<>();
        int inFlight;
    }

    /**
     * Wraps a port.
     *
     * @param inner wrapped port, not started
     * @param loop loop on which the wrapped port delivers
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
    public boolean returnsTimedOutRequests() {
        return true;
    }

    /** {@inheritDoc} Returns false also for a duplicate of a waiting request. */
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

    /** Returns the agent of an SMP class; null for other classes, whose requests in flight are not limited. */
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

    /** Returns the time from now to the tick at which the kernel's timer wheel lets a timer expire. */
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
            endRequest(key);
        }
        byte[] header = new byte[MadHeader.MAD_SIZE];
        System.arraycopy(request.frame.mad(), 0, header, 0, HEADER_BYTES);
        super.received(new MadFrame(request.frame.peer(), header, true));
    }

    /** Counts the end of a request in flight, and sends the next one of the backlog. */
    private void endRequest(Key key) {
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

    /** Delivers a MAD that the kernel has read. A response without a request is dropped. */
    private void read(MadFrame frame) {
        byte[] mad = frame.mad();
        if (MadHeader.isResponse(mad) && !matches(mad)) {
            return;
        }
        super.received(frame);
    }

    /**
     * Checks whether a request waits for this response. RMPP segments always match, since the process itself handles
     * them.
     */
    private boolean matches(byte[] mad) {
        Key key = Key.of(mad);
        synchronized (lock) {
            Pending request = pending.get(key);
            if (request == null || request.timer == null) {
                return key.mgmtClass == MgmtClass.SUBN_ADM && mad.length >= SaMad.DATA_OFFSET && Rmpp.isActive(mad);
            }
            pending.remove(key);
            request.timer.cancel();
            endRequest(key);
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
