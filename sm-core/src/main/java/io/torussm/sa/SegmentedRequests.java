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
 * The requests that arrive by RMPP. GetMulti is the only such method. Its transfer reverses direction when the
 * request is complete, so that RMPP control packets may belong to either direction. Owner thread: the loop of RMPP,
 * except for methods that say otherwise.
 */
final class SegmentedRequests implements RmppReceiver.Sink {
    private final RmppReceiver receiver;
    private final RmppSender tables;
    private final Consumer<MadFrame> onComplete;
    private final Runnable onFailure;

    /**
     * Creates the receiver of segments.
     *
     * @param baseLid returns the base LID of the port with a LID; called on any thread
     * @param out sends ACKs and ABORTs
     * @param tables sender of answers, which handles the control packets of the other direction
     * @param complete receives complete requests on the loop
     * @param failed callback, called once for each request that fails, and for each control packet of an unknown type
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
        this.onComplete = complete;
        this.onFailure = failed;
    }

    /** Checks whether a MAD is a data segment of a request. */
    static boolean isSegment(byte[] mad) {
        return MadHeader.method(mad) == Method.GET_MULTI && Rmpp.isActive(mad) && Rmpp.type(mad) == Rmpp.DATA;
    }

    /** Receives a segment; called on the transport's thread. */
    void receive(MadFrame frame) {
        receiver.receive(frame);
    }

    /**
     * Receives a control packet (ACK, STOP or ABORT); called on the transport's thread. The ACK by which a requester
     * reverses the direction may arrive before the answer is open; it then belongs to the receiver.
     */
    void control(MadFrame frame) {
        byte[] mad = frame.mad();
        int type = Rmpp.type(mad);
        if (tables.isOpen(frame.peer(), mad) || MadHeader.method(mad) != Method.GET_MULTI) {
            tables.receive(frame);
        } else if (type == Rmpp.ACK || type == Rmpp.STOP || type == Rmpp.ABORT) {
            receiver.receive(frame);
        } else {
            onFailure.run();
        }
    }

    /** Returns the number of segments that belong to no request; may be called from any thread. */
    long straySegments() {
        return receiver.strays();
    }

    /** Returns the number of incomplete requests, and of requests that became complete or failed a moment ago. */
    int openCount() {
        return receiver.openCount();
    }

    @Override
    public void received(MadFrame first, byte[] data) {
        byte[] request = Arrays.copyOf(first.mad(), SaMad.DATA_OFFSET + data.length);
        System.arraycopy(data, 0, request, SaMad.DATA_OFFSET, data.length);
        onComplete.accept(new MadFrame(first.peer(), request));
    }

    @Override
    public void failed(MadAddress peer, long tid, int status) {
        onFailure.run();
    }
}
