package io.torussm.sa;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.Rmpp;
import io.torussm.transport.RmppReceiver;
import io.torussm.transport.RmppSender;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Requests that come by RMPP. GetMulti is the only method of which they do; its transfer turns round when the request is
 * complete, so RMPP control of it may belong to either direction.
 */
final class SegmentedRequests implements RmppReceiver.Sink {
    private final RmppReceiver receiver;
    private final RmppSender tables;
    private final Consumer<MadFrame> complete;
    private final Runnable failed;

    /**
     * Awaits segments.
     *
     * @param out sends ACKs and ABORTs
     * @param tables the other direction
     * @param complete takes whole requests; on the loop
     * @param failed runs once for each request that never was complete, on the loop; and for control of no known type
     */
    SegmentedRequests(
            Loop loop, Consumer<MadFrame> out, RmppSender tables, Consumer<MadFrame> complete, Runnable failed) {
        this.receiver = new RmppReceiver(loop, RmppReceiver.Limits.REQUESTS, out, this);
        this.tables = tables;
        this.complete = complete;
        this.failed = failed;
    }

    static boolean isSegment(byte[] mad) {
        return MadHeader.method(mad) == Method.GET_MULTI && Rmpp.isActive(mad) && Rmpp.type(mad) == Rmpp.DATA;
    }

    /** Takes a segment. */
    void receive(MadFrame frame) {
        receiver.receive(frame);
    }

    /** Takes ACK, STOP or ABORT. The ACK by which a requester turns the transfer round may precede the answer. */
    void control(MadFrame frame) {
        byte[] mad = frame.mad();
        int type = Rmpp.type(mad);
        if (tables.isOpen(frame.peer(), mad) || MadHeader.method(mad) != Method.GET_MULTI) {
            tables.receive(frame);
        } else if (type == Rmpp.ACK || type == Rmpp.STOP || type == Rmpp.ABORT) {
            receiver.receive(frame);
        } else {
            failed.run();
        }
    }

    /** Segments of no request; from any thread. */
    long strays() {
        return receiver.strays();
    }

    /** Requests that are not complete, or were not a moment ago; on the loop. */
    int openCount() {
        return receiver.openCount();
    }

    @Override
    public void received(MadFrame first, byte[] data) {
        byte[] request = Arrays.copyOf(first.mad(), SaMad.DATA + data.length);
        System.arraycopy(data, 0, request, SaMad.DATA, data.length);
        complete.accept(new MadFrame(first.peer(), request));
    }

    @Override
    public void failed(MadAddress peer, long tid, int status) {
        failed.run();
    }
}
