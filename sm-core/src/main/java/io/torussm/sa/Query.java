package io.torussm.sa;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.SaMad;
import io.torussm.partition.PortKeys;
import io.torussm.transport.MadAddress;

/**
 * One request and the view that it is answered from.
 *
 * @param peer whence it came
 * @param mad the request, whole
 * @param mask its component mask
 * @param isTrusted whether it carried the SM_Key
 * @param requester port index of who asks
 * @param index the view, prepared for look-ups
 */
record Query(MadAddress peer, byte[] mad, long mask, boolean isTrusted, int requester, ViewIndex index) {

    /** Whether a component is given. */
    boolean has(long bit) {
        return (mask & bit) != 0;
    }

    /** The value of a field of at most 64 bits, given or not. */
    int value(Field field) {
        return (int) field.get(mad, SaMad.DATA);
    }

    /**
     * The GID that an answer names a port by: the one that the request names it by, which may have an alias GUID, if it
     * does; else the port's own.
     *
     * @param bit of the component that is the GID
     * @param at byte offset of the GID in the record
     */
    Gid gid(long bit, int at, int port) {
        long guid = has(bit)
                ? Gid.read(mad, SaMad.DATA + at).guid()
                : index.fabric().portGuid(port);
        return new Gid(index.subnet().gidPrefix(), guid);
    }

    /**
     * Whether the requester may be told of an end port, or of what belongs to one: it shares a partition with it, or is
     * trusted. The one filter for all records (IBA 15.4.1.2).
     */
    boolean maySee(int endport) {
        return isTrusted || sharesPartition(endport);
    }

    /** Whether the requester shares a partition with an end port, is it, or nobody knows its partitions; trusted or not. */
    boolean sharesPartition(int endport) {
        PortKeys keys = index.keys(endport);
        return endport == requester
                || keys.length() == 0
                || index.keys(requester).sharesWith(keys);
    }

    /** Whether the requester may be told of what belongs to a partition, such as a multicast group. */
    boolean maySeePartition(int pKey) {
        return isTrusted || index.keys(requester).isIn(pKey);
    }

    int attributeModifier() {
        return MadHeader.attributeModifier(mad);
    }

    /** Whether one record is wanted, not a table. */
    boolean isGet() {
        return MadHeader.method(mad) == Method.GET;
    }
}
