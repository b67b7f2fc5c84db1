package io.torussm.sim.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.MadAddress;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Hostile clients among honest ones: honest ones are served, and no trace of the hostile ones remains. */
class FabricServerFuzzTest {
    private static final int STEPS = 1_500;
    private static final int MAX_CLIENTS = 6;
    private static final int MAX_WAITING = 40;
    private static final int MAX_OUTSTANDING = 16;
    private static final String HONEST_HOST = "H-0000000100000000";
    private static final long HONEST_GUID = 0x1_0000_0000L;

    /** One run of a seed. */
    private static final class FuzzRun {
        final SplittableRandom random;
        final VirtualLoop loop = new VirtualLoop();
        final MemoryNetwork network = new MemoryNetwork(loop);
        final Topology topology = TorusSpec.parse("torus:2x2x1,hosts=2").topology();
        final SimFabric fabric;
        final FabricServer server;
        final List<FakeClient> hostileClients = new ArrayList<>();
        final FakeClient honestClient;
        long tids = 1;
        int pids = 10;

        FuzzRun(long seed) throws IOException {
            random = new SplittableRandom(seed);
            fabric = new SimFabric(topology, loop, new FaultPlan(seed, 0, 0, 0, 0));
            server = new FabricServer(
                    fabric,
                    topology,
                    loop,
                    network,
                    new ServeLimits(
                            MAX_CLIENTS,
                            MAX_WAITING,
                            MAX_OUTSTANDING,
                            TimeUnit.MILLISECONDS.toNanos(200),
                            TimeUnit.SECONDS.toNanos(1)));
            server.listen(FakeClient.SERVER);
            honestClient = new FakeClient(loop, network, 1);
            assertThat(honestClient.attach(HONEST_HOST)).isTrue();
            assertThat(honestClient.setIsSm(true)).isTrue();
        }

        void step() throws IOException {
            FakeClient one =
                    hostileClients.isEmpty() ? null : hostileClients.get(random.nextInt(hostileClients.size()));
            int kind = random.nextInt(10);
            if (one == null || kind == 0 && hostileClients.size() < 3 * MAX_CLIENTS) {
                hostileClients.add(newClient());
            } else if (kind == 1) {
                one.closeSilently();
                hostileClients.remove(one);
            } else if (kind == 2) {
                one.isReading = random.nextBoolean();
                one.received.clear();
            } else if (kind < 5) {
                one.control.send(new ArrayDeque<>(List.of(control())));
            } else {
                flood(one);
            }
            loop.runFor(random.nextInt(4) == 0 ? random.nextLong(400_000_000) : random.nextLong(1_000));
        }

        private FakeClient newClient() throws IOException {
            FakeClient client = new FakeClient(loop, network, pids++);
            String[] hosts = {"", HONEST_HOST, "S-0000000000200000", "absent", "host-1-1-0-1", "x\uFFFD\u0007", "[1]"};
            client.attach(hosts[random.nextInt(hosts.length)], random.nextInt(4) == 0);
            return client;
        }

        /** Returns a control request: garbage, of any length, for any client, or nearly valid. */
        private byte[] control() {
            byte[] message = bytes(random.nextInt(5) == 0 ? random.nextInt(200) : ControlMessage.LENGTH);
            if (message.length == ControlMessage.LENGTH && random.nextInt(4) != 0) {
                byte[] valid = ControlMessage.of(random.nextInt(-1, MAX_CLIENTS + 1), random.nextInt(13) - 1);
                System.arraycopy(
                        valid, 0, message, 0, random.nextBoolean() ? ControlMessage.DATA_OFFSET : valid.length);
                if (random.nextBoolean()) {
                    ControlMessage.setInt(message, ControlMessage.CONNECTION, random.nextInt(pids + 1));
                }
            }
            return message;
        }

        private void flood(FakeClient client) {
            for (int i = random.nextInt(30); i > 0; i--) {
                byte[] datagram = bytes(random.nextInt(6) == 0 ? random.nextInt(9_300) : MadDatagram.LENGTH);
                if (datagram.length == MadDatagram.LENGTH && random.nextInt(3) != 0) {
                    datagram = MadDatagram.of(
                            0xffff, random.nextInt(), lid(), random.nextInt(3), 0, mad(), random.nextInt(300));
                }
                client.data.send(new ArrayDeque<>(List.of(datagram)));
            }
        }

        private int lid() {
            return random.nextInt(3) == 0 ? random.nextInt(0x10000) : 0xffff;
        }

        /** Returns a valid SMP with some bytes changed. */
        private byte[] mad() {
            int[] path = random.ints(random.nextInt(5), 0, 8).toArray();
            int method = random.nextBoolean() ? Method.GET : Method.SET;
            byte[] mad = Smp.directed(
                    method, random.nextLong(64), 0x10 + random.nextInt(0x12), random.nextInt(4), 0, DrPath.of(path));
            for (int i = random.nextInt(6); i > 0; i--) {
                mad[random.nextInt(mad.length)] = (byte) random.nextInt();
            }
            return mad;
        }

        private byte[] bytes(int length) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            return bytes;
        }

        /** Checks that the honest client is answered, and keeps its port. */
        void check() {
            byte[] request = Smp.directed(Method.GET, 0x4000_0000L + tids++, NodeInfo.TYPE.id(), 0, 0, DrPath.LOCAL);
            byte[] answer = Objects.requireNonNull(honestClient.exchange(MadAddress.DIRECTED, request), "no answer");
            assertThat(answer).hasSize(MadDatagram.LENGTH);
            byte[] mad = MadDatagram.mad(answer, 0);
            assertThat(MadHeader.method(mad)).isEqualTo(Method.GET_RESP);
            assertThat(NodeInfo.NODE_GUID.get(mad, Smp.DATA_OFFSET)).isEqualTo(HONEST_GUID);
            assertThat(server.clients())
                    .hasSizeLessThanOrEqualTo(MAX_CLIENTS)
                    .anyMatch(each -> each.id() == honestClient.id && each.isSm());
        }
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void honestClientsAreServedAmongHostileOnes(long seed) throws IOException {
        FuzzRun siege = new FuzzRun(seed);
        for (int step = 0; step < STEPS; step++) {
            siege.step();
            if (step % 10 == 0) {
                siege.check();
            }
        }
        assertThat(siege.server.counters().malformed()).isPositive();
        siege.hostileClients.forEach(FakeClient::closeSilently);
        siege.honestClient.closeSilently();
        siege.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(siege.server.clients()).isEmpty();
        assertThat(siege.network.sockets()).isEqualTo(1);
        for (Topology.Node node : siege.topology.nodes()) {
            if (!node.isSwitch()) {
                assertThat(siege.fabric.portInfo(node.nodeGuid(), 1).get(PortInfo.CAPABILITY_MASK) & PortInfo.CAP_IS_SM)
                        .as(node.toString())
                        .isZero();
            }
        }
        ServeCounters end = siege.server.counters();
        assertThat(end.attached()).isGreaterThanOrEqualTo(end.died());
    }
}
