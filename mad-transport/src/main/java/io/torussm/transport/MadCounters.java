package io.torussm.transport;

import java.util.concurrent.atomic.LongAdder;

/** The counters of a client; see {@link MadClient.Stats}. Any thread. */
final class MadCounters {
    final LongAdder sent = new LongAdder();
    final LongAdder smps = new LongAdder();
    final LongAdder replies = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder timeouts = new LongAdder();
    final LongAdder late = new LongAdder();
    final LongAdder unsolicited = new LongAdder();
    final LongAdder malformed = new LongAdder();
    final LongAdder overflow = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder undelivered = new LongAdder();
    final LongAdder failures = new LongAdder();
    final SmpCounts smpCounts = new SmpCounts();

    /** False while the port is absent. MADs that are refused meanwhile are not counted. */
    volatile boolean isPortUsable = true;

    /** Counts a MAD that the transport accepted or not. */
    void countSend(boolean isSent) {
        if (isSent) {
            sent.increment();
        } else if (isPortUsable) {
            refused.increment();
        }
    }

    MadClient.Stats stats(WireWindow window) {
        return new MadClient.Stats(
                sent.sum(),
                smps.sum(),
                replies.sum(),
                retries.sum(),
                timeouts.sum(),
                late.sum(),
                unsolicited.sum(),
                malformed.sum(),
                overflow.sum(),
                refused.sum(),
                undelivered.sum(),
                failures.sum(),
                window.size(),
                window.halvings());
    }
}
