package io.torussm.daemon;

import io.torussm.daemon.assembly.SmSettings;
import io.torussm.daemon.assembly.SweepPace;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.RoutingFactory;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.mastership.MastershipSettings;
import io.torussm.mastership.Trust;
import io.torussm.names.Names;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.RunTimePartitionStore;
import io.torussm.partition.RunTimePartitions;
import io.torussm.paths.PrefixRoutes;
import io.torussm.qos.QosOptions;
import io.torussm.qos.VlArbitrationPlan;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.transport.MadClient;
import io.torussm.view.PublishedView;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the parts of an SM in tests on embedded fabrics: files are read again each time, and not
 * stored.
 */
public final class FabricSettings implements SmSettings {
    static final long SM_KEY = 0x5e;
    private static final SweepPace EVERY_TEN_SECONDS = new SweepPace(TimeUnit.SECONDS.toNanos(10), true, false);

    /** The options; a test may replace them before the next sweep. */
    SmOptions options;

    /** The contents of partitions.conf. */
    Supplier<PartitionConf> partitionFile = () -> PartitionConf.NONE;

    /** The isolation of cables; off unless a test changes it. */
    SmOptions.Isolation isolation = new SmOptions.Isolation(0, 600, 0, 2, 3600);

    int priority;
    Trust trust = new Trust(SM_KEY, Set.of(), Set.of());

    @Nullable
    RunTimePartitionStore addedMembers;

    /** Creates the settings of an SM with a priority. */
    public FabricSettings(SmOptions options, int priority) {
        this.options = options;
        this.priority = priority;
    }

    @Override
    public SmOptions options() {
        return options;
    }

    @Override
    public RoutingChain routing() {
        return RoutingFactory.chain(options);
    }

    @Override
    public PartitionSettings partitions() {
        return options.partitions()
                .with(partitionFile.get())
                .with(
                        addedMembers == null ? RunTimePartitions.NONE : addedMembers.current(),
                        options.routing().qos());
    }

    @Override
    public Names names() {
        return Names.NONE;
    }

    @Override
    public VlArbitrationPolicy vlArbitration(Plan plan) {
        return VlArbitrationPlan.forRouting(plan, QosOptions.NONE);
    }

    @Override
    public QosPolicy uncheckedQosPolicy() {
        return QosPolicy.NONE;
    }

    @Override
    public QosPolicy qosPolicy(PublishedView subnet) {
        return QosPolicy.NONE;
    }

    @Override
    public PrefixRoutes prefixRoutes() {
        return PrefixRoutes.NONE;
    }

    @Override
    public boolean published(PublishedView subnet) {
        return false;
    }

    @Override
    public void warnOfQos(Plan plan) {}

    @Override
    public SmOptions.Isolation isolation() {
        return isolation;
    }

    @Override
    public SweepPace pace() {
        return EVERY_TEN_SECONDS;
    }

    @Override
    public MadClient.Settings mads() {
        return new MadClient.Settings(64, 4, 200, 3);
    }

    @Override
    public MastershipSettings mastership() {
        return new MastershipSettings(priority, 1000, 2, 30, options.sweep().mKeyProtectBits(), trust, false);
    }
}
