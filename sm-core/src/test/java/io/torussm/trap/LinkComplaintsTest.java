package io.torussm.trap;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.NodePort;
import io.torussm.trap.LinkComplaints.TrapLevel;
import io.torussm.trap.LinkComplaints.Unhealthy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Traps about one port, 129 (link integrity) or 130, counted in rows with pauses of at most 5 s. */
class LinkComplaintsTest {
    private static final NodePort PORT = new NodePort(0x10, 3);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long nowNs = -1000 * SECOND;
    private final LinkComplaints complaints = new LinkComplaints(() -> nowNs);

    private List<TrapLevel> complain(int times, long pauseNs) {
        List<TrapLevel> news = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            news.add(complaints.onTrap(PORT, 129));
            nowNs += pauseNs;
        }
        return news;
    }

    @Test
    void reportsTheFirstAndTheTenthInARowAndMarksThePortUnhealthy() {
        List<TrapLevel> news = complain(12, SECOND);
        assertThat(news.get(0)).isEqualTo(TrapLevel.FIRST);
        assertThat(news.subList(1, 9)).containsOnly(TrapLevel.MORE);
        assertThat(news.get(9)).isEqualTo(TrapLevel.UNHEALTHY);
        assertThat(news.subList(10, 12)).containsOnly(TrapLevel.STILL);
        assertThat(complaints.unhealthy()).containsExactly(new Unhealthy(PORT, 12, 0, 0));
    }

    @Test
    void rareComplaintsMakeNoPortUnhealthy() {
        assertThat(complain(50, LinkComplaints.MAX_ROW_PAUSE_NS + 1).subList(1, 50))
                .containsOnly(TrapLevel.MORE);
        assertThat(complaints.unhealthy()).isEmpty();
        nowNs += LinkComplaints.FORGET_NS;
        assertThat(complaints.onTrap(PORT, 130)).isEqualTo(TrapLevel.FIRST);
    }

    @Test
    void aPortThatKeepsQuietIsWellAgain() {
        complain(10, SECOND);
        nowNs += LinkComplaints.UNHEALTHY_NS - 2 * SECOND;
        assertThat(complaints.unhealthy()).hasSize(1);
        nowNs += 2 * SECOND;
        assertThat(complaints.unhealthy()).isEmpty();
        assertThat(complain(10, SECOND)).endsWith(TrapLevel.UNHEALTHY);
        assertThat(complaints.unhealthy()).hasSize(1);
    }

    @Test
    void aBabblerIsFoundOnceInARow() {
        List<TrapLevel> news = complain(300, SECOND);
        assertThat(news.get(LinkComplaints.BABBLING_TRAPS - 1)).isEqualTo(TrapLevel.BABBLING);
        assertThat(news).containsOnlyOnce(TrapLevel.BABBLING);
    }

    @Test
    void countsEachKind() {
        complain(10, 0);
        complaints.onTrap(PORT, 130);
        complaints.onTrap(PORT, 131);
        complaints.onTrap(PORT, 131);
        assertThat(complaints.unhealthy()).containsExactly(new Unhealthy(PORT, 10, 1, 2));
    }

    @Test
    void remembersNoMoreThanItsLimit() {
        complain(10, 0);
        for (int i = 0; i < LinkComplaints.MAX_PORTS; i++) {
            complaints.onTrap(new NodePort(1000 + i, 1), 131);
        }
        assertThat(complaints.size()).isEqualTo(LinkComplaints.MAX_PORTS);
        assertThat(complaints.unhealthy()).as("forgotten with the rest").isEmpty();
    }
}
