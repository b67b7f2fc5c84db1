package io.torussm.sweep;

import io.torussm.alias.AliasGuids;
import io.torussm.deadlock.RoutingChain;
import io.torussm.multicast.MembershipService;
import io.torussm.names.Names;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.RunTimePartitionStore;
import io.torussm.program.SweepSettings;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.view.CableHistory;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * What sweeps are made with.
 *
 * @param pool where routes are computed and proved
 * @param settings asked anew for every sweep
 * @param routing asked anew for every heavy sweep, so that files are read again
 * @param partitions asked anew for every heavy sweep, so that the file is read again
 * @param names asked anew for every heavy sweep, so that the files are read again
 * @param vlArbitration asked anew for every plan
 * @param driftPace how fast what devices hold is read back; asked anew all the time
 * @param memory of addresses and whatever else outlives the process
 * @param cables when they went down; what it has was reported
 * @param memberships of multicast groups; the sweeper hears of their changes
 * @param added members that were added to partitions at run time
 * @param maxPartitionChange percent of end ports that a change at run time may take P_Keys from without being meant to
 * @param aliases GUIDs that are written to ports besides their own; the sweeper hears of their changes
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
        AliasGuids aliases,
        SweepListener listener) {}
