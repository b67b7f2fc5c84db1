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
 */
public record VirtualPort(
        int index,
        long guid,
        long nodeGuid,
        int state,
        int lid,
        @Nullable PortKeys keys) {
    /** The LID of a vport that requires one of its own, and has none. */
    public static final int NO_LID = VPortGuids.NO_LID;

    /** Creates a vport with the LID of its physical port. */
    public VirtualPort(int index, long guid, long nodeGuid, int state, @Nullable PortKeys keys) {
        this(index, guid, nodeGuid, state, 0, keys);
    }

    VirtualPort with(PortKeys others) {
        return new VirtualPort(index, guid, nodeGuid, state, lid, others);
    }

    VirtualPort withNode(long otherNodeGuid) {
        return new VirtualPort(index, guid, otherNodeGuid, state, lid, keys);
    }

    VirtualPort withState(int other) {
        return new VirtualPort(index, guid, nodeGuid, other, lid, keys);
    }

    VirtualPort withLid(int own) {
        return new VirtualPort(index, guid, nodeGuid, state, own, keys);
    }

    /** Checks whether it is ACTIVE. */
    public boolean isActive() {
        return state == PortInfo.STATE_ACTIVE;
    }
}
