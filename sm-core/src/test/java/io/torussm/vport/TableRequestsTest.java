package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.VirtualLoop;
import io.torussm.vport.VPortManager.RoutingStart;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The times of requests for tables; each request is a run of the engine. */
class TableRequestsTest {
    private final VirtualLoop loop = new VirtualLoop();
    private int runs;
    private final TableRequests requests = new TableRequests(loop, () -> {
        runs++;
        return RoutingStart.BEGUN;
    });

    private void change() {
        requests.renew();
        requests.requestSoon(requests::request);
    }

    private void advanceMs(long ms) {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    @Test
    void aChangeAfterARestHasNoDelay() {
        change();
        advanceMs(0);
        assertThat(runs).isEqualTo(1);
    }

    @Test
    void changesWithoutEndLeadToARequestIn80Ms() {
        for (int ms = 0; ms < 1000; ms++) {
            change();
            advanceMs(1);
        }
        assertThat(runs).as("after 0, 10, 30, 70, 150, .. ms").isEqualTo(15);
        requests.end();
        advanceMs(100);
        change();
        advanceMs(0);
        assertThat(runs).isEqualTo(16);
    }

    @Test
    void changesSoonAfterARequestAreCollected() {
        change();
        advanceMs(1);
        requests.end();
        change();
        advanceMs(5);
        change();
        assertThat(runs).isEqualTo(1);
        advanceMs(4);
        assertThat(runs).isEqualTo(2);
        requests.end();
        advanceMs(1000);
        assertThat(runs).isEqualTo(2);
    }
}
