package io.torussm.daemon.replica;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The PKCS #12 file with the key of the replication, made by keytool, and files that are rejected. */
class KeyFileTest {
    @TempDir
    Path dir;

    @Test
    void isReadAsKeytoolMakesIt() throws Exception {
        Path file = ReplicaKeys.make(dir, "key");
        assertThatCode(() -> KeyFile.read(file).context(stranger -> {})).doesNotThrowAnyException();
    }

    @Test
    void isRefusedIfOthersMayReadIt() throws Exception {
        Path file = ownersOnly("key", new byte[0]);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> KeyFile.read(file))
                .isInstanceOf(KeyFile.Unusable.class)
                .hasMessageContainingAll(file.toString(), "(rw-r-----)", "chmod 600");
    }

    @Test
    void isRefusedWithTheRemedyIfItIsNone() throws Exception {
        Path garbage = ownersOnly("garbage", "0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertThatThrownBy(() -> KeyFile.read(garbage))
                .isInstanceOf(KeyFile.Unusable.class)
                .hasMessageContainingAll(garbage.toString(), "PKCS #12", "keytool");
        assertThatThrownBy(() -> KeyFile.read(dir.resolve("absent")))
                .isInstanceOf(KeyFile.Unusable.class)
                .hasMessageContainingAll("there is no", "keytool");
    }

    @Test
    void isRefusedIfTheFileIsCutShort() throws Exception {
        byte[] whole = Files.readAllBytes(ReplicaKeys.make(dir, "key"));
        for (int length = 0; length < whole.length; length += 97) {
            Path file = ownersOnly("cut", java.util.Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> KeyFile.read(file)).isInstanceOf(KeyFile.Unusable.class);
        }
    }

    private Path ownersOnly(String name, byte[] content) throws Exception {
        Path file = Files.write(dir.resolve(name), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
