package io.torussm.multicast;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.partition.PortKeys;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Multicast groups with 4 MLIDs and 12 memberships at most, SLs 0 and 8, and requests for the groups. */
abstract class MulticastGroupsCase {
    static final int LIFE = 18;
    static final int MAX_MEMBERSHIPS = 12;
    static final int CAPACITY = 4;
    static final int SLS = 0x0101;

    /** MTU code 4: 2,048 bytes. */
    static final int PORT_MTU = 4;

    /** Rate codes of 10, 20 and 40 Gb/s. */
    static final int RATE_10 = 3;

    static final int RATE_20 = 6;
    static final int RATE_40 = 7;
    static final Gid OTHER = new Gid(0xff12_1234_0000_0000L, 1);
    static final int FULL = MCMemberRecord.FULL_MEMBER;

    final MulticastGroups groups = new MulticastGroups(() -> LIFE, MAX_MEMBERSHIPS);

    @BeforeEach
    void enableMulticast() {
        groups.adopt(new MulticastGroups.Conditions(true, CAPACITY, SLS, Gid.DEFAULT_PREFIX), guid -> true);
    }

    /** A request under construction. */
    static final class RequestBuilder {
        private MCMemberRecord record = MCMemberRecord.TYPE.zero();
        private long mask;
        private long requester;
        private long account;
        private int rate = RATE_40;
        private int mtu = PORT_MTU;
        private PortKeys portKeys = PortKeys.of(0xffff);
        private PortKeys requesterKeys = PortKeys.of(0xffff);

        RequestBuilder with(Field field, long value) {
            record = record.with(field, value);
            mask |= MCMemberRecord.COMPONENTS.bit(field);
            return this;
        }

        RequestBuilder with(Field field, Gid value) {
            record = record.with(field, value);
            mask |= MCMemberRecord.COMPONENTS.bit(field);
            return this;
        }

        RequestBuilder without(Field field) {
            mask &= ~MCMemberRecord.COMPONENTS.bit(field);
            return this;
        }

        RequestBuilder by(long guid) {
            requester = guid;
            return this;
        }

        /** Sets the account of the request; the default is none. */
        RequestBuilder countedFor(long guid) {
            account = guid;
            return this;
        }

        RequestBuilder port(int newMtu, int newRate) {
            mtu = newMtu;
            rate = newRate;
            return this;
        }

        /** Sets the P_Keys of the port and of the requester. */
        RequestBuilder keys(PortKeys ofPort, PortKeys ofRequester) {
            portKeys = ofPort;
            requesterKeys = ofRequester;
            return this;
        }

        MembershipRequest request() {
            return new MembershipRequest(record, mask, requester, mtu, rate, portKeys, requesterKeys, account);
        }
    }

    static RequestBuilder join(Gid mgid, long guid, int joinState) {
        return new RequestBuilder()
                .by(guid)
                .with(MCMemberRecord.MGID, mgid)
                .with(MCMemberRecord.PORT_GID, new Gid(Gid.DEFAULT_PREFIX, guid))
                .with(MCMemberRecord.JOIN_STATE, joinState);
    }

    static RequestBuilder create(Gid mgid, long guid) {
        return join(mgid, guid, FULL)
                .with(MCMemberRecord.Q_KEY, 7)
                .with(MCMemberRecord.T_CLASS, 0)
                .with(MCMemberRecord.P_KEY, 0xffff)
                .with(MCMemberRecord.FLOW_LABEL, 0)
                .with(MCMemberRecord.SL, 0);
    }

    MembershipReply send(RequestBuilder ask) {
        MembershipReply reply = groups.join(ask.request());
        groups.publish();
        return reply;
    }

    MembershipReply leave(RequestBuilder ask) {
        MembershipReply reply = groups.leave(ask.request());
        groups.publish();
        return reply;
    }

    int status(RequestBuilder ask) {
        return send(ask).status();
    }

    List<Integer> mlids() {
        return groups.view().groups().stream().map(MulticastGroup::mlid).toList();
    }

    MulticastGroup group(Gid mgid) {
        return groups.view().groups().stream()
                .filter(each -> each.mgid().equals(mgid))
                .findFirst()
                .orElseThrow();
    }

    void adopt(long survivor, int sls) {
        groups.adopt(new MulticastGroups.Conditions(true, CAPACITY, sls, Gid.DEFAULT_PREFIX), guid -> guid == survivor);
        groups.publish();
    }

    static Field field(String name) {
        return MCMemberRecord.COMPONENTS.components().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
