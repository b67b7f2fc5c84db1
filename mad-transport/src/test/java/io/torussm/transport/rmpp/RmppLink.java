package io.torussm.transport.rmpp;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.SaMad;
import io.torussm.sim.VirtualLoop;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** An RMPP sender and a receiver with a link between them that loses, repeats and reorders segments. */
final class RmppLink {
    static final MadAddress SENDER = new MadAddress(1, 1, 0, 0);
    static final MadAddress RECEIVER = new MadAddress(2, 1, 0, 0);

    private static final long REQUEST_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MAX_REQUESTS = 9;

    final VirtualLoop loop = new VirtualLoop();
    final Random random;
    final List<byte[]> toReceiver = new ArrayList<>();
    final List<byte[]> toSender = new ArrayList<>();
    final List<byte[]> completed = new ArrayList<>();
    final List<Integer> failed = new ArrayList<>();
    final RmppSender sender;
    final RmppReceiver receiver;

    /** Of a hundred MADs: how many are lost, and how many come twice. */
    int lossPercent;

    int repeatPercent;
    int jitterUs;

    /** NewWindowLast in the last ACK, and segments sent beyond it; for one transfer at a time. */
    long windowLast = 1;

    /** The last segment that the sender has heard to be there; for one transfer at a time. */
    long acknowledged;

    int beyondWindow;

    RmppLink(long seed, RmppSender.Limits sending, RmppReceiver.Limits receiving) {
        random = Seeds.random(seed);
        sender = new RmppSender(loop, sending, frame -> {
            toReceiver.add(frame.mad());
            beyondWindow += Rmpp.type(frame.mad()) == Rmpp.DATA && segment(frame.mad()) > windowLast ? 1 : 0;
            carry(() -> receive(frame.mad()));
        });
        receiver = new RmppReceiver(
                loop,
                receiving,
                lid -> lid,
                frame -> {
                    toSender.add(frame.mad());
                    carry(() -> acknowledge(frame.mad()));
                },
                new RmppReceiver.Sink() {
                    @Override
                    public void received(MadFrame header, byte[] data) {
                        completed.add(data);
                    }

                    @Override
                    public void failed(MadAddress peer, long tid, int status) {
                        failed.add(status);
                    }
                });
    }

    private void receive(byte[] mad) {
        receiver.receive(new MadFrame(SENDER, mad));
    }

    private void acknowledge(byte[] mad) {
        windowLast = Math.max(windowLast, payloadLength(mad));
        acknowledged = Math.max(acknowledged, segment(mad));
        sender.receive(new MadFrame(RECEIVER, mad));
    }

    /** Sends a table to a requester, which repeats its request at times until the table has arrived. */
    void answer(long tid, byte[] table) {
        sender.send(request(RECEIVER, tid), header(tid), table);
        repeatRequest(tid, MAX_REQUESTS);
    }

    private void repeatRequest(long tid, int left) {
        loop.schedule(REQUEST_INTERVAL_NS, () -> {
            if (left > 0 && sender.isOpen(RECEIVER, header(tid))) {
                carry(() -> sender.sendAgain(RECEIVER, request(RECEIVER, tid).mad()));
                repeatRequest(tid, left - 1);
            }
        });
    }

    private void carry(Runnable arrival) {
        int copies = random.nextInt(100) < repeatPercent ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            if (random.nextInt(100) >= lossPercent) {
                loop.schedule(TimeUnit.MICROSECONDS.toNanos(10 + random.nextInt(jitterUs + 1)), arrival);
            }
        }
    }

    /** Returns a request for a table. */
    static MadFrame request(MadAddress peer, long tid) {
        return new MadFrame(peer, SaMad.request(Method.GET_TABLE, tid, 0x11, 0, 0));
    }

    static byte[] header(long tid) {
        byte[] header = SaMad.response(request(RECEIVER, tid).mad(), Method.GET_TABLE_RESP, 0);
        SaMad.ATTRIBUTE_OFFSET.set(header, 0, 14);
        return header;
    }

    byte[] table(int length) {
        byte[] table = new byte[length];
        random.nextBytes(table);
        return table;
    }

    /** Returns a message of the receiver with fields that a test sets. */
    static MadFrame control(long tid, int type, int status, long segment, long newWindowLast) {
        byte[] mad = SaMad.request(Method.GET_TABLE, tid, 0x11, 0, 0);
        Rmpp.write(mad, type, 0, status, segment, newWindowLast);
        return new MadFrame(RECEIVER, mad);
    }

    static long segment(byte[] mad) {
        return SaMad.DATA1.get(mad, 0);
    }

    static long payloadLength(byte[] mad) {
        return SaMad.DATA2.get(mad, 0);
    }

    static int flags(byte[] mad) {
        return (int) SaMad.RMPP_FLAGS.get(mad, 0);
    }

    static int rmppStatus(byte[] mad) {
        return (int) SaMad.RMPP_STATUS.get(mad, 0);
    }

    static long tid(byte[] mad) {
        return MadHeader.tid(mad);
    }
}
