package io.torussm.vport;

import io.torussm.mad.smp.PortInfo;

/**
 * A vport as its device reported it last.
 *
 * @param index on its physical port
 * @param guid PortGUID
 * @param nodeGuid GUID of the virtual node; 0 if unknown
 * @param state PortState
 */
public record VirtualPort(int index, long guid, long nodeGuid, int state) {
    /** Checks whether it is ACTIVE. */
    public boolean isActive() {
        return state == PortInfo.STATE_ACTIVE;
    }
}
