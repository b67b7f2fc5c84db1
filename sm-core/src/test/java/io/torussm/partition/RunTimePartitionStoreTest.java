package io.torussm.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.partition.RunTimePartition.Member;
import io.torussm.partition.RunTimePartition.Qos;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.testing.LoggedEvents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of run-time changes of partitions. */
class RunTimePartitionStoreTest {
    private static final String FILE = "partition-members";
    private static final RunTimePartition JOBS = new RunTimePartition(
            0x10,
            "jobs",
            true,
            new Qos(5, 7, 3),
            Map.of(1L, new Member(Membership.FULL, true), -1L, new Member(Membership.BOTH, false)));
    private static final RunTimePartition OTHER =
            new RunTimePartition(0x7fff, "", false, Qos.DEFAULT, Map.of(2L, new Member(Membership.LIMITED, false)));
    private static final RunTimePartitions BOTH = RunTimePartitions.of(List.of(JOBS, OTHER));

    @RegisterExtension
    final LoggedEvents logged = new LoggedEvents();

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();

    private RunTimePartitionStore open() throws IOException {
        return new RunTimePartitionStore(StateDirectory.open(dir, loop), loop);
    }

    private boolean keep(RunTimePartitionStore store, RunTimePartitions next) {
        List<Boolean> answers = new ArrayList<>();
        store.keep(next, 0x10, answers::add);
        loop.runFor(0);
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    @Test
    void keptMembersAreThereAfterARestart() throws IOException {
        assertThat(keep(open(), BOTH)).isTrue();
        assertThat(open().current()).isEqualTo(BOTH);
        assertThat(Files.readString(dir.resolve(FILE)))
                .contains("""
                        partition 0x0010 ipoib mtu 5 rate 7 sl 3 jobs
                        member 0xffffffffffffffff both -
                        member 0x0000000000000001 full index0
                        """, "partition 0x7fff - mtu 4 rate 3 sl 0\nmember 0x0000000000000002 limited -\n");
    }

    @Test
    void aChangeIsEffectiveAfterItsWriteToDisk() throws IOException {
        RunTimePartitionStore store = open();
        store.keep(BOTH, 0x10, isKept -> {});
        assertThat(store.current()).isEqualTo(RunTimePartitions.NONE);
        loop.runFor(0);
        assertThat(store.current()).isEqualTo(BOTH);
    }

    @Test
    void unwritableChangesDoNotCountNorLater() throws IOException {
        RunTimePartitionStore store = open();
        Files.createDirectories(dir.resolve(FILE + ".tmp/x"));
        assertThat(keep(store, BOTH)).isFalse();
        assertThat(store.current()).isEqualTo(RunTimePartitions.NONE);
        Files.delete(dir.resolve(FILE + ".tmp/x"));
        Files.delete(dir.resolve(FILE + ".tmp"));
        loop.runFor(2 * StateDirectory.RETRY_NS);
        assertThat(open().current()).isEqualTo(RunTimePartitions.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "member 0x0000000000000001 full -",
                "partition 0x0010 ipoib mtu 4 rate 3 sl 0\nmember 0x0000000000000001 some -",
                "partition 0x0010 ipoib mtu 4 rate 3 sl 0\nmember 0x0000000000000000 full -",
                "partition 0x0010 ipoib mtu 4 rate 3 sl 0\npartition 0x0010 - mtu 4 rate 3 sl 0",
                "partition 0x8010 ipoib mtu 4 rate 3 sl 0",
                "partition 0x0010 ipoib mtu 4 rate 3 sl 16",
                "partition 0x0010 ipoib mtu 4 rate 63 sl 0",
                "partition 0x0010 ipoib mtu 4 rate 3 sl 0 -x",
                "partition 0x0010 - mtu 4 rate 3 sl 0\nmember 0x0000000000000001 full -\nmember 0x0000000000000001 both -"
            })
    void aFileThatCannotBeUsedIsNamedWithItsLine(String bad) throws IOException {
        StateDirectory directory = StateDirectory.open(dir, loop);
        directory.write(RunTimePartitionFile.FILE, bad::lines);
        loop.runFor(0);
        assertThat(open().current()).isEqualTo(RunTimePartitions.NONE);
        assertThat(logged.of(SmEvent.STATE_FILE_UNUSED)).singleElement().satisfies(event -> {
            assertThat(event.get(EventField.FILE)).endsWith(FILE);
            assertThat(event.get(EventField.REASON)).containsPattern("line [0-9]+");
        });
    }

    @Test
    void theFileOfAnotherSmReplacesTheOwnOne() throws Exception {
        RunTimePartitionStore store = open();
        keep(store, RunTimePartitions.of(List.of(OTHER)));
        StateDirectory directory = StateDirectory.open(dir, loop);
        RunTimePartitionStore standby = new RunTimePartitionStore(directory, loop);
        directory.examine(FILE, content(RunTimePartitions.of(List.of(JOBS)))).replace();
        assertThat(standby.current().all()).containsExactly(JOBS);
    }

    /**
     * A master that receives the file of another one late: the newer entry counts, except for later changes
     * here.
     */
    @Test
    void aNewerFileCountsExceptForLocalChanges() throws Exception {
        StateDirectory directory = StateDirectory.open(dir, loop);
        RunTimePartitionStore store = new RunTimePartitionStore(directory, loop);
        keep(store, RunTimePartitions.of(List.of(JOBS)));
        List<String> told = new ArrayList<>();
        store.whenAdopted(() -> told.add("adopted"));
        RunTimePartition theirs = JOBS.with(new TreeMap<>(Map.of(9L, new Member(Membership.FULL, false))));
        directory
                .examine(FILE, content(RunTimePartitions.of(List.of(theirs, OTHER))))
                .complete();
        loop.runFor(0);
        assertThat(store.current()).isEqualTo(BOTH);
        assertThat(open().current()).isEqualTo(BOTH);
        assertThat(told).containsExactly("adopted");
    }

    private byte[] content(RunTimePartitions all) throws IOException {
        Path other = Files.createDirectories(dir.resolve("other"));
        StateDirectory directory = StateDirectory.open(other, loop);
        directory.write(RunTimePartitionFile.FILE, () -> RunTimePartitionFile.lines(all));
        loop.runFor(0);
        return Files.readString(other.resolve(FILE)).getBytes(StandardCharsets.UTF_8);
    }
}
