package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.LidPersistenceBarrier;
import io.torussm.program.smp.SweepSettings;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * LIDs over several runs of SMs: ranges, restarts, other ports, other settings; and loopback cables. {@link #ROW}
 * has four switches with a host each, so 8 end ports.
 */
class AddressSweepTest {
    private static final Topology ROW = TorusSpec.parse("torus:4x1x1,hosts=1").topology();

    /** Two switches, the second one with an enhanced port 0. */
    private static final Topology ENHANCED = SweepHarness.topology("""
            switchguid=0xa0
            Switch 8 "S-a" # "sw-a" base port 0
            [1] "S-b"[1]
            [2] "H-sm"[1](101)
            switchguid=0xb0
            Switch 8 "S-b" # "sw-b" enhanced port 0
            [1] "S-a"[1]
            [2] "H-other"[1](201)
            caguid=0x100
            Ca 1 "H-sm" # "host-0-0-0-0"
            [1](101) "S-a"[2]
            caguid=0x200
            Ca 1 "H-other" # "other"
            [1](201) "S-b"[2]
            """);

    @TempDir
    Path dir;

    private static SweepSettings settings(int lmc, boolean lmcEsp0, boolean reassigns) {
        return new SweepSettings(
                Gid.DEFAULT_PREFIX, lmc, lmcEsp0, reassigns, 0, 0, 0, 18, 18, LinkSettings.DEFAULT, true, 0, false);
    }

    private SweepHarness harness(Topology topology, SweepSettings settings) {
        return new SweepHarness(topology, FaultPlan.NONE, settings, dir);
    }

    private static void bringUp(SweepHarness harness) {
        assertThat(harness.sweep()).isEqualTo("up");
        settle(harness);
    }

    private static void settle(SweepHarness harness) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
        harness.awaitRest();
    }

    private static int lidOf(SweepHarness harness, long nodeGuid) {
        Subnet subnet = harness.publishedView().subnet();
        Fabric fabric = subnet.fabric();
        int node = fabric.nodeByGuid(nodeGuid);
        return node == Fabric.NONE ? 0 : subnet.lid(fabric.port(node, fabric.isSwitch(node) ? 0 : 1));
    }

    private static Map<Long, Integer> lids(SweepHarness harness) {
        Map<Long, Integer> lids = new TreeMap<>();
        harness.topology.nodes().forEach(node -> lids.put(node.nodeGuid(), lidOf(harness, node.nodeGuid())));
        return lids;
    }

    /** Checks that devices have the assigned LIDs. */
    private static void assertHeld(SweepHarness harness) {
        Subnet subnet = harness.publishedView().subnet();
        for (Topology.Node node : harness.topology.nodes()) {
            int port = subnet.fabric().port(subnet.fabric().nodeByGuid(node.nodeGuid()), node.isSwitch() ? 0 : 1);
            PortInfo held = harness.fabric.portInfo(node.nodeGuid(), node.isSwitch() ? 0 : 1);
            assertThat(held.lid()).isEqualTo(subnet.lid(port)).isNotZero();
            assertThat(held.lmc()).isEqualTo(subnet.lmc(port));
            assertThat(held.lid() % (1 << held.lmc())).as("alignment").isZero();
            assertThat(held.masterSmLid()).isEqualTo(subnet.smLid());
        }
    }

    // --- LMC ---

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyEnhancedPort0HasTheLmcOfHostsAndOnlyIfAsked(boolean lmcEsp0) {
        SweepHarness harness = harness(ENHANCED, settings(2, lmcEsp0, false));
        bringUp(harness);
        assertHeld(harness);
        assertThat(harness.fabric.portInfo(0xa0, 0).lmc()).as("base port 0").isZero();
        assertThat(harness.fabric.portInfo(0xb0, 0).lmc()).as("enhanced port 0").isEqualTo(lmcEsp0 ? 2 : 0);
        assertThat(harness.fabric.portInfo(0x200, 1).lmc()).isEqualTo(2);
        int base = lidOf(harness, 0xb0);
        for (int lid = base; lid < base + (lmcEsp0 ? 4 : 1); lid++) {
            assertThat(harness.fabric.lft(0xb0)[lid])
                    .as("LID %d is its own", lid)
                    .isZero();
            assertThat(harness.fabric.lft(0xa0)[lid])
                    .as("LID %d is behind port 1", lid)
                    .isEqualTo((byte) 1);
        }
    }

    @Test
    void lmcComesAndGoesAndLidsStayWhereTheyCan() {
        SweepHarness harness = harness(ROW, settings(0, false, false));
        bringUp(harness);
        Map<Long, Integer> lidsOfLmc0 = lids(harness);
        harness.settings = settings(2, false, false);
        harness.restart();
        bringUp(harness);
        assertHeld(harness);
        Map<Long, Integer> lidsOfLmc2 = lids(harness);
        harness.topology.nodes().forEach(node -> {
            if (node.isSwitch()) {
                assertThat(lidsOfLmc2.get(node.nodeGuid())).isEqualTo(lidsOfLmc0.get(node.nodeGuid()));
            }
        });
        harness.settings = settings(0, false, false);
        harness.restart();
        bringUp(harness);
        assertHeld(harness);
        assertThat(lids(harness)).as("a base LID is as good without the others").isEqualTo(lidsOfLmc2);
    }

    // --- the disk ---

    /** A disk that blocks all writes until it is released. */
    private static final class HeldDisk implements Loop {
        private final Loop clock;
        private final List<Runnable> waiting = new ArrayList<>();
        boolean isHeld;

        HeldDisk(Loop clock) {
            this.clock = clock;
        }

        @Override
        public void execute(Runnable task) {
            if (isHeld) {
                waiting.add(task);
            } else {
                clock.execute(task);
            }
        }

        void release() {
            isHeld = false;
            waiting.forEach(clock::execute);
            waiting.clear();
        }

        @Override
        public Timer schedule(long delayNs, Runnable task) {
            return clock.schedule(delayNs, () -> execute(task));
        }

        @Override
        public long nowNs() {
            return clock.nowNs();
        }

        @Override
        public boolean isInLoop() {
            return clock.isInLoop();
        }
    }

    private static long guidOf(String description) {
        return ROW.node(description).orElseThrow().nodeGuid();
    }

    private static final long FIRST = guidOf("host-1-0-0-0");
    private static final long SECOND = guidOf("host-2-0-0-0");

    /** Returns a row that is up without the hosts {@link #FIRST} and {@link #SECOND}. */
    private SweepHarness harnessWithoutTwo(HeldDisk disk, SweepHarness harness) throws IOException {
        harness.state = StateDirectory.open(dir, disk);
        harness.restart();
        harness.fabric.unlink(FIRST, 1);
        harness.fabric.unlink(SECOND, 1);
        bringUp(harness);
        return harness;
    }

    @Test
    void aLidThatADeadSmGaveAwayStaysItsOwners() throws IOException {
        SweepHarness harness = new SweepHarness(ROW, FaultPlan.NONE, settings(0, false, false));
        HeldDisk disk = new HeldDisk(harness.loop);
        harnessWithoutTwo(disk, harness);
        disk.isHeld = true;
        harness.fabric.relink(FIRST, 1);
        harness.loop.runFor(LidPersistenceBarrier.TIMEOUT_NS / 2);
        int assignedLid = harness.fabric.portInfo(FIRST, 1).lid();
        harness.state = StateDirectory.open(dir, harness.loop);
        harness.restart();
        harness.fabric.unlink(FIRST, 1);
        harness.fabric.relink(SECOND, 1);
        bringUp(harness);
        harness.fabric.relink(FIRST, 1);
        settle(harness);
        assertThat(assignedLid).as("what it was told, if anything").isIn(0, lidOf(harness, FIRST));
        assertThat(lids(harness).values()).doesNotHaveDuplicates().doesNotContain(0);
        assertHeld(harness);
    }

    @Test
    void aNewLidIsPublishedOnceItIsOnTheDisk() throws IOException {
        SweepHarness harness = new SweepHarness(ROW, FaultPlan.NONE, settings(0, false, false));
        HeldDisk disk = new HeldDisk(harness.loop);
        harnessWithoutTwo(disk, harness);
        disk.isHeld = true;
        harness.fabric.relink(FIRST, 1);
        harness.loop.runFor(LidPersistenceBarrier.TIMEOUT_NS / 2);
        disk.release();
        harness.loop.runFor(LidPersistenceBarrier.TIMEOUT_NS / 4);
        assertThat(harness.fabric.portInfo(FIRST, 1).lid())
                .isEqualTo(lidOf(harness, FIRST))
                .isNotZero();
        assertThat(harness.sweeper.isResting()).isTrue();
    }

    @Test
    void aDiskThatHangsDoesNotKeepTheFabricDown() throws IOException {
        SweepHarness harness = new SweepHarness(ROW, FaultPlan.NONE, settings(0, false, false));
        HeldDisk disk = new HeldDisk(harness.loop);
        harnessWithoutTwo(disk, harness);
        disk.isHeld = true;
        harness.fabric.relink(FIRST, 1);
        harness.loop.runFor(2 * LidPersistenceBarrier.TIMEOUT_NS);
        harness.awaitRest();
        assertThat(harness.fabric.portInfo(FIRST, 1).lid())
                .isEqualTo(lidOf(harness, FIRST))
                .isNotZero();
    }

    @Test
    void aSweepWithoutNewLidsDoesNotWaitForTheDisk() throws IOException {
        SweepHarness harness = new SweepHarness(ROW, FaultPlan.NONE, settings(0, false, false));
        HeldDisk disk = new HeldDisk(harness.loop);
        harnessWithoutTwo(disk, harness);
        harness.fabric.relink(FIRST, 1);
        settle(harness);
        int lid = lidOf(harness, FIRST);
        disk.isHeld = true;
        harness.fabric.restartHost(FIRST);
        harness.loop.runFor(LidPersistenceBarrier.TIMEOUT_NS / 4);
        assertThat(harness.fabric.portInfo(FIRST, 1).lid()).as("a reboot").isEqualTo(lid);
        harness.state = StateDirectory.open(dir, disk);
        harness.restart();
        harness.fabric.restartHost(FIRST);
        harness.sweeper.sweepHeavy();
        harness.loop.runFor(LidPersistenceBarrier.TIMEOUT_NS / 4);
        assertThat(harness.fabric.portInfo(FIRST, 1).lid()).as("a new SM").isEqualTo(lid);
        assertThat(harness.sweeper.isResting()).isTrue();
    }

    // --- reassign_lids ---

    @Test
    void reassignsInTheFirstSweepOfALifeAndInNoOther() {
        SweepHarness harness = harness(ROW, settings(3, false, false));
        bringUp(harness);
        Map<Long, Integer> lidsOfLmc3 = lids(harness);
        harness.settings = settings(0, false, false);
        harness.restart();
        bringUp(harness);
        assertThat(lids(harness)).as("without -r").isEqualTo(lidsOfLmc3);
        harness.settings = settings(0, false, true);
        harness.restart();
        bringUp(harness);
        Map<Long, Integer> denseLids = lids(harness);
        assertThat(denseLids.values()).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(harness.publishedView().subnet().smLid()).isEqualTo(1);
        assertHeld(harness);
        Topology.Node absentHost = ROW.node("host-1-0-0-0").orElseThrow();
        harness.fabric.unlink(absentHost.nodeGuid(), 1);
        bringUp(harness);
        harness.fabric.relink(absentHost.nodeGuid(), 1);
        settle(harness);
        assertThat(lids(harness)).as("once").isEqualTo(denseLids);
        assertHeld(harness);
    }

    // --- another port for the SM ---

    @Test
    void theSmMovesToAnotherPortAndAddressesStay() {
        SweepHarness harness = harness(ROW, settings(0, false, false));
        bringUp(harness);
        Map<Long, Integer> before = lids(harness);
        int smLid = harness.publishedView().subnet().smLid();
        harness.host = "host-2-0-0-0";
        harness.restart();
        bringUp(harness);
        assertThat(lids(harness)).isEqualTo(before);
        assertThat(harness.publishedView().subnet().smLid()).isNotEqualTo(smLid);
        assertHeld(harness);
        harness.topology.nodes().stream().filter(Topology.Node::isSwitch).forEach(node -> assertThat(
                        harness.fabric.portInfo(node.nodeGuid(), 0).masterSmLid())
                .isEqualTo(harness.publishedView().subnet().smLid()));
    }

    // --- loopback cables ---

    /** Two switches. A cable from port 3 to port 4 of the second one is plugged in later. */
    private static final Topology LOOPED = SweepHarness.topology("""
            switchguid=0xa0
            Switch 8 "S-a" # "sw-a"
            [1] "S-b"[1]
            [2] "H-sm"[1](101)
            switchguid=0xb0
            Switch 8 "S-b" # "sw-b"
            [1] "S-a"[1]
            [2] "H-other"[1](201)
            [3] "S-b"[4]
            [4] "S-b"[3]
            caguid=0x100
            Ca 1 "H-sm" # "host-0-0-0-0"
            [1](101) "S-a"[2]
            caguid=0x200
            Ca 1 "H-other" # "other"
            [1](201) "S-b"[2]
            """);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCableFromASwitchToItselfHarmsNobody(boolean isWhole) {
        SweepHarness harness = harness(LOOPED, settings(0, false, false));
        harness.fabric.unlink(0xb0, 3);
        bringUp(harness);
        Map<Long, Integer> before = lids(harness);
        byte[] table = harness.fabric.lft(0xb0);
        harness.fabric.relink(0xb0, 3);
        settle(harness);
        if (isWhole) {
            bringUp(harness);
        }
        assertThat(lids(harness)).isEqualTo(before);
        assertThat(harness.fabric.lft(0xb0)).isEqualTo(table);
        assertThat(harness.ends).containsOnly("up");
        assertHeld(harness);
    }
}
