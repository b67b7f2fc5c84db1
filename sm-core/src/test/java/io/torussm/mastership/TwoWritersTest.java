package io.torussm.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.torussm.mastership.SmWorld.Host;
import io.torussm.testing.BoundedWait;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * SMs that are deaf for a while, because they route or their host is busy, among losses, deaths, starts and changes of
 * rank, on a fabric that does not fall apart: at no time are there two masters that write. Every other seed has a peer
 * that behaves as OpenSM does, which does not wait for a deaf master longer than its polls say; so there nothing but
 * that peer is deaf.
 */
class TwoWritersTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.torussm.mastership");
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int CAMPAIGN_SEEDS = Integer.getInteger("campaign.seeds", 10_000);

    /** Less than the patience with a silent SM. */
    private static final int MAX_DEAFNESS_MS = 25_000;

    @BeforeAll
    static void muteLogging() {
        LOGGER.setLevel(Long.getLong("seed") == null ? Level.OFF : Level.INFO);
    }

    @AfterAll
    static void restoreLogging() {
        LOGGER.setLevel(null);
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void thereAreNeverTwoMastersThatWrite(long seed) {
        assertThat(run(seed)).as("seed %d: time with two writers, ns", seed).isZero();
    }

    @Test
    @Tag("campaign")
    void thereAreNeverTwoMastersThatWriteForVeryManySeeds() {
        long sumNs = 0;
        for (long seed = 1; seed <= CAMPAIGN_SEEDS; seed++) {
            long twoNs = run(seed);
            assertThat(twoNs).as("seed %d: time with two writers, ns", seed).isZero();
            sumNs += twoNs;
        }
        System.out.printf("%d seeds: %.3f s with two writers%n", CAMPAIGN_SEEDS, sumNs / 1e9);
    }

    /** A master that hangs is replaced when its deadline is over; one whose process has ended at the next poll. */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void aDeadMasterIsReplacedAtTheNextPollAndAHangingOneAfterItsTimeout(long seed) {
        for (boolean isDead : new boolean[] {true, false}) {
            SmWorld world = new SmWorld(seed, 2);
            for (Host host : world.hosts) {
                host.start(false);
            }
            world.loop.runFor(TimeUnit.SECONDS.toNanos(30));
            Host master = world.masters().get(0);
            Host other = world.hosts[1 - master.number];
            if (isDead) {
                master.kill();
            } else {
                master.unresponsiveUntilNs = Long.MAX_VALUE;
            }
            long fromNs = world.loop.nowNs();
            BoundedWait.until(world.loop, "the standby is master", other::isMaster, TimeUnit.SECONDS.toNanos(120));
            assertThat((world.loop.nowNs() - fromNs) / 1e9)
                    .as(isDead ? "dead" : "hanging")
                    .isBetween(isDead ? 0.0 : 30.0, isDead ? 1.2 : 42.0);
        }
    }

    private static long run(long seed) {
        return run(new SmWorld(seed, 2 + (int) (seed % 2)), seed);
    }

    static long run(SmWorld world, long seed) {
        boolean hasOpenSm = seed % 4 < 2;
        for (Host host : world.hosts) {
            host.priority = world.random.nextInt(16);
            host.isOpenSm = hasOpenSm && host.number == 0;
        }
        world.routing = () -> world.random.nextInt(3) == 0
                ? world.millis(1_000, hasOpenSm ? 2_500 : MAX_DEAFNESS_MS)
                : world.millis(5, 500);
        long[] twoNs = {0};
        world.hosts[0].start(false);
        int faults = 10 + world.random.nextInt(20);
        for (int i = 0; i < faults; i++) {
            causeFault(world, hasOpenSm);
            long untilNs = world.loop.nowNs() + world.millis(100, world.random.nextBoolean() ? 2_000 : 40_000);
            while (world.loop.nowNs() < untilNs) {
                world.loop.runFor(STEP_NS);
                twoNs[0] += countWriters(world) > 1 ? STEP_NS : 0;
            }
        }
        return twoNs[0];
    }

    private static long countWriters(SmWorld world) {
        long writers = 0;
        for (Host host : world.hosts) {
            writers += host.sm != null && host.sm.mayWrite() ? 1 : 0;
        }
        return writers;
    }

    private static void causeFault(SmWorld world, boolean hasOpenSm) {
        Host host = world.hosts[world.random.nextInt(world.hosts.length)];
        switch (world.random.nextInt(6)) {
            case 0 -> world.loss = hasOpenSm ? 0 : world.random.nextInt(4) * 0.1;
            case 1 -> host.kill();
            case 2, 3 -> {
                if (host.sm == null) {
                    host.start(false);
                }
            }
            case 4 -> {
                if (!hasOpenSm || host.isOpenSm) {
                    host.makeUnresponsive(world.millis(100, MAX_DEAFNESS_MS));
                }
            }
            default -> {
                host.priority = world.random.nextInt(16);
                if (host.sm != null) {
                    host.sm.driver.settingsChanged();
                }
            }
        }
        world.setPortStateChanges();
    }
}
