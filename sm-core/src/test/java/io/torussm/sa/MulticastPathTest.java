package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.MadAddress;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** PathRecord to a multicast group. Host 4 created the group and is a member. */
class MulticastPathTest {
    private static final ComponentMask C = PathRecord.COMPONENTS;
    private static final ComponentMask M = MCMemberRecord.COMPONENTS;
    private static final int SIZE = 64;
    private static final int NONE = MadStatus.SA_NO_RECORDS;
    private static final int FLOW_LABEL = 0xabcde;
    private static final Gid GROUP = new Gid(0xff18_0000_0000_0000L, 0x4711);
    private static final Gid LINK_LOCAL = new Gid(0xff12_0000_0000_0000L, 0x4712);

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);
    private int mlid;

    private static Gid hostGid(int host) {
        return new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(host) + 1);
    }

    private int join(Gid mgid, int pKey) {
        byte[] answer = harness.request(Method.SET, MCMemberRecord.TYPE.id())
                .with(M, MCMemberRecord.MGID, mgid)
                .with(M, MCMemberRecord.PORT_GID, hostGid(4))
                .with(M, MCMemberRecord.JOIN_STATE, 1)
                .with(M, MCMemberRecord.Q_KEY, 0x1234)
                .with(M, MCMemberRecord.T_CLASS, 0x77)
                .with(M, MCMemberRecord.P_KEY, pKey)
                .with(M, MCMemberRecord.FLOW_LABEL, FLOW_LABEL)
                .with(M, MCMemberRecord.HOP_LIMIT, 3)
                .with(M, MCMemberRecord.SL, 8)
                .with(M, MCMemberRecord.MTU_SELECTOR, PathRecord.EXACTLY)
                .with(M, MCMemberRecord.MTU, 3)
                .with(M, MCMemberRecord.RATE_SELECTOR, PathRecord.EXACTLY)
                .with(M, MCMemberRecord.RATE, 6)
                .answer();
        assertThat(MadHeader.status(answer)).isZero();
        return (int) MCMemberRecord.MLID.get(answer, SaMad.DATA_OFFSET);
    }

    @BeforeEach
    void makeGroups() {
        harness.memberships.adopt(
                new io.torussm.multicast.MulticastGroups.Conditions(true, 1024, 0xffff, SmallTorus.PREFIX),
                guid -> true);
        mlid = join(GROUP, 0xffff);
        join(LINK_LOCAL, 0xffff);
    }

    private SaHarness.Request path(Gid mgid) {
        return harness.get(PathRecord.TYPE.id()).with(C, PathRecord.DGID, mgid);
    }

    @Test
    void theAnswerHasTheValuesOfTheGroup() {
        byte[] answer = path(GROUP)
                .with(C, PathRecord.SGID, hostGid(4))
                .with(C, PathRecord.SERVICE_ID_8, 0x12)
                .with(C, PathRecord.SERVICE_ID_56, 0x34)
                .with(C, PathRecord.QOS_CLASS, 0x123)
                .with(C, PathRecord.RAW_TRAFFIC, 1)
                .with(C, PathRecord.MTU_SELECTOR, PathRecord.GREATER)
                .with(C, PathRecord.MTU, 5)
                .with(C, PathRecord.REVERSIBLE, 1)
                .with(C, PathRecord.NUMB_PATH, 7)
                .answer();
        assertThat(MadHeader.status(answer)).isZero();
        PathRecord record = PathRecord.TYPE.read(answer, SaMad.DATA_OFFSET);
        assertThat(record.dgid()).isEqualTo(GROUP);
        assertThat(record.dlid()).isEqualTo(mlid);
        assertThat(record.sgid()).as("echoed").isEqualTo(hostGid(4));
        assertThat(record.get(PathRecord.SERVICE_ID_8)).isEqualTo(0x12);
        assertThat(record.get(PathRecord.T_CLASS)).isEqualTo(0x77);
        assertThat(record.get(PathRecord.P_KEY)).isEqualTo(0xffff);
        assertThat(record.sl()).isEqualTo(8);
        assertThat(record.get(PathRecord.FLOW_LABEL)).isEqualTo(FLOW_LABEL);
        assertThat(record.get(PathRecord.HOP_LIMIT)).isEqualTo(255);
        assertThat(record.get(PathRecord.MTU_SELECTOR)).isEqualTo(PathRecord.EXACTLY);
        assertThat(record.mtu()).isEqualTo(3);
        assertThat(record.get(PathRecord.RATE_SELECTOR)).isEqualTo(PathRecord.EXACTLY);
        assertThat(record.rate()).isEqualTo(6);
        assertThat(record.get(PathRecord.PACKET_LIFE_TIME_SELECTOR)).isEqualTo(PathRecord.EXACTLY);
        assertThat(record.get(PathRecord.PACKET_LIFE_TIME)).isEqualTo(ViewDraft.SUBNET_TIMEOUT);
        assertThat(record.get(PathRecord.QOS_CLASS)).isZero();
        assertThat(record.get(PathRecord.RAW_TRAFFIC)).isZero();
        assertThat(answer[SaMad.DATA_OFFSET + 49]).as("Reversible and NumbPath").isEqualTo((byte) 1);
    }

    @Test
    void aLinkLocalGroupKeepsItsHopLimit() {
        byte[] answer = path(LINK_LOCAL).answer();
        assertThat(PathRecord.HOP_LIMIT.get(answer, SaMad.DATA_OFFSET)).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "P_Key, 0xffff, true",
        "P_Key, 0x7fff, true",
        "P_Key, 0x8001, false",
        "SL, 8, true",
        "SL, 0, false",
        "FlowLabel, 0xabcde, true",
        "FlowLabel, 0xdebca, false",
        "FlowLabel, 0, false",
        "HopLimit, 3, true",
        "HopLimit, 255, false",
        "TClass, 0x77, true",
        "TClass, 0, false",
        "Rate, 24, true",
        "PacketLifeTime, 1, true"
    })
    void whatIsGivenMustBeTheGroups(String name, String value, boolean isFound) {
        Field field = C.components().stream()
                .filter(candidate -> candidate.name().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow();
        int status = path(GROUP).with(C, field, Integer.decode(value)).status();
        assertThat(status).isEqualTo(isFound ? 0 : NONE);
    }

    @Test
    void theGroupMustExistAndItsLidBeRight() {
        assertThat(path(new Gid(GROUP.prefix(), 0x9999)).status()).isEqualTo(NONE);
        assertThat(path(GROUP).with(C, PathRecord.DLID, mlid).status()).isZero();
        assertThat(path(GROUP).with(C, PathRecord.DLID, mlid + 1).status()).isEqualTo(NONE);
        assertThat(harness.get(PathRecord.TYPE.id())
                        .with(C, PathRecord.DLID, mlid)
                        .status())
                .as("a LID alone names no group")
                .isEqualTo(NONE);
    }

    @Test
    void aNamedSourceMustBeAMember() {
        Gid own = new Gid(Gid.DEFAULT_PREFIX, hostGid(4).guid());
        assertThat(path(GROUP).with(C, PathRecord.SGID, own).status()).isZero();
        assertThat(path(GROUP).with(C, PathRecord.SGID, hostGid(3)).status()).isEqualTo(NONE);
        assertThat(path(GROUP).with(C, PathRecord.SLID, torus.hostLid(4)).status())
                .isZero();
        assertThat(path(GROUP).with(C, PathRecord.SLID, torus.hostLid(3)).status())
                .isEqualTo(NONE);
        assertThat(path(GROUP).with(C, PathRecord.SLID, 0).status()).isEqualTo(NONE);
    }

    @Test
    void aTableHasOneRecordUnlessNoneIsWanted() {
        SaHarness.Request table = harness.getTable(PathRecord.TYPE.id()).with(C, PathRecord.DGID, GROUP);
        assertThat(table.records(SIZE)).hasSize(1);
        assertThat(harness.getTable(PathRecord.TYPE.id())
                        .with(C, PathRecord.DGID, GROUP)
                        .with(C, PathRecord.NUMB_PATH, 0)
                        .records(SIZE))
                .isEmpty();
        assertThat(path(GROUP).with(C, PathRecord.NUMB_PATH, 0).status()).isZero();
    }

    @Test
    void aPortOutsideThePartitionReceivesNothing() {
        String host4 = "0x" + Long.toHexString(hostGid(4).guid());
        harness.view = torus.partitioned("Default=0x7fff:ALL=limited;A=0x10:" + host4 + "=full;");
        Gid ofA = new Gid(GROUP.prefix(), 0x4713);
        join(ofA, 0x8010);
        assertThat(path(ofA).status()).isZero();
        harness.requester = new MadAddress(torus.hostLid(3), 1, 0, 0);
        assertThat(path(ofA).status()).isEqualTo(NONE);
        assertThat(path(ofA).set(SaMad.SM_KEY, SaHarness.SM_KEY).status()).isZero();
    }
}
