package io.torussm.daemon.console.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.console.ConsoleCase;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.testing.LoggedEvents;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The server of the console: its sockets, the clients of several users, and its limits. */
class ConsoleServerTest extends ConsoleCase {
    @Test
    void doublesALeadingDotOnTheWire() throws IOException {
        control.version = ".dotted";
        assertThat(rawResponse("version\nquit\n")).startsWith("..dotted\n.ok\n");
        assertThat(execute("version")).containsExactly(".dotted", "ok");
    }

    /** The log has the user and the result of each change, but no read access. */
    @Test
    void changesAreReportedWithTheirUser() throws IOException {
        try (LoggedEvents log = new LoggedEvents().listen()) {
            execute("status");
            execute("priority");
            assertThat(log.of(SmEvent.CHANGE_ASKED)).isEmpty();
            execute("sweep");
            LoggedEvents.LoggedEvent change = log.only(SmEvent.CHANGE_ASKED);
            assertThat(change.get(EventField.USER)).isEqualTo(System.getProperty("user.name"));
            assertThat(change.get(EventField.ACTION)).isEqualTo("sweep");
            assertThat(change.get(EventField.TEXT)).isEqualTo("done");
        }
    }

    @Test
    void survivesADefectInACommand() throws IOException {
        control.hasDefect = true;
        assertThat(execute("status")).containsExactly("internal error, see the log", "error");
        assertThat(execute("version")).containsExactly("torus-sm test", "ok");
    }

    @Test
    void handsAnErrorOfTheVirtualMachineOn() throws Exception {
        Thread.UncaughtExceptionHandler previousHandler = Thread.getDefaultUncaughtExceptionHandler();
        BlockingQueue<Throwable> escalated = new LinkedBlockingQueue<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> escalated.add(thrown));
        try {
            for (Error error : List.of(new OutOfMemoryError("provoked"), new StackOverflowError("provoked"))) {
                control.versionError = error;
                assertThat(execute("version")).containsExactly("internal error, see the log", "error");
                assertThat(escalated.poll(60, TimeUnit.SECONDS)).isSameAs(error);
            }
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(previousHandler);
        }
    }

    @Test
    void answersSeveralRequestsInOrderUntilQuit() throws IOException {
        assertThat(rawResponse("version\nsweep\nquit\nversion\n"))
                .isEqualTo("torus-sm test\n.ok\nheavy sweep requested\n.ok\n.ok\n");
    }

    @Test
    void endsAConnectionThatSendsTooMuch() throws IOException {
        assertThat(rawResponse("x".repeat(5000)))
                .isEqualTo("no request is longer than " + ConsoleSession.MAX_LINE_BYTES + " bytes\n.error\n");
        assertThat(rawResponse("help\n".repeat(5000)))
                .endsWith("more than " + ConsoleSession.MAX_WAITING + " simultaneous requests\n.error\n")
                .hasSizeLessThan(5000 * 3000);
        assertThat(execute("version")).containsExactly("torus-sm test", "ok");
    }

    /** Connections that ask nothing keep no operator out: the oldest makes room. */
    @Test
    void aNewClientTakesThePlaceOfTheOldestIdleOne() throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < ConsoleServer.MAX_CLIENTS; i++) {
            SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
            channels.add(channel);
            channel.write(ByteBuffer.wrap("version\n".getBytes(StandardCharsets.US_ASCII)));
            assertThat(channel.read(ByteBuffer.allocate(100))).isPositive();
        }
        assertThat(execute("version")).containsExactly("torus-sm test", "ok");
        for (SocketChannel channel : channels) {
            if (!channel.equals(channels.get(0))) {
                channel.write(ByteBuffer.wrap("quit\n".getBytes(StandardCharsets.US_ASCII)));
            }
            String rest = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(rest).endsWith(channel.equals(channels.get(0)) ? "connect again\n.error\n" : ".ok\n");
            channel.close();
        }
        assertThat(execute("version")).containsExactly("torus-sm test", "ok");
    }

    @Test
    void isForOwnerAndGroupOnly() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-rw----");
    }

    @Test
    void takesNoSocketFromALivingDaemon() throws IOException {
        assertThatThrownBy(() -> ConsoleServer.open(settings(socket), control))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another process listens on");
        assertThat(execute("version")).containsExactly("torus-sm test", "ok");
    }

    @Test
    void replacesTheSocketOfADeadDaemonButNoOtherFile() throws IOException {
        Path stale = dir.resolve("stale.sock");
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(stale));
        }
        assertThat(stale).exists();
        ConsoleServer.open(settings(stale), control).close();
        assertThat(stale).doesNotExist();

        Path precious = Files.writeString(dir.resolve("precious"), "text");
        assertThatThrownBy(() -> ConsoleServer.open(settings(precious), control))
                .hasMessageContaining("is not a socket");
        assertThat(precious).hasContent("text");

        for (Path target : List.of(precious, stale, Path.of("/dev/null"))) {
            Path link = Files.createSymbolicLink(dir.resolve("link to " + target.getFileName()), target);
            assertThatThrownBy(() -> ConsoleServer.open(settings(link), control))
                    .hasMessageContaining("is not a socket");
            assertThat(link).isSymbolicLink();
        }
        assertThatThrownBy(() -> ConsoleServer.open(settings(Path.of("/dev/null")), control))
                .hasMessageContaining("is not a socket");
        assertThat(Path.of("/dev/null")).exists();
    }

    @Test
    void removesItsSocketAtTheEnd() {
        close();
        server = null;
        assertThat(socket).doesNotExist();
        assertThatThrownBy(() -> execute("version")).isInstanceOf(IOException.class);
    }

    @Test
    void asksOnlyOverTcp() throws IOException {
        int port = Objects.requireNonNull(server).tcpPort();
        try (ConsoleClient client =
                ConsoleClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            List<String> lines = new ArrayList<>();
            assertThat(client.execute("version", SILENCE_MS, lines::add)).isTrue();
            assertThat(client.execute("loglevel", SILENCE_MS, lines::add)).isTrue();
            assertThat(lines).containsExactly("torus-sm test", "log level info");
            for (String change : List.of(
                    "sweep",
                    "resweep light",
                    "reroute",
                    "priority 3",
                    "loglevel debug",
                    "handover",
                    "dump",
                    "capture x")) {
                lines.clear();
                assertThat(client.execute(change, SILENCE_MS, lines::add))
                        .as(change)
                        .isFalse();
                assertThat(lines).first().asString().endsWith("nothing can be changed over TCP; use the socket");
            }
        }
        assertThat(control.requests).isEmpty();
        assertThat(control.logLevel).isEqualTo("info");
    }

    @Test
    void listensOnNoTcpPortThatOthersReach() throws IOException {
        Path other = dir.resolve("other.sock");
        ConsoleServer.Settings wide = new ConsoleServer.Settings(other, "", new InetSocketAddress(0));
        try (ConsoleServer narrow = ConsoleServer.open(wide, control)) {
            assertThat(narrow.tcpPort()).isZero();
        }
    }

    @Test
    void saysThatThereIsNoSuchGroup() {
        ConsoleServer.Settings settings = new ConsoleServer.Settings(dir.resolve("g.sock"), "no-such-group", null);
        assertThatThrownBy(() -> ConsoleServer.open(settings, control))
                .hasMessage("control_socket_group: there is no group \"no-such-group\"");
        assertThat(dir.resolve("g.sock")).doesNotExist();
    }
}
