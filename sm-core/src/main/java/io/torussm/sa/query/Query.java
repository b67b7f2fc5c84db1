package io.torussm.sa.query;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.SaMad;
import io.torussm.partition.PortKeys;
import io.torussm.transport.MadAddress;

/**
 * A request to the SA, and the view for its answer.
 *
 * @param peer sender
 * @param mad bytes of the whole request, from the MAD header
 * @param mask component mask
 * @param isTrusted whether the request carried the SM_Key
 * @param isUnbounded whether the request is trusted and the SM_Key is secret, so that the share of a port in common
 *     resources is not limited
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
     * Returns a copy with another GID in the MAD.
     *
     * @param at byte offset of the GID in the MAD
     */
    public Query with(int at, Gid gid) {
        byte[] changedMad = mad.clone();
        gid.write(changedMad, at);
        return new Query(peer, changedMad, mask, isTrusted, isUnbounded, requester, index);
    }

    /** Checks whether the request contains the component with a bit of the component mask. */
    public boolean has(long bit) {
        return (mask & bit) != 0;
    }

    /** Returns the lower 32 bits of a field of at most 64 bits, also if the component mask excludes it. */
    public int value(Field field) {
        return (int) field.get(mad, SaMad.DATA_OFFSET);
    }

    /**
     * Checks whether the requester may see an end port and its records: the requester is trusted, or shares a partition
     * with the end port. All records use this filter (IBA 15.4.1.2).
     *
     * @param endport port index
     */
    public boolean maySee(int endport) {
        return isTrusted || sharesPartition(endport);
    }

    /**
     * Checks whether the requester may see a port, or a virtual port, by its GUID.
     *
     * @param endport index of the end port that has the GUID, or whose virtual port has it
     */
    public boolean maySee(int endport, long guid) {
        return maySee(endport, index.keys(endport, guid));
    }

    /**
     * Checks whether the requester may see an end port as an end of a path.
     *
     * @param endport port index
     * @param keys P_Keys of the port, or of the virtual port that the request names
     */
    public boolean maySee(int endport, PortKeys keys) {
        return isTrusted || shares(endport, keys);
    }

    /**
     * Checks whether the requester is an end port, or shares a partition with it. True if the partitions of the end
     * port are unknown. Trust is ignored.
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

    /** Checks whether the method is Get, which requests one record, not a table. */
    public boolean isGet() {
        return MadHeader.method(mad) == Method.GET;
    }
}
