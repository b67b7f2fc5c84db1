package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.vport.VisitQueue.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The order of visits to ports with virtual ports. At most 4 ports are visited at the same time. */
class VisitQueueTest {
    private static final VisitStart PART = new VisitStart(7, false, "", false);

    private final VisitQueue queue = new VisitQueue(4);

    private List<Long> begin() {
        List<Long> ports = new ArrayList<>();
        while (queue.hasNext()) {
            ports.add(queue.next());
        }
        return ports;
    }

    private void end(boolean isSilent, long... ports) {
        LongStream.of(ports).forEach(port -> queue.end(port, null, isSilent));
    }

    @Test
    void slowPortsGetEverySecondVisitAndHalfOfAll() {
        LongStream.rangeClosed(1, 4).forEach(queue::add);
        assertThat(begin()).containsExactly(1L, 2L, 3L, 4L);
        end(true, 1, 2, 3, 4);
        LongStream.rangeClosed(1, 8).forEach(queue::add);
        assertThat(begin()).containsExactly(1L, 5L, 2L, 6L);
        end(false, 5, 6);
        assertThat(begin()).as("others only, as half of all are slow").containsExactly(7L, 8L);
        end(false, 7, 8, 1, 2);
        assertThat(begin()).containsExactly(3L, 4L);
    }

    @Test
    void aPortThatRespondsAgainIsNotSlow() {
        queue.add(1);
        begin();
        end(true, 1);
        queue.add(1);
        begin();
        end(false, 1);
        LongStream.rangeClosed(1, 3).forEach(queue::add);
        assertThat(begin()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aVisitThatWasNotWholeIsContinued() {
        queue.add(1);
        begin();
        assertThat(queue.startOf(1)).isEqualTo(VisitStart.WHOLE_PORT);
        assertThat(queue.end(1, PART, false)).isEqualTo(Verdict.FINAL);
        assertThat(begin()).containsExactly(1L);
        assertThat(queue.startOf(1)).isEqualTo(PART);
        queue.end(1, null, false);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.startOf(1)).isEqualTo(VisitStart.WHOLE_PORT);
    }

    @Test
    void aRequestDuringSuchAVisitLeadsToAnother() {
        queue.add(1);
        begin();
        queue.add(1);
        assertThat(queue.end(1, PART, false)).isEqualTo(Verdict.POSTPONED);
        assertThat(queue.startOf(1).isOutdated()).isTrue();
        queue.remove(1);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void requestsDuringEachVisitDoNotPreventAVerdict() {
        List<Verdict> verdicts = new ArrayList<>();
        queue.add(1);
        for (int visit = 0; visit < 8; visit++) {
            begin();
            queue.add(1);
            verdicts.add(queue.end(1, null, false));
        }
        assertThat(verdicts)
                .containsExactly(
                        Verdict.POSTPONED,
                        Verdict.POSTPONED,
                        Verdict.POSTPONED,
                        Verdict.FINAL,
                        Verdict.POSTPONED,
                        Verdict.POSTPONED,
                        Verdict.POSTPONED,
                        Verdict.FINAL);
    }
}
