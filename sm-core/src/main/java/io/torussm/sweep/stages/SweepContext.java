package io.torussm.sweep.stages;

import io.torussm.alias.AliasGuids;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.event.log.EventLog;
import io.torussm.multicast.MembershipService;
import io.torussm.names.Names;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.RunTimePartitionStore;
import io.torussm.program.smp.SweepSettings;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.idle.DriftWatch;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.sweep.state.SweepListener;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.view.CableHistory;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The environment of sweeps: the parts of the SM that all sweeps share.
 *
 * @param pool executor of routing and proofs
 * @param settings read for every sweep
 * @param routing read for every heavy sweep, so that files are read again
 * @param partitions read for every heavy sweep, so that the file is read again
 * @param names read for every heavy sweep, so that the files are read again
 * @param vlArbitration read for every plan
 * @param driftPace rate of the read-back of devices; read on each use
 * @param memory memory of LIDs and other state that outlives the process
 * @param cables history of changes of cables
 * @param memberships memberships of multicast groups; the sweeper is notified of changes
 * @param added members that were added to partitions at run time
 * @param maxPartitionChange max share of end ports, in percent, that may lose a P_Key by a change at run time without
 *     confirmation
 * @param remembered the view of the last master
 * @param aliases alias GUIDs, which are written to ports besides their PortGUIDs; the sweeper is notified of changes
 * @param listener receives the events of sweeps
 */
public record SweepContext(
        MadClient client,
        Loop loop,
        Executor pool,
        Supplier<SweepSettings> settings,
        Supplier<RoutingChain> routing,
        Supplier<PartitionSettings> partitions,
        Supplier<Names> names,
        Function<Plan, VlArbitrationPolicy> vlArbitration,
        Supplier<DriftWatch.Pace> driftPace,
        SubnetMemory memory,
        CableHistory cables,
        MembershipService memberships,
        RunTimePartitionStore added,
        IntSupplier maxPartitionChange,
        RememberedView remembered,
        AliasGuids aliases,
        SweepListener listener) {
    private static final EventLog EVENTS = EventLog.of(SweepContext.class);

    /** Reports changes of the fabric to the log and to the listener. */
    public void changed(List<Finding> changes) {
        if (!changes.isEmpty()) {
            changes.forEach(EVENTS::report);
            listener.accept(new SweepEvent.FabricChanged(changes));
        }
    }
}
