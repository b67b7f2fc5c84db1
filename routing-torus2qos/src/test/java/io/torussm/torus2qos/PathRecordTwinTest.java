package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.routing.Plan;
import io.torussm.sa.PathsAlone;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * PathRecord for all pairs of hosts, against a walk that knows only tables and cables, and the geometry of the SL.
 * Cables have what MTUs and rates chance gives them, and their two ends may differ.
 */
class PathRecordTwinTest {
    private static final ComponentMask COMPONENTS = PathRecord.COMPONENTS;
    private static final int LEVEL = 8;

    /** LinkWidthActive, LinkSpeedActive and LinkSpeedExtActive; rate code, and data in Gb/s. */
    private record Speed(int width, int speed, int extended, int code, double data) {}

    private static final Speed[] SPEEDS = {
        new Speed(1, 1, 0, 2, 2),
        new Speed(2, 1, 0, 3, 8),
        new Speed(8, 1, 0, 4, 24),
        new Speed(2, 4, 0, 7, 32),
        new Speed(8, 4, 0, 10, 96),
        new Speed(1, 4, 2, 15, 25),
        new Speed(2, 4, 1, 12, 54),
        new Speed(2, 4, 2, 16, 100),
        new Speed(2, 4, 4, 17, 200),
    };

    private static final Map<Integer, Double> DATA =
            Map.of(2, 2.0, 3, 8.0, 4, 24.0, 7, 32.0, 10, 96.0, 15, 25.0, 12, 54.0, 16, 100.0, 17, 200.0);

    private DamagedTorus damaged = new DamagedTorus(new TestTorus(new int[] {8, 8, 8}, "", 1, 2, null));
    private TestTorus torus = damaged.torus;
    private final Map<Long, Integer> switchOf = new HashMap<>();
    private @Nullable Subnet subnet;
    private @Nullable Plan plan;
    private int[] mtu = {};
    private double[] data = {};
    private byte[] answer = {};
    private long requestCount;

    @Test
    @Tag("slow")
    void allPairsOfAThousandHosts() {
        verify(1);
        assertThat(requestCount).isGreaterThan(1024L * 1024 * 2);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void allPairsOfADamagedTorus(long seed) {
        torus = new TestTorus(new int[] {5, 4, 6}, "", 1, 1, Seeds.random(seed, "GUIDs and ports"));
        damaged =
                new DamagedTorus(torus).failSwitch(2, 2, 1).failLink(0, 0, 0, 0).failLink(2, 4, 3, 3);
        verify(seed);
    }

    private void verify(long seed) {
        Random random = Seeds.random(seed);
        Subnet plain = torus.fabric.subnet(0);
        Fabric fabric = withMtusAndSpeeds(plain.fabric(), random);
        subnet = plain.with(fabric);
        plan = TestTorus.plan(TestTorus.route(torus.conf(), subnet));
        int[] hosts = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)))
                .toArray();
        for (int level : new int[] {0, LEVEL}) {
            SubnetAdministrator sa = administrator(level);
            for (int from : hosts) {
                for (int to : hosts) {
                    verify(sa, from, to, level, random.nextInt(64) == 0);
                }
            }
        }
    }

    /** Partitions whose SL is the level, so that whoever names no SL gets it. */
    private SubnetAdministrator administrator(int level) {
        Subnet known = Objects.requireNonNull(subnet);
        PartitionConf conf =
                Objects.requireNonNull(PartitionConf.parse("p.conf", "Default=0x7fff,sl=" + level + ":ALL=full;", true)
                        .conf());
        PartitionPlan partitions = PartitionPlan.of(
                new PartitionSettings(conf, PartitionSettings.Enforcement.OFF, true, false),
                known.fabric(),
                port -> PortKeys.NONE);
        PublishedView view = ViewDraft.of(Objects.requireNonNull(plan))
                .subnet(known)
                .partitions(partitions)
                .qos()
                .build();
        return PathsAlone.administrator(() -> view, frame -> answer = frame.mad(), Runnable::run);
    }

    /** Sets an MTU and a speed of all ports. A port of a switch that does not announce extended speeds has none. */
    private Fabric withMtusAndSpeeds(Fabric fabric, Random random) {
        @Nullable PortInfo[] infos = new PortInfo[fabric.portCount()];
        mtu = new int[infos.length];
        data = new double[infos.length];
        boolean[] isExtended = new boolean[fabric.nodeCount()];
        for (int node = 0; node < isExtended.length; node++) {
            isExtended[node] = random.nextInt(8) != 0;
        }
        for (int port = 0; port < infos.length; port++) {
            PortInfo info = fabric.portInfo(port);
            if (info == null) {
                continue;
            }
            int node = fabric.nodeOf(port);
            Speed speed = SPEEDS[random.nextInt(4) == 0 ? random.nextInt(SPEEDS.length) : SPEEDS.length - 1];
            int cap = random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 5;
            int negotiated = random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 5;
            long extendedBit = isExtended[node] ? PortInfo.CAP_EXTENDED_SPEEDS : 0;
            infos[port] = info.with(PortInfo.MTU_CAP, cap)
                    .with(PortInfo.NEIGHBOR_MTU, negotiated)
                    .with(PortInfo.LINK_WIDTH_ACTIVE, speed.width)
                    .with(PortInfo.LINK_SPEED_ACTIVE, speed.speed)
                    .with(PortInfo.LINK_SPEED_EXT_ACTIVE, speed.extended)
                    .with(PortInfo.CAPABILITY_MASK, info.get(PortInfo.CAPABILITY_MASK) | extendedBit);
            mtu[port] = Math.min(cap, negotiated);
            data[port] = speed.extended != 0 && !isExtended[node] ? withoutExtended(speed) : speed.data;
        }
        return fabric.with(infos);
    }

    private static double withoutExtended(Speed speed) {
        return Arrays.stream(SPEEDS)
                .filter(other -> other.extended == 0 && other.width == speed.width && other.speed == speed.speed)
                .mapToDouble(Speed::data)
                .findFirst()
                .orElse(8);
    }

    private void verify(SubnetAdministrator sa, int from, int to, int level, boolean isThorough) {
        Subnet known = Objects.requireNonNull(subnet);
        int sl = datelineBits(from, to) | level;
        byte[] request = request(known, from, to);
        sendRequest(sa, request, from);
        if (MadHeader.status(answer) != MadStatus.OK) {
            throw new AssertionError("no path from LID " + known.lid(from) + " to " + known.lid(to));
        }
        verify(from, to, sl);
        if (isThorough) {
            for (int wanted = 0; wanted < 16; wanted++) {
                PathRecord.SL.set(request, SaMad.DATA_OFFSET, wanted);
                SaMad.COMPONENT_MASK.set(
                        request, 0, SaMad.COMPONENT_MASK.get(request, 0) | COMPONENTS.bit(PathRecord.SL));
                sendRequest(sa, request, from);
                boolean isRight = (wanted & 7) == (sl & 7);
                assertThat(MadHeader.status(answer))
                        .as("SL %d from %d to %d", wanted, from, to)
                        .isEqualTo(isRight ? MadStatus.OK : MadStatus.SA_NO_RECORDS);
                assertThat(PathRecord.SL.get(answer, SaMad.DATA_OFFSET)).isEqualTo(wanted);
            }
        }
    }

    private void sendRequest(SubnetAdministrator sa, byte[] request, int from) {
        requestCount++;
        sa.onMad(new MadFrame(new MadAddress(Objects.requireNonNull(subnet).lid(from), 1, 0, 0), request));
    }

    /** Returns a request: every other one by LIDs, the rest by GIDs. */
    private byte[] request(Subnet known, int from, int to) {
        boolean isByLid = (from + to & 1) == 0;
        long mask = COMPONENTS.bit(PathRecord.REVERSIBLE)
                | COMPONENTS.bit(PathRecord.NUMB_PATH)
                | COMPONENTS.bit(isByLid ? PathRecord.SLID : PathRecord.SGID)
                | COMPONENTS.bit(isByLid ? PathRecord.DLID : PathRecord.DGID);
        byte[] mad = SaMad.request(Method.GET, requestCount, PathRecord.TYPE.id(), 0, mask);
        PathRecord.SLID.set(mad, SaMad.DATA_OFFSET, known.lid(from));
        PathRecord.DLID.set(mad, SaMad.DATA_OFFSET, known.lid(to));
        new Gid(known.gidPrefix(), known.fabric().portGuid(to)).write(mad, SaMad.DATA_OFFSET + 8);
        new Gid(known.gidPrefix(), known.fabric().portGuid(from)).write(mad, SaMad.DATA_OFFSET + 24);
        PathRecord.REVERSIBLE.set(mad, SaMad.DATA_OFFSET, 1);
        PathRecord.NUMB_PATH.set(mad, SaMad.DATA_OFFSET, 1);
        return mad;
    }

    private void verify(int from, int to, int sl) {
        Subnet known = Objects.requireNonNull(subnet);
        Fabric fabric = known.fabric();
        int smallest = mtu[from];
        double slowest = data[from];
        int port = from;
        for (int hops = 0; port != to; hops++) {
            int far = fabric.peer(port);
            smallest = Math.min(smallest, Math.min(mtu[port], mtu[far]));
            slowest = Math.min(slowest, Math.min(data[port], data[far]));
            int node = fabric.nodeOf(far);
            port = far;
            if (far != to) {
                assertThat(hops).isLessThan(64);
                port = fabric.port(node, Objects.requireNonNull(plan).lft(node)[known.lid(to)] & 0xff);
            }
        }
        if (from == to && fabric.peer(from) != Fabric.NONE) {
            smallest = Math.min(smallest, mtu[fabric.peer(from)]);
            slowest = Math.min(slowest, data[fabric.peer(from)]);
        }
        long gotMtu = PathRecord.MTU.get(answer, SaMad.DATA_OFFSET);
        Double gotData = DATA.get((int) PathRecord.RATE.get(answer, SaMad.DATA_OFFSET));
        boolean isRight = gotMtu == smallest
                && gotData != null
                && gotData == slowest
                && PathRecord.SL.get(answer, SaMad.DATA_OFFSET) == sl
                && PathRecord.SLID.get(answer, SaMad.DATA_OFFSET) == known.lid(from)
                && PathRecord.DLID.get(answer, SaMad.DATA_OFFSET) == known.lid(to)
                && PathRecord.REVERSIBLE.get(answer, SaMad.DATA_OFFSET) == 1;
        if (!isRight) {
            throw new AssertionError(fabric.portName(from) + " to " + fabric.portName(to) + ": expected MTU " + smallest
                    + ", " + slowest + " Gb/s, SL " + sl + "; got "
                    + PathRecord.TYPE.read(answer, SaMad.DATA_OFFSET));
        }
    }

    /** Returns the datelines of a path: bit d is set if the short way in dimension d crosses its end. */
    private int datelineBits(int from, int to) {
        int[] a = torus.at(switchOf(from));
        int[] b = torus.at(switchOf(to));
        int bits = 0;
        for (int d = 0; d < 3; d++) {
            bits |= 2 * Math.abs(a[d] - b[d]) > torus.radix[d] ? 1 << d : 0;
        }
        return bits;
    }

    private int switchOf(int host) {
        Fabric fabric = Objects.requireNonNull(subnet).fabric();
        long guid = fabric.nodeGuid(fabric.nodeOf(fabric.peer(host)));
        return switchOf.computeIfAbsent(guid, wanted -> damaged.switches().stream()
                .filter(sw -> torus.guid(torus.at(sw)) == wanted)
                .findFirst()
                .orElseThrow());
    }
}
