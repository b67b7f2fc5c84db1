package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.AliasTable;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastGroups;
import io.torussm.multicast.MulticastView;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.routing.Plans;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sim.FaultPlan;
import io.torussm.sim.TorusSpec;
import io.torussm.subnet.Subnet;
import io.torussm.testing.MembershipMad;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** From a join at the SA to the entries that the switches hold, and packets that follow them. */
class MulticastSweepTest {
    private static final int MFT = MulticastForwardingTable.TYPE.id();
    private static final Gid OTHER = new Gid(0xff12_1234_0000_0000L, 1);
    private static final long ALIAS = 0x1234;
    private static final int BROADCAST_MLID = 0xc000;
    private static final int OTHER_MLID = 0xc001;

    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=2");
    private final List<MadFrame> answers = new ArrayList<>();

    /** Min-hop, and a root for the tree; none for no multicast. */
    private int[] roots = {0};

    private int sls = 1;
    private boolean isRefusing;

    private final Engine engine = new Engine() {
        private final MinHopEngine minHop = new MinHopEngine();

        @Override
        public String name() {
            return "double";
        }

        @Override
        public RoutingResult route(EngineContext context) {
            return isRefusing
                    ? new Refusal("double", List.of(Finding.error("a ring is broken")))
                    : rooted((Plan) minHop.route(context), roots, sls);
        }
    };

    private SweepHarness up() {
        return up(harness);
    }

    private SweepHarness up(SweepHarness of) {
        of.engine = engine;
        assertThat(of.sweep()).isEqualTo("up");
        assertThat(of.up().multicast() != null).isEqualTo(roots.length > 0);
        return of;
    }

    private int ask(int method, Gid mgid, int port, int joinState) {
        send(harness, method, mgid, port, joinState);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        return MadHeader.status(answers.get(answers.size() - 1).mad());
    }

    private void send(SweepHarness of, int method, Gid mgid, int port, int joinState) {
        int qKey = mgid.equals(OTHER) ? 5 : 0x0b1b;
        byte[] mad = of.membership(method, answers.size() + 1L, mgid, port, joinState, qKey);
        MadAddress requester = new MadAddress(of.up().subnet().lid(port), 1, 0, 0);
        of.administrator(answers::add).received(new MadFrame(requester, mad));
    }

    private int join(Gid mgid, int port) {
        return ask(Method.SET, mgid, port, MCMemberRecord.FULL_MEMBER);
    }

    private int leave(Gid mgid, int port) {
        return ask(Method.DELETE, mgid, port, MCMemberRecord.FULL_MEMBER);
    }

    /** A packet from any of the senders comes to each receiver but the sender once, and to nobody else. */
    private static void assertDelivers(SweepHarness of, int mlid, List<Integer> senders, List<Integer> receivers) {
        Fabric fabric = of.up().subnet().fabric();
        for (int sender : senders) {
            Map<Integer, Integer> arrived = new HashMap<>();
            int budget = 10_000;
            List<Integer> arrivals = new ArrayList<>(List.of(fabric.peer(sender)));
            while (!arrivals.isEmpty() && budget-- > 0) {
                int in = arrivals.remove(arrivals.size() - 1);
                int sw = fabric.nodeOf(in);
                long[] mask = of.fabric.mft(fabric.nodeGuid(sw), mlid);
                for (int out = 0; out <= fabric.numPorts(sw); out++) {
                    boolean isSet = (mask[out >> 6] >> out & 1) != 0;
                    int far = fabric.peer(fabric.port(sw, out));
                    if (isSet && fabric.port(sw, out) != in && far != Fabric.NONE) {
                        if (fabric.isSwitch(fabric.nodeOf(far))) {
                            arrivals.add(far);
                        } else {
                            arrived.merge(far, 1, Integer::sum);
                        }
                    }
                }
            }
            Map<Integer, Integer> expected = new HashMap<>();
            receivers.stream().filter(port -> port != sender).forEach(port -> expected.put(port, 1));
            assertThat(arrived).as("from port %s", sender).isEqualTo(expected);
        }
    }

    /** A virtual machine joins under its own GUID; packets for it go to the port that it is at. */
    @Test
    void anAliasIsSentWhatItsPortWouldBeAlsoAfterTheNextSweep() {
        up();
        int port = harness.hosts().get(4);
        int other = harness.hosts().get(0);
        join(OTHER, other);
        assertThat(joinAsAlias(port, MCMemberRecord.FULL_MEMBER)).isZero();
        List<Integer> both = List.of(port, other);
        assertDelivers(harness, OTHER_MLID, both, both);
        harness.sweep();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertDelivers(harness, OTHER_MLID, both, both);
        MulticastGroup group = harness.memberships.view().groups().get(1);
        assertThat(group.members()).extracting(MulticastGroup.Member::portGid).contains(gid(ALIAS));
        assertThat(group.atPorts(guid -> harness.aliases.table().portOf(guid)).members())
                .extracting(MulticastGroup.Member::portGid)
                .contains(gid(harness.up().subnet().fabric().portGuid(port)));
    }

    @Test
    void aPortIsSentWhatItReceivesThoughAnAliasOfItOnlySends() {
        up();
        int port = harness.hosts().get(4);
        int other = harness.hosts().get(0);
        join(OTHER, other);
        join(OTHER, port);
        assertThat(joinAsAlias(port, MCMemberRecord.SEND_ONLY_FULL_MEMBER)).isZero();
        assertDelivers(harness, OTHER_MLID, List.of(other), List.of(port, other));
    }

    private Gid gid(long guid) {
        return new Gid(harness.up().subnet().gidPrefix(), guid);
    }

    private int joinAsAlias(int port, int joinState) {
        Subnet subnet = harness.up().subnet();
        AliasTable.Place place = new AliasTable.Place(subnet.fabric().portGuid(port), 1);
        harness.aliases.restore(new AliasTable(Map.of(place, ALIAS), Map.of(), Set.of()));
        byte[] mad = MembershipMad.of(Method.SET, 99, OTHER, gid(ALIAS), joinState, 5);
        harness.administrator(answers::add).received(new MadFrame(new MadAddress(subnet.lid(port), 1, 0, 0), mad));
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        return MadHeader.status(answers.get(answers.size() - 1).mad());
    }

    @Test
    void whoJoinsReceivesWithoutASweep() {
        List<Integer> hosts = up().hosts();
        List<Integer> members = List.of(hosts.get(0), hosts.get(5), hosts.get(17));
        members.forEach(
                port -> assertThat(join(MulticastGroups.BROADCAST, port)).isEqualTo(MadStatus.OK));
        assertDelivers(harness, BROADCAST_MLID, members, members);
        assertThat(harness.ends).containsExactly("up");
        leave(MulticastGroups.BROADCAST, members.get(1));
        List<Integer> left = List.of(members.get(0), members.get(2));
        assertDelivers(harness, BROADCAST_MLID, left, left);
    }

    @Test
    void whenAllHaveLeftNothingIsForwarded() {
        List<Integer> hosts = up().hosts();
        join(OTHER, hosts.get(3));
        join(OTHER, hosts.get(9));
        assertThat(Devices.groupEntries(harness, OTHER_MLID)).isNotEmpty();
        leave(OTHER, hosts.get(3));
        leave(OTHER, hosts.get(9));
        assertThat(Devices.groupEntries(harness, OTHER_MLID)).isEmpty();
    }

    @Test
    void aSendOnlyMemberReachesAllAndHearsNothing() {
        List<Integer> hosts = up().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        join(MulticastGroups.BROADCAST, hosts.get(8));
        ask(Method.SET, MulticastGroups.BROADCAST, hosts.get(17), MCMemberRecord.SEND_ONLY_NON_MEMBER);
        assertDelivers(
                harness, BROADCAST_MLID, List.of(hosts.get(17), hosts.get(0)), List.of(hosts.get(0), hosts.get(8)));
    }

    @Test
    void aJoinWritesOnlyWhatItsGroupNeeds() {
        List<Integer> hosts = up().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        Set<String> before = Devices.groupEntries(harness, BROADCAST_MLID);
        harness.requests.clear();
        join(OTHER, hosts.get(1));
        assertThat(harness.allSets()).isEqualTo(harness.sets(MFT));
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEqualTo(before);
        long touched = Devices.groupEntries(harness, OTHER_MLID).stream()
                .map(entry -> entry.substring(0, entry.indexOf(':')))
                .distinct()
                .count();
        assertThat(harness.sets(MFT)).isEqualTo(touched);
    }

    @Test
    void aBurstOfJoinsIsOnePass() {
        List<Integer> hosts = up().hosts();
        harness.requests.clear();
        hosts.forEach(port -> send(harness, Method.SET, MulticastGroups.BROADCAST, port, 1));
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(answers).hasSize(hosts.size());
        assertDelivers(harness, BROADCAST_MLID, hosts, hosts);
        assertThat(harness.passes).isEqualTo(1);
        assertThat(harness.sets(MFT)).as("one block for each of nine switches").isEqualTo(9);
    }

    @Test
    void fiveThousandJoinsWithinASecondAreAFewPasses() {
        List<Integer> hosts = up().hosts();
        int groups = 5000 / hosts.size() + 1;
        int joins = groups * hosts.size();
        SubnetAdministrator sa = harness.administrator(answers::add);
        harness.requests.clear();
        harness.passes = 0;
        for (int i = 0; i < joins; i++) {
            int port = hosts.get(i % hosts.size());
            Gid mgid = new Gid(OTHER.prefix(), 100 + i / hosts.size());
            byte[] mad = harness.membership(Method.SET, i + 1L, mgid, port, MCMemberRecord.FULL_MEMBER, 5);
            MadFrame request = new MadFrame(new MadAddress(harness.up().subnet().lid(port), 1, 0, 0), mad);
            harness.loop.schedule(TimeUnit.SECONDS.toNanos(1) * i / joins, () -> sa.received(request));
        }
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(answers).hasSize(joins).allSatisfy(answer -> assertThat(MadHeader.status(answer.mad()))
                .isZero());
        assertThat(harness.passes).isBetween(1, 51);
        assertThat(harness.sets(MFT)).isLessThanOrEqualTo(2L * 9 * harness.passes);
        List<MulticastGroup> joined = harness.memberships.view().groups().stream()
                .filter(group -> !group.mgid().equals(MulticastGroups.BROADCAST))
                .toList();
        assertThat(joined).hasSize(groups).allSatisfy(group -> assertDelivers(harness, group.mlid(), hosts, hosts));
    }

    @Test
    void aSecondSweepWritesNoMulticastTable() {
        List<Integer> hosts = up().hosts();
        hosts.forEach(port -> join(MulticastGroups.BROADCAST, port));
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.allSets()).isZero();
    }

    @Test
    void aPortThatVanishesLeavesAtTheNextSweep() {
        List<Integer> hosts = up().hosts();
        List<Integer> members = List.of(hosts.get(0), hosts.get(16), hosts.get(17));
        members.forEach(port -> join(MulticastGroups.BROADCAST, port));
        Fabric before = harness.up().subnet().fabric();
        List<Long> staying = List.of(before.portGuid(hosts.get(0)), before.portGuid(hosts.get(17)));
        int far = before.peer(hosts.get(16));
        harness.fabric.unlink(before.nodeGuid(before.nodeOf(far)), before.portNum(far));
        harness.await(2);
        assertThat(harness.memberships.view().groups().get(0).members())
                .extracting(member -> member.portGid().guid())
                .isEqualTo(staying);
        List<Integer> left = harness.hosts().stream()
                .filter(port -> staying.contains(harness.up().subnet().fabric().portGuid(port)))
                .toList();
        assertDelivers(harness, BROADCAST_MLID, left, left);
        String local = Long.toHexString(before.nodeGuid(before.nodeOf(far))) + ":" + before.portNum(far);
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).doesNotContain(local);
    }

    @Test
    void entriesOfAFormerMasterAreCleared() {
        List<Integer> hosts = up().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        join(OTHER, hosts.get(4));
        join(OTHER, hosts.get(9));
        assertThat(Devices.groupEntries(harness, OTHER_MLID)).isNotEmpty();
        harness.restart();
        up();
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEmpty();
        assertThat(Devices.groupEntries(harness, OTHER_MLID)).isEmpty();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.allSets()).isZero();
    }

    /** Every entry of the old tree that the new one does not have is gone before the first is set that is only in the new. */
    @Test
    void aChangeOfTreeClearsBeforeItSets() {
        List<Integer> hosts = up().hosts();
        hosts.forEach(port -> join(MulticastGroups.BROADCAST, port));
        Set<String> old = Devices.groupEntries(harness, BROADCAST_MLID);
        roots = new int[] {8};
        List<Set<String>> states = new ArrayList<>();
        harness.swallow = mad -> {
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

    /** The members of groups change while the fabric cannot be routed: along the last good tree, and nothing else. */
    @Test
    void whileRoutingIsRefusedGroupsGoOnAlongTheLastTree() {
        List<Integer> hosts = up().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        join(MulticastGroups.BROADCAST, hosts.get(6));
        isRefusing = true;
        assertThat(harness.sweep()).startsWith("refused");
        List<Object> tables = Devices.snapshot(harness);
        Set<String> two = Devices.groupEntries(harness, BROADCAST_MLID);
        assertThat(join(MulticastGroups.BROADCAST, hosts.get(17))).isZero();
        Set<String> three = Devices.groupEntries(harness, BROADCAST_MLID);
        assertThat(three).containsAll(two);
        Fabric fabric = harness.up().subnet().fabric();
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
        assertThat(harness.sets(MFT)).isZero();
    }

    @Test
    void aJoinWhileASweepProgramsIsWrittenAfterIt() {
        List<Integer> hosts = up().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        roots = new int[] {8};
        boolean[] isSent = {false};
        harness.swallow = mad -> {
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

    /** A sweep that wants to program while a pass is on its way waits for it, here for a switch that does not answer. */
    @Test
    void aSweepWaitsForThePassThatRuns() {
        List<Integer> hosts = up().hosts();
        roots = new int[] {8};
        Set<Long> sets = new TreeSet<>();
        harness.swallow = mad -> {
            boolean isOfPass = MadHeader.attributeId(mad) == MFT && harness.passes == 0;
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
        assertThat(harness.passes).isEqualTo(1);
        assertThat(sets).as("one for each switch, and none of the sweep").hasSize(9);
        assertDelivers(harness, BROADCAST_MLID, hosts, hosts);
    }

    @Test
    void withoutATreeEntriesAreClearedAndJoinsRefused() {
        List<Integer> hosts = up().hosts();
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
        List<Integer> hosts = up().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        join(MulticastGroups.BROADCAST, hosts.get(17));
        sls = 4;
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEmpty();
        sls = 5;
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isNotEmpty();
    }

    /** A switch that did not take its entries is written by the sweep that follows. */
    @Test
    void aPassThatFailedIsMadeUpForBySweeping() {
        List<Integer> hosts = up().hosts();
        harness.swallow = mad -> MadHeader.attributeId(mad) == MFT;
        hosts.forEach(port -> send(harness, Method.SET, MulticastGroups.BROADCAST, port, 1));
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(2));
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEmpty();
        harness.swallow = mad -> false;
        harness.sweepLight();
        assertThat(harness.ends).containsExactly("up", "up");
        assertDelivers(harness, BROADCAST_MLID, hosts, hosts);
    }

    @Test
    void theTopOfTheTableFollowsTheGroupsWhereSwitchesLookAtIt() {
        harness.tamper = mad -> {
            if (MadHeader.attributeId(mad) == PortInfo.TYPE.id() && Smp.path(mad) != null) {
                PortInfo.CAPABILITY_MASK.set(
                        mad, Smp.DATA, PortInfo.CAPABILITY_MASK.get(mad, Smp.DATA) | PortInfo.CAP_MULTICAST_FDB_TOP);
            }
        };
        List<Integer> hosts = up().hosts();
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
        int lidTop = harness.up().subnet().topLid();
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

    private static final int UNICAST_SL = 1;

    /** A plan with roots for multicast, which has VLs of its own: so every tree is safe. */
    private static Plan rooted(Plan plan, int[] roots, int sls) {
        PathSls unicast = new PathSls() {
            @Override
            public int sl(int srcLid, int dstLid, int wanted) {
                return plan.pathSl(srcLid, dstLid, UNICAST_SL);
            }

            @Override
            public int mask(int srcSw, int dstLid) {
                return plan.slMask(srcSw, dstLid) & 1 << UNICAST_SL;
            }
        };
        return Plans.like("rooted", plan)
                .sls(unicast)
                .multicast(Optional.empty(), roots, sls)
                .build();
    }
}
