package io.torussm.daemon.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.Views;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.console.server.ConsoleServer;
import io.torussm.daemon.control.FakeControl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test of the console of a {@link FakeControl} with the fabric of {@link Views#twoSwitches}, over a Unix socket. */
@Timeout(30)
public abstract class ConsoleCase {
    protected static final int SILENCE_MS = 60_000;

    @TempDir
    protected Path dir;

    protected Path socket = Path.of("");

    @Nullable
    protected ConsoleServer server;

    protected final FakeControl control = new FakeControl();

    @BeforeEach
    void open() throws IOException {
        control.view = Views.twoSwitches();
        control.version = "torus-sm test";
        socket = dir.resolve("run/control.sock");
        server = ConsoleServer.open(settings(socket), control);
    }

    protected static ConsoleServer.Settings settings(Path socket) {
        return new ConsoleServer.Settings(socket, "", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    protected void close() {
        if (server != null) {
            server.close();
        }
    }

    /** Returns the answer, with {@code ok} or {@code error} as its last line. */
    protected List<String> execute(String request) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean isGood = ConsoleClient.execute(socket, request, SILENCE_MS, lines::add);
        lines.add(isGood ? "ok" : "error");
        return lines;
    }

    /**
     * Returns the output of the server until it closes. A connection that is closed with unread requests is
     * reset after the last response.
     */
    protected String rawResponse(String bytes) throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.UTF_8)));
            Channels.newInputStream(channel).transferTo(output);
        } catch (SocketException e) {
            assertThat(e).hasMessage("Connection reset");
        }
        return output.toString(StandardCharsets.UTF_8);
    }

    protected JsonNode json(String request) throws IOException {
        List<String> lines = execute(request);
        return new ObjectMapper().readTree(String.join("\n", lines.subList(0, lines.size() - 1)));
    }
}
