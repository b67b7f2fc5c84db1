package io.torussm.daemon.control;

import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.journal.SweepHistory;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.sl.SlVerdicts;
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
import io.torussm.qos.QosOptions;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Drains;
import io.torussm.sweep.idle.DriftReport;
import io.torussm.testing.QuietTransport;
import io.torussm.testing.TestRouting;
import io.torussm.transport.capture.MadTap;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A control of an SM for tests of its views: it has settable results and records requests. Its statistics are those of
 * {@link FakeStatistics}.
 */
public final class FakeControl implements SmControl {
    /** The counters of ports, empty at first. */
    public final CounterStore counters = new CounterStore();

    /** The requests in order, such as {@code heavy} and {@code drain NAME}. */
    public final List<String> requests = new CopyOnWriteArrayList<>();

    public final Journal journal = new Journal();
    public volatile @Nullable PublishedView view;
    public volatile @Nullable SmStatistics statistics;

    /** Verdicts on hosts that do not follow path records; null if unknown. */
    public volatile @Nullable SlVerdicts slVerdicts;

    /** The report of a shadow; null if there is none. */
    public volatile @Nullable ShadowReport shadow;

    /** The state of the fabric; null for one in which the view was found and is routed. */
    public volatile @Nullable FabricState state;

    /** True if a request for statistics throws an exception. */
    public volatile boolean hasDefect;

    /** The error of a request for the version; null for a normal response. */
    public volatile @Nullable Error versionError;

    /** The loop of the SM, which runs tasks immediately unless a test replaces it. */
    public volatile Consumer<Runnable> smLoop = Runnable::run;

    public volatile String version = "torus-sm of a test";
    public volatile String logLevel = "info";

    /** The remarks on the certificate of the routes. */
    public volatile List<String> remarks = List.of();

    public volatile @Nullable Path dumpDir;

    /** The receiver of the end of the last requested sweep. */
    public volatile Consumer<SweepHistory.Sweep> sweepListener = sweep -> {};

    private final MadTap tap = new MadTap(new QuietTransport());
    private final VirtualLoop disk = new VirtualLoop();
    private final Inventory inventory = new Inventory(StateDirectory.none(disk), () -> this.drains);

    /** The drains of the SM, which requests do not change. */
    public volatile List<Drains.Drain> drains = List.of();

    public volatile DriftReport drift = DriftReport.NOTHING;
    public volatile RunTimePartitions runTimePartitions = RunTimePartitions.NONE;

    /** The outcome of changes of partitions. */
    public volatile RunTimeOutcome partitionOutcome = new RunTimeOutcome(RunTimeOutcome.ChangeStatus.DONE, "done");

    private final SweepHistory history = new SweepHistory();
    private final ChangeHistory changes =
            new ChangeHistory(StateDirectory.none(disk), disk, new ChangeHistory.Settings(100, 1 << 20));
    private final CableHistory cableHistory = new CableHistory(StateDirectory.none(new VirtualLoop()));

    /** Makes this SM master, beside other SMs. */
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
        statistics = FakeStatistics.of(mastership, false);
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
        FabricState set = state;
        PublishedView published = view;
        return set != null
                ? set
                : published == null ? FabricState.NOTHING : FabricState.of(published, FakeStatistics.STARTED);
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

    /** Adds a committed state to the history of changes. */
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
        return TestRouting.QOS;
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
        statistics = FakeStatistics.of(Mastership.initial(0x99, 5), isWanted);
    }

    @Override
    public void setPriority(int priority) {
        requests.add("priority " + priority);
    }

    @Override
    public Keys keys() {
        return new Keys(KeyOrigin.CONFIGURED, KeyOrigin.GENERATED, FakeStatistics.STARTED, 0);
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
