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
 * The exchange of files between SMs: the scenes of {@code src/test/resources/replica/replication.txt}, and messages
 * that no SM sends.
 */
class ReplicationTest {
    private static final String FILE = "notes";

    @TempDir
    static Path dir;

    @TestFactory
    List<DynamicContainer> replication() throws Exception {
        return Conversation.scenes(ReplicationTest::script, "replica/replication.txt");
    }

    @Test
    void damagedBytesChangeNothing() throws Exception {
        ReplicaScript script = pair();
        ReplicaScript.Sm standby = script.sm("standby");
        byte[] good = message(FILE, script.sm("master").file(), new FileVersion(9, 9));
        for (int i = 0; i < good.length; i++) {
            byte[] bad = good.clone();
            bad[i] ^= 0x10; // in FileVersion this makes a newer version of the same content, which is taken
            standby.connectedListener().received("master", bad);
            script.settle();
            assertThat(standby.notes).as("byte %s", i).containsExactly("one");
        }
        standby.connectedListener().received("master", new byte[0]);
        script.settle();
        assertThat(standby.notes).containsExactly("one");
    }

    @Test
    void aFileThatTheStoreCannotReadIsRejected() throws Exception {
        ReplicaScript script = pair();
        ReplicaScript.Sm standby = script.sm("standby");
        String right = script.sm("master").file();
        for (String bad : List.of(
                "",
                "# torus-sm notes version 1\n",
                right.replace("one", "two"),
                right.replace("version 1", "version 2"))) {
            standby.connectedListener().received("master", message(FILE, bad, new FileVersion(8, 1)));
            script.settle();
        }
        standby.connectedListener().received("master", message("other", "", new FileVersion(8, 1)));
        script.settle();
        assertThat(standby.notes).containsExactly("one");
        assertThat(standby.file()).isEqualTo(right);
    }

    /** The store of the script refuses a note with an exclamation mark. */
    @Test
    void theNextGoodFileAfterARejectedOneIsTaken() throws Exception {
        ReplicaScript script = pair();
        script.on("write master !, a note that the store refuses");
        assertThat(script.sm("standby").notes).containsExactly("one");
        script.on("write master two");
        assertThat(script.sm("standby").notes).containsExactly("two");
    }

    /** Each message has another sender, so none replaces another in the inbox. */
    @Test
    void aFloodOfMessagesDoesNotKeepTheNextFileAway() throws Exception {
        ReplicaScript script = pair();
        for (int i = 0; i < 1_000; i++) {
            script.sm("standby").connectedListener().received("flood " + i, message(FILE, "", new FileVersion(8, i)));
        }
        script.on("write master two");
        assertThat(script.sm("standby").notes).containsExactly("two");
    }

    private static ReplicaScript script() throws Exception {
        return new ReplicaScript(Files.createTempDirectory(dir, "scene"));
    }

    /** Returns a master that has written "one", and a standby that has taken it. */
    private static ReplicaScript pair() throws Exception {
        ReplicaScript script = script();
        script.runAll("start standby", "connect standby", "start master", "connect master", "begin master");
        script.on("write master one");
        assertThat(script.sm("standby").notes).containsExactly("one");
        return script;
    }

    /** Returns the message of a master. */
    private static byte[] message(String file, String content, FileVersion version) {
        boolean isMaster = true;
        boolean isAsking = false;
        return new ReplicaMessage(isMaster, isAsking, ReplicaScript.PREFIX, file, version, content.getBytes(UTF_8))
                .encode();
    }
}
