package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.GuidInfoRecord;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.mad.smp.Notice;
import io.torussm.testing.MembershipMad;

/** Registrations of hosts at the SA of one SM: a group, a service, an alias GUID and a subscription. */
final class SaRegistrations {
    static final long ALIAS = 0x1234_5678_9abc_def0L;
    private static final int ALIAS_INDEX = 3;

    private final MortalHost sm;

    SaRegistrations(MortalHost sm) {
        this.sm = sm;
    }

    /** Sends a MCMemberRecord of a host. Returns the one of the response, which has to be without error. */
    MCMemberRecord member(int method, String host, Gid mgid) throws Exception {
        byte[] response = sm.request(
                host, MembershipMad.of(method, 1, mgid, sm.fabric.gid(host), MCMemberRecord.FULL_MEMBER, 0xb1b));
        assertThat(MadHeader.STATUS.get(response, 0)).isEqualTo(MadStatus.OK);
        return MCMemberRecord.TYPE.read(response, SaMad.DATA_OFFSET);
    }

    /** Sends a ServiceRecord of a host. Returns the status of the response. */
    int service(int method, String host) throws Exception {
        return MadHeader.status(sm.request(host, serviceRecord(method, host)));
    }

    /** Sends a GUIDInfoRecord of a host. Returns the alias GUID of the response, 0 for none. */
    long alias(int method, String host) throws Exception {
        byte[] response = sm.request(host, guidInfoRecord(method, host));
        assertThat(MadHeader.status(response)).isZero();
        return GuidInfoRecord.guid(ALIAS_INDEX).get(response, SaMad.DATA_OFFSET);
    }

    /**
     * Sends an InformInfo of a host for ports that appear. Returns the status of the response.
     *
     * @param subscribe 1 to subscribe, 0 to unsubscribe
     */
    int subscribe(int subscribe, String host) throws Exception {
        return MadHeader.status(sm.request(host, EventLines.informInfo(subscribe, Notice.TRAP_GID_IN_SERVICE)));
    }

    private byte[] serviceRecord(int method, String host) {
        long mask = ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_ID)
                | ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_GID);
        byte[] mad = SaMad.request(method, 2, ServiceRecord.TYPE.id(), 0, mask);
        ServiceRecord.TYPE
                .zero()
                .with(ServiceRecord.SERVICE_ID, 7)
                .with(ServiceRecord.SERVICE_GID, sm.fabric.gid(host))
                .write(mad, SaMad.DATA_OFFSET);
        return mad;
    }

    private byte[] guidInfoRecord(int method, String host) {
        long mask = GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.LID)
                | GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.BLOCK_NUM)
                | (method == Method.SET ? GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.guid(ALIAS_INDEX)) : 0);
        byte[] mad = SaMad.request(method, 3, GuidInfoRecord.TYPE.id(), 0, mask);
        GuidInfoRecord.TYPE
                .zero()
                .with(GuidInfoRecord.LID, sm.fabric.lid(host))
                .with(GuidInfoRecord.guid(ALIAS_INDEX), ALIAS)
                .write(mad, SaMad.DATA_OFFSET);
        return mad;
    }
}
