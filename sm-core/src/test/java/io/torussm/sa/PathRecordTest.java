package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.PortInfo;
import io.torussm.testing.ViewDraft;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PathRecord, one requirement at a time (IBA 15.2.5.16): the ends, and the paths between them. */
class PathRecordTest extends PathRecordCase {
    @Test
    void aPathBetweenHostsSaysEverythingThatASenderNeeds() {
        PathRecord record = read(path(0, 5).answer());
        assertThat(record.sgid()).isEqualTo(hostGid(0));
        assertThat(record.dgid()).isEqualTo(hostGid(5));
        assertThat(record.slid()).isEqualTo(torus.hostLid(0));
        assertThat(record.dlid()).isEqualTo(torus.hostLid(5));
        assertThat(record.sl()).isEqualTo(1); // the path crosses the dateline in x only
        assertThat(record.mtu()).isEqualTo(4); // 2,048 bytes
        assertThat(record.rate()).isEqualTo(7); // 40 Gb/s: 4x QDR
        assertThat(record.get(PathRecord.P_KEY)).isEqualTo(0xffff);
        assertThat(record.get(PathRecord.REVERSIBLE)).isEqualTo(1);
        assertThat(record.get(PathRecord.NUMB_PATH)).isZero();
        assertThat(record.get(PathRecord.HOP_LIMIT)).isZero();
        assertThat(record.get(PathRecord.PREFERENCE)).isZero();
        assertThat(record.get(PathRecord.PACKET_LIFE_TIME)).isEqualTo(ViewDraft.SUBNET_TIMEOUT);
        for (Field selector :
                List.of(PathRecord.MTU_SELECTOR, PathRecord.RATE_SELECTOR, PathRecord.PACKET_LIFE_TIME_SELECTOR)) {
            assertThat(record.get(selector)).as(selector.name()).isEqualTo(PathRecord.EXACTLY);
        }
    }

    @Test
    void everyAddressFormFindsTheSamePath() {
        byte[] expected = SaHarness.record(path(0, 5).answer(), SIZE);
        Gid linkLocal = new Gid(Gid.DEFAULT_PREFIX, SmallTorus.hostGuid(5) + 1);
        List<SaHarness.Request> forms = List.of(
                harness.get(PathRecord.TYPE.id())
                        .with(COMPONENTS, PathRecord.SLID, torus.hostLid(0))
                        .with(COMPONENTS, PathRecord.DLID, torus.hostLid(5)),
                harness.get(PathRecord.TYPE.id())
                        .with(COMPONENTS, PathRecord.SGID, hostGid(0))
                        .with(COMPONENTS, PathRecord.DLID, torus.hostLid(5)),
                harness.get(PathRecord.TYPE.id())
                        .with(COMPONENTS, PathRecord.SLID, torus.hostLid(0))
                        .with(COMPONENTS, PathRecord.DGID, hostGid(5)),
                path(0, 5)
                        .with(COMPONENTS, PathRecord.SLID, torus.hostLid(0))
                        .with(COMPONENTS, PathRecord.DLID, torus.hostLid(5)),
                harness.get(PathRecord.TYPE.id())
                        .with(COMPONENTS, PathRecord.SGID, hostGid(0))
                        .with(COMPONENTS, PathRecord.DGID, linkLocal));
        for (SaHarness.Request form : forms) {
            assertThat(SaHarness.record(form.answer(), SIZE)).isEqualTo(expected);
        }
    }

    @Test
    void addressesThatContradictEachOtherAreInvalid() {
        assertThat(path(0, 5)
                        .with(COMPONENTS, PathRecord.SLID, torus.hostLid(1))
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(path(0, 5)
                        .with(COMPONENTS, PathRecord.DLID, torus.hostLid(1))
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @Test
    void endPointsThatDoNotExistHaveNoPaths() {
        Gid stranger = gid(0x999);
        Gid foreign = new Gid(0x1234_0000_0000_0000L, SmallTorus.hostGuid(5) + 1);
        Gid multicast = new Gid(0xff12_401b_ffff_0000L, 0x1234L);
        for (Gid nobody : List.of(stranger, foreign, multicast)) {
            assertThat(harness.get(PathRecord.TYPE.id())
                            .with(COMPONENTS, PathRecord.SGID, nobody)
                            .status())
                    .isEqualTo(NO_RECORDS);
            assertThat(harness.get(PathRecord.TYPE.id())
                            .with(COMPONENTS, PathRecord.DGID, nobody)
                            .status())
                    .isEqualTo(NO_RECORDS);
            assertThat(harness.getTable(PathRecord.TYPE.id())
                            .with(COMPONENTS, PathRecord.DGID, nobody)
                            .records(SIZE))
                    .isEmpty();
        }
        for (int lid : new int[] {0, 1, 0xC000, 0xFFFF}) {
            assertThat(harness.get(PathRecord.TYPE.id())
                            .with(COMPONENTS, PathRecord.SLID, lid)
                            .status())
                    .isEqualTo(NO_RECORDS);
            assertThat(path(0, 5).with(COMPONENTS, PathRecord.DLID, lid).status())
                    .isEqualTo(NO_RECORDS);
        }
    }

    @Test
    void oneSideAloneMeansAllPeersAndGetReturnsTheFirst() {
        List<byte[]> all = harness.getTable(PathRecord.TYPE.id())
                .with(COMPONENTS, PathRecord.SGID, hostGid(3))
                .records(SIZE);
        assertThat(all).hasSize(19); // to the LIDs of 9 switches and 10 ports of hosts
        byte[] first = harness.get(PathRecord.TYPE.id())
                .with(COMPONENTS, PathRecord.SGID, hostGid(3))
                .answer();
        assertThat(SaHarness.record(first, SIZE)).isEqualTo(all.get(0));
        assertThat(harness.getTable(PathRecord.TYPE.id())
                        .with(COMPONENTS, PathRecord.DGID, hostGid(3))
                        .records(SIZE))
                .hasSize(19);
    }

    @Test
    void numbPathIsForEachPairOfPorts() {
        SmallTorus wide = new SmallTorus(2, (guid, portNum, usual) -> usual);
        SaHarness asker = new SaHarness(wide);
        for (int wanted : new int[] {0, 1, 3, 16, 127}) {
            assertThat(asker.getTable(PathRecord.TYPE.id())
                            .with(COMPONENTS, PathRecord.SGID, hostGid(0))
                            .with(COMPONENTS, PathRecord.NUMB_PATH, wanted)
                            .records(SIZE))
                    .as("NumbPath %d, to 10 ports with 4 LIDs each and 9 with one", wanted)
                    .hasSize(10 * Math.min(16, wanted) + 9 * Math.min(4, wanted));
        }
        assertThat(path(0, 5).with(COMPONENTS, PathRecord.NUMB_PATH, 0).status())
                .isZero();
        assertThat(path(0, 5).with(COMPONENTS, PathRecord.NUMB_PATH, 127).status())
                .isZero();
    }

    @Test
    void aPathWhoseWayBackHasAnotherSlIsNotReversible() {
        SaHarness.Request request = path(0, 5).with(COMPONENTS, PathRecord.REVERSIBLE, 1);
        assertThat(request.status()).isZero();
        torus.tables.asymmetricSlid = torus.hostLid(5);
        assertThat(request.status()).isEqualTo(NO_RECORDS);
        assertThat(read(path(0, 5).answer()).get(PathRecord.REVERSIBLE)).isZero();
    }

    /** A port may be the end of a path to itself; this path needs no cable. */
    @Test
    void allPathsOfTheWorldIncludeThoseToOneself() {
        assertThat(harness.getTable(PathRecord.TYPE.id()).records(SIZE)).hasSize(19 * 19);
    }

    @Test
    void aWorldQueryThatNothingMeetsIsAnsweredWithoutLookingAtThePairs() {
        for (SaHarness.Request request : List.of(
                harness.getTable(PathRecord.TYPE.id())
                        .with(COMPONENTS, PathRecord.MTU_SELECTOR, 0)
                        .with(COMPONENTS, PathRecord.MTU, 5),
                harness.getTable(PathRecord.TYPE.id())
                        .with(COMPONENTS, PathRecord.RATE_SELECTOR, 1)
                        .with(COMPONENTS, PathRecord.RATE, 2),
                harness.getTable(PathRecord.TYPE.id()).with(COMPONENTS, PathRecord.P_KEY, 0x9999))) {
            assertThat(request.records(SIZE)).isEmpty();
        }
        assertThat(torus.tables.slRequests).isZero();
    }

    /** The rate of a switch's port 0 limits no path. Traffic of a faster port may use a slower path. */
    @Test
    void aWorldQueryFindsAllThatMeetsIt() {
        SmallTorus weak = new SmallTorus(0, (guid, portNum, usual) -> {
            boolean isSlow = guid == SmallTorus.switchGuid(0) && portNum == 1 || guid != 0 && portNum == 0;
            return isSlow ? usual.with(PortInfo.LINK_WIDTH_ACTIVE, 1) : usual;
        });
        SaHarness asker = new SaHarness(weak);
        List<byte[]> all = asker.getTable(PathRecord.TYPE.id()).records(SIZE);
        assertThat(all).hasSize(19 * 19);
        for (int selector = 0; selector < 4; selector++) {
            for (int rate : new int[] {3, 7, 12}) {
                int wanted = selector;
                long expected = all.stream()
                        .mapToInt(record -> (int) PathRecord.RATE.get(record, 0))
                        .filter(has -> wanted == PathRecord.BEST
                                || wanted == PathRecord.LESS
                                || PathRecord.meets(wanted, Rates.compare(has, rate)))
                        .count();
                assertThat(asker.getTable(PathRecord.TYPE.id())
                                .with(COMPONENTS, PathRecord.RATE_SELECTOR, selector)
                                .with(COMPONENTS, PathRecord.RATE, rate)
                                .records(SIZE))
                        .as("selector %d rate %d", selector, rate)
                        .hasSize((int) expected);
            }
        }
    }

    /** 19 ports with 128 LIDs: 19 x 19 x 128 x 128 pairs of LIDs, none of them with this SL. */
    @ParameterizedTest
    @CsvSource({"0, 65537", "0x0123456789abcdef, 1048577"})
    void aSearchInVainIsGivenUp(String smKey, int tried) {
        SmallTorus wide = new SmallTorus(7, (guid, portNum, usual) -> usual);
        SaHarness asker = new SaHarness(wide);
        int status = asker.getTable(PathRecord.TYPE.id())
                .with(COMPONENTS, PathRecord.SL, 7)
                .set(SaMad.SM_KEY, Long.decode(smKey))
                .status();
        assertThat(status).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(wide.tables.slRequests).isEqualTo(tried);
    }

    @Test
    void aPathToOneselfTakesNoTime() {
        assertThat(read(path(3, 3).answer()).get(PathRecord.PACKET_LIFE_TIME)).isZero();
    }

    @Test
    void aMissingEntryMeansNoPathAndOneOnTheReturnPathNoReversiblePath() {
        torus.tables.lfts[4][torus.hostLid(8)] = (byte) 0xff;
        assertThat(path(4, 8).status()).isEqualTo(NO_RECORDS);
        PathRecord oneWay = read(path(8, 4).answer());
        assertThat(oneWay.get(PathRecord.REVERSIBLE)).isZero();
        assertThat(path(8, 4).with(COMPONENTS, PathRecord.REVERSIBLE, 1).status())
                .isEqualTo(NO_RECORDS);
        assertThat(path(8, 4).with(COMPONENTS, PathRecord.REVERSIBLE, 0).status())
                .isZero();
    }

    @Test
    void aLoopInTheTablesMeansNoPath() {
        torus.tables.lfts[0][torus.hostLid(8)] = 1;
        torus.tables.lfts[1][torus.hostLid(8)] = 2;
        assertThat(path(0, 8).status()).isEqualTo(NO_RECORDS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 6, 7, 254})
    void anEntryThatLeadsElsewhereMeansNoPath(int port) {
        torus.tables.lfts[4][torus.hostLid(8)] = (byte) port;
        assertThat(path(4, 8).status()).isEqualTo(NO_RECORDS);
    }

    @Test
    void switchesHavePathsToo() {
        byte[] answer = harness.get(PathRecord.TYPE.id())
                .with(COMPONENTS, PathRecord.SGID, gid(SmallTorus.switchGuid(2)))
                .with(COMPONENTS, PathRecord.DLID, torus.switchLid(7))
                .answer();
        PathRecord record = read(answer);
        assertThat(record.slid()).isEqualTo(torus.switchLid(2));
        assertThat(record.dgid()).isEqualTo(gid(SmallTorus.switchGuid(7)));
        assertThat(record.rate()).isEqualTo(7);
    }

    @Test
    void withLmcEqualOffsetsComeFirstAndAreBetter() {
        SmallTorus wide = new SmallTorus(1, (guid, portNum, usual) -> usual);
        SaHarness asker = new SaHarness(wide);
        SaHarness.Request table = asker.getTable(PathRecord.TYPE.id())
                .with(COMPONENTS, PathRecord.SGID, hostGid(0))
                .with(COMPONENTS, PathRecord.DGID, hostGid(5));
        List<String> offsets = table.records(SIZE).stream()
                .map(record -> PathRecord.SLID.get(record, 0) - wide.hostLid(0) + ">"
                        + (PathRecord.DLID.get(record, 0) - wide.hostLid(5)) + " "
                        + PathRecord.PREFERENCE.get(record, 0))
                .toList();
        assertThat(offsets).containsExactly("0>0 0", "1>1 0", "0>1 2", "1>0 2");
        assertThat(read(path(asker, 0, 5).answer()).dlid()).isEqualTo(wide.hostLid(5));
        PathRecord pinned = read(path(asker, 0, 5)
                .with(COMPONENTS, PathRecord.DLID, wide.hostLid(5) + 1)
                .answer());
        assertThat(pinned.dlid()).isEqualTo(wide.hostLid(5) + 1);
        assertThat(pinned.slid()).isEqualTo(wide.hostLid(0) + 1);
        PathRecord crossed = read(path(asker, 0, 5)
                .with(COMPONENTS, PathRecord.SLID, wide.hostLid(0))
                .with(COMPONENTS, PathRecord.DLID, wide.hostLid(5) + 1)
                .answer());
        assertThat(crossed.get(PathRecord.PREFERENCE)).isEqualTo(2);
    }
}
