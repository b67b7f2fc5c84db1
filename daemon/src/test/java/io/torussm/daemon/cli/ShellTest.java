package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.console.client.Completion;
import io.torussm.daemon.console.client.ConsoleClient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jline.reader.Candidate;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.Parser;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell of {@code torus-smctl}: completion, Ctrl-C, and the history of typed lines. The daemon is a stub. */
class ShellTest {
    private static final String HELP = "{\"commands\":[{\"name\":\"path\",\"usage\":\"path SRC DST [LEVEL|both]\"},"
            + "{\"name\":\"version\",\"usage\":\"version\"}]}";

    private final Completion completion =
            new Completion(request -> request.equals("help --json") ? List.of(HELP) : List.of("host one", "host-2"));

    @Test
    void proposesNamesOfTheDaemon() throws Exception {
        try (Terminal terminal = new DumbTerminal(new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream())) {
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .parser(Shell.parser())
                    .completer(new Shell.JLineCompleter(completion))
                    .build();
            assertThat(proposals(reader, "p")).containsExactly("path");
            assertThat(proposals(reader, "path ")).containsExactly("host one", "host-2", "--json");
            assertThat(proposals(reader, "path \"host one\" host-")).containsExactly("host-2");
        }
    }

    @Test
    void ctrlCAbandonsARequestAndTheNextOneIsAnswered() throws Exception {
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                Terminal terminal = new DumbTerminal(new ByteArrayInputStream(new byte[0]), screen)) {
            CompletableFuture<Void> daemon =
                    CompletableFuture.runAsync(() -> serve(server, () -> terminal.raise(Terminal.Signal.INT)));
            try (TypedCommands commands = new TypedCommands(server.getLocalAddress(), terminal)) {
                commands.run("sweep");
                commands.run("status");
            }
            daemon.join();
        }
        assertThat(screen.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "torus-smctl: the response to sweep is not awaited any longer; a change continues",
                        "state: routed");
        assertThat(ProgressLine.Open.LINES).isEmpty();
    }

    @Test
    void keepsTypedLinesToTheirOwner(@TempDir Path home) throws Exception {
        Files.createFile(home.resolve(".torus-smctl_history"));
        Path history = Objects.requireNonNull(Shell.history(home));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
                .isEqualTo("rw-------");
        assertThat(Shell.history(home.resolve("nowhere"))).isNull();
    }

    /** An image of a disk on standard input had filled the memory. */
    @Test
    void endsAtALineThatIsTooLong() throws Exception {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                ConsoleClient client = ConsoleClient.connect(server.getLocalAddress())) {
            InputStream input = new SequenceInputStream(
                    new ByteArrayInputStream("# comment\r\n\r\n".getBytes(StandardCharsets.UTF_8)),
                    new ByteArrayInputStream(new byte[1 << 20]));
            int code = Shell.onStream(client, input, System.out, new PrintStream(err, true, StandardCharsets.UTF_8));
            assertThat(code).isEqualTo(SmctlMain.USAGE);
            assertThat(input.available()).as("what was not read").isPositive();
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("standard input: line 3 has more than 65536");
    }

    private List<String> proposals(LineReader reader, String line) {
        List<Candidate> candidates = new ArrayList<>();
        new Shell.JLineCompleter(completion)
                .complete(reader, Shell.parser().parse(line, line.length(), Parser.ParseContext.COMPLETE), candidates);
        return candidates.stream().map(Candidate::value).toList();
    }

    /** Serves as a daemon that answers nothing on the first connection, and a request on the next one. */
    private static void serve(ServerSocketChannel server, Runnable whenAsked) {
        try (SocketChannel deaf = server.accept()) {
            deaf.read(ByteBuffer.allocate(100));
            whenAsked.run();
            try (SocketChannel good = server.accept()) {
                good.read(ByteBuffer.allocate(100));
                good.write(ByteBuffer.wrap("state: routed\n.ok\n".getBytes(StandardCharsets.UTF_8)));
                deaf.read(ByteBuffer.allocate(100)); // until the test ends
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
