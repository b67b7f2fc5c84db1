package io.torussm.registration;

import io.torussm.mad.Gid;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.multicast.MulticastGroup;
import io.torussm.report.Subscription;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** A state directory on a virtual clock, and registrations of two hosts. */
abstract class RegistrationCase {
    /** PacketLifeTime of groups. */
    static final int LIFE = 18;

    /** An IPv4 group of IPoIB in the default partition. */
    static final Gid MGID = new Gid(0xff12_401b_ffff_0000L, 0x16L);

    static final Gid HOST = new Gid(Gid.DEFAULT_PREFIX, 0x1_0000_0001L);
    static final Gid OTHER = new Gid(Gid.DEFAULT_PREFIX, 0x1_0000_0101L);

    @TempDir
    Path dir;

    final VirtualLoop loop = new VirtualLoop();

    /** Time of day in seconds, for leases. */
    long epoch = 1_795_000_000L;

    RegistrationStore store() throws IOException {
        return new RegistrationStore(StateDirectory.open(dir, loop), loop, () -> epoch);
    }

    /** Returns a copy of a group with another SL. */
    static MulticastGroup withOtherSl(MulticastGroup group) {
        return new MulticastGroup(group.record().with(MCMemberRecord.SL, 8), group.members());
    }

    static MulticastGroup group(Gid mgid, int mlid, MulticastGroup.Member... members) {
        return new MulticastGroup(
                MCMemberRecord.TYPE
                        .zero()
                        .with(MCMemberRecord.MGID, mgid)
                        .with(MCMemberRecord.MLID, mlid)
                        .with(MCMemberRecord.MTU_SELECTOR, PathRecord.EXACTLY)
                        .with(MCMemberRecord.MTU, 4)
                        .with(MCMemberRecord.RATE_SELECTOR, PathRecord.EXACTLY)
                        .with(MCMemberRecord.RATE, 3)
                        .with(MCMemberRecord.PACKET_LIFE_TIME_SELECTOR, PathRecord.EXACTLY)
                        .with(MCMemberRecord.PACKET_LIFE_TIME, LIFE)
                        .with(MCMemberRecord.Q_KEY, 0xffff_fff1L)
                        .with(MCMemberRecord.P_KEY, 0xffff)
                        .with(MCMemberRecord.FLOW_LABEL, 0xfffff)
                        .with(MCMemberRecord.HOP_LIMIT, 7)
                        .with(MCMemberRecord.SCOPE, 2),
                List.of(members));
    }

    static MulticastGroup.Member member(Gid gid, int joinState) {
        return new MulticastGroup.Member(gid, joinState, false);
    }

    static ServiceRecord service(long id, long lease) {
        return ServiceRecord.TYPE
                .zero()
                .with(ServiceRecord.SERVICE_ID, id)
                .with(ServiceRecord.SERVICE_GID, HOST)
                .with(ServiceRecord.SERVICE_P_KEY, 0xffff)
                .with(ServiceRecord.SERVICE_LEASE, lease)
                .with(ServiceRecord.SERVICE_KEY, new Gid(1, 2));
    }

    static Subscription subscription(long portGuid, int number, boolean isTrusted) {
        InformInfo wants = InformInfo.TYPE
                .zero()
                .with(InformInfo.GID, HOST)
                .with(InformInfo.SUBSCRIBE, 1)
                .with(InformInfo.TRAP_NUMBER, 65)
                .with(InformInfo.QPN, 0xabcdef)
                .with(InformInfo.PRODUCER_TYPE, InformInfo.ANY_PRODUCER);
        return new Subscription(new Subscription.Subscriber(portGuid, 0xabcdef), number, isTrusted, wants);
    }
}
