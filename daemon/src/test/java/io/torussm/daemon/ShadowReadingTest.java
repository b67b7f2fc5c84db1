package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.Lids;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mastership.SmState;
import io.torussm.names.Names;
import io.torussm.shadow.FabricReader;
import io.torussm.shadow.Twin;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.RegisterId;
import io.torussm.snapshot.SnapshotFile;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.port.ForwardingTransport;
import io.torussm.transport.port.PacedPort;
import io.torussm.transport.port.ReadOnlyPort;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A reader at host-2-1-0-0 beside the master at host-0-0-0-0: its requests, its reading, and a simulated fabric made of
 * the reading. In virtual time.
 */
class ShadowReadingTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final String MASTER_HOST = "host-0-0-0-0";
    private static final String SHADOW = "host-2-1-0-0";

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();

    /** A reader with its port; what leaves by it is kept. */
    private static final class Reader implements MadClient.UnsolicitedReceiver {
        final List<byte[]> sent = new ArrayList<>();
        final List<Long> sentNs = new ArrayList<>();
        final List<MadFrame> unsolicited = new ArrayList<>();
        final ReadOnlyPort port;
        final MadClient client;
        private final FabricReader reader;
        private final VirtualLoop loop;

        Reader(MadTransport transport, VirtualLoop loop) {
            this.loop = loop;
            MadTransport wire = new ForwardingTransport(transport) {
                @Override
                public boolean send(MadFrame frame, int responseTimeoutMs) {
                    sent.add(frame.mad().clone());
                    sentNs.add(loop.nowNs());
                    return super.send(frame, responseTimeoutMs);
                }
            };
            port = new ReadOnlyPort(new PacedPort(wire, loop, () -> 500));
            client = new MadClient(
                    port, loop, MKeySource.fixed(0), () -> new MadClient.Settings(16, 4, 200, 3), 1, this);
            long guid = transport.localPort().portGuid();
            reader = new FabricReader(
                    client, loop, SubnetMemory.of(StateDirectory.none(loop), guid, () -> 0, () -> true));
        }

        FabricSnapshot read() {
            FabricReader.@Nullable ReadingOutcome[] end = {null};
            reader.read(Names.NONE, result -> end[0] = result);
            assertThat(loop.runUntil(() -> end[0] != null, TimeUnit.HOURS.toNanos(1)))
                    .isTrue();
            FabricReader.ReadingOutcome result = Objects.requireNonNull(end[0]);
            assertThat(result.problem()).isEmpty();
            return Objects.requireNonNull(result.snapshot());
        }

        @Override
        public void subnetManagement(MadFrame frame) {
            unsolicited.add(frame);
        }

        @Override
        public void subnetAdministration(MadFrame frame) {
            unsolicited.add(frame);
        }

        @Override
        public void portLost(String reason) {
            throw new AssertionError(reason);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"torus:4x3x1,hosts=1", "torus:3x3x3,hosts=1", "torus:3x3x1,hosts=2,links=2"})
    void aTwinHoldsWhatTheFabricHolds(String torus) throws Exception {
        SimFabric fabric = fabric(torus);
        FabricSm sm = startMaster(fabric, torus);
        FabricSnapshot seen = new Reader(fabric.attach(SHADOW, 1), loop).read();
        assertThat(seen.devices())
                .hasSize(TorusSpec.parse(torus).topology().nodes().size());
        assertThat(seen.managers()).singleElement().satisfies(manager -> {
            assertThat(manager.portGuid()).isEqualTo(sm.guid());
            assertThat(manager.state()).isEqualTo(SmInfo.MASTER);
            assertThat(manager.priority()).isEqualTo(5);
        });
        assertThat(Twin.of(seen).read()).isEqualTo(seen.withoutManagers());
    }

    @ParameterizedTest
    @ValueSource(strings = {"torus:4x3x1,hosts=1", "torus:3x3x1,hosts=2,links=2"})
    void aSnapshotSurvivesItsFile(String torus) throws Exception {
        SimFabric fabric = fabric(torus);
        startMaster(fabric, torus);
        FabricSnapshot seen = new Reader(fabric.attach(SHADOW, 1), loop).read();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SnapshotFile.write(seen, out);
        FabricSnapshot read = SnapshotFile.read(new ByteArrayInputStream(out.toByteArray()), "snapshot");
        assertThat(read).isEqualTo(seen);
        assertThat(read.takenAt()).isEqualTo(seen.takenAt());
        byte[] cut = Arrays.copyOf(out.toByteArray(), out.size() / 2);
        assertThatThrownBy(() -> SnapshotFile.read(new ByteArrayInputStream(cut), "cut"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aRequestOtherThanGetIsDetected() throws Exception {
        Topology topology = TorusSpec.parse(TORUS).topology();
        SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
        FabricSm sm = startMaster(fabric, TORUS);
        List<Object> registers = registers(topology, fabric);
        Reader reader = new Reader(fabric.attach(SHADOW, 1), loop);
        List<String> before = List.copyOf(sm.ends);
        reader.read();
        assertThat(reader.sent).hasSizeGreaterThan(500).allSatisfy(mad -> {
            assertThat(MadHeader.method(mad)).isEqualTo(Method.GET);
            assertThat(MadHeader.mgmtClass(mad)).isEqualTo(MgmtClass.SUBN_DIRECTED_ROUTE);
        });
        assertThat(reader.port.refused()).isZero();
        assertThat(registers(topology, fabric)).isEqualTo(registers);
        assertThat(fabric.pendingTrapCount()).isZero();
        loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(sm.ends)
                .as("outcomes of whole sweeps; light sweeps have none")
                .isEqualTo(before);
        assertThat(sm.state()).isEqualTo(SmState.MASTER);
    }

    @Test
    void keepsToItsPace() throws Exception {
        SimFabric fabric = fabric(TORUS);
        startMaster(fabric, TORUS);
        Reader reader = new Reader(fabric.attach(SHADOW, 1), loop);
        reader.read();
        for (int first = 0; first + 50 < reader.sentNs.size(); first++) {
            long span = reader.sentNs.get(first + 50) - reader.sentNs.get(first);
            assertThat(span).as("50 SMPs from the %dth on", first).isGreaterThanOrEqualTo(98_000_000);
        }
    }

    @Test
    void queriesAndHandoversFindNoSm() throws Exception {
        SimFabric fabric = fabric(TORUS);
        FabricSm sm = startMaster(fabric, TORUS);
        Reader reader = new Reader(fabric.attach(SHADOW, 1), loop);
        FabricSnapshot seen = reader.read();
        int lid = Objects.requireNonNull(device(seen, SHADOW).portInfo(1)).lid();
        int sent = reader.sent.size();
        for (byte[] mad : List.of(
                smInfo(Method.GET, 0),
                smInfo(Method.SET, 1),
                smInfo(Method.SET, 5),
                Smp.lidRouted(Method.TRAP, 77, 0x0002, 0, 0),
                Smp.lidRouted(Method.TRAP_REPRESS, 78, 0x0002, 0, 0),
                MadHeader.create(MgmtClass.SUBN_ADM, 2, Method.GET, 79, 0x0035, 0),
                MadHeader.create(MgmtClass.SUBN_ADM, 2, Method.REPORT, 80, 0x0002, 0))) {
            boolean isSmp = MgmtClass.isSmp(MadHeader.mgmtClass(mad));
            sm.client.send(new MadFrame(new MadAddress(lid, isSmp ? 0 : 1, 0, 0), mad));
        }
        loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(reader.port.ignored())
                .as("a trap, and what is meant for an SA")
                .isEqualTo(3);
        assertThat(reader.unsolicited).isEmpty();
        assertThat(reader.sent).hasSize(sent);
        assertThat(fabric.portInfo(guid(SHADOW), 1).hasCapability(PortInfo.CAP_IS_SM))
                .isFalse();
    }

    @Test
    void otherMethodsThanGetStayHere() throws Exception {
        SimFabric fabric = fabric(TORUS);
        Reader reader = new Reader(fabric.attach(SHADOW, 1), loop);
        List<byte[]> writes = new ArrayList<>();
        for (int mgmtClass : new int[] {MgmtClass.SUBN_LID, MgmtClass.SUBN_DIRECTED_ROUTE, MgmtClass.SUBN_ADM}) {
            for (int method = 0; method < 256; method++) {
                if (method != Method.GET) {
                    writes.add(MadHeader.create(mgmtClass, 1, method, method, SmInfo.TYPE.id(), 0));
                }
            }
        }
        writes.add(MadHeader.create(MgmtClass.PERF_MGT, 1, Method.GET, 9, 0x12, 0));
        writes.add(new byte[24]);
        for (byte[] mad : writes) {
            assertThat(reader.client.send(new MadFrame(MadAddress.DIRECTED, mad), 0))
                    .isFalse();
        }
        loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(reader.sent).isEmpty();
        assertThat(reader.port.refused()).isEqualTo(writes.size());
        assertThatThrownBy(() -> reader.port.setIsSm(true)).isInstanceOf(TransportException.class);
        reader.port.setIsSm(false);
        assertThat(fabric.portInfo(guid(SHADOW), 1).hasCapability(PortInfo.CAP_IS_SM))
                .isFalse();
    }

    @Test
    void aDeafDeviceCostsItsOwnRegistersOnly() throws Exception {
        SimFabric fabric = fabric(TORUS);
        startMaster(fabric, TORUS);
        FabricSnapshot whole = new Reader(fabric.attach(SHADOW, 1), loop).read();
        long deaf = guid("sw-1-1-0");
        fabric.setAgent(deaf, AgentProfile.CONFORMING.dropping(0x0019, AgentProfile.ANY, 1));
        Reader reader = new Reader(fabric.attach("host-3-0-0-0", 1), loop);
        FabricSnapshot seen = reader.read();
        seen.devices().forEach((guid, device) -> {
            if (guid != deaf) {
                assertThat(device).as("device %x", guid).isEqualTo(whole.device(guid));
            }
        });
        assertThat(device(seen, "sw-1-1-0").failures()).containsKey(new RegisterId(0x0019, 0, 0));
    }

    private SimFabric fabric(String torus) {
        return new SimFabric(TorusSpec.parse(torus).topology(), loop, FaultPlan.NONE);
    }

    private FabricSm startMaster(SimFabric fabric, String torus) throws Exception {
        FabricSm sm = new FabricSm(
                        loop, fabric, MASTER_HOST, 5, ServiceHarness.torusOptions(dir, TorusSpec.parse(torus)))
                .start();
        assertThat(loop.runUntil(sm::isUp, TimeUnit.SECONDS.toNanos(60))).isTrue();
        loop.runFor(TimeUnit.SECONDS.toNanos(20));
        return sm;
    }

    private static List<Object> registers(Topology topology, SimFabric fabric) {
        List<Object> all = new ArrayList<>();
        for (Topology.Node node : topology.nodes()) {
            for (int portNum = node.isSwitch() ? 0 : 1; portNum <= node.numPorts(); portNum++) {
                all.add(fabric.portInfo(node.nodeGuid(), portNum));
                all.add(Arrays.toString(fabric.pKeys(node.nodeGuid(), portNum)));
                all.add(Arrays.toString(fabric.guids(node.nodeGuid(), portNum)));
                for (int part = 1; part <= 4; part++) {
                    all.add(fabric.vlArbitration(node.nodeGuid(), portNum, part));
                }
            }
            if (node.isSwitch()) {
                all.add(fabric.switchInfo(node.nodeGuid()));
                all.add(Arrays.toString(fabric.lft(node.nodeGuid())));
                all.add(Arrays.deepToString(fabric.sl2vl(node.nodeGuid())));
                for (int mlid = Lids.MULTICAST_FIRST; mlid < Lids.MULTICAST_FIRST + 64; mlid++) {
                    all.add(Arrays.toString(fabric.mft(node.nodeGuid(), mlid)));
                }
            }
        }
        return all;
    }

    private static byte[] smInfo(int method, int modifier) {
        byte[] mad = Smp.lidRouted(method, 1000 + modifier, SmInfo.TYPE.id(), modifier, 0);
        SmInfo.TYPE
                .zero()
                .with(SmInfo.GUID, 1)
                .with(SmInfo.PRIORITY, 15)
                .with(SmInfo.SM_STATE, SmInfo.MASTER)
                .write(mad, Smp.DATA_OFFSET);
        return mad;
    }

    private static DeviceRegisters device(FabricSnapshot snapshot, String description) {
        return Objects.requireNonNull(snapshot.device(guid(description)));
    }

    private static long guid(String description) {
        return TorusSpec.parse(TORUS).topology().node(description).orElseThrow().nodeGuid();
    }
}
