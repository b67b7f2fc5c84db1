package io.torussm.transport.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages to a real datagram socket. */
class NotifySocketTest {
    @TempDir
    Path dir;

    @Test
    void sendsToAPath() throws Exception {
        arrivesAt(dir.resolve("notify").toString());
    }

    @Test
    void sendsToAnAbstractName() throws Exception {
        arrivesAt("@torus-sm/test/" + ProcessHandle.current().pid());
    }

    private static void arrivesAt(String name) throws Exception {
        try (DatagramReceiver receiver = new DatagramReceiver(name);
                NotifySocket socket = NotifySocket.open(name)) {
            socket.send("READY=1\nSTATUS=grün");
            socket.send("WATCHDOG=1");
            assertThat(receiver.next()).containsExactly("READY=1", "STATUS=grün");
            assertThat(receiver.next()).containsExactly("WATCHDOG=1");
        }
    }

    @Test
    void saysThatNobodyListens() throws IOException {
        try (NotifySocket socket = NotifySocket.open(dir.resolve("nobody").toString())) {
            assertThatThrownBy(() -> socket.send("READY=1"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("errno 2");
        }
    }

    /** A listener that does not read: the message is refused, the sender is not held up. */
    @Test
    @SuppressWarnings("try") // it is there and does not read
    void neverWaits() throws Exception {
        String name = dir.resolve("slow").toString();
        try (DatagramReceiver receiver = new DatagramReceiver(name);
                NotifySocket socket = NotifySocket.open(name)) {
            String large = "X".repeat(NotifySocket.MAX_MESSAGE);
            assertThatThrownBy(() -> {
                        while (true) {
                            socket.send(large);
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("errno 11");
        }
    }

    @Test
    void refusesWhatIsNoAddressAndWhatIsTooLong() throws IOException {
        assertThatThrownBy(() -> NotifySocket.open("vsock:2:1234")).hasMessageContaining("neither");
        assertThatThrownBy(() -> NotifySocket.open("/" + "x".repeat(107))).hasMessageContaining("longer");
        NotifySocket socket = NotifySocket.open("/" + "x".repeat(106));
        assertThatThrownBy(() -> socket.send("x".repeat(NotifySocket.MAX_MESSAGE + 1)))
                .hasMessageContaining("4097 bytes");
        socket.close();
        assertThatThrownBy(() -> socket.send("x")).hasMessageContaining("closed");
    }
}
