package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.transition.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.Smp;
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
    void nothingIsReadTwice() {
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
        sentMads.clear();
        boolean[] isDone = {false};
        BitSet blocks = new BitSet();
        blocks.set(0);
        programmer.startMulticast(
                harness.client, harness.loop, router, view, blocks, new ProgrammingErrors(), () -> isDone[0] = true);
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
}
