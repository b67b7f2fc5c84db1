package io.torussm.vport;

import io.torussm.partition.VPortKeys;
import io.torussm.vport.PublishedPorts.PhysicalPort;
import io.torussm.vport.VPortSetup.WaitingVPort;
import java.util.List;

/**
 * A physical port to be visited, with the knowledge about it at the begin of the visit.
 *
 * @param known vports that the previous visit left, ascending by index
 * @param isBrief whether these are right unless the device reports VPortStateChange, so that one Get suffices
 * @param isReregistrationDue whether clients on the vports are to register again, since another SM served them before
 * @param keys P_Keys of vports; if others are effective at the end, some vports may have got these
 * @param start first vport of the visit
 * @param waiting vports that waited for a LID at the previous visit, if nothing suggests that they have changed
 */
record VisitTarget(
        PhysicalPort port,
        List<VirtualPort> known,
        boolean isBrief,
        boolean isReregistrationDue,
        VPortKeys keys,
        VisitStart start,
        List<WaitingVPort> waiting) {
    long portGuid() {
        return port.guid();
    }

    /** Returns the NodeGUID of the device, whose ports have the same capabilities. */
    long nodeGuid() {
        return port.nodeGuid();
    }
}
