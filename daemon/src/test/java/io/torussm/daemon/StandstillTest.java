package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mastership.SmState;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MortalLoop;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A master is stopped at any moment and goes on when another has taken over: it never writes beside it. */
class StandstillTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 1000);

    @TempDir
    Path dir;

    static LongStream seeds() {
        Long replay = Long.getLong("seed");
        return replay != null ? LongStream.of(replay) : LongStream.rangeClosed(1, 20);
    }

    /** Two SMs, of which the first is stopped; the second routes in another way, so that there is much to write. */
    private final class Pair {
        final VirtualLoop loop = new VirtualLoop();
        final Topology topology = TorusSpec.parse(TORUS).topology();
        final Random random;
        final SimFabric fabric;
        final MortalLoop firstLoop = new MortalLoop(loop);
        final FabricSm first;
        FabricSm second;

        /** Sets of forwarding tables that the first sent while the second was master. */
        int wrongSets;

        Pair(long seed) throws Exception {
            random = Seeds.random(seed);
            fabric = new SimFabric(topology, loop, new FaultPlan(seed, 0, 0, 1000, 10_000, 500_000));
            Eavesdropper port = new Eavesdropper(fabric.attach("host-0-0-0-0", 1));
            port.sendListener = mad -> wrongSets += isTableSet(mad) && second.mastership.isMaster() ? 1 : 0;
            first = sm(firstLoop, port, 5, "torus-2QoS");
            Eavesdropper other = new Eavesdropper(fabric.attach("host-2-1-0-0", 1));
            second = sm(new MortalLoop(loop), other, random.nextBoolean() ? 3 : 9, "updn");
        }

        private FabricSm sm(MortalLoop life, Eavesdropper port, int priority, String engine) throws Exception {
            return new FabricSm(life, port, priority, options(engine), StateDirectory.none(life), priority)
                    .trustPortsOf(topology);
        }

        private static boolean isTableSet(byte[] mad) {
            return MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id();
        }

        private void run() {
            first.start();
            boolean isIdle = random.nextInt(3) == 0;
            if (isIdle) {
                loop.runFor(TimeUnit.SECONDS.toNanos(20));
                first.mastership.sweepHeavy();
            }
            loop.runFor(TimeUnit.MICROSECONDS.toNanos(random.nextInt(60_000)));
            firstLoop.stop(true);
            second.start();
            assertThat(loop.runUntil(second::isUp, TimeUnit.SECONDS.toNanos(120)))
                    .as("%s", second.ends)
                    .isTrue();
            loop.runFor(TimeUnit.MILLISECONDS.toNanos(random.nextInt(30_000)));
            firstLoop.stop(false);
            loop.runFor(TimeUnit.SECONDS.toNanos(60));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aMasterThatWasStoppedWritesNothingBeforeItKnowsWhoIsMaster(long seed) throws Exception {
        verify(new Pair(seed), seed);
    }

    @Test
    @Tag("campaign")
    void aStoppedMasterOfACampaignWritesNothingEither() throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            verify(new Pair(seed), seed);
        }
    }

    /**
     * Requests beside sweeps, such as the retry of an excluded switch or the visit of a host with vports: a Set that is
     * in flight, one that waits, and one that follows a Get in flight.
     */
    @Test
    void aSetOutsideASweepIsNotSentAfterAStandstill() throws Exception {
        Pair pair = new Pair(2);
        pair.first.start();
        pair.loop.runFor(TimeUnit.SECONDS.toNanos(20));
        MadScope scope = pair.first.client.scope();
        DrPath absent = DrPath.of(1, 36);
        LinearForwardingTable block = LinearForwardingTable.TYPE.zero();
        List<String> outcomes = new ArrayList<>();
        scope.set(block, absent, 0, outcome -> outcomes.add("in flight: " + outcome));
        for (int i = 0; i < 20; i++) {
            scope.set(block, DrPath.of(1), 0, outcome -> outcomes.add("waiting: " + outcome));
        }
        scope.get(NodeInfo.TYPE, absent, 0, read -> scope.set(block, absent, 0, set -> outcomes.add("later: " + set)));
        pair.firstLoop.stop(true);
        pair.second.start();
        assertThat(pair.loop.runUntil(pair.second::isUp, TimeUnit.SECONDS.toNanos(120)))
                .isTrue();
        pair.wrongSets = 0;
        pair.firstLoop.stop(false);
        pair.loop.runFor(TimeUnit.SECONDS.toNanos(60));
        assertThat(pair.wrongSets).isZero();
        assertThat(outcomes)
                .hasSize(22)
                .contains("in flight: " + new Outcome.Failure<>(Outcome.FailureReason.CANCELLED, 0))
                .contains("later: " + new Outcome.Failure<>(Outcome.FailureReason.CANCELLED, 0));
    }

    private SmOptions options(String engine) throws Exception {
        String conf = ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS));
        return ServiceHarness.options(
                dir, Map.<Setting<?>, String>of(Settings.TORUS_CONFIG, conf, Settings.ROUTING_ENGINE, engine));
    }

    private static void verify(Pair pair, long seed) {
        pair.run();
        assertThat(pair.wrongSets)
                .as("seed %d: Sets of a master that had been replaced", seed)
                .isZero();
        boolean firstRules = pair.second.settings.priority < 5;
        assertThat((firstRules ? pair.first : pair.second).isUp())
                .as("seed %d: who ranks higher rules", seed)
                .isTrue();
        assertThat((firstRules ? pair.second : pair.first).state())
                .as("seed %d: and the other stands by", seed)
                .isEqualTo(SmState.STANDBY);
    }
}
