package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.transition.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepHarness;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A first sweep on nine switches that another SM programmed: tables that are read after it, and groups. */
class LateReadingTest {
    private static final int MULTICAST = MulticastForwardingTable.TYPE.id();
    private static final int ARBITRATION = VlArbitrationTable.TYPE.id();

    private final SweepHarness harness = new SweepHarness("torus:3x3x1");
    private final TableProgrammer programmer = new TableProgrammer(plan -> this::arbitration, Runnable::run);
    private final List<byte[]> sentMads = new ArrayList<>();
    private final Subnet subnet;
    private final Fabric fabric;
    private final MulticastRouter router;
    private VlArbitrationTable low = VlArbitrationTable.TYPE.zero();

    LateReadingTest() {
        harness.sweep();
        harness.sweep();
        subnet = harness.publishedView().subnet();
        fabric = subnet.fabric();
        router = new MulticastRouter(subnet, MulticastTree.nearest(fabric, 0), 0xffff, alias -> 0);
        harness.isRequestLost = mad -> {
            sentMads.add(mad.clone());
            return false;
        };
    }

    private VlArbitrationPolicy.Tables arbitration(
            VlArbitrationPolicy.PortClass portClass, int lowCap, int highCap, int operationalVls) {
        VlArbitrationTable none = VlArbitrationTable.TYPE.zero();
        return new VlArbitrationPolicy.Tables(low, none, none, none, 0);
    }

    private static VlArbitrationTable servingVl0() {
        byte[] weights = new byte[VlArbitrationTable.TYPE.layout().size()];
        weights[1] = 9;
        return VlArbitrationTable.TYPE.read(weights, 0);
    }

    private LateReading program(boolean isFirst) {
        sentMads.clear();
        Plan plan = harness.publishedView().plan();
        List<TableProgrammer.ProgrammedTables> done = new ArrayList<>();
        programmer.start(
                new HarnessContext(harness, new ProgrammingErrors()),
                new TableProgrammer.Input(
                        plan, held -> Transition.FREE, router, MulticastView.EMPTY, SweepHarness.settings(), isFirst),
                done::add);
        assertThat(harness.loop.runUntil(() -> !done.isEmpty(), TimeUnit.MINUTES.toNanos(2)))
                .isTrue();
        return done.get(0).lateReading();
    }

    private boolean isWrong(LateReading reading) {
        sentMads.clear();
        List<Boolean> done = new ArrayList<>();
        reading.start(harness.client, harness.loop, done::add);
        assertThat(harness.loop.runUntil(() -> !done.isEmpty(), TimeUnit.MINUTES.toNanos(2)))
                .isTrue();
        return done.get(0);
    }

    private long gets(int attributeId) {
        return sentMads.stream()
                .filter(mad -> MadHeader.method(mad) == Method.GET && MadHeader.attributeId(mad) == attributeId)
                .count();
    }

    @Test
    void arbitrationAndUnusedMulticastAreReadAfterAFirstSweep() {
        LateReading reading = program(true);
        assertThat(gets(ARBITRATION)).isZero();
        assertThat(gets(MULTICAST)).as("no group uses a block").isZero();
        assertThat(reading.isEmpty()).isFalse();
        low = servingVl0();
        LateReading ofOther = program(true);
        assertThat(isWrong(ofOther)).as("the other SM gave VL 0 another weight").isTrue();
        assertThat(gets(ARBITRATION)).isPositive();
        assertThat(gets(MULTICAST)).isGreaterThanOrEqualTo(9);
        assertThat(ofOther.isEmpty()).isTrue();
        assertThat(sentMads).allMatch(mad -> MadHeader.method(mad) == Method.GET);
    }

    @Test
    void eachTableIsReadOnce() {
        assertThat(isWrong(program(true))).as("no VL is served").isFalse();
        LateReading again = program(false);
        assertThat(again.isEmpty()).isTrue();
        assertThat(isWrong(again)).isFalse();
        assertThat(sentMads).isEmpty();
    }

    @Test
    void aDeviceThatStopsRespondingIsSkipped() {
        LateReading reading = program(true);
        harness.isRequestLost = mad -> {
            sentMads.add(mad.clone());
            return Objects.equals(Smp.path(mad), fabric.node(4).path());
        };
        isWrong(reading);
        assertThat(reading.isEmpty()).isTrue();
        assertThat(sentMads.stream()
                        .filter(mad ->
                                Objects.equals(Smp.path(mad), fabric.node(5).path()))
                        .count())
                .isPositive();
    }

    @Test
    void entriesOfTheOtherSmThatNoGroupHasAreWrong() {
        long member = fabric.portGuid(harness.hosts().get(4));
        MulticastView view =
                new MulticastView(List.of(), new TreeMap<>(Map.of(MulticastView.FIRST_MLID, Set.of(member))));
        program(false);
        startMulticast(view);
        programmer.forgetAll();
        assertThat(isWrong(program(true))).isTrue();
    }

    private void startMulticast(MulticastView view) {
        startMulticast(router, view);
    }

    private void startMulticast(MulticastRouter of, MulticastView view) {
        sentMads.clear();
        boolean[] isDone = {false};
        BitSet blocks = new BitSet();
        blocks.set(0);
        programmer.startMulticast(
                harness.client, harness.loop, of, view, blocks, new ProgrammingErrors(), () -> isDone[0] = true);
        assertThat(harness.loop.runUntil(() -> isDone[0], TimeUnit.MINUTES.toNanos(2)))
                .isTrue();
    }

    @Test
    void groupsAreWrittenBetweenSweeps() {
        long one = fabric.portGuid(harness.hosts().get(4));
        long other = fabric.portGuid(harness.hosts().get(7));
        program(false);
        startMulticast(new MulticastView(List.of(), new TreeMap<>(Map.of(MulticastView.FIRST_MLID, Set.of(one)))));
        MulticastView both =
                new MulticastView(List.of(), new TreeMap<>(Map.of(MulticastView.FIRST_MLID, Set.of(one, other))));
        startMulticast(both);
        for (int sw = 0; sw < 9; sw++) {
            assertThat(Objects.requireNonNull(programmer.held(fabric, sw)).multicast(0, 0))
                    .isEqualTo(router.block(both, 0).table(sw, 0));
        }
        startMulticast(both);
        assertThat(sentMads).isEmpty();
        startMulticast(MulticastView.EMPTY);
        for (int sw = 0; sw < 9; sw++) {
            assertThat(harness.fabric.mft(fabric.nodeGuid(sw), MulticastView.FIRST_MLID)[0])
                    .isZero();
        }
    }

    /** A member moves: a switch of the tree loses a port and gets another, by one Set each. */
    @Test
    void oldEntriesAreRemovedBeforeNewOnesAreWritten() {
        program(false);
        MulticastView before = view(0, 1);
        MulticastView after = view(0, 3);
        startMulticast(before);
        startMulticast(after);
        int both = 0;
        for (int sw = 0; sw < 9; sw++) {
            MulticastForwardingTable old = router.block(before, 0).table(sw, 0);
            MulticastForwardingTable current = router.block(after, 0).table(sw, 0);
            int common = old.mask(0) & current.mask(0);
            if (common != old.mask(0) && common != current.mask(0)) {
                both++;
                assertThat(masksSetAt(sw)).containsExactly(common, current.mask(0));
            }
        }
        assertThat(both).isPositive();
    }

    /** A Set without a response leaves an unknown block. */
    @Test
    void anUnknownBlockIsClearedBeforeItIsWritten() {
        program(false);
        startMulticast(view(4, 5));
        int sw = fabric.nodeOf(fabric.peer(harness.hosts().get(4)));
        Objects.requireNonNull(programmer.held(fabric, sw)).setMulticast(0, 0, null);
        startMulticast(view(4, 5));
        assertThat(masksSetAt(sw))
                .containsExactly(0, router.block(view(4, 5), 0).table(sw, 0).mask(0));
    }

    @Test
    void theTopIsRaisedBetweenSweepsWhereASwitchHasOne() {
        program(false);
        int sw = 4;
        int port0 = fabric.port(sw, 0);
        PortInfo info = Objects.requireNonNull(fabric.portInfo(port0));
        Fabric able = fabric.with(
                port0,
                info.with(
                        PortInfo.CAPABILITY_MASK, info.get(PortInfo.CAPABILITY_MASK) | PortInfo.CAP_MULTICAST_FDB_TOP));
        MulticastRouter ableRouter =
                new MulticastRouter(subnet.with(able), MulticastTree.nearest(able, 0), 0xffff, alias -> 0);
        startMulticast(ableRouter, view(4, 5));
        assertThat(sentMads)
                .filteredOn(mad -> MadHeader.attributeId(mad) == SwitchInfo.TYPE.id())
                .singleElement()
                .satisfies(mad -> {
                    assertThat(Smp.path(mad)).isEqualTo(fabric.node(sw).path());
                    assertThat(SwitchInfo.TYPE.read(mad, Smp.DATA_OFFSET).get(SwitchInfo.MULTICAST_FDB_TOP))
                            .isEqualTo(MulticastView.FIRST_MLID);
                });
    }

    @Test
    void removedDevicesHaveNoPendingReads() {
        LateReading reading = program(true);
        assertThat(reading.isEmpty()).isFalse();
        programmer.forgetAll();
        assertThat(reading.isEmpty()).isTrue();
    }

    private MulticastView view(int... hosts) {
        Set<Long> members = new TreeSet<>();
        for (int host : hosts) {
            members.add(fabric.portGuid(harness.hosts().get(host)));
        }
        return new MulticastView(List.of(), new TreeMap<>(Map.of(MulticastView.FIRST_MLID, members)));
    }

    /** Returns the masks of the first MLID in the Sets to a switch. */
    private List<Integer> masksSetAt(int sw) {
        return sentMads.stream()
                .filter(mad -> MadHeader.attributeId(mad) == MULTICAST)
                .filter(mad -> Objects.equals(Smp.path(mad), fabric.node(sw).path()))
                .map(mad ->
                        MulticastForwardingTable.TYPE.read(mad, Smp.DATA_OFFSET).mask(0))
                .toList();
    }
}
