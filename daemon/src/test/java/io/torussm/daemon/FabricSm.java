package io.torussm.daemon;

import io.torussm.daemon.assembly.SmAssembly;
import io.torussm.daemon.assembly.SmPlatform;
import io.torussm.daemon.assembly.SmStores;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.maintenance.CableErrors;
import io.torussm.daemon.maintenance.Isolator;
import io.torussm.daemon.recorder.SmRecorder;
import io.torussm.daemon.replica.Replication;
import io.torussm.mastership.MastershipDriver;
import io.torussm.mastership.SmState;
import io.torussm.mastership.Trust;
import io.torussm.multicast.MembershipService;
import io.torussm.partition.RunTimePartitionStore;
import io.torussm.paths.PathService;
import io.torussm.perf.PerformanceManager;
import io.torussm.recording.FlightRecorder;
import io.torussm.registration.SaDatabase;
import io.torussm.report.EventReporter;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sim.SimFabric;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.SweepEnds;
import io.torussm.sweep.Sweeper;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A subnet manager with torus-2QoS at one host of an embedded fabric, in virtual time; others may be at other hosts.
 */
final class FabricSm extends SweepEnds {
    static final long SM_KEY = FabricSettings.SM_KEY;
    private static final long NOT_RECORDED = 1 << 10;

    private final MortalLoop life;
    private final MadTransport transport;
    private final StateDirectory state;
    private final SmAssembly parts;
    final SaDatabase saDatabase;
    final MadClient client;
    final Sweeper sweeper;
    final MastershipDriver mastership;
    final MembershipService memberships;
    final EventReporter reporter;
    final SubnetAdministrator administrator;
    final CableHistory cables;
    final Isolator isolator;
    final PerformanceManager counters;
    final SubnetMemory memory;
    final RunTimePartitionStore addedMembers;
    final FabricSettings settings;
    final SmRecorder recorder;

    /** Hears how each sweep ends, after it was noted. */
    Consumer<String> sweepEndListener = end -> {};

    /** Receives each event after it was noted. */
    Consumer<SweepEvent> eventListener = event -> {};

    /** Hears what each heavy sweep leaves behind. */
    BiConsumer<FabricState, Instant> discoveryListener = (state, at) -> {};

    /** Hears that this SM is not master any more. */
    Runnable mastershipEndListener = () -> {};

    /** Answers requests to the SA. */
    Executor saWorkers = Runnable::run;

    /** The counters of cables. */
    CableErrors.Counts counts = (guid, port) -> 0;

    private final @Nullable Replication replication;

    FabricSm(Loop loop, SimFabric fabric, String host, int priority, SmOptions options) {
        this(new MortalLoop(loop), fabric.attach(host, 1), priority, options, StateDirectory.none(loop), 1);
    }

    /** Creates an SM that reads a state directory, and is alone. */
    FabricSm(
            MortalLoop life,
            MadTransport transport,
            int priority,
            SmOptions options,
            StateDirectory state,
            int generation) {
        this(life, transport, priority, options, state, generation, null);
    }

    /**
     * Creates an SM that reads a state directory.
     *
     * @param life ends with this SM
     * @param generation where its transaction IDs begin
     * @param replication to other SMs of this fabric; null if this one is alone
     */
    FabricSm(
            MortalLoop life,
            MadTransport transport,
            int priority,
            SmOptions options,
            StateDirectory state,
            int generation,
            @Nullable Replication replication) {
        this(
                life,
                transport,
                priority,
                options,
                state,
                Runnable::run,
                generation,
                replication,
                null,
                new SmRecorder(new FlightRecorder(life::nowNs, NOT_RECORDED)));
    }

    /**
     * Creates an SM whose traffic is recorded from its start on.
     *
     * @param pool where it computes routes
     * @param stateDir where its state is
     * @param recorder notes nothing yet
     */
    FabricSm(
            MortalLoop life,
            MadTransport transport,
            int priority,
            SmOptions options,
            StateDirectory state,
            Executor pool,
            int generation,
            @Nullable Replication replication,
            @Nullable Path stateDir,
            SmRecorder recorder) {
        this.life = life;
        this.transport = transport;
        this.state = state;
        this.replication = replication;
        settings = new FabricSettings(options, priority);
        this.recorder = recorder;
        recorder.recordStart("test", transport, options, stateDir);
        SmStores stores =
                SmStores.open(state, life, Runnable::run, transport.localPort().portGuid(), settings);
        settings.addedMembers = stores.addedMembers();
        SmPlatform platform = new SmPlatform(
                transport,
                life,
                life,
                life,
                task -> saWorkers.execute(task),
                pool,
                Runnable::run,
                Runnable::run,
                () -> generation,
                bug -> {
                    throw new AssertionError(bug);
                });
        parts = new SmAssembly(
                recorder.wrap(platform),
                stores,
                recorder.wrap(settings),
                recorder.wrap(this),
                new SmAssembly.Extras(replication, () -> counts));
        memory = stores.memory();
        cables = stores.cables();
        addedMembers = stores.addedMembers();
        saDatabase = parts.database();
        memberships = saDatabase.memberships();
        client = parts.client();
        reporter = parts.reporter();
        sweeper = parts.sweeper();
        mastership = parts.mastership();
        administrator = parts.administrator();
        isolator = parts.isolator();
        counters = parts.agents().counters();
    }

    // --- its life ---

    /** Returns an SA that responds from the published view of this SM. */
    SubnetAdministrator administrator(Consumer<MadFrame> answers) {
        return parts.administrator(new PathService(saDatabase.memberships()), answers);
    }

    /** Lists all ports of a fabric: SMs that share a secret SM_Key, but no replication, take each other for such. */
    FabricSm trustPortsOf(Topology topology) {
        Set<Long> guids = topology.nodes().stream()
                .filter(node -> !node.isSwitch())
                .flatMap(node -> IntStream.rangeClosed(1, node.numPorts()).mapToObj(node::portGuid))
                .collect(Collectors.toSet());
        settings.trust = new Trust(SM_KEY, Set.of(), guids);
        return this;
    }

    FabricSm start() {
        if (replication != null) {
            replication.start();
        }
        parts.start();
        return this;
    }

    /** Returns the view that is published; fails if there is none. */
    PublishedView view() {
        return Objects.requireNonNull(sweeper.view(), ends::toString);
    }

    /**
     * Ends as the operating system does for a process that dies: IsSM is cleared, and there are no more
     * responses.
     */
    void kill() {
        life.die();
        transport.close();
    }

    /** Ends the SM as SIGTERM does. */
    void end() {
        recorder.recordCommand(SmRecorder.Command.END);
        parts.end(() -> {
            state.flush();
            life.execute(this::kill);
        });
    }

    /** Reloads the configuration, as SIGHUP does. */
    void reloadConfiguration() {
        recorder.recordCommand(SmRecorder.Command.REREAD);
        mastership.settingsChanged();
        mastership.sweepHeavy();
    }

    /** Computes all routes again, as an operator requests. */
    void reroute() {
        recorder.recordCommand(SmRecorder.Command.REROUTE);
        sweeper.reroute();
    }

    /** Begins a whole sweep, as an operator requests. */
    void sweepHeavy() {
        recorder.recordCommand(SmRecorder.Command.HEAVY);
        mastership.sweepHeavy();
    }

    boolean isDead() {
        return life.isDead();
    }

    SmState state() {
        return mastership.state().state();
    }

    boolean isUp() {
        return mastership.isMaster() && sweeper.view() != null;
    }

    long guid() {
        return transport.localPort().portGuid();
    }

    // --- received events ---

    @Override
    public void accept(SweepEvent event) {
        super.accept(event);
        eventListener.accept(event);
        if (event instanceof SweepEvent.FabricRead read) {
            discoveryListener.accept(read.after(), read.at());
        } else if (event instanceof SweepEvent.MulticastProgrammed) {
            ends.add("multicast");
        } else if (event instanceof SweepEvent.MastershipEnded) {
            mastershipEndListener.run();
        } else if (event instanceof SweepEvent.PortLost lost) {
            throw new AssertionError(lost.reason());
        }
    }

    @Override
    protected void ended(String outcome) {
        super.ended(outcome);
        sweepEndListener.accept(outcome);
    }
}
