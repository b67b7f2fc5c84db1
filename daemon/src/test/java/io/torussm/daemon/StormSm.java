package io.torussm.daemon;

import io.torussm.daemon.config.SmOptions;
import io.torussm.sim.TorusSpec;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.Loop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The SM in a storm, and those that follow it: how they start, what they are told and shown, and how they end. */
final class StormSm {
    private final StormStory story;
    private final StormFabric fabric;
    private final Watch checks;
    private final Hostility hostility;
    private final Path dir;
    private final Path conf;
    private final TorusSpec spec;
    private final SmOptions options;

    private boolean isConfBroken;
    private @Nullable FabricSm sm;
    private @Nullable Eavesdropper ear;
    /** Who was in which group when the SM ended in order; null if it did not. */
    private @Nullable Set<String> membersAtEnd;

    private String lastEnd = "";
    private int ended;

    /** Who looks over the shoulder of the SM. */
    interface Watch {
        /**
         * A sweep is over.
         *
         * @param how as {@link FabricSm#ends} has it
         */
        void sweepEnded(String how);

        /** The SM sends. */
        void glance(byte[] mad);

        /** The SM died, or ended. */
        void smIsGone();
    }

    /** Writes what it is told a little later: what waits dies with the process. */
    private final class SlowDisk implements Loop {
        private final MortalLoop process;

        SlowDisk(MortalLoop process) {
            this.process = process;
        }

        @Override
        public void execute(Runnable task) {
            process.schedule(story.millis(40), task);
        }

        @Override
        public Timer schedule(long delayNs, Runnable task) {
            return process.schedule(delayNs, task);
        }

        @Override
        public long nowNs() {
            return process.nowNs();
        }

        @Override
        public boolean inLoop() {
            return true;
        }
    }

    /**
     * None runs yet.
     *
     * @param dir with the directory {@code state}
     * @param conf says of the torus what {@code spec} does
     */
    StormSm(
            StormStory story,
            StormFabric fabric,
            Watch checks,
            Path dir,
            Path conf,
            TorusSpec spec,
            SmOptions options) {
        this.story = story;
        this.fabric = fabric;
        this.checks = checks;
        this.hostility = new Hostility(story.random);
        this.dir = dir;
        this.conf = conf;
        this.spec = spec;
        this.options = options;
    }

    /** One that died or ended may have a successor. */
    void maybeStart() {
        if (sm == null && story.random.nextInt(3) == 0) {
            start();
        }
    }

    /** Null if none runs. */
    @Nullable
    FabricSm sm() {
        return sm;
    }

    FabricSm running() {
        return Objects.requireNonNull(sm);
    }

    /** How the last sweep of this SM ended; empty if none has. */
    String lastEnd() {
        return lastEnd;
    }

    /** Sweeps of all SMs that ended. */
    int ended() {
        return ended;
    }

    /** What a lull begins with. */
    void calm() {
        if (isConfBroken) {
            reread();
        }
        if (sm == null) {
            start();
        }
    }

    void start() {
        MortalLoop fresh = new MortalLoop(story.loop);
        StateDirectory state;
        try {
            state = StateDirectory.open(dir.resolve("state"), new SlowDisk(fresh));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Eavesdropper port = new Eavesdropper(fabric.devices.attach(StormFabric.SM_HOST, 1));
        Executor pool = task -> fresh.schedule(story.millis(200), task);
        FabricSm started = new FabricSm(fresh, port, 5, options, state, pool, story.random.nextInt());
        started.whenEnded = this::sweepEnded;
        port.whenSent = checks::glance;
        ear = port;
        sm = started;
        lastEnd = "";
        story.tell("the SM starts");
        checkStateFiles();
        Set<String> expected = membersAtEnd;
        story.check(
                expected == null || members(started).containsAll(expected),
                "members before an orderly end: " + expected + ", and after it: " + members(started));
        membersAtEnd = null;
        started.start();
    }

    private static Set<String> members(FabricSm of) {
        Set<String> members = new TreeSet<>();
        of.memberships.view().groups().forEach(group -> group.members()
                .forEach(member -> members.add(group.mgid() + " " + member.portGid())));
        return members;
    }

    /** Every file that a dead SM left is one that the next can use. */
    private void checkStateFiles() {
        try (Stream<Path> files = Files.list(dir.resolve("state"))) {
            List<String> bad = files.map(Path::toString)
                    .filter(name -> name.endsWith(".bad"))
                    .toList();
            story.check(bad.isEmpty(), "state files cannot be read: " + bad);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void kill() {
        FabricSm dying = sm;
        if (dying != null) {
            story.tell("the SM dies");
            story.tally.deaths++;
            dying.kill();
            buried();
            leaveTornFiles();
        }
    }

    void end() {
        FabricSm ending = sm;
        if (ending != null) {
            story.tell("the SM is asked to end");
            story.tally.ends++;
            membersAtEnd = ending.isUp() ? members(ending) : null;
            ending.end();
            story.check(
                    story.loop.runUntil(ending::isDead, TimeUnit.SECONDS.toNanos(4)),
                    "the SM does not end in four seconds");
            buried();
        }
    }

    private void buried() {
        sm = null;
        ear = null;
        checks.smIsGone();
    }

    /** As a write that a death interrupted leaves them. */
    private void leaveTornFiles() {
        if (story.random.nextBoolean()) {
            return;
        }
        try (Stream<Path> files = Files.list(dir.resolve("state"))) {
            for (Path file : files.sorted().toList()) {
                if (!file.toString().endsWith(".tmp")) {
                    byte[] whole = Files.readAllBytes(file);
                    Files.write(
                            file.resolveSibling(file.getFileName() + ".tmp"),
                            Arrays.copyOf(whole, story.random.nextInt(whole.length + 1)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sweepEnded(String how) {
        story.tell("sweep: " + how);
        lastEnd = how;
        ended++;
        checks.sweepEnded(how);
    }

    /** Broken now and then; never twice in a row. */
    void reread() {
        boolean willBeBroken = !isConfBroken && story.random.nextInt(3) == 0;
        story.tell("the configuration is read again" + (willBeBroken ? ", broken" : ""));
        try {
            Files.writeString(conf, willBeBroken ? "torus 3 nonsense\n" : spec.torus2QosConf());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        isConfBroken = willBeBroken;
        FabricSm now = sm;
        if (now != null) {
            now.mastership.settingsChanged();
            now.mastership.sweepHeavy();
        }
    }

    void reroute() {
        FabricSm now = sm;
        if (now != null) {
            story.tell("reroute");
            now.sweeper.reroute();
        }
    }

    void sweepHeavy() {
        FabricSm now = sm;
        if (now != null) {
            story.tell("sweep is asked for");
            now.mastership.sweepHeavy();
        }
    }

    /** Frames that nobody asked for: noise, cut frames, answers and traps of long ago. */
    void noise(int count) {
        Eavesdropper port = ear;
        if (port == null) {
            return;
        }
        story.tell(count + " hostile MADs");
        for (int i = 0; i < count; i++) {
            story.tally.noise++;
            port.inject(hostility.next(port.remembered(story.random)));
        }
    }
}
