package io.torussm.partition;

import static io.torussm.partition.Membership.BOTH;
import static io.torussm.partition.Membership.FULL;
import static io.torussm.partition.Membership.LIMITED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.mad.Gid;
import io.torussm.partition.PartitionConf.MemberClass;
import io.torussm.partition.PartitionConf.Parsed;
import io.torussm.partition.PartitionConf.Partition;
import io.torussm.partition.PartitionConf.Rule;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The grammar of partitions.conf. Examples of opensm(8) are used where it has one for the rule of the grammar. Unless a
 * test says otherwise, QoS is on.
 */
class PartitionConfTest {
    /** The IPv4 broadcast group of IPoIB of the default partition: link-local, with the P_Key 0xffff. */
    private static final Gid IPV4_BROADCAST = new Gid(0xff12_401b_ffff_0000L, 0xffff_ffffL);

    /** The default Q_Key of IPoIB groups. */
    private static final int IPOIB_Q_KEY = 0x0b1b;

    private static final Rule ALL_LIMITED = new Rule(MemberClass.ALL, 0, LIMITED, false);
    private static final Rule SELF_FULL = new Rule(MemberClass.SELF, 0, FULL, false);

    @Test
    void withoutAFileAllAreFullMembersAndThereIsABroadcastGroup() {
        assertThat(rules(PartitionConf.NONE, 0x7fff)).endsWith(new Rule(MemberClass.ALL, 0, FULL, false));
        assertThat(PartitionConf.NONE.partitions()).hasSize(1);
        assertThat(PartitionConf.NONE.groups())
                .singleElement()
                .returns(IPV4_BROADCAST, WellKnownGroup::mgid)
                .returns(0xffff, WellKnownGroup::pKey)
                .returns(4, WellKnownGroup::mtu)
                .returns(3, WellKnownGroup::rate)
                .returns(0, WellKnownGroup::sl)
                .returns(IPOIB_Q_KEY, WellKnownGroup::qKey)
                .returns(0, WellKnownGroup::tClass)
                .returns(0, WellKnownGroup::flowLabel)
                .returns("(no partitions.conf):1", WellKnownGroup::source);
    }

    /** The default partition has these two rules in any case, as with opensm(8). */
    @Test
    void anEmptyDefaultLineMakesAllPortsLimitedMembersWithoutAGroup() {
        PartitionConf conf = conf("Default=0x7fff:;");
        assertThat(conf.partitions())
                .containsExactly(new Partition(0x7fff, "Default", 0, List.of(ALL_LIMITED, SELF_FULL)));
        assertThat(conf.groups()).isEmpty();
    }

    @Test
    void aFileWithoutPartitionsIsNoFileAndAWarningSaysSo() {
        Parsed parsed = PartitionConf.parse("p.conf", "  # nothing\n\n", true);
        assertThat(parsed.conf())
                .isEqualTo(new PartitionConf("p.conf", PartitionConf.NONE.partitions(), PartitionConf.NONE.groups()));
        assertThat(parsed.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.text()).startsWith("p.conf: the file names no partition"))
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING));
    }

    @Test
    void membersAreGuidsInAnyNumberFormAndKeywords() {
        assertThat(rules(
                        "A=0x10 : 0x123456=full, 1193046=limited, 010=both,0xABCDEF0123456789 , ALL, ALL_CAS=full,"
                                + " ALL_SWITCHES=full, ALL_ROUTERS, SELF=both, NONE ;",
                        0x10))
                .containsExactly(
                        port(0x123456, FULL),
                        port(0x123456, LIMITED),
                        port(8, BOTH),
                        port(0xabcdef0123456789L, LIMITED),
                        ALL_LIMITED,
                        new Rule(MemberClass.ALL_CAS, 0, FULL, false),
                        new Rule(MemberClass.ALL_SWITCHES, 0, FULL, false),
                        new Rule(MemberClass.ALL_ROUTERS, 0, LIMITED, false),
                        new Rule(MemberClass.SELF, 0, BOTH, false));
    }

    @Test
    void keywordsAndMembershipsMayBeAbbreviated() {
        assertThat(rules("A=1 : AL, ALL_C, ALL_S=f, ALL_R=b, S=limi, N;", 1))
                .containsExactly(
                        ALL_LIMITED,
                        new Rule(MemberClass.ALL_CAS, 0, LIMITED, false),
                        new Rule(MemberClass.ALL_SWITCHES, 0, FULL, false),
                        new Rule(MemberClass.ALL_ROUTERS, 0, BOTH, false),
                        new Rule(MemberClass.SELF, 0, LIMITED, false));
        WellKnownGroup group = conf("A=1,i,m=5,r=7,Q=9,T=8,sl=8,F=3,s=5,d=full : 0x5;")
                .groups()
                .get(0);
        assertThat(group)
                .returns(new Gid(0xff15_401b_8001_0000L, 0xffff_ffffL), WellKnownGroup::mgid)
                .returns(0x8001, WellKnownGroup::pKey)
                .returns(5, WellKnownGroup::mtu)
                .returns(7, WellKnownGroup::rate)
                .returns(8, WellKnownGroup::sl)
                .returns(9, WellKnownGroup::qKey)
                .returns(8, WellKnownGroup::tClass)
                .returns(3, WellKnownGroup::flowLabel)
                .returns("p.conf:1", WellKnownGroup::source);
    }

    @ParameterizedTest
    @CsvSource({"full, FULL", "limited, LIMITED", "both, BOTH"})
    void defmemberIsTheMembershipOfMembersWithoutOne(String word, Membership membership) {
        assertThat(rules("ShareIO = 0x80 , defmember=" + word + " : 0x123451, 0x123452=limited;", 0x80))
                .containsExactly(port(0x123451, membership), port(0x123452, LIMITED));
    }

    @Test
    void anUnknownMembershipIsLimitedAndAWarningSaysSo() {
        Parsed parsed = PartitionConf.parse("p.conf", "A=1:0x5=partial;", true);
        assertThat(parsed.conf()).isNotNull();
        assertThat(parsed.findings())
                .containsExactly(SmEvent.PARTITIONS_WARNING.finding(
                        "p.conf:1: \"partial\" is taken as limited; a member is full, limited or both"));
    }

    @Test
    void bodiesSpanLinesAndACommentEndsALine() {
        assertThat(rules("""
            A=0x10: # all of ours; and more
              0x1,  # the first
              0x2=full
              0x3
            ; B=0x11:0x4; C=0x12:
            0x5;
            """, 0x10)).containsExactly(port(1, LIMITED), port(2, FULL), port(3, LIMITED));
        assertThat(rules("A=1:0x1;B=2:\n0x5\r\n;", 2)).containsExactly(port(5, LIMITED));
    }

    @Test
    void anEmptyListIsAPartitionWithoutMembers() {
        assertThat(rules("A=0x10:;", 0x10)).isEmpty();
    }

    @Test
    void onlyTheLow15BitsOfAPKeyCount() {
        assertThat(rules("A=0x8010:0x1;", 0x10)).hasSize(1);
        assertThat(rules("32784:0x1;", 0x10))
                .as("a name of digits is the P_Key")
                .hasSize(1);
        assertThat(rules("A=020:0x1;", 0x10)).as("octal").hasSize(1);
    }

    @Test
    void thePartitionHasTheSlThatWasSaidLast() {
        assertThat(conf("A=0x80,sl=8:0x1;A=0x80,ipoib:0x2;").partitions().get(0).sl())
                .isEqualTo(8);
        assertThat(conf("A=0x80,sl=8:0x1;A=0x80,sl=9:0x2;").partitions().get(0).sl())
                .isEqualTo(9);
        assertThat(conf("A=0x80,sl=8:0x1;A=0x80,sl=0:0x2;").partitions().get(0).sl())
                .isZero();
        PartitionConf withoutQos = Objects.requireNonNull(
                PartitionConf.parse("p.conf", "A=0x80,sl=8:0x1;", false).conf());
        assertThat(withoutQos.partitions().get(0).sl()).as("without QoS").isZero();
    }

    @Test
    void equalPKeysAreOnePartitionWithTheFirstName() {
        PartitionConf conf = conf("A=0x80,defmember=full:0x1;B=0x80:0x2;");
        assertThat(conf.partitions().get(0))
                .isEqualTo(new Partition(0x80, "A", 0, List.of(port(1, FULL), port(2, LIMITED))));
    }

    /** P_Key 1 is named by B, so New, Other, the partition without a name and Zero get 2, 3, 4 and 5. */
    @Test
    void aPartitionWithoutPKeyGetsTheLowestPKeyThatNoLineNames() {
        PartitionConf conf = conf("""
            New:0x1;
            B=1:0x2;
            Other,ipoib:0x3;
            :0x4;
            New:0x5;
            Default:0x6;
            Zero=0:0x7;
            """);
        assertThat(conf.partitions())
                .extracting(Partition::pKey, Partition::name)
                .containsExactly(
                        tuple(1, "B"),
                        tuple(2, "New"),
                        tuple(3, "Other"),
                        tuple(4, ""),
                        tuple(5, "Zero"),
                        tuple(0x7fff, "Default"));
        assertThat(rules(conf, 2))
                .as("the same name without a P_Key")
                .containsExactly(port(1, LIMITED), port(5, LIMITED));
        assertThat(rules(conf, 1)).containsExactly(port(2, LIMITED));
        assertThat(rules(conf, 4)).containsExactly(port(4, LIMITED));
        assertThat(rules(conf, 0x7fff)).endsWith(port(6, LIMITED));
        assertThat(conf.groups()).extracting(WellKnownGroup::pKey).containsExactly(0x8003);
    }

    @Test
    void indx0BelongsToTheMembersOfItsDefinition() {
        assertThat(rules("A=0x10,indx0:0x1;A=0x10:0x2;", 0x10))
                .containsExactly(new Rule(MemberClass.PORT, 1, LIMITED, true), port(2, LIMITED));
    }

    @Test
    void thereIsABroadcastGroupForEachScope() {
        assertThat(conf("A=0x10,ipoib,scope=2,scope=0xe,mtu=5,rate=7,sl=8:0x1;").groups())
                .extracting(WellKnownGroup::mgid)
                .containsExactly(
                        new Gid(0xff12_401b_8010_0000L, 0xffff_ffffL), new Gid(0xff1e_401b_8010_0000L, 0xffff_ffffL));
    }

    /** The second column is the MTU code, the third the rate code. A number without a unit is a code, as in OpenSM. */
    @ParameterizedTest
    @CsvSource({
        "mtu=1, 1, 3", "mtu=4, 4, 3", "mtu=5, 5, 3", "mtu=256, 1, 3", "mtu=512, 2, 3", "mtu=1024, 3, 3",
        "mtu=2048, 4, 3", "mtu=4096, 5, 3", "mtu=0x1000, 5, 3", "rate=3, 4, 3", "rate=10, 4, 10", "rate=16, 4, 16",
        "rate=10G, 4, 3", "rate=120Gb/s, 4, 10", "rate=100G, 4, 16", "rate=2.5G, 4, 2", "rate=1600Gb/s, 4, 25"
    })
    void mtuAndRateAreCodesOrHaveTheirUnits(String flag, int mtu, int rate) {
        WellKnownGroup group = conf("A=0x10,ipoib," + flag + ":0x1;").groups().get(0);
        assertThat(group.mtu()).isEqualTo(mtu);
        assertThat(group.rate()).isEqualTo(rate);
    }

    @Test
    void mgidTakesTheRestOfItsLineAndInheritsFromItsPartition() {
        PartitionConf conf = conf("""
            Default=0x7fff,ipoib:
                   mgid=ff12:401b::0707,sl=1 # random IPv4 group
                   mgid=ff12:601b::16    # MLDv2-capable routers
                   mgid=ff12:401b::16    # IGMP
                   mgid=ff12:601b:7fff::2     # All routers
                   mgid=ff12::1,sl=1,Q_Key=0xDEADBEEF,rate=3,mtu=2 # random group
                   ALL=full;
            """);
        assertThat(conf.groups())
                .extracting(WellKnownGroup::mgid)
                .containsExactly(
                        IPV4_BROADCAST,
                        new Gid(0xff12_401b_ffff_0000L, 0x0707),
                        new Gid(0xff12_601b_ffff_0000L, 0x16),
                        new Gid(0xff12_401b_ffff_0000L, 0x16),
                        new Gid(0xff12_601b_ffff_0000L, 2),
                        new Gid(0xff12_0000_0000_0000L, 1));
        assertThat(conf.groups().get(5))
                .returns(0xffff, WellKnownGroup::pKey)
                .returns(2, WellKnownGroup::mtu)
                .returns(3, WellKnownGroup::rate)
                .returns(1, WellKnownGroup::sl)
                .returns(0xdeadbeef, WellKnownGroup::qKey)
                .returns(0, WellKnownGroup::tClass)
                .returns(0, WellKnownGroup::flowLabel)
                .returns("p.conf:6", WellKnownGroup::source);
        assertThat(conf.groups().get(2).qKey()).as("of IP groups").isEqualTo(IPOIB_Q_KEY);
        assertThat(rules(conf, 0x7fff)).endsWith(new Rule(MemberClass.ALL, 0, FULL, false));
    }

    @Test
    void withoutQosEverySlIsZeroAndAWarningSaysSo() {
        Parsed parsed = PartitionConf.parse("p.conf", "A=1,ipoib,sl=8:\nmgid=ff12::1,sl=9\n;", false);
        PartitionConf conf = Objects.requireNonNull(parsed.conf());
        assertThat(conf.groups()).extracting(WellKnownGroup::sl).containsOnly(0);
        assertThat(parsed.findings())
                .extracting(Finding::text)
                .containsExactly(
                        "p.conf:1: SL 8 is taken as 0, since QoS is off; start with -Q, or leave sl= out",
                        "p.conf:2: SL 9 is taken as 0, since QoS is off; start with -Q, or leave sl= out");
    }

    /** Returns the configuration of a file without findings. */
    private static PartitionConf conf(String text) {
        Parsed parsed = PartitionConf.parse("p.conf", text, true);
        assertThat(parsed.findings()).isEmpty();
        return Objects.requireNonNull(parsed.conf());
    }

    private static List<Rule> rules(PartitionConf conf, int pKey) {
        return conf.partitions().stream()
                .filter(partition -> partition.pKey() == pKey)
                .findFirst()
                .orElseThrow()
                .rules();
    }

    private static List<Rule> rules(String text, int pKey) {
        return rules(conf(text), pKey);
    }

    private static Rule port(long guid, Membership membership) {
        return new Rule(MemberClass.PORT, guid, membership, false);
    }
}
