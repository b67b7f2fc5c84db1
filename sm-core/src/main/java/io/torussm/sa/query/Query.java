package io.torussm.sa.query;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.SaMad;
import io.torussm.partition.PortKeys;
import io.torussm.transport.MadAddress;

/**
 * One request and the view for its answer.
 *
 * @param peer sender
 * @param mad the whole request
 * @param mask component mask
 * @param isTrusted whether it carried the SM_Key
 * @param isUnbounded whether the SM_Key is secret, so that the share of a port in common resources is not
 *     limited
 * @param requester port index of the sender
 * @param index the view, prepared for look-ups
 */
public record Query(
        MadAddress peer,
        byte[] mad,
        long mask,
        boolean isTrusted,
        boolean isUnbounded,
        int requester,
        ViewIndex index) {

    /**
     * Returns a copy with another GID.
     *
     * @param at byte offset in the MAD
     */
    public Query with(int at, Gid gid) {
        byte[] other = mad.clone();
        gid.write(other, at);
        return new Query(peer, other, mask, isTrusted, isUnbounded, requester, index);
    }

    /** Checks whether a component is given. */
    public boolean has(long bit) {
        return (mask & bit) != 0;
    }

    /** Returns the value of a field of at most 64 bits, given or not. */
    public int value(Field field) {
        return (int) field.get(mad, SaMad.DATA);
    }

    /**
     * Checks whether the requester may see an end port and its records: it shares a partition with it, or is
     * trusted. The only filter for all records (IBA 15.4.1.2).
     */
    public boolean maySee(int endport) {
        return isTrusted || sharesPartition(endport);
    }

    /**
     * Checks whether the requester may see the port with a GUID, which may be a virtual one, or what it offers.
     *
     * @param endport the end port with that GUID
     */
    public boolean maySee(int endport, long guid) {
        return maySee(endport, index.keys(endport, guid));
    }

    /**
     * Checks whether the requester may see an end port as an end of a path.
     *
     * @param keys keys of the port, or of the virtual port that the request names
     */
    public boolean maySee(int endport, PortKeys keys) {
        return isTrusted || shares(endport, keys);
    }

    /**
     * Checks whether the requester shares a partition with an end port, is it, or has unknown partitions.
     * Trust does not matter.
     */
    public boolean sharesPartition(int endport) {
        return shares(endport, index.keys(endport));
    }

    private boolean shares(int endport, PortKeys keys) {
        return endport == requester || keys.length() == 0 || index.sharesWith(requester, keys);
    }

    /** Checks whether the requester may see objects of a partition, such as a multicast group. */
    public boolean maySeePartition(int pKey) {
        return isTrusted || index.isIn(requester, pKey);
    }

    /** Returns the AttributeModifier of the request. */
    public int attributeModifier() {
        return MadHeader.attributeModifier(mad);
    }

    /** Returns the method of the request. */
    public int method() {
        return MadHeader.method(mad);
    }

    /** Checks whether one record is wanted, not a table. */
    public boolean isGet() {
        return MadHeader.method(mad) == Method.GET;
    }
}
