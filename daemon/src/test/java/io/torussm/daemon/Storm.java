package io.torussm.daemon;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.recording.Recording;
import io.torussm.sim.model.FaultPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A whole SM on an embedded torus or tree in virtual time, with random faults from a seed: gusts of faults
 * with loss on the wires, and lulls without. {@link FabricJudge} checks the devices whenever the SM is idle,
 * and often in between. A seed repeats the whole run.
 */
final class Storm {
    /** One of so many storms has no last resort. */
    private static final int STRICT_RUN_INTERVAL = Integer.getInteger("campaign.strict", 4);

    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Two light sweeps, and the longest pause of the damper. */
    private static final long REFUSAL_STANDS_NS = TimeUnit.SECONDS.toNanos(25);

    /** Remaining work appears within two light sweeps. */
    private static final long REST_NS = TimeUnit.SECONDS.toNanos(21);

    private static final long STABILITY_TIME_NS = TimeUnit.SECONDS.toNanos(12);
    private static final String WHOLE_SWEEP = "a whole sweep";

    /** Tori of up to 64 switches. */
    static final Scale SMALL = new Scale(
            TimeUnit.SECONDS.toNanos(30),
            2,
            true,
            "torus:5x6x1",
            "torus:6x5x1",
            "torus:4x5x1",
            "torus:8x4x1",
            "torus:1x6x4",
            "torus:3x3x3",
            "torus:4x3x3",
            "torus:5x4x3",
            "torus:4x4x4",
            "torus:5x5x1,mesh=x",
            "torus:4x4x3,mesh=z",
            "torus:4x3x3,mesh=xy",
            "torus:5x3x3,mesh=y");

    /** 512 switches with a host each. Their faults exceed the limits of torus-2QoS alone. */
    static final Scale LARGE = new Scale(TimeUnit.SECONDS.toNanos(60), 1, false, "torus:8x8x8");

    /** Trees of two and three levels, one with parallel cables. */
    static final Scale TREES = new Scale(
            TimeUnit.SECONDS.toNanos(30),
            1,
            true,
            "tree:4,2,hosts=2",
            "tree:leaves=4,spines=2,uplinks=4,hosts=3",
            "tree:down=2x2x3,up=1x2x2");

    /**
     * The size of fabrics.
     *
     * @param boundNs time limit from the end of faults to the correct state; docs/developer/sweeps.md states
     *     it
     * @param maxParallelCables cables between two switches
     * @param mayHaveSlowLinks whether some have slow links
     */
    record Scale(long boundNs, int maxParallelCables, boolean mayHaveSlowLinks, String... shapes) {}

    private final Scale scale;
    private final StormGround ground;
    private final StormStory story;
    /** True if a second SM replicates the state of the first and takes over from it. */
    private final boolean isPaired;

    private final StormFabric fabric;
    private final StormChecks checks;
    private final StormSms sms;
    private final StormGroups groups;

    /** Null except on trees. */
    private final @Nullable StormLosses losses;

    /**
     * Tables of the whole fabric before the first fault; empty if it was not whole, or if an engine is chosen
     * that stays.
     */
    private List<FabricJudge.Tables> wholeFabricTables = List.of();

    /** Draws a fabric; nothing runs yet. */
    Storm(Scale scale, long seed, Path dir) throws IOException, ConfigurationException {
        this(scale, new StormStory(seed), dir);
    }

    /** Draws a fabric for a story that has just begun. */
    Storm(Scale scale, StormStory story, Path dir) throws IOException, ConfigurationException {
        this.scale = scale;
        this.story = story;
        long seed = story.seed;
        isPaired = seed % 2 == 1;
        Random random = story.random;
        ground = StormGround.random(story, List.of(scale.shapes()), scale.maxParallelCables());
        boolean isSlow = random.nextBoolean() && scale.mayHaveSlowLinks();
        FaultPlan faults = new FaultPlan(
                seed, 0, random.nextInt(3) * 0.03, 1000, isSlow ? 5_000_000 : 10_000, isSlow ? 30_000_000 : 50_000);
        int maxFaults = 1 + random.nextInt(random.nextBoolean() ? 2 : 8);
        Path conf = dir.resolve("torus-2QoS.conf");
        Files.writeString(conf, ground.conf());
        Map<Setting<?>, String> settings = drawSettings();
        settings.putAll(ground.settings());
        if (seed % STRICT_RUN_INTERVAL == 0 && ground.isTorus()) {
            settings.put(Settings.ROUTING_ENGINE, "torus-2QoS,no_fallback");
        }
        story.log(ground.text() + (isPaired ? ", two SMs" : "") + ", " + settings + (isSlow ? ", slow" : "")
                + ", at most " + maxFaults + " faults");
        if (ground.isTorus()) {
            settings.put(Settings.TORUS_CONFIG, conf.toString());
        }
        SmOptions options = ServiceHarness.options(dir.resolve("state"), settings);
        fabric = new StormFabric(story, ground.topology(), faults, maxFaults, isPaired ? 2 : 1);
        checks = new StormChecks(story, fabric, options.sweep().lmc());
        checks.areSwitchesServed = ground.isTorus();
        fabric.resetListener = checks::forget;
        sms = new StormSms(story, fabric, checks, dir, conf, ground, options);
        losses = ground.isTorus() ? null : new StormLosses(story, fabric);
        if (losses != null) {
            sms.setEventRecorder(losses);
        }
        groups = new StormGroups(story, fabric, options.sweep().gidPrefix());
    }

    private Map<Setting<?>, String> drawSettings() {
        Random random = story.random;
        Map<Setting<?>, String> settings = new TreeMap<>();
        settings.put(Settings.LMC, random.nextInt(5) == 0 ? "1" : "0");
        if (random.nextInt(4) == 0) {
            settings.put(Settings.M_KEY, "0x77");
            settings.put(Settings.M_KEY_PROTECTION_LEVEL, String.valueOf(1 + random.nextInt(3)));
            settings.put(Settings.M_KEY_LEASE_PERIOD, random.nextBoolean() ? "0" : "60");
        }
        return settings;
    }

    private void event() {
        story.tally.events++;
        switch (story.random.nextInt(27)) {
            case 0, 1, 2 -> {
                if (fabric.mayFail()) {
                    fabric.pullCable();
                } else {
                    fabric.repair();
                }
            }
            case 3, 4, 5 -> fabric.repair();
            case 6 -> fabric.flap();
            case 7 -> {
                if (fabric.mayFail()) {
                    fabric.failRandomSwitch();
                } else {
                    fabric.repair();
                }
            }
            case 8 -> fabric.powerCycle();
            case 9, 10 -> fabric.disconnectHost();
            case 11, 12 -> fabric.reconnectHost();
            case 13 -> groups.forget(fabric.restartHost());
            case 14, 15 -> sms.kill();
            case 16 -> sms.end();
            case 17, 18, 19 -> groups.toggleMembership();
            case 20 -> sms.reread();
            case 21 -> sms.reroute();
            case 22 -> sms.sweepHeavy();
            case 23, 24 -> sms.sendNoise(1 + story.random.nextInt(20));
            case 25 -> fabric.makeCableLossy();
            default -> fabric.setLoss();
        }
    }

    private void endFaults() {
        story.log("lull");
        fabric.endLosses();
        sms.endFaults();
    }

    private void checkInvariants() {
        checks.checkInvariants(sms.sm());
    }

    /**
     * Waits until the SM is idle and the fabric is in the correct state. Returns whether the subnet is up. A
     * shortcoming at the end of a sweep is checked again, since a group that changed meanwhile is programmed
     * after it.
     */
    private boolean converge() {
        story.tally.lulls++;
        long sinceNs = story.loop.nowNs();
        long restsSinceNs = -1;
        int sweeps = -1;
        String missing = "";
        while (restsSinceNs >= 0 || story.loop.nowNs() - sinceNs <= scale.boundNs()) {
            story.advance(STEP_NS);
            FabricSm now = sms.master();
            if (sweeps != sms.endedSweeps()) {
                missing = "the last sweep: " + sms.lastEnd();
                restsSinceNs = -1;
            }
            boolean isResting = now.sweeper.isResting() && now.mastership.isMaster();
            if (isResting && sms.lastEnd().equals("up") && restsSinceNs < 0) {
                sweeps = sms.endedSweeps();
                checks.readLids();
                checks.readSls(now);
                missing = shortcoming(now);
                restsSinceNs = missing.isEmpty() ? story.loop.nowNs() : -1;
            } else if (isResting && restsSinceNs >= 0 && story.loop.nowNs() - restsSinceNs >= REST_NS) {
                recordConvergence(restsSinceNs - sinceNs);
                return true;
            } else if (isResting
                    && sms.lastEnd().startsWith("refused")
                    && story.loop.nowNs() - sinceNs >= REFUSAL_STANDS_NS) {
                story.tally.refusedLulls++;
                String broken = checks.lossOnGrantedPath(now);
                story.check(broken.isEmpty(), "while refused: " + broken);
                return false;
            }
        }
        throw story.violation("not at rest after " + scale.boundNs() / 1e9 + " s: " + missing + "; "
                + sms.master().mastership.state());
    }

    private String shortcoming(FabricSm now) {
        String missing = checks.shortcoming(now);
        return missing.isEmpty() && losses != null ? losses.shortcoming(now, sms.running()) : missing;
    }

    private void recordConvergence(long neededNs) {
        story.log("converged after " + neededNs / 1e9 + " s");
        story.tally.worstNs = Math.max(story.tally.worstNs, neededNs);
        story.tally.sumNs += neededNs;
    }

    private void checkRecovery() {
        endFaults();
        boolean isUp = converge();
        checkInvariants();
        checkStability(isUp, "waiting");
        if (isUp && story.random.nextBoolean()) {
            reconcileGroups();
        }
        if (story.random.nextBoolean()) {
            ignoreNoise(isUp);
        }
        if (!isUp || story.random.nextBoolean()) {
            sms.sweepMasterHeavy();
            checkStability(isUp, WHOLE_SWEEP);
        }
    }

    /** Checks that nothing changes while the SM is idle. */
    private void checkStability(boolean isUp, String meanwhile) {
        FabricSm now = sms.master();
        List<FabricJudge.Tables> tables = checks.allTables();
        story.advance(STABILITY_TIME_NS);
        story.check(
                story.loop.runUntil(now.sweeper::isResting, TimeUnit.SECONDS.toNanos(5)), "no rest after " + meanwhile);
        story.check(now == sms.master() && now.mastership.isMaster(), "another master after " + meanwhile);
        story.check(
                sms.lastEnd().startsWith("refused") != isUp,
                "sweeps disagree after " + meanwhile + ": " + sms.lastEnd());
        boolean mayDealOutAnew = meanwhile.equals(WHOLE_SWEEP) && fabric.isAnyHostAbsent();
        String difference = mayDealOutAnew ? "" : checks.difference(now, tables);
        story.check(
                difference.isEmpty(),
                "tables changed during " + meanwhile + " although nothing else did: " + difference);
        String missing = isUp ? shortcoming(now) : "";
        story.check(missing.isEmpty(), "after " + meanwhile + ": " + missing);
        checkInvariants();
    }

    private void reconcileGroups() {
        FabricSm now = sms.master();
        groups.reconcile(now, checks.connected(now));
        String missing = checks.shortcoming(now);
        story.check(missing.isEmpty(), "after joins: " + missing);
        checkInvariants();
    }

    private void ignoreNoise(boolean isUp) {
        FabricSm now = sms.master();
        long counted = counted(now);
        int count = 1 + story.random.nextInt(50);
        sms.sendNoiseToMaster(count);
        checkStability(isUp, count + " hostile MADs");
        story.check(
                counted(now) - counted >= count,
                "of " + count + " hostile MADs " + (counted(now) - counted) + " are counted");
        story.check(now.client.stats().failures() == 0, "a handler failed");
        story.check(now.administrator.stats().defects() == 0, "the SA failed");
    }

    private static long counted(FabricSm of) {
        var mads = of.client.stats();
        var queries = of.administrator.stats();
        var gmps = of.counters.requests();
        return mads.late()
                + mads.unsolicited()
                + mads.malformed()
                + mads.overflow()
                + gmps.late()
                + of.reporter.stats().late()
                + queries.requests()
                + queries.waiting()
                + queries.dropped();
    }

    /** Returns the clock of the storm. */
    long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(story.loop.nowNs());
    }

    /** Sets the number of bytes to record of the traffic of each SM. */
    void record(long bytes) {
        story.recordedBytes = bytes;
    }

    /** Returns the recorded traffic of the master; null if none was to be recorded. */
    @Nullable
    Recording recording() {
        return sms.master().recorder.ring().recording("the end of the storm");
    }

    /** Returns the priority of the master. */
    int priority() {
        return sms.master().settings.priority;
    }

    StormTally run() {
        return run(Integer.MAX_VALUE);
    }

    /** Runs the storm, or only its first gusts. */
    StormTally run(int max) {
        begin();
        int gusts = Math.min(max, 2 + story.random.nextInt(4));
        for (int i = 0; i < gusts; i++) {
            injectFaults();
            checkRecovery();
        }
        fabric.repairAll();
        endFaults();
        story.check(converge(), "the whole fabric is refused");
        checkStability(true, "the end");
        if (!wholeFabricTables.isEmpty()) {
            String difference = checks.difference(sms.master(), wholeFabricTables);
            story.check(
                    difference.isEmpty(), "the repaired fabric has other tables than in the beginning: " + difference);
        }
        return story.tally;
    }

    /**
     * Starts with the whole torus, or with half of the hosts switched off. Two SMs start with the whole
     * torus. Otherwise two masters of parts of it could meet, and each would have assigned LIDs.
     */
    private void begin() {
        if (story.random.nextBoolean() || isPaired || losses != null) {
            sms.start();
            story.check(converge(), "the whole fabric is refused");
            wholeFabricTables = ground.isAutoOnTree() ? List.of() : checks.allTables();
            checkInvariants();
        } else {
            fabric.clientHosts.stream()
                    .filter(host -> story.random.nextBoolean())
                    .forEach(fabric::disconnect);
            sms.start();
        }
    }

    private void injectFaults() {
        fabric.setLoss();
        int events = 3 + story.random.nextInt(20);
        for (int i = 0; i < events; i++) {
            sms.startAtRandom();
            event();
            story.advanceRandomly();
            checkInvariants();
        }
    }
}
