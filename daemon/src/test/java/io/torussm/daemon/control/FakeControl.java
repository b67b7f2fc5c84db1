package io.torussm.daemon.control;

import io.torussm.congestion.CongestedPort;
import io.torussm.congestion.CongestionStatistics;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.journal.SweepHistory;
import io.torussm.daemon.replica.Replication;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.event.DeviceText;
import io.torussm.fabric.NodePort;
import io.torussm.firmware.DeviceFirmware;
import io.torussm.firmware.FirmwareCensus;
import io.torussm.firmware.FirmwareOutcome;
import io.torussm.history.ChangeHistory;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.inventory.Inventory;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmState;
import io.torussm.multicast.MulticastView;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimePartitions;
import io.torussm.perf.CounterStore;
import io.torussm.perf.PollStatistics;
import io.torussm.qos.QosOptions;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.quarantine.Quarantine;
import io.torussm.report.ReportStats;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sa.AttributeStatistics;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Drains;
import io.torussm.sweep.idle.DriftReport;
import io.torussm.sweep.idle.ReadyReport;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.testing.QuietTransport;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadClient;
import io.torussm.transport.capture.MadTap;
import io.torussm.transport.rmpp.RmppSender;
import io.torussm.trap.LinkComplaints.Unhealthy;
import io.torussm.trap.TrapCounts;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import io.torussm.vport.VPortTable;
import io.torussm.vport.VirtualPort;
import java.nio.file.Path;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A control of an SM for tests of its views: it has settable results and records requests. Figures of statistics are
 * those of {@link #statisticsIn} and {@link #becomeMaster}, and tests of the console, HTTP and metrics assert them.
 */
public final class FakeControl implements SmControl {
    public final CounterStore counters = new CounterStore();
    /** Firmware of three devices, one of which differs. */
    public static final FirmwareCensus FIRMWARE = new FirmwareCensus(
            true,
            Map.of(FirmwareOutcome.READ, 3, FirmwareOutcome.SILENT, 1),
            List.of(
                    new DeviceFirmware(0x77, 0x101b, "MT_0000000223", "20.35.2000"),
                    new DeviceFirmware(0x78, 0x101b, "MT_0000000223", "20.39.1002"),
                    new DeviceFirmware(0x79, 0x101b, "MT_0000000223", "20.39.1002")));

    /** Start time of the SM. */
    public static final Instant STARTED = Instant.parse("2026-11-22T06:00:00Z");

    /** The requests in order, such as {@code heavy} and {@code drain NAME}. */
    public final List<String> requests = new CopyOnWriteArrayList<>();

    public final Journal journal = new Journal();
    public volatile @Nullable PublishedView view;
    public volatile @Nullable SmStatistics statistics;

    /** Verdicts on hosts that do not follow path records; null if unknown. */
    public volatile @Nullable SlVerdicts slVerdicts;

    /** The report of a shadow; null if there is none. */
    public volatile @Nullable ShadowReport shadow;

    /** Null for a subnet that equals the view. */
    public volatile @Nullable FabricState state;

    /** True if a request for statistics throws an exception. */
    public volatile boolean hasDefect;

    /** The error of a request for the version; null for a normal response. */
    public volatile @Nullable Error versionError;

    /** The loop of the SM, which runs tasks immediately unless a test replaces it. */
    public volatile Consumer<Runnable> smLoop = Runnable::run;

    public volatile String version = "torus-sm of a test";
    public volatile String logLevel = "info";
    public volatile List<String> remarks = List.of();
    public volatile @Nullable Path dumpDir;

    /** The receiver of the end of the last requested sweep. */
    public volatile Consumer<SweepHistory.Sweep> sweepListener = sweep -> {};

    private final MadTap tap = new MadTap(new QuietTransport());
    private final VirtualLoop disk = new VirtualLoop();
    private final Inventory inventory = new Inventory(StateDirectory.none(disk), () -> this.drains);
    public volatile List<Drains.Drain> drains = List.of();
    public volatile DriftReport drift = DriftReport.NOTHING;
    public volatile RunTimePartitions runTimePartitions = RunTimePartitions.NONE;

    /** The outcome of changes of partitions. */
    public volatile RunTimeOutcome partitionOutcome = new RunTimeOutcome(RunTimeOutcome.ChangeStatus.DONE, "done");

    private final SweepHistory history = new SweepHistory();
    private final ChangeHistory changes =
            new ChangeHistory(StateDirectory.none(disk), disk, new ChangeHistory.Settings(100, 1 << 20));
    private final CableHistory cableHistory = new CableHistory(StateDirectory.none(new VirtualLoop()));

    /**
     * Returns the statistics of an SM with priority 5 in a state.
     *
     * @param master SM that this SM polls; null for none
     * @param misses number of polls in sequence that the master has not answered
     */
    public static SmStatistics statisticsIn(SmState state, @Nullable RemoteSm master, int misses) {
        Mastership.Watch watch = new Mastership.Watch(master, false, misses, misses, 0, 1, 4);
        return statisticsOf(
                new Mastership(
                        1,
                        5,
                        state,
                        watch,
                        new Mastership.Handover(null, false, 0),
                        0,
                        new Mastership.Peers(List.of(), List.of(), Mastership.SilenceWait.UNUSED),
                        false),
                false);
    }

    /** Makes this SM master. */
    public void becomeMaster(int priority, RemoteSm... others) {
        Mastership initial = Mastership.initial(0x99, priority);
        Mastership mastership = new Mastership(
                initial.guid(),
                priority,
                SmState.MASTER,
                initial.watch(),
                initial.handover(),
                0,
                new Mastership.Peers(List.of(others), List.of(), Mastership.SilenceWait.UNUSED),
                false);
        statistics = statisticsOf(mastership, false);
    }

    private static CongestedPort congested(String name, int port, long events, BitSet ports, BitSet sls) {
        return new CongestedPort(DeviceText.ofDevice(name), 0x99, port, events, 2, ports, sls);
    }

    /**
     * Returns statistics of an SM with the port GUID 0x99: its sweeps, SMPs, answers of the SA, Reports, replication
     * and counters.
     */
    private static SmStatistics statisticsOf(Mastership mastership, boolean isSuspended) {
        AttributeStatistics traffic = new AttributeStatistics(
                "PathRecord",
                List.of(new AttributeStatistics.Count("Get", 7, 6, 0, 1)),
                Collections.nCopies(22, 1L),
                5_000_000,
                List.of(
                        new AttributeStatistics.Answered("Get", "OK", 4),
                        new AttributeStatistics.Answered("Get", "NO_RECORDS", 2)));
        return new SmStatistics(
                STARTED,
                new LocalPort("mlx5_0", 1, 0x99),
                0xfec0_0000_0000_0005L,
                mastership,
                2,
                new SmStatistics.Sweeps(
                        new SweepCounts(),
                        new SweepHistory.Sweep(STARTED.plusSeconds(2), SweepHistory.UP, "all is well", List.of(), 0),
                        null,
                        STARTED.plusSeconds(1),
                        isSuspended,
                        3,
                        0,
                        new TrapCounts(),
                        1,
                        List.of(
                                new Unhealthy(new NodePort(0x99, 200), 10, 0, 0),
                                new Unhealthy(new NodePort(0x98, 1), 0, 11, 0)),
                        List.of(
                                new Quarantine.Entry(0x77, -1, "0x77 \"sw-bad\"", "it does not take its table", false),
                                new Quarantine.Entry(0x78, -1, "0x78 \"sw-first\"", "it does not either", true)),
                        new ReadyReport(90, 100, 1_500_000, 16 << 20, 2)),
                new SmStatistics.Smps(
                        new MadClient.Stats(10, 10, 9, 8, 7, 6, 5, 4, 3, 12, 2, 1, 64, 11),
                        List.of(new MadClient.OutcomeCount("PortInfo", "Get", "reply", 12))),
                new SmStatistics.Sa(
                        new SubnetAdministrator.Stats(7, 6, 0, 1, 0, 3, 5),
                        List.of(traffic),
                        new RmppSender.Stats(6, 5, 4, 3, 2, 1),
                        1),
                new ReportStats(6, 5, 4, 3, 2, 1),
                new Replication.Progress(
                        List.of("10.0.0.2:7800"),
                        new Replication.Transfer("sa-state 1.2", 1_500_000_000L),
                        new Replication.Transfer("sa-state 1.1 from 10.0.0.2:7800", 2_500_000_000L),
                        0),
                new PollStatistics(7, 1, 300, 2, 3, 1_500_000_000L, STARTED, 6, 8, 1),
                new CongestionStatistics(
                        true,
                        9,
                        7,
                        1,
                        20,
                        12,
                        3,
                        List.of(
                                congested("sw-0", 0, 12, BitSet.valueOf(new long[] {0b1010}), new BitSet()),
                                congested("host-0", 1, 3, new BitSet(), BitSet.valueOf(new long[] {1})))),
                VPortTable.of(Map.of(
                        0x10_0000_0001L,
                        List.of(new VirtualPort(3, 0x77, 0x78, 4, null), new VirtualPort(4, 0x79, 0, 2, null)))),
                FIRMWARE,
                4,
                0);
    }

    @Override
    public @Nullable PublishedView view() {
        return view;
    }

    @Override
    public void readCongestion() {
        requests.add("congestion");
    }

    @Override
    public void restartCounters(String name, long nodeGuid, int portNum) {
        if (nodeGuid == 0) {
            counters.restart();
        } else {
            counters.restart(nodeGuid, portNum);
        }
    }

    @Override
    public CounterStore counters() {
        return counters;
    }

    @Override
    public FabricState state() {
        FabricState now = state;
        PublishedView published = view;
        return now != null ? now : published == null ? FabricState.NOTHING : FabricState.of(published, STARTED);
    }

    @Override
    public @Nullable SmStatistics statistics() {
        if (hasDefect) {
            throw new IllegalStateException("a defect made for this test");
        }
        return statistics;
    }

    @Override
    public @Nullable ShadowReport shadow() {
        return shadow;
    }

    @Override
    public @Nullable SlVerdicts slVerdicts(long waitMs) {
        return slVerdicts;
    }

    @Override
    public ChangeHistory changes() {
        return changes;
    }

    /** Adds a committed state. */
    public void addChange(FabricState ruling, Instant at, String... conditions) {
        changes.record(ruling, at, () -> List.of(conditions));
        disk.runFor(0);
    }

    @Override
    public Inventory inventory() {
        return inventory;
    }

    @Override
    public CompletableFuture<Boolean> setExpectedFabric(ExpectedFabric wanted) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        inventory.accept(wanted, done::complete);
        disk.runFor(0);
        return done;
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public String version() {
        Error thrown = versionError;
        if (thrown != null) {
            throw thrown;
        }
        return version;
    }

    @Override
    public void runOnSmLoop(Runnable task) {
        smLoop.accept(task);
    }

    @Override
    public MulticastView multicast() {
        return MulticastView.EMPTY;
    }

    @Override
    public List<Drains.Drain> drains() {
        return drains;
    }

    @Override
    public DriftReport drift() {
        return drift;
    }

    @Override
    public void requestReadBack(long nodeGuid) {
        requests.add("drift " + nodeGuid);
    }

    @Override
    public CompletableFuture<String> requestDrain(Drains.Drain drain, List<Drains.Drain> judged) {
        requests.add("drain " + drain.name());
        return CompletableFuture.completedFuture("");
    }

    @Override
    public void requestUndrain(Drains.Drain drain) {
        requests.add("undrain " + drain.name());
    }

    @Override
    public CableHistory cableHistory() {
        return cableHistory;
    }

    @Override
    public SweepHistory history() {
        return history;
    }

    @Override
    public RoutingOptions routingOptions() {
        return new RoutingOptions(true, 5, 0);
    }

    @Override
    public Qos qos() {
        return new Qos(true, QosOptions.NONE, QosPolicy.NONE);
    }

    @Override
    public void requestSweep(boolean isHeavy, Consumer<SweepHistory.Sweep> ended) {
        sweepListener = ended; // first, since tests wait for the request
        requests.add(isHeavy ? "heavy" : "light");
    }

    @Override
    public RoutingChain routingPreview() {
        return routing();
    }

    @Override
    public @Nullable PartitionPreview partitionPreview() {
        return null;
    }

    @Override
    public void applyPartitions() {
        requests.add("apply partitions");
    }

    @Override
    public RunTimePartitions runTimePartitions() {
        return runTimePartitions;
    }

    @Override
    public PartitionConf partitions() {
        return runTimePartitions.combineWith(PartitionConf.NONE, true);
    }

    @Override
    public CompletableFuture<RunTimeOutcome> changePartitions(RunTimeChange.Request request) {
        requests.add(request.toString());
        return CompletableFuture.completedFuture(partitionOutcome);
    }

    @Override
    public void requestReroute(Consumer<SweepHistory.Sweep> ended) {
        sweepListener = ended;
        requests.add("reroute");
    }

    @Override
    public List<String> certificateRemarks() {
        return remarks;
    }

    @Override
    public RoutingChain routing() {
        return new RoutingChain(List.of(new MinHopEngine()), new DeadlockChecker(1));
    }

    @Override
    public void requestBounce(long nodeGuid, int portNum) {
        requests.add("bounce 0x" + Long.toHexString(nodeGuid) + " " + portNum);
    }

    @Override
    public void suspendSweeps(boolean isWanted) {
        statistics = statisticsOf(Mastership.initial(0x99, 5), isWanted);
    }

    @Override
    public void setPriority(int priority) {
        requests.add("priority " + priority);
    }

    @Override
    public Keys keys() {
        return new Keys(KeyOrigin.CONFIGURED, KeyOrigin.GENERATED, STARTED, 0);
    }

    @Override
    public Future<String> changeKeys(boolean isWanted) {
        requests.add("keys " + isWanted);
        return CompletableFuture.completedFuture(isWanted ? "" : "no");
    }

    @Override
    public MadTap tap() {
        return tap;
    }

    @Override
    public @Nullable Path dumpDir() {
        return dumpDir;
    }

    @Override
    public Future<RecordingAnswer> writeRecording(String name) {
        requests.add("record " + name);
        return CompletableFuture.completedFuture(
                name.equals("there")
                        ? RecordingAnswer.failed("/dump/there is there already; give another name")
                        : new RecordingAnswer("/dump/" + name, 61.5, 1234, true, ""));
    }

    @Override
    public Future<Boolean> writeDumps() {
        requests.add("dump");
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public String logLevel() {
        return logLevel;
    }

    @Override
    public void setLogLevel(String newLevel) {
        logLevel = newLevel;
    }
}
