package io.torussm.multicast;

import io.torussm.mad.Field;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.partition.PortKeys;

/**
 * What a port asks for in a SubnAdmSet or SubnAdmDelete of MCMemberRecord, after it was found that the port named in it
 * exists.
 *
 * @param wanted the record as it came, its PortGID with the prefix of this subnet
 * @param mask its component mask
 * @param requesterGuid GUID of the port that asks; another than that of PortGID asks as a proxy
 * @param portMtu MTU code of the port named by PortGID
 * @param portRate rate code of the port named by PortGID
 * @param portKeys P_Keys of the port named by PortGID
 * @param requesterKeys P_Keys of the port that asks
 * @param account GUID of the port whose share of groups and memberships this counts for; 0 for nobody's
 */
public record MembershipRequest(
        MCMemberRecord wanted,
        long mask,
        long requesterGuid,
        int portMtu,
        int portRate,
        PortKeys portKeys,
        PortKeys requesterKeys,
        long account) {

    /** Whether a component is given. */
    boolean has(Field field) {
        return (mask & MCMemberRecord.COMPONENTS.bit(field)) != 0;
    }

    /** Whether a component is given, and with another value than the group has. */
    boolean differs(Field field, MCMemberRecord group) {
        return has(field) && wanted.get(field) != group.get(field);
    }

    boolean isByProxy() {
        return requesterGuid != wanted.portGid().guid();
    }

    /** The answer that refuses it. */
    MembershipReply refused(int status) {
        return new MembershipReply(status, wanted);
    }
}
