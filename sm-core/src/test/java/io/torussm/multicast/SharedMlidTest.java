package io.torussm.multicast;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.partition.PortKeys;
import io.torussm.testing.LoggedEvents;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * MLIDs of the groups of solicited-node addresses (consolidate_ipv6_snm_req), and of more groups than there
 * are MLIDs.
 */
class SharedMlidTest extends MulticastGroupsCase {
    /** Returns the link-local MGID of a solicited-node address with the default P_Key. */
    private static Gid solicitedNode(long address) {
        return new Gid(0xff12_601b_ffff_0000L, 0x0000_0001_ff00_0000L | address);
    }

    private static RequestBuilder ipGroup(Gid mgid, long guid) {
        return create(mgid, guid).with(MCMemberRecord.Q_KEY, 0x0b1b);
    }

    @Test
    void groupsOfSolicitedNodesHaveOwnMlidsUnlessSharingIsConfigured() {
        send(ipGroup(solicitedNode(1), 1));
        send(ipGroup(solicitedNode(2), 2));
        assertThat(mlids()).containsExactly(0xC000, 0xC001, 0xC002);
        groups.shareMlids(() -> true);
        send(ipGroup(solicitedNode(3), 3));
        assertThat(mlids()).as("with the first of its kind").containsExactly(0xC000, 0xC001, 0xC001, 0xC002);
        assertThat(group(solicitedNode(3)).members()).hasSize(1);
    }

    @Test
    void onlyGroupsOfOneScopeAndPartitionShareAnMlid() {
        groups.shareMlids(() -> true);
        Gid siteLocal = new Gid(0xff15_601b_ffff_0000L, solicitedNode(1).guid());
        Gid siteBroadcast = new Gid(0xff15_401b_ffff_0000L, 0xffff_ffffL);
        Gid notSolicited = new Gid(0xff12_601b_ffff_0000L, 0x0000_0001_fe00_0001L);
        send(ipGroup(siteBroadcast, 9));
        send(ipGroup(solicitedNode(1), 1));
        send(ipGroup(siteLocal, 1));
        assertThat(group(siteLocal).mlid()).isNotEqualTo(group(solicitedNode(1)).mlid());
        assertThat(status(ipGroup(notSolicited, 1).port(PORT_MTU, RATE_20)))
                .as("all MLIDs are in use")
                .isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(status(ipGroup(solicitedNode(0xff_ffff), 1))).isZero();
        assertThat(status(
                        ipGroup(new Gid(0xff15_601b_ffff_0000L, solicitedNode(7).guid()), 1)))
                .isZero();
        assertThat(groups.view().groups()).hasSize(6);
        assertThat(Set.copyOf(mlids())).hasSize(4);
    }

    @Test
    void anMlidIsFreeWhenTheLastOfThoseThatShareItEnds() {
        groups.shareMlids(() -> true);
        send(ipGroup(solicitedNode(1), 1));
        send(ipGroup(solicitedNode(2), 2));
        leave(join(solicitedNode(1), 1, FULL));
        assertThat(mlids()).containsExactly(0xC000, 0xC001);
        send(create(OTHER, 1));
        assertThat(group(OTHER).mlid()).isEqualTo(0xC002);
        leave(join(solicitedNode(2), 2, FULL));
        leave(join(OTHER, 1, FULL));
        send(create(OTHER, 1));
        assertThat(group(OTHER).mlid()).isEqualTo(0xC001);
    }

    @Test
    void anMlidThatIsAskedForIsGivenIfItIsFree() {
        groups.shareMlids(() -> true);
        send(ipGroup(solicitedNode(1), 1));
        send(ipGroup(solicitedNode(2), 2).with(MCMemberRecord.MLID, 0xC003));
        assertThat(group(solicitedNode(2)).mlid()).isEqualTo(0xC003);
        send(ipGroup(solicitedNode(3), 2).with(MCMemberRecord.MLID, 0xC000));
        assertThat(group(solicitedNode(3)).mlid()).as("not free: shared").isEqualTo(0xC001);
    }

    private static Gid other(int number) {
        return new Gid(OTHER.prefix(), number);
    }

    /** Similar groups have the same partition, MTU, rate and SL. The broadcast group shares its MLID with no group. */
    @Test
    void withoutAFreeMlidGroupsShareWithSimilarOnes() {
        try (LoggedEvents log = new LoggedEvents().listen()) {
            send(create(other(1), 1));
            send(create(other(2), 1).with(MCMemberRecord.SL, 8));
            send(create(other(3), 1));
            assertThat(log.of(SmEvent.MLIDS_SHARED)).isEmpty();
            send(create(other(4), 1));
            send(create(other(5), 1));
            send(create(other(6), 1).with(MCMemberRecord.SL, 8));
            assertThat(log.of(SmEvent.MLIDS_SHARED)).hasSize(1);
            assertThat(mlids()).containsExactly(0xC000, 0xC001, 0xC001, 0xC002, 0xC002, 0xC003, 0xC003);
            assertThat(group(other(4)).mlid()).isEqualTo(0xC001);
            assertThat(group(other(5)).mlid()).as("fewer share it").isEqualTo(0xC003);
            assertThat(group(other(6)).mlid()).isEqualTo(0xC002);
            assertThat(status(create(other(7), 1).port(PORT_MTU, RATE_10)))
                    .as("like none")
                    .isEqualTo(MadStatus.SA_NO_RESOURCES);
            leave(join(other(2), 1, FULL));
            assertThat(log.of(SmEvent.MLIDS_SUFFICE)).isEmpty();
            leave(join(other(6), 1, FULL));
            assertThat(log.of(SmEvent.MLIDS_SUFFICE)).hasSize(1);
            MulticastGroups later = new MulticastGroups(() -> LIFE, MAX_MEMBERSHIPS);
            later.add(groups.view().groups(), Gid.DEFAULT_PREFIX);
            later.publish();
            assertThat(later.view()).as("after a restart").isEqualTo(groups.view());
        }
    }

    /** Beyond its share a port reuses its own MLIDs, so that other ports get the remaining ones. */
    @Test
    void onePortCannotTakeAllMlids() {
        try (LoggedEvents log = new LoggedEvents().listen()) {
            for (int number = 1; number <= 5; number++) {
                assertThat(status(create(other(number), 9).countedFor(9))).isZero();
            }
            assertThat(mlids()).containsExactly(0xC000, 0xC001, 0xC001, 0xC001, 0xC002, 0xC002);
            assertThat(status(create(other(6), 9).with(MCMemberRecord.SL, 8).countedFor(9)))
                    .as("like none of its own")
                    .isEqualTo(MadStatus.SA_NO_RESOURCES);
            assertThat(log.only(SmEvent.SHARE_EXHAUSTED).get(EventField.GUID)).endsWith("09");
            assertThat(send(create(other(7), 5).with(MCMemberRecord.SL, 8).countedFor(5))
                            .record()
                            .mlid())
                    .isEqualTo(0xC003);
            for (int number = 1; number <= 5; number++) {
                leave(join(other(number), 9, FULL));
            }
            assertThat(send(create(other(6), 9).with(MCMemberRecord.SL, 8).countedFor(9))
                            .record()
                            .mlid())
                    .as("what it gave back counts no more")
                    .isEqualTo(0xC001);
        }
    }

    /** Each host of a tenant may take half of the MLIDs that the hosts before it left. */
    @Test
    void onePartitionCannotTakeAllMlids() {
        MulticastGroups many = new MulticastGroups(() -> LIFE, 1000);
        many.adopt(new MulticastGroups.Conditions(true, 64, SLS, Gid.DEFAULT_PREFIX), guid -> true);
        try (LoggedEvents log = new LoggedEvents().listen()) {
            for (int number = 0; number < 100; number++) {
                assertThat(many.join(ofTenant(number, 1 + number / 4).request()).status())
                        .isZero();
            }
            many.publish();
            Set<Integer> used =
                    many.view().groups().stream().map(MulticastGroup::mlid).collect(Collectors.toSet());
            assertThat(used)
                    .as("with that of all nodes; more groups share these")
                    .hasSize(33);
            assertThat(log.only(SmEvent.PARTITION_SHARE_EXHAUSTED).get(EventField.KEY))
                    .isEqualTo("0x0010");
            for (int number = 0; number < 100; number++) {
                many.leave(ofTenant(number, 1 + number / 4).request());
            }
            for (int number = 100; number < 163; number++) {
                assertThat(many.join(create(other(number), number)
                                        .countedFor(number)
                                        .request())
                                .record()
                                .mlid())
                        .as("the default partition, and what the tenant gave back")
                        .isEqualTo(0xC001 + number - 100);
            }
        }
    }

    private static RequestBuilder ofTenant(int number, long guid) {
        PortKeys keys = PortKeys.of(0x8010);
        return create(other(number), guid)
                .with(MCMemberRecord.P_KEY, 0x8010)
                .keys(keys, keys)
                .countedFor(guid);
    }

    /**
     * This applies also if the port has left its groups or was never in them: joins by proxy count for the
     * requester.
     */
    @Test
    void aRestartDoesNotRenewTheShareOfAPort() {
        for (int number = 1; number <= 5; number++) {
            assertThat(status(create(other(number), 9).countedFor(9))).isZero();
            send(join(other(number), 1, FULL).countedFor(1));
            leave(join(other(number), 9, FULL));
        }
        send(join(other(1), 2, FULL).by(9).countedFor(9));
        MulticastGroups later = new MulticastGroups(() -> LIFE, MAX_MEMBERSHIPS);
        later.adopt(new MulticastGroups.Conditions(true, CAPACITY, SLS, Gid.DEFAULT_PREFIX), guid -> true);
        later.add(groups.view().groups(), Gid.DEFAULT_PREFIX);
        later.publish();
        assertThat(later.view()).isEqualTo(groups.view());
        MembershipRequest sixth =
                create(other(6), 9).with(MCMemberRecord.SL, 8).countedFor(9).request();
        assertThat(later.join(sixth).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        MembershipRequest ofTheMember =
                create(other(7), 1).with(MCMemberRecord.SL, 8).countedFor(1).request();
        assertThat(later.join(ofTheMember).status()).isZero();
    }

    @Test
    void onePortCannotMakeAllGroups() {
        MulticastGroups many = new MulticastGroups(() -> LIFE, 2 * Mlids.MAX_GROUPS);
        many.adopt(new MulticastGroups.Conditions(true, CAPACITY, SLS, Gid.DEFAULT_PREFIX), guid -> true);
        int made = 0;
        while (many.join(create(other(made), 9).countedFor(9).request()).status() == MadStatus.OK) {
            made++;
        }
        assertThat(made).isEqualTo(Mlids.MAX_GROUPS / 2);
        assertThat(many.join(create(other(-1), 5).countedFor(5).request()).status())
                .isZero();
    }

    @Test
    void thereAreOnlySoManyGroups() {
        MulticastGroups many = new MulticastGroups(() -> LIFE, 2 * Mlids.MAX_GROUPS);
        many.adopt(new MulticastGroups.Conditions(true, CAPACITY, SLS, Gid.DEFAULT_PREFIX), guid -> true);
        try (LoggedEvents log = new LoggedEvents().listen()) {
            for (int number = 1; number < Mlids.MAX_GROUPS; number++) {
                assertThat(many.join(create(other(number), 1).request()).status())
                        .isZero();
            }
            for (int more = 0; more < 2; more++) {
                assertThat(many.join(create(other(-1), 1).request()).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
            }
            assertThat(log.of(SmEvent.GROUPS_REFUSED)).hasSize(1);
            assertThat(many.leave(join(other(9), 1, FULL).request()).status()).isZero();
            assertThat(many.join(create(other(-1), 1).request()).status()).isZero();
        }
    }

    /** Hosts keep sending to the MLIDs that they got earlier, regardless of the present configuration. */
    @Test
    void groupsThatSharedAnMlidShareItAfterARestart() {
        groups.shareMlids(() -> true);
        send(ipGroup(solicitedNode(1), 1));
        send(ipGroup(solicitedNode(2), 2));
        MulticastGroups later = new MulticastGroups(() -> LIFE, MAX_MEMBERSHIPS);
        later.add(groups.view().groups(), Gid.DEFAULT_PREFIX);
        later.publish();
        assertThat(later.view()).isEqualTo(groups.view());
        MulticastGroup impostor = new MulticastGroup(
                group(solicitedNode(1))
                        .record()
                        .with(MCMemberRecord.MGID, OTHER)
                        .with(MCMemberRecord.SL, 8),
                group(solicitedNode(1)).members());
        later.add(List.of(impostor), Gid.DEFAULT_PREFIX);
        later.publish();
        assertThat(later.view()).as("another kind of group").isEqualTo(groups.view());
    }

    /**
     * A new master SM declares its groups in its own order; switches and hosts use the MLIDs of the previous
     * one.
     */
    @Test
    void declaredGroupsTakeTheMlidsThatTheyHadWithAnotherSm() {
        int mine = group(MulticastGroups.BROADCAST).mlid();
        MulticastGroup its = new MulticastGroup(
                group(MulticastGroups.BROADCAST).record().with(MCMemberRecord.MLID, mine + 2),
                List.of(new MulticastGroup.Member(new Gid(Gid.DEFAULT_PREFIX, 7), FULL, false)));
        MulticastGroup atMine = new MulticastGroup(
                its.record().with(MCMemberRecord.MGID, OTHER).with(MCMemberRecord.MLID, mine), its.members());
        MulticastGroups later = new MulticastGroups(() -> LIFE, MAX_MEMBERSHIPS);
        later.add(List.of(atMine, its), Gid.DEFAULT_PREFIX);
        later.publish();
        assertThat(later.view().groups())
                .extracting(MulticastGroup::mgid)
                .containsExactly(OTHER, MulticastGroups.BROADCAST);
        assertThat(later.view().groups()).extracting(MulticastGroup::mlid).containsExactly(mine, mine + 2);

        MulticastGroups elsewhere = new MulticastGroups(() -> LIFE, MAX_MEMBERSHIPS);
        elsewhere.add(List.of(atMine), Gid.DEFAULT_PREFIX);
        elsewhere.publish();
        assertThat(elsewhere.view().groups())
                .extracting(MulticastGroup::mlid)
                .as("it gives way")
                .containsExactly(mine, mine + 1);
        elsewhere.forget();
        elsewhere.publish();
        assertThat(elsewhere.view().groups())
                .extracting(MulticastGroup::mgid)
                .as("and stays declared")
                .containsExactly(MulticastGroups.BROADCAST);
    }
}
