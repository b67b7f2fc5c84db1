package io.torussm.daemon.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.testing.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bytes of a message of the replication, and bytes that are no message. */
class ReplicaMessageTest {
    private final ReplicaMessage message = new ReplicaMessage(
            true, true, 0xfe80_0000_0000_0000L, "guid2lid", new FileVersion(7, 99), "0x1 0x2 0x2\n".getBytes(UTF_8));

    @Test
    void isReadAsItWasWritten() throws Exception {
        ReplicaMessage read = ReplicaMessage.decode(message.encode());
        assertThat(read.isMaster()).isTrue();
        assertThat(read.isReportRequested()).isTrue();
        assertThat(read.subnetPrefix()).isEqualTo(message.subnetPrefix());
        assertThat(read.name()).isEqualTo("guid2lid");
        assertThat(read.version()).isEqualTo(new FileVersion(7, 99));
        assertThat(read.content()).isEqualTo(message.content());
    }

    @Test
    void eachFlagHasItsOwnBit() throws Exception {
        byte[] bytes = message.encode();
        bytes[5] = 1;
        assertThat(ReplicaMessage.decode(bytes)).matches(read -> read.isMaster() && !read.isReportRequested());
        bytes[5] = 2;
        assertThat(ReplicaMessage.decode(bytes)).matches(read -> !read.isMaster() && read.isReportRequested());
    }

    @Test
    void isRefusedAtEveryOtherLength() {
        byte[] whole = message.encode();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> ReplicaMessage.decode(cut)).isInstanceOf(ReplicaMessage.Malformed.class);
        }
        assertThatThrownBy(() -> ReplicaMessage.decode(Arrays.copyOf(whole, whole.length + 1)))
                .isInstanceOf(ReplicaMessage.Malformed.class);
    }

    @Test
    void anotherFormatIsReported() {
        byte[] bytes = message.encode();
        bytes[4] = 2;
        assertThatThrownBy(() -> ReplicaMessage.decode(bytes))
                .hasMessageContaining("format 2, this program reads format 1");
    }

    @Test
    void anImpossibleVersionIsRefused() {
        byte[] bytes = message.encode();
        bytes[7 + "guid2lid".length() + 8] = (byte) 0xff;
        assertThatThrownBy(() -> ReplicaMessage.decode(bytes)).isInstanceOf(ReplicaMessage.Malformed.class);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void neverThrowsAnythingElse(long seed) {
        Random random = Seeds.random(seed);
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = message.encode();
            for (int change = random.nextInt(4); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(ReplicaMessage.decode(bytes).name()).matches("[a-z0-9-]{0,40}");
            } catch (ReplicaMessage.Malformed refused) {
                assertThat(refused).hasMessageNotContaining("null");
            }
        }
    }
}
