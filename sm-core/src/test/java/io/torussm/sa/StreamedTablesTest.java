package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.AliasGuids;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sa.query.IndexedViews;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.QueryReply;
import io.torussm.sa.query.RecordHandler;
import io.torussm.sa.query.RecordTable;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.rmpp.Rmpp;
import io.torussm.transport.rmpp.RmppReceiver;
import io.torussm.transport.rmpp.RmppSender;
import io.torussm.view.PublishedView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables that are computed while they are sent equal complete ones, and only a small part is in memory. */
class StreamedTablesTest {
    private static final int PATH = 0x35;
    private static final int[] STREAMED = {0x11, 0x12, 0x13, 0x14, 0x15, 0x20, 0x33, PATH, 0x36};
    private static final int HELD = 2_400;
    private static final RmppSender.Limits LIMITS = new RmppSender.Limits(100, 3, 20_000, 64, 64, 100_000, HELD);
    private static final RmppReceiver.Limits RECEIVING =
            new RmppReceiver.Limits(8, 5_000, 60_000, 1_000, 64, 64, 4 << 20, 16 << 20, 1_000);

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);
    private final List<byte[]> sent = new ArrayList<>();
    private final List<byte[]> tables = new ArrayList<>();
    private final List<Integer> failed = new ArrayList<>();
    private final Queue<Runnable> lanes = new ArrayDeque<>();
    private boolean isSilent;
    private long acknowledged;

    private final RmppReceiver receiver =
            new RmppReceiver(harness.loop, RECEIVING, lid -> lid, this::acknowledge, new RmppReceiver.Sink() {
                @Override
                public void received(MadFrame header, byte[] data) {
                    tables.add(data);
                }

                @Override
                public void failed(MadAddress peer, long tid, int status) {
                    failed.add(status);
                }
            });

    private SubnetAdministrator sa = harness.administrator(this::send, lanes::add, settings());

    private static SubnetAdministrator.Settings settings() {
        return new SubnetAdministrator.Settings(
                () -> SaHarness.SM_KEY, () -> true, SaHarness.MAX_TABLE_BYTES, LIMITS, RmppSender.Segmenter.SENDER);
    }

    private void send(MadFrame frame) {
        sent.add(frame.mad());
        if (Rmpp.isActive(frame.mad()) && !isSilent) {
            receiver.receive(frame);
        }
    }

    private void acknowledge(MadFrame frame) {
        if (Rmpp.type(frame.mad()) == Rmpp.ACK) {
            acknowledged = Math.max(acknowledged, SaMad.DATA1.get(frame.mad(), 0));
        }
        sa.onMad(frame);
    }

    private void ask(SaHarness.Request request) {
        sa.onMad(new MadFrame(harness.requester, request.mad));
    }

    /** Runs until lanes have ended this number of times, or no work is left. */
    private void runLanes(int turns) {
        for (int i = 0; i < turns; i++) {
            harness.loop.runFor(0);
            Runnable lane = lanes.poll();
            if (lane == null) {
                return;
            }
            lane.run();
        }
        harness.loop.runFor(0);
    }

    private byte[] table(SaHarness.Request request) {
        tables.clear();
        ask(request);
        runLanes(Integer.MAX_VALUE);
        assertThat(failed).isEmpty();
        assertThat(tables).hasSize(1);
        return tables.get(0);
    }

    private byte[] completeTable(SaHarness.Request request) {
        byte[] answer = harness.answerOfWholeTable(8 << 20, request);
        assertThat(MadHeader.status(answer)).isZero();
        return Arrays.copyOfRange(answer, SaMad.DATA_OFFSET, answer.length);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void aStreamedTableEqualsTheCompleteOne(long seed) {
        Random random = Seeds.random(seed);
        SmallTorus wide = new SmallTorus(random.nextInt(3), (guid, portNum, usual) -> usual);
        harness.view = wide.view;
        harness.requester = new MadAddress(wide.hostLid(4), 1, 0, 0);
        for (int attribute : STREAMED) {
            SaHarness.Request request = harness.getTable(attribute);
            if (random.nextBoolean()) {
                request.set(SaMad.SM_KEY, SaHarness.SM_KEY);
            }
            if (attribute == PATH && random.nextBoolean()) {
                request.with(PathRecord.COMPONENTS, PathRecord.NUMB_PATH, 1 + random.nextInt(5));
            }
            if (attribute == PATH && random.nextBoolean()) {
                request.with(PathRecord.COMPONENTS, PathRecord.SLID, wide.hostLid(random.nextInt(9)));
            }
            if (attribute == 0x33 && (SaMad.SM_KEY.get(request.mad, 0) == 0)) {
                continue; // refused
            }
            byte[] expected = completeTable(request);
            assertThat(table(request)).as("attribute 0x%x", attribute).isEqualTo(expected);
        }
        assertThat(sa.openTables()).isZero();
    }

    @Test
    void onlyAShortTableAnnouncesItsLength() {
        SaHarness.Request all = harness.getTable(PATH);
        assertThat(table(all).length).isGreaterThan(HELD);
        assertThat(SaMad.DATA2.get(sent.get(0), 0)).isZero();
        sent.clear();
        byte[] few = table(harness.getTable(NodeRecord.TYPE.id()));
        assertThat(few.length).isLessThan(HELD);
        assertThat(SaMad.DATA2.get(sent.get(0), 0)).isEqualTo(few.length + 20L * ((few.length + 199) / 200));
    }

    /** Without this rule, a large fabric with an unreachable host would have no table of all paths. */
    @Test
    void aTableWithManyUnreachablePairsIsSentIfItHasEnoughPaths() {
        Subnet subnet = TorusSketch.of(12, 12, 1, 1, 1).subnet();
        Plan plan = (Plan) new MinHopEngine().route(subnet, TestRouting.NO_QOS);
        harness.requester = new MadAddress(1, 1, 0, 0);
        int pairs = subnet.topLid() * subnet.topLid();
        assertThat(pairs - pairs / 6).isGreaterThan(1 << 16);
        harness.view = withPathsForEach(6, plan);
        assertThat(table(harness.getTable(PATH))).hasSize(64 * pairs / 6);
        harness.view = withPathsForEach(1_000_000, plan);
        sent.clear();
        ask(harness.getTable(PATH));
        runLanes(Integer.MAX_VALUE);
        assertThat(MadHeader.status(sent.get(0))).isEqualTo(MadStatus.SA_NO_RESOURCES);
    }

    /** Returns a view in which only pairs of LIDs whose sum is a multiple of a number have a path. */
    private static PublishedView withPathsForEach(int number, Plan plan) {
        Subnet subnet = plan.subnet();
        byte[][] lfts = new byte[subnet.fabric().switchCount()][];
        Arrays.setAll(lfts, plan::lft);
        Plan few = plan.withTables(lfts)
                .sls(new PathSls() {
                    @Override
                    public int sl(int srcLid, int dstLid, int wanted) {
                        return (srcLid + dstLid) % number == 0 ? 0 : -1;
                    }

                    @Override
                    public int mask(int srcSw, int dstLid) {
                        return 1;
                    }
                })
                .build();
        return ViewDraft.of(few).subnet(subnet).build();
    }

    /** A source of numbered NodeRecords, in any quantity. */
    private static final class Numbers implements RecordHandler {
        private final int count;
        private int failsAt = Integer.MAX_VALUE;
        private boolean isDefect;
        private int found;

        Numbers(int count) {
            this.count = count;
        }

        @Override
        public AttributeType<?> type() {
            return NodeRecord.TYPE;
        }

        @Override
        public int answer(Query query, RecordTable records) {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public void answerTable(Query query, QueryReply reply) {
            reply.sendWalk(query, type(), this::go);
        }

        private int go(RecordTable records) {
            while (found < count) {
                if (found >= failsAt) {
                    if (isDefect) {
                        throw new IllegalStateException("provoked");
                    }
                    return MadStatus.SA_NO_RESOURCES;
                }
                int at = records.next();
                NodeRecord.PORT_GUID.set(records.bytes(), at, found);
                records.commit();
                if (records.isOverflown()) {
                    return MadStatus.OK;
                }
                found++;
            }
            return MadStatus.OK;
        }
    }

    private SaHarness.Request askFor(Numbers numbers) {
        sa = new SubnetAdministrator(
                new IndexedViews(() -> harness.view, new AliasGuids(harness.loop, () -> 0)),
                List.of(numbers),
                this::send,
                lanes::add,
                harness.loop,
                settings());
        SaHarness.Request request = harness.getTable(NodeRecord.TYPE.id());
        ask(request);
        return request;
    }

    @Test
    void unacknowledgedRecordsNeverExceedTheBound() {
        int size = NodeRecord.TYPE.layout().size();
        Numbers numbers = new Numbers(20_000);
        askFor(numbers);
        int steps = 0;
        while (tables.isEmpty()) {
            runLanes(1);
            assertThat((long) numbers.found * size - acknowledged * SaMad.DATA_SIZE)
                    .isLessThanOrEqualTo(HELD);
            assertThat(steps++).isLessThan(20_000);
        }
        assertThat(steps).isGreaterThan(20_000 * size / HELD);
        assertThat(tables.get(0)).hasSize(20_000 * size);
        for (int i = 0; i < 20_000; i++) {
            assertThat(NodeRecord.PORT_GUID.get(tables.get(0), i * size)).isEqualTo(i);
        }
    }

    @Test
    void aTableContinuesWithItsViewAfterTheNextPublication() {
        SaHarness.Request request = harness.getTable(PATH);
        byte[] expected = completeTable(request);
        ask(request);
        runLanes(3);
        assertThat(tables).isEmpty();
        harness.view = new SmallTorus(1, (guid, portNum, usual) -> usual).view;
        sa.onPublication();
        runLanes(Integer.MAX_VALUE);
        assertThat(tables).singleElement().isEqualTo(expected);
        assertThat(completeTable(request)).isNotEqualTo(expected);
    }

    @Test
    void tablesOfTheThirdOldestViewAreAborted() {
        for (int i = 0; i < 4; i++) {
            harness.view = new SmallTorus().view;
            sa.onPublication();
            ask(harness.getTable(PATH));
            ask(harness.getTable(PATH));
            runLanes(2);
            assertThat(failed).hasSize(i < 3 ? 0 : 2);
        }
        harness.view = new SmallTorus().view;
        sa.onPublication();
        runLanes(1);
        assertThat(failed).hasSize(4).containsOnly(Rmpp.UNSPECIFIED);
        runLanes(Integer.MAX_VALUE);
        assertThat(tables).hasSize(4);
        assertThat(sa.openTables()).isZero();
    }

    @Test
    void anAbortOfTheReceiverEndsTheSearch() {
        Numbers numbers = new Numbers(20_000);
        SaHarness.Request request = askFor(numbers);
        runLanes(5);
        byte[] abort =
                SaMad.request(MadHeader.method(request.mad), MadHeader.tid(request.mad), NodeRecord.TYPE.id(), 0, 0);
        SaMad.RMPP_VERSION.set(abort, 0, Rmpp.VERSION);
        SaMad.RMPP_TYPE.set(abort, 0, Rmpp.ABORT);
        SaMad.RMPP_FLAGS.set(abort, 0, SaMad.FLAG_ACTIVE);
        SaMad.RMPP_STATUS.set(abort, 0, Rmpp.UNSPECIFIED);
        sa.onMad(new MadFrame(harness.requester, abort));
        runLanes(2);
        int found = numbers.found;
        runLanes(Integer.MAX_VALUE);
        assertThat(numbers.found).isEqualTo(found).isLessThan(1_000);
        assertThat(sa.openTables()).isZero();
    }

    @Test
    void theSearchForASilentReceiverEndsWithAnAbort() {
        Numbers numbers = new Numbers(20_000);
        askFor(numbers);
        runLanes(5);
        isSilent = true;
        runLanes(Integer.MAX_VALUE);
        int found = numbers.found;
        assertThat(found).isLessThan(1_000);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        runLanes(Integer.MAX_VALUE);
        assertThat(numbers.found).isEqualTo(found);
        assertThat(sa.openTables()).isZero();
        assertThat(Rmpp.type(sent.get(sent.size() - 1))).isEqualTo(Rmpp.ABORT);
    }

    @Test
    void aFailedSearchAbortsTheTableOfTheReceiver() {
        Numbers numbers = new Numbers(20_000);
        numbers.failsAt = 200;
        askFor(numbers);
        runLanes(Integer.MAX_VALUE);
        assertThat(failed).containsExactly(Rmpp.UNSPECIFIED);
        assertThat(tables).isEmpty();
        assertThat(sa.stats().defects()).isZero();
    }

    @Test
    void aDefectEndsTheTableAndIsCounted() {
        Numbers numbers = new Numbers(20_000);
        numbers.failsAt = 200;
        numbers.isDefect = true;
        askFor(numbers);
        runLanes(Integer.MAX_VALUE);
        assertThat(failed).containsExactly(Rmpp.UNSPECIFIED);
        assertThat(sa.stats().defects()).isEqualTo(1);
        assertThat(sa.openTables()).isZero();
    }

    @Test
    void aSearchThatFailsBeforeTheFirstSegmentIsAnsweredWithAStatus() {
        Numbers numbers = new Numbers(20_000);
        numbers.failsAt = 0;
        askFor(numbers);
        runLanes(Integer.MAX_VALUE);
        assertThat(sent).hasSize(1);
        assertThat(MadHeader.status(sent.get(0))).isEqualTo(MadStatus.SA_NO_RESOURCES);
    }
}
