package io.torussm.perf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The totals of two counters of port 1 over wraps, clearings and fields of another width. */
class PortTotalsTest {
    private final PortTotals totals = new PortTotals(2);
    private final long[] deltas = new long[Counter.COUNT];

    private static PortReading reading(long xmitData, int dataBits, long symbolErrors, int errorBits) {
        PortReading reading = new PortReading();
        reading.set(Counter.XMIT_DATA, xmitData, dataBits);
        reading.set(Counter.SYMBOL_ERRORS, symbolErrors, errorBits);
        return reading;
    }

    private boolean read(PortReading reading) {
        return totals.add(1, reading, deltas);
    }

    private long data() {
        return totals.total(1, Counter.XMIT_DATA);
    }

    private long errors() {
        return totals.total(1, Counter.SYMBOL_ERRORS);
    }

    @Test
    void beginsWithTheCountersOfTheDevice() {
        assertThat(read(reading(5_000, 64, 7, 16))).isFalse();

        assertThat(data()).isEqualTo(5_000);
        assertThat(errors()).isEqualTo(7);
        assertThat(deltas).containsOnly(0);
        assertThat(totals.isKnown(1, Counter.RCV_DATA)).isFalse();
        assertThat(totals.isKnown(0, Counter.XMIT_DATA)).isFalse();
    }

    @Test
    void addsDifferences() {
        read(reading(5_000, 64, 7, 16));
        read(reading(6_500, 64, 9, 16));

        assertThat(data()).isEqualTo(6_500);
        assertThat(deltas[Counter.XMIT_DATA.index()]).isEqualTo(1_500);
        assertThat(deltas[Counter.SYMBOL_ERRORS.index()]).isEqualTo(2);
    }

    @Test
    void countsOnWhenAFieldRunsOver() {
        read(reading(0xFFFF_FF00L, 32, 7, 16));

        assertThat(read(reading(0x100, 32, 7, 16))).isFalse();

        assertThat(data()).isEqualTo(0x1_0000_0100L);
        assertThat(deltas[Counter.XMIT_DATA.index()]).isEqualTo(0x200);
    }

    @Test
    void aFallBesideAnErrorCounterWasAClear() {
        read(reading(0xFFFF_FF00L, 32, 7, 16));

        assertThat(read(reading(0x100, 32, 0, 16))).isTrue();

        assertThat(data()).isEqualTo(0xFFFF_FF00L + 0x100);
        assertThat(errors()).isEqualTo(7);
    }

    @Test
    void errorCountersNeverRunOver() {
        read(reading(5, 64, 0xFFF0, 16));

        assertThat(read(reading(5, 64, 3, 16))).isTrue();

        assertThat(errors()).isEqualTo(0xFFF0 + 3);
    }

    @Test
    void aCounterThatStandsStillIsCleared() {
        read(reading(0xFFFF_FFFFL, 32, 7, 16));
        assertThat(totals.isFull(1, Counter.XMIT_DATA)).isTrue();

        assertThat(read(reading(0x100, 32, 7, 16)))
                .as("it stood still, so it cannot run over")
                .isTrue();

        assertThat(data()).isEqualTo(0xFFFF_FFFFL + 0x100);
        assertThat(totals.isFull(1, Counter.XMIT_DATA)).isFalse();
    }

    @Test
    void aFallFromTheMiddleIsAClearing() {
        read(reading(0x8000_0000L, 32, 0, 16));

        assertThat(read(reading(0x100, 32, 0, 16))).isTrue();

        assertThat(data()).isEqualTo(0x8000_0000L + 0x100);
    }

    @Test
    void ownClearsLoseNoCounts() {
        read(reading(5_000, 64, 0xF000, 16));
        PortReading cleared = new PortReading();
        cleared.set(Counter.SYMBOL_ERRORS, 0xF000, 16);

        totals.onCleared(1, cleared);
        assertThat(read(reading(5_000, 64, 0xF100, 16))).isFalse();

        assertThat(errors()).as("it had counted more than before already").isEqualTo(0xF000 + 0xF100);
    }

    @Test
    void anotherFieldBeginsWhereTheOldOneEnded() {
        read(reading(5_000, 32, 7, 16));

        assertThat(read(reading(9_000_000_000L, 64, 8, 16))).isFalse();
        assertThat(data()).as("the counts between are unknown").isEqualTo(5_000);
        read(reading(9_000_000_007L, 64, 8, 16));

        assertThat(data()).isEqualTo(5_007);
    }

    @Test
    void countersOf64BitsAreUnsigned() {
        read(reading(Long.MAX_VALUE, 64, 0, 16));
        read(reading(Long.MIN_VALUE + 4, 64, 0, 16));

        assertThat(deltas[Counter.XMIT_DATA.index()]).isEqualTo(5);
    }

    @Test
    void anOperatorCountsFromZero() {
        read(reading(5_000, 64, 7, 16));
        totals.restart(1);
        read(reading(5_010, 64, 7, 16));

        assertThat(data()).isEqualTo(10);
        assertThat(errors()).isZero();
    }
}
