package io.torussm.daemon.cli;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.testing.MembershipMad;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.umad.PortChoice;
import io.torussm.transport.umad.UmadTransport;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A host that joins a group, since none of the field's tools does: {@code SM-LID GROUP-NUMBER}; prints the MLID. */
final class JoinGroup {
    private static final int TIMEOUT_MS = 5000;

    private JoinGroup() {}

    public static void main(String[] args) throws Exception {
        try (MadTransport port = UmadTransport.open(new PortChoice(null, 0, 0), false)) {
            BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
            port.start(new MadTransport.Receiver() {
                @Override
                public void received(MadFrame frame) {
                    answers.add(frame.mad());
                }

                @Override
                public void transportFailed(String why) {
                    throw new AssertionError(why);
                }
            });
            byte[] mad = request(port.localPort().portGuid(), Long.parseLong(args[1]));
            port.send(new MadFrame(new MadAddress(Integer.parseInt(args[0]), 1, 0, 0), mad), TIMEOUT_MS);
            byte[] answer = answers.poll(TIMEOUT_MS, TimeUnit.MILLISECONDS);
            if (answer == null || MadHeader.STATUS.get(answer, 0) != 0) {
                throw new AssertionError(answer == null ? "no answer" : "status " + MadHeader.STATUS.get(answer, 0));
            }
            System.out.printf(
                    "MLID 0x%04x%n",
                    MCMemberRecord.TYPE.read(answer, SaMad.DATA).mlid());
        }
    }

    private static byte[] request(long portGuid, long group) {
        return MembershipMad.of(
                Method.SET,
                1,
                new Gid(0xff12_1234_0000_0000L, group),
                new Gid(Gid.DEFAULT_PREFIX, portGuid),
                MCMemberRecord.FULL_MEMBER,
                0xb1b);
    }
}
