package io.torussm.vport;

import io.torussm.mad.Guid;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.partition.VPortKeys;
import io.torussm.vport.VPortLidClaims.LidGrant;
import io.torussm.vport.condition.FlappingVPorts;
import io.torussm.vport.condition.FlappingVPorts.Admission;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The decisions for visits in progress, by what is known of all ports. Owner thread: the loop. */
final class VisitDecisions implements VisitPolicy {
    private final IntSupplier virtEnabled;
    private final VPortPartitions partitions;
    private final PublishedPorts ports;
    private final VPortTable table;
    private final VisitScheduler scheduler;
    private final ContestedGuids contested;
    private final FlappingVPorts flapping;

    /** The LIDs of vports; null if none are assigned. */
    private @Nullable VPortLidClaims lids;

    VisitDecisions(
            IntSupplier virtEnabled,
            VPortPartitions partitions,
            PublishedPorts ports,
            VPortTable table,
            VisitScheduler scheduler,
            ContestedGuids contested,
            FlappingVPorts flapping) {
        this.virtEnabled = virtEnabled;
        this.partitions = partitions;
        this.ports = ports;
        this.table = table;
        this.scheduler = scheduler;
        this.contested = contested;
        this.flapping = flapping;
    }

    /** Gives vports that require it a LID of their own. */
    void assignLids(VPortLidClaims claims) {
        lids = claims;
    }

    @Override
    public VPortMode mode() {
        return VPortMode.of(virtEnabled.getAsInt());
    }

    @Override
    public VPortKeys keys() {
        return partitions.keys();
    }

    /**
     * {@inheritDoc} In the middle of a migration the old place has the GUID until it is visited, so that is done
     * before the GUID counts as a duplicate. An old place that cannot be read must not block the new one.
     */
    @Override
    public String claimGuid(VisitTarget target, int vport, long guid) {
        long owner = table.portOf(guid);
        if (guid != target.portGuid() && ports.contains(guid)) {
            return "vport " + vport + " has the GUID of a port, " + Guid.format(guid);
        } else if (owner == 0 || owner == target.portGuid()) {
            return "";
        } else if (scheduler.isSilent(owner) || table.history().isUnread(owner)) {
            table.remove(owner, guid);
            return "";
        }
        contested.contest(target.portGuid(), guid, owner);
        return "vport " + vport + " has the GUID of a vport of port " + Guid.format(owner);
    }

    /** {@inheritDoc} Vports of a port that is read for the first time have not just come. */
    @Override
    public Admission admit(VisitTarget target, VirtualPort vport) {
        boolean isFirstReading = !table.isKnown(target.portGuid());
        return isFirstReading
                ? Admission.NOW
                : flapping.admit(target.portGuid(), vport.guid(), () -> nameOf(target, vport));
    }

    private String nameOf(VisitTarget target, VirtualPort vport) {
        String description = table.lastName(target.portGuid(), vport.guid());
        return "vport " + vport.index() + (description.isEmpty() ? "" : " \"" + description + '"');
    }

    @Override
    public LidGrant claimLid(VisitTarget target, long guid, VPortInfo reported) {
        return lids == null ? new LidGrant(0, "none are assigned") : lids.claim(target.portGuid(), guid, reported);
    }

    @Override
    public void releaseLid(VisitTarget target, long guid) {
        if (lids != null) {
            lids.release(target.portGuid(), guid);
        }
    }

    @Override
    public boolean isLidOfPort(int lid) {
        return ports.isLidOfPort(lid);
    }

    @Override
    public boolean isLidRight(VisitTarget target, VirtualPort vport) {
        return lids == null || lids.isRight(target.portGuid(), vport);
    }
}
