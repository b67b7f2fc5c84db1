package io.torussm.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.torussm.mad.smp.LinkSpeed;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Rates, samples and faults of a device with ports 0 to 4, which keeps 3 samples of each. Port 2 is read, once a second
 * by default.
 */
class DeviceCountersTest {
    private static final LinkCapacity QDR = new LinkCapacity(LinkSpeed.QDR, 40e9, 32e9);
    private static final LinkCapacity EDR = new LinkCapacity(LinkSpeed.EDR, 103.125e9, 100e9);

    private final DeviceCounters device = new DeviceCounters(4, 3);
    private final PortReading reading = new PortReading();
    private long second;

    private PortStatistics now() {
        return Objects.requireNonNull(device.counters(2));
    }

    private void read(LinkCapacity link) {
        device.add(2, reading, TimeUnit.SECONDS.toNanos(second), 1000 * second, link);
        second++;
    }

    private void read(Counter counter, long value) {
        reading.set(counter, value, 64);
        read(QDR);
    }

    @Test
    void ratesAreOfTheTimeBetweenTwoReadings() {
        reading.set(Counter.XMIT_PACKETS, 0, 64);
        read(Counter.XMIT_DATA, 0);
        second++;
        reading.set(Counter.XMIT_PACKETS, 50, 64);
        read(Counter.XMIT_DATA, 1_000);

        PortStatistics now = now();
        assertThat(now.xmitBytesPerSecond()).isEqualTo(2_000);
        assertThat(now.xmitPacketsPerSecond()).isEqualTo(25);
        assertThat(now.at().getEpochSecond()).isEqualTo(2);
        assertThat(device.counters(1)).isNull();
    }

    @Test
    void waitingForCreditsIsAShareOfTheTime() {
        read(Counter.XMIT_WAIT, 0);
        read(Counter.XMIT_WAIT, 250_000_000); // of 1e9 units a second, each the time of four octets
        assertThat(now().xmitWaitShare()).isEqualTo(0.25, within(1e-6));

        read(Counter.XMIT_WAIT, 9_250_000_000L);
        assertThat(now().xmitWaitShare()).isEqualTo(1);
    }

    @Test
    void keepsTheLastSamplesOldestFirst() {
        for (int i = 0; i <= 7; i++) {
            read(Counter.LINK_DOWNED, (long) i * i);
        }

        List<PortSample> samples = device.samples(2);
        assertThat(samples).extracting(PortSample::errors).containsExactly(9L, 11L, 13L);
        assertThat(samples).extracting(sample -> sample.at().getEpochSecond()).containsExactly(5L, 6L, 7L);
        assertThat(device.samples(1)).isEmpty();
    }

    @Test
    void oneErrorIsOneAnHourNotThousands() {
        read(Counter.LINK_DOWNED, 0);
        read(Counter.LINK_DOWNED, 1);

        assertThat(now().errorsPerHour()).isEqualTo(1, within(1e-3));
        second += 3 * 3600;
        read(Counter.LINK_DOWNED, 1);
        assertThat(now().errorsPerHour()).isEqualTo(Math.exp(-3), within(1e-3));
    }

    @Test
    void aSteadyRateIsExact() {
        for (int i = 0; i < 6 * 60; i++) {
            read(Counter.RCV_ERRORS, 2L * i);
            second += 59;
        }

        assertThat(now().errorsPerHour()).isEqualTo(120, within(2.0));
    }

    @Test
    void reportsRatesOverTheirLimit() {
        reading.set(Counter.LINK_DOWNED, 0, 8);
        read(Counter.XMIT_DISCARDS, 0);
        reading.set(Counter.LINK_DOWNED, 9, 8);
        read(Counter.XMIT_DISCARDS, 150);

        assertThat(device.faults(2, Thresholds.STANDARD, QDR, 1))
                .extracting(PortFault::counter)
                .as("the gravest first")
                .containsExactly(Counter.LINK_DOWNED, Counter.XMIT_DISCARDS);
        assertThat(device.faults(2, Thresholds.parse("LinkDownedCounter=20, portxmitdiscards=0"), QDR, 1))
                .isEmpty();
        assertThat(device.faults(1, Thresholds.STANDARD, QDR, 1)).isEmpty();
        assertThat(device.faults(2, Thresholds.parse("LinkDownedCounter=12,PortXmitDiscards=0"), QDR, 0.5))
                .as("more than half of a limit")
                .hasSize(1);
    }

    @Test
    void symbolErrorsAreMeasuredByTheSpeedOfTheLink() {
        read(Counter.SYMBOL_ERRORS, 0);
        read(Counter.SYMBOL_ERRORS, 100);

        assertThat(device.faults(2, Thresholds.STANDARD, QDR, 1))
                .as("10^-12 of 40 Gb/s are 144 an hour")
                .isEmpty();
        assertThat(device.faults(2, Thresholds.STANDARD, EDR, 1)).hasSize(1);
        assertThat(device.faults(2, Thresholds.STANDARD, null, 1))
                .as("no link: the speed that it had")
                .isEmpty();
        assertThat(device.faults(2, Thresholds.parse("SymbolErrorCounter=50"), QDR, 1))
                .hasSize(1);

        read(Counter.SYMBOL_ERRORS, 250);
        assertThat(device.faults(2, Thresholds.STANDARD, QDR, 1)).hasSize(1);
    }

    @Test
    void congestionIsOfMinutesNotOfAMoment() {
        read(Counter.XMIT_WAIT, 0);
        read(Counter.XMIT_WAIT, 900_000_000L);
        assertThat(device.faults(2, Thresholds.STANDARD, QDR, 1)).isEmpty();

        for (int i = 2; i < 60; i++) {
            read(Counter.XMIT_WAIT, i * 900_000_000L);
        }

        assertThat(device.faults(2, Thresholds.STANDARD, QDR, 1))
                .singleElement()
                .satisfies(fault -> {
                    assertThat(fault.isCongestion()).isTrue();
                    assertThat(fault.value()).isBetween(0.5, 0.9);
                });
        assertThat(device.faults(2, Thresholds.STANDARD.withWaitShare(0), QDR, 1))
                .isEmpty();
    }

    @Test
    void relayErrorsAndDroppedSmpsAreNoSignsOfABadLink() {
        reading.set(Counter.VL15_DROPPED, 0, 16);
        read(Counter.RCV_SWITCH_RELAY_ERRORS, 0);
        reading.set(Counter.VL15_DROPPED, 500, 16);
        read(Counter.RCV_SWITCH_RELAY_ERRORS, 10_000);

        assertThat(now().errorsPerHour()).isZero();
        assertThat(device.faults(2, Thresholds.STANDARD, QDR, 1)).isEmpty();
    }
}
