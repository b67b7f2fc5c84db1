package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.MultiPathRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.partition.PKeys;
import io.torussm.partition.PortKeys;
import io.torussm.paths.PathPolicy;
import io.torussm.paths.PathPolicy.Criteria;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.rmpp.Rmpp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The effect of a QoS level on a path. From host 0 to host 8 the plan gives SL 3 and SL 11: two datelines,
 * and bit 3.
 */
class PathPolicyTest {
    private static final ComponentMask C = PathRecord.COMPONENTS;
    private static final int SIZE = 64;
    private static final int FROM = 0;
    private static final int TO = 8;
    private static final int LEVEL = 8;
    private static final int NO_LIMIT = PathPolicy.Level.NO_LIMIT;
    private static final String TWO_PARTITIONS = "Default=0x7fff:ALL=full; A=0x11:ALL=full; B=0x10:ALL=full;";

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);
    private final List<Criteria> wishes = new ArrayList<>();

    /** A level; {@code only} is the one partition that it allows, 0 for any. */
    private record Level(int sl, int mtuLimit, int rateLimit, int packetLife, int only) implements PathPolicy.Level {
        @Override
        public boolean allows(int pKey) {
            return only == 0 || PKeys.base(pKey) == only;
        }

        @Override
        public int pKey(PortKeys from, PortKeys to) {
            return only == 0 ? from.sharedWith(to) : from.maySpeak(only, to) ? only | PKeys.FULL : 0;
        }
    }

    private static Level sl(int sl) {
        return new Level(sl, NO_LIMIT, NO_LIMIT, NO_LIMIT, 0);
    }

    /** Sets the level of all paths. */
    private void setLevel(Level level) {
        harness.paths.setPolicy(view -> wish -> {
            wishes.add(wish);
            return (from, to) -> level;
        });
    }

    private static Gid gid(int host) {
        return new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(host) + 1);
    }

    private SaHarness.Request path() {
        return path(FROM, TO);
    }

    private SaHarness.Request path(int from, int to) {
        return harness.get(PathRecord.TYPE.id())
                .with(C, PathRecord.SGID, gid(from))
                .with(C, PathRecord.DGID, gid(to));
    }

    private static PathRecord read(SaHarness.Request request) {
        byte[] answer = request.answer();
        assertThat(MadHeader.status(answer)).isZero();
        return PathRecord.TYPE.read(answer, SaMad.DATA_OFFSET);
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "7, 3", "8, 11", "12, 11"})
    void theLevelsSlIsAHintToThePlan(int ofLevel, int granted) {
        setLevel(sl(ofLevel));
        assertThat(read(path()).sl()).isEqualTo(granted);
    }

    @Test
    void theLevelsSlCountsMoreThanThePartitions() {
        harness.view = torus.partitioned("Default=0x7fff,sl=8:ALL=full;");
        assertThat(read(path()).sl()).isEqualTo(3 | LEVEL);
        setLevel(sl(0));
        assertThat(read(path()).sl()).isEqualTo(3);
    }

    @Test
    void anSlThatIsAskedForMustBeTheOneOfTheLevel() {
        assertThat(read(path().with(C, PathRecord.SL, 3)).sl()).isEqualTo(3);
        setLevel(sl(LEVEL));
        assertThat(path().with(C, PathRecord.SL, 3).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(path().with(C, PathRecord.SL, LEVEL).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(read(path().with(C, PathRecord.SL, 3 | LEVEL)).sl()).isEqualTo(3 | LEVEL);
    }

    @Test
    void limitsLowerMtuAndRate() {
        setLevel(new Level(0, 3, 3, NO_LIMIT, 0));
        PathRecord record = read(path());
        assertThat(record.mtu()).isEqualTo(3);
        assertThat(record.rate()).isEqualTo(3);
        assertThat(record.get(PathRecord.REVERSIBLE)).isEqualTo(1);
        setLevel(new Level(0, 5, 10, NO_LIMIT, 0));
        assertThat(read(path()).mtu()).as("no better than the path").isEqualTo(4);
        assertThat(read(path()).rate()).isEqualTo(7);
    }

    @Test
    void ratesAreLimitedByBandwidthNotByTheirCodes() {
        setLevel(new Level(0, NO_LIMIT, 5, NO_LIMIT, 0));
        assertThat(read(path()).rate()).as("5 Gb/s is less than 40").isEqualTo(5);
        setLevel(new Level(0, NO_LIMIT, 11, NO_LIMIT, 0));
        assertThat(read(path()).rate())
                .as("14 Gb/s, a higher code, is less than 40")
                .isEqualTo(11);
    }

    @Test
    void aPathThatExceedsALimitIsNotFound() {
        setLevel(new Level(0, 3, 3, 10, 0));
        assertThat(path().with(C, PathRecord.MTU_SELECTOR, PathRecord.EXACTLY)
                        .with(C, PathRecord.MTU, 4)
                        .status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(path().with(C, PathRecord.RATE_SELECTOR, PathRecord.EXACTLY)
                        .with(C, PathRecord.RATE, 7)
                        .status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(path().with(C, PathRecord.PACKET_LIFE_TIME_SELECTOR, PathRecord.GREATER)
                        .with(C, PathRecord.PACKET_LIFE_TIME, 10)
                        .status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @Test
    void thePacketLifeTimeIsTheLevels() {
        setLevel(new Level(0, NO_LIMIT, NO_LIMIT, 5, 0));
        assertThat(read(path()).get(PathRecord.PACKET_LIFE_TIME)).isEqualTo(5);
        assertThat(read(path(FROM, FROM)).get(PathRecord.PACKET_LIFE_TIME))
                .as("to itself")
                .isZero();
        setLevel(sl(0));
        assertThat(read(path()).get(PathRecord.PACKET_LIFE_TIME)).isEqualTo(ViewDraft.SUBNET_TIMEOUT);
    }

    @Test
    void aLevelChoosesAndRefusesPKeys() {
        harness.view = torus.partitioned(TWO_PARTITIONS);
        setLevel(new Level(0, NO_LIMIT, NO_LIMIT, NO_LIMIT, 0x11));
        assertThat(read(path()).get(PathRecord.P_KEY)).isEqualTo(0x8011);
        assertThat(read(path().with(C, PathRecord.P_KEY, 0x8011)).get(PathRecord.P_KEY))
                .isEqualTo(0x8011);
        assertThat(path().with(C, PathRecord.P_KEY, 0x8010).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        setLevel(new Level(0, NO_LIMIT, NO_LIMIT, NO_LIMIT, 0x12));
        assertThat(path().status()).as("no port is in that").isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @Test
    void thePolicyReceivesTheRequest() {
        setLevel(sl(0));
        path().answer();
        path().with(C, PathRecord.SERVICE_ID_8, 0x12)
                .with(C, PathRecord.SERVICE_ID_56, 0x34_5678_9abc_def0L)
                .with(C, PathRecord.QOS_CLASS, 0xabc)
                .with(C, PathRecord.P_KEY, 0xffff)
                .answer();
        assertThat(wishes)
                .containsExactly(
                        new Criteria(false, 0, Criteria.UNSPECIFIED, Criteria.UNSPECIFIED),
                        new Criteria(true, 0x1234_5678_9abc_def0L, 0xabc, 0xffff));
    }

    @Test
    void eachPairHasItsLevel() {
        harness.paths.setPolicy(view -> wish -> (from, to) -> sl(to == torus.hostPort(TO) ? LEVEL : 0));
        List<byte[]> records = harness.getTable(PathRecord.TYPE.id())
                .with(C, PathRecord.SGID, gid(FROM))
                .records(SIZE);
        assertThat(records).hasSizeGreaterThan(SmallTorus.SWITCHES).allSatisfy(record -> assertThat(
                        PathRecord.SL.get(record, 0) >= LEVEL)
                .isEqualTo(PathRecord.DLID.get(record, 0) == torus.hostLid(TO)));
    }

    @Test
    void multiPathRecordsFollowThePolicyToo() {
        setLevel(new Level(LEVEL, 2, NO_LIMIT, 7, 0));
        SaHarness.Request request = harness.request(Method.GET_MULTI, MultiPathRecord.TYPE.id())
                .with(MultiPathRecord.COMPONENTS, MultiPathRecord.SGID_COUNT, 1)
                .with(MultiPathRecord.COMPONENTS, MultiPathRecord.DGID_COUNT, 1)
                .with(MultiPathRecord.COMPONENTS, MultiPathRecord.QOS_CLASS, 0x123);
        int gids = SaMad.DATA_OFFSET + MultiPathRecord.TYPE.layout().size();
        gid(FROM).write(request.mad, gids);
        gid(TO).write(request.mad, gids + 16);
        request.set(SaMad.RMPP_VERSION, 1)
                .set(SaMad.RMPP_TYPE, Rmpp.DATA)
                .set(SaMad.RMPP_FLAGS, 7)
                .set(SaMad.DATA1, 1)
                .set(SaMad.DATA2, 20 + gids + 32 - SaMad.DATA_OFFSET);
        assertThat(request.records(SIZE)).singleElement().satisfies(record -> {
            assertThat(PathRecord.SL.get(record, 0)).isEqualTo(3 | LEVEL);
            assertThat(PathRecord.MTU.get(record, 0)).isEqualTo(2);
            assertThat(PathRecord.PACKET_LIFE_TIME.get(record, 0)).isEqualTo(7);
        });
        assertThat(wishes).containsExactly(new Criteria(false, 0, 0x123, Criteria.UNSPECIFIED));
    }

    @Test
    void aPolicyIsPreparedOnceForEachViewAndCountsFromTheNextRequest() {
        List<Long> prepared = new ArrayList<>();
        PathPolicy policy = view -> {
            prepared.add(view.sweep());
            return wish -> (from, to) -> sl(LEVEL);
        };
        assertThat(read(path()).sl()).isEqualTo(3);
        harness.paths.setPolicy(policy);
        assertThat(read(path()).sl()).isEqualTo(3 | LEVEL);
        assertThat(read(path()).sl()).isEqualTo(3 | LEVEL);
        harness.view = torus.partitioned("Default=0x7fff:ALL=full;");
        harness.paths.setPolicy(policy);
        assertThat(read(path()).sl()).isEqualTo(3 | LEVEL);
        assertThat(prepared).containsExactly(1L, 2L);
        harness.paths.setPolicy(PathPolicy.NONE);
        assertThat(read(path()).sl()).isEqualTo(3);
    }
}
