package io.torussm.vport;

import io.torussm.alias.VPortGuids;
import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.PortKeys;
import org.jspecify.annotations.Nullable;

/**
 * A vport as its device reported it last.
 *
 * @param index on its physical port
 * @param guid PortGUID
 * @param nodeGuid GUID of the virtual node; 0 if unknown
 * @param state PortState
 * @param lid LID of its own; 0 if it has that of its physical port; {@link #NO_LID} if it requires one and has none
 * @param keys P_Key table; null if it is not managed
 * @param description VNodeDescription of the virtual node; null until it is read, empty if there is none
 */
public record VirtualPort(
        int index,
        long guid,
        long nodeGuid,
        int state,
        int lid,
        @Nullable PortKeys keys,
        @Nullable String description) {
    /** The LID of a vport that requires one of its own, and has none. */
    public static final int NO_LID = VPortGuids.NO_LID;

    /** Creates a vport with the LID of its physical port. */
    public VirtualPort(int index, long guid, long nodeGuid, int state, @Nullable PortKeys keys) {
        this(index, guid, nodeGuid, state, 0, keys, null);
    }

    /** Returns a copy with a description; null if it is to be read. */
    public VirtualPort withDescription(@Nullable String text) {
        return new VirtualPort(index, guid, nodeGuid, state, lid, keys, text);
    }

    VirtualPort with(PortKeys others) {
        return new VirtualPort(index, guid, nodeGuid, state, lid, others, description);
    }

    VirtualPort withNode(long otherNodeGuid) {
        return new VirtualPort(index, guid, otherNodeGuid, state, lid, keys, description);
    }

    VirtualPort withState(int other) {
        return new VirtualPort(index, guid, nodeGuid, other, lid, keys, description);
    }

    VirtualPort withLid(int own) {
        return new VirtualPort(index, guid, nodeGuid, state, own, keys, description);
    }

    /** Returns the description for people; empty if it is unknown, or there is none. */
    public String name() {
        return description == null ? "" : description;
    }

    /** Checks whether it is the physical function: its virtual node is the physical one. */
    boolean isPhysical(long portGuid) {
        return index == 0 || guid == portGuid;
    }

    /** Checks whether it is ACTIVE. */
    public boolean isActive() {
        return state == PortInfo.STATE_ACTIVE;
    }
}
