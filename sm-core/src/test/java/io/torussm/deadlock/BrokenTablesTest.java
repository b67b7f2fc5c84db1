package io.torussm.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.routing.PlanSketch;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The faults of tables as the operator reads them, and tables that only look faulty. */
class BrokenTablesTest {
    private static final int HOST_PORT = 3;
    private static final int TAIL_PORT = 4;
    private static final int VL15 = 15;
    private static final int MAX_LIDS = 0xBFFF;

    private final DeadlockChecker checker = new DeadlockChecker(1);

    /**
     * The tables of a ring lead all packets to a switch beside it around the ring. A path is followed until it has more
     * hops than the fabric has switches, so it ends at switch 2. Max eight switches of the loop are named.
     */
    @ParameterizedTest
    @CsvSource({"3, '', '2 0 1'", "8, '', '2 3 4 5 6 7 0 1'", "9, 9, '3 4 5 6 7 8 0 1'", "11, 11, '5 6 7 8 9 10 0 1'"})
    void aLoopIsDescribedByTheSwitchesBeforeItsEnd(int switches, String count, String named) {
        PlanSketch plan = loopBesideTail(switches);
        Fabric fabric = plan.subnet().fabric();
        plan.masks = (from, to) -> to == switches ? 1 : 0;

        BrokenTables broken = (BrokenTables) checker.check(plan.plan(), TestRouting.QOS);

        assertThat(broken.kind()).isEqualTo(BrokenTables.TableFault.LOOP);
        String names = Stream.of(named.split(" "))
                .map(sw -> fabric.name(Integer.parseInt(sw)))
                .collect(Collectors.joining(", "));
        assertThat(broken.text())
                .endsWith("with SL 0 goes in circles through "
                        + (count.isEmpty() ? "" : count + " switches, among them ") + names);
    }

    @Test
    void aLoopThatNoPacketEntersIsNoFault() {
        PlanSketch plan = loopBesideTail(3);
        plan.masks = (from, to) -> 0;

        assertThat(checker.check(plan.plan(), TestRouting.QOS)).isInstanceOf(Certificate.class);
    }

    /** Returns a ring that leads packets to the last switch, which is attached to switch 0, around the ring. */
    private static PlanSketch loopBesideTail(int switches) {
        Sketch sketch = Sketch.ring(switches);
        int tail = sketch.addSwitch("tail", 1);
        sketch.link(0, TAIL_PORT, tail, 1);
        PlanSketch plan = new PlanSketch(Subnets.of(sketch.build()));
        int lid = plan.subnet().lid(plan.subnet().fabric().port(tail, 0));
        for (int sw = 0; sw < switches; sw++) {
            plan.lfts[sw][lid] = 1;
        }
        return plan;
    }

    /** Port 0 of another switch is an end port. A switch has no port above its last one. */
    @ParameterizedTest
    @CsvSource({"0, MISDELIVERY, another end port", "3, MISDELIVERY, another end port", "4, DEAD_END, nothing"})
    void theEndOfAPathAtAnotherSwitchIsNamed(int entry, BrokenTables.TableFault fault, String end) {
        PlanSketch plan = pair();
        plan.lfts[0][lidOfHost(plan, 1)] = (byte) entry;

        BrokenTables broken = (BrokenTables) checker.check(plan.plan(), TestRouting.QOS);

        assertThat(broken.kind()).isEqualTo(fault);
        assertThat(broken.text())
                .endsWith("stops at " + plan.subnet().fabric().name(0) + ", whose entry is port " + entry + ", where "
                        + end + " is");
    }

    /** The switches would discard SL 1 as well, but no path has it. */
    @Test
    void theSlThatASwitchDiscardsIsNamed() {
        PlanSketch plan = pair();
        plan.masks = (from, to) -> 0b100;
        plan.rows = (sw, in, out) -> discards(1) | discards(2);

        BrokenTables broken = (BrokenTables) checker.check(plan.plan(), TestRouting.QOS);

        assertThat(broken.sl()).isEqualTo(2);
    }

    /** A base port 0 has no VLs, so the row to it is not used. */
    @Test
    void onlyAnEnhancedPortZeroHasARow() {
        PlanSketch enhanced = pair();
        enhanced.rows = (sw, in, out) -> out == 0 ? discards(0) : 0;
        assertThat(checker.check(enhanced.plan(), TestRouting.QOS))
                .isInstanceOfSatisfying(BrokenTables.class, broken -> assertThat(broken.kind())
                        .isEqualTo(BrokenTables.TableFault.VL15));

        Fabric fabric = enhanced.subnet().fabric();
        FabricBuilder base = FabricBuilder.of(fabric);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            base.setSwitchInfo(fabric.nodeGuid(sw), SwitchInfo.TYPE.zero().with(SwitchInfo.LINEAR_FDB_CAP, MAX_LIDS));
        }
        PlanSketch plan = new PlanSketch(Subnets.of(base.build()));
        System.arraycopy(enhanced.lfts, 0, plan.lfts, 0, plan.lfts.length);
        plan.rows = enhanced.rows;
        assertThat(checker.check(plan.plan(), TestRouting.QOS)).isInstanceOf(Certificate.class);
    }

    @Test
    void aDestinationSwitchThatForwardsItsHostsPacketsToAnotherSwitchIsNamed() {
        PlanSketch plan = pair();
        plan.lfts[1][lidOfHost(plan, 1)] = 1;

        BrokenTables broken = (BrokenTables) checker.check(plan.plan(), TestRouting.QOS);

        assertThat(broken.kind()).isEqualTo(BrokenTables.TableFault.MISDELIVERY);
        assertThat(broken.text()).endsWith("whose entry is port 1, where another switch is");
    }

    /** Only paths to one LID have SL 1. */
    @Test
    void theSlThatASourceDiscardsIsNamed() {
        PlanSketch plan = pair();
        int last = plan.subnet().topLid();
        plan.masksByLid = (from, dlid) -> dlid == last ? 0b10 : 0b01;
        plan.sourceRows = endport -> discards(1);

        BrokenTables broken = (BrokenTables) checker.check(plan.plan(), TestRouting.QOS);

        assertThat(broken.kind()).isEqualTo(BrokenTables.TableFault.VL15);
        assertThat(broken.sl()).isEqualTo(1);
        assertThat(broken.dlid()).isEqualTo(last);
        assertThat(plan.subnet().fabric().isSwitch(plan.subnet().fabric().nodeOf(broken.sourcePort())))
                .isFalse();
    }

    /** Both SLs are possible between the switches, but each path has SL 0. */
    @Test
    void anSlThatNoPathHasMayBeDiscarded() {
        PlanSketch plan = pair();
        plan.masks = (from, to) -> 0b11;
        plan.sourceRows = endport -> discards(1);

        assertThat(checker.check(plan.plan(), TestRouting.QOS)).isInstanceOf(Certificate.class);
    }

    /** The SL2VL table of port 0 of a switch belongs to the switch, whose rows are checked hop by hop. */
    @Test
    void portZeroOfASwitchHasNoTableAsASource() {
        PlanSketch plan = pair();
        Fabric fabric = plan.subnet().fabric();
        plan.sourceRows = endport -> fabric.isSwitch(fabric.nodeOf(endport)) ? discards(0) : 0;

        assertThat(checker.check(plan.plan(), TestRouting.QOS)).isInstanceOf(Certificate.class);
    }

    /** Returns a row that maps one SL to VL15. */
    private static long discards(int sl) {
        int[] vls = new int[Channels.VLS];
        vls[sl] = VL15;
        return SlToVlMappingTable.pack(vls);
    }

    /** Returns two switches with a host each, and their tables. */
    private static PlanSketch pair() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("sw-0", HOST_PORT);
        sketch.addSwitch("sw-1", HOST_PORT);
        sketch.link(0, 1, 1, 1);
        sketch.addHost(0, HOST_PORT);
        sketch.addHost(1, HOST_PORT);
        PlanSketch plan = new PlanSketch(Subnets.of(sketch.build()));
        for (int lid = 1; lid <= plan.subnet().topLid(); lid++) {
            plan.lfts[1 - plan.subnet().switchOfLid(lid)][lid] = 1;
        }
        return plan;
    }

    private static int lidOfHost(PlanSketch plan, int sw) {
        Fabric fabric = plan.subnet().fabric();
        return plan.subnet().lid(fabric.peer(fabric.port(sw, HOST_PORT)));
    }
}
