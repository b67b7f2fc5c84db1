package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.registration.RegistrationStore;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.testing.IbSim;
import io.torussm.testing.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGTERM at any moment of the program's life, from its first instruction to some seconds into its work: the
 * process ends, and the files in its state directory are complete.
 */
@Tag("slow")
class TerminationTest {
    private static final String[] FABRICS = {"torus:3x3x1,hosts=1", "torus:4x4x4,hosts=2", "torus:6x6x6,hosts=1"};
    private static final int MAX_DELAY_MS = 4000;

    /** SIGTERM before the program has installed its handler: the JVM ends by it. */
    private static final int ENDED_BY_SIGTERM = 128 + 15;

    /** The output of a JVM that SIGTERM ends while it loads its own first classes; it exits with 1. */
    private static final String NOT_STARTED = "Error occurred during initialization of VM";

    private static final long TIMEOUT_S = 30;
    private static final double TARGET_S = 2.5;

    @TempDir
    Path dir;

    private final Random random = Seeds.random(Long.getLong("seed", 1));

    @Test
    @Timeout(600)
    void endsOnEveryRequest() throws Exception {
        for (int i = 0; i < Integer.getInteger("terminations", 6); i++) {
            terminate(i);
        }
    }

    /** On a machine that does nothing else: a number of times, and how long it took. */
    @Test
    @Tag("campaign")
    @Timeout(value = 4, unit = TimeUnit.HOURS)
    void endsInTimeAThousandTimes() throws Exception {
        int times = Integer.getInteger("terminations", 1000);
        List<Double> tookS = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            tookS.add(terminate(i));
        }
        tookS.sort(null);
        System.out.printf(
                "SIGTERM %d times: half within %.2f s, 99 %% within %.2f s, all within %.2f s%n",
                times, tookS.get(times / 2), tookS.get(times * 99 / 100), tookS.get(times - 1));
        assertThat(tookS).allMatch(seconds -> seconds <= TARGET_S);
    }

    /** SIGTERM once; how long the end took, in seconds. */
    private double terminate(int number) throws Exception {
        String fabric = FABRICS[random.nextInt(FABRICS.length)];
        int afterMs = random.nextInt(MAX_DELAY_MS);
        Path log = dir.resolve("log");
        List<String> command = IbSim.java(
                "io.torussm.daemon.cli.Main",
                "--simulate",
                fabric,
                "-R",
                "updn",
                "--control-socket",
                "",
                "--http-listen",
                "none",
                "--state-dir",
                dir.resolve("state-" + fabric.hashCode()).toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            process.waitFor(afterMs, TimeUnit.MILLISECONDS);
            String label = "number " + number + ": " + fabric + ", after " + afterMs + " ms";
            assertThat(process.isAlive()).as(label).isTrue();
            long startNs = System.nanoTime();
            process.destroy();
            assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).as(label).isTrue();
            double tookS = (System.nanoTime() - startNs) / 1e9;
            if (Files.readString(log).startsWith(NOT_STARTED)) {
                return tookS;
            }
            assertThat(process.exitValue())
                    .as(label + "\n" + Files.readString(log))
                    .isIn(0, ENDED_BY_SIGTERM);
            assertThat(Files.readString(log, UTF_8)).as(label).doesNotContain("Exception");
            assertStateIsWhole(dir.resolve("state-" + fabric.hashCode()), label);
            return tookS;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Reading sets a file that is not whole aside. */
    private static void assertStateIsWhole(Path state, String label) throws Exception {
        VirtualLoop loop = new VirtualLoop();
        StateDirectory files = StateDirectory.open(state, loop);
        assertThat(SubnetMemory.of(files, 1, () -> 0L, () -> true)).isNotNull();
        assertThat(new RegistrationStore(files, loop, () -> 0)).isNotNull();
        try (Stream<Path> all = Files.list(state)) {
            assertThat(all.map(Path::getFileName).map(Path::toString))
                    .as(label)
                    .noneMatch(name -> name.endsWith(".bad"));
        }
    }
}
