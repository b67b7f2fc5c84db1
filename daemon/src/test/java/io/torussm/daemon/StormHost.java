package io.torussm.daemon;

import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.recorder.SmRecorder;
import io.torussm.daemon.replica.Replication;
import io.torussm.recording.FlightRecorder;
import io.torussm.routing.Plan;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.Loop;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A host of a storm, at which one SM after another starts, receives requests and faults, and ends. */
final class StormHost {
    private final StormStory story;
    private final StormFabric fabric;
    private final SweepObserver checks;
    private final HostileMads hostileMads;
    private final Topology.Node host;
    private final int priority;
    private final StormDisk disk;
    private final SmOptions options;
    private final @Nullable StormWire wire;

    /** The running SM, and its port; null if none runs. */
    private @Nullable FabricSm sm;

    private @Nullable Eavesdropper port;

    /** Members by group when the SM ended in order; null if it did not. */
    private @Nullable Set<String> membersAtEnd;

    /** Receives the reports of the SM; null if there is no receiver. */
    @Nullable
    StormLosses losses;

    /** Outcome of the last sweep of the running SM, and number of sweeps of all SMs here that ended. */
    private String lastEnd = "";

    private int endedSweeps;

    /** An observer of the SM. */
    interface SweepObserver {
        /**
         * Notes that a sweep has ended.
         *
         * @param outcome as in {@link FabricSm#ends}
         */
        void sweepEnded(FabricSm of, String outcome);

        /** Notes that an SM has routed the fabric, and writes the tables of a plan next. */
        default void routed(Plan plan) {}

        /** Notes that the SM sends a MAD. */
        void madSent(byte[] mad);

        /** Notes that the SM died, or ended. */
        void smEnded();
    }

    /**
     * Creates a host without a running SM.
     *
     * @param dir directory of its state
     * @param wire to the SMs at other hosts; null if there are none
     */
    StormHost(
            StormStory story,
            StormFabric fabric,
            SweepObserver checks,
            Topology.Node host,
            int priority,
            Path dir,
            SmOptions options,
            @Nullable StormWire wire) {
        this.story = story;
        this.fabric = fabric;
        this.checks = checks;
        this.hostileMads = new HostileMads(story.random);
        this.host = host;
        this.priority = priority;
        this.disk = new StormDisk(story, dir);
        this.options = options;
        this.wire = wire;
    }

    /** Returns a host without a running SM, at which the only SM of the fabric starts. */
    static StormHost ofOnlySm(
            StormStory story,
            StormFabric fabric,
            SweepObserver checks,
            Topology.Node host,
            int priority,
            Path dir,
            SmOptions options) {
        return new StormHost(story, fabric, checks, host, priority, dir, options, null);
    }

    /** Starts a successor of an SM that died or ended, at random. */
    void startAtRandom() {
        if (sm == null && story.random.nextInt(3) == 0) {
            start();
        }
    }

    /** Returns the running SM; null if there is none. */
    @Nullable
    FabricSm sm() {
        return sm;
    }

    FabricSm running() {
        return Objects.requireNonNull(sm);
    }

    /** Returns the outcome of the last sweep of this SM; empty if there is none. */
    String lastEnd() {
        return lastEnd;
    }

    /** Returns the number of sweeps of all SMs that ended. */
    int endedSweeps() {
        return endedSweeps;
    }

    /** Starts an SM with the state of the previous one here. */
    void start() {
        StormLosses observer = losses;
        MortalLoop life = new MortalLoop(observer == null ? story.loop : observer.clock(host));
        Eavesdropper newPort = new Eavesdropper(fabric.devices.attach(host.description(), 1));
        FabricSm started = createSm(life, newPort);
        started.sweepEndListener = outcome -> sweepEnded(started, outcome);
        started.eventListener = this::handleEvent;
        newPort.sendListener = checks::madSent;
        if (observer != null) {
            newPort.receiveWrapper = observer.eventRecorder(host);
            observer.starts(host, started);
        }
        port = newPort;
        sm = started;
        lastEnd = "";
        story.log(name() + " starts");
        disk.check();
        checkMembers(started);
        runRecorded(started::start);
    }

    private FabricSm createSm(MortalLoop life, Eavesdropper newPort) {
        Loop writer = disk.writer(life);
        SmRecorder recorder = new SmRecorder(new FlightRecorder(life::nowNs, story.recordedBytes));
        StateDirectory state = disk.open(recorder.wrapDiskLoop(writer));
        Executor pool = task -> life.schedule(story.randomNs(200), task);
        int generation = story.random.nextInt();
        Replication replication = wire == null
                ? null
                : new Replication(
                        state,
                        life,
                        writer,
                        wire.end(host.description(), life),
                        options.sweep().gidPrefix(),
                        newPort.localPort().portGuid());
        return new FabricSm(
                life, newPort, priority, options, state, pool, generation, replication, disk.dir(), recorder);
    }

    /** Checks that an SM has the members that its predecessor had at an orderly end. */
    private void checkMembers(FabricSm started) {
        Set<String> expected = membersAtEnd;
        story.check(
                expected == null || members(started).containsAll(expected),
                "members before an orderly end: " + expected + ", and after it: " + members(started));
        membersAtEnd = null;
    }

    /** Runs an action on an SM whose events are recorded. */
    private void runRecorded(Runnable task) {
        if (losses == null) {
            task.run();
        } else {
            losses.eventRecorder(host).accept(task);
        }
    }

    private String name() {
        return "the SM" + (wire == null ? "" : " at " + host.description());
    }

    private static Set<String> members(FabricSm of) {
        Set<String> members = new TreeSet<>();
        of.memberships.view().groups().forEach(group -> group.members()
                .forEach(member -> members.add(group.mgid() + " " + member.portGid())));
        return members;
    }

    void kill() {
        FabricSm dying = sm;
        if (dying != null) {
            story.log(name() + " dies");
            story.tally.deaths++;
            dying.kill();
            handleEnd();
            disk.leaveInterruptedWrite();
        }
    }

    void end() {
        FabricSm ending = sm;
        if (ending != null) {
            story.log(name() + " is asked to end");
            story.tally.ends++;
            membersAtEnd = ending.isUp() && wire == null ? members(ending) : null;
            runRecorded(ending::end);
            story.check(
                    story.loop.runUntil(ending::isDead, TimeUnit.SECONDS.toNanos(4)),
                    "the SM does not end in four seconds");
            handleEnd();
        }
    }

    private void handleEnd() {
        sm = null;
        port = null;
        if (losses != null) {
            losses.ended(host);
        }
        if (wire != null) {
            wire.left(host.description());
        }
        checks.smEnded();
    }

    private void sweepEnded(FabricSm of, String outcome) {
        story.log("sweep" + (wire == null ? "" : " of " + host.description()) + ": " + outcome);
        lastEnd = outcome;
        endedSweeps++;
        if (losses != null && !outcome.equals("multicast")) {
            losses.sweepEnded(of);
        }
        checks.sweepEnded(of, outcome);
    }

    private void handleEvent(SweepEvent event) {
        Plan plan = event instanceof SweepEvent.EnginesRan ran ? ran.result().plan() : null;
        if (plan != null) {
            checks.routed(plan);
        }
    }

    /** Reloads the configuration. */
    void reloadConfiguration() {
        FabricSm running = sm;
        if (running != null) {
            runRecorded(running::reloadConfiguration);
        }
    }

    void reroute() {
        FabricSm running = sm;
        if (running != null) {
            story.log(name() + " reroutes");
            runRecorded(running::reroute);
        }
    }

    void sweepHeavy() {
        FabricSm running = sm;
        if (running != null) {
            story.log(name() + " is asked for a sweep");
            runRecorded(running::sweepHeavy);
        }
    }

    /** Sends unsolicited frames: noise, truncated frames, outdated responses and traps. */
    void sendNoise(int count) {
        Eavesdropper target = port;
        if (target == null) {
            return;
        }
        story.log(count + " hostile MADs to " + name());
        for (int i = 0; i < count; i++) {
            story.tally.noise++;
            target.inject(hostileMads.next(target.randomFrame(story.random)));
        }
    }
}
