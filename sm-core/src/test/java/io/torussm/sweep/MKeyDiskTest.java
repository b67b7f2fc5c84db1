package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.program.smp.SweepSettings;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.state.StateDirectory;
import io.torussm.testing.BoundedWait;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An M_Key is sent to a port only after it is on the disk, for any behaviour of the disk. */
class MKeyDiskTest extends MKeySweepCase {
    @Test
    void aNewKeyIsOnTheDiskBesideTheOldOneBeforeItIsSent() {
        SweepHarness harness = bringUp(OLD, 2, 0);
        harness.settings = settings(NEW, 2, 0);
        List<Integer> linesAtSending = new ArrayList<>();
        harness.isRequestLost = mad -> {
            if (isGiving(mad, NEW)) {
                linesAtSending.add(keyLines());
            }
            return false;
        };
        harness.sweep();
        settle(harness);
        assertThat(linesAtSending).hasSize(12).containsOnly(24);
        assertThat(keyLines()).isEqualTo(12);
    }

    private int keyLines() {
        try {
            return (int) Files.readAllLines(dir.resolve("guid2mkey")).stream()
                    .filter(line -> line.startsWith("0x"))
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isGiving(byte[] mad, long key) {
        return Devices.wantedState(mad) >= 0
                && PortInfo.TYPE.read(mad, Smp.DATA_OFFSET).get(PortInfo.M_KEY) == key;
    }

    @Test
    void noKeyIsChangedWhileTheDiskDoesNotTakeTheNewOnes() throws IOException {
        SweepHarness harness = bringUp(OLD, 2, 0);
        Files.createDirectories(dir.resolve("guid2mkey.tmp/full"));
        harness.settings = settings(NEW, 2, 0);
        try (LoggedEvents events = new LoggedEvents().listen()) {
            assertThat(harness.sweep()).isEqualTo("up");
            events.only(SmEvent.WRITES_POSTPONED);
            assertThat(events.of(SmEvent.DEVICE_TROUBLE))
                    .as("no device is the cause, so none could end the condition")
                    .isEmpty();
        }
        assertProtected(harness, OLD, 2, 0);
        assertThat(harness.lastReport().errors())
                .singleElement()
                .asString()
                .startsWith("the M_Keys of 12 ports stay as they are");
        Files.delete(dir.resolve("guid2mkey.tmp/full"));
        harness.sweepLight();
        assertProtected(harness, NEW, 2, 0);
    }

    /** A hung disk delays a sweep for some seconds only. */
    @Test
    void aDiskThatDoesNotAnswerKeepsTheOldKeys() throws IOException {
        SweepHarness harness = bringUp(OLD, 2, 0);
        harness.state = StateDirectory.open(dir, new VirtualLoop());
        restart(harness, settings(NEW, 2, 0));
        assertThat(harness.sweep()).isEqualTo("up");
        assertProtected(harness, OLD, 2, 0);
        assertThat(harness.lastReport().errors())
                .singleElement()
                .asString()
                .startsWith("the M_Keys of 12 ports stay as they are");
    }

    /** A slow disk; if the SM is killed, pending writes are lost. */
    private final class Disk {
        private final SweepHarness harness;
        private final Random random;
        private VirtualLoop alive = new VirtualLoop();

        Disk(SweepHarness harness, Random random) {
            this.harness = harness;
            this.random = random;
            work();
        }

        private void work() {
            harness.loop.schedule(TimeUnit.MILLISECONDS.toNanos(random.nextInt(200)), () -> {
                alive.runFor(0);
                work();
            });
        }

        void dieAndRestart(SweepSettings settings) throws IOException {
            alive = new VirtualLoop();
            harness.state = StateDirectory.open(dir, alive);
            restart(harness, settings);
        }
    }

    /**
     * Answers are lost, keys change, the SM is killed: no port is ever lost, and in the end all have the key.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void noLossOfMadsAndNoDeathOfTheSmLocksItOut(long seed) throws IOException {
        Random random = Seeds.random(seed);
        int bits = random.nextInt(4);
        SweepSettings first = settings(100, bits, 0);
        SweepHarness harness = harness(first, new FaultPlan(seed, 0, 0.05, 1000, 1_000_000));
        Disk disk = new Disk(harness, random);
        disk.dieAndRestart(first);
        assertThat(harness.sweep()).isEqualTo("up");
        settle(harness);
        for (int round = 1; round <= 6; round++) {
            harness.fabric.setLoss(0.3);
            SweepSettings next = settings(100L + round, bits, 0);
            if (random.nextBoolean()) {
                harness.settings = next;
            } else {
                disk.dieAndRestart(next);
            }
            int sent = random.nextInt(600);
            int before = harness.ends.size();
            harness.requests.clear();
            harness.sweeper.sweepHeavy();
            BoundedWait.until(
                    harness.loop,
                    "the sweep ends or has sent " + sent + " requests",
                    () -> harness.ends.size() > before || harness.requests.size() >= sent,
                    TimeUnit.MINUTES.toNanos(5));
        }
        harness.fabric.setLoss(0);
        disk.dieAndRestart(settings(106, bits, 0));
        for (int i = 0; i < 4; i++) {
            harness.sweep();
        }
        assertThat(harness.ends).last().isEqualTo("up");
        assertProtected(harness, 106, bits, 0);
    }
}
