package io.torussm.daemon.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.event.SmEvent;
import io.torussm.testing.LoggedEvents;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jgroups.Version;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Attacks on the replication while it runs. Only complete, newer state of a peer with the key is adopted, and
 * memory is bounded. Other keys, no TLS and silence are in {@link JGroupsChannelTest}, damaged files in
 * {@link ReplicationTest}.
 */
@Tag("slow")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ReplicationAttackTest {
    private static final long TIMEOUT_S = 90;
    private static final byte[] COOKIE = "bela".getBytes(UTF_8);
    private static final int GIGABYTE = 1 << 30;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    @TempDir
    static Path dir;

    private static final List<Peer> STARTED = new ArrayList<>();

    private static Path key = Path.of("");
    private static InetSocketAddress one = InetSocketAddress.createUnresolved("", 0);
    private static List<Peer> pair = List.of();

    @BeforeAll
    static void start() throws Exception {
        key = ReplicaKeys.make(dir, "key");
        one = ReplicaKeys.freeAddress();
        pair = pair(one, key);
    }

    @AfterAll
    static void stop() {
        STARTED.forEach(Peer::close);
        STARTED.clear();
    }

    /** A real channel on the loopback, and the messages that it receives. */
    private static final class Peer implements PeerChannel.Listener {
        final NettyLoop loop = new NettyLoop("replica", defect -> {
            throw new AssertionError(defect);
        });
        final BlockingQueue<String> peers = new LinkedBlockingQueue<>();
        final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
        final JGroupsChannel channel;

        Peer(InetSocketAddress own, InetSocketAddress other, Path key) throws Exception {
            channel = new JGroupsChannel(
                    new JGroupsChannel.Settings("test", own, List.of(other)), KeyFile.read(key), loop);
            STARTED.add(this);
            channel.start(this);
        }

        @Override
        public void joined(String peer) {
            peers.add(peer);
        }

        @Override
        public void left(String peer) {}

        @Override
        public void received(String peer, byte[] message) {
            messages.add(message);
        }

        void close() {
            channel.close();
            loop.close();
        }
    }

    @Test
    void aRecordedConnectionPlayedAgainIsNothing() throws Exception {
        ByteArrayOutputStream recorded = new ByteArrayOutputStream();
        try (ServerSocket relay = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress tap = InetSocketAddress.createUnresolved("127.0.0.1", relay.getLocalPort());
            Thread relaying = new Thread(() -> relay(relay, one, recorded));
            relaying.start();
            try (SSLSocket socket = connectAsAttacker(tap)) {
                socket.getOutputStream().write(new byte[] {0, 0, 0, 3, 1, 2, 3});
            }
            relaying.join();
        }
        assertThat(recorded.size()).isGreaterThan(1000);
        try (Socket again = new Socket(InetAddress.getLoopbackAddress(), one.getPort())) {
            again.setSoTimeout((int) TimeUnit.SECONDS.toMillis(TIMEOUT_S));
            again.getOutputStream().write(recorded.toByteArray());
            assertClosed(again);
        }
        assertThat(exchange(pair.get(1), pair.get(0), new byte[] {42})).containsExactly(42);
        assertThat(pair.get(0).messages).isEmpty();
        assertThat(pair.get(0).channel.peers()).hasSize(1);
    }

    @Test
    void aRecordedMessagePlayedAgainIsOld() throws Exception {
        ReplicaScript script = pairOfScripts();
        byte[] first = message(script, "one", new FileVersion(1, 1));
        script.on("write master two");
        for (int i = 0; i < 100; i++) {
            script.sm("standby").connectedListener().received("master", first);
        }
        script.settle();
        assertThat(script.sm("standby").notes).containsExactly("two");
    }

    @Test
    void aMessageThatIsCutInTheMiddleIsNotHeard() throws Exception {
        for (int announced : new int[] {1000, 100_000}) {
            try (SSLSocket cut = connectAsAttacker(one)) {
                DataOutputStream out = new DataOutputStream(cut.getOutputStream());
                out.writeInt(announced);
                out.write(new byte[announced / 2]);
                out.flush();
            }
        }
        assertThat(exchange(pair.get(1), pair.get(0), new byte[] {42})).containsExactly(42);
        assertThat(pair.get(0).messages).isEmpty();
    }

    @Test
    void aGigabyteThatIsAnnouncedIsNotWaitedFor() throws Exception {
        for (int announced : new int[] {GIGABYTE, Integer.MAX_VALUE}) {
            try (SSLSocket huge = connectAsAttacker(one)) {
                new DataOutputStream(huge.getOutputStream()).writeInt(announced);
                assertClosed(huge);
            }
        }
        assertThat(exchange(pair.get(1), pair.get(0), new byte[] {42})).containsExactly(42);
        byte[] lie = message(pairOfScripts(), "", new FileVersion(1, 9));
        int length = lie.length - contentLength(lie) - Integer.BYTES;
        java.nio.ByteBuffer.wrap(lie).putInt(length, GIGABYTE);
        assertThatThrownBy(() -> ReplicaMessage.decode(lie)).isInstanceOf(ReplicaMessage.Malformed.class);
    }

    @Test
    void theQueueIsBoundedInBytes() throws Exception {
        ReplicaScript script = pairOfScripts();
        byte[] large = new ReplicaMessage(
                        true,
                        false,
                        ReplicaScript.PREFIX,
                        "notes",
                        new FileVersion(2, 1),
                        new byte[ReplicaMessage.MAX_CONTENT_BYTES / 8])
                .encode();
        for (int peer = 0; peer < 20; peer++) {
            script.sm("standby").connectedListener().received("peer" + peer, large);
        }
        assertThat(log.of(SmEvent.REPLICATION_REFUSED)).isNotEmpty();
        script.settle();
        script.on("write master two");
        assertThat(script.sm("standby").notes).containsExactly("two");
    }

    /** A wrong version of an attacker must not make all true ones appear old forever. */
    @Test
    void aPeerThatLiesAboutItsVersionDoesNotEndTheReplication() throws Exception {
        ReplicaScript script = pairOfScripts();
        PeerChannel.Listener standby = script.sm("standby").connectedListener();
        FileVersion lie = new FileVersion(FileVersion.MAX, FileVersion.MAX);
        standby.received("liar", message(script, "one", lie));
        standby.received("liar", new ReplicaMessage(true, false, ReplicaScript.PREFIX, "", lie, new byte[0]).encode());
        script.sm("master")
                .connectedListener()
                .received(
                        "liar", new ReplicaMessage(false, false, ReplicaScript.PREFIX, "", lie, new byte[0]).encode());
        byte[] otherFormat = message(script, "one", new FileVersion(1, 2));
        otherFormat[4] = 2;
        standby.received("liar", otherFormat);
        script.settle();
        script.on("write master two");
        assertThat(script.sm("standby").notes).containsExactly("two");
        script.runAll("end master", "begin standby");
        script.on("write standby three");
        assertThat(script.sm("master").notes).containsExactly("three");
    }

    /**
     * A line for each message would fill the disk: by two causes in turn, by figures in them, by names that
     * are made up.
     */
    @Test
    void messagesOfAPeerCostFewLogLines() throws Exception {
        ReplicaScript script = pairOfScripts();
        PeerChannel.Listener standby = script.sm("standby").connectedListener();
        byte[] otherFormat = message(script, "one", new FileVersion(1, 2));
        otherFormat[4] = 2;
        for (int i = 0; i < 3000; i++) {
            standby.received("liar", otherFormat);
            standby.received("liar", new byte[3]);
            standby.received("liar", message(script, "one", new FileVersion(FileVersion.MAX - i, 1)));
            script.settle();
        }
        assertThat(log.of(SmEvent.REPLICATION_REFUSED)).as("in half a minute").hasSize(1);
        for (int i = 0; i < 1000; i++) {
            standby.received("liar" + i, otherFormat);
        }
        assertThat(log.of(SmEvent.REPLICATION_REFUSED)).hasSizeLessThan(70);
    }

    /** Versions are counters without times; and the certificate identifies a peer independent of its dates. */
    @Test
    void clocksMayDifferByYears() throws Exception {
        int year = Instant.now().atZone(java.time.ZoneOffset.UTC).getYear();
        Path future = ReplicaKeys.make(dir, "future", "-startdate", (year + 2) + "/01/01 00:00:00");
        List<Peer> early = pair(ReplicaKeys.freeAddress(), future);
        assertThat(exchange(early.get(0), early.get(1), new byte[] {1})).containsExactly(1);
    }

    @Test
    void noLevelOfTheLogShowsAKey() throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                lines.add(event.getFormattedMessage() + event.getThrowableProxy());
            }
        };
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Level before = root.getLevel();
        appender.start();
        root.addAppender(appender);
        root.setLevel(Level.TRACE);
        log.close(); // its level must not hide the logger below
        try {
            String secret = "0x5ec2e75ec2e75ec2";
            byte[] content = ("# torus-sm notes version 1\n" + secret + "\n").getBytes(UTF_8);
            ReplicaMessage message =
                    new ReplicaMessage(true, false, ReplicaScript.PREFIX, "notes", new FileVersion(9, 9), content);
            byte[] heard = exchange(pair.get(0), pair.get(1), message.encode());
            ReplicaScript script = pairOfScripts();
            script.sm("standby").connectedListener().received("peer", heard);
            for (int length = heard.length - 1; length > 0; length--) {
                script.sm("standby").connectedListener().received("peer", Arrays.copyOf(heard, length));
            }
            script.settle();
            assertThat(lines).isNotEmpty().noneMatch(line -> line.contains(secret.substring(2)));
        } finally {
            root.setLevel(before);
            root.detachAppender(appender);
        }
    }

    /** Two channels that see each other. */
    private static List<Peer> pair(InetSocketAddress first, Path itsKey) throws Exception {
        InetSocketAddress other = ReplicaKeys.freeAddress();
        List<Peer> two = List.of(new Peer(first, other, itsKey), new Peer(other, first, itsKey));
        for (Peer peer : two) {
            assertThat(peer.peers.poll(TIMEOUT_S, TimeUnit.SECONDS)).isNotNull();
        }
        return two;
    }

    private static byte[] exchange(Peer from, Peer to, byte[] message) throws InterruptedException {
        from.channel.send("slot", () -> message, () -> {});
        byte[] heard = to.messages.poll(TIMEOUT_S, TimeUnit.SECONDS);
        assertThat(heard).isNotNull();
        return heard;
    }

    /** Opens a connection of an attacker with the key, up to the first frame. */
    private static SSLSocket connectAsAttacker(InetSocketAddress at) throws Exception {
        SSLContext context = KeyFile.read(key).context(stranger -> {});
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), at.getPort());
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(TIMEOUT_S / 2));
        IpAddress address = new IpAddress(
                InetAddress.getLoopbackAddress(), ReplicaKeys.freeAddress().getPort());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.write(COOKIE);
        out.writeShort(Version.version);
        out.writeShort(address.serializedSize());
        address.writeTo(out);
        out.flush();
        return socket;
    }

    /** Reads until the other end closes the connection, and closes this end, which may find a broken pipe. */
    private static void assertClosed(Socket socket) throws IOException {
        try (socket) {
            socket.getInputStream().readAllBytes();
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("the connection stays, and waits for what was announced", e);
        } catch (IOException e) {
            assertThat(e).as("reset instead of closed").hasMessageMatching("(?i).*(reset|broken pipe|closed).*");
        }
    }

    /** Passes one connection on, both ways, until the client ends it. */
    private static void relay(ServerSocket from, InetSocketAddress to, ByteArrayOutputStream recorded) {
        try (Socket client = from.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), to.getPort())) {
            Thread back = new Thread(() -> {
                try {
                    server.getInputStream().transferTo(client.getOutputStream());
                } catch (IOException e) {
                    // the end
                }
            });
            back.start();
            byte[] bytes = new byte[1 << 14];
            for (int read = client.getInputStream().read(bytes);
                    read >= 0;
                    read = client.getInputStream().read(bytes)) {
                recorded.write(bytes, 0, read);
                server.getOutputStream().write(bytes, 0, read);
            }
        } catch (IOException e) {
            // the end
        }
    }

    private static int contentLength(byte[] message) throws ReplicaMessage.Malformed {
        return ReplicaMessage.decode(message).content().length;
    }

    /** A master that has written "one", and a standby that has taken it. */
    private ReplicaScript pairOfScripts() throws Exception {
        ReplicaScript script = new ReplicaScript(Files.createTempDirectory(dir, "scene"));
        script.runAll(
                "start standby",
                "connect standby",
                "start master",
                "connect master",
                "begin master",
                "write master one");
        assertThat(script.sm("standby").notes).containsExactly("one");
        return script;
    }

    /** The master's file, said to be of a version. */
    private static byte[] message(ReplicaScript script, String note, FileVersion version) throws Exception {
        String file = script.sm("master").file();
        assertThat(file).contains(note);
        return new ReplicaMessage(true, false, ReplicaScript.PREFIX, "notes", version, file.getBytes(UTF_8)).encode();
    }
}
