package io.torussm.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.sim.VirtualLoop;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import io.torussm.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files of a state directory: writes in their order, damaged files, secrets, failures and links. NOTES is a file of
 * this program only, SECRETS one that OpenSM also reads.
 */
class StateDirectoryTest {
    private static final StateFile NOTES = StateFile.of("notes", 3, 1000, "nothing is noted");
    private static final StateFile SECRETS = StateFile.of("secrets", 1, 1000, "secrets are lost")
            .sharedWithOpenSm()
            .secret();

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    /** Takes numbers, one a line. */
    private static final class Numbers implements StateFile.Parser<List<Integer>> {
        private final List<Integer> numbers = new ArrayList<>();

        @Override
        public String parseLine(String line) {
            try {
                numbers.add(Integer.valueOf(line));
                return "";
            } catch (NumberFormatException e) {
                return "no number";
            }
        }

        @Override
        public List<Integer> value() {
            return numbers;
        }
    }

    private StateDirectory open() throws IOException {
        return StateDirectory.open(dir, loop);
    }

    private void write(StateFile file, Integer... numbers) throws IOException {
        open().write(file, () -> lines(numbers));
        loop.runFor(0);
    }

    private static Stream<String> lines(Integer... numbers) {
        return Stream.of(numbers).map(String::valueOf);
    }

    private Optional<List<Integer>> read(StateFile file) throws IOException {
        return open().read(file, new Numbers());
    }

    /**
     * A client that waits for a file, such as a sweep for LIDs, is notified of a defect. The write is tried
     * again as after any other failure.
     */
    @Test
    void aDefectWhileAFileIsWrittenIsAFailureLikeAnother() throws IOException {
        StateDirectory state = open();
        List<String> heard = new ArrayList<>();
        boolean[] isDefect = {true};
        Supplier<Stream<String>> records = () -> {
            if (isDefect[0]) {
                throw new AssertionError("provoked");
            }
            return lines(1);
        };
        state.write(NOTES, records, isWritten -> {
            heard.add("first " + isWritten);
            throw new IllegalStateException("provoked");
        });
        state.write(NOTES, records, isWritten -> heard.add("second " + isWritten));
        state.write(SECRETS, () -> lines(2), isWritten -> heard.add("secrets " + isWritten));
        int thrown = 0;
        for (boolean isOver = false; !isOver; ) {
            try {
                loop.runFor(0);
                isOver = true;
            } catch (IllegalStateException | AssertionError e) {
                thrown++;
            }
        }
        assertThat(heard).containsExactlyInAnyOrder("first false", "second false", "secrets true");
        assertThat(thrown).as("what the thread counts").isPositive();
        assertThat(state.failures()).isPositive();
        isDefect[0] = false;
        loop.runFor(StateDirectory.RETRY_NS);
        assertThat(read(NOTES)).contains(List.of(1));
    }

    @Test
    void makesItsDirectoryAndStartsEmpty() throws IOException {
        Path deep = dir.resolve("a/b");
        assertThat(StateDirectory.open(deep, loop).read(NOTES, new Numbers())).isEmpty();
        assertThat(deep).isEmptyDirectory();
        assertThat(log.all()).isEmpty();
    }

    @Test
    void readsItsOwnFiles() throws IOException {
        write(NOTES, 1, 2, 3);
        assertThat(dir.resolve("notes"))
                .content()
                .matches("# torus-sm notes version 3\n1\n2\n3\n# end crc32c 0x[0-9a-f]{8}\n");
        assertThat(read(NOTES)).contains(List.of(1, 2, 3));
        write(NOTES);
        assertThat(read(NOTES)).contains(List.of());
        assertThat(log.all()).isEmpty();
    }

    @Test
    void letsOnlyItsOwnerReadSecrets() throws IOException {
        write(SECRETS, 1);
        write(NOTES, 1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("secrets"))))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("notes"))))
                .startsWith("rw-r");
        assertThat(read(SECRETS)).contains(List.of(1));
    }

    @Test
    void takesNoRecordOfTwoLines() throws IOException {
        assertThatIllegalArgumentException().isThrownBy(() -> NOTES.write(dir, Stream.of("1\n2")));
        assertThat(dir.resolve("notes")).doesNotExist();
    }

    @Test
    void readsWithoutFirstAndLastLineOnlyWhatOpenSmKeepsToo() throws IOException {
        Files.writeString(dir.resolve("secrets"), "1\n\n2\n\n");
        Files.writeString(dir.resolve("notes"), "1\n\n2\n\n");
        assertThat(read(SECRETS)).contains(List.of(1, 2));
        assertThat(read(NOTES)).isEmpty();
        LoggedEvent told = log.only(SmEvent.STATE_FILE_UNUSED);
        assertThat(told.get(EventField.FILE)).isEqualTo(dir + "/notes");
        assertThat(told.get(EventField.TEXT)).contains(dir + "/notes.bad");
        assertThat(told.get(EventField.ACTION)).isEqualTo(NOTES.consequence());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "1",
                "1\n2",
                "1\ntwo\n",
                "#\n",
                "# torus-sm secrets version 1\n",
                "# torus-sm secrets version 1\n1\n",
                "# torus-sm secrets version 1\n1\n# end crc32c 0x00000000\n",
                "# torus-sm secrets version 2\n1\n# end crc32c 0x00000000\n",
                "# torus-sm secrets version 99999999999999999999\n1\n",
                "# torus-sm notes version 1\n1\n",
                "# opensm\n1\n",
                "1\n# end crc32c 0x00000000\n",
                "\u0000\u0000\u0000\u0000"
            })
    void setsAsideWhatItShouldNotBelieve(String text) throws IOException {
        Files.writeString(dir.resolve("secrets"), text);
        boolean isBlank = text.equals("\n");
        assertThat(read(SECRETS)).isEqualTo(isBlank ? Optional.of(List.of()) : Optional.empty());
        if (!isBlank) {
            assertThat(dir.resolve("secrets")).doesNotExist();
            assertThat(dir.resolve("secrets.bad")).hasContent(text);
            LoggedEvent told = log.only(SmEvent.STATE_FILE_UNUSED);
            assertThat(told.get(EventField.TEXT)).contains("/secrets.bad");
            assertThat(told.get(EventField.ACTION)).isEqualTo(SECRETS.consequence());
        }
    }

    @Test
    void showsTheDamagedLineUnlessItIsSecret() throws IOException {
        Files.writeString(dir.resolve("secrets"), "1\n\ntwo\u0007\n");
        read(SECRETS);
        StateFile open = StateFile.of("open", 1, 1000, "so what").sharedWithOpenSm();
        Files.writeString(dir.resolve("open"), "1\n\ntwo\u0007" + "x".repeat(500) + "\n");
        read(open);
        List<LoggedEvent> told = log.of(SmEvent.STATE_FILE_UNUSED);
        assertThat(told)
                .extracting(logged -> logged.get(EventField.FILE))
                .containsExactly(dir + "/secrets", dir + "/open");
        assertThat(told.get(0).get(EventField.REASON)).isEqualTo("line 3: no number");
        assertThat(told.get(1).get(EventField.REASON))
                .startsWith("line 3 \"two?xxx")
                .hasSizeLessThan(300);
    }

    @Test
    void doesNotReadLargeOrIrregularFiles() throws IOException {
        Files.writeString(dir.resolve("notes"), "1".repeat(1001));
        Files.createDirectories(dir.resolve("secrets/full"));
        assertThat(read(NOTES)).isEmpty();
        assertThat(read(SECRETS)).isEmpty();
        List<LoggedEvent> told = log.of(SmEvent.STATE_FILE_UNUSED);
        assertThat(told)
                .extracting(logged -> logged.get(EventField.FILE))
                .containsExactly(dir + "/notes", dir + "/secrets");
        assertThat(told.get(0).get(EventField.REASON)).contains("1000 bytes");
        assertThat(told.get(1).get(EventField.REASON)).isEqualTo("it is no file");
        write(SECRETS, 5);
        assertThat(read(SECRETS)).contains(List.of(5));
    }

    @Test
    void goesOnWhereADamagedFileCannotBeMoved() throws IOException {
        Files.writeString(dir.resolve("notes"), "?");
        Files.createDirectories(dir.resolve("notes.bad/full"));
        assertThat(read(NOTES)).isEmpty();
        assertThat(log.only(SmEvent.STATE_FILE_UNUSED).get(EventField.TEXT))
                .contains("/notes.bad", "FileSystemException");
        write(NOTES, 1);
        assertThat(read(NOTES)).contains(List.of(1));
    }

    @Test
    void writesOnlyTheNewestVersionAndFilesInTheirOrder() throws IOException {
        StateDirectory state = open();
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            int version = i;
            state.write(NOTES, () -> note(asked, "notes " + version));
            state.write(SECRETS, () -> note(asked, "secrets " + version));
        }
        loop.runFor(0);
        assertThat(asked).containsExactly("notes 999", "secrets 999");
    }

    private static Stream<String> note(List<String> asked, String message) {
        asked.add(message);
        return Stream.of();
    }

    @Test
    void notifiesAllThatWaitForAVersionOrANewerOne() throws IOException {
        StateDirectory state = open();
        List<String> told = new ArrayList<>();
        state.write(NOTES, () -> lines(1), isWritten -> told.add("first " + isWritten));
        state.write(NOTES, () -> lines(2), isWritten -> told.add("second " + isWritten));
        assertThat(told).isEmpty();
        loop.runFor(0);
        assertThat(told).containsExactly("first true", "second true");
        assertThat(read(NOTES)).contains(List.of(2));
    }

    /** A directory where the file is to be written aside keeps it from being written, as a full disk does. */
    @Test
    void triesAgainWhatCannotBeWrittenAndTellsOnce() throws IOException {
        write(NOTES, 1);
        Files.createDirectories(dir.resolve("notes.tmp/full"));
        StateDirectory state = open();
        List<Boolean> told = new ArrayList<>();
        state.write(NOTES, () -> lines(2), told::add);
        state.write(SECRETS, () -> lines(7));
        loop.runFor(StateDirectory.RETRY_NS * 4);
        assertThat(told).containsExactly(false);
        assertThat(state.failures()).isEqualTo(5);
        assertThat(read(NOTES)).contains(List.of(1));
        assertThat(read(SECRETS)).contains(List.of(7));
        assertThat(log.all()).hasSize(1);
        LoggedEvent failure = log.only(SmEvent.STATE_FILE_NOT_WRITTEN);
        assertThat(failure.get(EventField.FILE)).isEqualTo(dir + "/notes");
        assertThat(failure.get(EventField.REASON)).startsWith("java.nio.file.DirectoryNotEmptyException");
        assertThat(failure.get(EventField.SECONDS)).isEqualTo("30");
        assertThat(failure.get(EventField.ACTION)).isEqualTo(NOTES.consequence());

        Files.delete(dir.resolve("notes.tmp/full"));
        state.write(NOTES, () -> lines(3), told::add);
        loop.runFor(0);
        assertThat(told).containsExactly(false, true);
        assertThat(read(NOTES)).contains(List.of(3));
        assertThat(log.all()).hasSize(2);
        assertThat(log.only(SmEvent.STATE_FILE_WRITTEN).get(EventField.FILE)).isEqualTo(dir + "/notes");
        loop.runFor(StateDirectory.RETRY_NS * 4);
        assertThat(read(NOTES)).contains(List.of(3));
        assertThat(state.failures()).isEqualTo(5);
    }

    @Test
    void writesWhatFailedBeforeAtTheOrderlyEnd() throws IOException {
        Files.createDirectories(dir.resolve("notes.tmp/full"));
        StateDirectory state = open();
        state.write(NOTES, () -> lines(2));
        loop.runFor(0);
        Files.delete(dir.resolve("notes.tmp/full"));
        state.flush();
        assertThat(read(NOTES)).contains(List.of(2));
    }

    /** After any damage the contents are the written ones, or empty. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void neverReadsWrongValues(long seed) throws IOException {
        Random random = Seeds.random(seed);
        for (int round = 0; round < 60; round++) {
            Integer[] numbers = IntStream.range(0, random.nextInt(30))
                    .mapToObj(i -> random.nextInt())
                    .toArray(Integer[]::new);
            write(NOTES, numbers);
            Path file = dir.resolve("notes");
            byte[] damaged = damaged(Files.readAllBytes(file), random);
            Files.write(file, damaged);
            Optional<List<Integer>> found = read(NOTES);
            if (found.isPresent()) {
                assertThat(found.get()).containsExactly(numbers);
            } else {
                assertThat(file).doesNotExist();
                assertThat(Files.readAllBytes(dir.resolve("notes.bad"))).isEqualTo(damaged);
            }
        }
    }

    private static byte[] damaged(byte[] whole, Random random) {
        int kind = random.nextInt(4);
        if (kind == 0) {
            return java.util.Arrays.copyOf(whole, random.nextInt(whole.length));
        } else if (kind == 1) {
            return java.util.Arrays.copyOfRange(whole, 1 + random.nextInt(whole.length), whole.length);
        }
        byte[] damaged = whole.clone();
        for (int flips = 1 + random.nextInt(kind == 2 ? 1 : 8); flips > 0; flips--) {
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return damaged;
    }

    @Test
    void aWriteThatFailsLeavesNothingBehind() {
        StateFile file = StateFile.of("notes", 1, 1000, "nothing");
        assertThatThrownBy(() -> file.write(dir, Stream.of("good", "not\none line")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(dir.resolve("notes.tmp")).doesNotExist();
    }

    /** The SM must not read the target of a link. */
    @Test
    void readsThroughNoLink() throws IOException {
        Path secret = Files.writeString(dir.resolve("shadow"), "root:secret\n");
        Files.createSymbolicLink(dir.resolve("lids"), secret);
        assertThat(read(StateFile.of("lids", 1, 1000, "LIDs are lost").sharedWithOpenSm()))
                .isEmpty();
        assertThat(log.only(SmEvent.STATE_FILE_UNUSED).names("secret")).isFalse();
    }

    @Test
    void refusesADirectoryThatOthersMayWrite() throws IOException {
        Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("chmod o-w");
    }

    @Test
    void aDirectoryThatCannotBeMadeYetIsTriedAgainWithAllFiles() throws Exception {
        Path later = dir.resolve("later");
        int[] tries = {0};
        StateDirectory state = StateDirectory.withPreparation(later, loop, () -> {
            if (++tries[0] < 3) {
                throw new IOException("No space left on device");
            }
            OwnDirectory.create(later);
        });
        assertThat(state.read(NOTES, new Numbers())).isEmpty();
        List<Boolean> written = new ArrayList<>();
        state.write(NOTES, () -> Stream.of("1"), written::add);
        loop.runFor(1);
        assertThat(written).containsExactly(false);
        assertThat(later).doesNotExist();
        assertThat(log.all()).as("the directory is reported, and not each file").isEmpty();
        loop.runFor(2 * StateDirectory.RETRY_NS);
        assertThat(log.of(SmEvent.STATE_DIR_MADE)).hasSize(1);
        assertThat(StateDirectory.open(later, loop).read(NOTES, new Numbers())).contains(List.of(1));
        state.write(NOTES, () -> Stream.of("2"));
        loop.runFor(1);
        assertThat(tries[0]).isEqualTo(3);
    }
}
