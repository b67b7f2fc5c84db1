package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.sim.model.FaultPlan;
import org.junit.jupiter.api.Test;

/** The tables that an SM reads at a takeover before the SA answers, and those it reads later. */
class TakeoverReadingTest {
    private static final int[] TABLES = {
        LinearForwardingTable.TYPE.id(),
        SlToVlMappingTable.TYPE.id(),
        VlArbitrationTable.TYPE.id(),
        MulticastForwardingTable.TYPE.id()
    };

    /** The number of times a request is sent. */
    private static final int TRIES = 7;

    private final SweepHarness harness = new SweepHarness("torus:3x3x1");

    private long gets(int attributeId) {
        return harness.requests.stream()
                .filter(mad -> MadHeader.method(mad) == Method.GET && MadHeader.attributeId(mad) == attributeId)
                .count();
    }

    @Test
    void tablesWithoutEffectOnRoutesAreReadAfterThePublication() {
        harness.sweep();
        harness.restart();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(gets(VlArbitrationTable.TYPE.id())).isZero();
        assertThat(gets(MulticastForwardingTable.TYPE.id()))
                .as("a block of each switch: whether there are groups of another SM, and before they are written")
                .isEqualTo(2 * 9);
        assertThat(gets(SlToVlMappingTable.TYPE.id()))
                .as("each row is read once")
                .isEqualTo(harness.requests.stream()
                        .filter(mad -> MadHeader.attributeId(mad) == SlToVlMappingTable.TYPE.id())
                        .map(mad -> Smp.path(mad) + " " + MadHeader.attributeModifier(mad))
                        .distinct()
                        .count());
        harness.awaitRest();
        assertThat(gets(VlArbitrationTable.TYPE.id())).isPositive();
        for (int table : TABLES) {
            assertThat(harness.countSets(table)).as("all is as it should be").isZero();
        }
    }

    @Test
    void tablesOfTheFormerSmAreReplacedLater() {
        VlArbitrationPolicy good = harness.vlArbitration;
        VlArbitrationTable none = VlArbitrationTable.TYPE.zero();
        harness.vlArbitration =
                (portClass, lowCap, highCap, vls) -> new VlArbitrationPolicy.Tables(none, none, none, none, 9);
        harness.sweep();
        harness.vlArbitration = good;
        harness.restart();
        harness.sweep();
        assertThat(harness.countSets(VlArbitrationTable.TYPE.id())).isZero();
        harness.awaitRest();
        Fabric fabric = harness.publishedView().subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) != Fabric.NONE) {
                assertThat(harness.fabric.vlArbitration(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port), 1))
                        .isNotEqualTo(none);
            }
        }
    }

    /** OpenSM writes pairs without weight, and VLs that are not used on links to hosts. */
    @Test
    void equivalentArbitrationTablesOfTheFormerSmStay() {
        VlArbitrationTable its = arbitration(0, 0, 1, 4, 2, 4, 7, 4, 0, 4);
        VlArbitrationTable same = arbitration(1, 4, 0, 4);
        VlArbitrationTable other = arbitration(0, 4, 1, 4);
        harness.vlArbitration = only(its);
        harness.sweep();
        harness.vlArbitration = only(same);
        harness.restart();
        harness.sweep();
        harness.awaitRest();
        assertThat(harness.countSets(VlArbitrationTable.TYPE.id())).isZero();
        harness.vlArbitration = only(other);
        harness.restart();
        harness.sweep();
        harness.awaitRest();
        assertThat(harness.countSets(VlArbitrationTable.TYPE.id()))
                .as("another order")
                .isPositive();
    }

    private static VlArbitrationPolicy only(VlArbitrationTable low) {
        VlArbitrationTable none = VlArbitrationTable.TYPE.zero();
        return (portClass, lowCap, highCap, vls) -> new VlArbitrationPolicy.Tables(low, none, none, none, 0);
    }

    private static VlArbitrationTable arbitration(int... vlsAndWeights) {
        byte[] bytes = new byte[2 * VlArbitrationTable.ENTRIES_PER_PART];
        for (int i = 0; i < vlsAndWeights.length; i++) {
            bytes[i] = (byte) vlsAndWeights[i];
        }
        return VlArbitrationTable.TYPE.read(bytes, 0);
    }

    /**
     * A switch stops responding once it is discovered, so that its tables are unknown. The next sweep reads
     * them, and nothing is written to any device before.
     */
    @Test
    void aSwitchThatCouldNotBeReadIsReadByTheNextSweep() {
        harness.sweep();
        harness.restart();
        String route = routeOfFarSwitch();
        harness.isRequestLost =
                mad -> String.valueOf(Smp.path(mad)).equals(route) && gets(LinearForwardingTable.TYPE.id()) > 0;
        assertThat(harness.sweep()).contains("tables are not in place at 1 of 9 switches");
        for (int table : TABLES) {
            assertThat(harness.countSets(table)).isZero();
        }
        harness.isRequestLost = mad -> false;
        harness.awaitRest();
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(gets(LinearForwardingTable.TYPE.id()))
                .as("a block of each switch, and what was lost")
                .isEqualTo(9 + TRIES);
        for (int table : TABLES) {
            assertThat(harness.countSets(table)).as("all is as it should be").isZero();
        }
    }

    /** Some packets are lost: missing tables are read once more before they are needed. */
    @Test
    void tablesThatOneReadingLostAreReadByTheNext() {
        harness.sweep();
        harness.restart();
        String route = routeOfFarSwitch();
        int[] lost = {0};
        harness.isRequestLost = mad -> String.valueOf(Smp.path(mad)).equals(route)
                && MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id()
                && lost[0]++ < TRIES;
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(gets(LinearForwardingTable.TYPE.id())).isEqualTo(9 + TRIES);
        assertThat(harness.countSets(LinearForwardingTable.TYPE.id())).isZero();
    }

    private String routeOfFarSwitch() {
        SweepHarness other = new SweepHarness(harness.topology, FaultPlan.NONE);
        other.sweep();
        Fabric fabric = other.publishedView().subnet().fabric();
        return fabric.node(8).path().toString();
    }
}
