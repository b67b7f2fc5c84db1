package io.torussm.daemon.assembly;

import io.torussm.daemon.config.SmOptions;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.mastership.MastershipSettings;
import io.torussm.names.Names;
import io.torussm.partition.PartitionSettings;
import io.torussm.paths.PrefixRoutes;
import io.torussm.perf.PerfSettings;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.transport.MadClient;
import io.torussm.view.PublishedView;

/**
 * The settings of the parts of an SM. A part reads them whenever it begins an operation, so a reload takes
 * effect then. Most settings are in the options. Settings that are read from files again, or evaluated by a
 * subnet, have methods of their own.
 */
public interface SmSettings {
    /** Returns the effective options. */
    SmOptions options();

    /** Returns the engines, with their files read again; on the {@code sm} loop. */
    RoutingChain routing();

    /** Returns the partitions, with their file read again; on the {@code sm} loop. */
    PartitionSettings partitions();

    /** Returns names of nodes and sites, with their files read again; on the {@code sm} loop. */
    Names names();

    /** Returns the VL arbitration of a plan. */
    VlArbitrationPolicy vlArbitration(Plan plan);

    /** Returns the QoS policy before there is a subnet to evaluate it by. */
    QosPolicy uncheckedQosPolicy();

    /** Returns the QoS policy, with its file read again and evaluated by a subnet. */
    QosPolicy qosPolicy(PublishedView view);

    /** Returns routes to other subnets, with their file read again. */
    PrefixRoutes prefixRoutes();

    /**
     * Takes note of a published subnet. Returns true if the partitions wait for an evaluation by it, with the
     * next heavy sweep.
     */
    boolean published(PublishedView view);

    /** Logs contradictions between the QoS options and the active routes. */
    void warnOfQos(Plan plan);

    /** Returns priority, keys and time-outs of mastership. */
    default MastershipSettings mastership() {
        return options().mastership();
    }

    /** Returns windows, time-outs and retries of requests. */
    default MadClient.Settings mads() {
        return options().mads();
    }

    /** Returns when light sweeps come. */
    default SweepPace pace() {
        return SweepPace.of(options());
    }

    /** Returns how counters are read. */
    default PerfSettings perf() {
        return options().perf();
    }

    /** Returns when cables that lose packets are isolated. */
    default SmOptions.Isolation isolation() {
        return options().isolation();
    }
}
