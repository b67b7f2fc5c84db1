package io.torussm.sa;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.rmpp.Rmpp;
import io.torussm.transport.rmpp.RmppReceiver;
import io.torussm.transport.rmpp.RmppSender;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

/**
 * Requests that arrive by RMPP; GetMulti is the only such method. Its transfer reverses direction when the
 * request is complete, so that RMPP control packets may belong to either direction.
 */
final class SegmentedRequests implements RmppReceiver.Sink {
    private final RmppReceiver receiver;
    private final RmppSender tables;
    private final Consumer<MadFrame> complete;
    private final Runnable failed;

    /**
     * Creates the receiver of segments.
     *
     * @param baseLid returns the base LID of the port with a LID; any thread
     * @param out sends ACKs and ABORTs
     * @param tables the other direction
     * @param complete receives whole requests; on the loop
     * @param failed callback, called once for each request that is never complete, and for control packets of unknown
     * type; on the loop
     */
    SegmentedRequests(
            Loop loop,
            IntUnaryOperator baseLid,
            Consumer<MadFrame> out,
            RmppSender tables,
            Consumer<MadFrame> complete,
            Runnable failed) {
        this.receiver = new RmppReceiver(loop, RmppReceiver.Limits.REQUESTS, baseLid, out, this);
        this.tables = tables;
        this.complete = complete;
        this.failed = failed;
    }

    static boolean isSegment(byte[] mad) {
        return MadHeader.method(mad) == Method.GET_MULTI && Rmpp.isActive(mad) && Rmpp.type(mad) == Rmpp.DATA;
    }

    /** Receives a segment. */
    void receive(MadFrame frame) {
        receiver.receive(frame);
    }

    /**
     * Receives ACK, STOP or ABORT. The ACK by which a requester reverses the transfer may precede the answer.
     */
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

    /** Returns the number of segments that belong to no request; from any thread. */
    long strays() {
        return receiver.strays();
    }

    /** Returns the number of requests that are, or were a moment ago, incomplete; on the loop. */
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
