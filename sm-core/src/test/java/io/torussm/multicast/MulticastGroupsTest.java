package io.torussm.multicast;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.partition.PortKeys;
import io.torussm.partition.WellKnownGroup;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of joining and leaving, one by one. */
class MulticastGroupsTest {
    private static final int LIFE = 18;
    private static final int MAX_MEMBERSHIPS = 12;
    private static final int CAPACITY = 4;
    private static final int SLS = 0x0101;
    private static final int PORT_MTU = 4;
    private static final int RATE_10 = 3;
    private static final int RATE_20 = 6;
    private static final int RATE_40 = 7;
    private static final Gid OTHER = new Gid(0xff12_1234_0000_0000L, 1);
    private static final int FULL = MCMemberRecord.FULL_MEMBER;

    private final MulticastGroups groups = new MulticastGroups(() -> LIFE, MAX_MEMBERSHIPS);

    @BeforeEach
    void on() {
        groups.adopt(new MulticastGroups.Conditions(true, CAPACITY, SLS, Gid.DEFAULT_PREFIX), guid -> true);
    }

    /** A request under construction. */
    private static final class Ask {
        private MCMemberRecord record = MCMemberRecord.TYPE.zero();
        private long mask;
        private long requester;
        private int rate = RATE_40;
        private int mtu = PORT_MTU;
        private PortKeys portKeys = PortKeys.of(0xffff);
        private PortKeys requesterKeys = PortKeys.of(0xffff);

        Ask with(Field field, long value) {
            record = record.with(field, value);
            mask |= MCMemberRecord.COMPONENTS.bit(field);
            return this;
        }

        Ask with(Field field, Gid value) {
            record = record.with(field, value);
            mask |= MCMemberRecord.COMPONENTS.bit(field);
            return this;
        }

        Ask without(Field field) {
            mask &= ~MCMemberRecord.COMPONENTS.bit(field);
            return this;
        }

        Ask by(long guid) {
            requester = guid;
            return this;
        }

        Ask port(int newMtu, int newRate) {
            mtu = newMtu;
            rate = newRate;
            return this;
        }

        /** The P_Keys of the port, and of whoever asks for it. */
        Ask keys(PortKeys ofPort, PortKeys ofRequester) {
            portKeys = ofPort;
            requesterKeys = ofRequester;
            return this;
        }

        MembershipRequest request() {
            return new MembershipRequest(record, mask, requester, mtu, rate, portKeys, requesterKeys);
        }
    }

    private static Ask join(Gid mgid, long guid, int joinState) {
        return new Ask()
                .by(guid)
                .with(MCMemberRecord.MGID, mgid)
                .with(MCMemberRecord.PORT_GID, new Gid(Gid.DEFAULT_PREFIX, guid))
                .with(MCMemberRecord.JOIN_STATE, joinState);
    }

    private static Ask create(Gid mgid, long guid) {
        return join(mgid, guid, FULL)
                .with(MCMemberRecord.Q_KEY, 7)
                .with(MCMemberRecord.T_CLASS, 0)
                .with(MCMemberRecord.P_KEY, 0xffff)
                .with(MCMemberRecord.FLOW_LABEL, 0)
                .with(MCMemberRecord.SL, 0);
    }

    private MembershipReply ask(Ask ask) {
        MembershipReply reply = groups.join(ask.request());
        groups.publish();
        return reply;
    }

    private MembershipReply leave(Ask ask) {
        MembershipReply reply = groups.leave(ask.request());
        groups.publish();
        return reply;
    }

    private int status(Ask ask) {
        return ask(ask).status();
    }

    private List<Integer> mlids() {
        return groups.view().groups().stream().map(MulticastGroup::mlid).toList();
    }

    private MulticastGroup group(Gid mgid) {
        return groups.view().groups().stream()
                .filter(each -> each.mgid().equals(mgid))
                .findFirst()
                .orElseThrow();
    }

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
        MembershipReply first = ask(join(MulticastGroups.BROADCAST, 5, MCMemberRecord.NON_MEMBER));
        assertThat(first.isGranted()).isTrue();
        MembershipReply second = ask(join(MulticastGroups.BROADCAST, 5, FULL));
        assertThat(second.record())
                .isEqualTo(group(MulticastGroups.BROADCAST)
                        .record()
                        .with(MCMemberRecord.PORT_GID, new Gid(Gid.DEFAULT_PREFIX, 5))
                        .with(MCMemberRecord.JOIN_STATE, 3));
        assertThat(group(MulticastGroups.BROADCAST).members())
                .containsExactly(new MulticastGroup.Member(new Gid(Gid.DEFAULT_PREFIX, 5), 3, false));
    }

    @Test
    void theBroadcastGroupStaysWithoutMembersAndOthersEndWithTheirLastFullMember() {
        ask(join(MulticastGroups.BROADCAST, 5, FULL));
        ask(create(OTHER, 5));
        ask(join(OTHER, 6, MCMemberRecord.NON_MEMBER));
        leave(join(MulticastGroups.BROADCAST, 5, FULL));
        assertThat(mlids()).containsExactly(0xc000, 0xc001);
        leave(join(OTHER, 5, FULL));
        assertThat(mlids()).containsExactly(0xc000);
        assertThat(status(join(OTHER, 6, MCMemberRecord.NON_MEMBER))).isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @Test
    void aSendOnlyFullMemberKeepsAGroup() {
        ask(create(OTHER, 5));
        ask(join(OTHER, 6, MCMemberRecord.SEND_ONLY_FULL_MEMBER));
        leave(join(OTHER, 5, FULL));
        assertThat(mlids()).containsExactly(0xc000, 0xc001);
    }

    @Test
    void theLowestFreeMlidIsTakenUnlessAFreeOneIsAskedFor() {
        Gid[] mgids = new Gid[5];
        for (int i = 0; i < mgids.length; i++) {
            mgids[i] = new Gid(OTHER.prefix(), 100 + i);
        }
        ask(create(mgids[0], 5));
        ask(create(mgids[1], 5));
        assertThat(mlids()).containsExactly(0xc000, 0xc001, 0xc002);
        leave(join(mgids[0], 5, FULL));
        assertThat(ask(create(mgids[2], 5)).record().mlid()).isEqualTo(0xc001);
        assertThat(ask(create(mgids[3], 5).with(MCMemberRecord.MLID, 0xc001))
                        .record()
                        .mlid())
                .as("taken")
                .isEqualTo(0xc003);
        assertThat(status(create(mgids[4], 5))).as("capacity").isEqualTo(MadStatus.SA_NO_RESOURCES);
        leave(join(mgids[1], 5, FULL));
        leave(join(mgids[3], 5, FULL));
        assertThat(ask(create(mgids[4], 5).with(MCMemberRecord.MLID, 0xc003))
                        .record()
                        .mlid())
                .isEqualTo(0xc003);
        leave(join(mgids[4], 5, FULL));
        assertThat(ask(create(mgids[4], 5).with(MCMemberRecord.MLID, 0xc004))
                        .record()
                        .mlid())
                .as("beyond what switches have")
                .isEqualTo(0xc002);
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

    /** Members that go with their group are not counted any more either. */
    @Test
    void groupsThatEndGiveTheirMembershipsBack() {
        for (int round = 0; round < MAX_MEMBERSHIPS; round++) {
            assertThat(status(create(OTHER, 5))).isZero();
            assertThat(status(join(OTHER, 6, MCMemberRecord.NON_MEMBER))).isZero();
            leave(join(OTHER, 5, FULL));
            ask(create(OTHER, 5));
            ask(join(OTHER, 6, MCMemberRecord.NON_MEMBER));
            adopt(0, SLS);
        }
        assertThat(status(join(MulticastGroups.BROADCAST, 5, FULL))).isZero();
    }

    private void adopt(long survivor, int sls) {
        groups.adopt(new MulticastGroups.Conditions(true, CAPACITY, sls, Gid.DEFAULT_PREFIX), guid -> guid == survivor);
        groups.publish();
    }

    @Test
    void portsThatVanishLeave() {
        ask(join(MulticastGroups.BROADCAST, 5, FULL));
        ask(join(MulticastGroups.BROADCAST, 6, FULL));
        ask(create(OTHER, 5));
        adopt(6, SLS);
        assertThat(mlids()).containsExactly(0xc000);
        assertThat(group(MulticastGroups.BROADCAST).members())
                .extracting(member -> member.portGid().guid())
                .containsExactly(6L);
    }

    @ParameterizedTest
    @CsvSource({"Q_Key", "TClass", "P_Key", "FlowLabel", "SL"})
    void creatingNeedsComponents(String name) {
        Field field = field(name);
        assertThat(status(create(OTHER, 5).without(field))).isEqualTo(MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS);
        assertThat(status(create(OTHER, 5))).isZero();
    }

    private static Field field(String name) {
        return MCMemberRecord.COMPONENTS.components().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"0, 0x200", "1, 0", "2, 0x200", "4, 0x200", "8, 0", "9, 0", "6, 0x200"})
    void onlyFullMembersCreate(int joinState, String expected) {
        assertThat(status(create(OTHER, 5).with(MCMemberRecord.JOIN_STATE, joinState)))
                .isEqualTo(Integer.decode(expected));
    }

    @Test
    void whoJoinsInNoWayDoesNotJoin() {
        assertThat(status(join(MulticastGroups.BROADCAST, 5, 0))).isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @ParameterizedTest
    @CsvSource({
        "Q_Key, 0x0b1b, 7",
        "TClass, 0, 1",
        "SL, 0, 8",
        "FlowLabel, 0, 1",
        "HopLimit, 0, 1",
        "P_Key, 0x7fff, 0xfffe"
    })
    void whatAJoinGivesMustBeTheGroups(String name, String same, String other) {
        assertThat(status(join(MulticastGroups.BROADCAST, 5, FULL).with(field(name), Integer.decode(same))))
                .isZero();
        assertThat(status(join(MulticastGroups.BROADCAST, 6, FULL).with(field(name), Integer.decode(other))))
                .isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    /** The broadcast group has MTU code 4 and rate code 3, 10 Gb/s; code 2 is slower, code 5 (5 Gb/s) is too. */
    @ParameterizedTest
    @CsvSource({
        "MTU, 0, 3, true", "MTU, 0, 4, false", "MTU, 1, 5, true", "MTU, 1, 4, false", "MTU, 2, 4, true",
        "MTU, 2, 3, false", "MTU, 3, 1, true", "Rate, 0, 2, true", "Rate, 0, 5, true", "Rate, 0, 3, false",
        "Rate, 1, 6, true", "Rate, 1, 5, false", "Rate, 2, 3, true", "Rate, 2, 5, false", "Rate, 3, 2, true",
        "Rate, 2, 0, false", "Rate, 0, 63, false"
    })
    void selectorsOfAJoinMustBeMet(String name, int selector, int value, boolean isMet) {
        Ask ask = join(MulticastGroups.BROADCAST, 5, FULL)
                .with(field(name), value)
                .with(field(name + "Selector"), selector);
        assertThat(status(ask)).isEqualTo(isMet ? MadStatus.OK : MadStatus.SA_REQ_INVALID);
    }

    @ParameterizedTest
    @CsvSource({"4, 3, true", "3, 7, false", "5, 7, true", "4, 2, false", "4, 5, false", "4, 6, true"})
    void thePortMustKeepUpWithTheGroup(int mtu, int rate, boolean isFit) {
        Ask ask = join(MulticastGroups.BROADCAST, 5, FULL).port(mtu, rate);
        assertThat(status(ask)).isEqualTo(isFit ? MadStatus.OK : MadStatus.SA_REQ_INVALID);
        assertThat(group(MulticastGroups.BROADCAST).members()).hasSize(isFit ? 1 : 0);
    }

    /** A port of 40 Gb/s and MTU code 4; -1: refused. */
    @ParameterizedTest
    @CsvSource({
        "MTU, 0, 3, 4",
        "MTU, 0, 4, -1",
        "MTU, 1, 3, 2",
        "MTU, 1, 5, 4",
        "MTU, 1, 1, -1",
        "MTU, 2, 2, 2",
        "MTU, 2, 5, -1",
        "MTU, 3, 1, 4",
        "MTU, 2, 0, -1",
        "MTU, 2, 6, -1",
        "Rate, 0, 6, 7",
        "Rate, 0, 7, -1",
        "Rate, 1, 3, 5",
        "Rate, 1, 9, 7",
        "Rate, 1, 2, -1",
        "Rate, 2, 5, 5",
        "Rate, 2, 9, -1",
        "Rate, 3, 2, 7",
        "Rate, 2, 1, -1",
        "PacketLifeTime, 0, 5, 18",
        "PacketLifeTime, 0, 20, 21",
        "PacketLifeTime, 0, 63, -1",
        "PacketLifeTime, 1, 10, 9",
        "PacketLifeTime, 1, 0, -1",
        "PacketLifeTime, 2, 3, 3",
        "PacketLifeTime, 3, 3, 18"
    })
    void aNewGroupGetsWhatTheSelectorsSay(String name, int selector, int value, int expected) {
        MembershipReply reply = ask(create(OTHER, 5).with(field(name), value).with(field(name + "Selector"), selector));
        if (expected < 0) {
            assertThat(reply.status()).isEqualTo(MadStatus.SA_REQ_INVALID);
            assertThat(mlids()).containsExactly(0xc000);
        } else {
            assertThat(reply.status()).isZero();
            assertThat(reply.record().get(field(name))).isEqualTo(expected);
            assertThat(reply.record().get(field(name + "Selector"))).isEqualTo(PathRecord.EXACTLY);
        }
    }

    @Test
    void aNewGroupGetsTheBestThatItsPortCan() {
        MCMemberRecord record = ask(create(OTHER, 5).port(5, RATE_20)).record();
        assertThat(record.mtu()).isEqualTo(5);
        assertThat(record.rate()).isEqualTo(RATE_20);
        assertThat(record.get(MCMemberRecord.HOP_LIMIT)).as("link-local").isZero();
        assertThat(record.get(MCMemberRecord.SCOPE)).isEqualTo(2);
        Gid global = new Gid(0xff1e_1234_0000_0000L, 1);
        assertThat(ask(create(global, 5)).record().get(MCMemberRecord.HOP_LIMIT))
                .isEqualTo(255);
    }

    @ParameterizedTest
    @CsvSource({
        "ff12123400000000, true", "fe12123400000000, false", "ff32123400000000, false", "ff02123400000000, true",
        "ff12a01b00000000, false", "ff15a01b00000000, true", "ff12401bffff0000, true", "ff12601bffff0000, true",
        "ff15401bffff0000, false", "ff12401bfffe0000, false"
    })
    void mgidsMustBeWellFormedAndThoseOfIpoibHaveABroadcastGroup(String prefix, boolean isGood) {
        Ask ask = create(new Gid(Long.parseUnsignedLong(prefix, 16), 1), 5).with(MCMemberRecord.Q_KEY, 0x0b1b);
        assertThat(status(ask)).isEqualTo(isGood ? MadStatus.OK : MadStatus.SA_REQ_INVALID);
    }

    @Test
    void groupsOfIpoibAreLikeTheirBroadcastGroup() {
        Gid ipv6 = new Gid(0xff12_601b_ffff_0000L, 1);
        assertThat(status(create(ipv6, 5))).as("Q_Key 7").isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(status(create(ipv6, 5).with(MCMemberRecord.Q_KEY, 0x0b1b))).isZero();
    }

    @Test
    void anMgidIsMadeUpForWhoHasNone() {
        Gid none = new Gid(0, 0);
        Gid first = ask(create(none, 5)).record().mgid();
        Gid second =
                ask(create(none, 5).with(MCMemberRecord.SCOPE, 0xe)).record().mgid();
        assertThat(first).isEqualTo(new Gid(0xff12_a01b_fe80_0000L, 1));
        assertThat(second).isEqualTo(new Gid(0xff1e_a01b_fe80_0000L, 2));
        assertThat(status(join(first, 6, FULL))).isZero();
    }

    @Test
    void anSlThatTheRoutingCannotCarryIsRefused() {
        assertThat(status(create(OTHER, 5).with(MCMemberRecord.SL, 1))).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(status(create(OTHER, 5).with(MCMemberRecord.SL, 8))).isZero();
    }

    @Test
    void aGroupWhoseSlIsNotAllowedAnyMoreTakesNobodyIn() {
        ask(create(OTHER, 5).with(MCMemberRecord.SL, 8));
        adopt(5, 1);
        assertThat(status(join(OTHER, 5, FULL))).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(leave(join(OTHER, 5, FULL)).status()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0xffff, 0", "0x7fff, 0", "0x8001, 0x200", "0x8000, 0x200", "0, 0x200"})
    void thePortMustBeInThePartition(String pKey, String expected) {
        assertThat(status(create(OTHER, 5).with(MCMemberRecord.P_KEY, Integer.decode(pKey))))
                .isEqualTo(Integer.decode(expected));
    }

    @Test
    void aProxyJoinsOthersAndAnyoneMayChangeWhatAProxyMade() {
        MembershipReply reply = ask(join(MulticastGroups.BROADCAST, 5, FULL).by(9));
        assertThat(reply.record().get(MCMemberRecord.PROXY_JOIN)).isEqualTo(1);
        assertThat(status(join(MulticastGroups.BROADCAST, 5, 2).by(8))).isZero();
        assertThat(leave(join(MulticastGroups.BROADCAST, 5, 3).by(7)).status()).isZero();
        assertThat(group(MulticastGroups.BROADCAST).members()).isEmpty();
    }

    @Test
    void nobodyElseChangesAMembershipThatAPortMadeItself() {
        ask(join(MulticastGroups.BROADCAST, 5, FULL));
        assertThat(status(join(MulticastGroups.BROADCAST, 5, 2).by(8))).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(leave(join(MulticastGroups.BROADCAST, 5, FULL).by(8)).status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(group(MulticastGroups.BROADCAST).members()).hasSize(1);
    }

    @Test
    void leavingTakesBitsAwayAndTellsWhatIsLeft() {
        ask(join(MulticastGroups.BROADCAST, 5, 3));
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
    void whatNobodyIsInNobodyLeaves() {
        ask(join(MulticastGroups.BROADCAST, 5, FULL));
        for (Ask ask : List.of(
                join(OTHER, 5, FULL),
                join(MulticastGroups.BROADCAST, 6, FULL),
                join(MulticastGroups.BROADCAST, 5, 2),
                join(MulticastGroups.BROADCAST, 5, 3),
                join(MulticastGroups.BROADCAST, 5, 0))) {
            assertThat(leave(ask).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        }
    }

    @Test
    void withoutATreeNobodyJoinsButAnyoneLeaves() {
        ask(join(MulticastGroups.BROADCAST, 5, FULL));
        groups.adopt(new MulticastGroups.Conditions(false, CAPACITY, SLS, Gid.DEFAULT_PREFIX), guid -> true);
        assertThat(status(join(MulticastGroups.BROADCAST, 6, FULL))).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(leave(join(MulticastGroups.BROADCAST, 5, FULL)).status()).isZero();
    }

    @Test
    void aViewDoesNotChangeAndSaysWhatDidSinceTheLast() {
        ask(create(OTHER, 5));
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

    private static final PortKeys FULL_OF_1 = PortKeys.of(0x7fff, 0x8001);
    private static final PortKeys LIMITED_OF_1 = PortKeys.of(0x7fff, 1);
    private static final PortKeys NOT_IN_1 = PortKeys.of(0xffff);

    private Ask createIn1(long guid, PortKeys keys) {
        return create(OTHER, guid).with(MCMemberRecord.P_KEY, 0x8001).keys(keys, keys);
    }

    @Test
    void onlyPortsOfThePartitionOfAGroupMakeOrJoinIt() {
        assertThat(status(createIn1(5, NOT_IN_1))).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(status(createIn1(5, LIMITED_OF_1))).isZero();
        assertThat(status(join(OTHER, 6, FULL).keys(NOT_IN_1, NOT_IN_1))).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(status(join(OTHER, 6, FULL).keys(FULL_OF_1, FULL_OF_1))).isZero();
    }

    @Test
    void aProxySharesAPartitionWithThePortThatItJoins() {
        assertThat(status(createIn1(5, FULL_OF_1))).isZero();
        Ask byStranger = join(OTHER, 6, FULL).by(7).keys(FULL_OF_1, PortKeys.of(0x8002));
        assertThat(status(byStranger)).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(status(join(OTHER, 6, FULL).by(7).keys(FULL_OF_1, PortKeys.of(0x8001))))
                .isZero();
        assertThat(leave(join(OTHER, 6, FULL).by(8).keys(FULL_OF_1, PortKeys.of(0x8002)))
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(leave(join(OTHER, 6, FULL).by(8).keys(FULL_OF_1, LIMITED_OF_1))
                        .status())
                .isZero();
    }

    private static WellKnownGroup declared(int mtu) {
        return new WellKnownGroup(OTHER, 0x8001, mtu, 3, 8, 0xdeadbeef, 9, 0xabcde, "p.conf:3");
    }

    private void declare(WellKnownGroup... all) {
        groups.declare(List.of(all));
        groups.publish();
    }

    @Test
    void aDeclaredGroupHasItsValuesAndOutlivesItsMembers() {
        declare(declared(5));
        MCMemberRecord record = group(OTHER).record();
        assertThat(record.mlid()).as("the broadcast group is declared no more").isEqualTo(0xc000);
        assertThat(mlids()).containsExactly(0xc000);
        assertThat(record.mtu()).isEqualTo(5);
        assertThat(record.get(MCMemberRecord.Q_KEY)).isEqualTo(0xdeadbeefL);
        assertThat(record.get(MCMemberRecord.T_CLASS)).isEqualTo(9);
        assertThat(record.get(MCMemberRecord.FLOW_LABEL)).isEqualTo(0xabcde);
        assertThat(record.sl()).isEqualTo(8);
        assertThat(record.pKey()).isEqualTo(0x8001);
        declare(declared(4));
        assertThat(status(join(OTHER, 5, FULL).keys(FULL_OF_1, FULL_OF_1))).isZero();
        assertThat(leave(join(OTHER, 5, FULL).keys(FULL_OF_1, FULL_OF_1)).status())
                .isZero();
        assertThat(mlids()).containsExactly(0xc000);
    }

    @Test
    void aDeclaredGroupChangesWhenItHasNoMembersOnly() {
        declare(declared(3));
        ask(join(OTHER, 5, FULL).keys(FULL_OF_1, FULL_OF_1));
        declare(declared(4));
        assertThat(group(OTHER).record().mtu()).isEqualTo(3);
        leave(join(OTHER, 5, FULL).keys(FULL_OF_1, FULL_OF_1));
        declare(declared(4));
        assertThat(group(OTHER).record().mtu()).isEqualTo(4);
    }

    @Test
    void aGroupThatIsDeclaredNoMoreStaysAsLongAsItsMembers() {
        declare(declared(4));
        ask(join(OTHER, 5, FULL).keys(FULL_OF_1, FULL_OF_1));
        declare();
        assertThat(mlids()).containsExactly(0xc000);
        leave(join(OTHER, 5, FULL).keys(FULL_OF_1, FULL_OF_1));
        assertThat(mlids()).isEmpty();
    }

    /** The group of a solicited-node address, with the default P_Key unless told otherwise; link-local. */
    private static Gid solicitedNode(long address) {
        return new Gid(0xff12_601b_ffff_0000L, 0x0000_0001_ff00_0000L | address);
    }

    private static Ask ipGroup(Gid mgid, long guid) {
        return create(mgid, guid).with(MCMemberRecord.Q_KEY, 0x0b1b);
    }

    @Test
    void groupsOfSolicitedNodesHaveMlidsOfTheirOwnUnlessTheyAreToShareOne() {
        ask(ipGroup(solicitedNode(1), 1));
        ask(ipGroup(solicitedNode(2), 2));
        assertThat(mlids()).containsExactly(0xC000, 0xC001, 0xC002);
        groups.shareMlids(() -> true);
        ask(ipGroup(solicitedNode(3), 3));
        assertThat(mlids()).as("with the first of its kind").containsExactly(0xC000, 0xC001, 0xC001, 0xC002);
        assertThat(group(solicitedNode(3)).members()).hasSize(1);
    }

    @Test
    void onlyGroupsOfOneScopeAndPartitionShareAnMlid() {
        groups.shareMlids(() -> true);
        Gid siteLocal = new Gid(0xff15_601b_ffff_0000L, solicitedNode(1).guid());
        Gid siteBroadcast = new Gid(0xff15_401b_ffff_0000L, 0xffff_ffffL);
        Gid notSolicited = new Gid(0xff12_601b_ffff_0000L, 0x0000_0001_fe00_0001L);
        ask(ipGroup(siteBroadcast, 9));
        ask(ipGroup(solicitedNode(1), 1));
        ask(ipGroup(siteLocal, 1));
        assertThat(group(siteLocal).mlid()).isNotEqualTo(group(solicitedNode(1)).mlid());
        assertThat(status(ipGroup(notSolicited, 1))).as("all MLIDs are in use").isEqualTo(MadStatus.SA_NO_RESOURCES);
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
        ask(ipGroup(solicitedNode(1), 1));
        ask(ipGroup(solicitedNode(2), 2));
        leave(join(solicitedNode(1), 1, FULL));
        assertThat(mlids()).containsExactly(0xC000, 0xC001);
        ask(create(OTHER, 1));
        assertThat(group(OTHER).mlid()).isEqualTo(0xC002);
        leave(join(solicitedNode(2), 2, FULL));
        leave(join(OTHER, 1, FULL));
        ask(create(OTHER, 1));
        assertThat(group(OTHER).mlid()).isEqualTo(0xC001);
    }

    @Test
    void anMlidThatIsAskedForIsGivenIfItIsFree() {
        groups.shareMlids(() -> true);
        ask(ipGroup(solicitedNode(1), 1));
        ask(ipGroup(solicitedNode(2), 2).with(MCMemberRecord.MLID, 0xC003));
        assertThat(group(solicitedNode(2)).mlid()).isEqualTo(0xC003);
        ask(ipGroup(solicitedNode(3), 2).with(MCMemberRecord.MLID, 0xC000));
        assertThat(group(solicitedNode(3)).mlid()).as("not free: shared").isEqualTo(0xC001);
    }

    @Test
    void newGroupsHaveTheLifeThatIsUsualWhenTheyAreMade() {
        AtomicInteger life = new AtomicInteger(LIFE);
        MulticastGroups changing = new MulticastGroups(life::get, MAX_MEMBERSHIPS);
        changing.adopt(new MulticastGroups.Conditions(true, CAPACITY, SLS, Gid.DEFAULT_PREFIX), guid -> true);
        changing.join(create(OTHER, 1).request());
        life.set(LIFE - 2);
        changing.join(create(new Gid(OTHER.prefix(), 2), 1).request());
        changing.publish();
        assertThat(changing.view().groups())
                .extracting(group -> group.record().get(MCMemberRecord.PACKET_LIFE_TIME))
                .as("of the broadcast group, of OTHER, and of the group that was made later")
                .containsExactlyInAnyOrder((long) LIFE, (long) LIFE, (long) LIFE - 2);
    }

    /** Hosts go on sending to the MLIDs that they were told, whatever is configured now. */
    @Test
    void groupsThatSharedAnMlidShareItAfterARestart() {
        groups.shareMlids(() -> true);
        ask(ipGroup(solicitedNode(1), 1));
        ask(ipGroup(solicitedNode(2), 2));
        MulticastGroups later = new MulticastGroups(() -> LIFE, MAX_MEMBERSHIPS);
        later.add(groups.view().groups(), Gid.DEFAULT_PREFIX);
        later.publish();
        assertThat(later.view()).isEqualTo(groups.view());
        MulticastGroup impostor = new MulticastGroup(
                group(solicitedNode(1)).record().with(MCMemberRecord.MGID, OTHER),
                group(solicitedNode(1)).members());
        later.add(List.of(impostor), Gid.DEFAULT_PREFIX);
        later.publish();
        assertThat(later.view()).as("another kind of group").isEqualTo(groups.view());
    }
}
