package io.torussm.daemon.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.Views;
import io.torussm.view.PublishedView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
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
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ConsoleTest {
    private static final int SILENCE_MS = 10_000;

    @TempDir
    Path dir;

    private Path socket = Path.of("");
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> status = new CopyOnWriteArrayList<>(List.of("state: MASTER", ".dotted"));
    private volatile @Nullable PublishedView view = Views.twoSwitches();
    private @Nullable ConsoleServer server;

    private final ConsoleControl control = new ConsoleControl() {
        @Override
        public void requestSweep(boolean isHeavy) {
            asked.add(isHeavy ? "heavy" : "light");
        }

        @Override
        public void requestReroute() {
            asked.add("reroute");
        }

        @Override
        public @Nullable PublishedView view() {
            return view;
        }

        @Override
        public List<String> statusLines() {
            if (status.isEmpty()) {
                throw new IllegalStateException("a defect made for this test");
            }
            return status;
        }

        @Override
        public String version() {
            return "torus-sm test";
        }
    };

    @BeforeEach
    void open() throws IOException {
        socket = dir.resolve("run/control.sock");
        server = ConsoleServer.open(socket, control);
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
    }

    /** The answer, and {@code ok} or {@code error} as its last line. */
    private List<String> ask(String request) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean isGood = ConsoleClient.ask(socket, request, SILENCE_MS, lines::add);
        lines.add(isGood ? "ok" : "error");
        return lines;
    }

    /** What the server says until it closes; a connection closed with requests unread is reset after the last answer. */
    private String raw(String bytes) throws IOException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.UTF_8)));
            Channels.newInputStream(channel).transferTo(said);
        } catch (SocketException e) {
            assertThat(e).hasMessage("Connection reset");
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void passesRequestsOn() throws IOException {
        assertThat(ask("sweep")).containsExactly("heavy sweep requested", "ok");
        assertThat(ask("sweep light")).containsExactly("light sweep requested", "ok");
        assertThat(ask("reroute")).containsExactly("reroute requested", "ok");
        assertThat(asked).containsExactly("heavy", "light", "reroute");
    }

    @Test
    void answersFromTheView() throws IOException {
        assertThat(ask("status")).containsExactly("state: MASTER", ".dotted", "ok");
        assertThat(ask("version")).containsExactly("torus-sm test", "ok");
        assertThat(ask("switches"))
                .contains("2      0x0000000000200001  (0,0,0)      sw-b")
                .hasSize(4);
        assertThat(ask("path \"host-0\" 4 8")).contains("SL   9 (level wanted: 8), routed by hand", "ok");
        assertThat(ask("help")).contains("version                  version of the program");
    }

    @Test
    void saysSoWhileNoSubnetIsUp() throws IOException {
        view = null;
        assertThat(ask("path 1 2")).containsExactly("no subnet is up yet; see status", "error");
        assertThat(ask("switches")).containsExactly("no subnet is up yet; see status", "error");
    }

    @Test
    void explainsWhatItCannotDo() throws IOException {
        assertThat(ask("frobnicate")).containsExactly("there is no command \"frobnicate\"; try help", "error");
        assertThat(ask("sweep now")).containsExactly("usage: sweep [heavy|light]", "error");
        assertThat(ask("path 1 2 16"))
                .containsExactly("usage: path SRC DST [LEVEL], with LEVEL from 0 to 15, or both", "error");
        assertThat(ask("path 1 77")).contains("no end port has the name, GUID or LID \"77\"", "error");
    }

    @Test
    void survivesADefectInACommand() throws IOException {
        status.clear();
        assertThat(ask("status")).containsExactly("internal error, see the log", "error");
        assertThat(ask("version")).containsExactly("torus-sm test", "ok");
    }

    @Test
    void answersSeveralRequestsInOrderUntilQuit() throws IOException {
        assertThat(raw("version\nsweep\nquit\nversion\n"))
                .isEqualTo("torus-sm test\n.ok\nheavy sweep requested\n.ok\n.ok\n");
    }

    @Test
    void endsAConnectionThatSendsTooMuch() throws IOException {
        assertThat(raw("x".repeat(5000)))
                .isEqualTo("no request is longer than " + ConsoleSession.MAX_LINE + " bytes\n.error\n");
        assertThat(raw("help\n".repeat(5000)))
                .endsWith("more than " + ConsoleSession.MAX_WAITING + " requests at once\n.error\n")
                .hasSizeLessThan(5000 * 800);
        assertThat(ask("version")).containsExactly("torus-sm test", "ok");
    }

    @Test
    void refusesMoreClientsThanItCanServe() throws IOException {
        List<SocketChannel> held = new ArrayList<>();
        for (int i = 0; i < ConsoleServer.MAX_CLIENTS; i++) {
            SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
            held.add(channel);
            channel.write(ByteBuffer.wrap("version\n".getBytes(StandardCharsets.US_ASCII)));
            assertThat(channel.read(ByteBuffer.allocate(100))).isPositive();
        }
        assertThat(raw("")).startsWith("too many clients");
        for (SocketChannel channel : held) {
            channel.write(ByteBuffer.wrap("quit\n".getBytes(StandardCharsets.US_ASCII)));
            String rest = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(rest).endsWith(".ok\n");
            channel.close();
        }
        assertThat(ask("version")).containsExactly("torus-sm test", "ok");
    }

    @Test
    void isForOwnerAndGroupOnly() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-rw----");
    }

    @Test
    void takesNoSocketFromALivingDaemon() throws IOException {
        assertThatThrownBy(() -> ConsoleServer.open(socket, control))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("somebody listens on");
        assertThat(ask("version")).containsExactly("torus-sm test", "ok");
    }

    @Test
    void replacesTheSocketOfADeadDaemonButNoOtherFile() throws IOException {
        Path stale = dir.resolve("stale.sock");
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(stale));
        }
        assertThat(stale).exists();
        ConsoleServer.open(stale, control).close();
        assertThat(stale).doesNotExist();

        Path precious = Files.writeString(dir.resolve("precious"), "text");
        assertThatThrownBy(() -> ConsoleServer.open(precious, control)).hasMessageContaining("is not a socket");
        assertThat(precious).hasContent("text");
    }

    @Test
    void removesItsSocketAtTheEnd() {
        close();
        server = null;
        assertThat(socket).doesNotExist();
        assertThatThrownBy(() -> ask("version")).isInstanceOf(IOException.class);
    }

    @Test
    void listsPartitionsAndTheirMembers() throws IOException {
        assertThat(ask("partitions"))
                .containsExactly(
                        "from (no partitions.conf), enforcement both",
                        "P_Key   full   limited  name",
                        "0x7fff  4      0        Default",
                        "ok");
        List<String> members = List.of(
                "P_Key   index  LID    port GUID           name",
                "0xffff  0      1      0x0000000000200000  sw-a",
                "0xffff  0      2      0x0000000000200001  sw-b",
                "0xffff  0      3      0x0000001000000001  host-0",
                "0xffff  0      4      0x0000001000000101  host-1",
                "ok");
        assertThat(ask("partitions Default")).isEqualTo(members);
        assertThat(ask("partitions 0x7fff")).isEqualTo(members);
        assertThat(ask("partitions 0xffff")).isEqualTo(members);
        assertThat(ask("partitions nobody"))
                .containsExactly("there is no partition \"nobody\"; see partitions", "error");
        assertThat(ask("partitions a b")).containsExactly("usage: partitions [NAME|P_KEY]", "error");
        view = null;
        assertThat(ask("partitions")).containsExactly("no subnet is up yet; see status", "error");
    }
}
