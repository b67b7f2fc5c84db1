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
 * The settings of the parts of an SM. A part reads its settings at the begin of each operation, so a reload takes
 * effect with the next operation. Most settings are in the options. A setting that is read from a file again, or
 * evaluated against a subnet, has a separate method.
 */
public interface SmSettings {
    /** Returns the effective options. */
    SmOptions options();

    /** Reads the files of the routing engines again and returns the engines; called on the {@code sm} loop. */
    RoutingChain routing();

    /** Reads the file of partitions again and returns the partitions; called on the {@code sm} loop. */
    PartitionSettings partitions();

    /** Reads the files of names again and returns the names of nodes and sites; called on the {@code sm} loop. */
    Names names();

    /** Returns the VL arbitration of a plan. */
    VlArbitrationPolicy vlArbitration(Plan plan);

    /** Returns the QoS policy without an evaluation, for the time before the first subnet is published. */
    QosPolicy uncheckedQosPolicy();

    /** Reads the file of the QoS policy again, evaluates it against a view, and returns the policy. */
    QosPolicy qosPolicy(PublishedView view);

    /** Reads the file of prefix routes again and returns the routes to other subnets. */
    PrefixRoutes prefixRoutes();

    /**
     * Stores a newly published view. Returns true if the next heavy sweep has to evaluate new partitions against the
     * view.
     */
    boolean published(PublishedView view);

    /** Logs contradictions between the QoS options and the active routes. */
    void warnOfQos(Plan plan);

    /** Returns priority, keys and time-outs of mastership. */
    default MastershipSettings mastership() {
        return options().mastership();
    }

    /** Returns the window, the time-out and the number of retries of requests. */
    default MadClient.Settings mads() {
        return options().mads();
    }

    /** Returns the interval of light sweeps. */
    default SweepPace pace() {
        return SweepPace.of(options());
    }

    /** Returns the settings of the reading of counters. */
    default PerfSettings perf() {
        return options().perf();
    }

    /** Returns the conditions for the isolation of cables that lose packets. */
    default SmOptions.Isolation isolation() {
        return options().isolation();
    }
}
