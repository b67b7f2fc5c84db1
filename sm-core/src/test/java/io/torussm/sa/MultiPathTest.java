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
import io.torussm.transport.MadFrame;
import io.torussm.transport.rmpp.Rmpp;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** GetMulti of MultiPathRecord (IBA 15.2.5.20), with the checks of osmtest among others. */
class MultiPathTest {
    private static final ComponentMask C = MultiPathRecord.COMPONENTS;
    private static final int SIZE = 64;
    private static final int GIDS_AT = SaMad.DATA_OFFSET + 24;
    private static final Gid MULTICAST = new Gid(0xff12_401b_ffff_0000L, 0xffff_ffffL);

    private final SmallTorus torus = new SmallTorus();
    private SaHarness harness = new SaHarness(torus);

    private static Gid host(int host) {
        return new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(host) + 1);
    }

    private static Gid secondPort() {
        return new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(0) + 2);
    }

    private static List<Gid> hosts(int... hosts) {
        return IntStream.of(hosts).mapToObj(MultiPathTest::host).toList();
    }

    /** Returns a request that fits one segment, as an RMPP sender makes it. */
    private SaHarness.Request request(List<Gid> sources, List<Gid> destinations) {
        SaHarness.Request request = harness.request(Method.GET_MULTI, MultiPathRecord.TYPE.id())
                .with(C, MultiPathRecord.SGID_COUNT, sources.size())
                .with(C, MultiPathRecord.DGID_COUNT, destinations.size());
        int at = GIDS_AT;
        for (Gid gid : Stream.concat(sources.stream(), destinations.stream()).toList()) {
            gid.write(request.mad, at);
            at += 16;
        }
        return request.set(SaMad.RMPP_VERSION, 1)
                .set(SaMad.RMPP_TYPE, Rmpp.DATA)
                .set(SaMad.RMPP_FLAGS, 7)
                .set(SaMad.DATA1, 1)
                .set(SaMad.DATA2, 20 + at - SaMad.DATA_OFFSET);
    }

    private static byte[] refusal(SaHarness.Request request) {
        List<byte[]> plain = request.frames().stream()
                .map(MadFrame::mad)
                .filter(mad -> !Rmpp.isActive(mad))
                .toList();
        assertThat(plain).hasSize(1);
        return plain.get(0);
    }

    private static int refusalStatus(SaHarness.Request request) {
        return MadHeader.status(refusal(request));
    }

    private static String endLids(byte[] record) {
        return PathRecord.SLID.get(record, 0) + ">" + PathRecord.DLID.get(record, 0);
    }

    private String endLids(int from, int to) {
        return torus.hostLid(from) + ">" + torus.hostLid(to);
    }

    @Test
    void onePairIsAnsweredAsPathRecordWouldBe() {
        byte[] single = harness.get(PathRecord.TYPE.id())
                .with(PathRecord.COMPONENTS, PathRecord.SGID, host(0))
                .with(PathRecord.COMPONENTS, PathRecord.DGID, host(8))
                .answer();
        assertThat(request(hosts(0), hosts(8)).records(SIZE)).singleElement().isEqualTo(SaHarness.record(single, SIZE));
    }

    @Test
    void severalSourcesAndDestinationsArePairedInTheirOrder() {
        assertThat(request(hosts(0, 1), hosts(4, 8)).records(SIZE))
                .extracting(MultiPathTest::endLids)
                .containsExactly(endLids(0, 4), endLids(0, 8), endLids(1, 4), endLids(1, 8));
    }

    @Test
    void theRequestIsAcknowledgedAndTheAnswerComesByRmppAsPathRecords() {
        List<MadFrame> frames = request(hosts(0, 1), hosts(4, 8)).frames();
        byte[] ack = frames.get(0).mad();
        assertThat(Rmpp.type(ack)).isEqualTo(Rmpp.ACK);
        assertThat(MadHeader.method(ack)).isEqualTo(Method.GET_MULTI | Method.RESPONSE);
        assertThat(SaMad.DATA1.get(ack, 0)).as("acknowledged").isEqualTo(1);
        List<byte[]> data = frames.stream().map(MadFrame::mad).skip(1).toList();
        assertThat(data).hasSize(2).allSatisfy(segment -> {
            assertThat(Rmpp.type(segment)).isEqualTo(Rmpp.DATA);
            assertThat(MadHeader.method(segment)).isEqualTo(0x94);
            assertThat(MadHeader.attributeId(segment)).isEqualTo(PathRecord.TYPE.id());
            assertThat(SaMad.ATTRIBUTE_OFFSET.get(segment, 0)).isEqualTo(8);
        });
        assertThat(harness.sa.openTables()).isZero();
    }

    /** The routing has no other SL; a request may ask for bits of the QoS level. */
    @ParameterizedTest
    @CsvSource({"3, 1", "11, 1", "0, 0", "8, 0", "1, 0"})
    void theSlIsTheRoutings(int sl, int paths) {
        List<byte[]> records =
                request(hosts(0), hosts(8)).with(C, MultiPathRecord.SL, sl).records(SIZE);
        assertThat(records).hasSize(paths).allSatisfy(record -> assertThat(PathRecord.SL.get(record, 0))
                .isEqualTo(sl));
        assertThat(PathRecord.SL.get(request(hosts(0), hosts(8)).records(SIZE).get(0), 0))
                .isEqualTo(3);
    }

    @Test
    void everyConstraintOfPathRecordCounts() {
        assertThat(request(hosts(0), hosts(8))
                        .with(C, MultiPathRecord.MTU_SELECTOR, PathRecord.GREATER)
                        .with(C, MultiPathRecord.MTU, 4)
                        .records(SIZE))
                .isEmpty();
        byte[] record = request(hosts(0), hosts(8))
                .with(C, MultiPathRecord.MTU_SELECTOR, PathRecord.EXACTLY)
                .with(C, MultiPathRecord.MTU, 3)
                .with(C, MultiPathRecord.RATE_SELECTOR, PathRecord.LESS)
                .with(C, MultiPathRecord.RATE, 7)
                .with(C, MultiPathRecord.PACKET_LIFE_TIME_SELECTOR, PathRecord.EXACTLY)
                .with(C, MultiPathRecord.PACKET_LIFE_TIME, 5)
                .with(C, MultiPathRecord.SERVICE_ID_8MSB, 0x12)
                .with(C, MultiPathRecord.SERVICE_ID_56LSB, 0x34)
                .with(C, MultiPathRecord.TCLASS, 0x56)
                .with(C, MultiPathRecord.FLOW_LABEL, 0xabcde)
                .with(C, MultiPathRecord.QOS_CLASS, 0xfed)
                .with(C, MultiPathRecord.P_KEY, 0xffff)
                .with(C, MultiPathRecord.REVERSIBLE, 1)
                .records(SIZE)
                .get(0);
        assertThat(PathRecord.MTU.get(record, 0)).isEqualTo(3);
        assertThat(PathRecord.RATE.get(record, 0)).isEqualTo(19);
        assertThat(PathRecord.PACKET_LIFE_TIME.get(record, 0)).isEqualTo(5);
        assertThat(PathRecord.SERVICE_ID_8.get(record, 0)).isEqualTo(0x12);
        assertThat(PathRecord.SERVICE_ID_56.get(record, 0)).isEqualTo(0x34);
        assertThat(PathRecord.T_CLASS.get(record, 0)).isEqualTo(0x56);
        assertThat(PathRecord.FLOW_LABEL.get(record, 0)).isEqualTo(0xabcde);
        assertThat(PathRecord.QOS_CLASS.get(record, 0)).isEqualTo(0xfed);
        assertThat(request(hosts(0), hosts(8))
                        .with(C, MultiPathRecord.P_KEY, 0x8001)
                        .records(SIZE))
                .isEmpty();
        byte[] raw = request(hosts(0), hosts(8))
                .with(C, MultiPathRecord.RAW_TRAFFIC, 1)
                .records(SIZE)
                .get(0);
        assertThat(PathRecord.P_KEY.get(raw, 0)).isZero();
    }

    @Test
    void numbPathLimitsTheWholeAnswerTo127Paths() {
        SmallTorus wide = new SmallTorus(2, (guid, portNum, usual) -> usual);
        harness = new SaHarness(wide);
        for (int wanted : new int[] {0, 1, 3, 17, 127}) {
            assertThat(request(hosts(0, 1, 2, 3), hosts(4, 5, 6, 7))
                            .with(C, MultiPathRecord.NUMB_PATH, wanted)
                            .records(SIZE))
                    .hasSize(wanted);
        }
        assertThat(request(hosts(0, 1, 2, 3), hosts(4, 5, 6, 7)).records(SIZE))
                .as("of 256")
                .hasSize(127);
    }

    @Test
    void bothCountsAreNeeded() {
        long none = 0;
        for (long mask : new long[] {
            none, C.bit(MultiPathRecord.SGID_COUNT), C.bit(MultiPathRecord.DGID_COUNT), C.bit(MultiPathRecord.P_KEY)
        }) {
            SaHarness.Request request = request(hosts(0), hosts(8)).set(SaMad.COMPONENT_MASK, mask);
            byte[] answer = refusal(request);
            assertThat(MadHeader.status(answer)).isEqualTo(MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS);
            assertThat(MadHeader.attributeId(answer)).isEqualTo(PathRecord.TYPE.id());
            assertThat(MadHeader.method(answer)).isEqualTo(0x94);
            assertThat(SaMad.RMPP_FLAGS.get(answer, 0)).as("errors are plain").isZero();
            assertThat(Arrays.copyOfRange(answer, GIDS_AT, GIDS_AT + 32))
                    .isEqualTo(Arrays.copyOfRange(request.mad, GIDS_AT, GIDS_AT + 32));
        }
    }

    @Test
    void gidsThatNameNoPortHereAreInvalid() {
        Gid unknown = new Gid(SmallTorus.PREFIX, 0x4711);
        Gid abroad = new Gid(0x1234, host(3).guid());
        for (Gid bad : List.of(MULTICAST, unknown, abroad)) {
            assertThat(refusalStatus(request(List.of(host(0), bad), hosts(8)))).isEqualTo(MadStatus.SA_REQ_INVALID_GID);
            assertThat(refusalStatus(request(hosts(0), List.of(bad)))).isEqualTo(MadStatus.SA_REQ_INVALID_GID);
        }
        assertThat(request(List.of(new Gid(Gid.DEFAULT_PREFIX, host(0).guid())), hosts(8))
                        .records(SIZE))
                .hasSize(1);
    }

    @Test
    void portsThatMayNotBeSeenAreUnknown() {
        String host4 = "0x" + Long.toHexString(host(4).guid());
        harness.view = torus.partitioned("Default=0x7fff:ALL=limited;A=0x10:" + host4 + "=full;");
        assertThat(refusalStatus(request(hosts(4), hosts(5)))).isEqualTo(MadStatus.SA_REQ_INVALID_GID);
        assertThat(request(hosts(4), hosts(5))
                        .set(SaMad.SM_KEY, SaHarness.SM_KEY)
                        .records(SIZE))
                .as("known, but they may not talk")
                .isEmpty();
    }

    @Test
    void elevenGidsAreServed() {
        assertThat(request(hosts(0, 1, 2, 3, 4), hosts(5, 6, 7, 8, 0, 1)).records(SIZE))
                .hasSize(30);
    }

    @Test
    void countsBeyondTheSentDataAreInvalid() {
        SaHarness.Request request = request(hosts(0), hosts(8));
        MultiPathRecord.DGID_COUNT.set(request.mad, SaMad.DATA_OFFSET, 2);
        assertThat(refusalStatus(request)).isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0", "0, 0"})
    void noSourcesOrNoDestinationsAreInvalid(int sources, int destinations) {
        SaHarness.Request request = request(hosts(0), hosts(8));
        MultiPathRecord.SGID_COUNT.set(request.mad, SaMad.DATA_OFFSET, sources);
        MultiPathRecord.DGID_COUNT.set(request.mad, SaMad.DATA_OFFSET, destinations);
        assertThat(refusalStatus(request)).isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 43, 44, 60, 75})
    void aRequestThatEndsBeforeItsGidsIsInvalid(int payload) {
        SaHarness.Request request = request(hosts(0), hosts(8)).set(SaMad.DATA2, payload);
        assertThat(refusalStatus(request)).isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @Test
    void halfAServiceIdAndUndefinedCodesAreRefusedAsInPathRecord() {
        assertThat(refusalStatus(request(hosts(0), hosts(8)).with(C, MultiPathRecord.SERVICE_ID_8MSB, 1)))
                .isEqualTo(MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS);
        assertThat(refusalStatus(request(hosts(0), hosts(8))
                        .with(C, MultiPathRecord.RATE_SELECTOR, 2)
                        .with(C, MultiPathRecord.RATE, 63)))
                .isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @Test
    void otherMethodsAreNotServed() {
        for (int method : new int[] {Method.GET, Method.GET_TABLE, Method.SET, Method.DELETE}) {
            assertThat(harness.request(method, MultiPathRecord.TYPE.id()).status())
                    .isEqualTo(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        }
        assertThat(harness.request(Method.GET_MULTI, 0x35).status()).isEqualTo(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        assertThat(harness.request(Method.GET_TRACE_TABLE, 0x39).status())
                .isEqualTo(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
    }

    @Test
    void withoutRmppTheRequestIsInvalid() {
        SaHarness.Request request = request(hosts(0), hosts(8)).set(SaMad.RMPP_FLAGS, 0);
        byte[] answer = refusal(request);
        assertThat(MadHeader.status(answer)).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(MadHeader.attributeId(answer)).isEqualTo(PathRecord.TYPE.id());
    }

    /**
     * This arrives if a transport below strips the RMPP header, as ibsim's does: the request is complete, but
     * must not be acknowledged.
     */
    @Test
    void aRequestMarkedActiveThatIsNoSegmentIsTakenWhole() {
        SaHarness.Request request =
                request(hosts(0, 1), hosts(4, 8)).set(SaMad.RMPP_VERSION, 0).set(SaMad.RMPP_TYPE, 0);
        assertThat(request.records(SIZE)).hasSize(4);
        assertThat(request.frames()).noneMatch(frame -> Rmpp.type(frame.mad()) == Rmpp.ACK);
    }

    /**
     * The request is for both ports of host 0, at switches 0 and 1, to two hosts. In one of the two pairings the
     * paths share a cable.
     */
    @Test
    void independentPathsHaveNoCableInCommon() {
        List<Gid> sources = List.of(host(0), secondPort());
        assertThat(request(sources, hosts(2, 5))
                        .with(C, MultiPathRecord.INDEPENDENCE_SELECTOR, 1)
                        .records(SIZE))
                .hasSize(2);
        List<Gid> near = hosts(1, 2);
        List<String> pairs = request(sources, near)
                .with(C, MultiPathRecord.INDEPENDENCE_SELECTOR, 1)
                .with(C, MultiPathRecord.NUMB_PATH, 2)
                .records(SIZE)
                .stream()
                .map(MultiPathTest::endLids)
                .toList();
        int second = torus.hostLid(0) + 1;
        assertThat(pairs).containsExactly(torus.hostLid(0) + ">" + torus.hostLid(1), second + ">" + torus.hostLid(2));
        assertThat(request(sources, near)
                        .with(C, MultiPathRecord.INDEPENDENCE_SELECTOR, 0)
                        .records(SIZE))
                .hasSize(4);
        assertThat(request(hosts(0), hosts(1, 2, 3, 4))
                        .with(C, MultiPathRecord.INDEPENDENCE_SELECTOR, 1)
                        .records(SIZE))
                .as("all begin with the same cable")
                .hasSize(1);
    }
}
