package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.AdaptiveRoutingInfo;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.testing.BoundedWait;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One transaction after the other: retries, and what counts as an answer. */
class MadClientTest {
    private static final Outcome<NodeInfo> TIMEOUT = new Outcome.Failure<>(Outcome.FailureReason.TIMEOUT, 0);

    @Test
    void sendsASetWithItsValueModifierRouteAndKey() {
        ScriptedTransport wire = new ScriptedTransport();
        ClientHarness listener = new ClientHarness(1, 1, 0);
        MadClient client = new MadClient(
                wire, listener.loop, MKeySource.fixed(0x77), () -> new MadClient.Settings(1, 1, 100, 0), 1, listener);
        PortInfo value = PortInfo.TYPE.zero().with(PortInfo.LID, 0x1234);
        client.scope().set(value, DrPath.of(3, 4), 9, outcome -> {});
        byte[] mad = wire.lastSent().mad();
        assertThat(wire.lastSent().peer()).isEqualTo(MadAddress.DIRECTED);
        assertThat(MadHeader.method(mad)).isEqualTo(Method.SET);
        assertThat(MadHeader.attributeId(mad)).isEqualTo(0x15);
        assertThat(MadHeader.attributeModifier(mad)).isEqualTo(9);
        assertThat(Smp.M_KEY.get(mad, 0)).isEqualTo(0x77);
        assertThat(Smp.path(mad)).isEqualTo(DrPath.of(3, 4));
        assertThat(PortInfo.TYPE.read(mad, Smp.DATA_OFFSET)).isEqualTo(value);
        assertThat(client.localPort().caName()).isEqualTo("scripted");
    }

    @Test
    void triesTheNextKeyAtASilentDeviceAndReportsTheAnsweredOne() {
        ScriptedTransport wire = new ScriptedTransport();
        ClientHarness listener = new ClientHarness(1, 1, 0);
        List<String> answered = new ArrayList<>();
        MKeySource keys = new MKeySource() {
            @Override
            public long key(DrPath path, int attempt) {
                return 0x70L + attempt % 2;
            }

            @Override
            public void answered(DrPath path, int attempt) {
                answered.add(path + " after " + attempt);
            }
        };
        MadClient client =
                new MadClient(wire, listener.loop, keys, () -> new MadClient.Settings(1, 1, 100, 3), 1, listener);
        client.scope().get(NodeInfo.TYPE, DrPath.of(3), 0, listener.outcomes::add);
        listener.loop.runFor(TimeUnit.MILLISECONDS.toNanos(600));
        assertThat(wire.sent).extracting(frame -> Smp.M_KEY.get(frame.mad(), 0)).containsExactly(0x70L, 0x71L, 0x70L);
        wire.respond(wire.lastSent());
        listener.runDueTasks();
        assertThat(answered).containsExactly("0,3 after 2");
    }

    @Test
    void triesAgainWithDoubledTimeoutsAndThenGivesUp() {
        ClientHarness harness = new ClientHarness(4, 4, 2);
        List<Long> timesMs = new ArrayList<>();
        harness.wire.onSend = frame -> timesMs.add(harness.loop.nowNs() / 1_000_000);
        harness.get(harness.client.scope(), 1);
        harness.runMs(10_000);
        assertThat(harness.wire.timeoutsMs).containsExactly(100, 200, 400);
        assertThat(timesMs).containsExactly(0L, 100L, 300L);
        assertThat(harness.outcomes).containsExactly(TIMEOUT);
        assertThat(harness.wire.sent)
                .allMatch(frame -> frame.mad() == harness.wire.sent.get(0).mad());
        assertThat(harness.client.stats().sent()).isEqualTo(3);
        assertThat(harness.client.stats().retries()).isEqualTo(2);
        assertThat(harness.client.stats().timeouts()).isEqualTo(1);
    }

    /**
     * A device need not answer for attributes of vendors that it has not: neither its retries nor its end are
     * counted.
     */
    @Test
    void anAttributeOfAVendorThatIsNotAnsweredIsNoTimeout() {
        ClientHarness harness = new ClientHarness(4, 4, 2);
        List<Outcome<AdaptiveRoutingInfo>> outcomes = new ArrayList<>();
        harness.client.scope().get(AdaptiveRoutingInfo.TYPE, DrPath.of(1), 0, outcomes::add);
        harness.runMs(10_000);
        assertThat(outcomes).singleElement().isEqualTo(new Outcome.Failure<>(Outcome.FailureReason.TIMEOUT, 0));
        assertThat(harness.client.stats().smps()).isEqualTo(3);
        assertThat(harness.client.stats().retries()).isZero();
        assertThat(harness.client.stats().timeouts()).isZero();
    }

    /** Requests of others, such as the performance manager's, are sent, too; only SMPs count as such. */
    @Test
    void onlySmpsAreCountedAsSmps() {
        ClientHarness harness = new ClientHarness(4, 4, 2);
        byte[] gmp = new byte[MadHeader.MAD_SIZE];
        gmp[1] = MgmtClass.PERF_MGT;
        harness.client.send(new MadFrame(MadAddress.DIRECTED, gmp), 100);
        assertThat(harness.client.stats().sent()).isOne();
        assertThat(harness.client.stats().smps()).isZero();
    }

    @Test
    void requestsWithoutHopeAreSentTwice() {
        ClientHarness harness = new ClientHarness(4, 4, 3);
        harness.client
                .scope()
                .submit(SmpRequest.get(NodeInfo.TYPE, DrPath.of(1), 0, harness.outcomes::add)
                        .brief());
        harness.runMs(10_000);
        assertThat(harness.wire.timeoutsMs).containsExactly(100, 200);
        assertThat(harness.outcomes).containsExactly(TIMEOUT);
    }

    /** Each costs the patience of all its tries: at a few at a time, a long queue would take minutes to get nowhere. */
    @Test
    void requestsBehindThreeUnansweredOnesAreSentNoMore() {
        ClientHarness harness = new ClientHarness(64, 4, 0);
        MadScope scope = harness.client.scope();
        for (int i = 0; i < 50; i++) {
            harness.get(scope, 1);
        }
        MadScope other = harness.client.scope();
        harness.get(other, 1);
        harness.runMs(130);
        assertThat(harness.outcomes).hasSize(50).containsOnly(TIMEOUT);
        assertThat(harness.sentTo(DrPath.of(1)))
                .as("four, and that of another scope")
                .isEqualTo(5);
        harness.wire.respond(harness.wire.lastSent());
        harness.runDueTasks();
        assertThat(harness.outcomes).hasSize(51).last().isInstanceOf(Outcome.Reply.class);
        harness.get(scope, 1);
        assertThat(harness.sentTo(DrPath.of(1)))
                .as("the next question is asked")
                .isEqualTo(6);
    }

    @Test
    void answersInBetweenKeepADeviceInTheRunning() {
        ClientHarness harness = new ClientHarness(64, 1, 0);
        MadScope scope = harness.client.scope();
        for (int i = 0; i < 30; i++) {
            harness.get(scope, 1);
        }
        for (int i = 0; i < 15; i++) {
            harness.runMs(130);
            harness.wire.respond(harness.wire.lastSent());
            harness.runDueTasks();
        }
        assertThat(harness.sentTo(DrPath.of(1))).isEqualTo(30);
    }

    @Test
    void doublingStopsBeforeItOverflows() {
        ScriptedTransport wire = new ScriptedTransport();
        ClientHarness listener = new ClientHarness(1, 1, 0);
        int halfMax = Integer.MAX_VALUE / 2;
        MadScope scope = new MadClient(
                        wire,
                        listener.loop,
                        MKeySource.fixed(0),
                        () -> new MadClient.Settings(1, 1, halfMax, 3),
                        1,
                        listener)
                .scope();
        listener.get(scope, 1);
        BoundedWait.until(listener.loop, "the request ends", () -> !listener.outcomes.isEmpty(), Long.MAX_VALUE / 2);
        assertThat(wire.timeoutsMs).containsExactly(halfMax, halfMax * 2, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    @Test
    void anAnswerToARetryIsAnAnswer() {
        ClientHarness harness = new ClientHarness(4, 4, 2);
        harness.get(harness.client.scope(), 1);
        harness.runMs(150);
        assertThat(harness.wire.sent).hasSize(2);
        harness.wire.respond(harness.wire.lastSent());
        harness.runMs(10_000);
        assertThat(harness.outcomes).hasSize(1);
        assertThat(harness.outcomes.get(0)).isInstanceOf(Outcome.Reply.class);
        assertThat(harness.client.stats().timeouts()).isZero();
    }

    @Test
    void duplicateAndLateAnswersAreCountedAndDropped() {
        ClientHarness harness = new ClientHarness(1, 1, 0);
        MadScope scope = harness.client.scope();
        harness.get(scope, 1);
        MadFrame first = harness.wire.lastSent();
        harness.wire.respond(first);
        harness.wire.respond(first);
        harness.runDueTasks();
        assertThat(harness.client.stats().late()).isEqualTo(1);
        harness.get(scope, 2);
        harness.runMs(1_000);
        harness.wire.respond(harness.wire.lastSent());
        harness.get(scope, 1); // the same slot and route as the first
        harness.wire.respond(first);
        harness.runDueTasks();
        assertThat(harness.outcomes).hasSize(2);
        assertThat(harness.client.stats().late()).isEqualTo(3);
        assertThat(harness.client.stats().replies()).isEqualTo(1);
    }

    @Test
    void anAnswerOfAnotherClassAttributeModifierOrGenerationIsNone() {
        ClientHarness harness = new ClientHarness(8, 8, 0);
        harness.get(harness.client.scope(), 1);
        deliverWith(harness, MadHeader.MGMT_CLASS, MgmtClass.SUBN_LID);
        deliverWith(harness, MadHeader.ATTRIBUTE_ID, PortInfo.TYPE.id());
        deliverWith(harness, MadHeader.ATTRIBUTE_MODIFIER, 1);
        long tid = MadHeader.tid(harness.wire.lastSent().mad());
        deliverWith(harness, MadHeader.TRANSACTION_ID, tid + (1 << 12));
        deliverWith(harness, MadHeader.TRANSACTION_ID, tid - (1 << 12));
        deliverWith(harness, MadHeader.TRANSACTION_ID, tid + 1);
        deliverWith(harness, MadHeader.TRANSACTION_ID, tid | 0xfff);
        assertThat(harness.outcomes).isEmpty();
        assertThat(harness.client.stats().late()).isEqualTo(7);
        // The upper half belongs to umad.
        deliverWith(harness, MadHeader.TRANSACTION_ID, tid | 0xabcdef01L << 32);
        assertThat(harness.outcomes).hasSize(1);
    }

    private static void deliverWith(ClientHarness harness, Field field, long value) {
        byte[] mad = ScriptedTransport.reply(harness.wire.lastSent(), 0);
        field.set(mad, 0, value);
        harness.wire.deliver(mad);
        harness.runDueTasks();
    }

    @Test
    void transactionIdsAreNeverZeroAndDifferWithinASlot() {
        ClientHarness harness = new ClientHarness(1, 1, 0, (1 << 20) - 3);
        MadScope scope = harness.client.scope();
        for (int i = 0; i < 6; i++) {
            harness.get(scope, 1);
            harness.answerAllFrom(i);
        }
        assertThat(harness.wire.sent)
                .extracting(frame -> MadHeader.tid(frame.mad()))
                .doesNotContain(0L)
                .doesNotHaveDuplicates()
                .allMatch(tid -> tid >>> 32 == 0);
    }

    @Test
    void aStatusIsReportedWithoutTheDirectionBit() {
        ClientHarness harness = new ClientHarness(1, 1, 0);
        harness.get(harness.client.scope(), 1);
        harness.wire.deliver(ScriptedTransport.reply(harness.wire.lastSent(), 0x1c));
        harness.runDueTasks();
        assertThat(harness.outcomes).containsExactly(new Outcome.Failure<>(Outcome.FailureReason.BAD_STATUS, 0x1c));
        assertThat(harness.outcomes.get(0)).hasToString("status 0x001c");
    }

    @Test
    void aResponseThatIsNoGetRespIsMalformed() {
        ClientHarness harness = new ClientHarness(1, 1, 0);
        harness.get(harness.client.scope(), 1);
        deliverWith(harness, MadHeader.METHOD, Method.GET_TABLE_RESP);
        assertThat(harness.outcomes).containsExactly(new Outcome.Failure<>(Outcome.FailureReason.MALFORMED, 0));
        assertThat(harness.client.stats().malformed()).isEqualTo(1);
    }

    @Test
    void undeliveredRequestsAreRepeatedSoonALimitedNumberOfTimes() {
        ClientHarness harness = new ClientHarness(1, 1, 3);
        harness.wire.onSend = harness.wire::returnUndelivered;
        harness.get(harness.client.scope(), 1);
        harness.runMs(300);
        assertThat(harness.outcomes).containsExactly(TIMEOUT);
        assertThat(harness.wire.sent).hasSize(4);
        assertThat(harness.client.stats().undelivered()).isEqualTo(4);
    }

    @Test
    void requestsThatTheTransportRefusesAreRepeatedSoon() {
        ClientHarness harness = new ClientHarness(1, 1, 3);
        harness.wire.accepts = () -> false;
        harness.get(harness.client.scope(), 1);
        assertThat(harness.client.stats().sent()).isZero();
        harness.wire.accepts = () -> true;
        harness.runMs(50);
        assertThat(harness.wire.sent).hasSize(1);
        harness.answerAllFrom(0);
        assertThat(harness.outcomes).hasSize(1);
    }

    @Test
    void requestsThatTheTransportRefusesAreNoTry() {
        ClientHarness harness = new ClientHarness(1, 1, 3);
        List<Boolean> answers = new ArrayList<>(List.of(false, true, false, false, true, true, false, true));
        harness.wire.accepts = () -> answers.remove(0);
        harness.get(harness.client.scope(), 1);
        harness.runMs(10_000);
        assertThat(harness.wire.timeoutsMs).containsExactly(100, 200, 400, 800);
        assertThat(harness.outcomes).containsExactly(TIMEOUT);
        assertThat(harness.client.stats().refused()).isEqualTo(4);
        assertThat(harness.client.stats().sent()).isEqualTo(4);
        assertThat(harness.client.stats().retries()).isEqualTo(3);
    }

    @Test
    void requestsThatAreAlwaysRefusedEndAfterTheTimeOfAllTries() {
        ClientHarness harness = new ClientHarness(1, 1, 3);
        harness.wire.accepts = () -> false;
        harness.get(harness.client.scope(), 1);
        harness.runMs(1_450);
        assertThat(harness.outcomes).isEmpty();
        harness.runMs(100);
        assertThat(harness.outcomes).containsExactly(TIMEOUT);
    }

    @Test
    void lateUndeliveredRequestsAreRepeatedImmediately() {
        ClientHarness harness = new ClientHarness(1, 1, 1);
        harness.wire.returnsTimedOutRequests = true;
        harness.get(harness.client.scope(), 1);
        harness.runMs(108);
        assertThat(harness.wire.sent)
                .as("the clock of the transport owns the try")
                .hasSize(1);
        harness.wire.returnUndelivered(harness.wire.lastSent());
        harness.runDueTasks();
        assertThat(harness.wire.sent).hasSize(2);
        harness.runMs(299);
        assertThat(harness.outcomes).isEmpty();
        harness.runMs(30);
        assertThat(harness.outcomes).as("200 ms, and 100 of margin").containsExactly(TIMEOUT);
    }

    @Test
    void incomingRequestsGoToTheirReceiver() {
        ClientHarness harness = new ClientHarness(1, 1, 0);
        byte[] trap = Smp.lidRouted(Method.TRAP, 5, 2, 0, 0);
        byte[] get = Smp.directed(Method.GET, 5, 0x20, 0, 0, DrPath.LOCAL);
        byte[] query = MadHeader.create(MgmtClass.SUBN_ADM, 2, Method.GET, 1, 0x35, 0);
        byte[] vendor = MadHeader.create(0x0a, 1, Method.GET, 1, 0x35, 0);
        harness.wire.deliver(trap);
        harness.wire.deliver(get);
        harness.wire.deliver(vendor);
        harness.wire.deliver(query);
        assertThat(harness.administration)
                .as("at once")
                .extracting(MadFrame::mad)
                .containsExactly(query);
        assertThat(harness.management).as("on the loop").isEmpty();
        harness.runDueTasks();
        assertThat(harness.management).extracting(MadFrame::mad).containsExactly(trap, get);
        assertThat(harness.client.stats().unsolicited()).isEqualTo(3);
    }

    @Test
    void aFailedTransportIsReportedOnTheLoop() {
        ClientHarness harness = new ClientHarness(1, 1, 0);
        harness.wire.failPort("unplugged");
        assertThat(harness.portLosses).isEmpty();
        harness.runDueTasks();
        assertThat(harness.portLosses).containsExactly("unplugged");
    }

    @Test
    void messagesWithoutAnswersAreSentWithoutAWait() {
        ClientHarness harness = new ClientHarness(1, 1, 0);
        harness.client.send(new MadFrame(MadAddress.DIRECTED, Smp.lidRouted(Method.TRAP_REPRESS, 9, 2, 0, 0)));
        assertThat(harness.wire.timeoutsMs).containsExactly(0);
        assertThat(harness.client.stats().sent()).isEqualTo(1);
    }

    @Test
    void aFloodIsCountedWhereItOverflows() {
        ClientHarness harness = new ClientHarness(1, 1, 0);
        byte[] trap = Smp.lidRouted(Method.TRAP, 5, 2, 0, 0);
        for (int i = 0; i < 20_000; i++) {
            harness.wire.deliver(trap);
        }
        harness.runDueTasks();
        assertThat(harness.management).hasSize(1 << 14);
        assertThat(harness.client.stats().overflow()).isEqualTo(20_000 - (1 << 14));
        assertThat(harness.client.stats().unsolicited()).isEqualTo(1 << 14);
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new MadClient.Settings(-1, 1, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new MadClient.Settings(4097, 1, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new MadClient.Settings(1, 0, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new MadClient.Settings(1, 1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new MadClient.Settings(1, 1, 1, -1));
    }
}
