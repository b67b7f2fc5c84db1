package io.torussm.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.VirtualLoop;
import io.torussm.subnet.LidStore;
import io.torussm.testing.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process with SIGKILL during its writes, and checks its files. */
class KillTest {
    private static final int MAX_VERSIONS = 40;
    private static final int MAX_NS = 4_000_000;

    @TempDir
    Path dir;

    private final Random random = Seeds.random(Long.getLong("seed", 1));
    private int version;
    private Map<Long, Integer> lids = Map.of();

    @Test
    @Timeout(120)
    void aKilledWriterLeavesTheOldStateOrTheNew() throws Exception {
        killRepeatedly(Integer.getInteger("kills", 6));
    }

    /** mvn -pl sm-core -am test -Dexcluded.groups=none -Dtest=KillTest -Dsurefire.failIfNoSpecifiedTests=false */
    @Test
    @Tag("campaign")
    @Timeout(3600)
    void aKilledWriterLeavesTheOldStateOrTheNewFiveHundredTimes() throws Exception {
        killRepeatedly(500);
    }

    /**
     * Records that were told are there, in order and as they were; of the one that was being written all or nothing.
     */
    @Test
    @Timeout(120)
    void aKilledLoggerLosesNoRecord() throws Exception {
        int last = 0;
        for (int kill = 0; kill < Integer.getInteger("kills", 4); kill++) {
            int told = writeAndKill(TirelessLogger.class, last + 1);
            last = records();
            assertThat(last).isBetween(told, told + 1);
        }
    }

    private int records() throws IOException {
        int number = 0;
        SegmentLog log = StateDirectory.open(dir, new VirtualLoop()).log(TirelessLogger.KIND);
        for (SegmentLog.Segment segment : log.read()) {
            for (byte[] record : segment.records()) {
                number++;
                assertThat(record).isEqualTo(TirelessLogger.record(number));
            }
        }
        return number;
    }

    private void killRepeatedly(int kills) throws Exception {
        for (int kill = 0; kill < kills; kill++) {
            int reached = writeAndKill(version + 1);
            version = readBack(reached);
        }
        assertThat(version).isGreaterThanOrEqualTo(kills);
        assertThat(lids).isNotEmpty();
    }

    /** Starts a writer, lets it come far, kills it; tells the last version that it told. */
    private int writeAndKill(int firstVersion) throws IOException, InterruptedException {
        return writeAndKill(TirelessWriter.class, firstVersion);
    }

    private int writeAndKill(Class<?> program, int firstVersion) throws IOException, InterruptedException {
        Process writer = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName(),
                        dir.toString(),
                        String.valueOf(firstVersion)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader told =
                new BufferedReader(new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
            int last = firstVersion - 1;
            for (int versions = 1 + random.nextInt(MAX_VERSIONS); versions > 0; versions--) {
                last = Integer.parseInt(told.readLine());
            }
            long untilNs = System.nanoTime() + random.nextInt(MAX_NS);
            while (System.nanoTime() < untilNs) {
                Thread.onSpinWait();
            }
            writer.toHandle().destroyForcibly();
            for (String line = told.readLine(); line != null; line = told.readLine()) {
                last = Integer.parseInt(line);
            }
            assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return last;
        } finally {
            writer.destroyForcibly();
        }
    }

    /** Reads as the next start does; no LID is another one than before. */
    private int readBack(int told) throws IOException {
        StateDirectory state = StateDirectory.open(dir, new VirtualLoop());
        int found = state.read(TirelessWriter.VERSIONS, new TirelessWriter.Versions())
                .orElseThrow(() -> new AssertionError("no version is left after " + told));
        assertThat(found).isBetween(told, told + 1);
        Map<Long, Integer> now = new LidStore(state).lids();
        assertThat(now).containsAllEntriesOf(lids);
        now.forEach(
                (guid, lid) -> assertThat(lid).isEqualTo(TirelessWriter.lid((int) (guid - TirelessWriter.guid(0)))));
        lids = now;
        try (Stream<Path> files = java.nio.file.Files.list(dir)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("versions", "guid2lid")
                    .isSubsetOf("versions", "guid2lid", "versions.tmp", "guid2lid.tmp");
        }
        return found;
    }
}
