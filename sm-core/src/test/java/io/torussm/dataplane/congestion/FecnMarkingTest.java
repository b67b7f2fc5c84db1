package io.torussm.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.dataplane.congestion.FecnMarking.Direction;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The conditions under which a switch sets FECN. */
class FecnMarkingTest {
    private static final int BUFFER = 16_000;
    private static final int PACKET = 2_000;
    private static final int PORT = 7;
    private static final int VL = 3;

    /** Link 0 leaves port 5 of a switch (index 7) for a host, link 1 the host for port 5 of that switch. */
    private static final List<Direction> LINKS = List.of(new Direction(PORT, 5, -1), new Direction(8, -1, 5));

    private final CongestionCounters counters = new CongestionCounters(10, 2);

    /** Bytes in the queue of each channel. */
    private int waitingBytes;

    private FecnMarking marking(SwitchCongestionSetting setting) {
        return new FecnMarking(
                new CongestionParameters(setting, TestParameters.reaction(0, 1, 1, 0, 0), TestParameters.linear(127)),
                counters,
                (channel, bytes) -> waitingBytes >= bytes,
                LINKS,
                BUFFER);
    }

    private boolean leave(FecnMarking marking, int behindBytes) {
        waitingBytes = behindBytes;
        return marking.markOnLeave(VL, PACKET, false);
    }

    @ParameterizedTest
    @CsvSource({"15, 1000", "14, 2000", "8, 8000", "1, 15000"})
    void aPacketIsMarkedIfAsMuchWaitsBehindItAsTheThresholdSays(int threshold, int bytes) {
        FecnMarking marking = marking(TestParameters.marking(threshold, 0, 0));
        assertThat(leave(marking, bytes - 1)).isFalse();
        assertThat(leave(marking, bytes)).isTrue();
        assertThat(counters.marks(PORT)).isOne();
    }

    @Test
    void thresholdZeroMarksNothing() {
        assertThat(leave(marking(TestParameters.marking(0, 0, 0)), 1_000_000)).isFalse();
    }

    @Test
    void anInvalidFieldHasNoEffect() {
        SwitchCongestionSetting setting = TestParameters.marking(15, 63, 9);
        int all = TestParameters.ALL_VALID;
        FecnMarking withoutThreshold = marking(
                setting.with(SwitchCongestionSetting.CONTROL_MAP, all & ~SwitchCongestionSetting.THRESHOLD_VALID));
        assertThat(leave(withoutThreshold, BUFFER)).isFalse();
        FecnMarking withoutRate = marking(TestParameters.marking(15, 0, 9)
                .with(SwitchCongestionSetting.CONTROL_MAP, all & ~SwitchCongestionSetting.MARKING_RATE_VALID));
        assertThat(leave(withoutRate, BUFFER)).isTrue();
        assertThat(leave(withoutRate, BUFFER)).isTrue();
    }

    @Test
    void aPacketBelowPacketSizeIsNotMarked() {
        assertThat(leave(marking(TestParameters.marking(15, 32, 0)), BUFFER)).isFalse();
        assertThat(leave(marking(TestParameters.marking(15, 31, 0)), BUFFER)).isTrue();
    }

    @Test
    void aPacketToAGroupIsNotMarked() {
        FecnMarking marking = marking(TestParameters.marking(15, 0, 0));
        waitingBytes = BUFFER;
        assertThat(marking.markOnLeave(VL, PACKET, true)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, 12", "1, 6", "2, 4", "5, 2", "11, 1"})
    void markingRatePacketsAreSkippedBetweenTwoMarks(int rate, int expected) {
        FecnMarking marking = marking(TestParameters.marking(15, 0, rate));
        assertThat(IntStream.range(0, 12).filter(i -> leave(marking, BUFFER)).count())
                .isEqualTo(expected);
    }

    @Test
    void aPortVlThatWaitsForCreditsIsAVictimAndDoesNotMark() {
        FecnMarking marking = marking(TestParameters.marking(15, 0, 0));
        marking.lackCredits(0, 1 << VL);
        assertThat(leave(marking, BUFFER)).isFalse();
        assertThat(leave(marking, BUFFER)).isTrue();
    }

    @Test
    void aVictimInVictimMaskMarks() {
        SwitchCongestionSetting setting = TestParameters.marking(15, 0, 0);
        FecnMarking marking = marking(TestParameters.withVictims(setting, 5));
        marking.lackCredits(0, 1 << VL);
        assertThat(leave(marking, BUFFER)).isTrue();
        FecnMarking ofOthers = marking(TestParameters.withVictims(setting, 4, 6));
        ofOthers.lackCredits(0, 1 << VL);
        assertThat(leave(ofOthers, BUFFER)).isFalse();
    }

    @Test
    void aHostDoesNotMark() {
        FecnMarking marking = marking(TestParameters.marking(15, 0, 0));
        int channel = 16 + VL;
        waitingBytes = BUFFER;
        assertThat(marking.markOnLeave(channel, PACKET, false)).isFalse();
    }

    /** Multiplier 6, shift 1: three times the packet's time. */
    @Test
    void creditsOfAPortInCreditMaskReturnLateWhileItsPacketsWait() {
        FecnMarking marking =
                marking(TestParameters.withStarvation(TestParameters.marking(15, 0, 0), 8, 1 << 14 | 6, 5));
        waitingBytes = 7_999;
        assertThat(marking.starvationPs(1, VL, 100)).isZero();
        waitingBytes = 8_000;
        assertThat(marking.starvationPs(1, VL, 100)).isEqualTo(300);
        assertThat(marking.starvationPs(0, VL, 100)).isZero();
    }
}
