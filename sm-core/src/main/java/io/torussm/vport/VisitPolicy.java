package io.torussm.vport;

import io.torussm.mad.vport.VPortInfo;
import io.torussm.partition.VPortKeys;
import io.torussm.vport.VPortLidClaims.LidGrant;
import io.torussm.vport.condition.FlappingVPorts.Admission;

/**
 * The decisions of the manager that a visit needs about the vport that it has reached. They are not part of the
 * {@link VisitTarget}, since visits of other ports, settings and partitions change them while a visit lasts.
 */
interface VisitPolicy {
    /** Returns the mode by {@code virt_enabled}. */
    VPortMode mode();

    /** Returns the P_Keys of vports. */
    VPortKeys keys();

    /**
     * Claims a GUID for a vport of a visited port. Returns the reason why another port keeps the GUID; empty if it is
     * free. If the other port may have lost it, that port is visited, and this one again afterwards.
     */
    String claimGuid(VisitTarget target, int vport, long guid);

    /** Decides about a vport that has come, or is not ACTIVE any more: one that comes and goes has to wait. */
    Admission admit(VisitTarget target, VirtualPort vport);

    /** Returns the LID of a vport that requires one of its own. */
    LidGrant claimLid(VisitTarget target, long guid, VPortInfo reported);

    /** Notes that a vport requires no LID of its own. */
    void releaseLid(VisitTarget target, long guid);

    /** Checks whether a LID is that of a port, so that no vport may have it. */
    boolean isLidOfPort(int lid);

    /** Checks whether a vport has the LID that it is to have. */
    boolean isLidRight(VisitTarget target, VirtualPort vport);
}
