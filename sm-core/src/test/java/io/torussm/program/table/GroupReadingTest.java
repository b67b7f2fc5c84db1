package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.program.smp.SmpRequests;
import io.torussm.routing.MulticastTree;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepHarness;
import io.torussm.transport.MadScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The members of groups, as the tables of nine switches with ports at two positions show them. */
class GroupReadingTest {
    private static final int SWITCHES = 9;
    private static final int POSITIONS = 2;
    private static final int BLOCK = MulticastForwardingTable.MLIDS_PER_BLOCK;
    private static final int FIRST = MulticastView.FIRST_MLID;

    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=16");
    private final List<byte[]> sentMads = new ArrayList<>();
    private final Subnet subnet;
    private final Fabric fabric;

    GroupReadingTest() {
        harness.sweep();
        subnet = harness.publishedView().subnet();
        fabric = subnet.fabric();
        harness.isRequestLost = mad -> {
            sentMads.add(mad.clone());
            return false;
        };
    }

    private MulticastRouter router(Fabric of) {
        return new MulticastRouter(subnet.with(of), MulticastTree.nearest(of, 0), 0xffff, alias -> 0);
    }

    private Set<Long> guids(int... hosts) {
        Set<Long> guids = new TreeSet<>();
        for (int host : hosts) {
            guids.add(fabric.portGuid(harness.hosts().get(host)));
        }
        return guids;
    }

    private void program(Map<Integer, Set<Long>> members) {
        DeviceTables[] tables = new DeviceTables[SWITCHES];
        RowValues rows = new RowValues();
        for (int sw = 0; sw < SWITCHES; sw++) {
            tables[sw] = new DeviceTables(fabric.numPorts(sw), rows);
        }
        MadScope scope = harness.client.scope();
        SmpRequests requests = new SmpRequests(fabric, new ProgrammingErrors(), scope, harness.loop);
        MulticastWrites writes = new MulticastWrites(
                fabric,
                tables,
                requests,
                router(fabric),
                new MulticastView(List.of(), new TreeMap<>(members)),
                sw -> true);
        boolean[] isDone = {false};
        scope.pull(writes.settingRequests(writes.allBlocks()));
        scope.whenIdle(() -> isDone[0] = true);
        assertThat(harness.loop.runUntil(() -> isDone[0], TimeUnit.MINUTES.toNanos(2)))
                .isTrue();
    }

    private SortedMap<Integer, Set<Long>> read(Fabric of) {
        sentMads.clear();
        List<SortedMap<Integer, Set<Long>>> done = new ArrayList<>();
        new GroupReading().start(new HarnessContext(harness, new ProgrammingErrors()), router(of), done::add);
        assertThat(harness.loop.runUntil(() -> !done.isEmpty(), TimeUnit.MINUTES.toNanos(2)))
                .isTrue();
        assertThat(sentMads).allMatch(mad -> MadHeader.method(mad) == Method.GET);
        return done.get(0);
    }

    private long reads(int block) {
        return sentMads.stream()
                .filter(mad -> (MadHeader.attributeModifier(mad) & 0x1ff) == block)
                .count();
    }

    /** Returns the fabric with a capacity for so many MLIDs at each switch. */
    private Fabric withCap(int cap) {
        @Nullable
        SwitchInfo[] infos = IntStream.range(0, SWITCHES)
                .mapToObj(sw ->
                        Objects.requireNonNull(fabric.node(sw).switchInfo()).with(SwitchInfo.MULTICAST_FDB_CAP, cap))
                .toArray(SwitchInfo[]::new);
        return fabric.with(infos);
    }

    /** Hosts 0 and 15 are at the two positions of one switch; hosts 128 to 143 are at the last switch. */
    @Test
    void membersAtBothPositionsOfEachSwitchAreFound() {
        Map<Integer, Set<Long>> members =
                Map.of(FIRST, guids(0, 15, 45, 143), FIRST + BLOCK - 1, guids(1, 128), FIRST + BLOCK, guids(14, 100));
        program(members);
        assertThat(read(fabric)).isEqualTo(members);
    }

    @Test
    void readingEndsAfterTheFirstEmptyBlock() {
        assertThat(read(fabric)).isEmpty();
        assertThat(sentMads).hasSize(SWITCHES * POSITIONS);
        program(Map.of(FIRST, guids(0, 45), FIRST + BLOCK, guids(0, 45)));
        read(fabric);
        for (int block = 0; block <= 2; block++) {
            assertThat(reads(block)).as("block %d", block).isEqualTo(SWITCHES * POSITIONS);
        }
        assertThat(sentMads).hasSize(3 * SWITCHES * POSITIONS);
    }

    @Test
    void blocksAboveTheCapacityOfASwitchAreNotRead() {
        program(Map.of(FIRST, guids(0, 45), FIRST + BLOCK, guids(0, 45)));
        assertThat(read(withCap(BLOCK))).containsOnlyKeys(FIRST);
        assertThat(reads(1)).isZero();
        assertThat(read(withCap(BLOCK + 1))).containsOnlyKeys(FIRST, FIRST + BLOCK);
        assertThat(reads(1)).isEqualTo(SWITCHES * POSITIONS);
        assertThat(reads(2)).isZero();
    }
}
