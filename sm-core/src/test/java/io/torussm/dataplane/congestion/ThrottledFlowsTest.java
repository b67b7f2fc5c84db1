package io.torussm.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.dataplane.congestion.ThrottledFlows.Flow;
import io.torussm.mad.congestion.CaCongestionSetting;
import io.torussm.mad.congestion.CongestionControlTable;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CCTI, timers and pauses of hosts. */
class ThrottledFlowsTest {
    private static final int SL = 2;
    private static final int TIMER = 16 + SL;

    private final CongestionCounters counters = new CongestionCounters(1, 4);

    private ThrottledFlows flows(CaCongestionSetting reaction, List<CongestionControlTable> table) {
        return new ThrottledFlows(
                new CongestionParameters(TestParameters.marking(15, 0, 0), reaction, table), counters, 4);
    }

    @Test
    void eachNotificationAddsTheIncreaseUpToTheLimit() {
        ThrottledFlows flows = flows(TestParameters.reaction(0, 150, 4, 0, 0), TestParameters.linear(10));
        flows.onBecn(1, 3, SL);
        assertThat(flows.ccti(1, 3, SL)).isEqualTo(4);
        flows.onBecn(1, 3, SL);
        flows.onBecn(1, 3, SL);
        assertThat(flows.ccti(1, 3, SL)).isEqualTo(10);
        assertThat(counters.notifications(1)).isEqualTo(3);
        assertThat(counters.highestCcti(1)).isEqualTo(10);
    }

    @Test
    void theTimerBeginsWithTheFirstNotificationAndSubtractsOneUntilTheMinimum() {
        ThrottledFlows flows = flows(TestParameters.reaction(0, 150, 3, 0, 1), TestParameters.linear(127));
        assertThat(flows.onBecn(1, 3, SL)).isEqualTo(150 * 1_024);
        assertThat(flows.onBecn(1, 3, SL)).isZero();
        assertThat(flows.ccti(1, 3, SL)).isEqualTo(7);
        for (int ccti = 6; ccti > 1; ccti--) {
            assertThat(flows.onTimerEnd(TIMER)).isEqualTo(150 * 1_024);
            assertThat(flows.ccti(1, 3, SL)).isEqualTo(ccti);
        }
        assertThat(flows.onTimerEnd(TIMER)).isZero();
        assertThat(flows.ccti(1, 3, SL)).isOne();
        assertThat(flows.onBecn(1, 3, SL)).isPositive();
    }

    @Test
    void aTimerIsOfAllFlowsOfAHostAndAnSl() {
        ThrottledFlows flows = flows(TestParameters.reaction(0, 1, 2, 0, 0), TestParameters.linear(127));
        flows.onBecn(1, 3, SL);
        flows.onBecn(1, 0, SL);
        flows.onBecn(1, 0, SL + 1);
        flows.onTimerEnd(TIMER);
        assertThat(flows.ccti(1, 3, SL)).isOne();
        assertThat(flows.ccti(1, 0, SL)).isOne();
        assertThat(flows.ccti(1, 0, SL + 1)).isEqualTo(2);
    }

    @Test
    void throttlingByQpKeepsTheRateOfOtherDestinations() {
        ThrottledFlows flows = flows(TestParameters.reaction(0, 1, 1, 0, 0), TestParameters.linear(127));
        flows.onBecn(1, 3, SL);
        assertThat(flows.flow(1, 3, SL)).isNotNull();
        assertThat(flows.flow(1, 0, SL)).isNull();
        assertThat(flows.flow(0, 3, SL)).isNull();
    }

    @Test
    void throttlingBySlTreatsAllDestinationsAsOneFlow() {
        ThrottledFlows flows = flows(TestParameters.reaction(1, 1, 1, 0, 0), TestParameters.linear(127));
        flows.onBecn(1, 3, SL);
        assertThat(flows.flow(1, 0, SL)).isNotNull().isSameAs(flows.flow(1, 3, SL));
        assertThat(flows.flow(1, 3, SL + 1)).isNull();
    }

    /** Shift 3 and multiplier 5: 5/8 of the packet's time; entry 64 is the first of the second block. */
    @ParameterizedTest
    @CsvSource({"1, 500", "64, 7000"})
    void aFlowPausesAfterAPacketByTheEntryOfItsIndex(int ccti, long pausePs) {
        int[] first = new int[64];
        first[1] = 3 << 14 | 5;
        ThrottledFlows flows = flows(
                TestParameters.reaction(0, 1, ccti, 0, 0),
                List.of(CongestionControlTable.of(64, first), CongestionControlTable.of(64, 1 << 14 | 14)));
        flows.onBecn(1, 3, SL);
        Flow flow = Objects.requireNonNull(flows.flow(1, 3, SL));
        flows.pauseAfterPacket(flow, 10_000, ccti == 1 ? 800 : 1_000);
        assertThat(flow.pausedUntilPs).isEqualTo(10_000 + pausePs);
    }

    @Test
    void aMinimumSlowsFlowsWithoutNotifications() {
        ThrottledFlows flows = flows(TestParameters.reaction(0, 1, 1, 0, 2), TestParameters.linear(127));
        Flow flow = Objects.requireNonNull(flows.flow(1, 3, SL));
        flows.pauseAfterPacket(flow, 0, 100);
        assertThat(flow.pausedUntilPs).isEqualTo(200);
    }

    @Test
    void withoutTimerOrTableOrEntryNothingIsSlowedDown() {
        CaCongestionSetting reaction = TestParameters.reaction(0, 1, 1, 0, 0);
        List.of(
                        flows(TestParameters.reaction(0, 0, 1, 0, 0), TestParameters.linear(127)),
                        flows(reaction, TestParameters.linear(0)),
                        flows(reaction, List.of()),
                        flows(
                                reaction.with(CaCongestionSetting.CONTROL_MAP, 0xffff & ~(1 << SL)),
                                TestParameters.linear(127)))
                .forEach(flows -> {
                    assertThat(flows.onBecn(1, 3, SL)).isZero();
                    assertThat(flows.flow(1, 3, SL)).isNull();
                });
    }

    @Test
    void aFlowIsForgottenAtRest() {
        ThrottledFlows flows = flows(TestParameters.reaction(0, 1, 1, 0, 0), TestParameters.linear(127));
        flows.onBecn(1, 3, SL);
        int number = Objects.requireNonNull(flows.flow(1, 3, SL)).number;
        flows.onTimerEnd(TIMER);
        assertThat(flows.flow(1, 3, SL)).isNull();
        flows.onBecn(2, 0, SL);
        assertThat(Objects.requireNonNull(flows.flow(2, 0, SL)).number).isEqualTo(number);
    }

    @Test
    void theTriggerIsCountedWhenItIsReached() {
        ThrottledFlows flows = flows(TestParameters.reaction(0, 1, 2, 3, 0), TestParameters.linear(127));
        flows.onBecn(1, 3, SL);
        assertThat(counters.triggers()).isZero();
        flows.onBecn(1, 3, SL);
        flows.onBecn(1, 3, SL);
        assertThat(counters.triggers()).isOne();
    }
}
