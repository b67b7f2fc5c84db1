package io.torussm.multicast;

import io.torussm.mad.Field;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.partition.PortKeys;

/**
 * A SubnAdmSet or SubnAdmDelete of MCMemberRecord whose PortGID is a port of the subnet.
 *
 * @param record the received record, whose PortGID has the prefix of this subnet
 * @param mask component mask
 * @param requesterGuid PortGUID of the requesting port; if PortGID has another GUID, the request is by proxy
 * @param portMtu MTU code of the port named by PortGID
 * @param portRate rate code of the port named by PortGID
 * @param portKeys P_Keys of the port named by PortGID
 * @param requesterKeys P_Keys of the requesting port
 * @param account PortGUID of the port to whose share of groups and memberships the request counts; 0 if it is not
 *     counted
 */
public record MembershipRequest(
        MCMemberRecord record,
        long mask,
        long requesterGuid,
        int portMtu,
        int portRate,
        PortKeys portKeys,
        PortKeys requesterKeys,
        long account) {

    /** Checks whether the request contains a component. */
    boolean has(Field field) {
        return (mask & MCMemberRecord.COMPONENTS.bit(field)) != 0;
    }

    /** Checks whether the request contains a component whose value differs from that of the group. */
    boolean differs(Field field, MCMemberRecord group) {
        return has(field) && record.get(field) != group.get(field);
    }

    boolean isByProxy() {
        return requesterGuid != record.portGid().guid();
    }

    /** Returns the reply that refuses the request. */
    MembershipReply refusal(int status) {
        return new MembershipReply(status, record);
    }
}
