package io.torussm.daemon.replica;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.event.SmEvent;
import io.torussm.testing.Programs;
import io.torussm.testing.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.NakAckHeader2;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The channel of the replication between real JGroups channels on the loopback. */
@Tag("slow")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class JGroupsChannelTest {
    private static final String SECRET = "the name of a secret service ";
    private static final byte[] POISON = "poison".getBytes(UTF_8);
    private static final long TIMEOUT_S = 80;
    private static final String GROUP = "torus-sm 0xfe80000000000000";

    @TempDir
    Path dir;

    private final List<Peer> started = new ArrayList<>();
    private final InetSocketAddress one = ReplicaKeys.freeAddress();
    private final InetSocketAddress other = ReplicaKeys.freeAddress();
    private final Map<Logger, @Nullable Level> levelsBefore = new HashMap<>();
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            log.add(event.getLevel() + " " + event.getLoggerName() + " " + event.getFormattedMessage());
        }
    };

    JGroupsChannelTest() throws IOException {}

    @BeforeEach
    void listen() {
        appender.start();
        // Other tests of the same process set levels as the daemon does, which hears nothing of JGroups.
        Stream.concat(Stream.of(root()), PeerChannel.LOGGERS.stream().map(name ->
                        (Logger) LoggerFactory.getLogger(name)))
                .forEach(logger -> {
                    levelsBefore.put(logger, logger.getLevel());
                    logger.setLevel(Level.WARN);
                });
        root().addAppender(appender);
    }

    @AfterEach
    void stop() {
        root().detachAppender(appender);
        levelsBefore.forEach(Logger::setLevel);
        List.copyOf(started).forEach(Peer::close);
    }

    /** A channel, and the messages that it receives. */
    private final class Peer implements PeerChannel.Listener {
        final NettyLoop loop = new NettyLoop("replica", defect -> log.add("defect " + defect));
        final BlockingQueue<String> events = new LinkedBlockingQueue<>();
        final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
        final JGroupsChannel channel;

        Peer(InetSocketAddress own, List<InetSocketAddress> others, Path key) throws Exception {
            this(GROUP, own, others, key);
        }

        Peer(String group, InetSocketAddress own, List<InetSocketAddress> others, Path key) throws Exception {
            channel = new JGroupsChannel(new JGroupsChannel.Settings(group, own, others), KeyFile.read(key), loop);
            started.add(this);
            channel.start(this);
        }

        @Override
        public void joined(String peer) {
            events.add("joined " + peer);
        }

        @Override
        public void left(String peer) {
            events.add("left " + peer);
        }

        @Override
        public void received(String peer, byte[] message) {
            if (Arrays.equals(message, POISON)) {
                throw new IllegalStateException("provoked");
            }
            messages.add(message);
        }

        /** Inserts a protocol above TCP; on the loop. */
        void insert(Protocol protocol) {
            ProtocolStack stack = Objects.requireNonNull(channel.stack());
            stack.insertProtocolInStack(protocol, stack.getTransport(), ProtocolStack.Position.ABOVE);
        }

        String event() throws InterruptedException {
            String event = events.poll(TIMEOUT_S, TimeUnit.SECONDS);
            if (event == null) {
                throw new AssertionError("no event; log: " + log);
            }
            return event;
        }

        byte[] message() throws InterruptedException {
            byte[] message = messages.poll(TIMEOUT_S, TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("no message; log: " + log);
            }
            return message;
        }

        void close() {
            if (started.remove(this)) {
                channel.close();
                loop.close();
            }
        }
    }

    @Test
    void peersFindEachOtherReportTheirStateAndMissAbsentOnes() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        Peer first = new Peer(one, List.of(other), key);
        Peer second = new Peer(other, List.of(one), key);
        assertThat(first.event()).isEqualTo("joined " + text(other));
        assertThat(second.event()).isEqualTo("joined " + text(one));

        first.channel.send("a", () -> "small".getBytes(UTF_8), () -> first.events.add("sent"));
        assertThat(second.message()).asString(UTF_8).isEqualTo("small");
        assertThat(first.event()).isEqualTo("sent");

        byte[] large = new byte[20 << 20];
        Seeds.random(1).nextBytes(large);
        second.channel.send("b", () -> large, () -> {});
        assertThat(Arrays.equals(first.message(), large)).isTrue();
        assertThat(first.channel.peers()).containsExactly(text(other));

        second.close();
        assertThat(first.event()).isEqualTo("left " + text(other));
        assertThat(first.channel.peers()).isEmpty();
        new Peer(other, List.of(one), key);
        assertThat(first.event()).isEqualTo("joined " + text(other));
        assertThat(log).noneMatch(line -> line.contains("ERROR") || line.contains("defect"));
    }

    /** JGroups drops a message of a member that the receiver does not know yet, and sends it again. */
    @Test
    void aMulticastThatIsLostIsSentAgain() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        Peer first = new Peer(one, List.of(other), key);
        Peer second = new Peer(other, List.of(one), key);
        assertThat(first.event()).isEqualTo("joined " + text(other));
        assertThat(second.event()).isEqualTo("joined " + text(one));
        CountDownLatch lost = new CountDownLatch(1);
        first.loop.execute(() -> first.insert(new LossOfOne(lost)));

        first.channel.send("a", () -> "lost".getBytes(UTF_8), () -> first.events.add("sent"));
        assertThat(lost.await(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
        assertThat(first.event()).isEqualTo("sent");
        first.channel.send("a", () -> "next".getBytes(UTF_8), () -> {});
        assertThat(second.message()).asString(UTF_8).isEqualTo("lost");
        assertThat(second.message()).asString(UTF_8).isEqualTo("next");
    }

    /** A protocol above TCP that loses the first numbered multicast. */
    private static final class LossOfOne extends Protocol {
        private final CountDownLatch lost;

        LossOfOne(CountDownLatch lost) {
            this.lost = lost;
        }

        @Override
        public Object down(Message message) {
            NakAckHeader2 multicast = message.getHeader(ClassConfigurator.getProtocolId(NAKACK2.class));
            if (lost.getCount() > 0 && multicast != null && multicast.getType() == NakAckHeader2.MSG) {
                lost.countDown();
                return message; // not passed down
            }
            return down_prot.down(message);
        }
    }

    @Test
    void aDefectOnAThreadOfJGroupsIsCounted() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        Peer first = new Peer(one, List.of(other), key);
        Peer second = new Peer(other, List.of(one), key);
        assertThat(first.event()).isEqualTo("joined " + text(other));
        first.channel.send("a", () -> POISON, () -> first.channel.send("b", () -> "next".getBytes(UTF_8), () -> {}));
        assertThat(second.message()).asString(UTF_8).isEqualTo("next");
        assertThat(awaitLogLine("defect ")).contains("provoked");
    }

    @Test
    void aPeerWithAnotherKeyNeitherJoinsNorIsJoined() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        Peer first = new Peer(one, List.of(other), key);
        Peer stranger = new Peer(other, List.of(one), ReplicaKeys.make(dir, "other-key"));
        assertThat(awaitLogLine(SmEvent.REPLICATION_OTHER_KEY.code()))
                .startsWith("ERROR")
                .contains("127.0.0.1", "replication_key_file");
        stranger.channel.send("a", () -> "false".getBytes(UTF_8), () -> {});
        stranger.close();

        Peer friend = new Peer(other, List.of(one), key);
        assertThat(first.event()).isEqualTo("joined " + text(other));
        assertThat(friend.event()).isEqualTo("joined " + text(one));
        friend.channel.send("a", () -> "true".getBytes(UTF_8), () -> {});
        assertThat(first.message()).asString(UTF_8).isEqualTo("true");
        assertThat(stranger.events).isEmpty();
        assertThat(stranger.messages).isEmpty();
    }

    @Test
    void connectionsWithoutTlsDoNotBlockPeers() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        Peer first = new Peer(one, List.of(other), key);
        Peer before = new Peer(other, List.of(one), key);
        assertThat(first.event()).as("it listens").startsWith("joined");
        before.close();
        assertThat(first.event()).startsWith("left");
        InetAddress here = InetAddress.getLoopbackAddress();
        try (Socket plain = new Socket(here, one.getPort());
                Socket silent = new Socket(here, one.getPort())) {
            plain.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(UTF_8));
            plain.getOutputStream().flush();
            Peer second = new Peer(other, List.of(one), key);
            assertThat(first.event()).isEqualTo("joined " + text(other));
            assertThat(second.event())
                    .as("each sees the other, or what is sent is lost")
                    .isEqualTo("joined " + text(one));
            second.channel.send("a", () -> "here".getBytes(UTF_8), () -> {});
            assertThat(first.message()).asString(UTF_8).isEqualTo("here");
            assertThat(silent.isConnected()).isTrue();
        }
    }

    @Test
    void anotherSubnetsPeersAreNone() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        Peer first = new Peer(one, List.of(other), key);
        Peer stranger = new Peer("torus-sm 0xfe80000000000001", other, List.of(one), key);
        assertThat(awaitLogLine("different cluster")).startsWith("WARN");
        assertThat(first.events).isEmpty();
        assertThat(stranger.events).isEmpty();
    }

    @Test
    void aPortThatIsTakenIsReportedAndTriedAgain() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        try (ServerSocket taken = new ServerSocket(one.getPort(), 1, InetAddress.getLoopbackAddress())) {
            new Peer(one, List.of(other), key);
            assertThat(awaitLogLine(SmEvent.REPLICATION_NOT_LISTENING.code()))
                    .startsWith("ERROR")
                    .contains(text(one), "replication_listen", "10 s");
            assertThat(taken.isBound()).isTrue();
        }
        Peer second = new Peer(other, List.of(one), key);
        assertThat(second.event()).isEqualTo("joined " + text(one));
    }

    /** Captures both ways of all connections between the two, while a secret goes over them. */
    @Test
    @Tag("interop")
    void trafficOnTheWireIsEncrypted() throws Exception {
        Process tshark = new ProcessBuilder(
                        Programs.requireProgram("tshark"),
                        "-l",
                        "-i",
                        "lo",
                        "-f",
                        "tcp port " + one.getPort() + " or tcp port " + other.getPort(),
                        "-w",
                        "-")
                .start();
        String wire;
        try {
            InputStream capture = tshark.getInputStream();
            assumeTrue(capture.read() >= 0, "tshark may not capture here"); // the header of the capture: it has begun
            sendASecret();
            wire = new String(capture.readNBytes(SECRET.length() * 1000), ISO_8859_1);
        } finally {
            tshark.destroyForcibly();
        }
        assertThat(wire.length()).as("it did go over that wire").isEqualTo(SECRET.length() * 1000);
        for (String text : List.of(SECRET, "torus-sm 0x", text(one), "jgroups")) {
            assertThat(wire.contains(text)).as(text).isFalse();
        }
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    private String awaitLogLine(String part) throws InterruptedException {
        List<String> others = new ArrayList<>();
        for (String line = log.poll(TIMEOUT_S, TimeUnit.SECONDS);
                line != null;
                line = log.poll(TIMEOUT_S, TimeUnit.SECONDS)) {
            if (line.contains(part)) {
                return line;
            }
            others.add(line);
        }
        throw new AssertionError("no line with " + part + " after " + others);
    }

    private void sendASecret() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        Peer first = new Peer(one, List.of(other), key);
        Peer second = new Peer(other, List.of(one), key);
        second.event();
        second.channel.send("a", () -> SECRET.repeat(2000).getBytes(UTF_8), () -> {});
        assertThat(first.message()).hasSize(SECRET.length() * 2000);
        second.close();
        first.close();
    }
}
