package io.torussm.daemon.shadow.service;

import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.control.Adoption;
import io.torussm.daemon.control.PartitionPreview;
import io.torussm.daemon.control.PassiveObserver;
import io.torussm.daemon.control.RecordingAnswer;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.journal.SweepHistory;
import io.torussm.daemon.log.LogSetup;
import io.torussm.daemon.shadow.ShadowDriver;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.Version;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.history.ChangeHistory;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.multicast.MulticastView;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimePartitions;
import io.torussm.routing.RoutingOptions;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Drains;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.capture.MadTap;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The control of a shadow for operators. It provides the report, publishes no subnet, and rejects all changes.
 * Thread-safe.
 */
final class ShadowControl extends PassiveObserver implements SmControl {
    private static final EventLog EVENTS = EventLog.of(ShadowControl.class);
    private static final String SHADOW_REFUSAL = "this process only looks (--shadow) and changes nothing";

    private final LiveSettings settings;
    private final SubnetManagerService.Host host;
    private final MadTap tap;
    private final Loop sm;
    private final SweepHistory history = new SweepHistory();
    private final Adoption adoption;

    /** Driver with the report; null before the start. */
    private volatile @Nullable ShadowDriver driver;

    /**
     * Creates a control without a report.
     *
     * @param tap tap of the MADs of the port
     * @param state state directory that stores nothing
     * @param disk loop of the history
     * @param sm loop of the shadow
     */
    ShadowControl(
            LiveSettings settings,
            SubnetManagerService.Host host,
            MadTap tap,
            StateDirectory state,
            Loop disk,
            Loop sm) {
        super(state, disk, new ChangeHistory.Settings(1, 1 << 20));
        this.settings = settings;
        this.host = host;
        this.tap = tap;
        this.sm = sm;
        adoption = new ShadowAdoption(this, host, sm, settings.options().files().stateDir());
    }

    /** Sets the driver that creates the reports. */
    void setDriver(ShadowDriver newDriver) {
        driver = newDriver;
    }

    /** Passes a received SA MAD to the driver, if there is one. */
    void received(MadFrame frame) {
        ShadowDriver current = driver;
        if (current != null) {
            current.received(frame);
        }
    }

    @Override
    public Adoption adoption() {
        return adoption;
    }

    @Override
    public boolean isShadow() {
        return true;
    }

    @Override
    public @Nullable ShadowReport shadow() {
        ShadowDriver current = driver;
        return current == null ? null : current.report();
    }

    @Override
    public @Nullable PublishedView view() {
        return null;
    }

    @Override
    public FabricState state() {
        return FabricState.NOTHING;
    }

    @Override
    public RoutingOptions routingOptions() {
        return settings.options().sweep().routingOptions();
    }

    @Override
    public RoutingChain routing() {
        return settings.routingPreview();
    }

    @Override
    public Journal journal() {
        return host.journal();
    }

    @Override
    public String version() {
        return Version.TEXT;
    }

    @Override
    public void runOnSmLoop(Runnable task) {
        sm.execute(task);
    }

    @Override
    public MulticastView multicast() {
        return MulticastView.EMPTY;
    }

    @Override
    public SweepHistory history() {
        return history;
    }

    @Override
    public Qos qos() {
        return new Qos(settings.options().routing().qos(), settings.options().qos(), settings.effectiveQosPolicy());
    }

    /** Starts a reading of the fabric instead of a heavy sweep. */
    @Override
    public void requestSweep(boolean isHeavy, Consumer<SweepHistory.Sweep> ended) {
        sm.execute(() -> {
            ShadowDriver current = driver;
            if (isHeavy && current != null) {
                current.readSoon();
            }
            ended.accept(givenUp());
        });
    }

    private static SweepHistory.Sweep givenUp() {
        return new SweepHistory.Sweep(Instant.now(), SweepHistory.GIVEN_UP, SHADOW_REFUSAL, List.of(), 0);
    }

    @Override
    public void requestReroute(Consumer<SweepHistory.Sweep> ended) {
        sm.execute(() -> ended.accept(givenUp()));
    }

    @Override
    public List<String> certificateRemarks() {
        return List.of();
    }

    @Override
    public RoutingChain routingPreview() {
        return settings.routingPreview();
    }

    @Override
    public @Nullable PartitionPreview partitionPreview() {
        return null;
    }

    @Override
    public void applyPartitions() {}

    @Override
    public RunTimePartitions runTimePartitions() {
        return RunTimePartitions.NONE;
    }

    @Override
    public CompletableFuture<RunTimeOutcome> changePartitions(RunTimeChange.Request request) {
        return CompletableFuture.completedFuture(new RunTimeOutcome(RunTimeOutcome.ChangeStatus.ENDED, SHADOW_REFUSAL));
    }

    @Override
    public void requestBounce(long nodeGuid, int portNum) {}

    @Override
    public CompletableFuture<String> requestDrain(Drains.Drain drain, List<Drains.Drain> judged) {
        return CompletableFuture.completedFuture(SHADOW_REFUSAL);
    }

    @Override
    public void requestUndrain(Drains.Drain drain) {}

    @Override
    public void requestReadBack(long nodeGuid) {}

    @Override
    public void readCongestion() {}

    @Override
    public void restartCounters(String name, long nodeGuid, int portNum) {}

    @Override
    public void suspendSweeps(boolean isWanted) {}

    @Override
    public void setPriority(int priority) {}

    @Override
    public CompletableFuture<Boolean> setExpectedFabric(ExpectedFabric wanted) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public Keys keys() {
        return new Keys(
                KeyOrigin.NONE, KeyOrigin.NONE, null, settings.options().sweep().mKey());
    }

    @Override
    public Future<String> changeKeys(boolean isWanted) {
        return CompletableFuture.completedFuture(SHADOW_REFUSAL);
    }

    @Override
    public MadTap tap() {
        return tap;
    }

    @Override
    public @Nullable Path dumpDir() {
        return settings.options().files().dumpDir();
    }

    @Override
    public Future<RecordingAnswer> writeRecording(String name) {
        return CompletableFuture.completedFuture(RecordingAnswer.failed(
                "a shadow decides nothing, and has no flight recorder; torus-smctl capture shows its MADs"));
    }

    @Override
    public Future<Boolean> writeDumps() {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public String logLevel() {
        return LogSetup.level();
    }

    @Override
    public void setLogLevel(String level) {
        LogSetup.setLevel(level);
        EVENTS.report(SmEvent.LOG_LEVEL_CHANGED, EventField.LEVEL.of(level));
    }
}
