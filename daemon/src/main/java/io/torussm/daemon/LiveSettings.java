package io.torussm.daemon;

import io.torussm.daemon.config.PartitionFile;
import io.torussm.daemon.config.PrefixRoutesFile;
import io.torussm.daemon.config.QosPolicyFile;
import io.torussm.daemon.config.QosWarnings;
import io.torussm.daemon.config.RoutingFactory;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.StageSettings;
import io.torussm.deadlock.RoutingChain;
import io.torussm.mastership.MastershipDriver;
import io.torussm.partition.PartitionSettings;
import io.torussm.program.SweepSettings;
import io.torussm.qos.VlArbitrationPlan;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.report.EventReporter;
import io.torussm.routing.Plan;
import io.torussm.sa.PrefixRoutes;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.view.PublishedView;

/**
 * The options in force and the files that they name, as the parts of an SM ask for them. A part asks anew whenever it begins
 * something, and so takes what a reload changed. Any thread, except that files are read on the {@code sm} loop.
 */
final class LiveSettings {
    private final SmOptions.Keys keysAtStart;
    private final PartitionFile partitions = new PartitionFile(PartitionFile.DEFAULT_FILE);
    private final QosPolicyFile qosPolicy = new QosPolicyFile(QosPolicyFile.DEFAULT_FILE);
    private final PrefixRoutesFile prefixRoutes = new PrefixRoutesFile(PrefixRoutesFile.DEFAULT_FILE);
    private final QosWarnings qosWarnings = new QosWarnings();
    private volatile SmOptions options;

    LiveSettings(SmOptions options) {
        this.options = options;
        this.keysAtStart = options.keys();
    }

    /** The options in force. */
    SmOptions options() {
        return options;
    }

    /** Other options from now on. */
    void replace(SmOptions newOptions) {
        options = newOptions;
    }

    SweepSettings sweep() {
        return StageSettings.sweep(options);
    }

    /** The SM_Key and M_Key settings stay as they were at the start. */
    MastershipDriver.Settings mastership() {
        return StageSettings.mastership(options.mastership(), keysAtStart);
    }

    EventReporter.Settings reports() {
        return StageSettings.reports(options);
    }

    /** The engines, their files read anew. */
    RoutingChain routing() {
        return RoutingFactory.chain(options);
    }

    VlArbitrationPlan vlArbitration(Plan plan) {
        return VlArbitrationPlan.under(plan, options.qos());
    }

    /** Reads the file of partitions anew. */
    PartitionSettings partitions() {
        return partitions.settings(options);
    }

    /** The QoS policy before there is a subnet to judge it by. */
    QosPolicy unjudgedQosPolicy() {
        return qosPolicy.unjudged(options);
    }

    /** Reads the QoS policy anew and judges it by a subnet. */
    QosPolicy qosPolicy(PublishedView view) {
        return qosPolicy.policy(options, view);
    }

    QosPolicy qosPolicyInForce() {
        return qosPolicy.inForce();
    }

    /** Reads the file of prefix routes anew. */
    PrefixRoutes prefixRoutes() {
        return prefixRoutes.routes(options);
    }

    /** Logs what the QoS options and the routes in force do not agree about. */
    void warnOfQos(Plan plan) {
        qosWarnings.report(options.qos(), plan.engine().equals(Torus2QosEngine.NAME));
    }
}
