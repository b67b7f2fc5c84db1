package io.torussm.daemon;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.ArrayList;
import java.util.List;

/** A host that sends requests to the SA of an embedded fabric, and receives events. */
final class EventClient implements MadTransport.Receiver {
    private final MadTransport port;

    /** Answers of the SA. */
    final List<byte[]> answers = new ArrayList<>();

    /** Reports, repeated ones included, as {@code 65 0x...}: the trap and the GUID that it is about. */
    final List<String> reports = new ArrayList<>();

    boolean isDead;
    private long tid;

    /** Creates a host at its port. */
    EventClient(MadTransport port) {
        this.port = port;
        port.start(this);
    }

    /** Sends a request to the SM at a LID. */
    void sendRequest(int smLid, byte[] request) {
        MadHeader.TRANSACTION_ID.set(request, 0, ++tid);
        resend(smLid, request);
    }

    /** Sends it once more, as it was. */
    void resend(int smLid, byte[] request) {
        port.send(new MadFrame(new MadAddress(smLid, 1, 0, 0), request), 0);
    }

    @Override
    public void received(MadFrame frame) {
        byte[] mad = frame.mad();
        if (MadHeader.method(mad) != Method.REPORT) {
            answers.add(mad);
            return;
        }
        reports.add(EventLines.reportText(mad));
        if (!isDead) {
            byte[] answer = mad.clone();
            MadHeader.METHOD.set(answer, 0, Method.REPORT_RESP);
            port.send(new MadFrame(frame.peer(), answer), 0);
        }
    }

    @Override
    public void transportFailed(String reason) {
        throw new AssertionError(reason);
    }
}
