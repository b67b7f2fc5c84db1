package io.torussm.daemon.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events that outlive the process, as many as there is room for. */
class EventFileTest {
    private static final long MAX_BYTES = 40_000;

    private final VirtualLoop disk = new VirtualLoop();
    private final Random random = Seeds.random(Long.getLong("seed", 1));

    @TempDir
    Path dir;

    @Test
    void eventsAreThereAfterARestartBelowNumberOne() throws IOException {
        Journal first = start();
        addEvent(first, "a");
        addEvent(first, "b\u00e4");
        Journal second = start();
        assertThat(second.after(-2))
                .isEqualTo(List.of(
                        new Journal.Entry(
                                -1,
                                Instant.ofEpochMilli(1_234_567),
                                "info",
                                "TSM-1234",
                                "a",
                                Map.of("guid", "0x1", "port", "2")),
                        new Journal.Entry(
                                0,
                                Instant.ofEpochMilli(1_234_567),
                                "info",
                                "TSM-1234",
                                "b\u00e4",
                                Map.of("guid", "0x1", "port", "2"))));
        addEvent(second, "c");
        assertThat(second.after(0)).singleElement().matches(entry -> entry.number() == 1);
        assertThat(second.count("TSM-1234")).isEqualTo(1);
        assertThat(second.last()).isEqualTo(1);
        assertThat(texts(start())).containsExactly("a", "b\u00e4", "c");
    }

    @Test
    void theNewestHaveRoom() throws IOException {
        Journal journal = start();
        for (int i = 0; i < 2000; i++) {
            addEvent(journal, "event " + i + " " + "x".repeat(random.nextInt(300)));
            assertThat(bytesOnDisk()).isLessThanOrEqualTo(MAX_BYTES);
        }
        assertThat(bytesOnDisk()).isGreaterThan(MAX_BYTES / 2);
        List<String> kept = texts(start());
        assertThat(kept).hasSizeBetween(80, 300);
        assertThat(kept.get(kept.size() - 1)).startsWith("event 1999 ");
        assertThat(kept).isEqualTo(texts(journal).subList(1000 - kept.size(), 1000));
    }

    /** A slow loop writes all events in memory together. */
    @Test
    void theQueueIsBounded() throws IOException {
        Journal journal = start();
        for (int i = 0; i < 3000; i++) {
            journal.add(Instant.EPOCH, "info", "", "event " + i, Map.of());
        }
        disk.runFor(0);
        assertThat(texts(start())).isEqualTo(texts(journal));
    }

    @Test
    void aDamagedRecordCostsItself() throws IOException {
        Journal journal = start();
        List.of("a", "b", "c").forEach(text -> addEvent(journal, text));
        Path file = dir.resolve("events-00000001.log");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertThat(texts(start())).containsExactly("a", "c");
    }

    private Journal start() throws IOException {
        Journal journal = new Journal();
        EventFile.attach(journal, StateDirectory.open(dir, disk), disk, MAX_BYTES);
        return journal;
    }

    private void addEvent(Journal journal, String text) {
        journal.add(Instant.ofEpochMilli(1_234_567), "info", "TSM-1234", text, Map.of("guid", "0x1", "port", "2"));
        disk.runFor(0);
    }

    private long bytesOnDisk() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private static List<String> texts(Journal journal) {
        return journal.after(Long.MIN_VALUE).stream().map(Journal.Entry::text).toList();
    }
}
