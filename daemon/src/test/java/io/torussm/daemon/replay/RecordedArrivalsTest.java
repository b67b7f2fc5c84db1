package io.torussm.daemon.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.VirtualLoop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which recorded MADs arrive in a replay: that of the recording, also within one nanosecond. */
class RecordedArrivalsTest {
    private final VirtualLoop clock = new VirtualLoop();
    private final List<String> arrived = new ArrayList<>();
    private final RecordedArrivals arrivals =
            new RecordedArrivals(clock, frame -> arrived.add(clock.nowNs() + ": " + frame.mad()[0]));

    @Test
    void madsOfOneNanosecondArriveInTheOrderOfTheRecording() {
        schedule(300, 5);
        schedule(200, 4);
        schedule(200, 2);
        clock.runFor(50);
        schedule(150, 3);
        schedule(-10, 1);
        clock.runFor(1_000);
        assertThat(arrived).containsExactly("50: 1", "200: 2", "200: 3", "200: 4", "300: 5");
    }

    /** Schedules the arrival of a MAD whose only byte is its number. */
    private void schedule(long delayNs, int number) {
        arrivals.schedule(delayNs, number, new MadFrame(MadAddress.DIRECTED, new byte[] {(byte) number}));
    }
}
