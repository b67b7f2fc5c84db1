package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.Rates;
import io.torussm.sim.GroupClient;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyException;
import io.torussm.sim.topology.TopologyText;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A whole SM on an embedded fabric with faulty devices, in virtual time. Phases with faults alternate with phases
 * without further faults. In the former, agents become faulty and are repaired, links restart between any two stages of
 * a sweep, hosts come and go, and the SM dies. In the latter, cables and power are restored, but faulty devices stay
 * faulty. Then, within {@link #BOUND_NS}, every healthy host that healthy switches connect with the SM has its LID, its
 * routes, the right rates, its groups and responses of the SA.
 *
 * <p>{@link StormGround} is the fabric and its settings, {@link StormFabric} changes cables, power and hosts,
 * {@link StormDevices} changes agents, {@link StormHost} runs the SM, {@link DeviceStormChecks} verifies, and
 * {@link StormStory} has the clock, the random numbers and the log. All random numbers come from one generator, so that
 * a seed repeats a run if the order of draws stays. Tests name seeds of former defects.
 */
final class DeviceStorm {
    /**
     * Max time from the end of faults until all healthy hosts have everything. A host repeats a join after up to 19 s,
     * and a switch in quarantine is tried again after up to 160 s.
     */
    static final long BOUND_NS = TimeUnit.SECONDS.toNanos(200);

    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long REST_NS = TimeUnit.SECONDS.toNanos(30);

    /**
     * Max time of sweeps that follow each other because of a faulty device. There are up to four, each of which waits
     * for time-outs of the device; the third publishes, the fourth verifies.
     */
    private static final long REPEATED_SWEEPS_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int RATE_QDR = rateCode("40");
    private static final int RATE_NDR = rateCode("400");
    private static final int SM_PRIORITY = 5;
    private static final int GROUPS = 3;
    private static final List<String> TORI = List.of(
            "torus:3x3x1",
            "torus:4x4x1",
            "torus:5x4x1",
            "torus:3x3x3",
            "torus:4x3x3",
            "torus:4x4x1,ports=40",
            "torus:3x3x1,links=2,ports=65",
            "torus:3x3x1,ports=36");

    /** The shapes of fabrics on which one switch and some hosts may also report false values. */
    private static final List<String> SHAPES_WITH_FALSE_VALUES =
            List.of("tree:3,2", "tree:leaves=4,spines=2,uplinks=4,hosts=2", "tree:down=2x2x3,up=1x2x2", "torus:4x4x1");

    private final StormStory story;
    private final StormFabric fabric;
    private final StormDevices devices;
    private final DeviceStormChecks checks;
    private final StormHost smHost;

    /**
     * Whether the SM may die. If so, all hosts support client reregistration, because joins of its last second may not
     * be on the disk yet.
     */
    private final boolean mayDie;

    private int probes;

    /**
     * The actions of a phase with faults. The order and the sum of the weights are part of the meaning of a seed.
     */
    private final List<Weighted> actions;

    /**
     * An action.
     *
     * @param weight probability of the action, relative to the sum of all weights
     */
    private record Weighted(int weight, Runnable action) {}

    /** Draws a fabric and its devices; nothing runs yet. */
    DeviceStorm(long seed, Path dir) throws IOException, ConfigurationException, TopologyException {
        this(new StormStory(seed), dir, false);
    }

    /**
     * Draws a fabric and its devices for a story that has just begun, and writes the configuration of the SM.
     *
     * @param hasFalseValues whether some devices report false values
     */
    DeviceStorm(StormStory story, Path dir, boolean hasFalseValues)
            throws IOException, ConfigurationException, TopologyException {
        this.story = story;
        mayDie = story.random.nextBoolean();
        StormGround ground = hasFalseValues
                ? StormGround.random(story, SHAPES_WITH_FALSE_VALUES, 1)
                : StormGround.of(story.pick(TORI) + ",hosts=" + (1 + story.random.nextInt(2)));
        boolean isNdr = story.random.nextBoolean();
        Topology topology = isNdr ? withNdr(ground.topology()) : ground.topology();
        Map<Long, AgentProfile> agents = new TreeMap<>();
        DeviceModels models = StormDevices.draw(story.random, topology, agents, mayDie);
        boolean isSlow = story.random.nextBoolean();
        FaultPlan wires = drawWires(story, isSlow);
        story.log(ground.text()
                + (hasFalseValues ? ", false values" : "")
                + (isNdr ? ", NDR" : "")
                + (isSlow ? ", slow" : ""));
        SmOptions options = options(ground, dir);
        int smHosts = 3;
        fabric = new StormFabric(story, topology, models, wires, smHosts);
        devices = new StormDevices(story, fabric, ground, agents, hasFalseValues);
        int rate = hasFalseValues ? DeviceStormChecks.ANY_RATE : isNdr ? RATE_NDR : RATE_QDR;
        checks = new DeviceStormChecks(story, fabric, devices, rate);
        smHost = StormHost.ofOnlySm(
                story, fabric, checks, fabric.smHosts.get(0), SM_PRIORITY, dir.resolve("state"), options);
        actions = List.of(
                new Weighted(4, devices::makeFaulty),
                new Weighted(2, devices::repair),
                new Weighted(4, devices::bounce),
                new Weighted(2, this::toggleCable),
                new Weighted(1, fabric::powerCycle),
                new Weighted(1, fabric::disconnectHost),
                new Weighted(1, fabric::reconnectHost),
                new Weighted(1, fabric::restartHost),
                new Weighted(1, this::killIfAllowed),
                new Weighted(1, smHost::sweepHeavy),
                new Weighted(1, fabric::setLoss),
                new Weighted(3, this::toggleMembership));
    }

    private static int rateCode(String gigabits) {
        return Rates.ofGigabits(gigabits).orElseThrow();
    }

    /** Draws the duplication of MADs. In a slow fabric, agents take 2 ms, and MADs are delayed by up to 9 ms. */
    private static FaultPlan drawWires(StormStory story, boolean isSlow) {
        double loss = 0;
        double duplication = story.random.nextInt(2) * 0.03;
        long hopLatencyNs = 1_000;
        long deviceLatencyNs = isSlow ? 2_000_000 : 10_000;
        long jitterNs = isSlow ? 9_000_000 : 50_000;
        return new FaultPlan(story.seed, loss, duplication, hopLatencyNs, deviceLatencyNs, jitterNs);
    }

    /** Writes torus-2QoS.conf, and returns options that name it if the fabric is a torus. */
    private static SmOptions options(StormGround ground, Path dir) throws IOException, ConfigurationException {
        Path conf = dir.resolve("torus-2QoS.conf");
        Files.writeString(conf, ground.conf());
        Map<Setting<?>, String> settings = new TreeMap<>(ground.settings());
        if (ground.isTorus()) {
            settings.put(Settings.TORUS_CONFIG, conf.toString());
        }
        return ServiceHarness.options(dir.resolve("state"), settings);
    }

    /** Draws a fabric, a tree in three cases of four, on which one switch and some hosts may report false values. */
    static DeviceStorm withFalseValues(long seed, Path dir)
            throws IOException, ConfigurationException, TopologyException {
        return new DeviceStorm(new StormStory(seed), dir, true);
    }

    /** Returns a copy of a topology of QDR cables with NDR cables. */
    private static Topology withNdr(Topology topology) throws IOException, TopologyException {
        StringBuilder qdr = new StringBuilder();
        TopologyText.write(topology, qdr);
        String ndr = qdr.toString().replace("4xQDR", "4xNDR");
        assertThat(ndr).contains("4xNDR");
        return TopologyText.read("ndr", new StringReader(ndr));
    }

    /** Returns the virtual time in milliseconds. */
    long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(story.loop.nowNs());
    }

    StormTally run() {
        smHost.start();
        int phases = 2 + story.random.nextInt(3);
        for (int i = 0; i < phases; i++) {
            injectFaults();
            checkRecovery();
        }
        devices.repairAll();
        checkRecovery();
        List<Topology.Node> connected = checks.healthyHosts();
        List<String> unconnected = fabric.hosts.stream()
                .filter(host -> !connected.contains(host))
                .map(Topology.Node::description)
                .toList();
        story.check(unconnected.isEmpty(), "all devices are repaired, but not connected are " + unconnected);
        return story.tally;
    }

    private void injectFaults() {
        devices.isBouncing = true;
        int events = 5 + story.random.nextInt(20);
        for (int i = 0; i < events; i++) {
            smHost.startAtRandom();
            runRandomAction();
            story.advanceRandomly();
            checks.checkLids();
        }
    }

    private void runRandomAction() {
        story.tally.events++;
        int sum = actions.stream().mapToInt(Weighted::weight).sum();
        int rest = story.random.nextInt(sum);
        int index = 0;
        while (rest >= actions.get(index).weight()) {
            rest -= actions.get(index).weight();
            index++;
        }
        actions.get(index).action().run();
    }

    private void toggleCable() {
        if (fabric.mayFail()) {
            fabric.pullCable();
        } else {
            fabric.repair();
        }
    }

    private void killIfAllowed() {
        if (mayDie) {
            smHost.kill();
        }
    }

    private static Gid group(int number) {
        return new Gid(0xff12_401b_ffff_0000L, 0x100 + number);
    }

    private void toggleMembership() {
        Topology.Node host = story.pick(fabric.hosts);
        GroupClient client = fabric.devices.groups(host.nodeGuid(), 1);
        Gid mgid = group(story.random.nextInt(GROUPS));
        boolean isJoin = !client.wantedGroups().contains(mgid);
        story.log(host.description() + (isJoin ? " joins " : " leaves ") + mgid);
        if (isJoin) {
            client.join(mgid);
        } else {
            client.leave(mgid);
        }
    }

    private void checkRecovery() {
        story.tally.lulls++;
        endFaults();
        long neededNs = awaitRecovery();
        story.tally.worstNs = Math.max(story.tally.worstNs, neededNs);
        story.tally.sumNs += neededNs;
        checkStability();
        checkSa();
        checks.checkLids();
    }

    /** Restores cables and power, and starts an SM if none runs. Faulty devices stay faulty. */
    private void endFaults() {
        story.log("faults end");
        devices.isBouncing = false;
        story.advance(TimeUnit.SECONDS.toNanos(1));
        fabric.repairAll();
        fabric.endLosses();
        if (smHost.sm() == null) {
            smHost.start();
        }
    }

    /** Waits until all healthy hosts have everything; returns the time that this took. */
    private long awaitRecovery() {
        checks.sweeps = 0;
        long sinceNs = story.loop.nowNs();
        String missing = checks.shortcoming(smHost.running());
        while (!missing.isEmpty() && story.loop.nowNs() - sinceNs < BOUND_NS) {
            story.advance(STEP_NS);
            missing = checks.shortcoming(smHost.running());
        }
        story.check(
                missing.isEmpty(),
                seconds(BOUND_NS) + " and " + checks.sweeps + " sweeps after the faults: " + missing);
        long neededNs = story.loop.nowNs() - sinceNs;
        story.log("all healthy hosts are served after " + seconds(neededNs));
        return neededNs;
    }

    private static String seconds(long ns) {
        return ns / 1e9 + " s";
    }

    /** Checks that healthy parts stay good after every sweep, however often the SM retries faulty devices. */
    private void checkStability() {
        long untilNs = story.loop.nowNs() + REST_NS;
        while (story.loop.nowNs() < untilNs) {
            story.advance(TimeUnit.SECONDS.toNanos(5));
            FabricSm sm = smHost.running();
            story.check(
                    story.loop.runUntil(sm.sweeper::isResting, REPEATED_SWEEPS_LIMIT_NS),
                    "one sweep follows another for " + seconds(REPEATED_SWEEPS_LIMIT_NS));
            String missing = checks.shortcoming(sm);
            story.check(missing.isEmpty(), "at rest: " + missing);
        }
    }

    /** Checks that the SA lets every healthy host join a new group over the fabric. */
    private void checkSa() {
        Gid probe = group(0x1000 + probes++);
        List<Topology.Node> hosts = checks.healthyHosts();
        hosts.forEach(host -> fabric.devices.groups(host.nodeGuid(), 1).join(probe));
        story.advance(ANSWER_NS);
        for (Topology.Node host : hosts) {
            GroupClient client = fabric.devices.groups(host.nodeGuid(), 1);
            story.check(client.joinedGroups().contains(probe), "the SA does not respond to " + host.description());
            client.leave(probe);
        }
        story.advance(ANSWER_NS);
    }
}
