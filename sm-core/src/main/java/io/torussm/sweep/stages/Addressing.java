package io.torussm.sweep.stages;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.program.smp.SweepSettings;
import io.torussm.quarantine.Admission;
import io.torussm.subnet.LidAssigner;
import io.torussm.subnet.LidReach;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLidStore;
import io.torussm.sweep.state.SweepState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The step of planning that selects the devices of the subnet, and the LID of each port. If no LID is left
 * for a port, the port is excluded, and the LIDs of all others are assigned. Owner thread: the loop.
 */
final class Addressing {
    private static final EventLog EVENTS = EventLog.of(Addressing.class);

    private final DeviceFaults faults;
    private final SweepSettings settings;
    private final LidStore lidStore;
    private final VPortLidStore vportLids;

    /**
     * The devices of the subnet, with their LIDs.
     *
     * @param admitted the admitted devices, and the borders to excluded ones
     * @param subnet subnet with LIDs; null if LIDs cannot be assigned
     * @param problem the reason why there is no subnet; empty if there is one
     */
    record AddressedSubnet(Admission admitted, @Nullable Subnet subnet, String problem) {}

    /**
     * Creates the step.
     *
     * @param stored LIDs of present and absent ports
     * @param vports LIDs of virtual ports
     */
    Addressing(DeviceFaults faults, SweepSettings settings, LidStore stored, VPortLidStore vports) {
        this.faults = faults;
        this.settings = settings;
        this.lidStore = stored;
        this.vportLids = vports;
    }

    /**
     * Assigns LIDs to the ports of a discovered fabric.
     *
     * @param isWhole whether the whole fabric was read
     * @param known the state with the discovery of this sweep
     */
    AddressedSubnet address(Fabric found, boolean isWhole, SweepState known) {
        LidAssigner.KnownLids memory = new LidAssigner.KnownLids(
                lidStore.lids(), known.view() != null, lidStore.lidsOutsideOf(found), vportLids.lids());
        boolean reassigns = settings.reassignLids()
                && known.subnet() == null
                && !known.openWork().isTakingOver();
        Admission admitted = faults.quarantine().admit(found, isWhole, List.of());
        LidAssigner.AssignedLids result = assign(admitted.fabric(), memory, reassigns);
        if (!result.unaddressed().isEmpty() && !memory.vports().isEmpty()) {
            memory = memory.withoutVPorts(); // rather a virtual port without a LID than a port
            result = assign(admitted.fabric(), memory, reassigns);
        }
        List<Finding> findings = new ArrayList<>();
        if (!result.unaddressed().isEmpty()) {
            List<NodePort> unaddressed = new ArrayList<>();
            for (int port : result.unaddressed()) {
                Fabric admittedFabric = admitted.fabric();
                unaddressed.add(admittedFabric.nodePort(port));
                findings.add(SmEvent.NO_LID_LEFT.finding(
                        admittedFabric.devicePort(port), " is left out, since no LID is left: " + result.shortage()));
            }
            admitted = faults.quarantine().admit(found, isWhole, unaddressed);
            result = assign(admitted.fabric(), memory, reassigns);
        }
        Subnet subnet =
                result.subnet().map(assigned -> assigned.with(vportLids.lids())).orElse(null);
        if (subnet != null) {
            result.changes().forEach(change -> EVENTS.report(SmEvent.LID_CHANGED.finding(change)));
            findings.addAll(result.restored());
            findings.addAll(LidReach.outliers(subnet));
            faults.lids().update(findings);
        }
        return new AddressedSubnet(admitted, subnet, result.problem());
    }

    private LidAssigner.AssignedLids assign(Fabric fabric, LidAssigner.KnownLids memory, boolean reassigns) {
        return LidAssigner.assign(fabric, memory, settings.lmc(), settings.lmcEsp0(), reassigns, settings.gidPrefix());
    }
}
