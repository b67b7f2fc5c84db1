package io.torussm.daemon.sm;

import io.torussm.alias.AliasTable;
import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.assembly.SmAssembly;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.Adoption;
import io.torussm.daemon.control.PartitionPreview;
import io.torussm.daemon.control.RecordingAnswer;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.journal.SweepHistory;
import io.torussm.daemon.log.LogSetup;
import io.torussm.daemon.recorder.SmRecorder;
import io.torussm.daemon.system.Version;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.history.ChangeHistory;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.inventory.Inventory;
import io.torussm.multicast.MulticastView;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimePartitions;
import io.torussm.perf.CounterStore;
import io.torussm.program.port.LinkBounce;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Drains;
import io.torussm.sweep.idle.DriftReport;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.transport.capture.MadTap;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The control for operators. It reads the published state, and passes requests to the {@code sm} loop. Any thread. */
final class OperatorControl implements SmControl {
    private static final EventLog EVENTS = EventLog.of(OperatorControl.class);

    private final SubnetManager manager;
    private final SmResources resources;
    private final LiveSettings settings;
    private final Lifetime lifetime;
    private final SweepHistory history;
    private final SubnetManagerService.Host host;
    private final SlVerdictCache slVerdictCache;
    private final Adoption adoption;
    private final OperatorKeys keys;
    private final OperatorStatistics statistics;
    private final OperatorRecordings recordings;
    private final @Nullable Path dumpDir;

    OperatorControl(
            SubnetManager manager,
            SmResources resources,
            LiveSettings settings,
            Lifetime lifetime,
            SweepHistory history,
            SubnetManagerService.Host host) {
        this.manager = manager;
        this.resources = resources;
        this.settings = settings;
        this.lifetime = lifetime;
        this.history = history;
        this.host = host;
        this.slVerdictCache = new SlVerdictCache(resources.prechecks(), host.defects());
        this.adoption = new OperatorAdoption(manager, resources, settings, lifetime, host);
        this.keys = new OperatorKeys(resources, settings, lifetime);
        this.statistics = new OperatorStatistics(resources, settings, history);
        this.dumpDir = settings.options().files().dumpDir();
        this.recordings = new OperatorRecordings(resources, dumpDir);
    }

    @Override
    public @Nullable PublishedView view() {
        SmAssembly assembly = lifetime.published();
        return assembly == null ? null : assembly.sweeper().view();
    }

    @Override
    public FabricState state() {
        SmAssembly assembly = lifetime.published();
        return assembly == null
                ? FabricState.NOTHING
                : assembly.sweeper()
                        .idle()
                        .drift()
                        .report()
                        .addTo(assembly.sweeper().state());
    }

    @Override
    public @Nullable SmStatistics statistics() {
        SmAssembly assembly = lifetime.published();
        return assembly == null ? null : statistics.of(assembly);
    }

    @Override
    public @Nullable SlVerdicts slVerdicts(long waitMs) {
        return slVerdictCache.verdicts(view(), routingOptions(), waitMs);
    }

    @Override
    public ChangeHistory changes() {
        return resources.changes();
    }

    @Override
    public Inventory inventory() {
        return resources.inventory();
    }

    @Override
    public CompletableFuture<Boolean> setExpectedFabric(ExpectedFabric wanted) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        lifetime.execute(assembly -> {
            resources.inventory().accept(wanted, result::complete);
            Fabric discovered = SweepOutcomes.discoveredFabric(assembly);
            if (discovered != null) {
                resources.inventory().reportDifferences(discovered);
            }
        });
        return result;
    }

    @Override
    public CounterStore counters() {
        SmAssembly assembly = lifetime.published();
        return assembly == null
                ? new CounterStore()
                : assembly.agents().counters().store();
    }

    @Override
    public void readCongestion() {
        lifetime.execute(assembly -> assembly.agents().congestion().readNow());
    }

    @Override
    public void restartCounters(String name, long nodeGuid, int portNum) {
        CounterStore counters = counters();
        if (nodeGuid == 0) {
            counters.restart();
        } else {
            counters.restart(nodeGuid, portNum);
        }
        EVENTS.report(SmEvent.PERF_COUNTERS_RESTARTED, EventField.NAME.of(name));
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
        resources.sm().execute(task);
    }

    @Override
    public MulticastView multicast() {
        SmAssembly assembly = lifetime.published();
        if (assembly == null) {
            return MulticastView.EMPTY;
        }
        AliasTable aliases = assembly.database().registrations().aliases().table();
        MulticastView groups = assembly.database().memberships().view();
        return aliases.guids().isEmpty()
                ? groups
                : new MulticastView(groups.groups().stream()
                        .map(group -> group.atPorts(aliases::portOf))
                        .toList());
    }

    @Override
    public CableHistory cableHistory() {
        return resources.cableHistory();
    }

    @Override
    public SweepHistory history() {
        return history;
    }

    @Override
    public RoutingOptions routingOptions() {
        return settings.options().sweep().routingOptions();
    }

    @Override
    public Qos qos() {
        SmOptions current = settings.options();
        return new Qos(current.routing().qos(), current.qos(), settings.effectiveQosPolicy());
    }

    @Override
    public void requestSweep(boolean isHeavy, Consumer<SweepHistory.Sweep> ended) {
        lifetime.execute(assembly -> {
            assembly.sweeper().awaitNext(!isHeavy, end -> ended.accept(sweepResult(end)));
            recordings.note(isHeavy ? SmRecorder.Command.HEAVY : SmRecorder.Command.LIGHT);
            if (isHeavy) {
                assembly.mastership().sweepHeavy();
            } else {
                assembly.mastership().sweepLight();
            }
        });
    }

    @Override
    public void requestReroute(Consumer<SweepHistory.Sweep> ended) {
        lifetime.execute(assembly -> {
            assembly.sweeper().awaitNext(false, end -> ended.accept(sweepResult(end)));
            recordings.note(SmRecorder.Command.REROUTE);
            assembly.sweeper().reroute();
        });
    }

    @Override
    public CompletableFuture<RecordingAnswer> writeRecording(String name) {
        return recordings.record(name);
    }

    private SweepHistory.Sweep sweepResult(Optional<SweepCounts.SweepEnd> end) {
        SweepHistory.Sweep last = history.last();
        if (end.isEmpty() || last == null) {
            return unrecordedSweep(SweepHistory.GIVEN_UP, "this SM is not master any more, or ends");
        }
        return end.get() == SweepCounts.SweepEnd.QUIET
                ? unrecordedSweep(SweepHistory.QUIET, "nothing has changed")
                : last;
    }

    private static SweepHistory.Sweep unrecordedSweep(String outcome, String summary) {
        return new SweepHistory.Sweep(Instant.now().truncatedTo(ChronoUnit.MILLIS), outcome, summary, List.of(), 0);
    }

    @Override
    public List<String> certificateRemarks() {
        SmAssembly assembly = lifetime.published();
        return assembly == null
                ? List.of()
                : assembly.devices().adaptiveRouting().remarks();
    }

    @Override
    public RoutingChain routing() {
        return settings.routing();
    }

    @Override
    public RoutingChain routingPreview() {
        return settings.routingPreview();
    }

    @Override
    public @Nullable PartitionPreview partitionPreview() {
        PublishedView view = view();
        return view == null ? null : settings.partitionPreview(view);
    }

    @Override
    public void applyPartitions() {
        settings.approvePartitions();
        requestSweep(true);
    }

    @Override
    public RunTimePartitions runTimePartitions() {
        return resources.addedMembers().current();
    }

    @Override
    public PartitionConf partitions() {
        return settings.effectivePartitions();
    }

    @Override
    public CompletableFuture<RunTimeOutcome> changePartitions(RunTimeChange.Request request) {
        CompletableFuture<RunTimeOutcome> result = new CompletableFuture<>();
        resources.sm().execute(() -> {
            SmAssembly assembly = lifetime.running();
            if (assembly == null) {
                result.complete(
                        new RunTimeOutcome(RunTimeOutcome.ChangeStatus.ENDED, "this SM has not begun, or ends"));
            } else {
                assembly.sweeper().changePartitions(request, result::complete);
            }
        });
        return result;
    }

    @Override
    public List<Drains.Drain> drains() {
        return resources.memory().drains().all();
    }

    @Override
    public CompletableFuture<String> requestDrain(Drains.Drain drain, List<Drains.Drain> judged) {
        CompletableFuture<String> result = new CompletableFuture<>();
        lifetime.execute(assembly -> {
            if (!drains().equals(judged)) {
                result.complete("something else was drained or undrained meanwhile; ask again");
                return;
            }
            resources.memory().drains().drain(drain);
            EVENTS.report(SmEvent.DRAINED, EventField.NAME.of(drain.name()));
            assembly.mastership().sweepHeavy();
            result.complete("");
        });
        return result;
    }

    @Override
    public void requestUndrain(Drains.Drain drain) {
        lifetime.execute(assembly -> {
            resources.memory().drains().undrain(drain);
            if (drain.isIsolation()) {
                EVENTS.report(
                        SmEvent.ISOLATION_OVER,
                        EventField.NAME.of(drain.device()),
                        EventField.REASON.of("an operator used the command undrain"));
            } else {
                EVENTS.report(SmEvent.UNDRAINED, EventField.NAME.of(drain.name()));
            }
            assembly.mastership().sweepHeavy();
        });
    }

    @Override
    public DriftReport drift() {
        SmAssembly assembly = lifetime.published();
        return assembly == null
                ? DriftReport.NOTHING
                : assembly.sweeper().idle().drift().report();
    }

    @Override
    public void requestReadBack(long nodeGuid) {
        lifetime.execute(assembly -> {
            if (nodeGuid == 0) {
                assembly.sweeper().idle().drift().requestAll();
            } else {
                assembly.sweeper().idle().drift().request(nodeGuid);
            }
        });
    }

    @Override
    public void requestBounce(long nodeGuid, int portNum) {
        lifetime.execute(assembly -> {
            PublishedView view = assembly.sweeper().view();
            Fabric fabric = view == null ? null : view.subnet().fabric();
            int node = fabric == null ? Fabric.NONE : fabric.nodeByGuid(nodeGuid);
            if (view != null && fabric != null && node != Fabric.NONE && portNum <= fabric.numPorts(node)) {
                int port = fabric.port(node, portNum);
                new LinkBounce(assembly.client()).bounce(view.subnet(), port, () -> {
                    sweepAround(assembly, view, port);
                    sweepAround(assembly, view, fabric.peer(port));
                });
            }
        });
    }

    private static void sweepAround(SmAssembly assembly, PublishedView view, int port) {
        Fabric fabric = view.subnet().fabric();
        if (fabric.isSwitch(fabric.nodeOf(port))) {
            assembly.sweeper().sweepNeighbourhood(view.subnet().lid(fabric.port(fabric.nodeOf(port), 0)));
        }
    }

    @Override
    public void suspendSweeps(boolean isWanted) {
        EVENTS.report(isWanted ? SmEvent.SWEEPS_OFF : SmEvent.SWEEPS_ON);
        lifetime.execute(assembly -> {
            recordings.note(isWanted ? SmRecorder.Command.SUSPEND : SmRecorder.Command.RESUME);
            assembly.sweeper().suspend(isWanted);
        });
    }

    @Override
    public void setPriority(int priority) {
        resources.sm().execute(() -> manager.reconfigure(settings.configured().withPriority(priority)));
    }

    @Override
    public Adoption adoption() {
        return adoption;
    }

    @Override
    public Keys keys() {
        return keys.current();
    }

    @Override
    public Future<String> changeKeys(boolean isWanted) {
        return keys.change(isWanted);
    }

    @Override
    public MadTap tap() {
        return resources.port();
    }

    @Override
    public @Nullable Path dumpDir() {
        return dumpDir;
    }

    @Override
    public Future<Boolean> writeDumps() {
        return host.writeDumps();
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
