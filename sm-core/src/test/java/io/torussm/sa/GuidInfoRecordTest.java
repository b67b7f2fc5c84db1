package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.AliasTable;
import io.torussm.alias.AliasTable.Place;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.GuidInfoRecord;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.mad.smp.PortInfo;
import io.torussm.multicast.MulticastGroup;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Alias GUIDs by GUIDInfoRecord, and in all GIDs that name a port. */
class GuidInfoRecordTest {
    private static final int GUID_INFO = 0x30;
    private static final int SIZE = 72;
    private static final int ME = 4;
    private static final int OTHER = 5;
    private static final long MADE_UP = 0x0014_0577_0000_0000L;

    private final SmallTorus torus =
            new SmallTorus(0, (guid, portNum, usual) -> usual.with(PortInfo.GUID_CAP, portNum == 0 ? 1 : 20));
    private final SaHarness harness = new SaHarness(torus);

    private SaHarness.Request request(int method, int host, int block) {
        return harness.request(method, GUID_INFO)
                .with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.LID, torus.hostLid(host))
                .with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.BLOCK_NUM, block);
    }

    /** Returns a Set or a Delete of one entry. */
    private SaHarness.Request change(int method, int host, int index, long guid) {
        return request(method, host, index / 8).with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.guid(index % 8), guid);
    }

    private long set(int index, long guid) {
        return guid(change(Method.SET, ME, index, guid).answer(), index);
    }

    private static long guid(byte[] answer, int index) {
        assertThat(MadHeader.status(answer)).isZero();
        return GuidInfoRecord.guid(index % 8).get(answer, SaMad.DATA_OFFSET);
    }

    private long held(int host, int index) {
        return guid(request(Method.GET, host, index / 8).answer(), index);
    }

    private long portGuid(int host) {
        return torus.fabric.portGuid(torus.hostPort(host));
    }

    private Gid gid(long guid) {
        return new Gid(SmallTorus.PREFIX, guid);
    }

    @Test
    void aPortHasBlocksAsFarAsItHasRoom() {
        List<byte[]> blocks = harness.getTable(GUID_INFO)
                .with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.LID, torus.hostLid(ME))
                .records(SIZE);
        assertThat(blocks)
                .extracting(block -> GuidInfoRecord.BLOCK_NUM.get(block, 0))
                .containsExactly(0L, 1L, 2L);
        assertThat(GuidInfoRecord.guid(0).get(blocks.get(0), 0)).isEqualTo(portGuid(ME));
        assertThat(harness.getTable(GUID_INFO)
                        .with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.LID, torus.switchLid(3))
                        .records(SIZE))
                .as("a switch has port 0")
                .singleElement()
                .satisfies(block ->
                        assertThat(GuidInfoRecord.guid(0).get(block, 0)).isEqualTo(SmallTorus.switchGuid(3)));
    }

    @Test
    void aGuidThatIsSetIsInTheTableUntilItIsDeleted() {
        byte[] answer = change(Method.SET, ME, 3, 0x77).answer();
        assertThat(MadHeader.method(answer)).isEqualTo(Method.GET_RESP);
        assertThat(SaMad.ATTRIBUTE_OFFSET.get(answer, 0)).isEqualTo(9);
        assertThat(guid(answer, 3)).isEqualTo(0x77);
        assertThat(guid(answer, 0)).isEqualTo(portGuid(ME));
        assertThat(held(ME, 3)).isEqualTo(0x77);
        assertThat(set(19, 0x78)).isEqualTo(0x78);
        assertThat(held(ME, 3)).isEqualTo(0x77);

        byte[] gone = change(Method.DELETE, ME, 3, 0).answer();
        assertThat(MadHeader.method(gone)).isEqualTo(Method.DELETE_RESP);
        assertThat(guid(gone, 3)).isZero();
        assertThat(held(ME, 3)).isZero();
        assertThat(held(ME, 19)).isEqualTo(0x78);
    }

    @Test
    void onlySelectedEntriesChange() {
        SaHarness.Request both = change(Method.SET, ME, 1, 0x11);
        GuidInfoRecord.guid(2).set(both.mad, SaMad.DATA_OFFSET, 0x22);
        both.answer();
        assertThat(held(ME, 1)).isEqualTo(0x11);
        assertThat(held(ME, 2)).isZero();
    }

    @Test
    void withoutLidOrBlockThereIsNothingToChange() {
        for (int method : new int[] {Method.SET, Method.DELETE}) {
            assertThat(harness.request(method, GUID_INFO)
                            .with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.LID, torus.hostLid(ME))
                            .with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.guid(1), 0x11)
                            .status())
                    .isEqualTo(MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS);
            assertThat(harness.request(method, GUID_INFO)
                            .with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.BLOCK_NUM, 0)
                            .with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.guid(1), 0x11)
                            .status())
                    .isEqualTo(MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS);
        }
    }

    @Test
    void thePortsOwnGuidIsReadOnlyAndNothingIsBehindItsRoom() {
        assertThat(change(Method.SET, ME, 0, 0x11).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(change(Method.DELETE, ME, 0, 0).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(change(Method.SET, ME, 19, 0x11).status()).isZero();
        assertThat(change(Method.SET, ME, 20, 0x12).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(change(Method.SET, ME, 255, 0x12).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(harness.request(Method.SET, GUID_INFO)
                        .with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.LID, 0x4000)
                        .with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.BLOCK_NUM, 0)
                        .status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @Test
    void aGuidThatNoPortCanHaveIsNotGiven() {
        assertThat(set(4, -1L)).isZero();
        assertThat(held(ME, 4)).isZero();
        set(4, 0x77);
        assertThat(set(4, -1L)).isEqualTo(0x77);
    }

    @Test
    void theSaMakesUpGuidsAndGivesEachEntryItsOwnAgain() {
        assertThat(set(1, 0)).isEqualTo(MADE_UP + 1);
        assertThat(set(9, 0)).isEqualTo(MADE_UP + 2);
        assertThat(set(1, 0)).as("asked for again").isEqualTo(MADE_UP + 1);
        change(Method.DELETE, ME, 1, 0).answer();
        assertThat(set(2, 0)).isEqualTo(MADE_UP + 3);
        assertThat(set(1, 0x11)).isEqualTo(0x11);
        assertThat(set(1, 0)).as("remembered").isEqualTo(MADE_UP + 1);
    }

    @Test
    void guidsThatTheSaAssignsAreUnused() {
        assertThat(set(1, MADE_UP + 1)).isEqualTo(MADE_UP + 1);
        assertThat(set(2, 0)).isEqualTo(MADE_UP + 2);
        SaHarness.Request request =
                change(Method.SET, ME, 3, MADE_UP + 3).with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.guid(4), 0);
        assertThat(guid(request.answer(), 4)).isEqualTo(MADE_UP + 4);
    }

    @Test
    void aGuidInUseElsewhereIsNotStoredAndTheAnswerShowsTheCurrentOne() {
        set(1, 0x11);
        assertThat(set(2, 0x11)).as("an alias of the same port").isZero();
        assertThat(set(1, portGuid(OTHER))).as("a port").isEqualTo(0x11);
        harness.requester = new MadAddress(torus.hostLid(OTHER), 1, 0, 0);
        assertThat(guid(change(Method.SET, OTHER, 7, 0x11).answer(), 7))
                .as("an alias of another port")
                .isZero();
    }

    @Test
    void aPortThatIsDownKeepsItsGuid() {
        long absent = 0x5555;
        harness.aliases.setReserved(guid -> guid == absent);
        assertThat(set(1, absent)).isZero();
        assertThat(set(1, 0x11)).isEqualTo(0x11);
    }

    @Test
    void aServiceAtAnAliasMayBeTakenBackByItsPort() {
        set(1, 0x11);
        harness.requester = new MadAddress(torus.hostLid(OTHER), 1, 0, 0);
        assertThat(service(Method.SET).status()).isZero();
        harness.requester = new MadAddress(torus.hostLid(ME), 1, 0, 0);
        assertThat(service(Method.DELETE).status()).isZero();
    }

    private SaHarness.Request service(int method) {
        return harness.request(method, ServiceRecord.TYPE.id())
                .with(ServiceRecord.COMPONENTS, ServiceRecord.SERVICE_ID, 7)
                .with(ServiceRecord.COMPONENTS, ServiceRecord.SERVICE_GID, new Gid(SmallTorus.PREFIX, 0x11));
    }

    @Test
    void whenNoNumberIsLeftNothingIsStored() {
        harness.aliases.restore(new AliasTable(Map.of(), Map.of(new Place(1, 1), MADE_UP + 0xffff_ffffL), Set.of()));
        SaHarness.Request two =
                change(Method.SET, ME, 1, 0x11).with(GuidInfoRecord.COMPONENTS, GuidInfoRecord.guid(2), 0);
        assertThat(two.status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(held(ME, 1)).isZero();
    }

    @Test
    void onlyItsNodeAndTrustedRequestersChangeGuids() {
        assertThat(change(Method.SET, OTHER, 1, 0x11).status()).isEqualTo(MadStatus.SA_REQ_DENIED);
        assertThat(change(Method.SET, OTHER, 1, 0x11)
                        .set(SaMad.SM_KEY, SaHarness.SM_KEY)
                        .status())
                .isZero();
        assertThat(change(Method.DELETE, OTHER, 1, 0).status()).isEqualTo(MadStatus.SA_REQ_DENIED);
        assertThat(held(OTHER, 1)).isEqualTo(0x11);
    }

    @Test
    void aPortInNoCommonPartitionHasNoGuidsToTell() {
        harness.view = torus.partitioned("Default=0x7fff: ALL=limited;");
        assertThat(harness.getTable(GUID_INFO).records(SIZE))
                .extracting(block -> GuidInfoRecord.LID.get(block, 0))
                .contains((long) torus.hostLid(ME))
                .doesNotContain((long) torus.hostLid(OTHER));
    }

    /** The number of waiting changes is limited: the loop does not run here. */
    @Test
    void excessiveRequestsAreAnsweredWithBusy() {
        harness.sent.clear();
        for (int i = 0; i <= 1 << 14; i++) {
            harness.sa.onMad(new MadFrame(harness.requester, change(Method.SET, ME, 1, 0x11).mad));
        }
        assertThat(harness.sent).singleElement().satisfies(answer -> assertThat(MadHeader.status(answer.mad()))
                .isEqualTo(MadStatus.BUSY));
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(held(ME, 1)).isEqualTo(0x11);
    }

    @Test
    void pathsLeadToAliasesAndAreNamedByThem() {
        set(1, 0x11);
        byte[] to = harness.get(PathRecord.TYPE.id())
                .with(PathRecord.COMPONENTS, PathRecord.SLID, torus.hostLid(0))
                .with(PathRecord.COMPONENTS, PathRecord.DGID, gid(0x11))
                .answer();
        assertThat(MadHeader.status(to)).isZero();
        assertThat(PathRecord.DLID.get(to, SaMad.DATA_OFFSET)).isEqualTo(torus.hostLid(ME));
        assertThat(Gid.read(to, SaMad.DATA_OFFSET + 8)).isEqualTo(gid(0x11));
        byte[] from = harness.get(PathRecord.TYPE.id())
                .with(PathRecord.COMPONENTS, PathRecord.SGID, gid(0x11))
                .with(PathRecord.COMPONENTS, PathRecord.DLID, torus.hostLid(0))
                .answer();
        assertThat(PathRecord.SLID.get(from, SaMad.DATA_OFFSET)).isEqualTo(torus.hostLid(ME));
        assertThat(Gid.read(from, SaMad.DATA_OFFSET + 24)).isEqualTo(gid(0x11));
        change(Method.DELETE, ME, 1, 0).answer();
        assertThat(harness.get(PathRecord.TYPE.id())
                        .with(PathRecord.COMPONENTS, PathRecord.SLID, torus.hostLid(0))
                        .with(PathRecord.COMPONENTS, PathRecord.DGID, gid(0x11))
                        .status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    private SaHarness.Request join(int method, long guid) {
        return harness.request(method, MCMemberRecord.TYPE.id())
                .with(MCMemberRecord.COMPONENTS, MCMemberRecord.MGID, new Gid(0xff12_401b_ffff_0000L, 0xffff_ffffL))
                .with(MCMemberRecord.COMPONENTS, MCMemberRecord.PORT_GID, gid(guid))
                .with(MCMemberRecord.COMPONENTS, MCMemberRecord.JOIN_STATE, 1);
    }

    @Test
    void anAliasJoinsGroupsAsItsPortDoesAndStaysAsLongAsItIsAMember() {
        set(1, 0x11);
        assertThat(join(Method.SET, 0x11).status()).isZero();
        assertThat(harness.memberships.view().groups().get(0).members())
                .extracting(MulticastGroup.Member::portGid)
                .containsExactly(gid(0x11));
        assertThat(harness.getTable(MCMemberRecord.TYPE.id())
                        .with(MCMemberRecord.COMPONENTS, MCMemberRecord.PORT_GID, gid(0x11))
                        .records(56))
                .as("its own membership")
                .hasSize(1);
        assertThat(change(Method.DELETE, ME, 1, 0).status()).isEqualTo(MadStatus.SA_REQ_DENIED);
        assertThat(change(Method.SET, ME, 1, 0x12).status()).isEqualTo(MadStatus.SA_REQ_DENIED);
        assertThat(held(ME, 1)).isEqualTo(0x11);
        assertThat(join(Method.DELETE, 0x11).status()).isZero();
        assertThat(change(Method.DELETE, ME, 1, 0).status()).isZero();
    }

    @Test
    void servicesAreAtAliases() {
        set(1, 0x11);
        harness.view =
                torus.partitioned("Default=0x7fff: ALL=full; A=0x10: 0x" + Long.toHexString(portGuid(ME)) + "=full;");
        SaHarness.Request service = harness.request(Method.SET, ServiceRecord.TYPE.id())
                .with(ServiceRecord.COMPONENTS, ServiceRecord.SERVICE_ID, 9)
                .with(ServiceRecord.COMPONENTS, ServiceRecord.SERVICE_GID, gid(0x11))
                .with(ServiceRecord.COMPONENTS, ServiceRecord.SERVICE_P_KEY, 0x8010);
        assertThat(service.status()).isZero();
    }
}
