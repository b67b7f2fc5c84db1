package io.torussm.daemon.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** The bounds of the messages of peers that wait for the SM. */
class ReplicaInboxTest {
    private final ReplicaInbox inbox = new ReplicaInbox();

    @Test
    void storesAtMost64Messages() {
        assertThat(stored(i -> received("peer " + i, "notes", 1))).isEqualTo(64);
        assertThat(inbox.take()).isNotNull();
        assertThat(inbox.put(received("another", "notes", 1))).isTrue();
    }

    @Test
    void storesAtMostTwoFilesOfTheLargestSize() {
        assertThat(stored(i -> received("peer " + i, "notes", ReplicaMessage.MAX_CONTENT_BYTES)))
                .isEqualTo(2);
    }

    @Test
    void aNewerMessageOfAPeerReplacesItsOlderOne() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(inbox.put(received("peer", "notes", i))).isTrue();
        }
        assertThat(inbox.take())
                .extracting(each -> each.message().content().length)
                .isEqualTo(999);
        assertThat(inbox.take()).isNull();
    }

    private static ReplicaInbox.Received received(String peer, String file, int bytes) {
        boolean isMaster = true;
        boolean isAsking = false;
        return new ReplicaInbox.Received(
                peer, new ReplicaMessage(isMaster, isAsking, 0, file, new FileVersion(1, 1), new byte[bytes]));
    }

    /** Returns the number of messages that are stored before one is refused. */
    private int stored(IntFunction<ReplicaInbox.Received> messages) {
        int count = 0;
        while (inbox.put(messages.apply(count))) {
            count++;
            assertThat(count).isLessThan(10_000);
        }
        return count;
    }
}
