package io.torussm.sim.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.MadAddress;
import io.torussm.transport.datagram.DatagramEndpoint.SendResult;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The service for clients of ibsim's protocol, in virtual time and over sockets in memory. */
class FabricServerTest {
    private static final String HOST = "H-0000000100000000";
    private static final String OTHER_HOST = "host-0-0-1-0";
    private static final long HOST_GUID = 0x1_0000_0000L;
    private static final MadAddress TO_OTHER = new MadAddress(12, 1, 0, 0);
    private static final MadAddress TO_HOST = new MadAddress(11, 1, 0, 0);
    private static final MadAddress TO_HOST_SMA = new MadAddress(11, 0, 0, 0);
    private static final int VENDOR_CLASS = 0x32;

    private final VirtualLoop loop = new VirtualLoop();
    private final MemoryNetwork network = new MemoryNetwork(loop);
    private final Topology topology = TorusSpec.parse("torus:1x1x2,mesh=z").topology();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
    private final ServeLimits limits =
            new ServeLimits(3, 20, 8, TimeUnit.MILLISECONDS.toNanos(200), TimeUnit.SECONDS.toNanos(5));
    private final FabricServer server = new FabricServer(fabric, topology, loop, network, limits);
    private int pids = 100;
    private long tids = 1;

    @BeforeEach
    void listen() throws IOException {
        server.listen(FakeClient.SERVER);
    }

    private FakeClient client() throws IOException {
        return new FakeClient(loop, network, pids++);
    }

    private FakeClient attachClient(String host) throws IOException {
        FakeClient client = client();
        assertThat(client.attach(host)).isTrue();
        return client;
    }

    private byte[] getNodeInfo(int... path) {
        return Smp.directed(Method.GET, tids++, NodeInfo.TYPE.id(), 0, 0, DrPath.of(path));
    }

    private byte[] gmp(int mgmtClass, int method) {
        byte[] mad = MadHeader.create(mgmtClass, 1, method, 0x7000_0000L + tids++, 0x10, 0);
        for (int i = MadHeader.LAYOUT.size(); i < mad.length; i++) {
            mad[i] = (byte) (i * 7 + 1);
        }
        return mad;
    }

    private byte[] exchange(FakeClient client, byte[] request) {
        byte[] datagram = Objects.requireNonNull(client.exchange(MadAddress.DIRECTED, request));
        assertThat(datagram).hasSize(MadDatagram.LENGTH);
        assertThat(MadDatagram.status(datagram, 0)).isZero();
        return MadDatagram.mad(datagram, 0);
    }

    private static long guid(byte[] mad) {
        return NodeInfo.NODE_GUID.get(mad, Smp.DATA_OFFSET);
    }

    private boolean isSm() {
        return (fabric.portInfo(HOST_GUID, 1).get(PortInfo.CAPABILITY_MASK) & PortInfo.CAP_IS_SM) != 0;
    }

    /**
     * Assigns LIDs 1 and 2 to switches, 11 and 12 to hosts, and makes all links ACTIVE. The SM is at the first host.
     */
    private void program(FakeClient sm) {
        set(sm, PortInfo.TYPE.zero().with(PortInfo.LID, 11).with(PortInfo.MASTER_SM_LID, 11), 1);
        TwoSwitches.program((value, modifier, path) -> set(sm, value, modifier, path), fabric);
    }

    private void set(FakeClient client, io.torussm.mad.Attribute<?> value, int modifier, int... path) {
        byte[] mad = Smp.directed(Method.SET, tids++, value.type().id(), modifier, 0, DrPath.of(path));
        value.write(mad, Smp.DATA_OFFSET);
        assertThat(MadHeader.status(exchange(client, mad))).isZero();
    }

    @Test
    void answersDirectedRoutesFromTheHostThatWasAskedFor() throws IOException {
        assertThat(guid(exchange(attachClient(HOST), getNodeInfo()))).isEqualTo(HOST_GUID);
        assertThat(guid(exchange(attachClient(OTHER_HOST), getNodeInfo(1)))).isEqualTo(0x200010);
        assertThat(server.clients())
                .extracting(ServedClientInfo::port)
                .containsExactly("\"H-0000000100000000\"[1]", "\"H-0000000100000100\"[1]");
    }

    @Test
    void showsTheRegistersOfThePort() throws IOException {
        FakeClient client = attachClient("");
        byte[] node = Objects.requireNonNull(client.request(ControlMessage.GET_NODE_INFO));
        assertThat(NodeInfo.NODE_GUID.get(node, ControlMessage.DATA_OFFSET)).isEqualTo(HOST_GUID);
        byte[] port = Objects.requireNonNull(client.request(ControlMessage.GET_PORT_INFO));
        assertThat(PortInfo.LOCAL_PORT_NUM.get(port, ControlMessage.DATA_OFFSET))
                .isEqualTo(1);
        assertThat(PortInfo.PORT_STATE.get(port, ControlMessage.DATA_OFFSET)).isEqualTo(PortInfo.STATE_INITIALIZE);
        byte[] pKeys = Objects.requireNonNull(client.request(ControlMessage.GET_P_KEYS));
        assertThat(Arrays.copyOfRange(pKeys, ControlMessage.DATA_OFFSET, ControlMessage.DATA_OFFSET + 4))
                .containsExactly(0xff, 0xff, 0, 0);
        byte[] vendor = Objects.requireNonNull(client.request(ControlMessage.GET_VENDOR));
        assertThat(ControlMessage.intAt(vendor, ControlMessage.DATA_OFFSET)).isEqualTo(0x2c9);
        byte[] gid = Objects.requireNonNull(client.request(ControlMessage.GET_GID));
        assertThat(Arrays.copyOfRange(gid, ControlMessage.DATA_OFFSET + 8, ControlMessage.DATA_OFFSET + 16))
                .containsExactly(0, 0, 0, 1, 0, 0, 0, 1);
        byte[] unknown = Objects.requireNonNull(client.request(77));
        assertThat(ControlMessage.type(unknown)).isEqualTo(ControlMessage.ERROR);
    }

    /** Both use the same transaction ID, as two copies of a tool do. */
    @Test
    void tellsClientsAtOnePortApart() throws IOException {
        FakeClient first = attachClient(HOST);
        FakeClient second = attachClient(HOST);
        first.send(MadAddress.DIRECTED, Smp.directed(Method.GET, 5, NodeInfo.TYPE.id(), 0, 0, DrPath.LOCAL));
        second.send(MadAddress.DIRECTED, Smp.directed(Method.GET, 5, NodeInfo.TYPE.id(), 0, 0, DrPath.of(1)));
        loop.runFor(1_000_000);
        assertThat(first.received).singleElement().satisfies(one -> assertThat(guid(MadDatagram.mad(one, 0)))
                .isEqualTo(HOST_GUID));
        assertThat(second.received).singleElement().satisfies(one -> assertThat(guid(MadDatagram.mad(one, 0)))
                .isEqualTo(0x200000));
    }

    @Test
    void oneClientAtAPortHasIsSm() throws IOException {
        FakeClient first = attachClient(HOST);
        FakeClient second = attachClient(HOST);
        assertThat(first.setIsSm(true)).isTrue();
        assertThat(isSm()).isTrue();
        assertThat(second.setIsSm(true)).isFalse();
        second.send(MadAddress.DIRECTED, Smp.directed(Method.GET, 9, SmInfo.TYPE.id(), 0, 0, DrPath.LOCAL));
        loop.runFor(1_000_000);
        assertThat(first.received).hasSize(1);
        assertThat(first.setIsSm(false)).isTrue();
        assertThat(isSm()).isFalse();
        assertThat(second.setIsSm(true)).isTrue();
        assertThat(second.request(ControlMessage.DISCONNECT)).isNotNull();
        assertThat(isSm()).isFalse();
    }

    /** A second SM at the host is attached immediately after a kill of the first, before the next probe. */
    @Test
    void deathOfAClientGivesIsSmBack() throws IOException {
        FakeClient killed = attachClient(HOST);
        assertThat(killed.setIsSm(true)).isTrue();
        killed.closeSilently();
        FakeClient next = attachClient(HOST);
        assertThat(next.setIsSm(true)).isTrue();
        next.closeSilently();
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(1_100));
        assertThat(isSm()).isFalse();
        assertThat(server.clients()).isEmpty();
        assertThat(server.counters().died()).isEqualTo(2);
        assertThat(network.sockets()).isEqualTo(1);
    }

    @Test
    void refusesUnknownHostsAndMoreClientsThanAllowed() throws IOException {
        assertThat(client().attach("absent")).isFalse();
        assertThat(client().attach(HOST + "[2]")).isFalse();
        assertThat(client().attach("S-0000000000200000[1]")).isFalse();
        FakeClient first = attachClient(HOST + "[1]");
        attachClient("S-0000000000200000");
        attachClient(HOST);
        assertThat(client().attach(HOST)).isFalse();
        assertThat(server.counters().refused()).isEqualTo(4);
        first.request(ControlMessage.DISCONNECT);
        assertThat(client().attach(HOST)).isTrue();
    }

    @Test
    void noClientSpeaksForAnother() throws IOException {
        FakeClient victim = attachClient(HOST);
        assertThat(victim.setIsSm(true)).isTrue();
        FakeClient stranger = client();
        stranger.id = victim.id;
        byte[] answer = Objects.requireNonNull(stranger.request(ControlMessage.DISCONNECT));
        assertThat(ControlMessage.type(answer)).isEqualTo(ControlMessage.ERROR);
        assertThat(stranger.setIsSm(false)).isFalse();
        assertThat(isSm()).isTrue();
        byte[] theirs = stranger.connectTo(HOST, false);
        ControlMessage.setInt(theirs, ControlMessage.CONNECTION, 100);
        assertThat(ControlMessage.type(Objects.requireNonNull(stranger.request(theirs))))
                .isEqualTo(ControlMessage.ERROR);
        stranger.data.connect(FakeClient.SERVER.data(victim.id));
        assertThat(stranger.send(MadAddress.DIRECTED, getNodeInfo())).isEqualTo(SendResult.PEER_GONE);
        assertThat(server.clients()).hasSize(1);
    }

    /**
     * Eleven datagrams are in its socket, twenty wait in the server, the rest is dropped; no other client is
     * affected.
     */
    @Test
    void aClientThatDoesNotReadCostsOnlyItself() throws IOException {
        FakeClient deaf = attachClient(HOST);
        FakeClient other = attachClient(HOST);
        deaf.isReading = false;
        for (int i = 0; i < 50; i++) {
            deaf.send(MadAddress.DIRECTED, getNodeInfo());
            loop.runFor(1_000);
            assertThat(guid(exchange(other, getNodeInfo(1)))).isEqualTo(0x200000);
        }
        assertThat(server.clients().get(0).dropped()).isEqualTo(50 - 11 - 20);
        deaf.resumeReading();
        loop.runFor(1_000_000);
        assertThat(deaf.received).hasSize(31);
        assertThat(guid(exchange(deaf, getNodeInfo()))).isEqualTo(HOST_GUID);
    }

    @Test
    void givesBackUnansweredMads() throws IOException {
        FakeClient client = attachClient(HOST);
        byte[] nowhere = getNodeInfo(1, 7, 1);
        client.send(MadAddress.DIRECTED, nowhere);
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(190));
        assertThat(client.received).isEmpty();
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(40));
        assertThat(client.received).singleElement().satisfies(back -> {
            assertThat(MadDatagram.status(back, 0)).isEqualTo(MadDatagram.STATUS_TIMED_OUT);
            assertThat((int) MadHeader.tid(MadDatagram.mad(back, 0))).isEqualTo((int) MadHeader.tid(nowhere));
        });
        loop.runFor(TimeUnit.SECONDS.toNanos(10));
        assertThat(client.received).hasSize(1);
    }

    /** Eight may wait for responses; the ninth is returned immediately. */
    @Test
    void boundsTheAwaitedAnswersOfAClient() throws IOException {
        FakeClient client = attachClient(HOST);
        for (int i = 0; i < 9; i++) {
            client.send(MadAddress.DIRECTED, getNodeInfo(1, 7, 1));
            loop.runFor(1_000);
        }
        assertThat(client.received).hasSize(1);
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(300));
        assertThat(client.received).hasSize(9);
        assertThat(server.counters().returned()).isEqualTo(9);
    }

    @Test
    void carriesAllBytesBetweenClientsAndTheLengthThatWasSent() throws IOException {
        FakeClient sm = attachClient(HOST);
        FakeClient host = attachClient(OTHER_HOST);
        assertThat(sm.setIsSm(true)).isTrue();
        program(sm);
        byte[] request = gmp(MgmtClass.SUBN_ADM, Method.GET);
        sm.received.clear();
        host.received.clear();
        host.send(TO_HOST, request);
        loop.runFor(1_000_000);
        byte[] asked = sm.received.get(0);
        assertThat(MadDatagram.slid(asked, 0)).isEqualTo(12);
        assertThat(MadDatagram.sourceQp(asked, 0)).isEqualTo(1);
        byte[] seen = MadDatagram.mad(asked, 0);
        assertThat(Arrays.copyOfRange(seen, 24, 256)).isEqualTo(Arrays.copyOfRange(request, 24, 256));
        MadHeader.METHOD.set(seen, 0, Method.GET_RESP);
        sm.send(TO_OTHER, seen, 164);
        loop.runFor(1_000_000);
        byte[] answer = host.received.get(0);
        assertThat(MadDatagram.length(answer, 0)).isEqualTo(164);
        assertThat(MadDatagram.mad(answer, 0)).isEqualTo(seen);
        loop.runFor(TimeUnit.SECONDS.toNanos(6));
        assertThat(host.received).hasSize(1);
    }

    /** Requests of vendor classes go to a client that is no SM, such as ibping's server. */
    @Test
    void vendorClassesGoToTheYoungestClientThatIsNoSm() throws IOException {
        FakeClient sm = attachClient(HOST);
        assertThat(sm.setIsSm(true)).isTrue();
        program(sm);
        FakeClient host = attachClient(OTHER_HOST);
        sm.received.clear();
        host.send(TO_HOST, gmp(VENDOR_CLASS, Method.GET));
        loop.runFor(1_000_000);
        assertThat(sm.received).hasSize(1);
        FakeClient agent = attachClient(HOST);
        host.send(TO_HOST, gmp(VENDOR_CLASS, Method.GET));
        loop.runFor(1_000_000);
        assertThat(agent.received).hasSize(1);
        agent.request(ControlMessage.DISCONNECT);
        assertThat(sm.setIsSm(false)).isTrue();
        long unclaimed = server.counters().unclaimed();
        host.send(TO_HOST, gmp(MgmtClass.SUBN_ADM, Method.GET));
        loop.runFor(1_000_000);
        assertThat(server.counters().unclaimed()).isEqualTo(unclaimed + 1);
    }

    /** libumad2sim writes the number of its agent into bits 32 to 47 of the transaction ID. */
    @Test
    void trapsComeToTheSmAndEndWhenItRepressesThem() throws IOException {
        FakeClient sm = attachClient(HOST);
        program(sm);
        assertThat(sm.setIsSm(true)).isTrue();
        sm.received.clear();
        fabric.unlink(0x200010, 7);
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(1_500));
        assertThat(fabric.pendingTrapCount()).isPositive();
        byte[] trap = MadDatagram.mad(sm.received.get(sm.received.size() - 1), 0);
        assertThat(MadHeader.method(trap)).isEqualTo(Method.TRAP);
        for (byte[] datagram : List.copyOf(sm.received)) {
            byte[] repress = MadDatagram.mad(datagram, 0);
            MadHeader.METHOD.set(repress, 0, Method.TRAP_REPRESS);
            MadHeader.TRANSACTION_ID.set(repress, 0, MadHeader.tid(repress) | 3L << 32);
            sm.send(new MadAddress((int) Notice.ISSUER_LID.get(repress, Smp.DATA_OFFSET), 0, 0, 0), repress);
        }
        loop.runFor(1_000_000);
        assertThat(fabric.pendingTrapCount()).isZero();
    }

    private byte[] trap() {
        byte[] trap = Smp.lidRouted(Method.TRAP, 0x9_0000_1529L, Notice.TYPE.id(), 0, 0);
        Notice.TYPE
                .zero()
                .with(Notice.TRAP_NUMBER, 144)
                .with(Notice.ISSUER_LID, 12)
                .write(trap, Smp.DATA_OFFSET);
        return trap;
    }

    /**
     * As of OpenSM, which stands by with a higher priority than the master's: it sweeps no more while its trap is
     * under way.
     */
    @Test
    void aTrapOfAClientIsRepressedOrComesBack() throws IOException {
        FakeClient sm = attachClient(HOST);
        program(sm);
        assertThat(sm.setIsSm(true)).isTrue();
        FakeClient standby = attachClient(OTHER_HOST);
        sm.received.clear();
        standby.received.clear();
        standby.send(TO_HOST_SMA, trap());
        loop.runFor(1_000_000);
        byte[] repress = sm.received.stream()
                .map(datagram -> MadDatagram.mad(datagram, 0))
                .filter(mad -> (int) MadHeader.tid(mad) == 0x1529)
                .findFirst()
                .orElseThrow();
        MadHeader.METHOD.set(repress, 0, Method.TRAP_REPRESS);
        MadHeader.TRANSACTION_ID.set(repress, 0, 3L << 32 | MadHeader.tid(repress) & 0xffff_ffffL);
        sm.send(new MadAddress(12, 0, 0, 0), repress);
        loop.runFor(1_000_000);
        assertThat(standby.received).singleElement().satisfies(one -> {
            byte[] mad = MadDatagram.mad(one, 0);
            assertThat(MadDatagram.status(one, 0)).isZero();
            assertThat(MadHeader.method(mad)).isEqualTo(Method.TRAP_REPRESS);
            assertThat(MadHeader.tid(mad) & 0xffff_ffff_ffffL).isEqualTo(0x9_0000_1529L);
        });

        sm.send(new MadAddress(12, 0, 0, 0), repress);
        loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(standby.received).as("a second one, and no time-out").hasSize(1);

        standby.send(TO_HOST_SMA, trap());
        loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(standby.received).hasSize(2);
        assertThat(MadDatagram.status(standby.received.get(1), 0)).isEqualTo(MadDatagram.STATUS_TIMED_OUT);
    }

    /** Several MADs in one datagram, for clients that ask for it; others would not understand it. */
    @Test
    void packsMadsForClientsThatRequestIt() throws IOException {
        FakeClient client = client();
        byte[] connect = client.connectTo(HOST, false);
        ControlMessage.setInt(connect, ControlMessage.PER_DATAGRAM, 1_000);
        byte[] answer = Objects.requireNonNull(client.request(connect));
        assertThat(ControlMessage.intAt(answer, ControlMessage.GRANTED_PER_DATAGRAM))
                .isEqualTo(MadDatagram.MAX_MADS);
        client.data.connect(FakeClient.SERVER.data(ControlMessage.intAt(answer, ControlMessage.CONNECTION)));
        byte[] five = new byte[5 * MadDatagram.LENGTH];
        for (int i = 0; i < 5; i++) {
            byte[] one = MadDatagram.of(0xffff, 0, 0xffff, 0, 0, getNodeInfo(), MadHeader.MAD_SIZE);
            System.arraycopy(one, 0, five, i * MadDatagram.LENGTH, one.length);
        }
        client.data.send(new ArrayDeque<>(List.of(five)));
        loop.runFor(1_000_000);
        assertThat(client.received).singleElement().satisfies(all -> assertThat(all)
                .hasSize(five.length));
        FakeClient plain = attachClient(HOST);
        plain.data.send(new ArrayDeque<>(List.of(five)));
        loop.runFor(1_000_000);
        assertThat(plain.received).isEmpty();
        assertThat(server.counters().malformed()).isEqualTo(1);
    }

    @Test
    void closesEverything() throws IOException {
        FakeClient client = attachClient(HOST);
        assertThat(client.setIsSm(true)).isTrue();
        server.close();
        assertThat(isSm()).isFalse();
        client.closeSilently();
        assertThat(network.sockets()).isZero();
        assertThat(fabric.attach(HOST, 1).localPort().portGuid()).isEqualTo(HOST_GUID + 1);
    }
}
