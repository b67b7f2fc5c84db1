package io.torussm.daemon;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.ReportedNotice;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.Notice;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.ArrayList;
import java.util.List;

/** A host that asks the SA of an embedded fabric, and hears of events. */
final class EventClient implements MadTransport.Receiver {
    static final int ALL_TRAPS = InformInfo.ANY;

    private final MadTransport port;

    /** Answers of the SA. */
    final List<byte[]> answers = new ArrayList<>();

    /** Reports, repeated ones included, as {@code 65 0x...}: the trap and the GUID that it is about. */
    final List<String> reports = new ArrayList<>();

    boolean isDead;
    private long tid;

    /** A host at its port. */
    EventClient(MadTransport port) {
        this.port = port;
        port.start(this);
    }

    /** InformInfo for all generic notices of a trap number. */
    static byte[] informInfo(int subscribe, int trapNumber) {
        byte[] mad = SaMad.request(Method.SET, 1, InformInfo.TYPE.id(), 0, 0);
        InformInfo.TYPE
                .zero()
                .with(InformInfo.LID_RANGE_BEGIN, InformInfo.ANY)
                .with(InformInfo.IS_GENERIC, 1)
                .with(InformInfo.SUBSCRIBE, subscribe)
                .with(InformInfo.NOTICE_TYPE, InformInfo.ANY)
                .with(InformInfo.TRAP_NUMBER, trapNumber)
                .with(InformInfo.QPN, 1)
                .with(InformInfo.PRODUCER_TYPE, InformInfo.ANY_PRODUCER)
                .write(mad, SaMad.DATA);
        return mad;
    }

    /** What a Report tells. */
    static String told(byte[] report) {
        Notice notice = ReportedNotice.TYPE.read(report, SaMad.DATA).notice();
        long about = notice.trapNumber() < Notice.TRAP_LINK_STATE_CHANGE
                ? notice.gid().guid()
                : ReportedNotice.TYPE.read(report, SaMad.DATA).issuerGid().guid();
        return notice.trapNumber() + " " + Long.toHexString(about);
    }

    /** Sends a request to the SM at a LID. */
    void ask(int smLid, byte[] request) {
        MadHeader.TRANSACTION_ID.set(request, 0, ++tid);
        port.send(new MadFrame(new MadAddress(smLid, 1, 0, 0), request), 0);
    }

    @Override
    public void received(MadFrame frame) {
        byte[] mad = frame.mad();
        if (MadHeader.method(mad) != Method.REPORT) {
            answers.add(mad);
            return;
        }
        reports.add(told(mad));
        if (!isDead) {
            byte[] answer = mad.clone();
            MadHeader.METHOD.set(answer, 0, Method.REPORT_RESP);
            port.send(new MadFrame(frame.peer(), answer), 0);
        }
    }

    @Override
    public void transportFailed(String why) {
        throw new AssertionError(why);
    }
}
