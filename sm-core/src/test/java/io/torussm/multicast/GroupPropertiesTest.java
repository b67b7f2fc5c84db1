package io.torussm.multicast;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Properties of a group: those that its maker requests, and those that a joining port must support. */
class GroupPropertiesTest extends MulticastGroupsCase {
    @ParameterizedTest
    @CsvSource({"Q_Key", "TClass", "P_Key", "FlowLabel", "SL"})
    void creatingNeedsComponents(String name) {
        Field field = field(name);
        assertThat(status(create(OTHER, 5).without(field))).isEqualTo(MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS);
        assertThat(status(create(OTHER, 5))).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, 0x200", "1, 0", "2, 0x200", "4, 0x200", "8, 0", "9, 0", "6, 0x200"})
    void onlyFullMembersCreate(int joinState, String expected) {
        assertThat(status(create(OTHER, 5).with(MCMemberRecord.JOIN_STATE, joinState)))
                .isEqualTo(Integer.decode(expected));
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

    /**
     * The broadcast group has MTU code 4 and rate code 3, 10 Gb/s; code 2 is slower, code 5 (5 Gb/s) too.
     */
    @ParameterizedTest
    @CsvSource({
        "MTU, 0, 3, true", "MTU, 0, 4, false", "MTU, 1, 5, true", "MTU, 1, 4, false", "MTU, 2, 4, true",
        "MTU, 2, 3, false", "MTU, 3, 1, true", "Rate, 0, 2, true", "Rate, 0, 5, true", "Rate, 0, 3, false",
        "Rate, 1, 6, true", "Rate, 1, 5, false", "Rate, 2, 3, true", "Rate, 2, 5, false", "Rate, 3, 2, true",
        "Rate, 2, 0, false", "Rate, 0, 63, false"
    })
    void selectorsOfAJoinMustBeMet(String name, int selector, int value, boolean isMet) {
        RequestBuilder ask = join(MulticastGroups.BROADCAST, 5, FULL)
                .with(field(name), value)
                .with(field(name + "Selector"), selector);
        assertThat(status(ask)).isEqualTo(isMet ? MadStatus.OK : MadStatus.SA_REQ_INVALID);
    }

    @ParameterizedTest
    @CsvSource({"4, 3, true", "3, 7, false", "5, 7, true", "4, 2, false", "4, 5, false", "4, 6, true"})
    void thePortMustKeepUpWithTheGroup(int mtu, int rate, boolean isFit) {
        RequestBuilder ask = join(MulticastGroups.BROADCAST, 5, FULL).port(mtu, rate);
        assertThat(status(ask)).isEqualTo(isFit ? MadStatus.OK : MadStatus.SA_REQ_INVALID);
        assertThat(group(MulticastGroups.BROADCAST).members()).hasSize(isFit ? 1 : 0);
    }

    /** The port has 40 Gb/s and MTU code 4; -1: refused. */
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
        MembershipReply reply =
                send(create(OTHER, 5).with(field(name), value).with(field(name + "Selector"), selector));
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
        MCMemberRecord record = send(create(OTHER, 5).port(5, RATE_20)).record();
        assertThat(record.mtu()).isEqualTo(5);
        assertThat(record.rate()).isEqualTo(RATE_20);
        assertThat(record.get(MCMemberRecord.HOP_LIMIT)).as("link-local").isZero();
        assertThat(record.get(MCMemberRecord.SCOPE)).isEqualTo(2);
        Gid global = new Gid(0xff1e_1234_0000_0000L, 1);
        assertThat(send(create(global, 5)).record().get(MCMemberRecord.HOP_LIMIT))
                .isEqualTo(255);
    }

    @ParameterizedTest
    @CsvSource({
        "ff12123400000000, true", "fe12123400000000, false", "ff32123400000000, false", "ff02123400000000, true",
        "ff12a01b00000000, false", "ff15a01b00000000, true", "ff12401bffff0000, true", "ff12601bffff0000, true",
        "ff15401bffff0000, false", "ff12401bfffe0000, false"
    })
    void mgidsMustBeWellFormedAndThoseOfIpoibHaveABroadcastGroup(String prefix, boolean isGood) {
        RequestBuilder ask =
                create(new Gid(Long.parseUnsignedLong(prefix, 16), 1), 5).with(MCMemberRecord.Q_KEY, 0x0b1b);
        assertThat(status(ask)).isEqualTo(isGood ? MadStatus.OK : MadStatus.SA_REQ_INVALID);
    }

    @Test
    void groupsOfIpoibAreLikeTheirBroadcastGroup() {
        Gid ipv6 = new Gid(0xff12_601b_ffff_0000L, 1);
        assertThat(status(create(ipv6, 5))).as("Q_Key 7").isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(status(create(ipv6, 5).with(MCMemberRecord.Q_KEY, 0x0b1b))).isZero();
    }

    @Test
    void anMgidIsMadeUpForAPortWithoutOne() {
        Gid none = new Gid(0, 0);
        Gid first = send(create(none, 5)).record().mgid();
        Gid second =
                send(create(none, 5).with(MCMemberRecord.SCOPE, 0xe)).record().mgid();
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
    void aGroupWhoseSlIsNoLongerAllowedTakesNoPortIn() {
        send(create(OTHER, 5).with(MCMemberRecord.SL, 8));
        adopt(5, 1);
        assertThat(status(join(OTHER, 5, FULL))).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(leave(join(OTHER, 5, FULL)).status()).isZero();
    }

    @Test
    void newGroupsHaveTheCurrentDefaultPacketLifetime() {
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
}
