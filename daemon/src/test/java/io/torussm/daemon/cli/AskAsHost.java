package io.torussm.daemon.cli;

import io.torussm.daemon.EventLines;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.GuidInfoRecord;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.testing.MembershipMad;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.umad.PortChoice;
import io.torussm.transport.umad.UmadTransport;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A host that sends requests, permitted or not, as in the table in docs/operator/security.md, which no tool
 * of the field can send, such as joining a group: {@code SM-LID REQUEST...}. Prints a line for each, with the
 * status of the response.
 */
final class AskAsHost {
    private static final int TIMEOUT_MS = 20_000;
    private static final long MGID_PREFIX = 0xff12_1234_0000_0000L;

    private final MadTransport port;
    private final int smLid;
    private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
    private long tid = System.nanoTime() & 0x7fff_ffff;

    private AskAsHost(MadTransport port, int smLid) {
        this.port = port;
        this.smLid = smLid;
        port.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {
                answers.add(frame.mad());
            }

            @Override
            public void transportFailed(String reason) {
                throw new AssertionError(reason);
            }
        });
    }

    public static void main(String[] args) throws Exception {
        try (MadTransport port = UmadTransport.open(new PortChoice(null, 0, 0), false)) {
            AskAsHost host = new AskAsHost(port, Integer.parseInt(args[0]));
            for (int i = 1; i < args.length; i++) {
                System.out.println(args[i] + ": " + host.ask(args[i].split(":", -1)));
            }
        }
    }

    private Gid ownGid() {
        return gid(port.localPort().portGuid());
    }

    private static Gid gid(long guid) {
        return new Gid(Gid.DEFAULT_PREFIX, guid);
    }

    private String ask(String[] words) throws InterruptedException {
        long number = words.length > 1 ? Long.decode(words[1]) : 0;
        long other = words.length > 2 ? Long.decode(words[2]) : 0;
        return switch (words[0]) {
            case "smkey" -> smInfo(Method.GET, 0, 0, 0);
            case "depose" -> smInfo(Method.SET, (int) number, other, 2);
            case "groups" -> acceptedText((int) number, i -> join(Method.SET, i, ownGid()));
            case "services" -> acceptedText((int) number, i -> service(Method.SET, i, ownGid(), 1));
            case "join" -> status(join(Method.SET, number, words.length > 2 ? gid(other) : ownGid()));
            case "mlid" -> mlid(number);
            case "leave" -> status(join(Method.DELETE, number, gid(other)));
            case "members" -> members(number);
            case "register" -> status(service(Method.SET, number, gid(other), Long.decode(words[3])));
            case "unregister" -> status(service(Method.DELETE, number, gid(other), Long.decode(words[3])));
            case "subscribe" -> status(EventLines.informInfo(1, (int) number));
            case "servicekey" -> serviceKey(number);
            case "alias" -> alias((int) number, other);
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private interface RequestFactory {
        byte[] request(long number);
    }

    /** Returns the number of requests that are accepted, with the status of the first that is not. */
    private String acceptedText(int count, RequestFactory requests) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            String status = status(requests.request(i));
            if (!status.equals("0000")) {
                return i + " accepted, then " + status;
            }
        }
        return count + " accepted";
    }

    private String status(byte[] request) throws InterruptedException {
        return statusOf(answer(request, 1));
    }

    private static String statusOf(byte @Nullable [] answer) {
        return answer == null ? "no answer" : String.format("%04x", MadHeader.status(answer));
    }

    /** Returns the content of a response; its status if that is an error. */
    private static String textOrStatus(byte @Nullable [] answer, String text) {
        return answer == null || MadHeader.status(answer) != 0 ? statusOf(answer) : text;
    }

    private byte @Nullable [] answer(byte[] request, int qp) throws InterruptedException {
        MadHeader.TRANSACTION_ID.set(request, 0, ++tid);
        port.send(new MadFrame(new MadAddress(smLid, qp, 0, 0), request), TIMEOUT_MS);
        while (true) {
            byte[] answer = answers.poll(TIMEOUT_MS, TimeUnit.MILLISECONDS);
            if (answer == null || (MadHeader.TRANSACTION_ID.get(answer, 0) & 0xffff_ffffL) == (tid & 0xffff_ffffL)) {
                return answer;
            }
        }
    }

    private String smInfo(int method, int modifier, long smKey, int priority) throws InterruptedException {
        byte[] mad = Smp.lidRouted(method, 0, SmInfo.TYPE.id(), modifier, 0);
        SmInfo.TYPE
                .zero()
                .with(SmInfo.GUID, port.localPort().portGuid())
                .with(SmInfo.SM_KEY, smKey)
                .with(SmInfo.PRIORITY, priority)
                .with(SmInfo.SM_STATE, 3)
                .write(mad, Smp.DATA_OFFSET);
        byte[] answer = answer(mad, 0);
        if (answer == null) {
            return statusOf(null);
        }
        SmInfo shown = SmInfo.TYPE.read(answer, Smp.DATA_OFFSET);
        return statusOf(answer) + ", SM_Key " + Long.toHexString(shown.get(SmInfo.SM_KEY)) + ", state "
                + shown.get(SmInfo.SM_STATE);
    }

    private static byte[] join(int method, long group, Gid member) {
        return MembershipMad.of(method, 0, new Gid(MGID_PREFIX, group), member, MCMemberRecord.FULL_MEMBER, 7);
    }

    private String mlid(long group) throws InterruptedException {
        byte[] answer = answer(join(Method.SET, group, ownGid()), 1);
        return textOrStatus(
                answer,
                answer == null
                        ? ""
                        : String.format(
                                "MLID 0x%04x",
                                MCMemberRecord.TYPE
                                        .read(answer, SaMad.DATA_OFFSET)
                                        .mlid()));
    }

    private String members(long group) throws InterruptedException {
        byte[] mad = SaMad.request(
                Method.GET, 0, MCMemberRecord.TYPE.id(), 0, MCMemberRecord.COMPONENTS.bit(MCMemberRecord.MGID));
        MCMemberRecord.TYPE
                .zero()
                .with(MCMemberRecord.MGID, new Gid(MGID_PREFIX, group))
                .write(mad, SaMad.DATA_OFFSET);
        byte[] answer = answer(mad, 1);
        return textOrStatus(
                answer,
                answer == null
                        ? ""
                        : "PortGID "
                                + MCMemberRecord.TYPE
                                        .read(answer, SaMad.DATA_OFFSET)
                                        .portGid());
    }

    private static byte[] service(int method, long id, Gid at, long key) {
        long mask = ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_ID)
                | ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_GID)
                | ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_P_KEY)
                | ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_LEASE)
                | ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_KEY);
        byte[] mad = SaMad.request(method, 0, ServiceRecord.TYPE.id(), 0, mask);
        ServiceRecord.TYPE
                .zero()
                .with(ServiceRecord.SERVICE_ID, id)
                .with(ServiceRecord.SERVICE_GID, at)
                .with(ServiceRecord.SERVICE_P_KEY, 0xffff)
                .with(ServiceRecord.SERVICE_LEASE, ServiceRecord.FOREVER)
                .with(ServiceRecord.SERVICE_KEY, new Gid(0, key))
                .write(mad, SaMad.DATA_OFFSET);
        return mad;
    }

    private String serviceKey(long id) throws InterruptedException {
        byte[] mad = SaMad.request(
                Method.GET, 0, ServiceRecord.TYPE.id(), 0, ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_ID));
        ServiceRecord.TYPE.zero().with(ServiceRecord.SERVICE_ID, id).write(mad, SaMad.DATA_OFFSET);
        byte[] answer = answer(mad, 1);
        int last = SaMad.DATA_OFFSET + 48 - 1;
        return textOrStatus(answer, answer == null ? "" : "ServiceKey ends with " + (answer[last] & 0xff));
    }

    private String alias(int lid, long guid) throws InterruptedException {
        long mask = GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.LID)
                | GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.BLOCK_NUM)
                | GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.guid(3));
        byte[] mad = SaMad.request(Method.SET, 0, GuidInfoRecord.TYPE.id(), 0, mask);
        GuidInfoRecord.TYPE
                .zero()
                .with(GuidInfoRecord.LID, lid)
                .with(GuidInfoRecord.guid(3), guid)
                .write(mad, SaMad.DATA_OFFSET);
        byte[] answer = answer(mad, 1);
        return textOrStatus(
                answer,
                answer == null
                        ? ""
                        : "GUID " + Long.toHexString(GuidInfoRecord.guid(3).get(answer, SaMad.DATA_OFFSET)));
    }
}
