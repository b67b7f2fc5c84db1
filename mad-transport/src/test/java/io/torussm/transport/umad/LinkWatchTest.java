package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The times of the checks of the watch, and its reports. */
class LinkWatchTest {
    private final FakeUmad umad = new FakeUmad();
    private final List<String> reports = new ArrayList<>();
    private long nowNs = -TimeUnit.MILLISECONDS.toNanos(700); // the system's clock may be anything
    private final OwnLink link = new OwnLink(FakeUmad.PORT);
    private final LinkWatch watch = new LinkWatch(umad, FakeUmad.PORT, link, () -> nowNs);

    private final MadTransport.Receiver receiver = new MadTransport.Receiver() {
        @Override
        public void received(MadFrame frame) {
            throw new AssertionError("nothing is received here");
        }

        @Override
        public void transportFailed(String reason) {
            reports.add(reason);
        }

        @Override
        public void portChanged(boolean isUsable, String reason) {
            reports.add(isUsable + " " + reason);
        }
    };

    /** Lets time pass. The receiving thread looks in after each MAD, and at least each tenth of a second. */
    private void passMs(long ms) {
        for (long passed = 0; passed < ms; passed += 100) {
            nowNs += TimeUnit.MILLISECONDS.toNanos(100);
            watch.checkLink(receiver);
        }
    }

    @Test
    void aLossIsDetectedWithinASecondAndReportedOnce() {
        umad.setPortState(1);
        passMs(900);
        assertThat(reports).containsExactly("false mlx5_0 port 1 has no link");
        passMs(10_000);
        assertThat(reports).hasSize(1);
        umad.setPortState(2);
        passMs(900);
        assertThat(reports).hasSize(2).last().isEqualTo("true ");
        umad.setPortState(4);
        passMs(10_000);
        assertThat(reports).hasSize(2);
    }

    @Test
    void aLossOfOneDeviceEndsWithTheLinkOfTheNext() {
        umad.setPortState(1);
        passMs(900);
        assertThat(link.isLost()).isTrue();
        PortDescription back = new PortDescription("mlx5_1", 1, FakeUmad.PORT.portGuid(), 0, 2, "InfiniBand");
        LinkWatch next = new LinkWatch(umad, back, link, () -> nowNs);
        umad.setPortState(2);
        nowNs += TimeUnit.SECONDS.toNanos(1);
        next.checkLink(receiver);
        assertThat(link.isLost()).isFalse();
        assertThat(reports).as("reported by the port that was opened again").hasSize(1);
    }

    @Test
    void unreadableCountersAreNoLoss() {
        umad.setPortState(0);
        passMs(10_000);
        assertThat(reports).isEmpty();
    }

    @Test
    void aPortThatIsOpenedWithoutALinkIsReportedWhenItHasOne() {
        PortDescription down = new PortDescription("mlx5_0", 1, 1, 0, 1, "InfiniBand");
        LinkWatch early = new LinkWatch(umad, down, new OwnLink(down), () -> nowNs);
        umad.setPortState(2);
        nowNs += TimeUnit.SECONDS.toNanos(1);
        early.checkLink(receiver);
        assertThat(reports).containsExactly("true ");
    }
}
