package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.AttributeType;
import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.PortInfoRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.multicast.MulticastGroup;
import io.torussm.partition.PartitionConf;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Data that a requester may see. All are limited members of the default partition, except the SM at switch 0,
 * and host 0. Host 4, the requester, is a full member of partition 0x10; hosts 5 and 6 are limited ones. Host
 * 4 is not in partition 0x20.
 */
class PartitionFilterTest {
    private static final int FULL_SIZE = PathRecord.TYPE.layout().size();
    private static final String CONF = "Default=0x7fff:" + guid(0) + "=full;A=0x10,ipoib:" + guid(4) + "=full,"
            + guid(5) + "," + guid(6) + ";" + "B=0x20,ipoib:" + guid(7) + "=full," + guid(8) + "=full;";

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);

    PartitionFilterTest() {
        harness.view = torus.partitioned(CONF);
        PartitionConf conf =
                Objects.requireNonNull(PartitionConf.parse("p.conf", CONF, true).conf());
        harness.memberships.declare(conf.groups());
    }

    private static String guid(int host) {
        return String.format(Locale.ROOT, "0x%x", SmallTorus.hostGuid(host) + 1);
    }

    private static Gid gid(int host) {
        return new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(host) + 1);
    }

    private Set<Integer> lids(AttributeType<?> type, io.torussm.mad.Field lid, long smKey) {
        Set<Integer> lids = new TreeSet<>();
        List<byte[]> records = harness.getTable(type.id())
                .set(SaMad.SM_KEY, smKey)
                .records((type.layout().size() + 7) / 8 * 8);
        records.forEach(record -> lids.add((int) lid.get(record, 0)));
        return lids;
    }

    private Set<Integer> visible() {
        return new TreeSet<>(
                Set.of(torus.switchLid(0), torus.hostLid(0), torus.hostLid(4), torus.hostLid(5), torus.hostLid(6)));
    }

    @Test
    void nodesAndPortsOfOtherPartitionsAreHidden() {
        assertThat(lids(NodeRecord.TYPE, NodeRecord.LID, 0)).isEqualTo(visible());
        assertThat(lids(PortInfoRecord.TYPE, PortInfoRecord.ENDPORT_LID, 0)).isEqualTo(visible());
    }

    @Test
    void aRequestWithTheSmKeyFindsAllPorts() {
        int all = torus.subnet.topLid() - 16 + 1;
        assertThat(lids(NodeRecord.TYPE, NodeRecord.LID, SaHarness.SM_KEY)).hasSize(all);
        assertThat(lids(PortInfoRecord.TYPE, PortInfoRecord.ENDPORT_LID, SaHarness.SM_KEY))
                .hasSize(all);
    }

    @Test
    void aHiddenPortIsNotFoundByItsLid() {
        SaHarness.Request request =
                harness.get(NodeRecord.TYPE.id()).with(NodeRecord.COMPONENTS, NodeRecord.LID, torus.hostLid(7));
        assertThat(request.status()).isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    private SaHarness.Request path(int from, int to) {
        return harness.get(PathRecord.TYPE.id())
                .with(PathRecord.COMPONENTS, PathRecord.SGID, gid(from))
                .with(PathRecord.COMPONENTS, PathRecord.DGID, gid(to));
    }

    private static long pKey(SaHarness.Request request) {
        byte[] answer = request.answer();
        assertThat(io.torussm.mad.MadHeader.status(answer)).isZero();
        return PathRecord.P_KEY.get(SaHarness.record(answer, FULL_SIZE), 0);
    }

    @ParameterizedTest
    @CsvSource({"4, 5, 0x8010", "5, 4, 0x0010", "4, 0, 0x7fff", "0, 4, 0xffff", "0, 0, 0xffff"})
    void aPathHasAPKeyThatBothEndsShare(int from, int to, String pKey) {
        assertThat(pKey(path(from, to))).isEqualTo(Long.decode(pKey));
    }

    @ParameterizedTest
    @CsvSource({"5, 6", "4, 7", "7, 4", "7, 8", "0, 7", "1, 2"})
    void thereIsNoPathBetweenPortsThatMayNotTalkOrMayNotBeSeen(int from, int to) {
        assertThat(path(from, to).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @Test
    void trustChangesVisibilityAndNotPermission() {
        assertThat(pKey(path(7, 8).set(SaMad.SM_KEY, SaHarness.SM_KEY))).isEqualTo(0x8020);
        assertThat(path(5, 6).set(SaMad.SM_KEY, SaHarness.SM_KEY).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(path(4, 7).set(SaMad.SM_KEY, SaHarness.SM_KEY).status()).isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @ParameterizedTest
    @CsvSource({
        "4, 5, 0x8010, 0",
        "4, 5, 0x0010, 0",
        "4, 5, 0xffff, 0x300",
        "4, 0, 0x7fff, 0",
        "4, 0, 0x8010, 0x300",
        "4, 5, 0x8020, 0x300",
        "4, 5, 0, 0x300"
    })
    void aPKeyThatIsAskedForMustBeShared(int from, int to, String pKey, String status) {
        SaHarness.Request request = path(from, to).with(PathRecord.COMPONENTS, PathRecord.P_KEY, Long.decode(pKey));
        assertThat(request.status()).isEqualTo(Integer.decode(status));
    }

    @Test
    void aTableOfPathsHoldsWhatMayTalkOnly() {
        List<byte[]> records = harness.getTable(PathRecord.TYPE.id())
                .with(PathRecord.COMPONENTS, PathRecord.SGID, gid(4))
                .records(FULL_SIZE);
        Set<Integer> lids = new TreeSet<>();
        records.forEach(record -> lids.add((int) PathRecord.DLID.get(record, 0)));
        assertThat(lids).isEqualTo(visible());
    }

    @Test
    void groupsOfOtherPartitionsAreHidden() {
        int size = MCMemberRecord.TYPE.layout().size();
        List<byte[]> own = harness.getTable(MCMemberRecord.TYPE.id()).records(size);
        assertThat(own)
                .extracting(record -> MCMemberRecord.P_KEY.get(record, 0))
                .containsExactly(0x8010L);
        List<byte[]> all = harness.getTable(MCMemberRecord.TYPE.id())
                .set(SaMad.SM_KEY, SaHarness.SM_KEY)
                .records(size);
        assertThat(all)
                .extracting(record -> MCMemberRecord.P_KEY.get(record, 0))
                .containsExactly(0x8010L, 0x8020L);
    }

    private int join(int group) {
        MulticastGroup wanted = harness.memberships.view().groups().get(group);
        return harness.request(Method.SET, MCMemberRecord.TYPE.id())
                .with(MCMemberRecord.COMPONENTS, MCMemberRecord.MGID, wanted.mgid())
                .with(MCMemberRecord.COMPONENTS, MCMemberRecord.PORT_GID, gid(4))
                .with(MCMemberRecord.COMPONENTS, MCMemberRecord.JOIN_STATE, 1)
                .status();
    }

    @Test
    void aPortJoinsGroupsOfItsPartitionsOnly() {
        assertThat(join(0)).isZero();
        assertThat(join(1)).isEqualTo(MadStatus.SA_REQ_INVALID);
    }
}
