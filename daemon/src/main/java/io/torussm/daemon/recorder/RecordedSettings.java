package io.torussm.daemon.recorder;

import io.torussm.daemon.assembly.SmSettings;
import io.torussm.daemon.assembly.SweepPace;
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

/** Settings whose files are recorded before they are read, if their contents have changed. */
final class RecordedSettings implements SmSettings {
    private final SmSettings inner;
    private final SmRecorder recorder;

    RecordedSettings(SmSettings inner, SmRecorder recorder) {
        this.inner = inner;
        this.recorder = recorder;
    }

    @Override
    public SmOptions options() {
        return inner.options();
    }

    @Override
    public RoutingChain routing() {
        recorder.recordFiles(inner.options());
        return inner.routing();
    }

    @Override
    public PartitionSettings partitions() {
        recorder.recordFiles(inner.options());
        return inner.partitions();
    }

    @Override
    public Names names() {
        return inner.names();
    }

    @Override
    public VlArbitrationPolicy vlArbitration(Plan plan) {
        return inner.vlArbitration(plan);
    }

    @Override
    public QosPolicy uncheckedQosPolicy() {
        return inner.uncheckedQosPolicy();
    }

    @Override
    public QosPolicy qosPolicy(PublishedView view) {
        recorder.recordFiles(inner.options());
        return inner.qosPolicy(view);
    }

    @Override
    public PrefixRoutes prefixRoutes() {
        return inner.prefixRoutes();
    }

    @Override
    public boolean published(PublishedView view) {
        return inner.published(view);
    }

    @Override
    public void warnOfQos(Plan plan) {
        inner.warnOfQos(plan);
    }

    @Override
    public MastershipSettings mastership() {
        return inner.mastership();
    }

    @Override
    public MadClient.Settings mads() {
        return inner.mads();
    }

    @Override
    public SweepPace pace() {
        return inner.pace();
    }

    @Override
    public PerfSettings perf() {
        return inner.perf();
    }

    @Override
    public SmOptions.Isolation isolation() {
        return inner.isolation();
    }
}
