package io.torussm.daemon;

import java.util.Arrays;

/** The counts of events in a siege, or in many. */
final class SiegeTally implements Tally<SiegeTally> {
    /** Maximum wait of a client, or the siege fails. */
    private static final int MAX_MS = 1000;

    private long sent;
    private long answered;
    private final long[] waits = new long[MAX_MS];

    /** Adds the MADs of an adversary. */
    void addAttack(long newSent, long newAnswered) {
        sent += newSent;
        answered += newAnswered;
    }

    /** Adds the time until an honest client had its answer, in ms. */
    void addWait(int ms) {
        waits[Math.min(ms, MAX_MS - 1)]++;
    }

    @Override
    public void add(SiegeTally other) {
        sent += other.sent;
        answered += other.answered;
        Arrays.setAll(waits, ms -> waits[ms] + other.waits[ms]);
    }

    /** Returns the time within which a share, 0 to 1, of the honest clients' answers came, in ms. */
    int percentile(double share) {
        long left = (long) Math.ceil(share * Arrays.stream(waits).sum());
        int ms = 0;
        while (ms < MAX_MS - 1 && left > waits[ms]) {
            left -= waits[ms++];
        }
        return ms;
    }

    @Override
    public String toString() {
        return String.format(
                "%d MADs of adversaries, %d answers to them; %d answers to honest clients, after %d ms (p50), %d ms (p99),"
                        + " %d ms at most, of the embedded fabric's time",
                sent, answered, Arrays.stream(waits).sum(), percentile(0.5), percentile(0.99), percentile(1));
    }
}
