package io.torussm.transport.datagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages to a real datagram socket. */
class UnixDatagramSocketTest {
    @TempDir
    Path dir;

    @Test
    void sendsToAPath() throws Exception {
        assertArrivesAt(dir.resolve("notify").toString());
    }

    @Test
    void sendsToAnAbstractName() throws Exception {
        assertArrivesAt("@torus-sm/test/" + ProcessHandle.current().pid());
    }

    private static void assertArrivesAt(String name) throws Exception {
        try (DatagramReceiver receiver = new DatagramReceiver(name);
                UnixDatagramSocket socket = UnixDatagramSocket.open(name)) {
            socket.send("READY=1\nSTATUS=grün");
            socket.send("WATCHDOG=1");
            assertThat(receiver.next()).containsExactly("READY=1", "STATUS=grün");
            assertThat(receiver.next()).containsExactly("WATCHDOG=1");
        }
    }

    @Test
    void reportsThatNoReceiverListens() throws IOException {
        try (UnixDatagramSocket socket =
                UnixDatagramSocket.open(dir.resolve("absent").toString())) {
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
                UnixDatagramSocket socket = UnixDatagramSocket.open(name)) {
            String large = "X".repeat(UnixDatagramSocket.MAX_MESSAGE);
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
    void refusesBadAddressesAndLongOnes() throws IOException {
        assertThatThrownBy(() -> UnixDatagramSocket.open("vsock:2:1234")).hasMessageContaining("neither");
        assertThatThrownBy(() -> UnixDatagramSocket.open("/" + "x".repeat(107))).hasMessageContaining("longer");
        UnixDatagramSocket socket = UnixDatagramSocket.open("/" + "x".repeat(106));
        assertThatThrownBy(() -> socket.send("x".repeat(UnixDatagramSocket.MAX_MESSAGE + 1)))
                .hasMessageContaining((UnixDatagramSocket.MAX_MESSAGE + 1) + " bytes");
        socket.close();
        assertThatThrownBy(() -> socket.send("x")).hasMessageContaining("closed");
    }
}
