package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MulticastGroups;
import io.torussm.multicast.MulticastView;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Groups while the tree, the routing or the master changes, and while SMPs are lost. */
class MulticastChangeTest extends MulticastSweepCase {
    @Test
    void entriesOfAFormerMasterAreCleared() {
        List<Integer> hosts = bringUp().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        join(OTHER, hosts.get(4));
        join(OTHER, hosts.get(9));
        assertThat(Devices.groupEntries(harness, OTHER_MLID)).isNotEmpty();
        harness.restart();
        bringUp();
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEmpty();
        assertThat(Devices.groupEntries(harness, OTHER_MLID)).isEmpty();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countAllSets()).isZero();
    }

    /**
     * All entries that are only in the old tree are cleared before the first entry that is only in the new
     * one is set.
     */
    @Test
    void aChangeOfTreeClearsBeforeItSets() {
        List<Integer> hosts = bringUp().hosts();
        hosts.forEach(port -> join(MulticastGroups.BROADCAST, port));
        Set<String> old = Devices.groupEntries(harness, BROADCAST_MLID);
        roots = new int[] {8};
        List<Set<String>> states = new ArrayList<>();
        harness.isRequestLost = mad -> {
            if (MadHeader.attributeId(mad) == MFT && MadHeader.method(mad) == Method.SET) {
                states.add(Devices.groupEntries(harness, BROADCAST_MLID));
            }
            return false;
        };
        assertThat(harness.sweep()).isEqualTo("up");
        Set<String> now = Devices.groupEntries(harness, BROADCAST_MLID);
        assertThat(now).isNotEqualTo(old);
        assertDelivers(harness, BROADCAST_MLID, hosts, hosts);
        assertThat(states).isNotEmpty();
        for (Set<String> state : states) {
            boolean hasOld = state.stream().anyMatch(entry -> !now.contains(entry));
            boolean hasNew = state.stream().anyMatch(entry -> !old.contains(entry));
            assertThat(hasOld && hasNew).isFalse();
        }
    }

    /**
     * The members of groups change while the fabric cannot be routed; groups remain on the last good tree.
     */
    @Test
    void whileRoutingIsRefusedGroupsGoOnAlongTheLastTree() {
        List<Integer> hosts = bringUp().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        join(MulticastGroups.BROADCAST, hosts.get(6));
        isRefusing = true;
        assertThat(harness.sweep()).startsWith("refused");
        List<Object> tables = Devices.snapshot(harness);
        Set<String> two = Devices.groupEntries(harness, BROADCAST_MLID);
        assertThat(join(MulticastGroups.BROADCAST, hosts.get(17))).isZero();
        Set<String> three = Devices.groupEntries(harness, BROADCAST_MLID);
        assertThat(three).containsAll(two);
        Fabric fabric = harness.publishedView().subnet().fabric();
        int local = fabric.peer(hosts.get(17));
        assertThat(three)
                .contains(Long.toHexString(fabric.nodeGuid(fabric.nodeOf(local))) + ":" + fabric.portNum(local));
        List<Integer> members = List.of(hosts.get(0), hosts.get(6), hosts.get(17));
        assertDelivers(harness, BROADCAST_MLID, members, members);
        assertThat(leave(MulticastGroups.BROADCAST, hosts.get(17))).isZero();
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEqualTo(two);
        assertThat(Devices.snapshot(harness)).as("no other table").isEqualTo(tables);
        assertThat(harness.ends).hasSize(2);
        isRefusing = false;
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countSets(MFT)).isZero();
    }

    @Test
    void aJoinWhileASweepProgramsIsWrittenAfterIt() {
        List<Integer> hosts = bringUp().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        roots = new int[] {8};
        boolean[] isSent = {false};
        harness.isRequestLost = mad -> {
            if (!isSent[0] && MadHeader.attributeId(mad) == MFT && MadHeader.method(mad) == Method.SET) {
                isSent[0] = true;
                send(harness, Method.SET, MulticastGroups.BROADCAST, hosts.get(17), 1);
            }
            return false;
        };
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(isSent[0]).isTrue();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        List<Integer> members = List.of(hosts.get(0), hosts.get(17));
        assertDelivers(harness, BROADCAST_MLID, members, members);
    }

    /**
     * A sweep that is ready to program waits for a pass in progress, here for a switch that does not respond.
     */
    @Test
    void aSweepWaitsForThePassThatRuns() {
        List<Integer> hosts = bringUp().hosts();
        roots = new int[] {8};
        Set<Long> sets = new TreeSet<>();
        harness.isRequestLost = mad -> {
            boolean isOfPass = MadHeader.attributeId(mad) == MFT && harness.groupPasses == 0;
            if (isOfPass && sets.isEmpty()) {
                harness.loop.execute(() -> harness.sweeper.reroute());
            }
            if (isOfPass) {
                sets.add(MadHeader.tid(mad));
            }
            return isOfPass && String.valueOf(Smp.path(mad)).equals("0,1,1");
        };
        hosts.forEach(port -> send(harness, Method.SET, MulticastGroups.BROADCAST, port, 1));
        harness.await(2);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(harness.ends).containsExactly("up", "up");
        assertThat(harness.groupPasses).isEqualTo(1);
        assertThat(sets).as("one for each switch, and none of the sweep").hasSize(9);
        assertDelivers(harness, BROADCAST_MLID, hosts, hosts);
    }

    @Test
    void withoutATreeEntriesAreClearedAndJoinsRefused() {
        List<Integer> hosts = bringUp().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        join(MulticastGroups.BROADCAST, hosts.get(17));
        roots = new int[0];
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEmpty();
        assertThat(join(MulticastGroups.BROADCAST, hosts.get(5))).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(leave(MulticastGroups.BROADCAST, hosts.get(17))).isZero();
        roots = new int[] {0};
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(join(MulticastGroups.BROADCAST, hosts.get(5))).isZero();
        List<Integer> members = List.of(hosts.get(0), hosts.get(5));
        assertDelivers(harness, BROADCAST_MLID, members, members);
    }

    @Test
    void aGroupWhoseSlThePlanDoesNotAllowIsNotForwarded() {
        List<Integer> hosts = bringUp().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        join(MulticastGroups.BROADCAST, hosts.get(17));
        sls = 4;
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEmpty();
        sls = 5;
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isNotEmpty();
    }

    /** A switch that did not accept its entries is written by the next sweep. */
    @Test
    void aPassThatFailedIsMadeUpForBySweeping() {
        List<Integer> hosts = bringUp().hosts();
        harness.isRequestLost = mad -> MadHeader.attributeId(mad) == MFT;
        hosts.forEach(port -> send(harness, Method.SET, MulticastGroups.BROADCAST, port, 1));
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(2));
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEmpty();
        harness.isRequestLost = mad -> false;
        harness.sweepLight();
        assertThat(harness.ends).containsExactly("up", "up");
        assertDelivers(harness, BROADCAST_MLID, hosts, hosts);
    }

    @Test
    void theTopOfTheTableFollowsTheGroupsWhereSwitchesLookAtIt() {
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == PortInfo.TYPE.id() && Smp.path(mad) != null) {
                PortInfo.CAPABILITY_MASK.set(
                        mad,
                        Smp.DATA_OFFSET,
                        PortInfo.CAPABILITY_MASK.get(mad, Smp.DATA_OFFSET) | PortInfo.CAP_MULTICAST_FDB_TOP);
            }
        };
        List<Integer> hosts = bringUp().hosts();
        assertTops(BROADCAST_MLID);
        join(OTHER, hosts.get(4));
        assertTops(OTHER_MLID);
        assertThat(harness.sweep()).isEqualTo("up");
        assertTops(OTHER_MLID);
        leave(OTHER, hosts.get(4));
        assertTops(BROADCAST_MLID);
        roots = new int[0];
        assertThat(harness.sweep()).isEqualTo("up");
        assertTops(MulticastView.FIRST_MLID - 1);
    }

    private void assertTops(int top) {
        int lidTop = harness.publishedView().subnet().topLid();
        harness.topology.nodes().stream().filter(node -> node.isSwitch()).forEach(node -> {
            SwitchInfo info = harness.fabric.switchInfo(node.nodeGuid());
            assertThat(info.get(SwitchInfo.MULTICAST_FDB_TOP)).isEqualTo(top);
            assertThat(info.linearFdbTop()).isEqualTo(lidTop);
        });
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void convergesThoughSmpsAreLost(long seed) {
        FaultPlan faults = new FaultPlan(seed, 0.1, 0.1, 1000, 50_000_000);
        SweepHarness lossy =
                new SweepHarness(TorusSpec.parse("torus:3x3x1,hosts=1").topology(), faults);
        lossy.engine = engine;
        for (int sweeps = 0; sweeps < 20 && lossy.view == null; sweeps++) {
            lossy.sweep();
        }
        List<Integer> hosts = lossy.hosts();
        hosts.forEach(port -> send(lossy, Method.SET, MulticastGroups.BROADCAST, port, 1));
        for (int i = 0; i < 20; i++) {
            lossy.sweepLight();
            lossy.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        }
        assertThat(lossy.memberships.view().groups().get(0).members()).hasSize(hosts.size());
        assertDelivers(lossy, BROADCAST_MLID, lossy.hosts(), lossy.hosts());
    }
}
