package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.routing.Engine;
import io.torussm.routing.dor.DorEngine;
import io.torussm.routing.lash.LashEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.SimInterventions;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.BoundedWait;
import io.torussm.testing.Seeds;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A subnet whose master dies while faults happen. */
final class WarmTakeover {
    /** Max time of a fault after the begin of the sweep. Devices respond at once, so only silent ones are awaited. */
    private static final int CHECK_NS = 1_000_000;

    /** Time for a trap to arrive. */
    private static final long TRAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long WAIT_NS = TimeUnit.MINUTES.toNanos(2);

    /** A fault that may happen at any time. Random numbers select by order. */
    private enum Fault {
        LOST_CABLE,
        BOUNCING_CABLE,
        FAILED_SWITCH,
        RESTARTED_SWITCH,
        LOST_HOST,
        RESTARTED_HOST,
        SWAPPED_HOSTS,
        CHANGED_LID,
        SILENT_HOST,
        OTHER_MASTER;

        /** The faults that switches report: those of cables and of power. */
        static final List<Fault> REPORTED = List.copyOf(EnumSet.range(LOST_CABLE, SWAPPED_HOSTS));

        static final List<Fault> ALL = List.of(values());
    }

    /**
     * The outcome of a takeover.
     *
     * @param isServedEarly whether the SA answered before the first sweep ended
     * @param wrong wrong answers
     */
    record TakeoverOutcome(boolean isServedEarly, List<String> wrong) {}

    private static final List<String> SHAPES =
            List.of("torus:4x3x1,hosts=2", "torus:3x3x2,hosts=1", "torus:5x1x1,hosts=2", "torus:2x2x2,hosts=2");

    private final long seed;
    private final Random random;
    private final SweepHarness harness;
    private final List<Topology.Node> hosts;
    private final List<Topology.Node> switches;
    private final List<String> history = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    WarmTakeover(long seed) {
        this(seed, Seeds.random(seed));
    }

    private WarmTakeover(long seed, Random random) {
        this(seed, random, SHAPES.get(random.nextInt(SHAPES.size())), engine(random.nextInt(3)));
    }

    /** Creates a subnet for a scene without random numbers. */
    WarmTakeover(String shape, Engine engine) {
        this(0, Seeds.random(0), shape, engine);
    }

    private WarmTakeover(long seed, Random random, String shape, Engine engine) {
        this.seed = seed;
        this.random = random;
        harness = new SweepHarness(shape);
        harness.engine = engine;
        harness.keepsRequests = false;
        hosts = harness.topology.nodes().stream()
                .filter(node -> !node.isSwitch())
                .toList();
        switches = harness.topology.nodes().stream()
                .filter(Topology.Node::isSwitch)
                .toList();
    }

    private static Engine engine(int number) {
        return switch (number) {
            case 0 -> new LashEngine();
            case 1 -> new DorEngine();
            default -> new MinHopEngine();
        };
    }

    TakeoverOutcome run() {
        runFirstMaster();
        int endsBefore = harness.ends.size();
        beginTakeover();
        boolean isMidCheck = causeFaultDuringCheck();
        awaitAnswers(endsBefore);

        boolean isServedEarly = harness.ends.size() == endsBefore;
        harness.loop.runFor(TRAP_NS);
        boolean isSweptAgain = isMidCheck && harness.ends.size() > endsBefore;
        if (!isSweptAgain) {
            checkAnswers("first");
        }

        causeLateFault();
        checkAtRest();
        return new TakeoverOutcome(isServedEarly, List.copyOf(wrong));
    }

    /** Takes over with other routes and no fault. Returns the time of the sweep: that of its waits. */
    long sweepTimeWithOtherRoutes() {
        beginTakeoverWithOtherRoutes();
        long beganNs = harness.loop.nowNs();
        harness.await(harness.ends.size() + 1);
        long sweepNs = harness.loop.nowNs() - beganNs;
        assertThat(sweepNs).as("time of the waits").isPositive();
        return sweepNs;
    }

    /** Moves the cable of the SM while a sweep writes tables. Returns wrong answers at rest. */
    List<String> moveSmAfter(long delayNs, String otherHost) {
        beginTakeoverWithOtherRoutes();
        int endsBefore = harness.ends.size();
        harness.loop.runFor(delayNs);
        harness.keepsRequests = false;
        assertThat(harness.countAllSets()).as("writes before the move").isPositive();
        assertThat(harness.ends).as("sweeps before the move").hasSize(endsBefore);
        history.add("SM moved to " + otherHost + " after " + delayNs + " ns");
        assertThat(swap(harness.node(harness.host), harness.node(otherHost))).isTrue();
        checkAtRest();
        return wrong;
    }

    private void beginTakeoverWithOtherRoutes() {
        bringUp();
        harness.engine = new DorEngine();
        harness.view = null;
        harness.restart();
        harness.requests.clear();
        harness.keepsRequests = true;
        harness.sweeper.sweepHeavy();
    }

    /** Takes over with a host that does not respond and no other fault. Returns the time until the SA responds. */
    long checkTimeWithSilentHost() {
        beginTakeoverWithSilentHost();
        long beganNs = harness.loop.nowNs();
        int endsBefore = harness.ends.size();
        awaitAnswers(endsBefore);
        assertThat(harness.ends).as("sweeps before the SA responds").hasSize(endsBefore);
        long checkNs = harness.loop.nowNs() - beganNs;
        long timeOutNs = TimeUnit.MILLISECONDS.toNanos(harness.mads.timeoutMs());
        assertThat(checkNs).as("time of a check with a time-out").isGreaterThan(timeOutNs);
        return checkNs;
    }

    /** Loses a cable while the check waits for a host without responses. Returns wrong answers. */
    List<String> loseCableAfter(long delayNs) {
        beginTakeoverWithSilentHost();
        int endsBefore = harness.ends.size();
        harness.loop.runFor(delayNs);
        assertThat(harness.servedView()).as("view during the check").isNull();
        Topology.Node sw = switches.get(random.nextInt(switches.size()));
        int cable = cable(sw);
        history.add("cable lost at " + sw.description() + "/" + cable + " after " + delayNs + " ns");
        harness.fabric.unlink(sw.nodeGuid(), cable);
        awaitAnswers(endsBefore);
        harness.loop.runFor(TRAP_NS);
        if (harness.ends.size() == endsBefore) {
            checkAnswers("first");
        }
        checkAtRest();
        return wrong;
    }

    private void beginTakeoverWithSilentHost() {
        bringUp();
        Topology.Node silentHost = hosts.get(hosts.size() - 1);
        harness.fabric.setLoss(silentHost.nodeGuid(), 1, 1);
        harness.view = null;
        harness.restart();
        harness.sweeper.setAuthority(new Candidate());
        harness.sweeper.sweepHeavy();
    }

    private void bringUp() {
        harness.sweep();
        harness.awaitRest();
        harness.lastState.store(harness.sweeper.state(), Instant.EPOCH);
    }

    /** Brings the subnet up and causes up to three faults. */
    private void runFirstMaster() {
        bringUp();
        int faults = random.nextInt(4);
        for (int i = 0; i < faults; i++) {
            causeFault(Fault.ALL);
            harness.loop.runFor(random.nextInt(100_000_000));
        }
    }

    private void beginTakeover() {
        harness.view = null;
        harness.host = random.nextInt(4) == 0
                ? SweepHarness.HOST
                : hosts.get(random.nextInt(hosts.size())).description();
        harness.restart();
        harness.sweeper.setAuthority(new Candidate());
        harness.sweeper.sweepHeavy();
    }

    /** Causes a fault while the view is checked, for one seed of three. Returns whether it did. */
    private boolean causeFaultDuringCheck() {
        boolean receivesTraps = harness.host.equals(SweepHarness.HOST); // switches send them to the former master
        boolean isMidCheck = seed % 3 == 0 && receivesTraps;
        if (isMidCheck) {
            harness.loop.runFor(random.nextInt(CHECK_NS));
            causeFault(Fault.REPORTED);
        }
        return isMidCheck;
    }

    private void awaitAnswers(int endsBefore) {
        BoundedWait.until(
                harness.loop,
                "seed " + seed + ": the SA answers or the sweep ends, after " + history,
                () -> harness.servedView() != null || harness.ends.size() > endsBefore,
                WAIT_NS);
    }

    private void causeLateFault() {
        if (random.nextInt(3) == 0) {
            harness.loop.runFor(random.nextInt(2_000_000));
            causeFault(Fault.ALL);
            harness.loop.runFor(random.nextInt(100_000_000));
        }
    }

    /** Checks the answers after all sweeps. The view of an SM without a switch stays out of date. */
    private void checkAtRest() {
        harness.awaitRest();
        harness.sweepLight();
        harness.awaitRest();
        if (!isAttached()) {
            return;
        }
        if (harness.sweeper.view() == null) {
            wrong.add("no view at rest, after " + history + ": " + harness.ends);
        }
        checkAnswers("last");
    }

    /** Checks whether the SM has a cable to a switch with power. */
    private boolean isAttached() {
        SimInterventions devices = harness.fabric.interventions();
        SimInterventions.CableEnd switchEnd =
                devices.peer(harness.node(harness.host).nodeGuid(), 1);
        return switchEnd != null && devices.isPowered(switchEnd.nodeGuid());
    }

    /** Adds at most three wrong answers of the served view, if there is one. */
    private void checkAnswers(String when) {
        PublishedView view = harness.servedView();
        if (view != null) {
            new AnswerJudge(harness.fabric, view)
                    .wrongAnswers().stream()
                            .limit(3)
                            .forEach(answer -> wrong.add(when + ", after " + history + ": " + answer));
        }
    }

    private void causeFault(List<Fault> candidates) {
        Fault fault = candidates.get(random.nextInt(candidates.size()));
        Topology.Node host = hosts.get(random.nextInt(hosts.size()));
        Topology.Node sw = switches.get(random.nextInt(switches.size()));
        int cable = cable(sw);
        SimInterventions devices = harness.fabric.interventions();
        history.add(fault + " " + host.description() + " " + sw.description() + "/" + cable);

        switch (fault) {
            case LOST_CABLE -> harness.fabric.unlink(sw.nodeGuid(), cable);
            case BOUNCING_CABLE -> {
                harness.fabric.unlink(sw.nodeGuid(), cable);
                harness.fabric.relink(sw.nodeGuid(), cable);
            }
            case FAILED_SWITCH -> harness.fabric.failSwitch(sw.nodeGuid());
            case RESTARTED_SWITCH -> {
                harness.fabric.failSwitch(sw.nodeGuid());
                harness.fabric.restoreSwitch(sw.nodeGuid());
            }
            case LOST_HOST -> harness.fabric.unlink(host.nodeGuid(), 1);
            case RESTARTED_HOST -> harness.fabric.restartHost(host.nodeGuid());
            case SWAPPED_HOSTS -> swap(host, hosts.get(random.nextInt(hosts.size())));
            case CHANGED_LID -> devices.setLid(host.nodeGuid(), 1, 1 + random.nextInt(40), 0);
            case SILENT_HOST -> harness.fabric.setLoss(host.nodeGuid(), 1, 1);
            case OTHER_MASTER -> runOtherMaster();
        }
    }

    /** Returns the number of a port with a cable to a switch. */
    private int cable(Topology.Node sw) {
        int[] cables = IntStream.rangeClosed(1, sw.numPorts())
                .filter(portNum -> {
                    SimInterventions.CableEnd far =
                            harness.fabric.interventions().peer(sw.nodeGuid(), portNum);
                    return far != null && switches.stream().anyMatch(each -> each.nodeGuid() == far.nodeGuid());
                })
                .toArray();
        return cables.length == 0 ? 1 : cables[random.nextInt(cables.length)];
    }

    /** Exchanges the cables of two hosts if both have one. Returns whether it did. */
    private boolean swap(Topology.Node host, Topology.Node otherHost) {
        SimInterventions devices = harness.fabric.interventions();
        SimInterventions.CableEnd switchEnd = devices.peer(host.nodeGuid(), 1);
        SimInterventions.CableEnd otherSwitchEnd = devices.peer(otherHost.nodeGuid(), 1);
        if (host.equals(otherHost) || switchEnd == null || otherSwitchEnd == null) {
            return false;
        }
        harness.fabric.unlink(host.nodeGuid(), 1);
        harness.fabric.unlink(otherHost.nodeGuid(), 1);
        devices.link(new SimInterventions.CableEnd(host.nodeGuid(), 1), otherSwitchEnd);
        devices.link(new SimInterventions.CableEnd(otherHost.nodeGuid(), 1), switchEnd);
        return true;
    }

    /** Lets another SM be master for a while, with other routes. Without a cable it is master of no other device. */
    private void runOtherMaster() {
        harness.host = hosts.get(random.nextInt(hosts.size())).description();
        if (!isAttached()) {
            return;
        }
        harness.engine = random.nextBoolean() ? new DorEngine() : new MinHopEngine();
        harness.restart();
        harness.sweep();
        harness.awaitRest();
    }
}
