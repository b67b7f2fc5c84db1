package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mastership.SmState;
import io.torussm.mastership.Trust;
import io.torussm.registration.Services;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimTransport;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.trap.TrapCounts;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of a host without keys: its access by SMInfo to a whole SM on an embedded fabric. */
class UntrustedHostTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final String SM_HOST = "host-0-0-0-0";
    private static final String OTHER = "host-2-1-0-0";
    private static final long SECRET = 0x0102_0304_0506_0708L;
    private static final int DISCOVER = 5;
    private static final int HANDOVER = 1;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final Topology topology = TorusSpec.parse(TORUS).topology();
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);

    @TempDir
    Path dir;

    /** A program with umad at a host, which sends arbitrary MADs and receives the responses. */
    private final class Program implements MadTransport.Receiver {
        final MadTransport port = fabric.attach(OTHER, 1);
        final List<byte[]> answers = new ArrayList<>();
        private final DrPath toSm;
        private long tid;

        Program(FabricSm sm) {
            toSm = reversePath(
                    Objects.requireNonNull(sm.sweeper.view()).subnet().fabric(), nodeGuid(OTHER));
            port.start(this);
        }

        long guid() {
            return port.localPort().portGuid();
        }

        /** Sends SMInfo along a route; returns the last response. */
        SmInfo request(int method, int modifier, SmInfo said) {
            byte[] mad = Smp.directed(method, ++tid, SmInfo.TYPE.id(), modifier, 0, toSm);
            said.write(mad, Smp.DATA_OFFSET);
            port.send(new MadFrame(MadAddress.DIRECTED, mad), 0);
            return answer();
        }

        /** Reads the SMInfo of a LID. */
        SmInfo get(int smLid) {
            byte[] mad = Smp.lidRouted(Method.GET, ++tid, SmInfo.TYPE.id(), 0, 0);
            port.send(new MadFrame(new MadAddress(smLid, 0, 0, 0), mad), 0);
            return answer();
        }

        private SmInfo answer() {
            answers.clear();
            loop.runFor(TimeUnit.MILLISECONDS.toNanos(100));
            assertThat(answers).hasSize(1);
            return SmInfo.TYPE.read(answers.get(0), Smp.DATA_OFFSET);
        }

        int status() {
            return MadHeader.status(answers.get(0));
        }

        @Override
        public void received(MadFrame frame) {
            if (MadHeader.method(frame.mad()) == Method.GET_RESP) {
                answers.add(frame.mad());
            }
        }

        @Override
        public void transportFailed(String reason) {
            throw new AssertionError(reason);
        }
    }

    /** Returns the directed route from a port to the SM, the reverse of the fabric's route to the port. */
    static DrPath reversePath(Fabric fabric, long nodeGuid) {
        DrPath there = fabric.pathTo(fabric.port(fabric.nodeByGuid(nodeGuid), 1));
        DrPath back = DrPath.LOCAL;
        List<Integer> ports = new ArrayList<>();
        int at = fabric.nodeOf(fabric.localPort());
        for (int i = 0; i < there.hops(); i++) {
            int far = fabric.peer(fabric.port(at, there.port(i)));
            ports.add(0, fabric.portNum(far));
            at = fabric.nodeOf(far);
        }
        for (int port : ports) {
            back = back.withHop(port);
        }
        return back;
    }

    /** A program that pretends to be an SM of the highest rank, without proof, and stores all received frames. */
    private final class Impostor implements MadTransport.Receiver {
        final SimTransport port = fabric.attach(OTHER, 1);
        final List<byte[]> receivedMads = new ArrayList<>();
        private SmState shown = SmState.STANDBY;
        private UnaryOperator<SmInfo> responseChange = said -> said;

        Impostor() {
            port.start(this);
            port.receiveTrapRepress();
        }

        void trap(int ownLid, int smLid) {
            byte[] mad = Smp.lidRouted(Method.TRAP, 0x77, Notice.TYPE.id(), 0, 0);
            Notice.priorityChange(ownLid, 0).write(mad, Smp.DATA_OFFSET);
            port.send(new MadFrame(new MadAddress(smLid, 0, 0, 0), mad), 0);
        }

        @Override
        public void received(MadFrame frame) {
            receivedMads.add(frame.mad().clone());
            if (MadHeader.method(frame.mad()) == Method.GET || MadHeader.method(frame.mad()) == Method.SET) {
                byte[] mad = frame.mad().clone();
                MadHeader.METHOD.set(mad, 0, Method.GET_RESP);
                MadHeader.DIRECTION.set(mad, 0, 1);
                responseChange
                        .apply(master(port.localPort().portGuid(), 0).with(SmInfo.SM_STATE, shown.code()))
                        .write(mad, Smp.DATA_OFFSET);
                port.send(new MadFrame(frame.peer(), mad), 0);
            }
        }

        boolean hasReceived(long key) {
            byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(key).array();
            return receivedMads.stream().anyMatch(mad -> indexOf(mad, bytes) >= 0);
        }

        private static int indexOf(byte[] mad, byte[] bytes) {
            return IntStream.rangeClosed(0, mad.length - bytes.length)
                    .filter(at -> Arrays.equals(mad, at, at + bytes.length, bytes, 0, bytes.length))
                    .findFirst()
                    .orElse(-1);
        }

        @Override
        public void transportFailed(String reason) {
            throw new AssertionError(reason);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aProgramThatSaysItIsAnSmIsSentNoKeyAndNotTheSubnet(int protectBits) throws Exception {
        long mKey = 0x1122_3344_5566_7788L;
        Map<Setting<?>, String> options = Map.of(
                Settings.TORUS_CONFIG,
                ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS)),
                Settings.M_KEY,
                Long.toString(mKey),
                Settings.M_KEY_PROTECTION_LEVEL,
                Integer.toString(protectBits));
        FabricSm sm = new FabricSm(loop, fabric, SM_HOST, 5, ServiceHarness.options(dir, options)).start();
        sm.settings.trust = new Trust(SECRET, Set.of(), Set.of());
        assertThat(loop.runUntil(sm::isUp, TimeUnit.SECONDS.toNanos(30))).isTrue();
        Impostor impostor = new Impostor();
        impostor.port.setIsSm(true);
        Subnet subnet = Objects.requireNonNull(sm.sweeper.view()).subnet();
        for (SmState shown : new SmState[] {SmState.STANDBY, SmState.MASTER, SmState.DISCOVERING}) {
            impostor.shown = shown;
            impostor.trap(
                    subnet.lid(subnet.fabric().port(subnet.fabric().nodeByGuid(nodeGuid(OTHER)), 1)), subnet.smLid());
            sm.mastership.sweepHeavy();
            advance(30);
        }
        assertThat(impostor.hasReceived(mKey)).isFalse();
        assertThat(impostor.hasReceived(SECRET)).isFalse();
        assertThat(sm.state()).isEqualTo(SmState.MASTER);
        boolean isReached = protectBits < 2;
        assertThat(impostor.receivedMads.isEmpty()).isNotEqualTo(isReached);
        assertThat(log.of(SmEvent.SM_UNPROVED)).hasSize(isReached ? 1 : 0);
        assertThat(log.of(SmEvent.SM_PROVED)).hasSize(isReached ? 1 : 0);
    }

    /** False values of each field, one at a time, while a cable elsewhere is lost: the master stays, and serves all. */
    @Test
    void aFalseFieldOfSmInfoDoesNotTakeTheSubnet() throws Exception {
        FabricSm sm = master();
        sm.settings.trust = new Trust(SECRET, Set.of(), Set.of());
        Map<Long, Integer> before = lids(sm);
        Impostor impostor = new Impostor();
        impostor.port.setIsSm(true);
        long smGuid = topology.node(SM_HOST).orElseThrow().portGuid(1);
        long otherGuid = topology.node("host-3-2-0-0").orElseThrow().portGuid(1);
        Map<Field, long[]> lies = Map.of(
                SmInfo.GUID, new long[] {0, -1, smGuid, otherGuid},
                SmInfo.SM_KEY, new long[] {1, -1, SECRET + 1},
                SmInfo.ACT_COUNT, new long[] {0, 0xffff_ffffL},
                SmInfo.PRIORITY, new long[] {0, 5, 15},
                SmInfo.SM_STATE, IntStream.range(0, 16).asLongStream().toArray());
        long cabled = nodeGuid("sw-1-2-0");
        lies.forEach((field, values) -> LongStream.of(values).forEach(value -> {
            String which = field.name() + " = " + value;
            impostor.responseChange = said -> said.with(field, value);
            sm.mastership.sweepHeavy();
            fabric.unlink(cabled, 1);
            advance(12);
            assertThat(sm.state()).as(which).isEqualTo(SmState.MASTER);
            assertThat(lids(sm)).as(which).isEqualTo(before);
            assertThat(Objects.requireNonNull(sm.sweeper.view()).plan().degradation())
                    .as(which)
                    .isEmpty();
            fabric.relink(cabled, 1);
            advance(3);
        }));
        assertThat(impostor.receivedMads).as("it was asked").isNotEmpty();
        assertThat(impostor.hasReceived(SECRET)).isFalse();
    }

    @Test
    void aSecretSmKeyIsNotShownForIsSm() throws Exception {
        FabricSm sm = master();
        Program host = new Program(sm);
        int smLid = Objects.requireNonNull(sm.sweeper.view()).subnet().smLid();
        assertThat(host.request(Method.GET, 0, SmInfo.TYPE.zero()).get(SmInfo.SM_KEY))
                .isZero();
        assertThat(host.get(smLid).get(SmInfo.SM_KEY)).isZero();
        host.port.setIsSm(true);
        assertThat(host.request(Method.GET, 0, SmInfo.TYPE.zero()).get(SmInfo.SM_KEY))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, FabricSm.SM_KEY, 0x77})
    void aHostCannotDepose(long smKey) throws Exception {
        FabricSm sm = master();
        Program host = new Program(sm);
        int sweeps = sm.ends.size();
        for (int modifier : new int[] {HANDOVER, DISCOVER}) {
            SmInfo answer = host.request(Method.SET, modifier, master(host.guid(), smKey));
            assertThat(host.status()).isEqualTo(MadStatus.INVALID_FIELD);
            assertThat(answer.get(SmInfo.SM_KEY)).isZero();
        }
        advance(5);
        assertThat(sm.state()).isEqualTo(SmState.MASTER);
        assertThat(sm.ends).hasSize(sweeps);
        assertThat(log.of(SmEvent.SM_IGNORED)).hasSize(1);
    }

    @Test
    void anSmWithoutTheKeyCannotDeposeEither() throws Exception {
        FabricSm sm = master();
        Program host = new Program(sm);
        host.port.setIsSm(true);
        host.request(Method.SET, DISCOVER, master(host.guid(), 0));
        assertThat(host.status()).isEqualTo(MadStatus.INVALID_FIELD);
        host.request(Method.SET, DISCOVER, master(host.guid() + 1, FabricSm.SM_KEY));
        assertThat(host.status()).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(sm.state()).isEqualTo(SmState.MASTER);
    }

    @Test
    void refusalsOfChangingKeysFromOnePortAreLoggedAtALimitedRate() throws Exception {
        FabricSm sm = master();
        Program host = new Program(sm);
        host.port.setIsSm(true);
        for (int i = 0; i < 50; i++) {
            host.request(Method.SET, HANDOVER + 1, master(host.guid(), i % 2 == 0 ? FabricSm.SM_KEY : 2));
        }
        assertThat(log.of(SmEvent.SM_IGNORED)).hasSize(1);
    }

    @Test
    void registrationsOutliveADiscoverThatNoOtherMasterFollows() throws Exception {
        FabricSm sm = master();
        Program peer = new Program(sm);
        peer.port.setIsSm(true);
        Services services = sm.saDatabase.registrations().services();
        ServiceRecord service =
                ServiceRecord.TYPE.zero().with(ServiceRecord.SERVICE_ID, 7).with(ServiceRecord.SERVICE_LEASE, 1000);
        services.register(
                service,
                new Services.Claim(peer.guid(), false, false, new byte[16], guid -> false),
                (status, record) -> {});
        fabric.groups(nodeGuid(OTHER), 1).join(new Gid(0xff12_1234_0000_0000L, 1));
        advance(5);
        assertThat(services.view()).hasSize(1);
        int groups = sm.memberships.view().groups().size();
        assertThat(groups).isPositive();
        List<Integer> sizes = new ArrayList<>();
        sm.saDatabase.whenGroupsPublished(view -> sizes.add(view.groups().size()));
        peer.request(Method.SET, DISCOVER, master(peer.guid(), FabricSm.SM_KEY));
        assertThat(peer.status()).isZero();
        assertThat(sm.state()).isNotEqualTo(SmState.MASTER);
        peer.port.setIsSm(false);
        advance(10);
        assertThat(sm.state()).isEqualTo(SmState.MASTER);
        assertThat(services.view()).hasSize(1);
        assertThat(sizes).doesNotContain(0);
    }

    /** In its own name and in those of others, as fast as it can. */
    @Test
    void aHostCausesNoSweepsByTraps() throws Exception {
        FabricSm sm = master();
        Program host = new Program(sm);
        Subnet subnet = Objects.requireNonNull(sm.sweeper.view()).subnet();
        int sweeps = sm.ends.size();
        List<Integer> issuers = List.of(
                subnet.lid(subnet.fabric().port(subnet.fabric().nodeByGuid(nodeGuid(OTHER)), 1)),
                subnet.smLid(),
                subnet.lid(subnet.fabric().port(0, 0)));
        for (int i = 0; i < 200; i++) {
            for (int issuer : issuers) {
                for (int trap : new int[] {128, 129, 131, 144, 145, 256, 257}) {
                    Notice notice = Notice.linkErrors(trap, NodeInfo.SWITCH, issuer, 1);
                    byte[] byLid = Smp.lidRouted(Method.TRAP, i, Notice.TYPE.id(), 0, 0);
                    notice.write(byLid, Smp.DATA_OFFSET);
                    host.port.send(new MadFrame(new MadAddress(subnet.smLid(), 0, 0, 0), byLid), 0);
                    byte[] directed = Smp.directed(Method.TRAP, i, Notice.TYPE.id(), 0, 0, host.toSm);
                    notice.write(directed, Smp.DATA_OFFSET);
                    host.port.send(new MadFrame(MadAddress.DIRECTED, directed), 0);
                }
            }
            loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
        }
        advance(60);
        assertThat(sm.ends).hasSize(sweeps);
        TrapCounts counts = sm.sweeper.traps().counts();
        assertThat(counts.count(128, TrapCounts.Disposition.ACTED_ON)).isZero();
        assertThat(counts.count(144, TrapCounts.Disposition.ACTED_ON)).isPositive();
        assertThat(log.all()).as("a line of each kind now and then").hasSizeLessThan(40);
    }

    private FabricSm master() throws Exception {
        FabricSm sm = new FabricSm(loop, fabric, SM_HOST, 5, ServiceHarness.torusOptions(dir, TorusSpec.parse(TORUS)))
                .start();
        assertThat(loop.runUntil(sm::isUp, TimeUnit.SECONDS.toNanos(30))).isTrue();
        advance(5);
        return sm;
    }

    /** Returns the LIDs of all published end ports, by port GUID. */
    private static Map<Long, Integer> lids(FabricSm sm) {
        Subnet subnet = Objects.requireNonNull(sm.sweeper.view()).subnet();
        Map<Long, Integer> lids = new TreeMap<>();
        IntStream.range(0, subnet.fabric().portCount())
                .filter(port -> subnet.lid(port) != 0)
                .forEach(port -> lids.put(subnet.fabric().portGuid(port), subnet.lid(port)));
        return lids;
    }

    private void advance(long seconds) {
        loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private static SmInfo master(long guid, long smKey) {
        return SmInfo.TYPE
                .zero()
                .with(SmInfo.GUID, guid)
                .with(SmInfo.SM_KEY, smKey)
                .with(SmInfo.PRIORITY, 15)
                .with(SmInfo.SM_STATE, SmInfo.MASTER);
    }

    private long nodeGuid(String name) {
        return topology.node(name).orElseThrow().nodeGuid();
    }
}
