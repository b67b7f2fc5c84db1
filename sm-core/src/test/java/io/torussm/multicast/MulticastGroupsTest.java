package io.torussm.multicast;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.MCMemberRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The requirements for joining and leaving, one by one, with the limits of {@link MulticastGroupsCase}. The broadcast
 * group has MLID 0xc000, the first other group 0xc001.
 */
class MulticastGroupsTest extends MulticastGroupsCase {
    @Test
    void theBroadcastGroupExistsFromTheStart() {
        assertThat(groups.view().groups()).hasSize(1);
        MCMemberRecord record = group(MulticastGroups.BROADCAST).record();
        assertThat(record)
                .isEqualTo(MCMemberRecord.TYPE
                        .zero()
                        .with(MCMemberRecord.MGID, new Gid(0xff12401bffff0000L, 0xffffffffL))
                        .with(MCMemberRecord.Q_KEY, 0x0b1b)
                        .with(MCMemberRecord.MLID, 0xc000)
                        .with(MCMemberRecord.MTU_SELECTOR, 2)
                        .with(MCMemberRecord.MTU, 4)
                        .with(MCMemberRecord.P_KEY, 0xffff)
                        .with(MCMemberRecord.RATE_SELECTOR, 2)
                        .with(MCMemberRecord.RATE, 3)
                        .with(MCMemberRecord.PACKET_LIFE_TIME_SELECTOR, 2)
                        .with(MCMemberRecord.PACKET_LIFE_TIME, LIFE)
                        .with(MCMemberRecord.SCOPE, 2));
    }

    @Test
    void aJoinIsAnsweredWithTheGroupsValuesAndTheMembersStates() {
        MembershipReply first = send(join(MulticastGroups.BROADCAST, 5, MCMemberRecord.NON_MEMBER));
        assertThat(first.isGranted()).isTrue();
        MembershipReply second = send(join(MulticastGroups.BROADCAST, 5, FULL));
        assertThat(second.record())
                .isEqualTo(group(MulticastGroups.BROADCAST)
                        .record()
                        .with(MCMemberRecord.PORT_GID, new Gid(Gid.DEFAULT_PREFIX, 5))
                        .with(MCMemberRecord.JOIN_STATE, 3));
        assertThat(group(MulticastGroups.BROADCAST).members())
                .containsExactly(new MulticastGroup.Member(new Gid(Gid.DEFAULT_PREFIX, 5), 3, false, 0));
    }

    @Test
    void onlyTheBroadcastGroupStaysWithoutFullMembers() {
        send(join(MulticastGroups.BROADCAST, 5, FULL));
        send(create(OTHER, 5));
        send(join(OTHER, 6, MCMemberRecord.NON_MEMBER));
        leave(join(MulticastGroups.BROADCAST, 5, FULL));
        assertThat(mlids()).containsExactly(0xc000, 0xc001);
        leave(join(OTHER, 5, FULL));
        assertThat(mlids()).containsExactly(0xc000);
        assertThat(status(join(OTHER, 6, MCMemberRecord.NON_MEMBER))).isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @Test
    void aSendOnlyFullMemberKeepsAGroup() {
        send(create(OTHER, 5));
        send(join(OTHER, 6, MCMemberRecord.SEND_ONLY_FULL_MEMBER));
        leave(join(OTHER, 5, FULL));
        assertThat(mlids()).containsExactly(0xc000, 0xc001);
    }

    @Test
    void theLowestFreeMlidIsTakenUnlessAFreeOneIsAskedFor() {
        Gid[] mgids = new Gid[5];
        for (int i = 0; i < mgids.length; i++) {
            mgids[i] = new Gid(OTHER.prefix(), 100 + i);
        }
        send(create(mgids[0], 5));
        send(create(mgids[1], 5));
        assertThat(mlids()).containsExactly(0xc000, 0xc001, 0xc002);
        leave(join(mgids[0], 5, FULL));
        assertThat(send(create(mgids[2], 5)).record().mlid()).isEqualTo(0xc001);
        assertThat(send(create(mgids[3], 5).with(MCMemberRecord.MLID, 0xc001))
                        .record()
                        .mlid())
                .as("taken")
                .isEqualTo(0xc003);
        assertThat(status(create(mgids[4], 5).with(MCMemberRecord.SL, 8)))
                .as("capacity")
                .isEqualTo(MadStatus.SA_NO_RESOURCES);
        leave(join(mgids[1], 5, FULL));
        leave(join(mgids[3], 5, FULL));
        assertThat(send(create(mgids[4], 5).with(MCMemberRecord.MLID, 0xc003))
                        .record()
                        .mlid())
                .isEqualTo(0xc003);
        leave(join(mgids[4], 5, FULL));
        assertThat(send(create(mgids[4], 5).with(MCMemberRecord.MLID, 0xc004))
                        .record()
                        .mlid())
                .as("beyond what switches have")
                .isEqualTo(0xc002);
    }

    /** A port may join other ports by proxy, but may take half of all memberships only. */
    @Test
    void onePortCannotTakeAllMemberships() {
        for (int guid = 1; guid <= MAX_MEMBERSHIPS / 2; guid++) {
            assertThat(status(join(MulticastGroups.BROADCAST, guid, FULL).by(9).countedFor(9)))
                    .isZero();
        }
        assertThat(status(join(MulticastGroups.BROADCAST, 8, FULL).by(9).countedFor(9)))
                .isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(status(join(MulticastGroups.BROADCAST, 8, FULL).countedFor(8)))
                .isZero();
        leave(join(MulticastGroups.BROADCAST, 1, FULL));
        assertThat(status(join(MulticastGroups.BROADCAST, 9, FULL).countedFor(9)))
                .isZero();
    }

    @Test
    void anOwnJoinEndsAProxysSay() {
        send(join(MulticastGroups.BROADCAST, 5, FULL).by(9));
        send(join(MulticastGroups.BROADCAST, 5, FULL));
        assertThat(group(MulticastGroups.BROADCAST).members().get(0).isProxy()).isFalse();
        assertThat(leave(join(MulticastGroups.BROADCAST, 5, FULL).by(9)).status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(leave(join(MulticastGroups.BROADCAST, 5, FULL)).status()).isZero();
    }

    @Test
    void membershipsAreBounded() {
        for (int guid = 1; guid <= MAX_MEMBERSHIPS; guid++) {
            assertThat(status(join(MulticastGroups.BROADCAST, guid, FULL))).isZero();
        }
        assertThat(status(join(MulticastGroups.BROADCAST, 99, FULL))).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(status(create(OTHER, 1))).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(mlids()).containsExactly(0xc000);
        assertThat(status(join(MulticastGroups.BROADCAST, 1, 2))).as("a member").isZero();
        leave(join(MulticastGroups.BROADCAST, 1, 3));
        assertThat(status(join(MulticastGroups.BROADCAST, 99, FULL))).isZero();
    }

    /** When a group ends, its members no longer count. */
    @Test
    void groupsThatEndGiveTheirMembershipsBack() {
        for (int round = 0; round < MAX_MEMBERSHIPS; round++) {
            assertThat(status(create(OTHER, 5))).isZero();
            assertThat(status(join(OTHER, 6, MCMemberRecord.NON_MEMBER))).isZero();
            leave(join(OTHER, 5, FULL));
            send(create(OTHER, 5));
            send(join(OTHER, 6, MCMemberRecord.NON_MEMBER));
            adopt(0, SLS);
        }
        assertThat(status(join(MulticastGroups.BROADCAST, 5, FULL))).isZero();
    }

    @Test
    void portsThatVanishLeave() {
        send(join(MulticastGroups.BROADCAST, 5, FULL));
        send(join(MulticastGroups.BROADCAST, 6, FULL));
        send(create(OTHER, 5));
        adopt(6, SLS);
        assertThat(mlids()).containsExactly(0xc000);
        assertThat(group(MulticastGroups.BROADCAST).members())
                .extracting(member -> member.portGid().guid())
                .containsExactly(6L);
    }

    @Test
    void aJoinWithoutJoinStateIsRefused() {
        assertThat(status(join(MulticastGroups.BROADCAST, 5, 0))).isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @Test
    void aProxyJoinsOthersAndAnyPortMayChangeItsMemberships() {
        MembershipReply reply = send(join(MulticastGroups.BROADCAST, 5, FULL).by(9));
        assertThat(reply.record().get(MCMemberRecord.PROXY_JOIN)).isEqualTo(1);
        assertThat(status(join(MulticastGroups.BROADCAST, 5, 2).by(8))).isZero();
        assertThat(leave(join(MulticastGroups.BROADCAST, 5, 3).by(7)).status()).isZero();
        assertThat(group(MulticastGroups.BROADCAST).members()).isEmpty();
    }

    @Test
    void aProxyCannotChangeAMembershipThatAPortMadeItself() {
        send(join(MulticastGroups.BROADCAST, 5, FULL));
        assertThat(status(join(MulticastGroups.BROADCAST, 5, 2).by(8))).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(leave(join(MulticastGroups.BROADCAST, 5, FULL).by(8)).status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(group(MulticastGroups.BROADCAST).members()).hasSize(1);
    }

    @Test
    void leavingTakesBitsAwayAndReportsTheRest() {
        send(join(MulticastGroups.BROADCAST, 5, 3));
        MembershipReply some = leave(join(MulticastGroups.BROADCAST, 5, FULL));
        assertThat(some.record().joinState()).isEqualTo(2);
        assertThat(some.record().mlid()).isEqualTo(0xc000);
        MembershipReply all = leave(join(MulticastGroups.BROADCAST, 5, 2));
        assertThat(all.record())
                .isEqualTo(MCMemberRecord.TYPE
                        .zero()
                        .with(MCMemberRecord.MGID, MulticastGroups.BROADCAST)
                        .with(MCMemberRecord.PORT_GID, new Gid(Gid.DEFAULT_PREFIX, 5))
                        .with(MCMemberRecord.MTU_SELECTOR, 2)
                        .with(MCMemberRecord.RATE_SELECTOR, 2)
                        .with(MCMemberRecord.PACKET_LIFE_TIME_SELECTOR, 2)
                        .with(MCMemberRecord.SCOPE, 2));
    }

    @Test
    void aPortThatIsNotAMemberCannotLeave() {
        send(join(MulticastGroups.BROADCAST, 5, FULL));
        for (RequestBuilder ask : List.of(
                join(OTHER, 5, FULL),
                join(MulticastGroups.BROADCAST, 6, FULL),
                join(MulticastGroups.BROADCAST, 5, 2),
                join(MulticastGroups.BROADCAST, 5, 3),
                join(MulticastGroups.BROADCAST, 5, 0))) {
            assertThat(leave(ask).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        }
    }

    @Test
    void withoutATreeNoPortJoinsButAnyPortLeaves() {
        send(join(MulticastGroups.BROADCAST, 5, FULL));
        groups.adopt(new MulticastGroups.Conditions(false, CAPACITY, SLS, Gid.DEFAULT_PREFIX), guid -> true);
        assertThat(status(join(MulticastGroups.BROADCAST, 6, FULL))).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(leave(join(MulticastGroups.BROADCAST, 5, FULL)).status()).isZero();
    }

    @Test
    void aViewDoesNotChangeAndSaysWhatDidSinceTheLast() {
        send(create(OTHER, 5));
        MulticastView before = groups.view();
        groups.join(join(OTHER, 6, FULL).port(PORT_MTU, RATE_40).request());
        groups.join(join(OTHER, 7, FULL).port(PORT_MTU, RATE_10).request());
        assertThat(groups.view()).isSameAs(before);
        assertThat(groups.publish().stream().toArray()).containsExactly(1);
        assertThat(before.groups().get(1).members()).hasSize(1);
        assertThat(groups.view().groups().get(1).members()).hasSize(2);
        assertThat(groups.view().groups().get(0)).isSameAs(before.groups().get(0));
        groups.join(join(OTHER, 6, FULL).request());
        assertThat(groups.publish().isEmpty()).as("nothing new").isTrue();
    }
}
