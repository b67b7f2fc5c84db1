package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.congestion.CongestionInfo;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.perf.PerfMad;
import io.torussm.mad.perf.PortCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Requests to agents behind QP1, on a scripted wire. */
class GsiClientTest {
    private static final int TIMEOUT_MS = 100;
    private static final MadAddress TO = new MadAddress(17, 1, 3, 2);

    private final ClientHarness harness = new ClientHarness(64, 4, 3);
    private final ScriptedTransport wire = harness.wire;
    private final List<Outcome<PortCounters>> outcomes = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private GsiClient.Settings settings = new GsiClient.Settings(8, 0, TIMEOUT_MS, 2);
    private GsiClient gsi = client();

    private GsiClient client() {
        return new GsiClient(
                harness.client,
                harness.loop,
                () -> settings,
                9,
                GsiClient.RedirectionPolicy.withinSubnet(pKey -> pKey == 0xffff ? 0 : pKey == 0x8002 ? 5 : -1));
    }

    private void send(int port) {
        send(TO, port);
    }

    private void send(MadAddress to, int port) {
        gsi.send(GsiRequest.perfGet(to, PortCounters.COUNTERS.readRequest(port), (outcome, atNs) -> {
            outcomes.add(outcome);
            times.add(atNs);
        }));
    }

    private static byte[] answer(MadFrame request, int symbolErrors) {
        byte[] mad = request.mad().clone();
        MadHeader.METHOD.set(mad, 0, Method.GET_RESP);
        PortCounters.TYPE
                .read(mad, PerfMad.DATA_OFFSET)
                .with(PortCounters.SYMBOL_ERROR_COUNTER, symbolErrors)
                .write(mad, PerfMad.DATA_OFFSET);
        return mad;
    }

    private static byte[] errorResponse(MadFrame request, int status) {
        byte[] mad = answer(request, 0);
        MadHeader.STATUS.set(mad, 0, status);
        return mad;
    }

    private void deliver(MadFrame request, byte[] mad) {
        wire.deliver(new MadFrame(request.peer(), mad));
        harness.runDueTasks();
    }

    private long errors(int index) {
        assertThat(outcomes.get(index)).isInstanceOf(Outcome.Reply.class);
        return ((Outcome.Reply<PortCounters>) outcomes.get(index)).value().get(PortCounters.SYMBOL_ERROR_COUNTER);
    }

    private static Outcome<PortCounters> failure(Outcome.FailureReason kind, int status) {
        return new Outcome.Failure<>(kind, status);
    }

    @Test
    void aRequestGoesToQp1AndItsAnswerEndsIt() {
        send(4);
        assertThat(wire.sent).hasSize(1);
        MadFrame sent = wire.lastSent();
        assertThat(sent.peer()).isEqualTo(TO);
        assertThat(sent.peer().qKey()).isEqualTo(0x80010000);
        assertThat(sent.mad()).startsWith(1, MgmtClass.PERF_MGT, 1, Method.GET);
        assertThat(MadHeader.attributeId(sent.mad())).isEqualTo(0x12);
        assertThat(PortCounters.COUNTERS.port(PortCounters.TYPE.read(sent.mad(), PerfMad.DATA_OFFSET)))
                .isEqualTo(4);
        assertThat(MadHeader.tid(sent.mad()) >>> 32).isZero();
        assertThat(wire.timeoutsMs).containsExactly(TIMEOUT_MS);
        assertThat(gsi.outstanding()).isOne();
        harness.runMs(7);
        deliver(sent, answer(sent, 42));
        assertThat(errors(0)).isEqualTo(42);
        assertThat(times).containsExactly(TimeUnit.MILLISECONDS.toNanos(7));
        assertThat(gsi.outstanding()).isZero();
        harness.runMs(10_000);
        assertThat(wire.sent).hasSize(1);
    }

    @Test
    void aSetAndARequestOfCongestionControlHaveTheirClasses() {
        gsi.send(GsiRequest.perfSet(
                TO,
                PortCounters.COUNTERS.clearRequest(1, List.of(PortCounters.VL15_DROPPED)),
                (outcome, atNs) -> outcomes.add(outcome)));
        assertThat(wire.lastSent().mad()).startsWith(1, MgmtClass.PERF_MGT, 1, Method.SET);
        List<Outcome<CongestionInfo>> infos = new ArrayList<>();
        gsi.send(GsiRequest.congestion(
                TO, Method.GET, 0, 0, CongestionInfo.TYPE.zero(), (outcome, atNs) -> infos.add(outcome)));
        MadFrame asked = wire.lastSent();
        assertThat(asked.mad()).startsWith(1, MgmtClass.CONGESTION_CONTROL, 2, Method.GET);
        byte[] mad = answer(asked, 0);
        CongestionInfo info = CongestionInfo.TYPE.zero().with(CongestionInfo.CONTROL_TABLE_CAP, 3);
        info.write(mad, CongestionMad.DATA_OFFSET);
        deliver(asked, mad);
        assertThat(infos).containsExactly(new Outcome.Reply<>(info));
        assertThat(outcomes).isEmpty();
    }

    @Test
    void aLostRequestIsRepeatedWithAnotherTransactionIdAndALongerWait() {
        send(1);
        harness.runMs(1_000);
        assertThat(wire.timeoutsMs).containsExactly(100, 200, 400);
        assertThat(wire.sent)
                .extracting(frame -> MadHeader.tid(frame.mad()))
                .doesNotHaveDuplicates()
                .hasSize(3);
        assertThat(outcomes).containsExactly(failure(Outcome.FailureReason.TIMEOUT, 0));
        assertThat(gsi.stats()).isEqualTo(new GsiClient.Stats(3, 0, 2, 1, 0, 0, 0));
    }

    @Test
    void aLateAnswerIsNotTakenForThatOfALaterTry() {
        send(1);
        MadFrame first = wire.lastSent();
        harness.runMs(130);
        MadFrame second = wire.lastSent();
        assertThat(second).isNotSameAs(first);
        deliver(first, answer(first, 1));
        assertThat(outcomes).isEmpty();
        deliver(second, answer(second, 2));
        deliver(second, answer(second, 3));
        assertThat(outcomes).hasSize(1);
        assertThat(errors(0)).isEqualTo(2);
        assertThat(gsi.stats().late()).isEqualTo(2);
    }

    @Test
    void unrelatedAnswersAreIgnored() {
        send(1);
        MadFrame sent = wire.lastSent();
        byte[] otherAttribute = answer(sent, 1);
        MadHeader.ATTRIBUTE_ID.set(otherAttribute, 0, 0x1d);
        deliver(sent, otherAttribute);
        byte[] otherClass = answer(sent, 1);
        MadHeader.MGMT_CLASS.set(otherClass, 0, MgmtClass.CONGESTION_CONTROL);
        deliver(sent, otherClass);
        byte[] otherTid = answer(sent, 1);
        MadHeader.TRANSACTION_ID.set(otherTid, 0, MadHeader.tid(sent.mad()) + 1);
        deliver(sent, otherTid);
        deliver(sent, sent.mad().clone()); // no answer: it does not even come as far
        assertThat(outcomes).isEmpty();
        assertThat(gsi.stats().late()).isEqualTo(3);
    }

    @Test
    void anAnswerFromAnotherLidIsNotBelieved() {
        send(1);
        MadFrame sent = wire.lastSent();
        wire.deliver(new MadFrame(new MadAddress(18, 1, 3, 2), answer(sent, 666)));
        harness.runDueTasks();
        assertThat(outcomes).isEmpty();
        assertThat(gsi.stats().foreign()).isOne();
        deliver(sent, answer(sent, 5));
        assertThat(errors(0)).isEqualTo(5);
    }

    @Test
    void theAgentIdInTheUpperHalfOfATidIsIgnored() {
        send(1);
        byte[] mad = answer(wire.lastSent(), 8);
        MadHeader.TRANSACTION_ID.set(mad, 0, MadHeader.tid(mad) | 0x0003_0000_0000_0000L);
        deliver(wire.lastSent(), mad);
        assertThat(errors(0)).isEqualTo(8);
    }

    @Test
    void aRefusalIsAnOutcomeWithItsStatus() {
        send(1);
        deliver(wire.lastSent(), errorResponse(wire.lastSent(), MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE));
        send(1);
        byte[] strange = answer(wire.lastSent(), 0);
        MadHeader.METHOD.set(strange, 0, Method.GET_TABLE_RESP);
        deliver(wire.lastSent(), strange);
        assertThat(outcomes)
                .containsExactly(
                        failure(Outcome.FailureReason.BAD_STATUS, 0x0c), failure(Outcome.FailureReason.MALFORMED, 0));
    }

    @Test
    void aBusyAgentIsAskedAgainAfterAPause() {
        send(1);
        deliver(wire.lastSent(), errorResponse(wire.lastSent(), MadStatus.BUSY));
        assertThat(wire.sent).hasSize(1);
        assertThat(gsi.outstanding()).isOne();
        harness.runMs(60);
        assertThat(wire.sent).hasSize(2);
        deliver(wire.lastSent(), errorResponse(wire.lastSent(), MadStatus.BUSY));
        harness.runMs(110);
        deliver(wire.lastSent(), errorResponse(wire.lastSent(), MadStatus.BUSY));
        assertThat(outcomes).containsExactly(failure(Outcome.FailureReason.BAD_STATUS, MadStatus.BUSY));
        assertThat(wire.sent).hasSize(3);
    }

    private static byte[] redirect(MadFrame request, ClassPortInfo to) {
        byte[] mad = errorResponse(request, MadStatus.REDIRECT);
        MadHeader.ATTRIBUTE_ID.set(mad, 0, ClassPortInfo.TYPE.id());
        to.write(mad, PerfMad.DATA_OFFSET);
        return mad;
    }

    private static ClassPortInfo redirectionTo(int lid, int qp, int pKey) {
        return ClassPortInfo.TYPE
                .zero()
                .with(ClassPortInfo.REDIRECT_LID, lid)
                .with(ClassPortInfo.REDIRECT_QP, qp)
                .with(ClassPortInfo.REDIRECT_SL, 4)
                .with(ClassPortInfo.REDIRECT_P_KEY, pKey)
                .with(ClassPortInfo.REDIRECT_Q_KEY, 0x80020000L);
    }

    @Test
    void aRedirectionIsFollowedAndRemembered() {
        send(1);
        deliver(wire.lastSent(), redirect(wire.lastSent(), redirectionTo(40, 77, 0x8002)));
        MadAddress elsewhere = new MadAddress(40, 77, 4, 5, 0, null, 0x80020000);
        assertThat(wire.lastSent().peer()).isEqualTo(elsewhere);
        deliver(wire.lastSent(), answer(wire.lastSent(), 3));
        assertThat(errors(0)).isEqualTo(3);
        send(2);
        assertThat(wire.lastSent().peer()).isEqualTo(elsewhere);
        send(new MadAddress(18, 1, 3, 2), 2);
        assertThat(wire.lastSent().peer().lid()).isEqualTo(18);
        assertThat(gsi.stats().redirected()).isOne();
    }

    @Test
    void aRedirectionIsForgottenIfItsTargetIsSilent() {
        send(1);
        deliver(wire.lastSent(), redirect(wire.lastSent(), redirectionTo(40, 1, 0xffff)));
        deliver(wire.lastSent(), answer(wire.lastSent(), 3));
        send(1);
        harness.runMs(1_000);
        assertThat(outcomes.get(1)).isEqualTo(failure(Outcome.FailureReason.TIMEOUT, 0));
        send(1);
        assertThat(wire.lastSent().peer()).isEqualTo(TO);
    }

    @Test
    void redirectionsInACircleEnd() {
        send(1);
        deliver(wire.lastSent(), redirect(wire.lastSent(), redirectionTo(40, 1, 0xffff)));
        deliver(wire.lastSent(), redirect(wire.lastSent(), redirectionTo(17, 1, 0xffff)));
        assertThat(outcomes).containsExactly(failure(Outcome.FailureReason.BAD_STATUS, MadStatus.REDIRECT));
        assertThat(wire.sent).hasSize(2);
        send(1);
        assertThat(wire.lastSent().peer()).isEqualTo(TO);
    }

    @Test
    void aRedirectionThatCannotBeFollowedIsTheOutcome() {
        ClassPortInfo byGid =
                redirectionTo(0, 1, 0xffff).with(ClassPortInfo.REDIRECT_GID, new Gid(Gid.DEFAULT_PREFIX, 9));
        for (ClassPortInfo to : List.of(byGid, redirectionTo(40, 0, 0xffff), redirectionTo(40, 1, 0x8003))) {
            send(1);
            deliver(wire.lastSent(), redirect(wire.lastSent(), to));
        }
        assertThat(outcomes).hasSize(3).containsOnly(failure(Outcome.FailureReason.BAD_STATUS, MadStatus.REDIRECT));
        assertThat(wire.sent).hasSize(3);
    }

    @Test
    void theWindowBoundsRequestsOnTheWireAndTakesNoRoomOfSmps() {
        for (int port = 0; port < 20; port++) {
            send(port);
        }
        assertThat(wire.sent).hasSize(8);
        MadScope scope = harness.client.scope();
        for (int i = 1; i <= 64; i++) {
            harness.get(scope, i);
        }
        harness.runDueTasks();
        assertThat(wire.sent.stream().filter(frame -> MgmtClass.isSmp(MadHeader.mgmtClass(frame.mad()))))
                .hasSize(64);
        for (int i = 0; i < 8; i++) {
            deliver(wire.sent.get(i), answer(wire.sent.get(i), i));
        }
        assertThat(wire.sent).hasSize(8 + 64 + 8);
        assertThat(gsi.outstanding()).isEqualTo(12);
    }

    @Test
    void aTransportThatBearsLessHasTheLastWord() {
        wire.maxOutstanding = 2;
        gsi = client();
        for (int port = 0; port < 5; port++) {
            send(port);
        }
        assertThat(wire.sent).hasSize(2);
    }

    @Test
    void thePaceBoundsRequestsPerSecond() {
        settings = new GsiClient.Settings(4096, 500, 60_000, 0);
        for (int port = 0; port < 2_000; port++) {
            send(port & 0x7f);
        }
        assertThat(wire.sent).hasSizeBetween(1, 7);
        harness.runMs(1_000);
        assertThat(wire.sent).hasSizeBetween(495, 507);
        harness.runMs(2_000);
        assertThat(wire.sent).hasSizeBetween(1_490, 1_507);
    }

    @Test
    void aRestDoesNotSaveUpABurst() {
        settings = new GsiClient.Settings(4096, 500, 60_000, 0);
        harness.runMs(60_000);
        for (int port = 0; port < 100; port++) {
            send(port);
        }
        assertThat(wire.sent).hasSizeBetween(1, 7);
    }

    @Test
    void requestsThatTheTransportGivesBackAreRepeatedImmediatelyAfterTheirTime() {
        wire.returnsTimedOutRequests = true;
        gsi = client();
        send(1);
        MadFrame first = wire.lastSent();
        harness.runMs(50);
        wire.returnUndelivered(first);
        harness.runDueTasks();
        assertThat(wire.sent).hasSize(1);
        harness.runMs(50);
        wire.returnUndelivered(first);
        harness.runDueTasks();
        assertThat(wire.sent).hasSize(2);
        harness.runMs(10_000);
        assertThat(outcomes).containsExactly(failure(Outcome.FailureReason.TIMEOUT, 0));
    }

    @Test
    void aPortThatTakesNothingCostsTheTriesAndNoMore() {
        wire.accepts = () -> false;
        send(1);
        harness.runMs(1_000);
        assertThat(outcomes).containsExactly(failure(Outcome.FailureReason.TIMEOUT, 0));
        wire.accepts = () -> true;
        send(1);
        deliver(wire.lastSent(), answer(wire.lastSent(), 1));
        assertThat(errors(1)).isEqualTo(1);
    }

    @Test
    void closingEndsEverythingOnce() {
        for (int port = 0; port < 12; port++) {
            send(port);
        }
        MadFrame busy = wire.sent.get(0);
        deliver(busy, errorResponse(busy, MadStatus.BUSY));
        gsi.close();
        harness.runMs(10_000);
        assertThat(outcomes).hasSize(12).containsOnly(failure(Outcome.FailureReason.CANCELLED, 0));
        assertThat(gsi.outstanding()).isZero();
        send(1);
        assertThat(outcomes).hasSize(13);
        long unsolicited = harness.client.stats().unsolicited();
        deliver(wire.lastSent(), answer(wire.lastSent(), 1));
        assertThat(harness.client.stats().unsolicited()).isEqualTo(unsolicited + 1);
    }

    @Test
    void aContinuationThatThrowsCostsItselfAlone() {
        gsi.send(GsiRequest.perfGet(TO, PortCounters.COUNTERS.readRequest(1), (outcome, atNs) -> {
            throw new IllegalStateException("bug");
        }));
        send(2);
        for (MadFrame sent : List.copyOf(wire.sent)) {
            deliver(sent, answer(sent, 1));
        }
        assertThat(errors(0)).isOne();
        assertThat(harness.client.stats().failures()).isOne();
    }

    @Test
    void boundsThatAreNoneAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new GsiClient.Settings(0, 0, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new GsiClient.Settings(4097, 0, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new GsiClient.Settings(1, -1, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new GsiClient.Settings(1, 0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new GsiClient.Settings(1, 0, 1, -1));
    }
}
