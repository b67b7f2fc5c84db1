package io.torussm.daemon;

import io.torussm.daemon.config.SmOptions;
import io.torussm.routing.Plan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The SM of a storm, or the two that replicate and take over from each other, and their common configuration. */
final class StormSms implements StormHost.SweepObserver {
    private static final int PRIORITY = 5;

    private final StormStory story;
    private final StormChecks checks;
    private final Path conf;
    private final StormGround ground;
    private final List<StormHost> all = new ArrayList<>();

    private boolean isConfBroken;
    private @Nullable FabricSm lastSweptSm;

    /** Port GUID of the SM that brought the subnet up last; 0 before the first. */
    private long lastGuid;

    /**
     * Creates the SMs; none runs yet.
     *
     * @param conf the torus-2QoS.conf of the fabric
     */
    StormSms(
            StormStory story,
            StormFabric fabric,
            StormChecks checks,
            Path dir,
            Path conf,
            StormGround ground,
            SmOptions options) {
        this.story = story;
        this.checks = checks;
        this.conf = conf;
        this.ground = ground;
        int sms = fabric.smHosts.size();
        StormWire wire = sms == 1 ? null : new StormWire();
        for (int i = 0; i < sms; i++) {
            Path state = dir.resolve(i == 0 ? "state" : "state-" + i);
            int priority = i == 0 ? PRIORITY : PRIORITY - 2 + story.random.nextInt(4);
            all.add(new StormHost(story, fabric, this, fabric.smHosts.get(i), priority, state, options, wire));
        }
    }

    /** Sets the recorder of all events. */
    void setEventRecorder(StormLosses losses) {
        all.forEach(each -> each.losses = losses);
    }

    /** Returns the master; without one, an SM that may become it; null if none runs. */
    @Nullable
    FabricSm sm() {
        List<FabricSm> running = running();
        return running.stream()
                .filter(sm -> sm.mastership.isMaster())
                .findFirst()
                .orElse(running.isEmpty() ? null : running.get(0));
    }

    List<FabricSm> running() {
        return all.stream().map(StormHost::sm).filter(Objects::nonNull).toList();
    }

    FabricSm master() {
        return Objects.requireNonNull(sm());
    }

    /** Returns the outcome of the last sweep of the master; empty if there is none. */
    String lastEnd() {
        FabricSm master = sm();
        return all.stream()
                .filter(each -> master != null && each.sm() == master)
                .map(StormHost::lastEnd)
                .findFirst()
                .orElse("");
    }

    /** Returns the number of sweeps of all SMs that ended. */
    int endedSweeps() {
        return all.stream().mapToInt(StormHost::endedSweeps).sum();
    }

    void start() {
        all.forEach(StormHost::start);
    }

    /** Starts successors of SMs that died or ended, at random. */
    void startAtRandom() {
        all.forEach(StormHost::startAtRandom);
    }

    /** Prepares the SMs for a lull. */
    void endFaults() {
        if (isConfBroken) {
            reread();
        }
        if (running().isEmpty()) {
            pickAny().start();
        }
    }

    void kill() {
        pickMostlyMaster().kill();
    }

    void end() {
        pickMostlyMaster().end();
    }

    void reroute() {
        pickAny().reroute();
    }

    void sweepHeavy() {
        pickAny().sweepHeavy();
    }

    /** Requests a whole sweep of the master. */
    void sweepMasterHeavy() {
        all.stream().filter(each -> each.sm() == sm()).forEach(StormHost::sweepHeavy);
    }

    void sendNoise(int count) {
        pickAny().sendNoise(count);
    }

    /** Sends hostile MADs to the master. */
    void sendNoiseToMaster(int count) {
        all.stream().filter(each -> each.sm() == sm()).forEach(each -> each.sendNoise(count));
    }

    /** Returns one of several SMs. In three cases of four it is the master, whose death the others notice. */
    private StormHost pickMostlyMaster() {
        boolean isAny = all.size() == 1 || story.random.nextInt(4) == 0;
        return all.stream()
                .filter(each -> !isAny && each.sm() != null && each.sm() == sm())
                .findFirst()
                .orElseGet(this::pickAny);
    }

    private StormHost pickAny() {
        return story.pickIfSeveral(all);
    }

    /** Reloads the configuration, which is occasionally faulty, but never twice in a row. */
    void reread() {
        boolean willBeBroken = !isConfBroken && story.random.nextInt(3) == 0;
        story.log("the configuration is read again" + (willBeBroken ? ", broken" : ""));
        try {
            Files.writeString(conf, willBeBroken ? "torus 3 nonsense\n" : ground.conf());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        isConfBroken = willBeBroken;
        all.forEach(StormHost::reloadConfiguration);
    }

    // --- observations ---

    /**
     * Notes the end of a sweep. The writer of a table is uncertain with two masters, and after a change of the master.
     */
    @Override
    public void sweepEnded(FabricSm of, String outcome) {
        long masters = running().stream().filter(sm -> sm.mastership.isMaster()).count();
        if (of != lastSweptSm || masters > 1) {
            checks.forgetAll();
        }
        lastSweptSm = of;
        checks.sweepEnded(of, outcome);
        if (outcome.equals("up")) {
            story.tally.failovers += lastGuid != 0 && lastGuid != of.guid() ? 1 : 0;
            lastGuid = of.guid();
        }
    }

    @Override
    public void routed(Plan plan) {
        checks.routed(plan);
    }

    @Override
    public void madSent(byte[] mad) {
        checks.madSent(mad);
    }

    @Override
    public void smEnded() {
        checks.smEnded();
    }
}
