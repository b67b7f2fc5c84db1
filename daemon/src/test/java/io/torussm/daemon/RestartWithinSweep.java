package io.torussm.daemon;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mad.Method;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.BoundedWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A whole SM with torus-2QoS on an embedded torus in virtual time, and one device that restarts when an SMP of a sweep
 * comes to some agent: it loses LIDs, tables and port states, and may be silent for a while. What happens is drawn from
 * a seed.
 */
final class RestartWithinSweep {
    /** Cables of 200 ns, and agents that take 50 us for an answer. */
    private static final FaultPlan REAL = new FaultPlan(1, 0, 0, 200, 50_000, 0);

    private static final String SM_HOST = "host-0-0-0-0";
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(120);

    /** The light sweep that finds a host which is silent for 5 s after it was read, and trap 128 once or twice more. */
    private static final long BOUND_NS = TimeUnit.SECONDS.toNanos(6);

    private static final long SOON_NS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long REST_NS = TimeUnit.SECONDS.toNanos(21);
    private static final long NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The type of sweep in which the device restarts. */
    enum SweepType {
        /** The first one of a fabric that has just been switched on. */
        COLD,
        /** All is read again. */
        WHOLE,
        /** A cable elsewhere is lost. */
        LOCAL,
        /** Another SM takes over. */
        TAKEOVER
    }

    /** How it restarts. */
    enum RestartType {
        /** Its links go down, and come up when the silence is over. */
        POWER,
        /** Its links go down and train again at once, but its agent is silent for a while. */
        AGENT
    }

    /** The kind of the SMP at which the device restarts, or the end of the sweep. */
    record Kind(int attributeId, int method) {
        /** No SMP: the end of the sweep. */
        static final Kind END = new Kind(0, 0);

        @Override
        public String toString() {
            return equals(END)
                    ? "the end"
                    : String.format("%s(0x%02x)", method == Method.GET ? "Get" : "Set", attributeId);
        }
    }

    private final StormStory story;
    private final SweepType sweepType;
    private final RestartType restartType;
    private final Topology.Node victim;
    private final long silenceNs;
    private final SmOptions options;
    private final StormFabric fabric;
    private final StormChecks checks;
    private final Map<Kind, Integer> smpsByKind = new TreeMap<>(Comparator.comparing(Kind::toString));
    private final List<String> ends = new ArrayList<>();
    private final List<FabricSm> sms = new ArrayList<>();
    private boolean isCounting;
    private @Nullable Runnable endAction;
    private boolean hasRestarted;
    private long outageSinceNs = -1;
    private long outageNs;
    private String outageProblem = "";

    /** Draws it; nothing runs yet. */
    RestartWithinSweep(String torus, StormStory story, Path dir) throws IOException, ConfigurationException {
        this.story = story;
        TorusSpec spec = TorusSpec.parse(torus);
        sweepType = story.pick(List.of(SweepType.values()));
        restartType = story.pick(List.of(RestartType.values()));
        silenceNs = story.pick(List.of(0L, 1L, 30L, 300L, 1000L, 5000L)) * NS_PER_MS;
        Path conf = dir.resolve("torus-2QoS.conf");
        Files.writeString(conf, spec.torus2QosConf());
        options = ServiceHarness.options(dir.resolve("state"), Map.of(Settings.TORUS_CONFIG, conf.toString()));
        fabric = new StormFabric(story, spec.topology(), REAL, 1, 2);
        checks = new StormChecks(story, fabric, 0);
        List<String> names = List.of("sw-0-0-0", "sw-1-0-0", "sw-2-1-0", "sw-3-2-0", "host-2-1-0-0", "host-0-1-0-0");
        victim = node(story.pick(names));
    }

    private FabricSm startSm(String host, int priority) {
        FabricSm sm = new FabricSm(story.loop, fabric.devices, host, priority, options).trustPortsOf(fabric.topology);
        sm.sweepEndListener = this::ended;
        sms.add(sm);
        return sm.start();
    }

    private void ended(String outcome) {
        if (outcome.equals("multicast")) {
            return;
        }
        story.log("sweep: " + outcome);
        story.tally.sweeps++;
        ends.add(outcome);
        if (hasRestarted) {
            checks.forgetAll();
        }
        Runnable then = endAction;
        endAction = null;
        if (then != null) {
            then.run();
        }
    }

    /** Returns the master SM, or the only one. */
    private FabricSm sm() {
        return sms.stream().filter(sm -> sm.mastership.isMaster()).findFirst().orElseGet(() -> sms.get(sms.size() - 1));
    }

    private boolean runUntilIdle() {
        return story.loop.runUntil(
                () -> sm().isUp() && sm().sweeper.isResting() && !ends.isEmpty(), TimeUnit.MINUTES.toNanos(5));
    }

    /** Brings all up that is up before the occasion. */
    private void prepare() {
        if (sweepType != SweepType.COLD) {
            startSm(SM_HOST, 5);
            story.check(runUntilIdle(), "no rest at first");
            if (sweepType == SweepType.TAKEOVER) {
                startSm(fabric.smHosts.get(1).description(), 4);
                story.advance(TimeUnit.SECONDS.toNanos(30));
                story.check(runUntilIdle(), "no rest with two");
            }
            String missing = shortcoming();
            story.check(missing.isEmpty(), missing);
            checks.checkInvariants(sm());
        }
        ends.clear();
    }

    private String shortcoming() {
        checks.readLids();
        checks.readSls(sm());
        return checks.shortcoming(sm());
    }

    private void begin() {
        switch (sweepType) {
            case COLD -> startSm(SM_HOST, 5);
            case WHOLE -> sm().mastership.sweepHeavy();
            case LOCAL -> fabric.devices.unlink(node("sw-1-3-0").nodeGuid(), 1);
            case TAKEOVER -> {
                sms.get(0).kill();
                sms.remove(0);
            }
        }
    }

    private Topology.Node node(String name) {
        return fabric.topology.node(name).orElseThrow();
    }

    private void restart() {
        hasRestarted = true;
        story.log(victim.description() + " restarts");
        checks.forget(victim.nodeGuid());
        fabric.devices.interventions().powerOff(victim.nodeGuid());
        if (isOwn()) {
            sm().client.portChanged(false, "its link is down");
        }
        if (restartType == RestartType.POWER) {
            story.loop.schedule(silenceNs, this::restorePower);
        } else {
            restorePower();
            if (silenceNs > 0) {
                fabric.devices.setAgent(victim.nodeGuid(), AgentProfile.CONFORMING.droppingAll());
                story.loop.schedule(silenceNs, () -> {
                    story.log(victim.description() + " answers again");
                    fabric.devices.setAgent(victim.nodeGuid(), AgentProfile.CONFORMING);
                });
            }
        }
    }

    private void restorePower() {
        story.log(victim.description() + " has power again");
        fabric.devices.interventions().powerOn(victim.nodeGuid());
        if (isOwn()) {
            sm().client.portChanged(true, "");
        }
    }

    /**
     * Checks whether the device is the switch of the SM's host, whose link the operating system of the host reports.
     */
    private boolean isOwn() {
        Topology.Node host = fabric.smHosts.stream()
                .filter(each -> each.portGuid(1) == sm().guid())
                .findFirst()
                .orElseThrow();
        return victim.equals(Objects.requireNonNull(host.peer(1)).node());
    }

    /** Returns the number of SMPs of each kind in the sweep without a restart, and in the second after it. */
    Map<Kind, Integer> count() {
        prepare();
        for (int attribute : new int[] {0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1b}) {
            for (int method : new int[] {Method.GET, Method.SET}) {
                countNextRequest(new Kind(attribute, method));
            }
        }
        begin();
        BoundedWait.until(story.loop, "the sweep ends", () -> !ends.isEmpty(), LIMIT_NS);
        story.advance(TimeUnit.SECONDS.toNanos(1));
        isCounting = false;
        return smpsByKind;
    }

    private void countNextRequest(Kind kind) {
        isCounting = true;
        fabric.devices.onRequest(kind.attributeId(), kind.method(), 1, () -> {
            if (isCounting) {
                smpsByKind.merge(kind, 1, Integer::sum);
                countNextRequest(kind);
            }
        });
    }

    /**
     * Runs the sweep, and checks the result.
     *
     * @param nth index of the SMP among those of its kind that agents receive from now on, from 1
     */
    StormTally run(Kind kind, int nth) {
        prepare();
        if (kind.equals(Kind.END)) {
            endAction = this::restart;
        } else {
            fabric.devices.onRequest(kind.attributeId(), kind.method(), nth, this::restart);
        }
        String moment = kind.equals(Kind.END) ? kind.toString() : kind + " " + nth;
        story.log(sweepType + ", " + restartType + ": " + victim.description() + " restarts at " + moment
                + ", silent for " + silenceNs / NS_PER_MS + " ms");
        begin();
        converge();
        return story.tally;
    }

    /**
     * Runs the SM until the restart, and then until it is at rest. Until the restart, all is as in the sweep that was
     * counted, so a missing restart is an error of this test.
     */
    private void converge() {
        story.check(story.loop.runUntil(() -> hasRestarted, LIMIT_NS), "the device did not restart");
        long answersNs = story.loop.nowNs() + silenceNs;
        String missing = "it is silent";
        long restsNs = -1;
        while (restsNs < 0 || story.loop.nowNs() - restsNs < REST_NS) {
            story.advance(story.loop.nowNs() < answersNs - silenceNs + SOON_NS ? STEP_NS : 20 * STEP_NS);
            checkOthers();
            if (story.loop.nowNs() < answersNs) {
                continue;
            }
            boolean isResting =
                    sm().isUp() && sm().sweeper.isResting() && lastEnd().equals("up");
            missing = isResting ? shortcoming() : "no rest";
            restsNs = !missing.isEmpty() ? -1 : restsNs < 0 ? story.loop.nowNs() : restsNs;
            story.check(
                    restsNs >= 0 || story.loop.nowNs() - answersNs < BOUND_NS,
                    BOUND_NS / 1e9 + " s after it answers again: " + missing);
        }
        checks.checkInvariants(sm());
        story.check(ends.stream().noneMatch(end -> end.startsWith("refused")), "a sweep was refused: " + ends);
        story.check(outageNs < silenceNs + BOUND_NS, "for " + outageNs / 1e9 + " s " + outageProblem);
        story.tally.lulls++;
        story.tally.sumNs += restsNs - answersNs;
        story.tally.worstNs = Math.max(story.tally.worstNs, restsNs - answersNs);
    }

    private String lastEnd() {
        return ends.isEmpty() ? "" : ends.get(ends.size() - 1);
    }

    /**
     * Checks pairs of hosts that remain connected without the victim, and the SA's responses about them for
     * the last published subnet.
     */
    private void checkOthers() {
        if (sweepType != SweepType.COLD && sm().isUp()) {
            checks.readSls(sm());
            story.check(
                    checks.isGranted(sm(), node("host-3-0-0-0"), node("host-0-2-0-0")),
                    "the SA does not grant the path between two others");
        }
        String problem = sweepType == SweepType.COLD ? "" : lostByOthers();
        long nowNs = story.loop.nowNs();
        if (problem.isEmpty()) {
            outageSinceNs = -1;
        } else {
            outageSinceNs = outageSinceNs < 0 ? nowNs : outageSinceNs;
            if (nowNs - outageSinceNs > outageNs) {
                outageNs = nowNs - outageSinceNs;
                outageProblem = problem;
            }
        }
    }

    private String lostByOthers() {
        FabricJudge judge = new FabricJudge(fabric.topology, fabric.devices);
        for (Topology.Node from : fabric.hosts) {
            for (Topology.Node to : fabric.hosts) {
                if (from.equals(to) || isOfVictim(from) || isOfVictim(to) || judge.lids[to.index()] == 0) {
                    continue;
                }
                String end = checks.send(judge, from, to);
                if (!end.isEmpty()) {
                    return from.description() + " to " + to.description() + " " + end;
                }
            }
        }
        return "";
    }

    private boolean isOfVictim(Topology.Node host) {
        return host.equals(victim)
                || victim.equals(Objects.requireNonNull(host.peer(1)).node());
    }
}
