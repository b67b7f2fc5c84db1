package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.LinearForwardingTableRecord;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.PortInfoRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.mad.sa.VlArbitrationTableRecord;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.rmpp.Rmpp;
import io.torussm.transport.rmpp.RmppSender;
import io.torussm.view.PublishedView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The requirements on all requests (IBA 15.2, 15.4), on {@link SmallTorus} with 9 switches, 9 hosts and 19 LIDs. */
class SubnetAdministratorTest {
    /** Offset of the TID. */
    private static final int TID = 8;

    private static final int NODE = NodeRecord.TYPE.id();
    private static final int PATH = PathRecord.TYPE.id();
    private static final int PORT_INFO = PortInfoRecord.TYPE.id();
    private static final int CLASS_PORT_INFO = ClassPortInfo.TYPE.id();
    private static final int NODE_SIZE = NodeRecord.TYPE.layout().size();

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);

    /** The requests are from a router, from a virtual function, or to the second LID of the SM's port. */
    @Test
    void everyAnswerGoesBackTheWayThatTheRequestCame() {
        GlobalRoute grh = new GlobalRoute(new Gid(0xfec0_0000_0000_0001L, 0x77), 1, 64, 3, 0x12345);
        harness.requester = new MadAddress(torus.hostLid(2), 1, 5, 1, 3, grh);
        List<MadFrame> answers = new ArrayList<>(
                harness.request(Method.GET, ClassPortInfo.TYPE.id()).frames());
        answers.addAll(harness.request(Method.GET_TABLE, NodeRecord.TYPE.id()).frames());
        assertThat(answers).hasSizeGreaterThan(1).allSatisfy(answer -> assertThat(answer.peer())
                .isEqualTo(harness.requester));
    }

    @Test
    void aRequestBeforeThereIsAViewIsAnsweredFromTheFirst() {
        harness.view = null;
        assertThat(harness.get(CLASS_PORT_INFO).frames()).isEmpty();
        assertThat(harness.sa.stats().waiting()).isEqualTo(1);
        harness.view = torus.view;
        harness.sa.onPublication();
        assertThat(harness.sent).hasSize(1);
        assertThat(harness.sa.stats().waiting() + harness.sa.stats().dropped()).isZero();
    }

    @Test
    void aPathBetweenTwoPortsIsFoundWithoutAnotherThread() {
        Queue<Runnable> workers = new ArrayDeque<>();
        harness.workers = workers::add;
        long both = PathRecord.COMPONENTS.bit(PathRecord.SLID) | PathRecord.COMPONENTS.bit(PathRecord.DLID);
        byte[] mad = SaMad.request(Method.GET, 77, PATH, 0, both);
        PathRecord.SLID.set(mad, SaMad.DATA_OFFSET, torus.hostLid(1));
        PathRecord.DLID.set(mad, SaMad.DATA_OFFSET, torus.hostLid(2));
        harness.sa.onMad(new MadFrame(harness.requester, mad.clone()));
        assertThat(harness.sent).hasSize(1);
        assertThat(MadHeader.status(harness.sent.get(0).mad())).isEqualTo(MadStatus.OK);
        assertThat(workers).isEmpty();

        byte[] open = SaMad.request(Method.GET, 78, PATH, 0, PathRecord.COMPONENTS.bit(PathRecord.SLID));
        PathRecord.SLID.set(open, SaMad.DATA_OFFSET, torus.hostLid(1));
        harness.sa.onMad(new MadFrame(harness.requester, open));
        harness.sa.onMad(new MadFrame(harness.requester, mad));
        assertThat(harness.sent).as("while another waits").hasSize(1);
        workers.remove().run();
        assertThat(harness.sent).hasSize(3);
    }

    /** The requester may have repeated the request, or vanished. */
    @Test
    void aRequestLongBeforeThereIsAViewIsNotAnswered() {
        harness.view = null;
        assertThat(harness.get(CLASS_PORT_INFO).frames()).isEmpty();
        harness.loop.runFor(EarlyRequests.TIMEOUT_NS);
        harness.view = torus.view;
        harness.sa.onPublication();
        assertThat(harness.sent).isEmpty();
        assertThat(harness.sa.stats().dropped()).isEqualTo(1);
    }

    /** A requester before the first view has half of the places; others still have theirs. */
    @Test
    void aLimitedNumberOfRequestsWaitsForAView() {
        int limit = RequestQueue.Limits.DEFAULT.small();
        harness.view = null;
        SaHarness.Request request = harness.get(CLASS_PORT_INFO);
        for (int i = 0; i < limit; i++) {
            harness.sa.onMad(new MadFrame(harness.requester, request.mad));
        }
        assertThat(harness.sa.stats().waiting()).isEqualTo(limit / 2);
        assertThat(harness.sa.stats().dropped()).isEqualTo(limit / 2);
        harness.requester = new MadAddress(torus.hostLid(2), 1, 0, 0);
        assertThat(harness.get(CLASS_PORT_INFO).frames()).isEmpty();
        assertThat(harness.sa.stats().waiting()).isEqualTo(limit / 2 + 1);
        harness.view = torus.view;
        harness.sa.onPublication();
        assertThat(harness.sent.stream().map(MadFrame::peer)).contains(harness.requester);
    }

    @Test
    void staysSilentWhenTheSmKeyIsWrong() {
        assertThat(harness.get(CLASS_PORT_INFO).set(SaMad.SM_KEY, 1).frames()).isEmpty();
        assertThat(harness.get(CLASS_PORT_INFO)
                        .set(SaMad.SM_KEY, SaHarness.SM_KEY)
                        .frames())
                .hasSize(1);
    }

    @Test
    void staysSilentIfTheLidOfTheRequesterIsUnknown() {
        for (int lid : new int[] {0, 1, torus.subnet.topLid() + 1, 0xBFFF, 0xC000, 0xFFFF}) {
            harness.requester = new MadAddress(lid, 1, 0, 0);
            assertThat(harness.get(CLASS_PORT_INFO).frames()).as("LID %d", lid).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x81, 0x92, 0x86, 0x95, 0xff, 0x03, 0x05, 0x06, 0x07})
    void staysSilentToResponsesAndToMessagesThatHaveNone(int method) {
        assertThat(harness.request(method, NODE).frames()).isEmpty();
    }

    @Test
    void requestsAtAFullQueueAreAnsweredBusyIfTheyHaveAResponse() {
        Queue<Runnable> lanes = new ArrayDeque<>();
        harness.workers = lanes::add;
        int room = RequestQueue.Limits.DEFAULT.small() / 2;
        for (int i = 0; i < room; i++) {
            harness.sa.onMad(new MadFrame(harness.requester, harness.get(NODE).mad));
        }
        assertThat(harness.sa.stats().busy()).isZero();
        harness.sa.onMad(new MadFrame(harness.requester, harness.get(NODE).mad));
        harness.sa.onMad(new MadFrame(harness.requester, harness.get(NODE).set(SaMad.SM_KEY, 1).mad));
        harness.sa.onMad(new MadFrame(harness.requester, harness.request(0x81, NODE).mad));
        lanes.remove().run();
        assertThat(harness.sa.stats().busy()).isEqualTo(1);
        assertThat(harness.sent).hasSize(room + 1);
        assertThat(harness.sent)
                .filteredOn(frame -> MadHeader.status(frame.mad()) == MadStatus.BUSY)
                .hasSize(1);
    }

    @Test
    void aViewThatVanishesWhileARequestWaitsMeansSilence() {
        Queue<Runnable> waiting = new ArrayDeque<>();
        harness.workers = waiting::add;
        harness.sa.onMad(new MadFrame(harness.requester, harness.get(NODE).mad));
        harness.view = null;
        waiting.forEach(Runnable::run);
        assertThat(waiting).hasSize(1);
        assertThat(harness.sent).isEmpty();
    }

    @ParameterizedTest(name = "method {0} of attribute {1}: status {2}, method {3}")
    @CsvSource({
        "0x01, 0x0077, 0x0c, 0x81", // an unknown attribute
        "0x12, 0x0077, 0x0c, 0x92",
        "0x01, 0x1235, 0x0c, 0x81", // beyond the range of record attributes
        "0x02, 0x0077, 0x0c, 0x81",
        "0x02, 0x0011, 0x0c, 0x81", // Set and Delete of an attribute that has Get only
        "0x02, 0x0018, 0x0c, 0x81",
        "0x15, 0x0011, 0x0c, 0x95",
        "0x01, 0x003a, 0x0c, 0x81", // multi-path and trace requests
        "0x13, 0x0039, 0x0c, 0x93",
        "0x14, 0x0035, 0x0c, 0x94",
        "0x12, 0x0001, 0x0c, 0x92", // ClassPortInfo has Get only
        "0x02, 0x0001, 0x0c, 0x81",
        "0x14, 0x0038, 0x0c, 0x94", // an attribute with Set has no GetMulti either
        "0x44, 0x0011, 0x0c, 0xc4",
    })
    void whatIsNotServedIsRefusedAndEchoed(String method, String attribute, String status, String response) {
        SaHarness.Request request = harness.request(Integer.decode(method), Integer.decode(attribute))
                .select(0x55)
                .set(SaMad.SM_KEY, SaHarness.SM_KEY)
                .set(MadHeader.ATTRIBUTE_MODIFIER, 9);
        Arrays.fill(request.mad, SaMad.DATA_OFFSET, 256, (byte) 0xa5);
        byte[] answer = request.answer();
        assertThat(MadHeader.status(answer)).isEqualTo(Integer.decode(status));
        assertThat(MadHeader.method(answer)).isEqualTo(Integer.decode(response));
        byte[] expected = request.mad.clone();
        MadHeader.METHOD.set(expected, 0, Integer.decode(response));
        MadHeader.STATUS.set(expected, 0, Integer.decode(status));
        SaMad.SM_KEY.set(expected, 0, 0);
        assertThat(answer).isEqualTo(expected);
    }

    @Test
    void otherVersionsOfTheClassAreRefused() {
        assertThat(harness.get(NODE).set(MadHeader.CLASS_VERSION, 1).status()).isEqualTo(MadStatus.UNSUPPORTED_VERSION);
        assertThat(harness.get(NODE).set(MadHeader.BASE_VERSION, 2).status()).isEqualTo(MadStatus.UNSUPPORTED_VERSION);
    }

    @Test
    void getWithoutAMatchSaysNoRecordsAndWithSeveralTooMany() {
        assertThat(harness.get(NODE)
                        .with(NodeRecord.COMPONENTS, NodeRecord.NODE_GUID, 0x999)
                        .status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
        byte[] many = harness.get(NODE).answer();
        assertThat(MadHeader.status(many)).isEqualTo(MadStatus.SA_TOO_MANY_RECORDS);
        assertThat(SaMad.ATTRIBUTE_OFFSET.get(many, 0)).isZero();
    }

    @Test
    void theAnswerToAGetRepeatsTheMaskWithoutTheKey() {
        byte[] answer = harness.get(NODE)
                .with(NodeRecord.COMPONENTS, NodeRecord.NODE_GUID, SmallTorus.switchGuid(5))
                .set(SaMad.SM_KEY, SaHarness.SM_KEY)
                .set(SaMad.RMPP_VERSION, 1)
                .answer();
        assertThat(MadHeader.status(answer)).isZero();
        assertThat(MadHeader.method(answer)).isEqualTo(Method.GET_RESP);
        assertThat(SaMad.ATTRIBUTE_OFFSET.get(answer, 0)).isEqualTo(14); // in units of 8 bytes
        assertThat(SaMad.COMPONENT_MASK.get(answer, 0)).isEqualTo(1 << 7); // NodeGUID
        assertThat(SaMad.SM_KEY.get(answer, 0)).isZero();
        assertThat(Rmpp.isActive(answer)).isFalse();
        assertThat(SaMad.RMPP_VERSION.get(answer, 0)).isZero();
        assertThat(NodeRecord.PORT_GUID.get(answer, SaMad.DATA_OFFSET)).isEqualTo(SmallTorus.switchGuid(5));
    }

    @Test
    void getTableWithoutAMatchSucceedsWithNothing() {
        List<MadFrame> frames = harness.getTable(NODE)
                .with(NodeRecord.COMPONENTS, NodeRecord.NODE_GUID, 0x999)
                .frames();
        assertThat(frames).hasSize(1);
        byte[] mad = frames.get(0).mad();
        assertThat(MadHeader.status(mad)).isZero();
        assertThat(MadHeader.method(mad)).isEqualTo(Method.GET_TABLE_RESP);
        assertThat(SaMad.ATTRIBUTE_OFFSET.get(mad, 0)).isZero();
        assertThat(SaMad.DATA2.get(mad, 0)).isEqualTo(20); // PayloadLength: the SA header alone
        assertThat(harness.sa.openTables()).isZero();
    }

    @Test
    void theWorldQueryReturnsEveryRecordByRmpp() {
        List<byte[]> nodes = harness.getTable(NODE).records(NODE_SIZE);
        assertThat(nodes).hasSize(9 + 9 + 1); // switches, hosts, and the second port of host 0
        assertThat(harness.getTable(PORT_INFO).records(72)).hasSize(9 * 7 + 9 + 1); // a switch has ports 0 to 6
        assertThat(harness.getTable(PATH).records(64)).hasSize(19 * 19);
        assertThat(harness.sa.tableStats().completed()).isEqualTo(3);
    }

    /** No part of the table is acknowledged yet, so its first segment may have been lost. */
    @Test
    void aRepeatedRequestGetsTheSameTableAgainAndNoSecondOne() {
        harness.requester = new MadAddress(torus.hostLid(2), 7, 0, 0);
        MadFrame request = new MadFrame(harness.requester, harness.getTable(NODE).mad);
        harness.sa.onMad(request);
        harness.sa.onMad(request);
        assertThat(harness.sa.openTables()).isEqualTo(1);
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(harness.sent).filteredOn(sent -> segment(sent) == 1).hasSize(2);
        assertThat(harness.sent).filteredOn(sent -> segment(sent) == 2).hasSize(1);
    }

    /**
     * The requester has abandoned the table: its other segments would be taken for the answer to the new request.
     * A request with the same TID from another QP changes nothing.
     */
    @Test
    void anotherRequestWithTheTidOfATableEndsIt() {
        harness.requester = new MadAddress(torus.hostLid(2), 7, 0, 0);
        List<SaHarness.Request> others = List.of(
                harness.get(NODE).with(NodeRecord.COMPONENTS, NodeRecord.PORT_GUID, SmallTorus.switchGuid(5)),
                harness.get(LinearForwardingTableRecord.TYPE.id()),
                harness.request(Method.SET, VlArbitrationTableRecord.TYPE.id()),
                harness.request(Method.DELETE, ServiceRecord.TYPE.id()),
                harness.request(Method.SET, NODE),
                harness.get(0x7777));
        for (SaHarness.Request other : others) {
            byte[] table = harness.getTable(NODE).with(NodeRecord.COMPONENTS, NodeRecord.NODE_TYPE, 1).mad;
            harness.sa.onMad(new MadFrame(harness.requester, table));
            System.arraycopy(table, TID, other.mad, TID, Long.BYTES);
            harness.sa.onMad(new MadFrame(new MadAddress(torus.hostLid(2), 8, 0, 0), other.mad.clone()));
            assertThat(harness.sa.openTables()).isEqualTo(1);
            harness.sa.onMad(new MadFrame(harness.requester, other.mad));
            assertThat(harness.sa.openTables()).isZero();
        }
    }

    private static long segment(MadFrame sent) {
        return SaMad.DATA1.get(sent.mad(), 0);
    }

    @Test
    void aRequesterWithoutAcksHasALimitedNumberOfOpenTables() {
        int max = RmppSender.Limits.DEFAULT.maxOpen() / 2;
        for (int i = 0; i < max + 40; i++) {
            harness.sa.onMad(new MadFrame(harness.requester, harness.getTable(NODE).mad));
        }
        assertThat(harness.sa.openTables()).isEqualTo(max);
        assertThat(harness.sa.stats().busy()).isZero();
    }

    /** With LMC 3 a port has 8 LIDs, but counts as one requester. */
    @Test
    void aPortWithSeveralLidsLeavesTablesForOthers() {
        SmallTorus several = new SmallTorus(3, (guid, portNum, usual) -> usual);
        SaHarness other = new SaHarness(several);
        int max = RmppSender.Limits.DEFAULT.maxOpen() / 2;
        for (int i = 0; i < 2 * max; i++) {
            MadAddress path = new MadAddress(several.hostLid(4) + i % 8, 1, 0, 0);
            other.sa.onMad(new MadFrame(path, other.getTable(NODE).mad));
        }
        assertThat(other.sa.openTables()).isEqualTo(max);
    }

    @Test
    void anAnswerThatWouldBeTooLongIsRefused() {
        assertThat(harness.statusWithin(18 * NODE_SIZE, harness.getTable(NODE))).isEqualTo(MadStatus.SA_NO_RESOURCES);
    }

    @Test
    void classPortInfoPromisesExactlyTheServedAttributes() {
        byte[] answer = harness.get(CLASS_PORT_INFO).answer();
        ClassPortInfo info = ClassPortInfo.TYPE.read(answer, SaMad.DATA_OFFSET);
        assertThat(SaMad.ATTRIBUTE_OFFSET.get(answer, 0)).isZero();
        assertThat(info.get(ClassPortInfo.BASE_VERSION)).isEqualTo(1);
        assertThat(info.get(ClassPortInfo.CLASS_VERSION)).isEqualTo(2);
        assertThat(info.get(ClassPortInfo.CAPABILITY_MASK)).isEqualTo(1 << 9 | 1 << 10 | 1 << 13);
        assertThat(info.get(ClassPortInfo.CAPABILITY_MASK2))
                .isEqualTo(1 << 3 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 10 | 1 << 12 | 1 << 13 | 1 << 15 | 1 << 17);
        assertThat(info.get(ClassPortInfo.RESP_TIME_VALUE)).isEqualTo(ViewDraft.RESPONSE_TIME_VALUE);
        assertThat(info.get(ClassPortInfo.REDIRECT_LID)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1, 8", "200, 16", "268, 16", "269, 17", "60000, 24"})
    void theResponseTimeIsLongEnoughForATry(int ms, int value) {
        assertThat(ClassPortInfo.responseTimeValue(ms)).isEqualTo(value);
        assertThat(4096L << value).isGreaterThanOrEqualTo(ms * 1_000_000L);
    }

    @Test
    void answersComeFromTheViewThatIsPublishedNow() {
        harness.get(PATH).answer();
        SmallTorus other =
                new SmallTorus(0, (guid, portNum, usual) -> usual.with(io.torussm.mad.smp.PortInfo.MTU_CAP, 1));
        harness.view = other.view;
        assertThat(PathRecord.MTU.get(harness.get(PATH).answer(), SaMad.DATA_OFFSET))
                .isEqualTo(1);
    }

    @Test
    void aDefectCostsOneAnswerAndIsCounted() {
        Plan broken = Plan.builder("broken", torus.subnet, torus.tables.lfts)
                .sls(new PathSls() {
                    @Override
                    public int sl(int srcLid, int dstLid, int wanted) {
                        throw new IllegalStateException("a defect, made by the test");
                    }

                    @Override
                    public int mask(int srcSw, int dstLid) {
                        return 0;
                    }
                })
                .build();
        PublishedView whole = torus.view;
        harness.view = ViewDraft.of(broken).smPortGuid(1).qos().sweep(2).build();
        assertThat(harness.get(PATH).frames()).isEmpty();
        assertThat(harness.sa.stats().defects()).isEqualTo(1);
        harness.view = whole;
        assertThat(harness.get(PATH).status()).isZero();
    }
}
