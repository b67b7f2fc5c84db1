package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.InformInfoRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.Notice;
import io.torussm.report.Subscription;
import io.torussm.report.Subscriptions;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.MadAddress;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * InformInfo and InformInfoRecord on the wire: a test for each requirement. The requester is host 4 with QP
 * 0x11, unless a test changes it.
 */
class InformInfoTest {
    private static final int ID = 3;
    private static final int RECORD_ID = 0xf3;
    private static final int SIZE = 64;
    private static final int QPN = 0x11;
    private static final ComponentMask BITS = InformInfoRecord.COMPONENTS;
    private static final String SPLIT = "Default=0x7fff: ALL=limited, SELF=full; A=0x10: %s=full, %s=full;";

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);

    InformInfoTest() {
        setRequester(4, QPN);
    }

    private void setRequester(int host, int qpn) {
        harness.requester = new MadAddress(torus.hostLid(host), qpn, 0, 0);
    }

    private static Gid gid(int host) {
        return new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(host) + 1);
    }

    /** Returns a request for all notices of a trap number. */
    private SaHarness.Request inform(int subscribe, int trapNumber) {
        SaHarness.Request request = harness.request(Method.SET, ID);
        return with(request, InformInfo.LID_RANGE_BEGIN, InformInfo.ANY, InformInfo.IS_GENERIC, 1)
                .set(inMad(InformInfo.SUBSCRIBE), subscribe)
                .set(inMad(InformInfo.NOTICE_TYPE), InformInfo.ANY)
                .set(inMad(InformInfo.TRAP_NUMBER), trapNumber)
                .set(inMad(InformInfo.PRODUCER_TYPE), InformInfo.ANY_PRODUCER)
                .set(inMad(InformInfo.RESP_TIME_VALUE), 18);
    }

    private static SaHarness.Request with(SaHarness.Request request, Field one, long first, Field other, long second) {
        return request.set(inMad(one), first).set(inMad(other), second);
    }

    private static Field inMad(Field field) {
        return new Field(field.name(), SaMad.DATA_OFFSET * 8 + field.offset(), field.width());
    }

    private SaHarness.Request subscribe(int trapNumber) {
        return inform(1, trapNumber);
    }

    private SaHarness.Request unsubscribe(int trapNumber, int qpn) {
        return inform(0, trapNumber).set(inMad(InformInfo.QPN), qpn);
    }

    private static SaHarness.Request withSmKey(SaHarness.Request request) {
        return request.set(SaMad.SM_KEY, SaHarness.SM_KEY);
    }

    private List<byte[]> records() {
        return harness.getTable(RECORD_ID).records(SIZE);
    }

    private static long value(byte[] record, Field ofInformInfo) {
        return InformInfoRecord.field(ofInformInfo).get(record, 0);
    }

    // --- Set(InformInfo) ---

    @Test
    void subscribersThatShareAPortAreDistinguishedByTheirGids() {
        GlobalRoute one = new GlobalRoute(new Gid(SmallTorus.PREFIX, 0x11), 0, 1, 0, 0);
        GlobalRoute other = new GlobalRoute(new Gid(SmallTorus.PREFIX, 0x12), 0, 1, 0, 0);
        for (GlobalRoute grh : List.of(one, other)) {
            harness.requester = new MadAddress(torus.hostLid(4), 1, 0, 0, 0, grh);
            assertThat(MadHeader.status(subscribe(65).answer())).isZero();
        }
        assertThat(MadHeader.status(unsubscribe(65, 1).answer())).isZero();
        assertThat(harness.subscriptions.view())
                .extracting(subscription -> subscription.subscriber().grh())
                .containsExactly(one);
    }

    @Test
    void aSubscriptionIsAnsweredWithTheRequestAndFoundInTheRecords() {
        SaHarness.Request request = subscribe(65);
        byte[] answer = request.answer();
        assertThat(MadHeader.method(answer)).isEqualTo(Method.GET_RESP);
        assertThat(MadHeader.status(answer)).isZero();
        assertThat(Arrays.copyOfRange(answer, SaMad.DATA_OFFSET, SaMad.DATA_OFFSET + 36))
                .isEqualTo(Arrays.copyOfRange(request.mad, SaMad.DATA_OFFSET, SaMad.DATA_OFFSET + 36));
        assertThat(records()).singleElement().satisfies(record -> {
            assertThat(Gid.read(record, 0)).isEqualTo(gid(4));
            assertThat(value(record, InformInfo.TRAP_NUMBER)).isEqualTo(65);
            assertThat(value(record, InformInfo.SUBSCRIBE)).isEqualTo(1);
        });
        assertThat(harness.subscriptions.view()).singleElement().satisfies(one -> assertThat(one.subscriber())
                .isEqualTo(new Subscription.Subscriber(gid(4).guid(), QPN)));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 255})
    void subscribeIsOneOrZero(int subscribe) {
        assertThat(inform(subscribe, 65).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @ParameterizedTest
    @ValueSource(ints = {Notice.TRAP_BAD_M_KEY, 257, 258, Notice.TRAP_BAD_P_KEY_AT_SWITCH})
    void trapsAboutKeysAreForTheTrusted(int trapNumber) {
        assertThat(subscribe(trapNumber).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(withSmKey(subscribe(trapNumber)).status()).isZero();
        assertThat(harness.subscriptions.view()).singleElement().satisfies(one -> assertThat(one.isTrusted())
                .isTrue());
    }

    @Test
    void aDeviceOfAVendorMayHaveANumberLikeThose() {
        assertThat(subscribe(256).set(inMad(InformInfo.IS_GENERIC), 0).status()).isZero();
    }

    @Test
    void subscribingAgainChangesTheSubscriptionThatIsThere() {
        subscribe(64).answer();
        subscribe(65).answer();
        assertThat(withSmKey(subscribe(64).set(inMad(InformInfo.RESP_TIME_VALUE), 20))
                        .status())
                .isZero();
        assertThat(harness.subscriptions.view()).hasSize(2).first().satisfies(one -> {
            assertThat(one.number()).isZero();
            assertThat(one.isTrusted()).isTrue();
            assertThat(one.informInfo().get(InformInfo.RESP_TIME_VALUE)).isEqualTo(20);
        });
        setRequester(4, QPN + 1);
        assertThat(subscribe(64).status()).isZero();
        assertThat(harness.subscriptions.view()).as("another queue pair").hasSize(3);
    }

    @Test
    void noTwoSubscriptionsOfAPortHaveTheSameNumber() {
        for (int trap = 64; trap < 68; trap++) {
            subscribe(trap).answer();
        }
        unsubscribe(65, QPN).answer();
        setRequester(4, QPN + 1);
        subscribe(128).answer();
        assertThat(harness.subscriptions.view())
                .extracting(Subscription::number)
                .containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void anUnsubscriptionNamesTheQueuePairAndAllCriteria() {
        assertThat(unsubscribe(65, QPN).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        subscribe(65).answer();
        assertThat(unsubscribe(65, QPN + 1).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(unsubscribe(64, QPN).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        for (Field field : List.of(
                InformInfo.LID_RANGE_BEGIN,
                InformInfo.LID_RANGE_END,
                InformInfo.IS_GENERIC,
                InformInfo.NOTICE_TYPE,
                InformInfo.PRODUCER_TYPE)) {
            assertThat(unsubscribe(65, QPN).set(inMad(field), 5).status())
                    .as(field.name())
                    .isEqualTo(MadStatus.SA_REQ_INVALID);
        }
        setRequester(5, QPN);
        assertThat(unsubscribe(65, QPN).status()).as("another port").isEqualTo(MadStatus.SA_REQ_INVALID);
        setRequester(4, 1);
        assertThat(unsubscribe(65, QPN)
                        .set(inMad(InformInfo.RESP_TIME_VALUE), 0)
                        .status())
                .isZero();
        assertThat(harness.subscriptions.view()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"5, true", "4, true", "77, false"})
    void aGidNamesAPortThatIsThere(int host, boolean isThere) {
        SaHarness.Request request = subscribe(128);
        gid(host).write(request.mad, SaMad.DATA_OFFSET);
        assertThat(request.status() == 0).isEqualTo(isThere);
    }

    @Test
    void aGidNamesAPortOfThisSubnet() {
        SaHarness.Request request = subscribe(128);
        new Gid(0xfec0_0000_0000_9999L, gid(5).guid()).write(request.mad, SaMad.DATA_OFFSET);
        assertThat(request.status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        new Gid(Gid.DEFAULT_PREFIX, gid(5).guid()).write(request.mad, SaMad.DATA_OFFSET);
        assertThat(request.status()).isZero();
    }

    private SaHarness.Request ofLids(int begin, int end) {
        return with(subscribe(128), InformInfo.LID_RANGE_BEGIN, begin, InformInfo.LID_RANGE_END, end);
    }

    @Test
    void aLidRangeNamesPortsThatAreThere() {
        int lid = torus.hostLid(5);
        assertThat(ofLids(lid, 0).status()).isZero();
        assertThat(ofLids(lid, lid).status()).isZero();
        assertThat(ofLids(lid, 0xbfff).status()).isZero();
        assertThat(ofLids(lid, lid - 1).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(ofLids(0x4000, 0x5000).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(ofLids(0, 0).status()).as("as osmtest subscribes").isZero();
    }

    @Test
    void namedPortsMustShareAPartitionWithTheSubscriberEvenIfItIsTrusted() {
        harness.view = torus.partitioned(
                String.format(SPLIT, "0x" + Long.toHexString(gid(4).guid()), "0x" + Long.toHexString(gid(5).guid())));
        SaHarness.Request friend = subscribe(128);
        gid(5).write(friend.mad, SaMad.DATA_OFFSET);
        assertThat(friend.status()).isZero();
        SaHarness.Request stranger = withSmKey(subscribe(128));
        gid(6).write(stranger.mad, SaMad.DATA_OFFSET);
        assertThat(stranger.status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(ofLids(torus.hostLid(5), 0).status()).isZero();
        assertThat(ofLids(torus.hostLid(5), torus.hostLid(6)).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(ofLids(torus.hostLid(4), 0).status()).as("itself").isZero();
    }

    @Test
    void onePortCannotFillTheBooks() {
        for (int i = 0; i < Subscriptions.MAX_PER_PORT; i++) {
            assertThat(subscribe(1000 + i).status()).isZero();
        }
        assertThat(subscribe(5000).status()).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(subscribe(1000).status()).as("again").isZero();
        setRequester(5, QPN);
        assertThat(subscribe(5000).status()).isZero();
        setRequester(4, QPN);
        assertThat(unsubscribe(1007, QPN).status()).isZero();
        assertThat(subscribe(5000).status()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "18, 3", "21, 3", "2, 243", "21, 243", "1, 2", "2, 2"})
    void whatCannotBeAskedOrChangedIsAnsweredWithAnError(int method, int attribute) {
        assertThat(harness.request(method, attribute).status()).isEqualTo(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
    }

    @Test
    void classPortInfoPromisesNeitherTrapsNorANoticeQueue() {
        byte[] info = harness.get(ClassPortInfo.TYPE.id()).answer();
        assertThat(ClassPortInfo.CAPABILITY_MASK.get(info, SaMad.DATA_OFFSET)
                        & (ClassPortInfo.CAP_SENDS_TRAPS | ClassPortInfo.CAP_HAS_NOTICES))
                .isZero();
    }

    // --- InformInfoRecord ---

    @Test
    void aRecordIsFoundByAnyOfItsComponents() {
        subscribe(65).answer();
        setRequester(5, QPN + 1);
        subscribe(64).answer();
        subscribe(128)
                .set(inMad(InformInfo.NOTICE_TYPE), 1)
                .set(inMad(InformInfo.PRODUCER_TYPE), 2)
                .answer();
        assertThat(records()).hasSize(3);
        assertThat(harness.getTable(RECORD_ID)
                        .with(BITS, InformInfoRecord.SUBSCRIBER_GID, gid(5))
                        .records(SIZE))
                .hasSize(2);
        assertThat(harness.getTable(RECORD_ID)
                        .with(BITS, InformInfoRecord.ENUM, 1)
                        .records(SIZE))
                .singleElement()
                .satisfies(record ->
                        assertThat(value(record, InformInfo.TRAP_NUMBER)).isEqualTo(128));
        for (Field field : List.of(InformInfo.TRAP_NUMBER, InformInfo.NOTICE_TYPE, InformInfo.PRODUCER_TYPE)) {
            assertThat(harness.getTable(RECORD_ID)
                            .like(BITS, InformInfoRecord.field(field), records().get(2))
                            .records(SIZE))
                    .as(field.name())
                    .containsExactly(records().get(2));
        }
        assertThat(harness.get(RECORD_ID).status()).isEqualTo(MadStatus.SA_TOO_MANY_RECORDS);
        byte[] one = harness.get(RECORD_ID)
                .with(BITS, InformInfoRecord.SUBSCRIBER_GID, gid(5))
                .with(BITS, InformInfoRecord.ENUM, 0)
                .answer();
        assertThat(MadHeader.status(one)).isZero();
        assertThat(value(SaHarness.record(one, SIZE), InformInfo.TRAP_NUMBER)).isEqualTo(64);
        assertThat(harness.get(RECORD_ID).with(BITS, InformInfoRecord.ENUM, 9).status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @Test
    void theQueuePairIsShownToTrustedRequestersOnlyAndCannotBeGuessed() {
        subscribe(65).answer();
        Field qpn = InformInfoRecord.field(InformInfo.QPN);
        assertThat(value(records().get(0), InformInfo.QPN)).isZero();
        assertThat(harness.getTable(RECORD_ID).with(BITS, qpn, QPN).records(SIZE))
                .isEmpty();
        assertThat(withSmKey(harness.getTable(RECORD_ID).with(BITS, qpn, QPN)).records(SIZE))
                .singleElement()
                .satisfies(record -> assertThat(value(record, InformInfo.QPN)).isEqualTo(QPN));
    }

    @Test
    void recordsAreVisibleToPortsThatShareAPartitionWithTheSubscriber() {
        subscribe(65).answer();
        harness.view = torus.partitioned(
                String.format(SPLIT, "0x" + Long.toHexString(gid(4).guid()), "0x" + Long.toHexString(gid(5).guid())));
        assertThat(records()).hasSize(1);
        setRequester(5, 1);
        assertThat(records()).hasSize(1);
        setRequester(6, 1);
        assertThat(records()).isEmpty();
        assertThat(withSmKey(harness.getTable(RECORD_ID)).records(SIZE)).hasSize(1);
    }

    @Test
    void aSubscriptionWhosePortIsNotThereIsShownToTheTrusted() {
        Subscription lost = new Subscription(
                new Subscription.Subscriber(0x77, 1),
                0,
                false,
                InformInfo.TYPE.zero().with(InformInfo.SUBSCRIBE, 1));
        harness.subscriptions.restore(List.of(lost));
        assertThat(records()).isEmpty();
        assertThat(withSmKey(harness.getTable(RECORD_ID)).records(SIZE)).hasSize(1);
    }

    @Test
    void aRestoredSubscriptionIsThereOnce() {
        subscribe(64).answer();
        subscribe(65).answer();
        List<Subscription> saved = harness.subscriptions.view();
        harness.subscriptions.restore(saved);
        assertThat(harness.subscriptions.view()).isEqualTo(saved);
        harness.subscriptions.clear();
        assertThat(records()).isEmpty();
        subscribe(128).answer();
        harness.subscriptions.restore(saved);
        assertThat(harness.subscriptions.view())
                .extracting(Subscription::number)
                .doesNotHaveDuplicates();
        assertThat(unsubscribe(65, QPN).status()).isZero();
    }
}
