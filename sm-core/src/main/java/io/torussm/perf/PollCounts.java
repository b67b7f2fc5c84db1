package io.torussm.perf;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The counters of the reading, see {@link PollStatistics}. The loop writes; any thread may read. */
final class PollCounts {
    private long turns;
    private long late;
    private long mads;
    private long unanswered;
    private long clearings;
    private long lastNs;
    private @Nullable Instant lastAt;
    private int agents;
    private int ports;
    private int silent;

    synchronized void countRequest() {
        mads++;
    }

    synchronized void countUnanswered() {
        unanswered++;
    }

    synchronized void countClearing() {
        clearings++;
    }

    synchronized void countLate() {
        late++;
    }

    synchronized void countTurn(long tookNs, Instant at) {
        turns++;
        lastNs = tookNs;
        lastAt = at;
    }

    synchronized void setAgents(int all, int theirPorts, int silentOnes) {
        agents = all;
        ports = theirPorts;
        silent = silentOnes;
    }

    synchronized PollStatistics statistics() {
        return new PollStatistics(turns, late, mads, unanswered, clearings, lastNs, lastAt, agents, ports, silent);
    }
}
