package io.torussm.state;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.sim.VirtualLoop;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Records that are added, read again, cut, damaged and thrown away. */
class SegmentLogTest {
    private static final SegmentLog.RecordFormat KIND = new SegmentLog.RecordFormat("test", 1, "they are lost");

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final Random random = Seeds.random(Long.getLong("seed", 1));

    @TempDir
    Path dir;

    private SegmentLog open() throws IOException {
        return StateDirectory.open(dir, new VirtualLoop()).log(KIND);
    }

    private static List<byte[]> records(String... texts) {
        return Stream.of(texts).map(text -> text.getBytes(US_ASCII)).toList();
    }

    private static List<@Nullable String> texts(List<SegmentLog.Segment> segments) {
        List<@Nullable String> texts = new ArrayList<>();
        segments.forEach(segment ->
                segment.records().forEach(record -> texts.add(record == null ? null : new String(record, US_ASCII))));
        return texts;
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void appendedRecordsAreReadAndWritingContinues() throws IOException {
        SegmentLog first = open();
        assertThat(first.read()).isEmpty();
        assertThat(first.append(records("a", "", "bc"), true)).isTrue();
        first.close();
        first.append(records("d"), false);
        first.close();
        SegmentLog second = open();
        assertThat(texts(second.read())).containsExactly("a", "", "bc", "d");
        second.append(records("e"), false);
        second.roll();
        second.append(records("f"), false);
        second.close();
        SegmentLog third = open();
        assertThat(texts(third.read())).containsExactly("a", "", "bc", "d", "e", "f");
        assertThat(files()).containsExactly("test-00000001.log", "test-00000002.log");
        assertThat(third.bytes())
                .isEqualTo(Files.size(dir.resolve(files().get(0))) + Files.size(dir.resolve(files().get(1))));
        assertThat(log.all()).isEmpty();
    }

    @Test
    void theOldestGoFirst() throws IOException {
        SegmentLog written = open();
        for (int i = 0; i < 20; i++) {
            written.append(records("x".repeat(100)), false);
            written.roll();
            written.trim(1000);
            assertThat(written.bytes()).isLessThanOrEqualTo(1000);
        }
        assertThat(files()).hasSizeBetween(5, 9).contains("test-00000020.log").doesNotContain("test-00000001.log");
        written.trim(0);
        assertThat(files()).containsExactly("test-00000020.log");
        SegmentLog next = open();
        assertThat(next.read()).hasSize(1);
        next.roll();
        next.append(records("y"), false);
        next.dropBefore(next.newest());
        assertThat(files()).containsExactly("test-00000021.log");
    }

    /** Any one byte: only the record that it is in is lost, or the whole file if it is in the first line. */
    @Test
    void aDamagedRecordCostsItself() throws IOException {
        SegmentLog written = open();
        written.append(records("first", "second", "third"), true);
        written.close();
        Path file = dir.resolve("test-00000001.log");
        byte[] whole = Files.readAllBytes(file);
        int start = new String(whole, US_ASCII).indexOf('\n') + 1;
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 + random.nextInt(255));
            Files.write(file, damaged);
            log.take();
            List<@Nullable String> left = texts(open().read());
            int hit = at < start ? -1 : at < start + 17 ? 0 : at < start + 35 ? 1 : 2;
            for (int i = 0; i < 3; i++) {
                assertThat(left.contains(List.of("first", "second", "third").get(i)))
                        .as("record %d, byte %d", i, at)
                        .isEqualTo(hit >= 0 && i != hit);
            }
            List<LoggedEvents.LoggedEvent> told = log.take();
            assertThat(told).hasSize(1);
            assertThat(told.get(0).get(EventField.FILE)).isEqualTo(file.toString());
        }
    }

    @Test
    void aTornRecordOfACrashIsCutOffAndWritingContinuesThere() throws IOException {
        SegmentLog written = open();
        written.append(records("first", "second"), true);
        written.close();
        Path file = dir.resolve("test-00000001.log");
        byte[] whole = Files.readAllBytes(file);
        for (int end = 0; end < whole.length; end++) {
            Files.write(file, Arrays.copyOf(whole, end));
            SegmentLog next = open();
            List<@Nullable String> left = texts(next.read());
            assertThat(left).doesNotContainNull().doesNotContain("second");
            next.append(records("third"), true);
            next.close();
            left.add("third");
            assertThat(texts(open().read())).isEqualTo(left);
            Files.deleteIfExists(dir.resolve("test-00000002.log"));
        }
        assertThat(log.all()).allMatch(each -> each.event() == SmEvent.STATE_LOG_TORN);
    }

    @Test
    void filesOfOthersAreReported() throws IOException {
        Files.writeString(dir.resolve("test-00000003.log"), "torus-sm test version 2\nmore");
        Files.writeString(dir.resolve("test-3.log"), "not ours");
        Files.writeString(dir.resolve("other-00000001.log"), "not ours");
        SegmentLog next = open();
        assertThat(next.read()).isEmpty();
        assertThat(log.only(SmEvent.STATE_LOG_DAMAGED).get(EventField.FILE)).endsWith("test-00000003.log");
        next.append(records("a"), true);
        assertThat(files()).contains("test-00000003.log", "test-00000004.log");
    }

    @Test
    void anUnwritableDirectoryIsReportedOnce() throws IOException {
        SegmentLog written = open();
        Path gone = dir.resolve("test-00000001.log");
        Files.createDirectory(gone);
        assertThat(written.append(records("a"), true)).isFalse();
        assertThat(written.append(records("b"), true)).isTrue();
        assertThat(log.all().stream().map(each -> each.event()).toList())
                .containsExactly(SmEvent.STATE_LOG_NOT_WRITTEN, SmEvent.STATE_LOG_WRITTEN);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("test-00000002.log"))))
                .startsWith("rw-");
    }

    /** Each event would leave an empty file, and each of those a warning at the next start. */
    @Test
    void aFullDiskLeavesNoEmptySegments() throws IOException {
        Files.createSymbolicLink(dir.resolve("test-00000001.log"), Path.of("/dev/full"));
        SegmentLog written = open();
        assertThat(written.append(records("a"), true)).isFalse();
        assertThat(files()).isEmpty();
        assertThat(written.append(records("b"), true)).isTrue();
        assertThat(files()).containsExactly("test-00000001.log");
        written.close();
        assertThat(open().read()).hasSize(1);
    }

    @Test
    void withoutADirectoryNothingIsKept() {
        SegmentLog none = StateDirectory.none(new VirtualLoop()).log(KIND);
        assertThat(none.isKept()).isFalse();
        assertThat(none.read()).isEmpty();
        assertThat(none.append(records("a"), true)).isTrue();
        none.roll();
        none.trim(0);
        assertThat(none.bytes()).isZero();
    }
}
