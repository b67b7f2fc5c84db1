package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.port.ForwardingTransport;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A switch with late answers; with the usual time-out and retries. */
class SlowDeviceTest {
    private static final String SLOW = "sw-1-1-0";
    private static final int WINDOW = 4;

    /**
     * The requests to read and write the switch, 93, and a few repeated ones from before it was known to be
     * slow.
     */
    private static final int MAX_REQUESTS = 120;

    private final SweepHarness harness = new SweepHarness("torus:4x4x1");
    private int requests;

    /** Between the SM and the fabric: queues requests to one switch. */
    private final class SlowAgent extends ForwardingTransport {
        private final long guid = BadDeviceTest.guid(harness, SLOW);
        private final long serviceNs;
        private final boolean isSerial;
        private long freeNs;

        SlowAgent(MadTransport port, int serviceMs, boolean isSerial) {
            super(port);
            this.serviceNs = TimeUnit.MILLISECONDS.toNanos(serviceMs);
            this.isSerial = isSerial;
        }

        @Override
        public boolean send(MadFrame frame, int responseTimeoutMs) {
            byte[] mad = frame.mad();
            boolean isRequest = MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE && !MadHeader.isResponse(mad);
            if (!isRequest || BadDeviceTest.endOf(harness, mad) != guid) {
                return super.send(frame, responseTimeoutMs);
            }
            requests++;
            long nowNs = harness.loop.nowNs();
            freeNs = serviceNs + (isSerial ? Math.max(freeNs, nowNs) : nowNs);
            harness.loop.schedule(freeNs - nowNs, () -> super.send(frame, responseTimeoutMs));
            return true;
        }
    }

    /** Returns the time from start to idle, in milliseconds. */
    private long firstSubnet(int serviceMs, boolean isSerial) {
        harness.mads = new MadClient.Settings(64, WINDOW, 200, 3);
        harness.wire = port -> new SlowAgent(port, serviceMs, isSerial);
        harness.restart();
        long begunNs = harness.loop.nowNs();
        assertThat(harness.sweep()).isEqualTo("up");
        harness.awaitRest();
        assertThat(harness.ends).containsExactly("up");
        assertThat(harness.publishedView().subnet().fabric().switchCount()).isEqualTo(16);
        return TimeUnit.NANOSECONDS.toMillis(harness.loop.nowNs() - begunNs);
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 100, 150, 200})
    void whoServesOneRequestAfterTheOtherIsNotAskedAgainForWhatItIsAboutToAnswer(int serviceMs) {
        long tookMs = firstSubnet(serviceMs, true);
        assertThat(requests).isLessThanOrEqualTo(MAX_REQUESTS);
        assertThat(tookMs).isLessThanOrEqualTo((long) MAX_REQUESTS * serviceMs);
    }

    /** Here the usual number of requests is pending simultaneously. */
    @ParameterizedTest
    @CsvSource({"5, 140", "50, 1400", "190, 5320", "210, 5880", "300, 8400"})
    void whoServesAnyNumberAtOnceIsNotHeldUp(int serviceMs, long mostMs) {
        assertThat(firstSubnet(serviceMs, false)).isLessThanOrEqualTo(mostMs);
        assertThat(requests).isLessThanOrEqualTo(MAX_REQUESTS);
    }
}
