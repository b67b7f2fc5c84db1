package io.torussm.daemon.assembly;

import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.program.port.AdaptiveRoutingWatch;
import io.torussm.registration.SaDatabase;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.Sweeper;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.view.PublishedView;
import io.torussm.vport.VPortManager;
import io.torussm.vport.VPortManager.RoutingStart;

/**
 * The watch for adaptive routing and the manager of virtual ports, which send requests to devices after each sweep.
 * Owner thread: {@code sm}.
 */
public final class DeviceWatches {
    private final AdaptiveRoutingWatch adaptiveRouting;
    private final VPortManager vports;

    DeviceWatches(
            MadClient client,
            Loop loop,
            SmSettings settings,
            Sweeper sweeper,
            SaDatabase database,
            SubnetMemory memory) {
        adaptiveRouting = new AdaptiveRoutingWatch(client);
        vports =
                new VPortManager(client, loop, () -> settings.options().sweeps().virtEnabled());
        vports.assignLids(memory.lids(), memory.vportLids(), () -> routeIfResting(sweeper));
        sweeper.traps().whenVPortsChange(vports::onVPortTrap);
        sweeper.traps().whenVPortNamesChange(vports::onVPortNameTrap);
        vports.programSwitchesBy((ports, then) -> sweeper.changePartitions(
                new RunTimeChange.Request(new RunTimeChange.Reprogram(ports), "virtual ports", true),
                outcome -> then.accept(outcome.kind() == RunTimeOutcome.ChangeStatus.DONE)));
        database.registrations().aliases().setVPorts(vports.table());
        vports.whenVPortsMove(database.registrations().memberships()::onGuidsMove);
    }

    private static RoutingStart routeIfResting(Sweeper sweeper) {
        if (sweeper.isSuspended()) {
            return RoutingStart.SUSPENDED;
        } else if (!sweeper.isResting()) {
            return RoutingStart.BUSY;
        }
        sweeper.reroute();
        return RoutingStart.BEGUN;
    }

    /** Returns the watch for adaptive routing in switches. */
    public AdaptiveRoutingWatch adaptiveRouting() {
        return adaptiveRouting;
    }

    /** Returns the manager of virtual ports. */
    public VPortManager vports() {
        return vports;
    }

    /**
     * Sends requests to the devices of a newly published subnet.
     *
     * @param isRead whether its sweep has read devices; if not, only those with news are asked
     */
    void published(PublishedView published, boolean isRead) {
        adaptiveRouting.update(published.subnet().fabric());
        if (isRead) {
            vports.visitPorts(published.subnet(), published.partitions());
        } else {
            vports.visitChangedPorts(published.subnet(), published.partitions());
        }
    }

    /** Applies the partitions of a view that a change at run time has published. */
    void repartitioned(PublishedView published) {
        vports.repartitioned(published.partitions());
    }

    /** Discards the state of all devices, because this SM is not master any more. */
    void forget() {
        adaptiveRouting.forget();
        vports.forget();
    }
}
