package io.torussm.daemon.replay;

import io.torussm.mad.MadHeader;
import io.torussm.sim.VirtualLoop;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The port of a replayed SM. A recorded request gets the recorded response, with the recorded delay. All other requests
 * are sent to the twin, a simulated fabric, if there is one. Recorded MADs that are no responses arrive at the recorded
 * times. Before the begin of the recording, all requests are sent to the twin.
 */
final class ReplayPort implements MadTransport {
    private final VirtualLoop clock;
    private final RecordedWire wire;
    private final RecordedArrivals arrivals;
    private final StartNote start;

    /** Port of the SM in the twin; null without a twin. */
    private final @Nullable MadTransport twin;

    /** Time on the clock at which the recording begins. */
    private final long beginNs;

    /** Transaction IDs of the recorded requests whose response by the twin is ignored. */
    private final Set<Long> ignoredTids = new HashSet<>();

    private Receiver receiver = new Receiver() {
        @Override
        public void received(MadFrame frame) {}

        @Override
        public void transportFailed(String reason) {}
    };
    private boolean isClosed;
    private long recorded;
    private long byTwin;

    ReplayPort(VirtualLoop clock, RecordedWire wire, StartNote start, @Nullable MadTransport twin, long beginNs) {
        this.clock = clock;
        this.wire = wire;
        arrivals = new RecordedArrivals(clock, this::deliver);
        this.start = start;
        this.twin = twin;
        this.beginNs = beginNs;
    }

    @Override
    public LocalPort localPort() {
        return start.port();
    }

    @Override
    public int maxOutstanding() {
        return start.outstanding();
    }

    @Override
    public int maxOutstandingGmps() {
        return start.gmps();
    }

    @Override
    public boolean returnsTimedOutRequests() {
        return start.returnsUnanswered();
    }

    @Override
    public void start(Receiver newReceiver) {
        receiver = newReceiver;
        for (RecordedWire.Received each : wire.unsolicited()) {
            arrivals.schedule(each.timeNs() - clock.nowNs(), each.number(), each.frame());
        }
        if (twin != null) {
            twin.start(new Receiver() {
                @Override
                public void received(MadFrame frame) {
                    deliverFromTwin(frame);
                }

                @Override
                public void transportFailed(String reason) {}
            });
        }
    }

    /**
     * Delivers a MAD of the twin. After the begin of the recording, MADs of the twin that are no responses are dropped,
     * because the recorded ones arrive.
     */
    private void deliverFromTwin(MadFrame frame) {
        boolean isAnswer = MadHeader.isResponse(frame.mad());
        if ((isAnswer || clock.nowNs() < beginNs) && !ignoredTids.remove(MadHeader.tid(frame.mad()))) {
            deliver(frame);
        }
    }

    private void deliver(MadFrame frame) {
        if (!isClosed) {
            receiver.received(frame);
        }
    }

    /**
     * Handles a recorded change of the port.
     *
     * @param reason reason why the port cannot be used; empty if it can be used
     */
    void changed(String reason) {
        receiver.portChanged(reason.isEmpty(), reason);
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        if (isClosed) {
            return false;
        }
        boolean isRequest = RecordedWire.isRequest(frame.mad());
        RecordedWire.Exchange exchange = isRequest && clock.nowNs() >= beginNs ? wire.next(frame, clock.nowNs()) : null;
        if (exchange == null) {
            byTwin += isRequest ? 1 : 0;
            return !isRequest || twin == null || twin.send(frame, responseTimeoutMs);
        }
        recorded++;
        if (exchange.isRefused) {
            return false;
        }
        if (twin != null) { // so that the registers of the twin change like those of the recorded devices
            ignoredTids.add(MadHeader.tid(frame.mad()));
            twin.send(frame, responseTimeoutMs);
        }
        RecordedWire.Received answer = exchange.answer;
        if (answer != null) {
            byte[] mad = answer.frame().mad().clone();
            MadHeader.TRANSACTION_ID.set(mad, 0, MadHeader.tid(frame.mad()));
            MadFrame recordedFrame = new MadFrame(
                    answer.frame().isUndelivered()
                            ? frame.peer()
                            : answer.frame().peer(),
                    mad,
                    answer.frame().isUndelivered());
            long delayNs = delayNs(answer.timeNs(), exchange.sentNs, responseTimeoutMs);
            arrivals.schedule(delayNs, answer.number(), recordedFrame);
        }
        return true;
    }

    /**
     * Computes the delay of a response: the longer one of the recorded delay and the time until the recorded arrival.
     * The latter prevents that an SM in virtual time, which needs no time to compute, runs ahead of the recording. It
     * is limited to half of the time-out.
     */
    private long delayNs(long answeredNs, long sentNs, int responseTimeoutMs) {
        long recordedNs = answeredNs - sentNs;
        long syncNs = Math.min(answeredNs - clock.nowNs(), TimeUnit.MILLISECONDS.toNanos(responseTimeoutMs) / 2);
        return Math.max(recordedNs, syncNs);
    }

    @Override
    public void setIsSm(boolean isSm) throws TransportException {
        if (twin != null) {
            twin.setIsSm(isSm);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        if (twin != null) {
            twin.close();
        }
    }

    /** Returns the number of requests whose outcome was taken from the recording. */
    long recorded() {
        return recorded;
    }

    /** Returns the number of requests that were sent to the twin or dropped. */
    long byTwin() {
        return byTwin;
    }
}
