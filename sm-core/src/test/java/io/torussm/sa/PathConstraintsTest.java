package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.LinkWidth;
import io.torussm.mad.smp.PortInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * PathRecord, one requirement at a time (IBA 15.2.5.16): SL, MTU, rate, life time, P_Key and other
 * constraints. The torus has 3x3 switches with a host each; its links are 4x QDR with an MTU of 2048 bytes.
 */
class PathConstraintsTest extends PathRecordCase {
    /** The SL of the path from host 0 to host 8: both coordinates cross a dateline. */
    private static final int ROUTED_SL = 3;

    /** The SL of the same path at the second QoS level of the torus engine, which sets bit 3. */
    private static final int SECOND_LEVEL_SL = 8 + ROUTED_SL;

    // Codes of MTU (IBA 14.2.5.6).
    private static final int MTU_512 = 2;
    private static final int MTU_1024 = 3;
    private static final int MTU_2048 = 4;

    // Codes of rates (IBA 15.2.5.16), by width and speed.
    private static final int RATE_1X_SDR = 2;
    private static final int RATE_1X_QDR = 3;
    private static final int RATE_4X_DDR = 6;
    private static final int RATE_4X_QDR = 7;
    private static final int RATE_4X_EDR = 16;

    // Sets of SLs, a bit for each.
    private static final int SLS_0_TO_7 = 0x00ff;
    private static final int ALL_SLS = 0xffff;

    @Test
    void aRequestedSlIsGrantedOnlyIfTheRoutingUsesItAtOneOfItsLevels() {
        for (int sl = 0; sl < 16; sl++) {
            int status = path(0, 8).with(COMPONENTS, PathRecord.SL, sl).status();
            boolean isUsed = sl == ROUTED_SL || sl == SECOND_LEVEL_SL;
            assertThat(status).as("SL %d", sl).isEqualTo(isUsed ? MadStatus.OK : NO_RECORDS);
        }
        assertThat(read(path(0, 8)
                                .with(COMPONENTS, PathRecord.SL, SECOND_LEVEL_SL)
                                .answer())
                        .sl())
                .isEqualTo(SECOND_LEVEL_SL);
    }

    @Test
    void aRequestWithoutAnSlGetsThatOfTheFirstLevel() {
        assertThat(read(path(0, 8).answer()).sl()).isEqualTo(ROUTED_SL);
    }

    /** The cable from switch 0 to 1 is 1x with an MTU of 512 bytes, that from 5 to 8 DDR with 1024, at one end each. */
    @Test
    void theWeakestCableOfAPathDecidesItsMtuAndRate() {
        SmallTorus weak = new SmallTorus(0, (guid, portNum, usual) -> {
            if (guid == SmallTorus.switchGuid(0) && portNum == 1) {
                return usual.with(PortInfo.NEIGHBOR_MTU, MTU_512).with(PortInfo.LINK_WIDTH_ACTIVE, LinkWidth.X1.code());
            }
            return guid == SmallTorus.switchGuid(5) && portNum == 3
                    ? usual.with(PortInfo.MTU_CAP, MTU_1024).with(PortInfo.LINK_SPEED_ACTIVE, LinkSpeed.DDR.active())
                    : usual;
        });
        SaHarness asker = new SaHarness(weak);
        for (int from = 0; from < SmallTorus.SWITCHES; from++) {
            for (int to = 0; to < SmallTorus.SWITCHES; to++) {
                boolean isNarrow = crosses(from, to, 0, 1);
                boolean isSlow = crosses(from, to, 5, 8);
                PathRecord record = read(path(asker, from, to).answer());
                assertThat(record.mtu())
                        .as("MTU from %d to %d", from, to)
                        .isEqualTo(isNarrow ? MTU_512 : isSlow ? MTU_1024 : MTU_2048);
                assertThat(record.rate())
                        .as("rate from %d to %d", from, to)
                        .isEqualTo(isNarrow ? RATE_1X_QDR : isSlow ? RATE_4X_DDR : RATE_4X_QDR);
            }
        }
    }

    /** Checks whether the path between two switches, first in x, uses the cable between two others. */
    private static boolean crosses(int from, int to, int oneEnd, int otherEnd) {
        int corner = SmallTorus.at(SmallTorus.x(to), SmallTorus.y(from));
        Set<Integer> cable = Set.of(oneEnd, otherEnd);
        return cable.equals(new HashSet<>(List.of(from, corner))) || cable.equals(new HashSet<>(List.of(corner, to)));
    }

    /** All links are EDR. The path from host 0 to 4 begins at switch 0, that from 4 to 8 avoids it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anExtendedSpeedOfASwitchCountsOnlyIfItsPort0AnnouncesIt(boolean isAnnouncedBySwitch0) {
        SmallTorus fast = new SmallTorus(0, (guid, portNum, usual) -> {
            boolean isAnnounced = isAnnouncedBySwitch0 || guid != SmallTorus.switchGuid(0);
            long otherCapabilities = usual.capabilityMask() & 0xffff_ffffL & ~PortInfo.CAP_EXTENDED_SPEEDS;
            return usual.with(
                            PortInfo.CAPABILITY_MASK,
                            otherCapabilities | (isAnnounced ? PortInfo.CAP_EXTENDED_SPEEDS : 0))
                    .with(PortInfo.LINK_SPEED_EXT_ACTIVE, LinkSpeed.EDR.extActive());
        });
        SaHarness asker = new SaHarness(fast);
        assertThat(read(path(asker, 0, 4).answer()).rate()).isEqualTo(isAnnouncedBySwitch0 ? RATE_4X_EDR : RATE_4X_QDR);
        assertThat(read(path(asker, 4, 8).answer()).rate()).isEqualTo(RATE_4X_EDR);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "255, 15", "3, 3"})
    void undefinedCodesOfWidthAndSpeedCountAs1xSdr(int width, int speed) {
        SmallTorus odd = new SmallTorus(0, (guid, portNum, usual) -> usual.with(PortInfo.LINK_WIDTH_ACTIVE, width)
                .with(PortInfo.LINK_SPEED_ACTIVE, speed));
        assertThat(read(path(new SaHarness(odd), 0, 4).answer()).rate()).isEqualTo(RATE_1X_SDR);
    }

    /**
     * The path has MTU 4 (2048 bytes), rate 7 (40 Gb/s) and life time 18. Selectors are 0 for greater than the value, 1
     * for less, 2 for exactly, and 3 for the largest (life time: the smallest) available. Codes of rates are not in the
     * order of speed. -1 stands for no record.
     */
    @ParameterizedTest(name = "{0} selector {1} value {2}: {3}")
    @CsvSource({
        "Mtu, 0, 3, 4",
        "Mtu, 0, 4, -1",
        "Mtu, 1, 5, 4",
        "Mtu, 1, 4, 3",
        "Mtu, 1, 2, 1",
        "Mtu, 1, 1, -1",
        "Mtu, 2, 4, 4",
        "Mtu, 2, 2, 2",
        "Mtu, 2, 5, -1",
        "Mtu, 3, 1, 4",
        "Mtu, 3, 5, 4",
        "Rate, 0, 4, 7",
        "Rate, 0, 19, 7",
        "Rate, 0, 7, -1",
        "Rate, 0, 8, -1",
        "Rate, 0, 11, 7",
        "Rate, 1, 8, 7",
        "Rate, 1, 7, 19",
        "Rate, 1, 3, 5",
        "Rate, 1, 5, 2",
        "Rate, 1, 2, -1",
        "Rate, 1, 20, 7",
        "Rate, 2, 7, 7",
        "Rate, 2, 3, -1",
        "Rate, 2, 8, -1",
        "Rate, 3, 2, 7",
        "PacketLifeTime, 0, 17, 18",
        "PacketLifeTime, 0, 18, -1",
        "PacketLifeTime, 1, 19, 18",
        "PacketLifeTime, 1, 18, 17",
        "PacketLifeTime, 1, 0, -1",
        "PacketLifeTime, 2, 18, 18",
        "PacketLifeTime, 2, 3, 3",
        "PacketLifeTime, 2, 19, -1",
        "PacketLifeTime, 3, 0, 18",
    })
    void aSelectorWithItsValueConstrainsThePath(String name, int selector, int value, int expected) {
        Field field = field(name);
        byte[] answer = path(0, 5)
                .with(COMPONENTS, field(name + "Selector"), selector)
                .with(COMPONENTS, field, value)
                .answer();
        if (expected < 0) {
            assertThat(MadHeader.status(answer)).isEqualTo(NO_RECORDS);
        } else {
            assertThat(read(answer).get(field)).isEqualTo(expected);
            assertThat(read(answer).get(field(name + "Selector"))).isEqualTo(PathRecord.EXACTLY);
        }
    }

    @Test
    void aValueWithoutItsSelectorConstrainsNothing() {
        assertThat(path(0, 5).with(COMPONENTS, PathRecord.MTU, 5).status()).isZero();
        assertThat(path(0, 5).with(COMPONENTS, PathRecord.RATE, 63).status()).isZero();
        assertThat(path(0, 5).with(COMPONENTS, PathRecord.PACKET_LIFE_TIME, 1).status())
                .isZero();
    }

    @Test
    void aSelectorWithoutItsValueConstrainsNothing() {
        assertThat(path(0, 5).with(COMPONENTS, PathRecord.MTU_SELECTOR, 0).status())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 27, 63})
    void aRequestWithAnUndefinedRateIsInvalid(int rate) {
        assertThat(path(0, 5)
                        .with(COMPONENTS, PathRecord.RATE_SELECTOR, 2)
                        .with(COMPONENTS, PathRecord.RATE, rate)
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 6, 63})
    void aRequestWithAnUndefinedMtuIsInvalid(int mtu) {
        assertThat(path(0, 5)
                        .with(COMPONENTS, PathRecord.MTU_SELECTOR, 1)
                        .with(COMPONENTS, PathRecord.MTU, mtu)
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @Test
    void aRequestWithHalfAServiceIdHasInsufficientComponents() {
        int insufficient = MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS;
        assertThat(path(0, 5).with(COMPONENTS, PathRecord.SERVICE_ID_8, 1).status())
                .isEqualTo(insufficient);
        assertThat(path(0, 5).with(COMPONENTS, PathRecord.SERVICE_ID_56, 1).status())
                .isEqualTo(insufficient);
    }

    @Test
    void componentsOfTheRequestThatDescribeTrafficAreRepeated() {
        SaHarness.Request request = path(0, 5)
                .with(COMPONENTS, PathRecord.SERVICE_ID_8, 0x12)
                .with(COMPONENTS, PathRecord.SERVICE_ID_56, 0x34_5678_9abc_def0L)
                .with(COMPONENTS, PathRecord.FLOW_LABEL, 0xabcde)
                .with(COMPONENTS, PathRecord.T_CLASS, 0x77)
                .with(COMPONENTS, PathRecord.QOS_CLASS, 0xfed);
        PathRecord record = read(request.answer());
        assertThat(record.get(PathRecord.SERVICE_ID_8)).isEqualTo(0x12);
        assertThat(record.get(PathRecord.SERVICE_ID_56)).isEqualTo(0x34_5678_9abc_def0L);
        assertThat(record.get(PathRecord.FLOW_LABEL)).isEqualTo(0xabcde);
        assertThat(record.get(PathRecord.T_CLASS)).isEqualTo(0x77);
        assertThat(record.get(PathRecord.QOS_CLASS)).isEqualTo(0xfed);
    }

    @Test
    void aFlowLabelThatTheComponentMaskDoesNotSelectIsNotRepeated() {
        SaHarness.Request request = path(0, 5);
        PathRecord.FLOW_LABEL.set(request.mad, SaMad.DATA_OFFSET, 0xabcde);
        assertThat(read(request.answer()).get(PathRecord.FLOW_LABEL)).isZero();
    }

    /** The subnet has the default partition only. */
    @ParameterizedTest
    @ValueSource(ints = {0xffff, 0x7fff})
    void aPKeyOfTheDefaultPartitionIsGrantedWithEitherMembership(int pKey) {
        assertThat(read(path(0, 5).with(COMPONENTS, PathRecord.P_KEY, pKey).answer())
                        .get(PathRecord.P_KEY))
                .isEqualTo(pKey);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x8001, 0x0001, 0x0000})
    void aPKeyOfNoPartitionHasNoPath(int pKey) {
        assertThat(path(0, 5).with(COMPONENTS, PathRecord.P_KEY, pKey).status()).isEqualTo(NO_RECORDS);
    }

    @Test
    void aPathForRawTrafficHasNoPKey() {
        PathRecord record =
                read(path(0, 5).with(COMPONENTS, PathRecord.RAW_TRAFFIC, 1).answer());
        assertThat(record.get(PathRecord.P_KEY)).isZero();
        assertThat(record.get(PathRecord.RAW_TRAFFIC)).isEqualTo(1);
    }

    @Test
    void aPathForOtherThanRawTrafficHasThePKeyOfTheDefaultPartition() {
        assertThat(read(path(0, 5).with(COMPONENTS, PathRecord.RAW_TRAFFIC, 0).answer())
                        .get(PathRecord.P_KEY))
                .isEqualTo(0xffff);
    }

    @Test
    void aRequestForPKey0HasNoPathIfTrafficIsNotRaw() {
        byte[] answer = path(0, 5)
                .with(COMPONENTS, PathRecord.RAW_TRAFFIC, 0)
                .with(COMPONENTS, PathRecord.P_KEY, 0)
                .answer();
        assertThat(MadHeader.status(answer)).isEqualTo(NO_RECORDS);
    }

    @Test
    void aPathForRawTrafficHasNoPKeyWhateverIsRequested() {
        PathRecord record = read(path(0, 5)
                .with(COMPONENTS, PathRecord.RAW_TRAFFIC, 1)
                .with(COMPONENTS, PathRecord.P_KEY, 0x1234)
                .answer());
        assertThat(record.get(PathRecord.P_KEY)).isZero();
    }

    /** SL 8 to 15 of a partition are the second QoS level of a torus; the routing sets the lower bits. */
    @ParameterizedTest
    @CsvSource({"0, " + ROUTED_SL, "2, " + ROUTED_SL, "8, " + SECOND_LEVEL_SL, "15, " + SECOND_LEVEL_SL})
    void aRequestWithoutAnSlGetsTheLevelOfThePartition(int sl, int granted) {
        harness.view = torus.partitioned("Default=0x7fff,sl=" + sl + ":ALL=full;");
        assertThat(read(path(0, 8).answer()).sl()).isEqualTo(granted);
        assertThat(read(path(0, 8).with(COMPONENTS, PathRecord.SL, ROUTED_SL).answer())
                        .sl())
                .as("a requested SL precedes that of the partition")
                .isEqualTo(ROUTED_SL);
        assertThat(read(path(0, 8).with(COMPONENTS, PathRecord.RAW_TRAFFIC, 1).answer())
                        .sl())
                .as("raw traffic is in no partition")
                .isEqualTo(ROUTED_SL);
        assertThat(path(0, 8).with(COMPONENTS, PathRecord.SL, sl).status())
                .as("the routing does not use the SL of the partition itself")
                .isEqualTo(NO_RECORDS);
    }

    /** If an SL is mapped to VL15 on the way, it is never granted, requested or not. */
    @Test
    void anSlThatIsDiscardedOnTheWayIsNeverGranted() {
        harness.view = torus.partitioned("Default=0x7fff:ALL=full;B=0x10,sl=8:ALL=full;");
        torus.tables.discardedSls = SLS_0_TO_7;
        assertThat(path(0, 8).with(COMPONENTS, PathRecord.P_KEY, 0xffff).status())
                .as("the SL of the default partition")
                .isEqualTo(NO_RECORDS);
        assertThat(path(0, 8).with(COMPONENTS, PathRecord.SL, ROUTED_SL).status())
                .as("a requested SL")
                .isEqualTo(NO_RECORDS);
        assertThat(read(path(0, 8).with(COMPONENTS, PathRecord.P_KEY, 0x8010).answer())
                        .sl())
                .as("the SL of partition B")
                .isEqualTo(SECOND_LEVEL_SL);
    }

    @Test
    void aPathForRawTrafficHasTheFirstSlThatIsNotDiscarded() {
        torus.tables.discardedSls = SLS_0_TO_7;
        assertThat(read(path(0, 8).with(COMPONENTS, PathRecord.RAW_TRAFFIC, 1).answer())
                        .sl())
                .isEqualTo(SECOND_LEVEL_SL);
        torus.tables.discardedSls = ALL_SLS;
        assertThat(path(0, 8).with(COMPONENTS, PathRecord.RAW_TRAFFIC, 1).status())
                .isEqualTo(NO_RECORDS);
    }

    @Test
    void eachPartitionHasItsSl() {
        harness.view = torus.partitioned("Default=0x7fff:ALL=full;B=0x10,sl=8:ALL=full;");
        assertThat(read(path(0, 8).with(COMPONENTS, PathRecord.P_KEY, 0x7fff).answer())
                        .sl())
                .isEqualTo(ROUTED_SL);
        assertThat(read(path(0, 8).with(COMPONENTS, PathRecord.P_KEY, 0x8010).answer())
                        .sl())
                .isEqualTo(SECOND_LEVEL_SL);
    }
}
