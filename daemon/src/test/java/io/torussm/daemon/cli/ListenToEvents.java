package io.torussm.daemon.cli;

import io.torussm.daemon.EventLines;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.umad.PortChoice;
import io.torussm.transport.umad.UmadTransport;

/**
 * A host that subscribes to all generic events, which no tool of the field can do: {@code SM-LID}. Prints
 * {@code subscribed} and a line for each Report, and responds to it; ends with its input. It registers as an
 * SM, because ibsim delivers MADs that are no responses only to SMs.
 */
final class ListenToEvents {
    private ListenToEvents() {}

    public static void main(String[] args) throws Exception {
        try (MadTransport port = UmadTransport.open(new PortChoice(null, 0, 0), false)) {
            port.start(new MadTransport.Receiver() {
                @Override
                public void received(MadFrame frame) {
                    handleMad(port, frame);
                }

                @Override
                public void transportFailed(String reason) {
                    throw new AssertionError(reason);
                }
            });
            port.setIsSm(true);
            byte[] mad = EventLines.informInfo(1, EventLines.ALL_TRAPS);
            port.send(new MadFrame(new MadAddress(Integer.parseInt(args[0]), 1, 0, 0), mad), 5000);
            System.in.readAllBytes();
        }
    }

    private static void handleMad(MadTransport port, MadFrame frame) {
        byte[] mad = frame.mad();
        if (MadHeader.method(mad) == Method.REPORT) {
            byte[] answer = mad.clone();
            MadHeader.METHOD.set(answer, 0, Method.REPORT_RESP);
            port.send(new MadFrame(frame.peer(), answer), 0);
            System.out.println("Report " + EventLines.reportText(mad));
        } else if (MadHeader.mgmtClass(mad) == MgmtClass.SUBN_ADM && MadHeader.method(mad) == Method.GET_RESP) {
            System.out.println(MadHeader.status(mad) == 0 ? "subscribed" : "status " + MadHeader.status(mad));
        }
    }
}
