package io.torussm.daemon.replica;

import io.torussm.transport.Loop;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The last copies of state files that were sent and stored. Thread-safe. */
final class ReplicationProgress {
    private final Loop clock;
    private volatile @Nullable LastCopy lastSent;
    private volatile @Nullable LastCopy lastReceived;

    /**
     * A copy.
     *
     * @param text name and version of the file; with the peer if the copy was received
     * @param atNs time of the transfer on the clock
     */
    private record LastCopy(String text, long atNs) {}

    ReplicationProgress(Loop clock) {
        this.clock = clock;
    }

    /**
     * Notes a copy that was sent.
     *
     * @param text name and version of the file
     */
    void recordSent(String text) {
        lastSent = new LastCopy(text, clock.nowNs());
    }

    /**
     * Notes a received copy that was stored.
     *
     * @param text name and version of the file, and the peer
     */
    void recordReceived(String text) {
        lastReceived = new LastCopy(text, clock.nowNs());
    }

    /** Returns the text of the last received copy that was stored; empty for none. */
    Optional<String> lastReceived() {
        return Optional.ofNullable(lastReceived).map(LastCopy::text);
    }

    Replication.Progress of(List<String> peers, long waitNs) {
        return new Replication.Progress(peers, transfer(lastSent), transfer(lastReceived), waitNs);
    }

    private Replication.@Nullable Transfer transfer(@Nullable LastCopy last) {
        return last == null ? null : new Replication.Transfer(last.text(), clock.nowNs() - last.atNs());
    }
}
