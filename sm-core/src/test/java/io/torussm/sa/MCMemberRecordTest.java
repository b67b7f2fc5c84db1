package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MCMemberRecord on the wire: permissions and answers. */
class MCMemberRecordTest {
    private static final int ID = MCMemberRecord.TYPE.id();
    private static final int SIZE = MCMemberRecord.TYPE.layout().size();
    private static final ComponentMask COMPONENTS = MCMemberRecord.COMPONENTS;
    private static final Gid OTHER = new Gid(0xff12_1234_0000_0000L, 1);

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);

    private static Gid gid(int host) {
        return new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(host) + 1);
    }

    private SaHarness harnessAt(int host) {
        harness.requester = new MadAddress(torus.hostLid(host), 1, 0, 0);
        return harness;
    }

    private SaHarness.Request member(int method, int host, Gid mgid, Gid portGid) {
        return harnessAt(host)
                .request(method, ID)
                .with(COMPONENTS, MCMemberRecord.MGID, mgid)
                .with(COMPONENTS, MCMemberRecord.PORT_GID, portGid)
                .with(COMPONENTS, MCMemberRecord.JOIN_STATE, 1);
    }

    private SaHarness.Request join(int host) {
        return member(Method.SET, host, MulticastGroups.BROADCAST, gid(host));
    }

    private SaHarness.Request create(int host) {
        return member(Method.SET, host, OTHER, gid(host))
                .with(COMPONENTS, MCMemberRecord.Q_KEY, 7)
                .with(COMPONENTS, MCMemberRecord.T_CLASS, 0)
                .with(COMPONENTS, MCMemberRecord.P_KEY, 0xffff)
                .with(COMPONENTS, MCMemberRecord.FLOW_LABEL, 0)
                .with(COMPONENTS, MCMemberRecord.SL, 0);
    }

    private static List<MCMemberRecord> read(List<byte[]> records) {
        return records.stream().map(each -> MCMemberRecord.TYPE.read(each, 0)).toList();
    }

    private List<MCMemberRecord> trustedRecords(int host) {
        return read(
                harnessAt(host).getTable(ID).set(SaMad.SM_KEY, SaHarness.SM_KEY).records(SIZE));
    }

    @Test
    void aJoinIsAnsweredAsAGetResp() {
        byte[] answer = join(3).answer();
        assertThat(MadHeader.status(answer)).isZero();
        assertThat(MadHeader.method(answer)).isEqualTo(Method.GET_RESP);
        assertThat(SaMad.ATTRIBUTE_OFFSET.get(answer, 0)).isEqualTo(7);
        MCMemberRecord record = MCMemberRecord.TYPE.read(answer, SaMad.DATA_OFFSET);
        assertThat(record.portGid()).isEqualTo(gid(3));
        assertThat(record.mlid()).isEqualTo(0xc000);
        assertThat(record.joinState()).isEqualTo(1);
        assertThat(record.get(MCMemberRecord.Q_KEY)).isEqualTo(0x0b1b);
    }

    @Test
    void aChangeIsVisibleToOthersBeforeItIsAnswered() {
        join(3).answer();
        assertThat(trustedRecords(4)).extracting(MCMemberRecord::portGid).containsExactly(gid(3));
        byte[] answer =
                member(Method.DELETE, 3, MulticastGroups.BROADCAST, gid(3)).answer();
        assertThat(MadHeader.method(answer)).isEqualTo(Method.DELETE_RESP);
        assertThat(MCMemberRecord.TYPE.read(answer, SaMad.DATA_OFFSET).joinState())
                .isZero();
        assertThat(trustedRecords(4)).extracting(MCMemberRecord::portGid).containsExactly(new Gid(0, 0));
    }

    @ParameterizedTest
    @CsvSource({"MGID", "PortGID", "JoinState"})
    void joiningAndLeavingNeedComponents(String name) {
        long bit = COMPONENTS.bit(field(name));
        for (int method : new int[] {Method.SET, Method.DELETE}) {
            SaHarness.Request request = member(method, 3, MulticastGroups.BROADCAST, gid(3));
            request.set(SaMad.COMPONENT_MASK, SaMad.COMPONENT_MASK.get(request.mad, 0) & ~bit);
            assertThat(request.status()).isEqualTo(MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS);
        }
    }

    private static Field field(String name) {
        return COMPONENTS.components().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void thePortMustBeOfThisSubnet() {
        Gid byDefaultPrefix = new Gid(Gid.DEFAULT_PREFIX, gid(3).guid());
        assertThat(member(Method.SET, 3, MulticastGroups.BROADCAST, byDefaultPrefix)
                        .status())
                .isZero();
        Gid foreign = new Gid(SmallTorus.PREFIX + 1, gid(3).guid());
        assertThat(member(Method.SET, 3, MulticastGroups.BROADCAST, foreign).status())
                .isEqualTo(MadStatus.SA_REQ_INVALID_GID);
        Gid unknown = new Gid(SmallTorus.PREFIX, 77);
        assertThat(member(Method.SET, 3, MulticastGroups.BROADCAST, unknown).status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    /**
     * A host without the subnet prefix names itself by the link-local one; its port belongs to this subnet.
     */
    @Test
    void aLinkLocalGidIsThatOfThePortUnderAnotherSubnetPrefix() {
        Gid linkLocal = new Gid(Gid.DEFAULT_PREFIX, gid(3).guid());
        byte[] joined =
                member(Method.SET, 3, MulticastGroups.BROADCAST, linkLocal).answer();
        assertThat(MCMemberRecord.TYPE.read(joined, SaMad.DATA_OFFSET).portGid())
                .isEqualTo(gid(3));
        for (Gid name : List.of(linkLocal, gid(3))) {
            assertThat(read(harnessAt(3)
                            .getTable(ID)
                            .with(COMPONENTS, MCMemberRecord.PORT_GID, name)
                            .records(SIZE)))
                    .as(name.toString())
                    .singleElement()
                    .satisfies(record -> assertThat(record.portGid()).isEqualTo(gid(3)));
        }
        assertThat(harnessAt(2)
                        .getTable(ID)
                        .with(COMPONENTS, MCMemberRecord.PORT_GID, linkLocal)
                        .records(SIZE))
                .as("another's")
                .isEmpty();
        byte[] left =
                member(Method.DELETE, 3, MulticastGroups.BROADCAST, linkLocal).answer();
        assertThat(MadHeader.status(left)).isZero();
        assertThat(MCMemberRecord.TYPE.read(left, SaMad.DATA_OFFSET).portGid()).isEqualTo(gid(3));
        assertThat(trustedRecords(4)).extracting(MCMemberRecord::portGid).containsExactly(new Gid(0, 0));
    }

    /**
     * A member with two JoinState bits that clears one is still a member; the MLID is free when it clears the
     * other.
     */
    @Test
    void membershipsThatEndInTwoStepsPinNoMlid() {
        int both = MCMemberRecord.FULL_MEMBER | MCMemberRecord.SEND_ONLY_FULL_MEMBER;
        List<MCMemberRecord> before = trustedRecords(4);
        for (int cycle = 0; cycle < 2000; cycle++) {
            Gid mgid = new Gid(OTHER.prefix(), 100 + cycle);
            byte[] joined = create(3)
                    .with(COMPONENTS, MCMemberRecord.MGID, mgid)
                    .with(COMPONENTS, MCMemberRecord.JOIN_STATE, both)
                    .answer();
            assertThat(MadHeader.status(joined)).as("cycle " + cycle).isZero();
            assertThat(MCMemberRecord.TYPE.read(joined, SaMad.DATA_OFFSET).mlid())
                    .isEqualTo(0xc001);
            assertThat(leave(mgid, MCMemberRecord.FULL_MEMBER)).isEqualTo(MCMemberRecord.SEND_ONLY_FULL_MEMBER);
            assertThat(trustedRecords(4)).extracting(MCMemberRecord::mgid).contains(mgid);
            assertThat(leave(mgid, MCMemberRecord.SEND_ONLY_FULL_MEMBER)).isZero();
        }
        assertThat(trustedRecords(4)).isEqualTo(before);
    }

    /** Returns the remaining JoinState. */
    private int leave(Gid mgid, int joinState) {
        byte[] left = member(Method.DELETE, 3, mgid, gid(3))
                .with(COMPONENTS, MCMemberRecord.JOIN_STATE, joinState)
                .answer();
        assertThat(MadHeader.status(left)).isZero();
        return MCMemberRecord.TYPE.read(left, SaMad.DATA_OFFSET).joinState();
    }

    @Test
    void aProxyIsTheRequesterAndNotItsClaimedPort() {
        byte[] answer = member(Method.SET, 2, MulticastGroups.BROADCAST, gid(3)).answer();
        assertThat(MCMemberRecord.TYPE.read(answer, SaMad.DATA_OFFSET).get(MCMemberRecord.PROXY_JOIN))
                .isEqualTo(1);
        join(4).answer();
        assertThat(member(Method.DELETE, 2, MulticastGroups.BROADCAST, gid(4)).status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(member(Method.DELETE, 5, MulticastGroups.BROADCAST, gid(3)).status())
                .isZero();
    }

    @Test
    void aRefusalRepeatsTheRequest() {
        SaHarness.Request request = member(Method.SET, 3, OTHER, gid(3));
        byte[] answer = request.answer();
        assertThat(MadHeader.status(answer)).isEqualTo(MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS);
        assertThat(SaHarness.record(answer, SIZE)).isEqualTo(SaHarness.record(request.mad, SIZE));
    }

    @Test
    void unknownRequestersReceiveGroupsAndNotMembers() {
        join(3).answer();
        join(4).answer();
        create(5).answer();
        List<MCMemberRecord> records = read(harnessAt(2).getTable(ID).records(SIZE));
        assertThat(records).extracting(MCMemberRecord::mlid).containsExactly(0xc000, 0xc001);
        assertThat(records).allSatisfy(record -> {
            assertThat(record.portGid()).isEqualTo(new Gid(0, 0));
            assertThat(record.joinState()).isZero();
        });
        assertThat(harnessAt(2)
                        .getTable(ID)
                        .with(COMPONENTS, MCMemberRecord.PORT_GID, gid(3))
                        .records(SIZE))
                .as("not even by guessing")
                .isEmpty();
    }

    @Test
    void aPortReceivesItsOwnMembershipsAndATrustedRequesterAll() {
        join(3).answer();
        join(4).answer();
        create(3).answer();
        List<MCMemberRecord> own = read(harnessAt(3)
                .getTable(ID)
                .with(COMPONENTS, MCMemberRecord.PORT_GID, gid(3))
                .records(SIZE));
        assertThat(own).extracting(MCMemberRecord::mlid).containsExactly(0xc000, 0xc001);
        assertThat(own).allSatisfy(record -> assertThat(record.joinState()).isEqualTo(1));
        assertThat(trustedRecords(2)).extracting(MCMemberRecord::portGid).containsExactly(gid(3), gid(4), gid(3));
    }

    @Test
    void aGetFindsOneGroupByItsMgid() {
        byte[] answer = harnessAt(2)
                .get(ID)
                .with(COMPONENTS, MCMemberRecord.MGID, MulticastGroups.BROADCAST)
                .answer();
        assertThat(MadHeader.status(answer)).isZero();
        assertThat(MCMemberRecord.TYPE.read(answer, SaMad.DATA_OFFSET).mlid()).isEqualTo(0xc000);
        create(3).answer();
        assertThat(harnessAt(2).get(ID).status()).isEqualTo(MadStatus.SA_TOO_MANY_RECORDS);
        assertThat(harnessAt(2)
                        .get(ID)
                        .with(COMPONENTS, MCMemberRecord.MLID, 0xc00f)
                        .status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    /** The broadcast group: MTU code 4, rate code 3 (10 Gb/s), life 18. Code 5 is 5 Gb/s, code 6 is 20. */
    @ParameterizedTest
    @CsvSource({
        "MTU, 2, 4, 1",
        "MTU, 0, 4, 0",
        "MTU, 0, 3, 1",
        "MTU, 1, 5, 1",
        "MTU, 3, 1, 1",
        "Rate, 2, 3, 1",
        "Rate, 0, 5, 1",
        "Rate, 0, 6, 0",
        "Rate, 1, 6, 1",
        "Rate, 1, 63, 0",
        "PacketLifeTime, 2, 18, 1",
        "PacketLifeTime, 0, 18, 0"
    })
    void selectorsChooseGroups(String name, int selector, int value, int found) {
        assertThat(harnessAt(2)
                        .getTable(ID)
                        .with(COMPONENTS, field(name + "Selector"), selector)
                        .with(COMPONENTS, field(name), value)
                        .records(SIZE))
                .hasSize(found);
    }

    @Test
    void aFloodOfJoinsIsAnsweredWithBusy() {
        harness.sent.clear();
        SaHarness.Request request = join(3);
        for (int i = 0; i <= MembershipService.MAX_WAITING; i++) {
            harness.sa.onMad(new MadFrame(harness.requester, request.mad));
        }
        assertThat(harness.sent).hasSize(1);
        assertThat(MadHeader.status(harness.sent.get(0).mad())).isEqualTo(MadStatus.BUSY);
        harness.loop.runFor(1);
        assertThat(harness.sent).hasSize(MembershipService.MAX_WAITING + 1);
        assertThat(join(3).status()).isZero();
    }
}
