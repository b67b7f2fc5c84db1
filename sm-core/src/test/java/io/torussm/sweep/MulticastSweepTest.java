package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.AliasTable;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastGroups;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.subnet.Subnet;
import io.torussm.testing.MembershipMad;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** From a join at the SA to the entries of switches, and packets that follow them. */
class MulticastSweepTest extends MulticastSweepCase {
    /** A virtual machine joins under its own GUID; its packets go to its port. */
    @Test
    void anAliasReceivesTheGroupsOfItsPortAlsoAfterTheNextSweep() {
        bringUp();
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
                .contains(gid(harness.publishedView().subnet().fabric().portGuid(port)));
    }

    @Test
    void aPortIsSentItsPartitionThoughAnAliasOfItOnlySends() {
        bringUp();
        int port = harness.hosts().get(4);
        int other = harness.hosts().get(0);
        join(OTHER, other);
        join(OTHER, port);
        assertThat(joinAsAlias(port, MCMemberRecord.SEND_ONLY_FULL_MEMBER)).isZero();
        assertDelivers(harness, OTHER_MLID, List.of(other), List.of(port, other));
    }

    private Gid gid(long guid) {
        return new Gid(harness.publishedView().subnet().gidPrefix(), guid);
    }

    private int joinAsAlias(int port, int joinState) {
        Subnet subnet = harness.publishedView().subnet();
        AliasTable.Place place = new AliasTable.Place(subnet.fabric().portGuid(port), 1);
        harness.aliases.restore(new AliasTable(Map.of(place, ALIAS), Map.of(), Set.of()));
        byte[] mad = MembershipMad.of(Method.SET, 99, OTHER, gid(ALIAS), joinState, 5);
        harness.administrator(answers::add).onMad(new MadFrame(new MadAddress(subnet.lid(port), 1, 0, 0), mad));
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        return MadHeader.status(answers.get(answers.size() - 1).mad());
    }

    @Test
    void aNewMemberReceivesWithoutASweep() {
        List<Integer> hosts = bringUp().hosts();
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
        List<Integer> hosts = bringUp().hosts();
        join(OTHER, hosts.get(3));
        join(OTHER, hosts.get(9));
        assertThat(Devices.groupEntries(harness, OTHER_MLID)).isNotEmpty();
        leave(OTHER, hosts.get(3));
        leave(OTHER, hosts.get(9));
        assertThat(Devices.groupEntries(harness, OTHER_MLID)).isEmpty();
    }

    @Test
    void aSendOnlyMemberReachesAllAndHearsNothing() {
        List<Integer> hosts = bringUp().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        join(MulticastGroups.BROADCAST, hosts.get(8));
        sendAndGetStatus(Method.SET, MulticastGroups.BROADCAST, hosts.get(17), MCMemberRecord.SEND_ONLY_NON_MEMBER);
        assertDelivers(
                harness, BROADCAST_MLID, List.of(hosts.get(17), hosts.get(0)), List.of(hosts.get(0), hosts.get(8)));
    }

    @Test
    void aJoinWritesOnlyWhatItsGroupNeeds() {
        List<Integer> hosts = bringUp().hosts();
        join(MulticastGroups.BROADCAST, hosts.get(0));
        Set<String> before = Devices.groupEntries(harness, BROADCAST_MLID);
        harness.requests.clear();
        join(OTHER, hosts.get(1));
        assertThat(harness.countAllSets()).isEqualTo(harness.countSets(MFT));
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).isEqualTo(before);
        long touched = Devices.groupEntries(harness, OTHER_MLID).stream()
                .map(entry -> entry.substring(0, entry.indexOf(':')))
                .distinct()
                .count();
        assertThat(harness.countSets(MFT)).isEqualTo(touched);
    }

    @Test
    void aBurstOfJoinsIsOnePass() {
        List<Integer> hosts = bringUp().hosts();
        harness.requests.clear();
        hosts.forEach(port -> send(harness, Method.SET, MulticastGroups.BROADCAST, port, 1));
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(answers).hasSize(hosts.size());
        assertDelivers(harness, BROADCAST_MLID, hosts, hosts);
        assertThat(harness.groupPasses).isEqualTo(1);
        assertThat(harness.countSets(MFT))
                .as("one block for each of nine switches")
                .isEqualTo(9);
    }

    @Test
    void fiveThousandJoinsWithinASecondAreAFewPasses() {
        List<Integer> hosts = bringUp().hosts();
        int groups = 5000 / hosts.size() + 1;
        int joins = groups * hosts.size();
        SubnetAdministrator sa = harness.administrator(answers::add);
        harness.requests.clear();
        harness.groupPasses = 0;
        for (int i = 0; i < joins; i++) {
            int port = hosts.get(i % hosts.size());
            Gid mgid = new Gid(OTHER.prefix(), 100 + i / hosts.size());
            byte[] mad = harness.membership(Method.SET, i + 1L, mgid, port, MCMemberRecord.FULL_MEMBER, 5);
            MadFrame request =
                    new MadFrame(new MadAddress(harness.publishedView().subnet().lid(port), 1, 0, 0), mad);
            harness.loop.schedule(TimeUnit.SECONDS.toNanos(1) * i / joins, () -> sa.onMad(request));
        }
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(answers).hasSize(joins).allSatisfy(answer -> assertThat(MadHeader.status(answer.mad()))
                .isZero());
        assertThat(harness.groupPasses).isBetween(1, 51);
        assertThat(harness.countSets(MFT)).isLessThanOrEqualTo(2L * 9 * harness.groupPasses);
        List<MulticastGroup> joined = harness.memberships.view().groups().stream()
                .filter(group -> !group.mgid().equals(MulticastGroups.BROADCAST))
                .toList();
        assertThat(joined).hasSize(groups).allSatisfy(group -> assertDelivers(harness, group.mlid(), hosts, hosts));
    }

    @Test
    void aSecondSweepWritesNoMulticastTable() {
        List<Integer> hosts = bringUp().hosts();
        hosts.forEach(port -> join(MulticastGroups.BROADCAST, port));
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countAllSets()).isZero();
    }

    @Test
    void aPortThatVanishesLeavesAtTheNextSweep() {
        List<Integer> hosts = bringUp().hosts();
        List<Integer> members = List.of(hosts.get(0), hosts.get(16), hosts.get(17));
        members.forEach(port -> join(MulticastGroups.BROADCAST, port));
        Fabric before = harness.publishedView().subnet().fabric();
        List<Long> staying = List.of(before.portGuid(hosts.get(0)), before.portGuid(hosts.get(17)));
        int far = before.peer(hosts.get(16));
        harness.fabric.unlink(before.nodeGuid(before.nodeOf(far)), before.portNum(far));
        harness.await(2);
        assertThat(harness.memberships.view().groups().get(0).members())
                .extracting(member -> member.portGid().guid())
                .isEqualTo(staying);
        List<Integer> left = harness.hosts().stream()
                .filter(port -> staying.contains(
                        harness.publishedView().subnet().fabric().portGuid(port)))
                .toList();
        assertDelivers(harness, BROADCAST_MLID, left, left);
        String local = Long.toHexString(before.nodeGuid(before.nodeOf(far))) + ":" + before.portNum(far);
        assertThat(Devices.groupEntries(harness, BROADCAST_MLID)).doesNotContain(local);
    }

    /**
     * An SM takes over without the records of the previous one. Packets still reach all members before they
     * join again. A member that joins gets its previous MLID; other groups get no MLID with such entries.
     * When the time is over, members that have not joined are removed.
     */
    @Test
    void entriesOfAnotherSmServeItsGroupsUntilTheirHostsJoinAgain() {
        List<Integer> hosts = bringUp().hosts();
        List<Integer> members = List.of(hosts.get(3), hosts.get(9), hosts.get(14));
        members.forEach(port -> join(OTHER, port));
        harness.restart();
        harness.memberships.keepVanished(() -> TimeUnit.MINUTES.toNanos(5));
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countSets(MFT)).as("nothing is written").isZero();
        assertDelivers(harness, OTHER_MLID, members, members);

        Gid another = new Gid(OTHER.prefix(), 77);
        join(another, hosts.get(0));
        assertThat(mlidOf(another)).as("its maker was no member there").isEqualTo(OTHER_MLID + 1);
        join(OTHER, members.get(1));
        assertThat(mlidOf(OTHER)).isEqualTo(OTHER_MLID);
        assertDelivers(harness, OTHER_MLID, members, members);
        harness.awaitRest();
        assertDelivers(harness, OTHER_MLID, members, members);

        harness.loop.runFor(TimeUnit.MINUTES.toNanos(6));
        assertThat(harness.memberships.view().inherited()).isEmpty();
        assertDelivers(harness, OTHER_MLID, members.subList(1, 2), members.subList(1, 2));
    }

    /** An SM with records needs no such entries. */
    @Test
    void entriesWithoutRecordsGoIfThereAreRecords() {
        List<Integer> hosts = bringUp().hosts();
        List.of(hosts.get(3), hosts.get(9)).forEach(port -> join(OTHER, port));
        List.of(hosts.get(4), hosts.get(5)).forEach(port -> join(MulticastGroups.BROADCAST, port));
        List<MulticastGroup> known = List.of(harness.memberships.view().groups().get(0));
        harness.restart();
        harness.memberships.complete(known, Gid.DEFAULT_PREFIX);
        harness.sweep();
        assertThat(Devices.groupEntries(harness, OTHER_MLID)).isEmpty();
        assertDelivers(harness, BROADCAST_MLID, List.of(hosts.get(4)), List.of(hosts.get(5)));
    }

    private int mlidOf(Gid mgid) {
        return harness.memberships.view().groups().stream()
                .filter(group -> group.mgid().equals(mgid))
                .mapToInt(MulticastGroup::mlid)
                .sum();
    }
}
