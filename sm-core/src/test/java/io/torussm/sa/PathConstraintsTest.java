package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.PortInfo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * PathRecord, one requirement at a time (IBA 15.2.5.16): SL, MTU, rate, life time, P_Key and other
 * constraints.
 */
class PathConstraintsTest extends PathRecordCase {
    @Test
    void onlyTheSlOfTheRoutingIsGrantedAndAsked() {
        for (int sl = 0; sl < 16; sl++) {
            int status = path(0, 8).with(C, PathRecord.SL, sl).status();
            assertThat(status).as("SL %d", sl).isEqualTo(sl == 3 || sl == 11 ? 0 : NONE);
        }
        assertThat(read(path(0, 8).with(C, PathRecord.SL, 11).answer()).sl()).isEqualTo(11);
        assertThat(read(path(0, 8).answer()).sl()).isEqualTo(3);
    }

    @Test
    void theWeakestCableOfTheWayDecidesMtuAndRate() {
        // The cable from switch 0 to switch 1 is weak at one end each time.
        SmallTorus weak = new SmallTorus(0, (guid, portNum, usual) -> {
            if (guid == SmallTorus.switchGuid(0) && portNum == 1) {
                return usual.with(PortInfo.NEIGHBOR_MTU, 2).with(PortInfo.LINK_WIDTH_ACTIVE, 1);
            }
            return guid == SmallTorus.switchGuid(5) && portNum == 3
                    ? usual.with(PortInfo.MTU_CAP, 3).with(PortInfo.LINK_SPEED_ACTIVE, 2)
                    : usual;
        });
        SaHarness asker = new SaHarness(weak);
        for (int from = 0; from < SmallTorus.SWITCHES; from++) {
            for (int to = 0; to < SmallTorus.SWITCHES; to++) {
                boolean bySlow = crosses(from, to, 0, 1);
                boolean byHalf = crosses(from, to, 5, 8);
                PathRecord record = read(path(asker, from, to).answer());
                assertThat(record.mtu()).as("%d to %d", from, to).isEqualTo(bySlow ? 2 : byHalf ? 3 : 4);
                assertThat(record.rate()).as("%d to %d", from, to).isEqualTo(bySlow ? 3 : byHalf ? 6 : 7);
            }
        }
    }

    /**
     * Checks whether the path between two switches uses the cable between two others, in either direction.
     */
    private static boolean crosses(int from, int to, int a, int b) {
        List<Integer> way = new ArrayList<>(List.of(from));
        int corner = SmallTorus.at(SmallTorus.x(to), SmallTorus.y(from));
        if (corner != from) {
            way.add(corner);
        }
        if (to != corner) {
            way.add(to);
        }
        for (int i = 0; i + 1 < way.size(); i++) {
            if (way.get(i) == a && way.get(i + 1) == b || way.get(i) == b && way.get(i + 1) == a) {
                return true;
            }
        }
        return false;
    }

    @Test
    void anExtendedSpeedOfASwitchCountsOnlyIfItsPort0AnnouncesIt() {
        for (boolean announced : new boolean[] {true, false}) {
            SmallTorus fast = new SmallTorus(0, (guid, portNum, usual) -> {
                boolean isSwitch0 = guid == SmallTorus.switchGuid(0);
                long mask = usual.capabilityMask() & 0xffff_ffffL & ~PortInfo.CAP_EXTENDED_SPEEDS;
                long own = announced || !isSwitch0 ? mask | PortInfo.CAP_EXTENDED_SPEEDS : mask;
                return usual.with(PortInfo.CAPABILITY_MASK, own).with(PortInfo.LINK_SPEED_EXT_ACTIVE, 2);
            });
            SaHarness asker = new SaHarness(fast);
            assertThat(read(path(asker, 0, 4).answer()).rate()).isEqualTo(announced ? 16 : 7);
            assertThat(read(path(asker, 4, 8).answer()).rate()).isEqualTo(16);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "255, 15", "3, 3"})
    void codesThatNobodyDefinedAreOneLaneAt2Point5(int width, int speed) {
        SmallTorus odd = new SmallTorus(0, (guid, portNum, usual) -> usual.with(PortInfo.LINK_WIDTH_ACTIVE, width)
                .with(PortInfo.LINK_SPEED_ACTIVE, speed));
        assertThat(read(path(new SaHarness(odd), 0, 4).answer()).rate()).isEqualTo(2);
    }

    /** The path has MTU 4, rate 7 (40 Gb/s), life time 18. */
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
    void selectorsConstrain(String name, int selector, int value, int expected) {
        Field field = field(name);
        byte[] answer = path(0, 5)
                .with(C, field(name + "Selector"), selector)
                .with(C, field, value)
                .answer();
        if (expected < 0) {
            assertThat(MadHeader.status(answer)).isEqualTo(NONE);
        } else {
            assertThat(read(answer).get(field)).isEqualTo(expected);
            assertThat(read(answer).get(field(name + "Selector"))).isEqualTo(PathRecord.EXACTLY);
        }
    }

    @Test
    void aSelectorWithoutItsValueOrTheReverseConstrainsNothing() {
        assertThat(path(0, 5).with(C, PathRecord.MTU, 5).status()).isZero();
        assertThat(path(0, 5).with(C, PathRecord.RATE, 63).status()).isZero();
        assertThat(path(0, 5).with(C, PathRecord.MTU_SELECTOR, 0).status()).isZero();
        assertThat(path(0, 5).with(C, PathRecord.PACKET_LIFE_TIME, 1).status()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 27, 63})
    void aRateThatNobodyDefinedIsInvalid(int rate) {
        assertThat(path(0, 5)
                        .with(C, PathRecord.RATE_SELECTOR, 2)
                        .with(C, PathRecord.RATE, rate)
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 6, 63})
    void anMtuThatNobodyDefinedIsInvalid(int mtu) {
        assertThat(path(0, 5)
                        .with(C, PathRecord.MTU_SELECTOR, 1)
                        .with(C, PathRecord.MTU, mtu)
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @Test
    void halfAServiceIdIsNotEnough() {
        int insufficient = MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS;
        assertThat(path(0, 5).with(C, PathRecord.SERVICE_ID_8, 1).status()).isEqualTo(insufficient);
        assertThat(path(0, 5).with(C, PathRecord.SERVICE_ID_56, 1).status()).isEqualTo(insufficient);
    }

    @Test
    void trafficComponentsOfTheRequestAreRepeatedIfTheyWereGiven() {
        SaHarness.Request request = path(0, 5)
                .with(C, PathRecord.SERVICE_ID_8, 0x12)
                .with(C, PathRecord.SERVICE_ID_56, 0x34_5678_9abc_def0L)
                .with(C, PathRecord.FLOW_LABEL, 0xabcde)
                .with(C, PathRecord.T_CLASS, 0x77)
                .with(C, PathRecord.QOS_CLASS, 0xfed);
        PathRecord record = read(request.answer());
        assertThat(record.get(PathRecord.SERVICE_ID_8)).isEqualTo(0x12);
        assertThat(record.get(PathRecord.SERVICE_ID_56)).isEqualTo(0x34_5678_9abc_def0L);
        assertThat(record.get(PathRecord.FLOW_LABEL)).isEqualTo(0xabcde);
        assertThat(record.get(PathRecord.T_CLASS)).isEqualTo(0x77);
        assertThat(record.get(PathRecord.QOS_CLASS)).isEqualTo(0xfed);
        SaMad.COMPONENT_MASK.set(request.mad, 0, C.bit(PathRecord.SGID) | C.bit(PathRecord.DGID));
        assertThat(read(request.answer()).get(PathRecord.FLOW_LABEL)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0xffff, 0", "0x7fff, 0", "0x8001, 0x300", "0x0001, 0x300", "0x0000, 0x300"})
    void onlyTheDefaultPartitionExistsYet(String pKey, String status) {
        byte[] answer =
                path(0, 5).with(C, PathRecord.P_KEY, Integer.decode(pKey)).answer();
        assertThat(MadHeader.status(answer)).isEqualTo(Integer.decode(status));
        assertThat(PathRecord.P_KEY.get(answer, SaMad.DATA_OFFSET))
                .isEqualTo(Integer.decode(pKey).longValue());
    }

    @Test
    void rawTrafficHasNoPartition() {
        PathRecord record = read(path(0, 5).with(C, PathRecord.RAW_TRAFFIC, 1).answer());
        assertThat(record.get(PathRecord.P_KEY)).isZero();
        assertThat(record.get(PathRecord.RAW_TRAFFIC)).isEqualTo(1);
        assertThat(read(path(0, 5).with(C, PathRecord.RAW_TRAFFIC, 0).answer()).get(PathRecord.P_KEY))
                .isEqualTo(0xffff);
    }

    @Test
    void trafficThatIsNotRawHasAPartition() {
        byte[] answer = path(0, 5)
                .with(C, PathRecord.RAW_TRAFFIC, 0)
                .with(C, PathRecord.P_KEY, 0)
                .answer();
        assertThat(MadHeader.status(answer)).isEqualTo(NONE);
    }

    @Test
    void rawTrafficHasNoPartitionForAnyRequest() {
        PathRecord record = read(path(0, 5)
                .with(C, PathRecord.RAW_TRAFFIC, 1)
                .with(C, PathRecord.P_KEY, 0x1234)
                .answer());
        assertThat(record.get(PathRecord.P_KEY)).isZero();
    }

    /** SL 8 to 15 of a partition are the second QoS level of a torus; the routing sets the lower bits. */
    @ParameterizedTest
    @CsvSource({"0, 3", "2, 3", "8, 11", "15, 11"})
    void withoutAnSlInTheRequestThePartitionsCounts(int sl, int granted) {
        harness.view = torus.partitioned("Default=0x7fff,sl=" + sl + ":ALL=full;");
        assertThat(read(path(0, 8).answer()).sl()).isEqualTo(granted);
        assertThat(read(path(0, 8).with(C, PathRecord.SL, 3).answer()).sl()).isEqualTo(3);
        assertThat(read(path(0, 8).with(C, PathRecord.RAW_TRAFFIC, 1).answer()).sl())
                .as("raw traffic is in no partition")
                .isEqualTo(3);
        assertThat(path(0, 8).with(C, PathRecord.SL, sl).status()).isEqualTo(sl == granted ? 0 : NONE);
    }

    /** If an SL is mapped to VL15 on the way, it is never granted, requested or not. */
    @Test
    void anSlThatIsDiscardedOnTheWayIsNeverGranted() {
        harness.view = torus.partitioned("Default=0x7fff:ALL=full;B=0x10,sl=8:ALL=full;");
        torus.tables.discardedSls = 0x00ff;
        assertThat(path(0, 8).with(C, PathRecord.P_KEY, 0xffff).status())
                .as("the partition's")
                .isEqualTo(NONE);
        assertThat(path(0, 8).with(C, PathRecord.SL, 3).status())
                .as("asked for")
                .isEqualTo(NONE);
        assertThat(read(path(0, 8).with(C, PathRecord.P_KEY, 0x8010).answer()).sl())
                .isEqualTo(11);
        assertThat(read(path(0, 8).with(C, PathRecord.RAW_TRAFFIC, 1).answer()).sl())
                .as("raw traffic has the first that is not discarded")
                .isEqualTo(11);
        torus.tables.discardedSls = 0xffff;
        assertThat(path(0, 8).with(C, PathRecord.RAW_TRAFFIC, 1).status()).isEqualTo(NONE);
    }

    @Test
    void eachPartitionHasItsSl() {
        harness.view = torus.partitioned("Default=0x7fff:ALL=full;B=0x10,sl=8:ALL=full;");
        assertThat(read(path(0, 8).with(C, PathRecord.P_KEY, 0x7fff).answer()).sl())
                .isEqualTo(3);
        assertThat(read(path(0, 8).with(C, PathRecord.P_KEY, 0x8010).answer()).sl())
                .isEqualTo(11);
    }
}
