package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.transition.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Blocks of forwarding tables in each step of a change. Three switches with 43 hosts each have LIDs 1 to 132, in three
 * blocks. Switch 0 has old entries; the tables of the others are those of the plan.
 */
class ForwardingStepsTest {
    private static final byte NO_PATH = (byte) 0xff;
    private static final int LIDS = 64;
    private static final int HOSTS = 43;
    private static final int[][] NONE = {{}, {}, {}};

    private final TorusSketch torus = TorusSketch.of(3, 1, 1, 1, HOSTS);
    private final Subnet subnet = torus.subnet().with(active(torus.subnet().fabric()));
    private final Fabric fabric = subnet.fabric();
    private final Plan plan = (Plan) new MinHopEngine().route(subnet, TestRouting.NO_QOS);
    private final byte[] planned = plan.lft(0);
    private final int lastPort = fabric.numPorts(0);
    private final DeviceTables[] tables = new DeviceTables[fabric.switchCount()];

    /** A plan without the last host, LID 132. */
    private final Plan fewer = (Plan) new MinHopEngine().route(withoutLast(subnet), TestRouting.NO_QOS);

    private static Subnet withoutLast(Subnet all) {
        int gone = all.portOfLid(all.topLid());
        int[] lids = IntStream.range(0, all.fabric().portCount())
                .map(port -> port == gone ? 0 : all.lid(port))
                .toArray();
        return new Subnet(all.fabric(), lids, new byte[lids.length], 0).withTopLid(all.topLid());
    }

    private static Fabric active(Fabric fabric) {
        Fabric active = fabric;
        for (int port = 0; port < fabric.portCount(); port++) {
            active = withState(active, port, PortInfo.STATE_ACTIVE);
        }
        return active;
    }

    private static Fabric withState(Fabric fabric, int port, int state) {
        PortInfo info = fabric.portInfo(port);
        return info == null ? fabric : fabric.with(port, info.with(PortInfo.PORT_STATE, state));
    }

    private static int[][] ofSwitch0(int... lids) {
        return new int[][] {lids, {}, {}};
    }

    /** Gives the switches the tables of the plan, but switch 0 some other entries. */
    private ForwardingSteps steps(Transition transition, int portNum, int... lids) {
        return steps(transition, plan, portNum, lids);
    }

    private ForwardingSteps steps(Transition transition, Plan target, int portNum, int... lids) {
        RowValues rows = new RowValues();
        for (int sw = 0; sw < tables.length; sw++) {
            byte[] held = Arrays.copyOf(plan.lft(sw), 4 * LIDS);
            Arrays.fill(held, plan.lft(sw).length, held.length, NO_PATH);
            for (int i = 0; sw == 0 && i < lids.length; i++) {
                held[lids[i]] = (byte) portNum;
            }
            tables[sw] = new DeviceTables(fabric.numPorts(sw), rows);
            for (int block = 0; block < held.length / LIDS; block++) {
                tables[sw].learnBlock(block, LinearForwardingTable.blockOf(held, block));
            }
            tables[sw].setTarget(target.lft(sw));
        }
        return new ForwardingSteps(transition, tables, target);
    }

    private static byte[] bytes(LinearForwardingTable block) {
        return block.toBytes();
    }

    private byte[] plannedBlock(int block) {
        return LinearForwardingTable.blockOf(planned, block).toBytes();
    }

    /** Checks whether the first block of switch 0 is urgent that leads a LID of another switch to a port. */
    private boolean isUrgent(int portNum) {
        return steps(Transition.FREE, portNum, subnet.lid(fabric.port(1, 0))).isUrgent(0, 0);
    }

    @Test
    void areUrgentWhereAnEntryLeadsToNoLink() {
        int unplugged = IntStream.rangeClosed(1, lastPort)
                .filter(portNum -> fabric.peer(fabric.port(0, portNum)) == Fabric.NONE)
                .findFirst()
                .orElseThrow();
        assertThat(isUrgent(unplugged)).isTrue();
        assertThat(isUrgent(lastPort + 1)).as("no such port").isTrue();
        assertThat(isUrgent(planned[subnet.lid(fabric.port(2, 0))]))
                .as("a cable")
                .isFalse();
        assertThat(isUrgent(0)).as("the switch itself").isFalse();
        assertThat(isUrgent(lastPort)).as("the last port, with a host").isFalse();
        assertThat(isUrgent(0xff)).as("no path").isFalse();
    }

    @Test
    void areUrgentForEntriesOfTheirOwnOnly() {
        ForwardingSteps steps = steps(Transition.FREE, lastPort + 1, LIDS, 2 * LIDS - 1);
        assertThat(steps.isUrgent(0, 0)).isFalse();
        assertThat(steps.isUrgent(0, 1)).isTrue();
        assertThat(steps.isUrgent(0, 2)).isFalse();
        assertThat(steps.isUrgent(1, 1)).isFalse();
    }

    @Test
    void haveInTheFirstStepEarlyAndDroppedEntriesAndElseOldOnes() {
        Transition transition =
                Transition.inSteps(ofSwitch0(LIDS, 66, 127, 128), ofSwitch0(68), ofSwitch0(3, 65, 129), true);
        int[] changing = {3, LIDS, 65, 66, 67, 68, 127, 128, 129};
        ForwardingSteps steps = steps(transition, lastPort, changing);
        byte[] expected = plannedBlock(1);
        expected[1] = NO_PATH;
        expected[3] = (byte) lastPort;
        expected[4] = (byte) lastPort;
        assertThat(bytes(steps.afterFirstStep(0, 1))).isEqualTo(expected);
        expected = plannedBlock(0);
        expected[3] = NO_PATH;
        assertThat(bytes(steps.afterFirstStep(0, 0))).isEqualTo(expected);
        assertThat(bytes(steps.afterFirstStep(1, 1)))
                .isEqualTo(LinearForwardingTable.blockOf(plan.lft(1), 1).toBytes());
    }

    @Test
    void haveInTheSecondStepNewEntriesButOldLateAndNoDroppedOnes() {
        Transition transition = Transition.inSteps(NONE, ofSwitch0(LIDS, 68), ofSwitch0(65, 66), true);
        ForwardingSteps steps = steps(transition, lastPort, LIDS, 65, 66, 67, 68, 128);
        byte[] expected = plannedBlock(1);
        expected[0] = (byte) lastPort;
        expected[1] = NO_PATH;
        expected[2] = NO_PATH;
        expected[4] = (byte) lastPort;
        assertThat(bytes(steps.afterSecondStep(0, 1))).isEqualTo(expected);
        assertThat(bytes(steps.afterSecondStep(0, 2))).isEqualTo(plannedBlock(2));
        assertThat(bytes(steps.afterLastStep(0, 1))).isEqualTo(plannedBlock(1));
    }

    @Test
    void areWrittenFirstUpToTheLastEarlyOrDroppedEntry() {
        ForwardingSteps early = steps(Transition.inSteps(ofSwitch0(3, LIDS), NONE, ofSwitch0(4), true), 1);
        assertThat(early.firstBlocks()).isEqualTo(2);
        assertThat(early.isInFirstStep(0)).isTrue();
        assertThat(early.isInFirstStep(1)).isFalse();
        ForwardingSteps dropped = steps(Transition.inSteps(NONE, ofSwitch0(131), ofSwitch0(LIDS - 1), true), 1);
        assertThat(dropped.firstBlocks()).isEqualTo(1);
        assertThat(dropped.isInFirstStep(0)).isTrue();
        ForwardingSteps late = steps(Transition.inSteps(NONE, ofSwitch0(131), NONE, true), 1);
        assertThat(late.firstBlocks()).isZero();
        assertThat(late.isInFirstStep(0)).isFalse();
    }

    private boolean isReroutedFirst(int portNum, int changed, int[][] early, int[][] dropped) {
        return steps(Transition.inSteps(early, NONE, dropped, true), portNum, changed)
                .isTrafficReroutedFirst();
    }

    @Test
    void rerouteTrafficFirstIfAnEarlyOrDroppedEntryForwardedPackets() {
        assertThat(isReroutedFirst(1, 66, ofSwitch0(66), NONE)).isTrue();
        assertThat(isReroutedFirst(1, 66, NONE, ofSwitch0(66))).isTrue();
        assertThat(isReroutedFirst(lastPort, 66, NONE, ofSwitch0(66))).isTrue();
        assertThat(isReroutedFirst(0, 66, NONE, ofSwitch0(66))).isTrue();
        assertThat(isReroutedFirst(1, 67, ofSwitch0(66), ofSwitch0(68)))
                .as("an entry of the second step changes")
                .isFalse();
        assertThat(isReroutedFirst(0xff, 66, NONE, ofSwitch0(66))).as("no path").isFalse();
        assertThat(isReroutedFirst(lastPort + 1, 66, NONE, ofSwitch0(66)))
                .as("no such port")
                .isFalse();
    }

    @Test
    void rerouteNoTrafficThroughAPortThatCarriesNone() {
        Subnet partly = subnet.with(withState(fabric, fabric.port(0, lastPort), PortInfo.STATE_INITIALIZE));
        Plan onPart = (Plan) new MinHopEngine().route(partly, TestRouting.NO_QOS);
        Transition transition = Transition.inSteps(NONE, NONE, ofSwitch0(66), true);
        assertThat(steps(transition, onPart, lastPort, 66).isTrafficReroutedFirst())
                .isFalse();
        assertThat(steps(transition, onPart, lastPort, 67).isTrafficRerouted()).isFalse();
    }

    /** A LID above those of the plan is gone: its entry leads nowhere in the new tables. */
    @Test
    void rerouteTrafficFirstIfTheDroppedEntryIsOfALidAboveThePlan() {
        for (int above : new int[] {planned.length, 200}) {
            Transition transition = Transition.inSteps(NONE, NONE, ofSwitch0(above), true);
            assertThat(steps(transition, 1, 66, above).isTrafficReroutedFirst()).isTrue();
            assertThat(steps(transition, 0xff, 66, above).isTrafficReroutedFirst())
                    .isFalse();
        }
    }

    @Test
    void rerouteTrafficThenIfAnyOtherEntryForwardedPackets() {
        Transition transition = Transition.inSteps(NONE, ofSwitch0(66), ofSwitch0(70), true);
        assertThat(steps(transition, 1, 67).isTrafficRerouted()).isTrue();
        assertThat(steps(transition, 1, 66).isTrafficRerouted()).as("late").isFalse();
        assertThat(steps(transition, 1, 70).isTrafficRerouted()).as("dropped").isFalse();
        assertThat(steps(transition, 0xff, 67).isTrafficRerouted())
                .as("no path")
                .isFalse();
        assertThat(steps(transition, 1).isTrafficRerouted()).as("no change").isFalse();
        int[][] first = ofSwitch0(66);
        assertThat(steps(Transition.inSteps(NONE, first, NONE, true), 1, 66).isTrafficRerouted())
                .as("the first of the late ones")
                .isFalse();
    }

    /** Checks whether a block differs only in LIDs that vanish. Switch 0 forwards some of these to its last port. */
    private boolean isAnyGoneOnly(int block, int... changed) {
        return steps(Transition.FREE, fewer, lastPort, changed).differsOnlyInVanishedLids(0, block);
    }

    @Test
    void differInVanishedLidsOnlyIfNoOtherEntryChanges() {
        assertThat(isAnyGoneOnly(2, 132)).isTrue();
        assertThat(isAnyGoneOnly(1, 132)).as("another block").isFalse();
        assertThat(isAnyGoneOnly(2, 132, 66)).as("a change in another block").isTrue();
        assertThat(isAnyGoneOnly(2, 132, 128)).as("a host remains").isFalse();
        assertThat(isAnyGoneOnly(1, LIDS)).as("a host remains").isFalse();
    }

    @Test
    void differInNoVanishedLidIfTheyAreUnknownOrAsPlanned() {
        ForwardingSteps steps = steps(Transition.FREE, 1);
        assertThat(steps.differsOnlyInVanishedLids(0, 0)).isFalse();
        assertThat(isAnyGoneOnly(2, 132)).isTrue();
        tables[0].invalidateBlock(2);
        assertThat(new ForwardingSteps(Transition.FREE, tables, fewer).differsOnlyInVanishedLids(0, 2))
                .isFalse();
    }
}
