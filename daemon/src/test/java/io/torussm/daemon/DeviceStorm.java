package io.torussm.daemon;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mad.Gid;
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
 * A whole SM on an embedded torus whose devices are as bad as real ones, in virtual time: gusts in which agents go bad
 * and well, links bounce between any two stages of a sweep, hosts come and go and the SM dies; and lulls in which
 * cables and power are as they should be, but the bad devices stay bad. Then, within {@link #BOUND_NS}, every healthy
 * host that healthy switches connect with the SM has its LID, its routes, the right rates, its groups and an SA that
 * answers. Everything is replayed by its seed.
 */
final class DeviceStorm {
    /**
     * From the end of faults to the moment when all healthy hosts have everything. A host waits up to 19 s to ask
     * again, and a switch that was left out again and again 160 s to be asked.
     */
    static final long BOUND_NS = TimeUnit.SECONDS.toNanos(200);

    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long REST_NS = TimeUnit.SECONDS.toNanos(30);

    /**
     * Sweeps that follow each other because of a bad device: the third publishes, a fourth looks again, each waits for
     * it.
     */
    private static final long REPEATED_SWEEPS_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int RATE_40 = 7;
    private static final int RATE_400 = 21;
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

    /** Where one switch and some hosts lie, besides all else that bad devices do. */
    private static final List<String> FABRICS_OF_LIARS =
            List.of("tree:3,2", "tree:leaves=4,spines=2,uplinks=4,hosts=2", "tree:down=2x2x3,up=1x2x2", "torus:4x4x1");

    private final StormStory story;
    private final StormFabric fabric;
    private final StormDevices devices;
    private final DeviceStormChecks checks;
    private final StormHost smHost;
    /** An SM that dies forgets who joined in its last second; who cannot be asked to join again must not meet that. */
    private final boolean isMortal;

    private int probes;

    /** Draws a fabric and its devices; nothing runs yet. */
    DeviceStorm(long seed, Path dir) throws IOException, ConfigurationException, TopologyException {
        this(new StormStory(seed), dir, false);
    }

    /**
     * Draws a fabric and its devices for a story that has just begun.
     *
     * @param hasLiars whether some devices give false answers
     */
    DeviceStorm(StormStory story, Path dir, boolean hasLiars)
            throws IOException, ConfigurationException, TopologyException {
        this.story = story;
        isMortal = story.random.nextBoolean();
        StormGround ground = hasLiars
                ? StormGround.random(story, FABRICS_OF_LIARS, 1)
                : StormGround.of(story.pick(TORI) + ",hosts=" + (1 + story.random.nextInt(2)));
        boolean isNdr = story.random.nextBoolean();
        Topology topology = isNdr ? faster(ground.topology()) : ground.topology();
        Map<Long, AgentProfile> agents = new TreeMap<>();
        DeviceModels models = StormDevices.draw(story.random, topology, agents, isMortal);
        boolean isSlow = story.random.nextBoolean();
        FaultPlan faults = new FaultPlan(
                story.seed,
                0,
                story.random.nextInt(2) * 0.03,
                1000,
                isSlow ? 2_000_000 : 10_000,
                isSlow ? 9_000_000 : 50_000);
        Path conf = dir.resolve("torus-2QoS.conf");
        Files.writeString(conf, ground.conf());
        story.log(ground.text() + (hasLiars ? ", liars" : "") + (isNdr ? ", NDR" : "") + (isSlow ? ", slow" : ""));
        Map<Setting<?>, String> settings = new TreeMap<>(ground.settings());
        if (ground.isTorus()) {
            settings.put(Settings.TORUS_CONFIG, conf.toString());
        }
        SmOptions options = ServiceHarness.options(dir.resolve("state"), settings);
        fabric = new StormFabric(story, topology, models, faults, 3);
        devices = new StormDevices(story, fabric, ground, agents, hasLiars);
        int rate = isNdr ? RATE_400 : RATE_40;
        checks = new DeviceStormChecks(story, fabric, devices, hasLiars ? DeviceStormChecks.ANY_RATE : rate);
        smHost = new StormHost(story, fabric, checks, fabric.smHosts.get(0), 5, dir.resolve("state"), options, null);
    }

    /** Draws a fabric, a tree in three cases of four, on which one switch and some hosts may lie. */
    static DeviceStorm withLiars(long seed, Path dir) throws IOException, ConfigurationException, TopologyException {
        return new DeviceStorm(new StormStory(seed), dir, true);
    }

    private static Topology faster(Topology topology) throws IOException, TopologyException {
        StringBuilder text = new StringBuilder();
        TopologyText.write(topology, text);
        return TopologyText.read("ndr", new StringReader(text.toString().replace("4xQDR", "4xNDR")));
    }

    /** The clock of the storm. */
    long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(story.loop.nowNs());
    }

    StormTally run() {
        smHost.start();
        int gusts = 2 + story.random.nextInt(3);
        for (int i = 0; i < gusts; i++) {
            injectFaults();
            checkRecovery();
        }
        devices.repairAll();
        checkRecovery();
        story.check(checks.healthyHosts().size() == fabric.hosts.size(), "devices that are well are not all connected");
        return story.tally;
    }

    private void injectFaults() {
        devices.isBouncing = true;
        int events = 5 + story.random.nextInt(20);
        for (int i = 0; i < events; i++) {
            smHost.startAtRandom();
            event();
            story.advanceRandomly();
            checks.checkLids();
        }
    }

    private void event() {
        story.tally.events++;
        switch (story.random.nextInt(22)) {
            case 0, 1, 2, 3 -> devices.makeFaulty();
            case 4, 5 -> devices.repair();
            case 6, 7, 8, 9 -> devices.bounce();
            case 10, 11 -> {
                if (fabric.mayFail()) {
                    fabric.pullCable();
                } else {
                    fabric.repair();
                }
            }
            case 12 -> fabric.powerCycle();
            case 13 -> fabric.disconnectHost();
            case 14 -> fabric.reconnectHost();
            case 15 -> fabric.restartHost();
            case 16 -> {
                if (isMortal) {
                    smHost.kill();
                }
            }
            case 17 -> smHost.sweepHeavy();
            case 18 -> fabric.setLoss();
            default -> toggleMembership();
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
        story.log("lull");
        story.tally.lulls++;
        devices.isBouncing = false;
        story.advance(TimeUnit.SECONDS.toNanos(1));
        fabric.repairAll();
        fabric.endLosses();
        if (smHost.sm() == null) {
            smHost.start();
        }
        checks.sweeps = 0;
        long sinceNs = story.loop.nowNs();
        String missing = checks.shortcoming(smHost.running());
        while (!missing.isEmpty() && story.loop.nowNs() - sinceNs < BOUND_NS) {
            story.advance(STEP_NS);
            missing = checks.shortcoming(smHost.running());
        }
        story.check(
                missing.isEmpty(), BOUND_NS / 1e9 + " s and " + checks.sweeps + " sweeps after the gust: " + missing);
        long neededNs = story.loop.nowNs() - sinceNs;
        story.log("all is well after " + neededNs / 1e9 + " s");
        story.tally.worstNs = Math.max(story.tally.worstNs, neededNs);
        story.tally.sumNs += neededNs;
        checkStability();
        requestFromSa();
        checks.checkLids();
    }

    /** Checks that healthy parts stay good after every sweep, however often the SM retries faulty devices. */
    private void checkStability() {
        long untilNs = story.loop.nowNs() + REST_NS;
        while (story.loop.nowNs() < untilNs) {
            story.advance(TimeUnit.SECONDS.toNanos(5));
            FabricSm now = smHost.running();
            story.check(
                    story.loop.runUntil(now.sweeper::isResting, REPEATED_SWEEPS_LIMIT_NS),
                    "one sweep follows another for 60 s");
            String missing = checks.shortcoming(now);
            story.check(missing.isEmpty(), "at rest: " + missing);
        }
    }

    /** Every healthy host joins a new group over the fabric. */
    private void requestFromSa() {
        Gid probe = group(0x1000 + probes++);
        List<Topology.Node> hosts = checks.healthyHosts();
        hosts.forEach(host -> fabric.devices.groups(host.nodeGuid(), 1).join(probe));
        story.advance(ANSWER_NS);
        for (Topology.Node host : hosts) {
            GroupClient client = fabric.devices.groups(host.nodeGuid(), 1);
            story.check(client.joinedGroups().contains(probe), "the SA does not answer " + host.description());
            client.leave(probe);
        }
        story.advance(ANSWER_NS);
    }
}
