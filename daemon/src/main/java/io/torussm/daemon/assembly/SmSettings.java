package io.torussm.daemon.assembly;

import io.torussm.daemon.config.SmOptions;
import io.torussm.deadlock.RoutingChain;
import io.torussm.mastership.MastershipDriver;
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
 * What the parts of an SM ask for whenever they begin something, so that what a reload changed takes effect then. The options
 * are the common answer; what is read from files anew, or judged by a subnet, has a method of its own.
 */
public interface SmSettings {
    /** The options in force. */
    SmOptions options();

    /** The engines, their files read anew; on the {@code sm} loop. */
    RoutingChain routing();

    /** The partitions, their file read anew; on the {@code sm} loop. */
    PartitionSettings partitions();

    /** Names of nodes and sites, their files read anew; on the {@code sm} loop. */
    Names names();

    /** The VL arbitration of a plan. */
    VlArbitrationPolicy vlArbitration(Plan plan);

    /** The QoS policy before there is a subnet to judge it by. */
    QosPolicy unjudgedQosPolicy();

    /** The QoS policy, its file read anew and judged by a subnet. */
    QosPolicy qosPolicy(PublishedView view);

    /** Routes to other subnets, their file read anew. */
    PrefixRoutes prefixRoutes();

    /** A subnet is up. Returns whether the partitions wait to be judged by it, with the next heavy sweep. */
    boolean published(PublishedView view);

    /** Logs what the QoS options and the routes in force do not agree about. */
    void warnOfQos(Plan plan);

    /** Priority, keys and time-outs of mastership. */
    default MastershipDriver.Settings mastership() {
        return options().mastership();
    }

    /** Windows, time-outs and retries of requests. */
    default MadClient.Settings mads() {
        return options().mads();
    }

    /** When light sweeps come. */
    default SweepPace pace() {
        return SweepPace.of(options());
    }

    /** How counters are read. */
    default PerfSettings perf() {
        return options().perf();
    }

    /** When cables that lose packets are isolated. */
    default SmOptions.Isolation isolation() {
        return options().isolation();
    }
}
