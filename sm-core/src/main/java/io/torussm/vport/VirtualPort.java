package io.torussm.vport;

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
 * @param keys P_Key table; null if it is not managed
 */
public record VirtualPort(
        int index,
        long guid,
        long nodeGuid,
        int state,
        @Nullable PortKeys keys) {
    VirtualPort with(PortKeys others) {
        return new VirtualPort(index, guid, nodeGuid, state, others);
    }

    VirtualPort withNode(long otherNodeGuid) {
        return new VirtualPort(index, guid, otherNodeGuid, state, keys);
    }

    VirtualPort withState(int other) {
        return new VirtualPort(index, guid, nodeGuid, other, keys);
    }

    /** Checks whether it is ACTIVE. */
    public boolean isActive() {
        return state == PortInfo.STATE_ACTIVE;
    }
}
