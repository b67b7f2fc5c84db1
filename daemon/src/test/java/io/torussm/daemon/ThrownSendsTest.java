package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mad.Gid;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mastership.SmState;
import io.torussm.report.ReportStats;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MembershipMad;
import io.torussm.testing.MortalLoop;
import io.torussm.testing.Seeds;
import io.torussm.transport.Loop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two subnet managers whose ports throw at random sends, as a defect would on any path through the {@code sm}
 * loop. Afterwards nothing is stuck: no timer, queue or hold waits for a MAD that was never sent.
 */
class ThrownSendsTest {
    private static final String TORUS = "torus:3x3x1,hosts=1";
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 500);

    @TempDir
    Path dir;

    static LongStream seeds() {
        Long replay = Long.getLong("seed");
        return replay != null ? LongStream.of(replay) : LongStream.rangeClosed(1, 15);
    }

    /** A loop that outlives what its tasks throw, as the real one does. */
    private static final class GuardedLoop implements Loop {
        private final Loop clock;

        GuardedLoop(Loop clock) {
            this.clock = clock;
        }

        private Runnable guarded(Runnable task) {
            return () -> {
                try {
                    task.run();
                } catch (IllegalStateException e) {
                    // as a defect, which the real loop counts
                }
            };
        }

        @Override
        public void execute(Runnable task) {
            clock.execute(guarded(task));
        }

        @Override
        public Timer schedule(long delayNs, Runnable task) {
            return clock.schedule(delayNs, guarded(task));
        }

        @Override
        public long nowNs() {
            return clock.nowNs();
        }

        @Override
        public boolean isInLoop() {
            return clock.isInLoop();
        }
    }

    private final class Pair {
        final VirtualLoop clock = new VirtualLoop();
        final GuardedLoop loop = new GuardedLoop(clock);
        final Topology topology = TorusSpec.parse(TORUS).topology();
        final SimFabric fabric = new SimFabric(topology, clock, FaultPlan.NONE);
        final Random random;
        final int oneOf;
        final List<byte[]> tables = new ArrayList<>();
        final long seed;
        final FabricSm first;
        final FabricSm second;
        final EventClient host;
        boolean isFaulty = true;
        int joined;
        int thrownCount;

        Pair(long seed) throws Exception {
            this.seed = seed;
            random = Seeds.random(seed);
            oneOf = 5 + random.nextInt(40);
            first = sm("host-0-0-0-0", 5);
            second = sm("host-2-1-0-0", 3);
            host = new EventClient(fabric.attach("host-1-1-0-0", 1));
        }

        private FabricSm sm(String at, int priority) throws Exception {
            Eavesdropper port = new Eavesdropper(fabric.attach(at, 1));
            port.sendListener = mad -> {
                if (isFaulty && random.nextInt(oneOf) == 0) {
                    thrownCount++;
                    throw new IllegalStateException("provoked");
                }
            };
            SmOptions options =
                    ServiceHarness.options(dir, Map.<Setting<?>, String>of(Settings.ROUTING_ENGINE, "updn"));
            return new FabricSm(new MortalLoop(loop), port, priority, options, StateDirectory.none(loop), priority)
                    .trustPortsOf(topology);
        }

        private void advance(long seconds) {
            clock.runFor(TimeUnit.SECONDS.toNanos(seconds));
        }

        private void await(String fault, long seconds, BooleanSupplier condition) {
            assertThat(clock.runUntil(condition, TimeUnit.SECONDS.toNanos(seconds)))
                    .as(
                            "seed %d: %s; %d thrown; the first is %s: %s; the second is %s: %s",
                            seed, fault, thrownCount, first.state(), first.ends, second.state(), second.ends)
                    .isTrue();
        }

        private FabricSm master() {
            return first.isUp() && !first.isDead() ? first : second;
        }

        private void request(byte[] request) {
            host.sendRequest(smLid(), request);
        }

        private int smLid() {
            return Math.max(
                    1, fabric.portInfo(node("host-1-1-0-0").nodeGuid(), 1).masterSmLid());
        }

        private Topology.Node node(String name) {
            return topology.node(name).orElseThrow();
        }

        private byte[] join() {
            Gid group = new Gid(0xff12_1234_0000_0000L, ++joined);
            Gid port = new Gid(Gid.DEFAULT_PREFIX, node("host-1-1-0-0").portGuid(1));
            return MembershipMad.of(Method.SET, 1, group, port, MCMemberRecord.FULL_MEMBER, 0xb1b);
        }

        private byte[] table() {
            return SaMad.request(Method.GET_TABLE, 1, NodeRecord.TYPE.id(), 0, 0);
        }

        private void injectEvent() {
            switch (random.nextInt(6)) {
                case 0 -> fabric.unlink(node("host-0-2-0-0").nodeGuid(), 1);
                case 1 -> fabric.relink(node("host-0-2-0-0").nodeGuid(), 1);
                case 2 -> request(EventLines.informInfo(1, EventLines.ALL_TRAPS));
                case 3 -> request(join());
                case 4 -> {
                    byte[] table = table();
                    request(table);
                    tables.add(table);
                }
                default -> master().mastership.sweepHeavy();
            }
        }

        void run() {
            first.start();
            second.start();
            for (int i = 0; i < 30; i++) {
                try {
                    injectEvent();
                } catch (IllegalStateException e) {
                    // of a sweep that an operator asks for
                }
                advance(2);
            }
            isFaulty = false;
            fabric.relink(node("host-0-2-0-0").nodeGuid(), 1);
            advance(120);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothingIsStuckOnceSendsGoWellAgain(long seed) throws Exception {
        verify(seed);
    }

    @Test
    @Tag("campaign")
    void allRequestsOfACampaignEnd() throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            verify(seed);
        }
    }

    private void verify(long seed) throws Exception {
        Pair pair = new Pair(seed);
        pair.run();
        FabricSm master = pair.master();
        assertThat(pair.thrownCount).isPositive();
        pair.await("one is master", 0, () -> pair.first.isUp() != pair.second.isUp());
        FabricSm other = master == pair.first ? pair.second : pair.first;
        pair.await("the other stands by", 0, () -> other.state() == SmState.STANDBY);
        pair.advance(30);
        long sent = master.client.stats().sent();
        pair.await("light sweeps go on", 20, () -> master.client.stats().sent() > sent + 10);
        ReportStats reports = master.reporter.stats();
        assertThat(reports.answered() + reports.lost())
                .as("seed %d: each Report that was sent has ended: %s", seed, reports.line())
                .isEqualTo(reports.sent());
        pair.tables.add(pair.table());
        for (byte[] table : pair.tables) {
            pair.host.answers.clear();
            pair.host.resend(pair.smLid(), table);
            pair.await(
                    "a table is answered, also one that was asked for before", 1, () -> !pair.host.answers.isEmpty());
        }
        pair.host.answers.clear();
        int before = master.ends.size();
        pair.request(pair.join());
        pair.await("a join is answered", 1, () -> !pair.host.answers.isEmpty());
        pair.await("groups are programmed", 5, () -> master.ends.size() > before);
        long sweeps = sweeps(master);
        pair.fabric.unlink(pair.node("host-0-2-0-0").nodeGuid(), 1);
        pair.await("a lost host is noticed", 30, () -> sweeps(master) > sweeps);
        pair.advance(5);
        master.kill();
        pair.await("the standby takes over", 60, other::isUp);
    }

    private static long sweeps(FabricSm sm) {
        return sm.ends.stream().filter("up"::equals).count();
    }
}
