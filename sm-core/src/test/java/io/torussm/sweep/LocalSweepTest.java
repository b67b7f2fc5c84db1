package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The reaction of the SM to a trap: as few requests as the change needs, with the result of a whole sweep.
 */
class LocalSweepTest extends LocalSweepCase {
    /** A port of sw-1-1-0, to sw-1-2-0: no packet between these and the SM takes that cable. */
    private static final int OFF_THE_WAY = 3;

    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(100);

    @Test
    void aLostCableIsReadAtItsTwoEndsOnly() {
        harness.sweep();
        int sw = fabric(harness).nodeByGuid(guid("sw-1-1-0"));
        harness.requests.clear();
        harness.fabric.unlink(fabric(harness).nodeGuid(sw), OFF_THE_WAY);
        settle(harness);
        assertThat(harness.ends).containsExactly("up", "up");
        assertThat(fabric(harness).peer(fabric(harness).port(sw, OFF_THE_WAY))).isEqualTo(Fabric.NONE);
        assertThat(takeRoutes(Method.GET, NodeInfo.TYPE.id()))
                .as("each end by two routes")
                .hasSize(4);
        assertThat(takeRoutes(Method.GET, SwitchInfo.TYPE.id())).hasSize(2);
        assertThat(takeRoutes(Method.GET, PortInfo.TYPE.id())).hasSize(2);
        SweeperTest.assertHeld(harness);
        assertThat(harness.lastReport().reactionNs()).as("counts from the trap").isNotNegative();
        assertIsAsAWholeSweepSeesIt(harness);
        assertThat(harness.lastReport().reactionNs())
                .as("of a sweep without a report")
                .isNegative();
    }

    /** A port without a LID also reports changes, for instance that of a switch that is just coming up. */
    @Test
    void theReportOfAStrangerIsNotTheFirstOfALaterChange() {
        harness.sweep();
        harness.sweeper.sweepNeighbourhood(0);
        settle(harness);
        harness.fabric.unlink(guid("sw-1-1-0"), OFF_THE_WAY);
        harness.sweeper.sweepNeighbourhood(lid(guid("sw-1-1-0")));
        harness.sweeper.sweepNeighbourhood(0);
        settle(harness);
        assertThat(harness.lastReport().reactionNs())
                .as("nothing of the stranger")
                .isBetween(0L, SHORT_NS);

        harness.fabric.relink(guid("sw-1-1-0"), OFF_THE_WAY);
        settle(harness);
        assertThat(harness.ends).containsExactly("up", "up", "up");
        assertThat(harness.lastReport().reactionNs())
                .as("nor of the one while it swept")
                .isBetween(0L, SHORT_NS);
    }

    @Test
    void aCableThatIsBackIsUsedAgain() {
        harness.sweep();
        List<Object> before = Devices.snapshot(harness);
        harness.fabric.unlink(guid("sw-1-1-0"), 1);
        settle(harness);
        harness.fabric.relink(guid("sw-1-1-0"), 1);
        settle(harness);
        assertThat(Devices.snapshot(harness)).isEqualTo(before);
        SweeperTest.assertHeld(harness);
        assertIsAsAWholeSweepSeesIt(harness);
    }

    @Test
    void aSwitchWithoutPowerIsExcludedAndProgrammedAgainWhenItReturns() {
        harness.sweep();
        List<Object> before = Devices.snapshot(harness);
        harness.fabric.failSwitch(guid("sw-2-1-0"));
        settle(harness);
        assertThat(fabric(harness).nodeByGuid(guid("sw-2-1-0"))).isEqualTo(Fabric.NONE);
        assertThat(fabric(harness).nodeByGuid(guid("host-2-1-0-1"))).isEqualTo(Fabric.NONE);
        SweeperTest.assertHeld(harness);
        harness.fabric.restoreSwitch(guid("sw-2-1-0"));
        settle(harness);
        SweeperTest.assertHeld(harness);
        assertThat(Devices.snapshot(harness)).isEqualTo(before);
    }

    /** No port needs these entries, and they may be more than all others. */
    @Test
    void entriesOfALostSwitchAreClearedLast() {
        SweepHarness torus = new SweepHarness("torus:9x6x1,hosts=4");
        torus.sweep();
        Plan before = torus.publishedView().plan();
        torus.requests.clear();
        torus.fabric.failSwitch(before.subnet().fabric().nodeGuid(20));
        settle(torus);
        List<Boolean> isOfGone = torus.requests.stream()
                .filter(mad -> MadHeader.method(mad) == Method.SET
                        && MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id())
                .map(mad ->
                        changesOnlyAbsentLids(mad, before, torus.publishedView().subnet()))
                .toList();
        assertThat(isOfGone).contains(true, false).isSorted();
        SweeperTest.assertHeld(torus);
    }

    /** Checks whether a block is changed only in LIDs that no port has any more. */
    private static boolean changesOnlyAbsentLids(byte[] mad, Plan before, Subnet now) {
        Fabric fabric = now.fabric();
        DrPath path = Objects.requireNonNull(Smp.path(mad));
        int sw = IntStream.range(0, fabric.switchCount())
                .filter(each -> fabric.node(each).path().equals(path))
                .findFirst()
                .orElseThrow();
        byte[] held = before.lft(before.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw)));
        int block = (int) MadHeader.ATTRIBUTE_MODIFIER.get(mad, 0);
        LinearForwardingTable written = LinearForwardingTable.TYPE.read(mad, Smp.DATA_OFFSET);
        return IntStream.range(0, LinearForwardingTable.LIDS_PER_BLOCK)
                .filter(i -> now.switchOfLid(block * LinearForwardingTable.LIDS_PER_BLOCK + i) != Fabric.NONE)
                .allMatch(i -> (byte) written.port(i) == held[block * LinearForwardingTable.LIDS_PER_BLOCK + i]);
    }

    /** Ten times a second for a minute. */
    @Test
    void aFlappingLinkCostsFewSweepsAndIsRightInTheEnd() {
        harness.sweep();
        long guid = guid("sw-1-1-0");
        for (int i = 0; i < 300; i++) {
            harness.fabric.unlink(guid, 1);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(100));
            harness.fabric.relink(guid, 1);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(100));
        }
        assertThat(harness.ends.size()).isBetween(5, 60);
        harness.fabric.unlink(guid, 1);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(11));
        assertThat(fabric(harness).peer(fabric(harness).port(fabric(harness).nodeByGuid(guid), 1)))
                .isEqualTo(Fabric.NONE);
        SweeperTest.assertHeld(harness);
    }

    /** The path to a switch that reports a change may be the lost one. */
    @Test
    void theFarEndOfALostCableIsAskedByAnotherWay() {
        harness.sweep();
        Fabric fabric = fabric(harness);
        int own = fabric.nodeOf(fabric.peer(fabric.localPort()));
        int far = fabric.nodeOf(fabric.peer(fabric.port(own, 1)));
        DrPath old = fabric.node(far).path();
        assertThat(old.hops()).isEqualTo(2);
        harness.requests.clear();
        harness.fabric.unlink(fabric.nodeGuid(own), 1);
        settle(harness);
        assertThat(takeRoutes(Method.GET, NodeInfo.TYPE.id()))
                .as("the near end, and the far one by two routes")
                .hasSize(3);
        assertThat(fabric(harness).node(far).path().hops()).isEqualTo(4);
        SweeperTest.assertHeld(harness);
    }

    @Test
    void aMovedSwitchIsSearchedInTheWholeFabric() {
        harness.sweep();
        long silent = guid("sw-2-1-0");
        String route = String.valueOf(
                fabric(harness).node(fabric(harness).nodeByGuid(silent)).path());
        boolean[] isDeaf = {true};
        harness.isRequestLost = mad -> {
            boolean isLost = isDeaf[0]
                    && MadHeader.attributeId(mad) == NodeInfo.TYPE.id()
                    && String.valueOf(Smp.path(mad)).equals(route);
            return isLost;
        };
        harness.changeResponse = mad -> isDeaf[0] = harness.ends.size() < 2 && isDeaf[0];
        harness.sweeper.sweepNeighbourhood(harness.publishedView()
                .subnet()
                .lid(fabric(harness).port(fabric(harness).nodeByGuid(silent), 0)));
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        isDeaf[0] = false;
        harness.await(2);
        assertThat(harness.ends).containsExactly("up", "up");
        assertThat(takeRoutes(Method.GET, NodeInfo.TYPE.id())).hasSizeGreaterThan(12);
    }

    /** A silent switch with a LID of another SM may send traps without end. */
    @Test
    void aTrapOfAnUnknownLidCausesNoSweepUnlessASwitchHasChanged() {
        harness.sweep();
        harness.awaitRest();
        harness.sweeper.sweepNeighbourhood(0xbeef);
        harness.awaitRest();
        assertThat(harness.ends).hasSize(1);

        harness.fabric.unlink(guid("sw-2-1-0"), 1);
        harness.sweeper.sweepNeighbourhood(0xbeef);
        harness.awaitRest();
        assertThat(harness.ends).hasSize(2);
    }
}
