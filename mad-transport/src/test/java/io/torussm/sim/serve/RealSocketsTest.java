package io.torussm.sim.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.datagram.DatagramAddress;
import io.torussm.transport.datagram.DatagramEndpoint;
import io.torussm.transport.datagram.SocketLoop;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The server on the kernel's sockets, of the UNIX domain and of UDP. */
class RealSocketsTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final long TIMEOUT_S = 30;
    private static final String HOST = "H-0000000100000000";
    private static final long HOST_GUID = 0x1_0000_0000L;

    private final AtomicReference<@Nullable Throwable> defect = new AtomicReference<>();
    private final ListenAddress.Unix address =
            new ListenAddress.Unix("serve-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet());
    private final SocketLoop loop = new SocketLoop("fabric", defect::set);
    private final SocketLoop clients = new SocketLoop("clients", defect::set);
    private final Topology topology = TorusSpec.parse("torus:2x2x1,hosts=1").topology();
    private final FabricServer server;

    RealSocketsTest() throws Exception {
        server = callOn(loop, () -> {
            SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
            return new FabricServer(fabric, topology, loop, loop, ServeLimits.DEFAULT);
        });
    }

    @BeforeEach
    void listen() throws Exception {
        callOn(loop, () -> {
            server.listen(address);
            return server;
        });
    }

    @AfterEach
    void close() {
        clients.close();
        loop.close();
        assertThat(defect.get()).isNull();
    }

    private static <T> T callOn(SocketLoop loop, Callable<T> task) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(task.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return result.get(TIMEOUT_S, TimeUnit.SECONDS);
    }

    /** Keeps received MADs. */
    private static final class Inbox implements MadTransport.Receiver {
        final BlockingQueue<MadFrame> frames = new LinkedBlockingQueue<>();
        final CompletableFuture<String> failure = new CompletableFuture<>();

        @Override
        public void received(MadFrame frame) {
            frames.add(frame);
        }

        @Override
        public void transportFailed(String reason) {
            failure.complete(reason);
        }

        MadFrame next() throws InterruptedException {
            MadFrame frame = frames.poll(TIMEOUT_S, TimeUnit.SECONDS);
            assertThat(frame).isNotNull();
            return frame;
        }
    }

    private ServedPort open(int connection, String host) throws TransportException {
        return ServedPort.open(clients, clients, address, connection, host);
    }

    private static byte[] get(long tid, int... path) {
        return Smp.directed(Method.GET, tid, NodeInfo.TYPE.id(), 0, 0, DrPath.of(path));
    }

    @Test
    void servesManyAtOnce() throws Exception {
        Inbox inbox = new Inbox();
        try (ServedPort port = open(1, HOST)) {
            assertThat(port.localPort().portGuid()).isEqualTo(HOST_GUID + 1);
            assertThat(port.localPort().portNum()).isEqualTo(1);
            port.start(inbox);
            int count = 2_000;
            for (int tid = 1; tid <= count; tid++) {
                byte[] mad = tid % 2 == 0 ? get(tid, 1) : get(tid);
                assertThat(port.send(new MadFrame(MadAddress.DIRECTED, mad), 100))
                        .isTrue();
            }
            for (int tid = 1; tid <= count; tid++) {
                assertThat((int) MadHeader.tid(inbox.next().mad())).isEqualTo(tid);
            }
            assertThat(callOn(loop, server::counters).dropped()).isZero();
        }
        // Goodbyes and greetings come in by the same socket, one after the other.
        open(2, HOST);
        assertThat(callOn(loop, server::clients)).hasSize(1);
    }

    @Test
    @SuppressWarnings("try") // the first leaves before the second
    void isSmIsOneClientsAndUnansweredRequestsComeBack() throws Exception {
        Inbox inbox = new Inbox();
        try (ServedPort first = open(1, HOST);
                ServedPort second = open(2, HOST)) {
            first.start(inbox);
            first.setIsSm(true);
            assertThatThrownBy(() -> second.setIsSm(true)).hasMessageContaining("subnet manager already");
            first.send(new MadFrame(MadAddress.DIRECTED, get(3, 1, 6, 1)), 100);
            assertThat(inbox.next().isUndelivered()).isTrue();
            first.close();
            second.setIsSm(true);
        }
    }

    @Test
    void saysWhyItCannotAttach() {
        assertThatThrownBy(() -> open(1, "absent")).hasMessageContaining("no host \"absent\"");
        ListenAddress.Unix nowhere =
                new ListenAddress.Unix("nowhere-" + ProcessHandle.current().pid());
        assertThatThrownBy(() -> ServedPort.open(clients, clients, nowhere, 1, HOST))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("cannot be reached");
    }

    /** Sockets are closed without a message, as of a killed process, on either side. */
    @Test
    void eachSideDetectsTheEndOfTheOther() throws Exception {
        Inbox inbox = new Inbox();
        ServedPort port = open(1, HOST);
        port.start(inbox);
        SocketLoop killed = new SocketLoop("killed", defect::set);
        ServedPort.open(killed, killed, address, 2, HOST).setIsSm(true);
        killed.close();
        ServedPort next = open(3, HOST);
        next.setIsSm(true);
        assertThat(callOn(loop, server::counters).died()).isEqualTo(1);
        loop.close();
        assertThat(inbox.failure.get(TIMEOUT_S, TimeUnit.SECONDS)).contains("gone");
    }

    @Test
    void oneServerAtAnAddress() throws Exception {
        assertThatThrownBy(() -> callOn(loop, () -> {
                    server.listen(address);
                    return server;
                }))
                .hasMessageContaining("in use");
    }

    /** Sockets of the JDK, as libumad2sim uses them with IBSIM_SERVER_NAME. */
    @Test
    void speaksUdp() throws Exception {
        ListenAddress.Udp udp = callOn(loop, this::listenUdp);
        InetAddress home = InetAddress.getLoopbackAddress();
        try (DatagramSocket control = new DatagramSocket(new InetSocketAddress(home, 0));
                DatagramSocket data = new DatagramSocket(new InetSocketAddress(home, 0))) {
            byte[] connect = ControlMessage.of(0, ControlMessage.CONNECT);
            ControlMessage.setInt(connect, ControlMessage.CONNECTION, data.getLocalPort());
            control.connect(home, udp.port());
            byte[] answer = exchange(control, connect);
            assertThat(ControlMessage.type(answer)).isEqualTo(ControlMessage.CONNECT);
            int id = ControlMessage.intAt(answer, ControlMessage.CONNECTION);
            data.connect(home, udp.port() + 1 + id);
            byte[] datagram = MadDatagram.of(0xffff, 0, 0xffff, 0, 0, get(7, 1), MadHeader.MAD_SIZE);
            byte[] mad = MadDatagram.mad(exchange(data, datagram), 0);
            assertThat(NodeInfo.NODE_GUID.get(mad, Smp.DATA_OFFSET)).isEqualTo(0x200000);
            try (DatagramSocket stranger = new DatagramSocket(new InetSocketAddress(home, 0))) {
                stranger.connect(home, udp.port());
                byte[] refused = exchange(stranger, ControlMessage.of(id, ControlMessage.DISCONNECT));
                assertThat(ControlMessage.type(refused)).isEqualTo(ControlMessage.ERROR);
            }
            assertThat(ControlMessage.type(exchange(control, ControlMessage.of(id, ControlMessage.DISCONNECT))))
                    .isEqualTo(ControlMessage.DISCONNECT);
        }
        assertThat(callOn(loop, server::clients)).isEmpty();
    }

    private ListenAddress.Udp listenUdp() throws IOException {
        IOException last = new IOException("none tried");
        for (int tries = 0; tries < 20; tries++) {
            int port = 20_000 + new SplittableRandom().nextInt(30_000);
            try {
                if (ListenAddress.parse("udp:" + port) instanceof ListenAddress.Udp udp) {
                    server.listen(udp);
                    return udp;
                }
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    private static byte[] exchange(DatagramSocket socket, byte[] message) throws IOException {
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(TIMEOUT_S));
        socket.send(new DatagramPacket(message, message.length));
        byte[] answer = new byte[message.length];
        socket.receive(new DatagramPacket(answer, answer.length));
        return answer;
    }

    /** Garbage from sockets with odd names and without any, thousands of connects, clients that do not read. */
    @Test
    void outlivesHostileProcesses() throws Exception {
        SplittableRandom random = new SplittableRandom(5);
        Inbox inbox = new Inbox();
        ServedPort honest = open(1, HOST);
        honest.start(inbox);
        for (int i = 0; i < 300; i++) {
            int number = i;
            callOn(clients, () -> {
                attack(random, number);
                return number;
            });
            honest.send(new MadFrame(MadAddress.DIRECTED, get(1_000 + i)), 100);
            assertThat((int) MadHeader.tid(inbox.next().mad())).isEqualTo(1_000 + i);
        }
        assertThat(callOn(loop, server::counters).malformed()).isPositive();
        assertThat(callOn(loop, server::clients)).hasSizeLessThanOrEqualTo(ServeLimits.DEFAULT.maxClients());
    }

    private void attack(SplittableRandom random, int number) throws IOException {
        String[] names = {"odd\u0007name", "ctl" + number, "x".repeat(90), "\u20ac"};
        DatagramAddress local = number % 2 == 0
                ? DatagramAddress.unix("@" + address.name() + ":ctl" + (10_000 + number) + "\0")
                : DatagramAddress.unix("@" + number + names[random.nextInt(names.length)]);
        try (DatagramEndpoint socket = clients.bind(local, () -> {})) {
            socket.connect(address.control());
            ArrayDeque<byte[]> datagrams = new ArrayDeque<>();
            for (int i = 0; i < 8; i++) {
                byte[] message = ControlMessage.of(random.nextInt(40), random.nextInt(12));
                ControlMessage.setInt(message, ControlMessage.CONNECTION, 10_000 + number);
                byte[] garbage = new byte[random.nextInt(600)];
                random.nextBytes(garbage);
                datagrams.add(random.nextInt(3) == 0 ? garbage : message);
            }
            socket.send(datagrams);
            List<byte[]> ignored = List.copyOf(datagrams);
            assertThat(ignored).hasSizeLessThan(8);
        }
    }
}
