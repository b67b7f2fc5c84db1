package io.torussm.daemon.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.daemon.console.server.ConsoleServer;
import io.torussm.daemon.control.FakeControl;
import io.torussm.testing.KeptInputs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes to the console: it never reports a defect. */
class ConsoleFuzzTest {
    private static final Path SOCKET = server();

    /** Runs an input of the fuzzer: the bytes that a client sends before it closes its side. */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(SOCKET))) {
            channel.write(ByteBuffer.wrap(data));
            channel.shutdownOutput();
            Channels.newInputStream(channel).transferTo(output);
        } catch (SocketException e) {
            assertThat(e).hasMessageMatching("Connection reset|Broken pipe");
        }
        assertThat(output.toString(StandardCharsets.UTF_8)).doesNotContain("internal error");
    }

    static List<byte[]> inputs() {
        return KeptInputs.of(ConsoleFuzzTest.class);
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void noRequestIsADefect(byte[] data) throws IOException {
        fuzzerTestOneInput(data);
    }

    private static Path server() {
        FakeControl control = new FakeControl();
        control.view = Views.twoSwitches();
        try {
            Path directory = Files.createTempDirectory("torus-sm-fuzz");
            directory.toFile().deleteOnExit();
            Path socket = directory.resolve("control.sock");
            ConsoleServer.open(ConsoleCase.settings(socket), control);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
