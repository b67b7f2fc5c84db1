package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MulticastGroups;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.program.smp.RequestStripes;
import io.torussm.program.smp.SmpRequests;
import io.torussm.routing.MulticastTree;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.transport.MadScope;
import io.torussm.transport.SmpRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The multicast tables of a torus of nine switches with 16 hosts each, whose ports have two positions. */
class MulticastWritesTest {
    private static final int FIRST = MulticastView.FIRST_MLID;
    private static final int NEXT_BLOCK = FIRST + MulticastForwardingTable.MLIDS_PER_BLOCK;

    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=16");
    private final Subnet subnet;
    private final Fabric fabric;
    private final @Nullable DeviceTables[] tables = new DeviceTables[9];
    private final List<byte[]> sentMads = new ArrayList<>();

    MulticastWritesTest() {
        harness.sweep();
        subnet = harness.publishedView().subnet();
        fabric = subnet.fabric();
        RowValues rows = new RowValues();
        for (int sw = 0; sw < tables.length; sw++) {
            tables[sw] = new DeviceTables(fabric.numPorts(sw), rows);
        }
        harness.isRequestLost = mad -> {
            sentMads.add(mad.clone());
            return false;
        };
    }

    private MulticastRouter router(Fabric of) {
        return new MulticastRouter(subnet.with(of), MulticastTree.nearest(of, 0), 0xffff, alias -> 0);
    }

    /** Returns a view in which some hosts are members of an MLID. */
    private MulticastView view(int mlid, int... hosts) {
        List<Integer> ports = harness.hosts();
        TreeMap<Integer, Set<Long>> members = new TreeMap<>();
        for (int host : hosts) {
            members.computeIfAbsent(mlid, any -> new TreeSet<>()).add(fabric.portGuid(ports.get(host)));
        }
        return new MulticastView(List.of(), members);
    }

    private MulticastWrites writes(MulticastView view) {
        return writes(fabric, view, false);
    }

    private MulticastWrites writes(Fabric of, MulticastView view, boolean isCold) {
        SmpRequests requests = new SmpRequests(of, new ProgrammingErrors(), harness.client.scope(), harness.loop);
        return new MulticastWrites(of, tables, requests, router(of), view, sw -> isCold);
    }

    private void send(RequestStripes requests) {
        sentMads.clear();
        boolean[] isDone = {false};
        MadScope scope = harness.client.scope();
        scope.pull(requests);
        scope.whenIdle(() -> isDone[0] = true);
        assertThat(harness.loop.runUntil(() -> isDone[0], TimeUnit.MINUTES.toNanos(2)))
                .isTrue();
    }

    private void send(@Nullable SmpRequest<?> request) {
        send(new RequestStripes(1, 1, (any, entry) -> request));
    }

    private void program(MulticastWrites writes) {
        send(writes.clearingRequests(writes.allBlocks()));
        send(writes.settingRequests(writes.allBlocks()));
    }

    /** Compares the devices and the known tables with the tables of the router, for the first blocks. */
    private void assertProgrammed(MulticastView view, int blocks) {
        for (int block = 0; block < blocks; block++) {
            MulticastRouter.Block wanted = router(fabric).block(view, block);
            for (int sw = 0; sw < 9; sw++) {
                for (int position = 0; position < 2; position++) {
                    assertThat(Objects.requireNonNull(tables[sw]).multicast(block, position))
                            .isEqualTo(wanted.table(sw, position));
                }
                for (int i = 0; i < MulticastForwardingTable.MLIDS_PER_BLOCK; i++) {
                    int mlid = FIRST + block * MulticastForwardingTable.MLIDS_PER_BLOCK + i;
                    long[] mask = harness.fabric.mft(fabric.nodeGuid(sw), mlid);
                    assertThat(IntStream.range(0, 64)
                                    .filter(port -> (mask[0] >> port & 1) != 0)
                                    .toArray())
                            .as("switch %d, MLID %x", sw, mlid)
                            .isEqualTo(wanted.ports(sw, i));
                }
            }
        }
    }

    private List<byte[]> sets() {
        return sentMads.stream()
                .filter(mad -> MadHeader.method(mad) == Method.SET)
                .filter(mad -> MadHeader.attributeId(mad) == MulticastForwardingTable.TYPE.id())
                .toList();
    }

    private static MulticastForwardingTable table(byte[] mad) {
        return MulticastForwardingTable.TYPE.read(mad, Smp.DATA_OFFSET);
    }

    /** Ports 16 and above are in a block of their own. */
    @Test
    void groupsOfSeveralBlocksAreSetAtAllPositions() {
        MulticastView first = view(FIRST, 0, 15, 45, 140);
        program(writes(fabric, first, true));
        assertProgrammed(first, 1);
        MulticastView second = view(NEXT_BLOCK + 5, 1, 14, 100, 143);
        program(writes(second));
        assertProgrammed(second, 2);
        assertThat(writes(second).isAnyBlockOutdated(sw -> true)).isFalse();
        program(writes(second));
        assertThat(sentMads).isEmpty();
    }

    @Test
    void theFirstWaveLeavesTheCommonEntriesOnly() {
        MulticastView before = view(FIRST, 0, 15, 45, 140);
        MulticastView after = view(FIRST, 0, 15, 90, 140);
        program(writes(fabric, before, true));
        MulticastWrites writes = writes(after);
        assertThat(writes.isAnyBlockOutdated(sw -> true)).isTrue();
        assertThat(writes.isAnyBlockOutdated(sw -> false)).isFalse();
        send(writes.clearingRequests(writes.allBlocks()));
        assertThat(sets()).isNotEmpty();
        for (int sw = 0; sw < 9; sw++) {
            long[] mask = harness.fabric.mft(fabric.nodeGuid(sw), FIRST);
            int[] old = router(fabric).block(before, 0).ports(sw, 0);
            assertThat(IntStream.range(0, 64)
                            .filter(port -> (mask[0] >> port & 1) != 0)
                            .toArray())
                    .isEqualTo(Arrays.stream(router(fabric).block(after, 0).ports(sw, 0))
                            .filter(port -> Arrays.stream(old).anyMatch(each -> each == port))
                            .toArray());
        }
        send(writes.settingRequests(writes.allBlocks()));
        assertProgrammed(after, 1);
    }

    @Test
    void aWaveOfSomeBlocksLeavesTheOthers() {
        MulticastView view = view(NEXT_BLOCK, 0, 45);
        MulticastWrites writes = writes(fabric, view, true);
        assertThat(writes.allBlocks().cardinality()).isEqualTo(2);
        send(writes.settingRequests(new BitSet()));
        assertThat(sentMads).isEmpty();
        BitSet second = new BitSet();
        second.set(1);
        send(writes.settingRequests(second));
        assertThat(sets()).isNotEmpty().allMatch(mad -> (MadHeader.attributeModifier(mad) & 0x1ff) == 1);
    }

    @Test
    void anUnknownBlockIsEmptiedFirstUnlessItsSwitchIsCold() {
        MulticastView view = view(FIRST, 0, 45);
        MulticastWrites cold = writes(fabric, view, true);
        send(cold.clearingRequests(cold.allBlocks()));
        assertThat(sentMads).isEmpty();
        MulticastWrites warm = writes(view);
        send(warm.clearingRequests(warm.allBlocks()));
        assertThat(sets()).as("two positions of each switch").hasSize(2 * 9).allMatch(mad -> table(mad)
                .equals(DeviceTables.NO_MULTICAST));
    }

    @Test
    void aBlockInDoubtIsOutdatedAndWrittenAgain() {
        MulticastView view = view(FIRST, 0, 45);
        program(writes(fabric, view, true));
        Objects.requireNonNull(tables[3]).setMulticast(0, 1, null);
        assertThat(writes(view).isAnyBlockOutdated(sw -> sw == 3)).isTrue();
        assertThat(writes(view).isAnyBlockOutdated(sw -> sw != 3)).isFalse();
        program(writes(view));
        assertProgrammed(view, 1);
        assertThat(writes(view).isAnyBlockOutdated(sw -> true)).isFalse();
    }

    /** Blocks below the highest known one may have entries of another SM. */
    @Test
    void anUnknownBlockIsWrittenIfGroupsUseItOrOneAboveItIsKnown() {
        MulticastView view = view(FIRST, 0, 45);
        Objects.requireNonNull(tables[3]).setMulticast(2, 0, DeviceTables.NO_MULTICAST);
        assertThat(switchesSetInBlock(view, 0)).hasSize(9);
        assertThat(switchesSetInBlock(view, 1)).containsExactly(3);
        assertThat(switchesSetInBlock(view, 3)).isEmpty();
    }

    private Set<Integer> switchesSetInBlock(MulticastView view, int block) {
        BitSet blocks = new BitSet();
        blocks.set(block);
        Set<Integer> switches = new TreeSet<>();
        for (boolean isCold : new boolean[] {false, true}) {
            MulticastWrites writes = writes(fabric, view, isCold);
            send(isCold ? writes.settingRequests(blocks) : writes.clearingRequests(blocks));
            for (byte[] mad : sets()) {
                switches.addAll(IntStream.range(0, 9)
                        .filter(sw ->
                                Objects.equals(Smp.path(mad), fabric.node(sw).path()))
                        .boxed()
                        .toList());
            }
        }
        return switches;
    }

    @Test
    void aWriteWithoutAResponseLeavesABlockUnknown() {
        program(writes(fabric, view(FIRST, 0, 45), true));
        harness.isRequestLost = mad -> MadHeader.method(mad) == Method.SET;
        MulticastView other = view(FIRST, 0, 90);
        MulticastWrites writes = writes(other);
        send(writes.settingRequests(writes.allBlocks()));
        int member = fabric.nodeOf(fabric.peer(harness.hosts().get(90)));
        assertThat(Objects.requireNonNull(tables[member]).multicast(0, 0)).isNull();
        assertThat(writes(other).isAnyBlockOutdated(sw -> sw == member)).isTrue();
    }

    @Test
    void anUnknownSwitchIsSkipped() {
        MulticastView view = view(FIRST, 0, 45);
        tables[0] = null;
        program(writes(fabric, view, true));
        assertThat(sets())
                .isNotEmpty()
                .noneMatch(mad -> Objects.equals(Smp.path(mad), fabric.node(0).path()));
        assertThat(writes(view).isAnyBlockOutdated(sw -> true)).isFalse();
        assertThat(writes(view).read(0, 0)).isNull();
        assertThat(writes(view).setTop(0)).isNull();
    }

    /** The simulated switches have 1,024 MLIDs, in 32 blocks; entries are numbered position by position. */
    @Test
    void unknownEntriesAreReadFromTheDevice() {
        MulticastView view = view(NEXT_BLOCK, 0, 45);
        program(writes(fabric, view, true));
        MulticastWrites writes = writes(view);
        int blocks = MulticastWrites.capacity(fabric) / MulticastForwardingTable.MLIDS_PER_BLOCK;
        assertThat(writes.readEntries()).isEqualTo(2 * blocks);
        assertThat(writes.usedEntries()).isEqualTo(2 * 2);
        assertThat(writes.readUnknown(0, 2)).isNull();
        assertThat(writes.readUnknown(0, 3)).isNull();
        assertThat(writes.read(0, 2 * blocks)).isNull();
        DeviceTables known = Objects.requireNonNull(tables[0]);
        MulticastForwardingTable content = Objects.requireNonNull(known.multicast(1, 1));
        known.setMulticast(1, 1, null);
        assertThat(writes.readUnknown(0, 2)).isNull();
        send(writes.readUnknown(0, 3));
        assertThat(sentMads).hasSize(1);
        assertThat(MadHeader.attributeModifier(sentMads.get(0))).isEqualTo(1 << 28 | 1);
        assertThat(known.multicast(1, 1)).isEqualTo(content);
        known.setMulticast(1, 1, DeviceTables.NO_MULTICAST);
        send(writes.read(0, 3));
        assertThat(known.multicast(1, 1)).as("read again").isEqualTo(content);
    }

    /** Returns the fabric with MulticastFDBTop in the first switch. */
    private Fabric fabricWithTop() {
        int port0 = fabric.port(0, 0);
        PortInfo info = Objects.requireNonNull(fabric.portInfo(port0));
        return fabric.with(
                port0,
                info.with(
                        PortInfo.CAPABILITY_MASK, info.get(PortInfo.CAPABILITY_MASK) | PortInfo.CAP_MULTICAST_FDB_TOP));
    }

    /** Above MulticastFDBTop a switch forwards nothing, so that its entries need not be read. */
    @Test
    void entriesAboveTheTopOfASwitchAreNotRead() {
        MulticastView view = view(NEXT_BLOCK, 0, 45);
        Fabric able = fabricWithTop();
        assertThat(isBlock1Read(fabric, FIRST)).as("a switch without this top").isTrue();
        assertThat(isBlock1Read(able, FIRST)).isFalse();
        assertThat(isBlock1Read(able, NEXT_BLOCK - 1)).isFalse();
        assertThat(isBlock1Read(able, NEXT_BLOCK)).isTrue();
        assertThat(isBlock1Read(able, FIRST - 1)).as("no multicast").isFalse();
        assertThat(isBlock1Read(able, 0)).as("not set yet").isTrue();
        SwitchInfo known = Objects.requireNonNull(fabric.node(0).switchInfo());
        Objects.requireNonNull(tables[0]).setSwitchInfo(known);
        assertThat(writes(fabric, view, false).setTop(0)).isNull();
        MulticastWrites writes = writes(able, view, false);
        assertThat(writes.top(0)).hasValue(NEXT_BLOCK);
        send(writes.setTop(0));
        SwitchInfo written = SwitchInfo.TYPE.read(sentMads.get(0), Smp.DATA_OFFSET);
        assertThat(written.get(SwitchInfo.MULTICAST_FDB_TOP)).isEqualTo(NEXT_BLOCK);
        assertThat(written.portStateChange()).isFalse();
        assertThat(Objects.requireNonNull(tables[0]).switchInfo()).isEqualTo(written);
        assertThat(writes.setTop(0)).as("as wanted").isNull();
    }

    private boolean isBlock1Read(Fabric of, int top) {
        @Nullable SwitchInfo[] infos = new SwitchInfo[9];
        infos[0] = Objects.requireNonNull(of.node(0).switchInfo()).with(SwitchInfo.MULTICAST_FDB_TOP, top);
        return writes(of.with(infos), view(NEXT_BLOCK, 0, 45), false).read(0, 2) != null;
    }

    /** One switch that claims far less than the others does not limit the groups; one without multicast neither. */
    @Test
    void theCapacityIsTheMinimumOfRegularSwitches() {
        assertThat(capacity(1024, 2048, 4096)).isEqualTo(1024);
        assertThat(capacity(128, 2048, 4096)).as("a sixteenth of the median").isEqualTo(128);
        assertThat(capacity(127, 2048, 4096)).isEqualTo(2048);
        assertThat(capacity(0, 2048, 4096)).isEqualTo(2048);
        assertThat(capacity(0, 0, 512)).isEqualTo(512);
        assertThat(capacity(0, 0, 0)).isEqualTo(MulticastGroups.MAX_MLIDS);
    }

    private static int capacity(int... caps) {
        Fabric ring = Sketch.ring(caps.length).build();
        @Nullable
        SwitchInfo[] infos = Arrays.stream(caps)
                .mapToObj(cap -> SwitchInfo.TYPE.zero().with(SwitchInfo.MULTICAST_FDB_CAP, cap))
                .toArray(SwitchInfo[]::new);
        return MulticastWrites.capacity(ring.with(infos));
    }

    @Test
    void aBlockThatWasNeverKnownIsNotOutdated() {
        MulticastView view = view(FIRST, 0, 45);
        assertThat(writes(view).isAnyBlockOutdated(sw -> true)).isFalse();
        Objects.requireNonNull(tables[2]).setMulticast(0, 0, DeviceTables.NO_MULTICAST);
        assertThat(writes(view).isAnyBlockOutdated(sw -> sw == 2)).isTrue();
    }

    @Test
    void aTopWithoutAResponseIsUnknown() {
        Fabric able = fabricWithTop();
        DeviceTables known = Objects.requireNonNull(tables[0]);
        known.setSwitchInfo(Objects.requireNonNull(fabric.node(0).switchInfo()));
        harness.isRequestLost = mad -> MadHeader.method(mad) == Method.SET;
        send(writes(able, view(NEXT_BLOCK, 0, 45), false).setTop(0));
        assertThat(known.switchInfo()).isNull();
    }

    @Test
    void anEntryIsUnknownWhileItIsReadAgain() {
        program(writes(fabric, view(FIRST, 0, 45), true));
        DeviceTables known = Objects.requireNonNull(tables[0]);
        harness.isRequestLost = mad -> true;
        send(writes(view(FIRST, 0, 45)).read(0, 0));
        assertThat(known.multicast(0, 0)).isNull();
        assertThat(known.multicast(0, 1)).isNotNull();
    }

    /** A switch of 4 ports and 1,024 MLIDs beside one of 20 ports and 2,048 MLIDs: 32 and 64 blocks. */
    @Test
    void eachSwitchHasTheBlocksAndPositionsOfItsOwnSize() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("small", 4);
        sketch.addSwitch("large", 20);
        sketch.link(0, 1, 1, 1);
        Fabric mixed = sketch.build();
        mixed = mixed.with(new @Nullable SwitchInfo[] {
            null, Objects.requireNonNull(mixed.node(1).switchInfo()).with(SwitchInfo.MULTICAST_FDB_CAP, 2048)
        });
        Subnet sized = Subnets.of(mixed);
        tables[0] = new DeviceTables(4, new RowValues());
        tables[1] = new DeviceTables(20, new RowValues());
        MulticastRouter sizedRouter = new MulticastRouter(sized, MulticastTree.nearest(mixed, 0), 0xffff, alias -> 0);
        SmpRequests requests = new SmpRequests(mixed, new ProgrammingErrors(), harness.client.scope(), harness.loop);
        MulticastView view =
                new MulticastView(List.of(), new TreeMap<>(Map.of(FIRST + 40 * 32, Set.of(mixed.portGuid(0)))));
        MulticastWrites writes = new MulticastWrites(mixed, tables, requests, sizedRouter, view, sw -> true);
        assertThat(writes.readEntries()).isEqualTo(2 * 64);
        for (int block : new int[] {0, 31, 32, 40, 63}) {
            BitSet blocks = new BitSet();
            blocks.set(block);
            int expected = (block < 32 ? 1 : 0) + (block <= 40 ? 2 : 0);
            assertThat(countOf(writes.settingRequests(blocks)))
                    .as("block %d", block)
                    .isEqualTo(expected);
            assertThat(writes.read(0, 2 * block) != null).isEqualTo(block < 32);
            assertThat(writes.read(0, 2 * block + 1)).as("port 16").isNull();
            assertThat(writes.read(1, 2 * block + 1)).isNotNull();
        }
        assertThat(writes.read(1, 2 * 64)).isNull();
    }

    private static int countOf(RequestStripes requests) {
        int count = 0;
        for (; requests.hasNext(); requests.next()) {
            count++;
        }
        return count;
    }
}
