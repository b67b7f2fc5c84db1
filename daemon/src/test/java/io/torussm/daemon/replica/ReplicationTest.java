package io.torussm.daemon.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.Conversation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The files that SMs accept from each other are in {@code src/test/resources/replica/replication.txt}; here
 * are messages that no SM sends.
 */
class ReplicationTest {
    @TempDir
    static Path dir;

    private static ReplicaScript script() throws Exception {
        return new ReplicaScript(Files.createTempDirectory(dir, "scene"));
    }

    @TestFactory
    List<DynamicContainer> replication() throws Exception {
        return Conversation.scenes(ReplicationTest::script, "replica/replication.txt");
    }

    /** A master that has written "one", and a standby that has taken it. */
    private static ReplicaScript pair() throws Exception {
        ReplicaScript script = script();
        script.all("start standby", "connect standby", "start master", "connect master", "begin master");
        script.on("write master one");
        assertThat(script.sm("standby").notes).containsExactly("one");
        return script;
    }

    private static byte[] message(String content, FileVersion version) {
        return new ReplicaMessage(true, false, ReplicaScript.PREFIX, "notes", version, content.getBytes(UTF_8))
                .encode();
    }

    @Test
    void damagedBytesChangeNothing() throws Exception {
        ReplicaScript script = pair();
        ReplicaScript.Sm standby = script.sm("standby");
        byte[] good = message(script.sm("master").file(), new FileVersion(9, 9));
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= 0x10;
            standby.hears().received("master", bad);
            script.settle();
            // A changed number makes another version of the same content, which is indistinguishable from a
            // right one.
            assertThat(standby.notes).as("byte %s", i).containsExactly("one");
        }
        standby.hears().received("master", new byte[0]);
        script.settle();
        assertThat(standby.notes).containsExactly("one");
    }

    @Test
    void aFileThatIsNoneIsNotTakenAndTheNextGoodOneIs() throws Exception {
        ReplicaScript script = pair();
        ReplicaScript.Sm standby = script.sm("standby");
        String right = script.sm("master").file();
        for (String wrong : List.of(
                "",
                "# torus-sm notes version 1\n",
                right.replace("one", "two"),
                right.replace("version 1", "version 2"))) {
            standby.hears().received("master", message(wrong, new FileVersion(8, 1)));
        }
        standby.hears()
                .received(
                        "master",
                        new ReplicaMessage(
                                        true, false, ReplicaScript.PREFIX, "other", new FileVersion(8, 1), new byte[0])
                                .encode());
        script.on("write master !, a note that the store does not like");
        assertThat(standby.notes).containsExactly("one");
        assertThat(standby.file()).isEqualTo(right);
        script.on("write master two");
        assertThat(standby.notes).containsExactly("two");
    }

    @Test
    void theQueueIsBounded() throws Exception {
        ReplicaScript script = pair();
        for (int i = 0; i < 100_000; i++) {
            script.sm("standby").hears().received("flood " + i, message("", new FileVersion(8, i)));
        }
        script.on("write master two");
        assertThat(script.sm("standby").notes).containsExactly("two");
    }
}
