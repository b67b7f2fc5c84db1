package io.torussm.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Seeds;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The state of the last master, on the disk and at another SM. */
class LastStateTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();
    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=2");

    private Path storeAndReturnFile() throws Exception {
        harness.sweep();
        StateDirectory state = StateDirectory.open(dir, loop);
        new LastState(state, Runnable::run).store(harness.sweeper.state(), Instant.EPOCH);
        loop.runFor(1);
        return dir.resolve(LastState.FILE.name());
    }

    private void loseACable() {
        List<Topology.Node> nodes = harness.topology.nodes();
        harness.fabric.unlink(nodes.get(nodes.size() - 1).nodeGuid(), 1);
    }

    private void assertIsTheStateOf(@Nullable PublishedView read) {
        PublishedView up = harness.publishedView();
        PublishedView view = Objects.requireNonNull(read);
        assertThat(view.smPortGuid()).isEqualTo(up.smPortGuid());
        for (int sw = 0; sw < up.subnet().fabric().switchCount(); sw++) {
            assertThat(view.plan().lft(sw)).isEqualTo(up.plan().lft(sw));
        }
    }

    @Test
    void survivesAnSm() throws Exception {
        storeAndReturnFile();
        assertIsTheStateOf(new LastState(StateDirectory.open(dir, loop), Runnable::run).view());
    }

    @Test
    void isTakenOverFromAnotherSm(@TempDir Path other) throws Exception {
        byte[] replica = Files.readAllBytes(storeAndReturnFile());
        StateDirectory standby = StateDirectory.open(other, loop);
        LastState there = new LastState(standby, Runnable::run);
        assertThat(there.view()).isNull();
        standby.examine(LastState.FILE.name(), replica).replace();
        assertIsTheStateOf(there.view());
    }

    /** A takeover finds the view ready. A damaged state shows when it is decoded, by its event. */
    @Test
    void aStateOfTheMasterIsDecodedWhenItArrives() throws Exception {
        byte[] good = Files.readAllBytes(storeAndReturnFile());
        byte[] damaged = content("AAAA");
        List<Runnable> tasks = new ArrayList<>();
        StateDirectory standby = StateDirectory.none(loop);
        LastState there = new LastState(standby, tasks::add);
        standby.examine(LastState.FILE.name(), damaged).replace();
        standby.examine(LastState.FILE.name(), good).replace();
        assertThat(tasks).as("for the newest").hasSize(1);
        tasks.get(0).run();
        assertThat(log.of(SmEvent.STATE_FILE_UNUSED)).isEmpty();
        assertThat(there.view()).isNotNull().isSameAs(there.view());

        standby.examine(LastState.FILE.name(), damaged).replace();
        tasks.get(1).run();
        assertThat(log.of(SmEvent.STATE_FILE_UNUSED)).hasSize(1);
        assertThat(there.view()).isNull();
        assertThat(log.of(SmEvent.STATE_FILE_UNUSED)).hasSize(1);
    }

    @Test
    void theNewestStateCountsBeforeItIsWritten() throws Exception {
        harness.sweep();
        LastState state = new LastState(StateDirectory.open(dir, loop), Runnable::run);
        state.store(harness.sweeper.state(), Instant.EPOCH);
        assertIsTheStateOf(state.view());
    }

    @Test
    void aSweepThatChangesNothingWritesAndSendsNothing() throws Exception {
        harness.sweep();
        StateDirectory state = StateDirectory.open(dir, loop);
        List<String> sent = new ArrayList<>();
        LastState last = new LastState(state, Runnable::run);
        state.replicateTo((file, content) -> sent.add(file.name()));
        last.store(harness.sweeper.state(), Instant.EPOCH);
        loop.runFor(1);
        byte[] written = Files.readAllBytes(dir.resolve(LastState.FILE.name()));
        harness.sweep();
        last.store(harness.sweeper.state(), Instant.EPOCH.plusSeconds(1));
        loop.runFor(1);
        assertThat(sent).containsExactly(LastState.FILE.name());
        assertThat(dir.resolve(LastState.FILE.name())).hasBinaryContent(written);

        loseACable();
        harness.sweep();
        last.store(harness.sweeper.state(), Instant.EPOCH.plusSeconds(2));
        loop.runFor(1);
        assertThat(sent).hasSize(2);
        assertIsTheStateOf(new LastState(StateDirectory.open(dir, loop), Runnable::run).view());
    }

    /** A failed write, and the state of another SM, leave an unknown file. */
    @Test
    void anUnknownFileIsWrittenAgain() throws Exception {
        byte[] replica = Files.readAllBytes(storeAndReturnFile());
        StateDirectory state = StateDirectory.open(dir, loop);
        List<String> sent = new ArrayList<>();
        LastState last = new LastState(state, Runnable::run);
        state.replicateTo((file, content) -> sent.add(file.name()));
        last.store(harness.sweeper.state(), Instant.EPOCH);
        loop.runFor(1);
        state.examine(LastState.FILE.name(), replica).replace();
        loop.runFor(1);
        last.store(harness.sweeper.state(), Instant.EPOCH.plusSeconds(1));
        loop.runFor(1);
        assertThat(sent).hasSize(3);
    }

    @Test
    void theRowsOfAStateAreMadeOnce() throws Exception {
        harness.sweep();
        StateRows rows = new StateRows();
        FabricState state = harness.sweeper.state();
        PublishedView view = harness.publishedView();
        assertThat(rows.of(harness.sweeper.state(), view)).isSameAs(rows.of(state, view));
        loseACable();
        harness.sweep();
        assertThat(rows.of(harness.sweeper.state(), harness.publishedView())).isNotSameAs(rows.of(state, view));
    }

    /** The checksum of the file is right, and the rows are damaged: each of these is reported, and none is thrown. */
    @Test
    void damagedRowsAreNoState() throws Exception {
        byte[] file = Files.readAllBytes(storeAndReturnFile());
        String text = new String(file, StandardCharsets.UTF_8);
        String line = text.lines().skip(1).findFirst().orElseThrow();
        Random random = Seeds.random(Long.getLong("seed", 1));
        for (int i = 0; i < 200; i++) {
            char[] damaged = line.toCharArray();
            damaged[random.nextInt(damaged.length)] = (char) ('A' + random.nextInt(26));
            StateDirectory state = StateDirectory.none(loop);
            LastState last = new LastState(state, Runnable::run);
            state.examine(LastState.FILE.name(), content(new String(damaged))).replace();
            PublishedView view = last.view();
            if (view == null) {
                assertThat(log.of(SmEvent.STATE_FILE_UNUSED).get(0).get(EventField.ACTION))
                        .contains("first sweep");
            }
        }
        assertThat(log.of(SmEvent.STATE_FILE_UNUSED)).hasSizeGreaterThan(100);
    }

    private static byte[] content(String line) {
        return LastState.FILE.content(Stream.of(line));
    }

    @Test
    void aLineThatIsNotBase64IsNoState() {
        StateDirectory state = StateDirectory.none(loop);
        LastState last = new LastState(state, Runnable::run);
        assertThatThrownBy(() -> state.examine(LastState.FILE.name(), content("a line")))
                .isInstanceOf(StateFile.DamagedFileException.class)
                .hasMessageContaining("Base64");
        assertThat(last.view()).isNull();
    }
}
