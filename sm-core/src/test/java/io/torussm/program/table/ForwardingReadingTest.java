package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The reading of forwarding tables of nine switches with eight hosts each, which another SM programmed: LIDs 1 to 81.
 */
class ForwardingReadingTest {
    private static final int SWITCH = 4;
    private static final byte NO_PATH = (byte) 0xff;

    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=8");
    private final TableProgrammer programmer = new TableProgrammer(
            plan -> {
                throw new AssertionError("nothing is written");
            },
            Runnable::run);
    private final List<byte[]> sentMads = new ArrayList<>();
    private final Subnet subnet;
    private final Fabric fabric;

    ForwardingReadingTest() {
        harness.sweep();
        harness.sweep();
        subnet = harness.publishedView().subnet();
        fabric = subnet.fabric();
        harness.isRequestLost = mad -> {
            sentMads.add(mad.clone());
            return false;
        };
    }

    private byte[] @Nullable [] read(Subnet current, int topLid) {
        sentMads.clear();
        List<byte[] @Nullable []> done = new ArrayList<>();
        programmer.reading(topLid).start(new HarnessContext(harness, new ProgrammingErrors()), current, done::add);
        assertThat(harness.loop.runUntil(() -> !done.isEmpty(), TimeUnit.MINUTES.toNanos(2)))
                .isTrue();
        return done.get(0);
    }

    private byte[] expected(int sw, int lids) {
        byte[] lft = Arrays.copyOf(harness.publishedView().plan().lft(sw), lids);
        Arrays.fill(lft, subnet.topLid() + 1, lids, NO_PATH);
        return lft;
    }

    private Subnet with(int sw, int portState) {
        Fabric changed = fabric;
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            int port = fabric.port(sw, portNum);
            PortInfo info = Objects.requireNonNull(fabric.portInfo(port));
            changed = changed.with(port, info.with(PortInfo.PORT_STATE, portState));
        }
        return subnet.with(changed);
    }

    private Subnet withTop(int sw, int linearFdbTop) {
        @Nullable SwitchInfo[] infos = new SwitchInfo[9];
        infos[sw] = Objects.requireNonNull(fabric.node(sw).switchInfo()).with(SwitchInfo.LINEAR_FDB_TOP, linearFdbTop);
        return subnet.with(fabric.with(infos));
    }

    @Test
    void eachUnknownBlockUpToLinearFdbTopIsReadOnce() {
        int lids = 300;
        byte[] @Nullable [] tables = read(subnet, lids - 1);
        assertThat(sentMads)
                .hasSize(2 * 9)
                .allMatch(mad -> MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id());
        for (int sw = 0; sw < 9; sw++) {
            assertThat(tables[sw]).isEqualTo(expected(sw, lids));
            assertThat(programmer.knowsAnyTable(fabric.nodeGuid(sw))).isTrue();
        }
        tables = read(subnet, 0);
        assertThat(sentMads).isEmpty();
        assertThat(tables[SWITCH]).isEqualTo(expected(SWITCH, subnet.topLid() + 1));
    }

    @Test
    void aSwitchWithoutTrafficIsNotRead() {
        byte[] @Nullable [] tables = read(with(SWITCH, PortInfo.STATE_INITIALIZE), 0);
        assertThat(sentMads).hasSize(2 * 8);
        assertThat(tables[SWITCH]).isNull();
        assertThat(tables[SWITCH + 1]).isEqualTo(expected(SWITCH + 1, subnet.topLid() + 1));
        assertThat(programmer.knowsAnyTable(fabric.nodeGuid(SWITCH))).isFalse();
    }

    @Test
    void entriesAboveLinearFdbTopAreNoPaths() {
        byte[] lft = expected(SWITCH, subnet.topLid() + 1);
        Arrays.fill(lft, 71, lft.length, NO_PATH);
        assertThat(read(withTop(SWITCH, 70), 0)[SWITCH]).isEqualTo(lft);
        assertThat(sentMads).hasSize(2 * 9);
        programmer.forgetAll();
        Arrays.fill(lft, 64, lft.length, NO_PATH);
        assertThat(read(withTop(SWITCH, 63), 0)[SWITCH]).isEqualTo(lft);
        assertThat(sentMads).as("one block of this switch").hasSize(2 * 9 - 1);
        programmer.forgetAll();
        lft[64] = expected(SWITCH, subnet.topLid() + 1)[64];
        assertThat(read(withTop(SWITCH, 64), 0)[SWITCH]).isEqualTo(lft);
    }

    @Test
    void aSwitchWithAnUnreadBlockHasNoTable() {
        harness.isRequestLost = mad ->
                Objects.equals(Smp.path(mad), fabric.node(SWITCH).path()) && MadHeader.attributeModifier(mad) == 1;
        byte[] @Nullable [] tables = read(subnet, 0);
        assertThat(tables[SWITCH]).isNull();
        assertThat(tables[0]).isEqualTo(expected(0, subnet.topLid() + 1));
        harness.isRequestLost = mad -> {
            sentMads.add(mad.clone());
            return false;
        };
        assertThat(read(subnet, 0)[SWITCH]).isEqualTo(expected(SWITCH, subnet.topLid() + 1));
        assertThat(sentMads).as("the lost block").hasSize(1);
    }

    /** Returns the fabric without a switch and its hosts. */
    private Fabric without(Fabric whole, int sw) {
        FabricBuilder rest = FabricBuilder.of(whole);
        for (int portNum = 1; portNum <= whole.numPorts(sw); portNum++) {
            rest.unlink(whole.nodeGuid(sw), portNum);
        }
        rest.retrace();
        return rest.build();
    }

    private Map<Integer, byte[]> stale(Fabric current) {
        return programmer.staleTables(harness.publishedView().plan(), current);
    }

    @Test
    void aLostSwitchForwardsByItsTableWhileALinkToItCarriesData() {
        Plan plan = harness.publishedView().plan();
        assertThat(stale(fabric)).isEmpty();
        Fabric rest = without(fabric, SWITCH);
        assertThat(stale(rest)).containsOnlyKeys(SWITCH);
        assertThat(stale(rest).get(SWITCH)).as("an unknown table").isSameAs(plan.lft(SWITCH));
        read(subnet, 0);
        assertThat(stale(rest).get(SWITCH)).isNotSameAs(plan.lft(SWITCH)).isEqualTo(plan.lft(SWITCH));
        assertThat(programmer.held(fabric, SWITCH)).isNotNull();
        Fabric down = rest;
        for (int port = 0; port < rest.portCount(); port++) {
            PortInfo info = rest.portInfo(port);
            if (info != null && rest.peer(port) == Fabric.NONE) {
                down = down.with(port, info.with(PortInfo.PORT_STATE, PortInfo.STATE_INITIALIZE));
            }
        }
        assertThat(stale(down)).as("its neighbours have no link").isEmpty();
    }

    /** Returns a fabric in which a port of the first switch carries data. */
    private static Fabric activated(Fabric fabric, int portNum) {
        int port = fabric.port(0, portNum);
        PortInfo info = Objects.requireNonNull(fabric.portInfo(port));
        return fabric.with(port, info.with(PortInfo.PORT_STATE, PortInfo.STATE_ACTIVE));
    }

    /** The link to a lost host may carry data, but a host forwards nothing. */
    @Test
    void aLostHostHasNoTable() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("left", 4);
        sketch.addHost(0, 1);
        Fabric pair = sketch.build();
        Fabric active = activated(pair, 1);
        Plan plan = (Plan) new MinHopEngine().route(Subnets.of(active), TestRouting.QOS);
        FabricBuilder rest = FabricBuilder.of(active);
        rest.unlink(active.nodeGuid(0), 1);
        rest.retrace();
        Fabric left = rest.build();
        assertThat(left.nodeByGuid(active.nodeGuid(1))).isEqualTo(Fabric.NONE);
        assertThat(programmer.staleTables(plan, left)).isEmpty();
    }

    /** Two switches of four ports, which the last port of both connects. */
    @Test
    void theLastPortOfASwitchIsALinkLikeTheOthers() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("left", 4);
        sketch.addSwitch("lost", 4);
        sketch.link(0, 4, 1, 4);
        sketch.addHost(0, 1);
        Fabric pair = sketch.build();
        Fabric active = activated(pair, 4);
        Plan plan = (Plan) new MinHopEngine().route(Subnets.of(active), TestRouting.QOS);
        FabricBuilder rest = FabricBuilder.of(active);
        rest.unlink(active.nodeGuid(0), 4);
        rest.retrace();
        assertThat(programmer.staleTables(plan, rest.build())).containsOnlyKeys(1);
    }

    @Test
    void aSwitchThatIsForgottenIsUnknown() {
        read(subnet, 0);
        SwitchInfo info = Objects.requireNonNull(fabric.node(SWITCH).switchInfo());
        long guid = fabric.nodeGuid(SWITCH);
        SwitchInfo lower = info.with(SwitchInfo.LINEAR_FDB_TOP, 1);
        assertThat(programmer.isAsProgrammed(guid, info)).isTrue();
        assertThat(programmer.isAsProgrammed(guid, lower)).isFalse();
        assertThat(programmer.held(withTop(SWITCH, 1).fabric(), SWITCH)).isNull();
        programmer.forget(guid);
        assertThat(programmer.knowsAnyTable(guid)).isFalse();
        assertThat(programmer.knowsAnyTable(fabric.nodeGuid(0))).isTrue();
        assertThat(programmer.isAsProgrammed(guid, lower))
                .as("an unknown switch")
                .isTrue();
        programmer.forgetAll();
        assertThat(programmer.knowsAnyTable(fabric.nodeGuid(0))).isFalse();
    }
}
