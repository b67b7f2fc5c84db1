package io.torussm.daemon.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.state.StateSuccessor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who takes what from whom, on a management network that can be cut, in virtual time. */
class ReplicationTest {
    private static final long PREFIX = 0xfe80_0000_0000_0000L;
    private static final StateFile NOTES = new StateFile("notes", 1, 1 << 16, false, false, "nothing is noted");

    private final VirtualLoop loop = new VirtualLoop();
    private final List<Node> group = new ArrayList<>();

    @TempDir
    Path dir;

    /** An SM's state directory with one store in it, and its replication. */
    private final class Node implements PeerChannel, StateSuccessor<List<String>> {
        final String name;
        final StateDirectory directory;
        final Replication replication;
        final List<String> added = new ArrayList<>();
        List<String> notes;
        int sent;
        PeerChannel.@Nullable Listener listener;

        Node(String name, long prefix) throws IOException {
            this.name = name;
            directory = StateDirectory.open(dir.resolve(name), loop);
            notes = directory.read(NOTES, new Lines()).orElse(List.of());
            directory.follow(NOTES, Lines::new, this);
            replication = new Replication(directory, loop, loop, this, prefix);
            replication.start();
            settle();
        }

        void note(String... lines) {
            notes = List.of(lines);
            directory.write(NOTES, () -> Stream.of(lines));
            settle();
        }

        void begin() {
            replication.begin();
            settle();
        }

        void end() {
            replication.end();
            settle();
        }

        void join() {
            for (Node other : List.copyOf(group)) {
                other.hear().joined(name);
                hear().joined(other.name);
            }
            group.add(this);
            settle();
        }

        void leave() {
            group.remove(this);
            group.forEach(other -> other.hear().left(name));
            settle();
        }

        PeerChannel.Listener hear() {
            return java.util.Objects.requireNonNull(listener);
        }

        @Override
        public void replace(List<String> adopted) {
            notes = adopted;
        }

        @Override
        public void complete(List<String> adopted) {
            added.addAll(adopted);
        }

        @Override
        public void start(PeerChannel.Listener newListener) {
            listener = newListener;
        }

        @Override
        public void send(String slot, Supplier<byte[]> message, Runnable told) {
            if (group.contains(this) && group.size() > 1) {
                sent++;
                group.stream()
                        .filter(other -> other != this)
                        .forEach(other -> loop.execute(() -> other.hear().received(name, message.get())));
                told.run();
            }
        }

        @Override
        public List<String> peers() {
            return group.contains(this)
                    ? group.stream()
                            .filter(other -> other != this)
                            .map(other -> other.name)
                            .toList()
                    : List.of();
        }

        @Override
        public void close() {
            group.remove(this);
        }
    }

    private static final class Lines implements StateFile.Parser<List<String>> {
        private final List<String> lines = new ArrayList<>();

        @Override
        public String take(String line) {
            lines.add(line);
            return line.startsWith("!") ? "no note" : "";
        }

        @Override
        public List<String> value() {
            return List.copyOf(lines);
        }
    }

    private void settle() {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(10));
    }

    private Node node(String name) throws IOException {
        return new Node(name, PREFIX);
    }

    private Node joined(String name) throws IOException {
        Node node = node(name);
        node.join();
        return node;
    }

    private String onDisk(Node node) throws IOException {
        return Files.readString(dir.resolve(node.name).resolve("notes"));
    }

    @Test
    void aStandbyTakesWhatTheMasterWritesAndKeepsItOnItsDisk() throws Exception {
        Node master = joined("master");
        Node standby = joined("standby");
        master.begin();
        master.note("one");
        assertThat(standby.notes).containsExactly("one");
        assertThat(onDisk(standby)).isEqualTo(onDisk(master)).contains("one");
        master.note("one", "two");
        assertThat(standby.notes).containsExactly("one", "two");
        assertThat(Objects.requireNonNull(standby.replication.progress().taken())
                        .what())
                .isEqualTo("notes 1.2 from master");
        Replication.Transfer sent =
                Objects.requireNonNull(master.replication.progress().sent());
        assertThat(sent.what()).isEqualTo("notes 1.2");
        assertThat(sent.ageNs()).isBetween(0L, 999_999_999L);
    }

    @Test
    void aStandbyThatJoinsLaterGetsWhatWasThereBefore() throws Exception {
        Node first = node("master");
        first.note("older than the process");
        Node master = joined("master");
        master.begin();
        Node standby = joined("standby");
        assertThat(standby.notes).containsExactly("older than the process");
    }

    @Test
    void nothingIsTakenFromAStandby() throws Exception {
        Node master = joined("master");
        Node standby = joined("standby");
        master.begin();
        master.note("right");
        standby.note("wrong");
        assertThat(master.notes).containsExactly("right");
        assertThat(master.added).isEmpty();
    }

    @Test
    void theStandbyThatTakesOverIsTheNewerOneAndTheOldMasterTakesItsStateWhenItReturns() throws Exception {
        Node master = joined("master");
        Node standby = joined("standby");
        master.begin();
        master.note("one");
        master.leave();
        standby.begin();
        standby.note("one", "two");
        Node again = joined("master");
        assertThat(again.notes).containsExactly("one", "two");
        again.begin();
        standby.end();
        again.note("three");
        assertThat(standby.notes).containsExactly("three");
    }

    @Test
    void whatIsWrittenAtTheEndOfAReignStillGetsAcross() throws Exception {
        Node master = joined("master");
        Node standby = joined("standby");
        master.begin();
        master.directory.write(NOTES, () -> Stream.of("last words"));
        master.replication.end();
        settle();
        assertThat(standby.notes).containsExactly("last words");
    }

    @Test
    void afterBothWereDownTheNewerStateIsFoundByItsTerm() throws Exception {
        Node old = joined("old");
        Node successor = joined("successor");
        old.begin();
        old.note("old");
        old.leave();
        successor.begin();
        successor.note("new");
        successor.leave();

        Node oldAgain = joined("old");
        Node successorAgain = joined("successor");
        assertThat(oldAgain.notes).containsExactly("new");
        oldAgain.begin();
        assertThat(successorAgain.notes).containsExactly("new");
    }

    @Test
    void whoRuledBeforeItHeardOfANewerStateIsGivenWhatItDoesNotKnow() throws Exception {
        Node old = joined("old");
        Node successor = joined("successor");
        old.begin();
        old.note("old");
        old.leave();
        successor.begin();
        successor.note("new");
        successor.end();

        Node oldAgain = node("old");
        oldAgain.begin();
        oldAgain.note("old", "newest");
        oldAgain.join();
        assertThat(oldAgain.added).containsExactly("new");
        assertThat(oldAgain.notes).containsExactly("old", "newest");
        assertThat(successor.notes).containsExactly("old", "newest");
    }

    @Test
    void twoMastersKeepTheirOwnAndTheOneThatGivesWayTakesTheOthers() throws Exception {
        Node winner = joined("winner");
        Node loser = joined("loser");
        winner.begin();
        winner.note("common");
        loser.leave();
        loser.begin();
        loser.note("loser's");
        loser.note("loser's", "more");
        winner.note("winner's");
        loser.join();
        assertThat(winner.notes).containsExactly("winner's");
        assertThat(loser.notes).containsExactly("loser's", "more");
        int sent = winner.sent + loser.sent;
        settle();
        assertThat(winner.sent + loser.sent)
                .as("two masters do not shout at each other")
                .isEqualTo(sent);

        loser.end();
        assertThat(loser.notes).containsExactly("winner's");
        assertThat(winner.notes).containsExactly("winner's");
        assertThat(winner.added).isEmpty();
    }

    @Test
    void whoMissedTheEndOfAReignIsGivenItThoughTheTermIsTheSame() throws Exception {
        Node master = joined("master");
        Node standby = joined("standby");
        master.begin();
        master.note("one");
        standby.leave();
        master.note("one", "two");
        master.end();

        Node again = node("standby");
        again.begin();
        again.join();
        assertThat(again.added).containsExactly("one", "two");
    }

    @Test
    void aMasterAddsNothingOfAnotherMaster() throws Exception {
        Node one = joined("one");
        Node other = joined("other");
        one.begin();
        one.note("one");
        other.begin();
        other.note("other");
        other.end();
        assertThat(one.added).isEmpty();
        assertThat(other.notes).containsExactly("one");
    }

    @Test
    void aStandbyThatWasNeverTakenAlongBeginsWithItsOwnState() throws Exception {
        Node alone = node("alone");
        alone.note("own");
        Node again = node("alone");
        again.begin();
        assertThat(again.notes).containsExactly("own");
        again.note("own", "more");
        assertThat(onDisk(again)).contains("more");
    }

    @Test
    void anotherSubnetIsNotHeard() throws Exception {
        Node master = joined("master");
        Node stranger = new Node("stranger", PREFIX + 1);
        stranger.join();
        master.begin();
        master.note("one");
        assertThat(stranger.notes).isEmpty();
    }

    private byte[] letter(String content, FileVersion version) {
        return new ReplicaMessage(true, PREFIX, "notes", version, content.getBytes(UTF_8)).encode();
    }

    @Test
    void damagedBytesChangeNothing() throws Exception {
        Node master = joined("master");
        Node standby = joined("standby");
        master.begin();
        master.note("one");
        byte[] good = letter(onDisk(master), new FileVersion(9, 9));
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= 0x10;
            standby.hear().received("master", bad);
            settle();
            // A changed number makes another version of the same content, which nobody can tell from a right one.
            assertThat(standby.notes).as("byte %s", i).containsExactly("one");
        }
        standby.hear().received("master", new byte[0]);
        settle();
        assertThat(standby.notes).containsExactly("one");
    }

    @Test
    void aFileThatIsNoneIsNotTakenAndTheNextGoodOneIs() throws Exception {
        Node master = joined("master");
        Node standby = joined("standby");
        master.begin();
        master.note("one");
        String right = onDisk(master);
        for (String wrong : List.of(
                "",
                "# torus-sm notes version 1\n",
                right.replace("one", "two"),
                right.replace("version 1", "version 2"))) {
            standby.hear().received("master", letter(wrong, new FileVersion(8, 1)));
        }
        standby.hear()
                .received(
                        "master",
                        new ReplicaMessage(true, PREFIX, "other", new FileVersion(8, 1), new byte[0]).encode());
        master.note("!", "a note that the store does not like");
        assertThat(standby.notes).containsExactly("one");
        assertThat(onDisk(standby)).isEqualTo(right);
        master.note("two");
        assertThat(standby.notes).containsExactly("two");
    }

    @Test
    void whatWaitsIsBounded() throws Exception {
        Node standby = joined("standby");
        Node master = joined("master");
        master.begin();
        master.note("one");
        for (int i = 0; i < 100_000; i++) {
            standby.hear().received("flood " + i, letter("", new FileVersion(8, i)));
        }
        master.note("two");
        assertThat(standby.notes).containsExactly("two");
    }

    @Test
    void aPairThatCannotHearEachOtherGoesOn() throws Exception {
        Node master = node("master");
        Node standby = node("standby");
        master.begin();
        master.note("one");
        assertThat(onDisk(master)).contains("one");
        assertThat(standby.notes).isEmpty();
        assertThat(master.replication.progress()).isEqualTo(new Replication.Progress(List.of(), null, null));
    }
}
