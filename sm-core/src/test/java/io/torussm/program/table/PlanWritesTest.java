package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.transition.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.program.smp.SweepSettings;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepHarness;
import io.torussm.view.QosTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The writes of one plan on a torus of nine switches with eight hosts each, whose links are up: LIDs 1 to 81 in two
 * blocks. The order of the change is given by the test.
 */
class PlanWritesTest {
    private static final byte NO_PATH = (byte) 0xff;
    private static final int LIDS = LinearForwardingTable.LIDS_PER_BLOCK;
    private static final long OTHER_ROW = 0x1111_1111_1111_1111L;
    private static final int[][] NONE = new int[9][0];

    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=8");
    private final TableProgrammer programmer = new TableProgrammer(plan -> this::arbitration, Runnable::run);
    private SweepSettings settings = SweepHarness.settings();
    private ProgrammingErrors errors = new ProgrammingErrors();
    private final List<OrderFacts> orders = new ArrayList<>();
    private final List<SentMad> sentMads = new ArrayList<>();
    private VlArbitrationTable arbitration = VlArbitrationTable.TYPE.zero();
    private final Subnet subnet;
    private final long drainNs;

    PlanWritesTest() {
        harness.sweep();
        harness.sweep();
        subnet = harness.publishedView().subnet();
        drainNs = DrainTime.ns(subnet.fabric());
    }

    /** The facts with which an order was asked for. */
    private record OrderFacts(boolean areRowsPlanned, long row) {}

    /** A request of the SM. */
    private record SentMad(long ns, byte[] mad) {
        boolean isSet(int attributeId) {
            return MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == attributeId;
        }

        boolean isGet(int attributeId) {
            return MadHeader.method(mad) == Method.GET && MadHeader.attributeId(mad) == attributeId;
        }

        boolean isTo(Fabric fabric, int node) {
            return Objects.equals(Smp.path(mad), fabric.node(node).path());
        }

        long modifier() {
            return MadHeader.attributeModifier(mad);
        }

        LinearForwardingTable block() {
            return LinearForwardingTable.TYPE.read(mad, Smp.DATA_OFFSET);
        }
    }

    private VlArbitrationPolicy.Tables arbitration(
            VlArbitrationPolicy.PortClass portClass, int lowCap, int highCap, int operationalVls) {
        VlArbitrationTable none = VlArbitrationTable.TYPE.zero();
        return new VlArbitrationPolicy.Tables(arbitration, none, none, none, 0);
    }

    private static VlArbitrationTable otherArbitration() {
        byte[] weights = new byte[VlArbitrationTable.TYPE.layout().size()];
        weights[1] = 9;
        return VlArbitrationTable.TYPE.read(weights, 0);
    }

    /** Programs the plan of a sweep, so that all tables are known. */
    @BeforeEach
    void programFirst() {
        program(sketch(), Transition.FREE);
        lose(mad -> false);
        program(sketch(), Transition.FREE);
        assertThat(sets(LinearForwardingTable.TYPE.id())).isEmpty();
    }

    private void lose(Predicate<SentMad> isLost) {
        harness.isRequestLost = bytes -> {
            SentMad mad = new SentMad(harness.loop.nowNs(), bytes.clone());
            sentMads.add(mad);
            return isLost.test(mad);
        };
    }

    /** Loses all SMPs to the first switch from the first Set of its VL arbitration on, which no step relies on. */
    private void loseAllFromFirstArbitrationOn() {
        boolean[] isSilent = {false};
        arbitration = otherArbitration();
        lose(mad -> {
            isSilent[0] |= mad.isTo(subnet.fabric(), 0) && mad.isSet(VlArbitrationTable.TYPE.id());
            return isSilent[0] && mad.isTo(subnet.fabric(), 0);
        });
    }

    /** Returns the plan of the sweep, whose tables a test may change. */
    private PlanSketch sketch() {
        return sketch(subnet);
    }

    private PlanSketch sketch(Subnet planned) {
        PlanSketch sketch = new PlanSketch(planned);
        Plan plan = harness.publishedView().plan();
        for (int sw = 0; sw < sketch.lfts.length; sw++) {
            for (int lid = 1; lid <= planned.topLid(); lid++) {
                sketch.lfts[sw][lid] = planned.portOfLid(lid) == Fabric.NONE ? NO_PATH : plan.lft(sw)[lid];
            }
        }
        sketch.rows = (sw, in, out) -> 0;
        return sketch;
    }

    private TableProgrammer.ProgrammedTables program(PlanSketch sketch, Transition transition) {
        sentMads.clear();
        orders.clear();
        errors = new ProgrammingErrors();
        TableProgrammer.@Nullable ProgrammedTables[] done = new TableProgrammer.ProgrammedTables[1];
        TableProgrammer.Input input = new TableProgrammer.Input(
                sketch.plan(),
                held -> {
                    orders.add(new OrderFacts(held.areRowsPlanned(), held.sl2vl(4, 1, 2)));
                    return transition;
                },
                new MulticastRouter(sketch.subnet, null, 0xffff, alias -> 0),
                MulticastView.EMPTY,
                settings,
                false);
        programmer.start(new HarnessContext(harness, errors), input, tables -> done[0] = tables);
        assertThat(harness.loop.runUntil(() -> done[0] != null, TimeUnit.MINUTES.toNanos(2)))
                .isTrue();
        return Objects.requireNonNull(done[0]);
    }

    private List<SentMad> sets(int attributeId) {
        return sentMads.stream().filter(each -> each.isSet(attributeId)).toList();
    }

    private List<SentMad> blockSets() {
        return sets(LinearForwardingTable.TYPE.id());
    }

    private int lidOfHost(int sw) {
        Fabric fabric = subnet.fabric();
        return IntStream.rangeClosed(1, Math.min(subnet.topLid(), LIDS - 1))
                .filter(lid -> subnet.switchOfLid(lid) == sw && !fabric.isSwitch(fabric.nodeOf(subnet.portOfLid(lid))))
                .findFirst()
                .orElseThrow();
    }

    /** Returns another cable of a switch than an entry's. */
    private byte otherCable(int sw, int lid) {
        Fabric fabric = subnet.fabric();
        int old = sketch().lfts[sw][lid];
        return (byte) IntStream.rangeClosed(1, fabric.numPorts(sw))
                .filter(portNum -> portNum != old && fabric.peer(fabric.port(sw, portNum)) != Fabric.NONE)
                .filter(portNum -> fabric.isSwitch(fabric.nodeOf(fabric.peer(fabric.port(sw, portNum)))))
                .findFirst()
                .orElseThrow();
    }

    private static int[][] at(int sw, int... lids) {
        int[][] all = new int[9][0];
        all[sw] = lids;
        return all;
    }

    private void assertWritten(PlanSketch sketch) {
        for (int sw = 0; sw < 9; sw++) {
            byte[] lft = harness.fabric.lft(subnet.fabric().nodeGuid(sw));
            assertThat(Arrays.copyOf(lft, sketch.lfts[sw].length)).isEqualTo(sketch.lfts[sw]);
        }
    }

    @Test
    void eachStepWaitsForTheDrainTimeIfPacketsAreRerouted() {
        int dropped = lidOfHost(1);
        int other = lidOfHost(2);
        PlanSketch next = sketch();
        next.lfts[0][dropped] = otherCable(0, dropped);
        next.lfts[0][other] = otherCable(0, other);
        next.lfts[3][other] = otherCable(3, other);
        byte old = sketch().lfts[0][other];
        program(next, Transition.inSteps(NONE, NONE, at(0, dropped), true));
        List<SentMad> sets = blockSets();
        assertThat(sets).hasSize(4);
        assertThat(sets.get(0).isTo(subnet.fabric(), 0)).isTrue();
        assertThat(sets.get(0).block().port(dropped)).isEqualTo(0xff);
        assertThat(sets.get(0).block().port(other)).isEqualTo(old);
        assertThat(sets.get(1).ns - sets.get(0).ns).isGreaterThanOrEqualTo(drainNs);
        SentMad second = sets.get(1).isTo(subnet.fabric(), 0) ? sets.get(1) : sets.get(2);
        assertThat(second.block().port(dropped)).isEqualTo(0xff);
        assertThat(second.block().port(other)).isEqualTo(next.lfts[0][other]);
        assertThat(sets.get(2).ns - sets.get(1).ns).isLessThan(drainNs);
        assertThat(sets.get(3).ns - sets.get(2).ns).isGreaterThanOrEqualTo(drainNs);
        assertThat(sets.get(3).block().port(dropped)).isEqualTo(next.lfts[0][dropped]);
        assertWritten(next);
    }

    @Test
    void noStepWaitsIfNoPacketUsedTheChangedEntries() {
        int late = lidOfHost(1);
        int other = lidOfHost(2);
        PlanSketch without = sketch();
        without.lfts[0][late] = NO_PATH;
        without.lfts[0][other] = NO_PATH;
        program(without, Transition.FREE);
        program(sketch(), Transition.inSteps(NONE, at(0, late), NONE, true));
        List<SentMad> sets = blockSets();
        assertThat(sets).hasSize(2);
        assertThat(sets.get(0).block().port(late)).isEqualTo(0xff);
        assertThat(sets.get(1).ns - sets.get(0).ns).isLessThan(drainNs);
        assertWritten(sketch());
    }

    @Test
    void aLastStepWithoutWritesNeedsNoPause() {
        int other = lidOfHost(2);
        PlanSketch next = sketch();
        next.lfts[0][other] = otherCable(0, other);
        long startNs = harness.loop.nowNs();
        program(next, Transition.inSteps(NONE, NONE, NONE, true));
        assertThat(blockSets()).hasSize(1);
        assertThat(harness.loop.nowNs() - startNs).isLessThan(drainNs);
    }

    @Test
    void aChangedRowIsOrderedAndWaitedForAsAnEntryIs() {
        int late = lidOfHost(1);
        PlanSketch without = sketch();
        without.lfts[0][late] = NO_PATH;
        program(without, Transition.FREE);
        assertThat(orders).containsExactly(new OrderFacts(true, 0));
        PlanSketch next = sketch();
        next.rows = (sw, in, out) -> sw == 4 && in == 1 && out == 2 ? OTHER_ROW : 0;
        program(next, Transition.inSteps(NONE, at(0, late), NONE, true));
        assertThat(orders).containsExactly(new OrderFacts(false, 0));
        List<SentMad> rows = sets(SlToVlMappingTable.TYPE.id());
        assertThat(rows).hasSize(1);
        assertThat(blockSets()).hasSize(1);
        assertThat(blockSets().get(0).ns - rows.get(0).ns).isGreaterThanOrEqualTo(drainNs);
        PlanSketch rowsOnly = sketch();
        program(rowsOnly, Transition.FREE);
        assertThat(orders).as("rows alone").containsExactly(new OrderFacts(false, OTHER_ROW));
    }

    @Test
    void anUnchangedPlanIsNotOrderedAndSendsNothing() {
        TableProgrammer.ProgrammedTables tables = program(sketch(), Transition.FREE);
        assertThat(orders).isEmpty();
        assertThat(sentMads).isEmpty();
        assertThat(tables.writes()).isZero();
        assertThat(tables.qos()).isNotSameAs(QosTables.NONE);
    }

    @Test
    void withoutQosNoRowIsReadWrittenOrReported() {
        SweepSettings qos = settings;
        settings = new SweepSettings(
                qos.gidPrefix(), 0, false, false, 0, 0, 0, 18, 18, LinkSettings.DEFAULT, false, 0, false);
        programmer.forgetAll();
        PlanSketch next = sketch();
        next.rows = (sw, in, out) -> OTHER_ROW;
        TableProgrammer.ProgrammedTables tables = program(next, Transition.FREE);
        assertThat(tables.qos()).isSameAs(QosTables.NONE);
        assertThat(orders).isEmpty();
        assertThat(sentMads)
                .noneMatch(each -> each.isSet(SlToVlMappingTable.TYPE.id())
                        || each.isGet(SlToVlMappingTable.TYPE.id())
                        || each.isGet(VlArbitrationTable.TYPE.id()));
        assertThat(sentMads).anyMatch(each -> each.isGet(LinearForwardingTable.TYPE.id()));
    }

    @Test
    void entriesOfRemovedLidsAreClearedLast() {
        int top = subnet.topLid();
        int[] lids = IntStream.range(0, subnet.fabric().portCount())
                .map(port -> subnet.lid(port) == top ? 0 : subnet.lid(port))
                .toArray();
        Subnet rest = new Subnet(subnet.fabric(), lids, new byte[lids.length], subnet.gidPrefix()).withTopLid(top);
        for (boolean isLast : new boolean[] {true, false}) {
            program(sketch(), Transition.FREE);
            PlanSketch next = sketch(rest);
            int other = lidOfHost(2);
            next.lfts[0][other] = otherCable(0, other);
            next.lfts[0][top - 1] = otherCable(0, top - 1);
            program(next, Transition.inSteps(NONE, at(0, other), NONE, isLast));
            List<SentMad> sets = blockSets();
            assertThat(sets).hasSize(10);
            int place = IntStream.range(0, sets.size())
                    .filter(i -> sets.get(i).modifier() == 0)
                    .findFirst()
                    .orElseThrow();
            assertThat(place)
                    .as("the late entry; before it block 1 of one switch or of all")
                    .isEqualTo(isLast ? 1 : 9);
            assertWritten(next);
        }
    }

    @Test
    void aSwitchThatDoesNotConfirmAStepPreventsTheNext() {
        int dropped = lidOfHost(1);
        PlanSketch next = sketch();
        next.lfts[0][dropped] = otherCable(0, dropped);
        next.lfts[3][dropped] = otherCable(3, dropped);
        lose(mad -> mad.isTo(subnet.fabric(), 0));
        program(next, Transition.inSteps(NONE, NONE, at(0, dropped), true));
        assertThat(errors.hasDeviations()).isTrue();
        assertThat(blockSets()).allMatch(each -> each.isTo(subnet.fabric(), 0));
        assertThat(sets(SwitchInfo.TYPE.id())).isEmpty();
        lose(mad -> false);
        program(next, Transition.inSteps(NONE, NONE, NONE, true));
        assertThat(sentMads)
                .as("the block in doubt is read first")
                .anyMatch(each -> each.isGet(LinearForwardingTable.TYPE.id()) && each.isTo(subnet.fabric(), 0));
        assertThat(errors.hasDeviations()).isFalse();
        assertWritten(next);
    }

    @Test
    void aSwitchThatIsGivenUpBeforeItsLastStepPreventsIt() {
        int late = lidOfHost(1);
        PlanSketch next = sketch();
        next.lfts[0][late] = otherCable(0, late);
        next.lfts[3][late] = otherCable(3, late);
        int[][] lates = at(0, late);
        lates[3] = new int[] {late};
        loseAllFromFirstArbitrationOn();
        program(next, Transition.inSteps(NONE, lates, NONE, true));
        assertThat(errors.hasDeviations()).isTrue();
        assertThat(blockSets()).isEmpty();
    }

    @Test
    void aSwitchThatIsGivenUpWithAllRoutesInPlacePreventsNothing() {
        int late = lidOfHost(1);
        PlanSketch next = sketch();
        next.lfts[3][late] = otherCable(3, late);
        loseAllFromFirstArbitrationOn();
        program(next, Transition.inSteps(NONE, at(3, late), NONE, true));
        assertThat(errors.hasGivenUp(0)).isTrue();
        assertThat(errors.hasDeviations()).isFalse();
        assertThat(blockSets()).hasSize(1);
        assertWritten(next);
    }

    @Test
    void aSwitchWhoseTablesCannotBeReadPreventsAllWrites() {
        for (boolean isQos : new boolean[] {true, false}) {
            settings = new SweepSettings(
                    subnet.gidPrefix(), 0, false, false, 0, 0, 0, 18, 18, LinkSettings.DEFAULT, isQos, 0, false);
            programmer.forgetAll();
            PlanSketch next = sketch();
            next.lfts[3][lidOfHost(1)] = otherCable(3, lidOfHost(1));
            lose(mad -> mad.isTo(subnet.fabric(), 0));
            program(next, Transition.FREE);
            assertThat(errors.hasDeviations()).isTrue();
            assertThat(blockSets()).isEmpty();
        }
    }

    @Test
    void aHostWhoseTablesCannotBeReadPreventsNoWrite() {
        programmer.forgetAll();
        PlanSketch next = sketch();
        next.lfts[3][lidOfHost(1)] = otherCable(3, lidOfHost(1));
        int firstHost = subnet.fabric().switchCount();
        lose(mad -> mad.isTo(subnet.fabric(), firstHost));
        program(next, Transition.FREE);
        assertThat(errors.hasGivenUp(firstHost)).isTrue();
        assertThat(errors.hasDeviations()).isFalse();
        assertWritten(next);
    }

    @Test
    void tablesThatWereReadInPartAreReadCompletelyOnce() {
        programmer.forgetAll();
        boolean[] isRead = {false};
        programmer
                .reading(subnet.topLid())
                .start(new HarnessContext(harness, errors), subnet, tables -> isRead[0] = true);
        assertThat(harness.loop.runUntil(() -> isRead[0], TimeUnit.MINUTES.toNanos(2)))
                .isTrue();
        program(sketch(), Transition.FREE);
        assertThat(sentMads).noneMatch(mad -> mad.isGet(LinearForwardingTable.TYPE.id()));
        assertThat(sentMads).anyMatch(mad -> mad.isGet(SlToVlMappingTable.TYPE.id()) && mad.isTo(subnet.fabric(), 0));
        program(sketch(), Transition.FREE);
        assertThat(sentMads).isEmpty();
    }

    /** All its ports are in INITIALIZE. Before its last write, its LinearFDBTop is lower than written. */
    @Test
    void aSwitchThatRestartsWhileItIsWrittenIsForgotten() {
        Fabric fabric = subnet.fabric();
        long restarted = fabric.nodeGuid(4);
        Fabric cold = fabric;
        for (int portNum = 0; portNum <= fabric.numPorts(4); portNum++) {
            int port = fabric.port(4, portNum);
            PortInfo info = Objects.requireNonNull(fabric.portInfo(port));
            cold = cold.with(port, info.with(PortInfo.PORT_STATE, PortInfo.STATE_INITIALIZE));
        }
        harness.changeResponse = mad -> {
            if (sentMads.get(sentMads.size() - 1).isGet(SwitchInfo.TYPE.id())) {
                SwitchInfo.LINEAR_FDB_TOP.set(mad, Smp.DATA_OFFSET, 0);
            }
        };
        program(sketch(subnet.with(cold)), Transition.FREE);
        List<SentMad> tops = sets(SwitchInfo.TYPE.id());
        assertThat(tops).hasSize(1);
        assertThat(tops.get(0).isTo(fabric, 4)).isTrue();
        assertThat(blockSets()).allMatch(mad -> mad.isTo(fabric, 4) && sentMads.indexOf(mad) > 0);
        assertThat(sentMads.indexOf(tops.get(0)))
                .isLessThan(sentMads.indexOf(blockSets().get(0)));
        assertThat(programmer.knowsAnyTable(restarted)).isFalse();
        assertThat(errors.hasDeviations()).isTrue();
    }
}
