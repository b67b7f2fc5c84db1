package io.torussm.daemon;

import io.torussm.mad.AttributeType;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.GuidInfoRecord;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.testing.MembershipMad;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.List;
import java.util.Random;

/**
 * A host that wants all for itself, or nothing for others: it floods the SM with what other hosts ask for, with what
 * only SMs and devices may say, and with noise. All of it is drawn from the seed.
 */
final class Adversary implements MadTransport.Receiver {
    private static final long[] SM_KEYS = {0, 0, 0, 1, FabricSm.SM_KEY + 1};
    private static final int[] METHODS = {
        Method.GET,
        Method.GET_TABLE,
        Method.SET,
        Method.DELETE,
        Method.GET_MULTI,
        Method.REPORT,
        Method.REPORT_RESP,
        0x7f
    };
    private static final int MAX_ATTRIBUTE = 0x40;
    private static final int LIDS = 64;
    private static final int GROUPS = 5000;

    private final MadTransport port;
    private final Random random;
    private final HostileMads hostileMads;
    private final DrPath toSm;
    private final int smLid;
    private final List<Gid> victims;
    private long sent;
    private long answered;

    /**
     * Creates an adversary at a port.
     *
     * @param toSm the route to the SM
     * @param victims port GIDs of others
     */
    Adversary(MadTransport port, Random random, DrPath toSm, int smLid, List<Gid> victims) {
        this.port = port;
        this.random = random;
        this.hostileMads = new HostileMads(random);
        this.toSm = toSm;
        this.smLid = smLid;
        this.victims = victims;
        port.start(this);
    }

    /** Returns the number of MADs that it has sent without a request. */
    long sent() {
        return sent;
    }

    /** Returns the number of MADs that it has received in return: answers, and refusals that are not silent. */
    long answered() {
        return answered;
    }

    /** Sends something. */
    void sendRandom() {
        sent++;
        switch (random.nextInt(10)) {
            case 0 -> sa(membership());
            case 1 -> sa(service());
            case 2, 3 -> sa(randomRequest());
            case 4 -> sa(aliases());
            case 5 -> smp(trap(), Notice.TYPE, Method.TRAP, 0);
            case 6 -> smp(smInfo(), SmInfo.TYPE, random.nextBoolean() ? Method.GET : Method.SET, random.nextInt(7));
            case 7 -> sa(table());
            case 8 -> {
                MadFrame any = hostileMads.next(null);
                port.send(new MadFrame(new MadAddress(smLid, random.nextInt(2), 0, 0), any.mad()), 0);
            }
            default -> sa(EventLines.informInfo(random.nextInt(2), random.nextInt(200)));
        }
    }

    private void sa(byte[] mad) {
        MadHeader.TRANSACTION_ID.set(mad, 0, sent);
        SaMad.SM_KEY.set(mad, 0, SM_KEYS[random.nextInt(SM_KEYS.length)]);
        port.send(new MadFrame(new MadAddress(smLid, 1, 0, 0), mad), 0);
    }

    private void smp(byte[] data, AttributeType<?> type, int method, int modifier) {
        boolean isDirected = random.nextBoolean();
        byte[] mad = isDirected
                ? Smp.directed(method, sent, type.id(), modifier, 0, toSm)
                : Smp.lidRouted(method, sent, type.id(), modifier, 0);
        System.arraycopy(data, 0, mad, Smp.DATA_OFFSET, data.length);
        port.send(new MadFrame(isDirected ? MadAddress.DIRECTED : new MadAddress(smLid, 0, 0, 0), mad), 0);
    }

    private Gid victim() {
        return victims.get(random.nextInt(victims.size()));
    }

    private Gid ownGid() {
        return new Gid(Gid.DEFAULT_PREFIX, port.localPort().portGuid());
    }

    private byte[] membership() {
        Gid mgid = random.nextInt(4) == 0
                ? AdversaryTest.GROUP
                : new Gid(0xff12_6666_0000_0000L + random.nextInt(2), random.nextInt(GROUPS));
        Gid member = random.nextBoolean() ? ownGid() : victim();
        int method = random.nextInt(8) == 0 ? Method.DELETE : Method.SET;
        return MembershipMad.of(method, sent, mgid, member, MCMemberRecord.FULL_MEMBER, AdversaryTest.Q_KEY);
    }

    private byte[] service() {
        long mask = ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_ID)
                | ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_GID);
        byte[] mad = SaMad.request(
                random.nextBoolean() ? Method.SET : Method.DELETE, sent, ServiceRecord.TYPE.id(), 0, mask);
        ServiceRecord.TYPE
                .zero()
                .with(ServiceRecord.SERVICE_ID, random.nextInt(GROUPS))
                .with(ServiceRecord.SERVICE_GID, random.nextBoolean() ? ownGid() : victim())
                .write(mad, SaMad.DATA_OFFSET);
        return mad;
    }

    private byte[] aliases() {
        long mask = random.nextLong() | GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.LID);
        byte[] mad = SaMad.request(Method.SET, sent, GuidInfoRecord.TYPE.id(), 0, mask);
        GuidInfoRecord.TYPE
                .zero()
                .with(GuidInfoRecord.LID, random.nextInt(LIDS))
                .with(GuidInfoRecord.guid(random.nextInt(8)), victim().guid())
                .write(mad, SaMad.DATA_OFFSET);
        return mad;
    }

    private byte[] table() {
        return SaMad.request(Method.GET_TABLE, sent, PathRecord.TYPE.id(), 0, 0);
    }

    private byte[] randomRequest() {
        byte[] mad = SaMad.request(
                METHODS[random.nextInt(METHODS.length)],
                sent,
                random.nextInt(MAX_ATTRIBUTE),
                random.nextInt(3),
                random.nextLong() & Long.rotateLeft(random.nextLong(), 1));
        byte[] data = new byte[SaMad.DATA_SIZE];
        random.nextBytes(data);
        System.arraycopy(data, 0, mad, SaMad.DATA_OFFSET, data.length);
        return mad;
    }

    private byte[] trap() {
        int number = random.nextBoolean() ? 128 + random.nextInt(4) : 144 + random.nextInt(2);
        int trap = random.nextInt(8) == 0 ? 256 + random.nextInt(4) : number;
        int type = random.nextBoolean() ? NodeInfo.SWITCH : NodeInfo.CHANNEL_ADAPTER;
        return Notice.linkErrors(trap, type, random.nextInt(LIDS), random.nextInt(9))
                .toBytes();
    }

    private byte[] smInfo() {
        return SmInfo.TYPE
                .zero()
                .with(SmInfo.GUID, random.nextBoolean() ? ownGid().guid() : victim().guid())
                .with(SmInfo.SM_KEY, SM_KEYS[random.nextInt(SM_KEYS.length)])
                .with(SmInfo.PRIORITY, random.nextInt(16))
                .with(SmInfo.SM_STATE, random.nextInt(4))
                .toBytes();
    }

    /** Responds to a request for SMInfo that it is master. It acknowledges nothing else. */
    @Override
    public void received(MadFrame frame) {
        byte[] mad = frame.mad();
        answered += MadHeader.isResponse(mad) ? 1 : 0;
        boolean isSmp = MgmtClass.isSmp(MadHeader.mgmtClass(mad));
        if (isSmp && MadHeader.method(mad) == Method.GET && MadHeader.attributeId(mad) == SmInfo.TYPE.id()) {
            byte[] answer = mad.clone();
            MadHeader.METHOD.set(answer, 0, Method.GET_RESP);
            MadHeader.DIRECTION.set(answer, 0, 1);
            System.arraycopy(
                    smInfo(), 0, answer, Smp.DATA_OFFSET, SmInfo.TYPE.layout().size());
            port.send(new MadFrame(frame.peer(), answer), 0);
        }
    }

    @Override
    public void transportFailed(String reason) {
        throw new AssertionError(reason);
    }
}
