package io.torussm.transport.rmpp;

import io.torussm.mad.sa.SaMad;
import io.torussm.sim.VirtualLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A sender on a virtual clock, the MADs that it has sent, and a receiver that the test plays. */
abstract class RmppSenderCase {
    static final int ACTIVE = SaMad.FLAG_ACTIVE;
    static final int FIRST = SaMad.FLAG_FIRST;
    static final int LAST = SaMad.FLAG_LAST;
    static final RmppSender.Limits LIMITS = new RmppSender.Limits(100, 3, 2000, 8, 4, 10_000, 1_600);

    final VirtualLoop loop = new VirtualLoop();
    final List<byte[]> sent = new ArrayList<>();

    /** True if the wire throws an exception. */
    boolean isDefect;

    final RmppSender sender = new RmppSender(loop, LIMITS, frame -> {
        if (isDefect) {
            throw new IllegalStateException("provoked");
        }
        sent.add(frame.mad());
    });

    /** Begins a message with a number of bytes; false if the sender refuses it. */
    boolean begin(long tid, int bytes) {
        boolean begun = sender.send(RmppLink.request(RmppLink.RECEIVER, tid), RmppLink.header(tid), new byte[bytes]);
        runMs(0);
        return begun;
    }

    void runMs(int ms) {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    /** Receives an ACK, STOP or ABORT of transaction 7. */
    void receiveControl(int type, int status, long segment, long newWindowLast) {
        sender.receive(RmppLink.control(7, type, status, segment, newWindowLast));
        runMs(0);
    }

    /** Returns the numbers of the segments that were sent since the last call. */
    List<Long> segments() {
        List<Long> numbers = sent.stream().map(RmppLink::segment).toList();
        sent.clear();
        return numbers;
    }
}
