package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.program.smp.SweepSettings;
import io.torussm.program.table.PortClasses;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole sweeps, reroutes and restarts: the contents of devices, the order of writes, and what is not written. The
 * default torus ({@code torus:XxYxZ}) has one host at each switch. Engine and VL arbitration are those of {@link
 * SweepHarness}.
 */
class SweeperTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    @Test
    void devicesHoldThePlanWhenTheSubnetIsUp() {
        SweepHarness harness = new SweepHarness("torus:3x3x2,hosts=2");
        assertThat(harness.sweep()).isEqualTo("up");
        assertHeld(harness);
    }

    @Test
    void readersPrepareForAViewBeforeItIsPublished() {
        SweepHarness harness = new SweepHarness("torus:3x3x2,hosts=2");
        List<PublishedView> preparedViews = new ArrayList<>();
        harness.onPrepare = next -> {
            assertThat(harness.sweeper.view()).isNotSameAs(next);
            preparedViews.add(next);
        };
        harness.sweep();
        PublishedView first = harness.publishedView();
        harness.sweep();
        assertThat(preparedViews).containsExactly(first, harness.publishedView());
        assertThat(harness.sweeper.view()).isSameAs(harness.publishedView());
    }

    /**
     * If equal attributes were new objects, histories, checkpoints of the recorder and precomputed plans would keep
     * earlier fabrics in memory.
     */
    @Test
    void anUnchangedFabricReadAgainTakesNoMoreMemory() {
        SweepHarness harness = new SweepHarness("torus:3x3x2,hosts=2");
        harness.sweep();
        harness.sweep();
        Fabric before = harness.publishedView().subnet().fabric();
        harness.sweep();
        Fabric again = harness.publishedView().subnet().fabric();
        assertThat(again).isNotSameAs(before);
        for (int node = 0; node < again.nodeCount(); node++) {
            assertThat(again.node(node)).isSameAs(before.node(node));
        }
        for (int port = 0; port < again.portCount(); port++) {
            assertThat(again.portInfo(port)).isSameAs(before.portInfo(port));
        }
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void convergesThoughSmpsAreLostDoubledAndLate(long seed) {
        FaultPlan faults = new FaultPlan(seed, 0.1, 0.1, 1000, 50_000_000);
        SweepHarness harness =
                new SweepHarness(TorusSpec.parse("torus:3x3x1,hosts=1").topology(), faults);
        for (int sweeps = 0; sweeps < 20 && harness.view == null; sweeps++) {
            harness.sweep();
        }
        assertHeld(harness);
    }

    static void assertHeld(SweepHarness harness) {
        PublishedView view = harness.publishedView();
        Plan plan = view.plan();
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            long guid = fabric.nodeGuid(sw);
            assertThat(Arrays.copyOf(harness.fabric.lft(guid), plan.lft(sw).length))
                    .isEqualTo(plan.lft(sw));
            assertThat(harness.fabric.switchInfo(guid).linearFdbTop()).isEqualTo(subnet.topLid());
            for (int out = 0; out <= fabric.numPorts(sw); out++) {
                int port = fabric.port(sw, out);
                if (out > 0 && fabric.peer(port) == Fabric.NONE) {
                    continue;
                }
                for (int in = 0; in <= fabric.numPorts(sw); in++) {
                    assertThat(harness.fabric.sl2vl(guid, in, out))
                            .isEqualTo(LinkSettings.foldRow(plan.sl2vl(sw, in, out), 4))
                            .isEqualTo(view.qosTables().row(sw, in, out));
                }
                assertThat(harness.fabric.vlArbitration(guid, out, 1))
                        .isEqualTo(SweepHarness.arbitration(PortClasses.of(plan, port), 8, 8, 4)
                                .low0())
                        .isEqualTo(view.qosTables().arbitration(sw, out, 1));
            }
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            if (subnet.lid(port) != 0) {
                PortInfo portInfo = Devices.portInfo(harness, fabric, port);
                assertThat(portInfo.lid()).isEqualTo(subnet.lid(port));
                assertThat(portInfo.masterSmLid()).isEqualTo(subnet.smLid());
            }
            if (fabric.peer(port) != Fabric.NONE) {
                PortInfo portInfo = Devices.portInfo(harness, fabric, port);
                assertThat(portInfo.portState()).isEqualTo(PortInfo.STATE_ACTIVE);
                assertThat(portInfo.get(PortInfo.VL_HIGH_LIMIT)).isEqualTo(9);
            }
        }
    }

    @Test
    void tablesAreWrittenAndAllLinksArmedBeforeTheFirstLinkIsActive() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        List<byte[]> requests = harness.requests;
        int firstActive = indexOf(harness, PortInfo.STATE_ACTIVE, true);
        int lastArmed = indexOf(harness, PortInfo.STATE_ARMED, false);
        int lastTable = -1;
        for (int i = 0; i < requests.size(); i++) {
            int attribute = MadHeader.attributeId(requests.get(i));
            boolean isTable = attribute == LinearForwardingTable.TYPE.id()
                    || attribute == SlToVlMappingTable.TYPE.id()
                    || attribute == VlArbitrationTable.TYPE.id();
            lastTable = isTable ? i : lastTable;
        }
        assertThat(lastTable).isLessThan(lastArmed);
        assertThat(lastArmed).isLessThan(firstActive);
    }

    private static int indexOf(SweepHarness harness, int state, boolean isFirst) {
        int index = -1;
        for (int i = 0; i < harness.requests.size(); i++) {
            if (Devices.wantedState(harness.requests.get(i)) == state && (index < 0 || !isFirst)) {
                index = i;
            }
        }
        return index;
    }

    /**
     * The LIDs of 16 switches and 80 hosts are in two blocks of a table. All blocks with entries into the lost cable
     * are written before all other blocks.
     */
    @Test
    void entriesIntoALinkThatIsDownAreWrittenFirst() {
        SweepHarness harness = new SweepHarness("torus:4x4x1,hosts=5");
        harness.sweep();
        Plan before = harness.publishedView().plan();
        Fabric fabric = before.subnet().fabric();
        assertThat(before.subnet().topLid()).isGreaterThan(LinearForwardingTable.LIDS_PER_BLOCK);
        harness.requests.clear();
        harness.fabric.unlink(fabric.nodeGuid(5), 1);
        harness.await(2);
        List<Boolean> urgent = new ArrayList<>();
        for (byte[] mad : harness.requests) {
            if (MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id()) {
                urgent.add(leadsIntoCableOf(before, 5, 1, mad));
            }
        }
        assertThat(urgent).contains(true, false);
        assertThat(urgent.lastIndexOf(true)).isLessThan(urgent.indexOf(false));
    }

    /** Checks whether the written block had entries into a cable, at either end. */
    private static boolean leadsIntoCableOf(Plan plan, int sw, int portNum, byte[] mad) {
        Fabric fabric = plan.subnet().fabric();
        int far = fabric.peer(fabric.port(sw, portNum));
        for (int end : new int[] {fabric.port(sw, portNum), far}) {
            if (String.valueOf(Smp.path(mad))
                    .equals(fabric.node(fabric.nodeOf(end)).path().toString())) {
                byte[] lft = plan.lft(fabric.nodeOf(end));
                int from = MadHeader.attributeModifier(mad) * LinearForwardingTable.LIDS_PER_BLOCK;
                for (int lid = from; lid < Math.min(lft.length, from + 64); lid++) {
                    if (lft[lid] == fabric.portNum(end)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    @Test
    void aSecondSweepOfAnUnchangedFabricWritesNothing() {
        SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=2");
        harness.sweep();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countAllSets()).isZero();
        assertThat(harness.lastReport().work().blocks()).isZero();
    }

    @Test
    void withoutQosNoQosTableIsWrittenOrReported() {
        SweepSettings defaults = SweepHarness.settings();
        SweepHarness harness = new SweepHarness(
                TorusSpec.parse("torus:3x3x1").topology(),
                FaultPlan.NONE,
                new SweepSettings(
                        defaults.gidPrefix(),
                        defaults.lmc(),
                        defaults.lmcEsp0(),
                        defaults.reassignLids(),
                        defaults.mKey(),
                        defaults.mKeyLeasePeriod(),
                        defaults.mKeyProtectBits(),
                        defaults.subnetTimeout(),
                        defaults.packetLifeTime(),
                        defaults.links(),
                        false,
                        defaults.smSl(),
                        defaults.disablesBabblers()));
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.requests)
                .noneMatch(mad -> MadHeader.attributeId(mad) == SlToVlMappingTable.TYPE.id()
                        || MadHeader.attributeId(mad) == VlArbitrationTable.TYPE.id());
        Fabric fabric = Objects.requireNonNull(harness.view).subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) != Fabric.NONE) {
                assertThat(Devices.portInfo(harness, fabric, port).get(PortInfo.VL_HIGH_LIMIT))
                        .isZero();
            }
        }
    }

    /** A port may ignore a setting. For example, ibsim ignores error thresholds. */
    @Test
    void aSettingThatPortsDoNotTakeIsAskedForOnce() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == PortInfo.TYPE.id()) {
                PortInfo.LOCAL_PHY_ERRORS.set(mad, Smp.DATA_OFFSET, 0);
            }
        };
        harness.sweep();
        assertThat(harness.countSets(PortInfo.TYPE.id())).isPositive();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countAllSets()).isZero();
        harness.changeResponse = mad -> {};
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countAllSets()).as("they hold it, as they were told").isZero();
    }

    @Test
    void aRerouteAfterARefusalTakesTheFabricAsItIsNow() {
        SweepHarness harness = new SweepHarness("torus:4x3x1");
        harness.sweep();
        Fabric before = harness.publishedView().subnet().fabric();
        Engine good = harness.engine;
        harness.engine = engine(subnet -> new Refusal("double", List.of(Finding.error("a ring is broken"))));
        harness.fabric.unlink(before.nodeGuid(0), 1);
        assertThat(harness.sweep()).startsWith("refused");
        harness.engine = good;
        int ends = harness.ends.size();
        harness.sweeper.reroute();
        harness.await(ends + 1);
        assertThat(harness.publishedView().subnet().fabric().peer(before.port(0, 1)))
                .isEqualTo(Fabric.NONE);
        assertHeld(harness);
    }

    @Test
    void aRerouteWithoutChangeWritesNothingAndDiscoversNothing() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        harness.requests.clear();
        harness.sweeper.reroute();
        harness.await(2);
        assertThat(harness.ends).containsExactly("up", "up");
        assertThat(harness.requests).isEmpty();
    }

    @Test
    void aRestartedSmReadsARunningFabricAndChangesNoTableAndNoLid() {
        SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=2");
        harness.sweep();
        Subnet before = harness.publishedView().subnet();
        harness.restart();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countSets(LinearForwardingTable.TYPE.id())).isZero();
        assertThat(harness.countSets(SlToVlMappingTable.TYPE.id())).isZero();
        assertThat(harness.countSets(VlArbitrationTable.TYPE.id())).isZero();
        Subnet after = harness.publishedView().subnet();
        for (int port = 0; port < before.fabric().portCount(); port++) {
            assertThat(after.lid(port)).isEqualTo(before.lid(port));
        }
    }

    @Test
    void aCableThatIsPulledIsRoutedAroundWithoutBeingAskedTo() {
        SweepHarness harness = new SweepHarness("torus:4x4x1");
        harness.sweep();
        Fabric fabric = harness.publishedView().subnet().fabric();
        harness.fabric.unlink(fabric.nodeGuid(0), 1);
        harness.await(2);
        assertThat(harness.ends).containsExactly("up", "up");
        assertThat(harness.publishedView().subnet().fabric().peer(fabric.port(0, 1)))
                .isEqualTo(Fabric.NONE);
        assertHeld(harness);
    }

    /**
     * LMC 1 gives each host two LIDs. With protection level 2, a port accepts neither a Get nor a TrapRepress without
     * M_Key 77.
     */
    @Test
    void keysAndLidMasksAreSetOnEachPort() {
        SweepSettings keySettings = new SweepSettings(
                Gid.DEFAULT_PREFIX, 1, false, false, 77, 0, 2, 18, 18, LinkSettings.DEFAULT, true, 0, false);
        SweepHarness harness = new SweepHarness(TorusSpec.parse("torus:3x3x1").topology(), FaultPlan.NONE, keySettings);
        harness.sweep();
        assertHeld(harness);
        Fabric fabric = harness.publishedView().subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                PortInfo held = Devices.portInfo(harness, fabric, port);
                assertThat(held.get(PortInfo.M_KEY)).isEqualTo(77);
                assertThat(held.get(PortInfo.M_KEY_PROTECT_BITS)).isEqualTo(2);
                assertThat(held.get(PortInfo.LMC)).isEqualTo(fabric.isSwitch(fabric.nodeOf(port)) ? 0 : 1);
            }
        }
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countAllSets()).isZero();
        harness.fabric.unlink(fabric.nodeGuid(0), 1);
        harness.await(3);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(3));
        assertHeld(harness);
        assertThat(harness.fabric.pendingTrapCount()).isZero();
        assertThat(harness.fabric.counters().mKeyViolations()).isZero();
    }

    @Test
    void noViewIsPublishedBeforeTheLastPortIsActive() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.isRequestLost = mad -> {
            assertThat(harness.sweeper.view()).isNull();
            return false;
        };
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.sweeper.view()).isSameAs(harness.view);
    }

    private interface Router {
        RoutingResult route(Subnet subnet);
    }

    private static Engine engine(Router router) {
        return new Engine() {
            @Override
            public String name() {
                return "double";
            }

            @Override
            public RoutingResult route(EngineContext context) {
                return router.route(context.subnet());
            }
        };
    }
}
