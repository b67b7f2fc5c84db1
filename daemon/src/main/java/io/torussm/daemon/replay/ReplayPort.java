package io.torussm.daemon.replay;

import io.torussm.mad.MadHeader;
import io.torussm.recording.Entry;
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
 * The port of a replayed SM. A recorded request gets the recorded response, with the same delay. Another
 * request is answered by the twin, if there is one. MADs that are no responses arrive at their recorded
 * times. Before the recording begins, the twin alone responds.
 */
final class ReplayPort implements MadTransport {
    private final VirtualLoop clock;
    private final RecordedWire wire;
    private final StartNote start;
    private final @Nullable MadTransport twin;
    private final long beginNs;
    private final Set<Long> unheard = new HashSet<>();
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
    public boolean returnsUnanswered() {
        return start.returnsUnanswered();
    }

    @Override
    public void start(Receiver newReceiver) {
        receiver = newReceiver;
        for (Entry.Received each : wire.unasked()) {
            clock.schedule(each.timeNs() - clock.nowNs(), () -> deliver(each.frame()));
        }
        if (twin != null) {
            twin.start(new Receiver() {
                @Override
                public void received(MadFrame frame) {
                    answered(frame);
                }

                @Override
                public void transportFailed(String reason) {}
            });
        }
    }

    /**
     * Delivers a frame of the fabric. After the beginning of the recording, only recorded MADs arrive as non-responses.
     */
    private void answered(MadFrame frame) {
        boolean isAnswer = MadHeader.isResponse(frame.mad());
        if ((isAnswer || clock.nowNs() < beginNs) && !unheard.remove(MadHeader.tid(frame.mad()))) {
            deliver(frame);
        }
    }

    private void deliver(MadFrame frame) {
        if (!isClosed) {
            receiver.received(frame);
        }
    }

    /** Handles a port that can be used again, or not any more. */
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
        if (twin != null) { // The twin makes the same changes as the devices.
            unheard.add(MadHeader.tid(frame.mad()));
            twin.send(frame, responseTimeoutMs);
        }
        Entry.Received answer = exchange.answer;
        if (answer != null) {
            byte[] mad = answer.frame().mad().clone();
            MadHeader.TRANSACTION_ID.set(mad, 0, MadHeader.tid(frame.mad()));
            MadFrame same = new MadFrame(
                    answer.frame().undelivered() ? frame.peer() : answer.frame().peer(),
                    mad,
                    answer.frame().undelivered());
            clock.schedule(delayNs(answer.timeNs(), exchange.sentNs, responseTimeoutMs), () -> deliver(same));
        }
        return true;
    }

    /**
     * Returns the delay of a response: that of the recording, and until the time at which it was recorded. An SM in
     * virtual time needs no time to compute and would run ahead. At most half of the time-out is added for that.
     */
    private long delayNs(long answeredNs, long sentNs, int responseTimeoutMs) {
        long thenNs = answeredNs - sentNs;
        long syncNs = Math.min(answeredNs - clock.nowNs(), TimeUnit.MILLISECONDS.toNanos(responseTimeoutMs) / 2);
        return Math.max(thenNs, syncNs);
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

    /** Returns the number of requests that got a recorded response. */
    long recorded() {
        return recorded;
    }

    /** Requests that the recording does not have. */
    long byTwin() {
        return byTwin;
    }
}
