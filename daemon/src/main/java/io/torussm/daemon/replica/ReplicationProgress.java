package io.torussm.daemon.replica;

import io.torussm.transport.Loop;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The last copies of state files that were sent and stored. Thread-safe. */
final class ReplicationProgress {
    private final Loop clock;
    private volatile @Nullable Copied lastSent;
    private volatile @Nullable Copied lastTaken;

    /**
     * A copy.
     *
     * @param text name and version of the file; with the peer if the copy was received
     * @param atNs time of the transfer on the clock
     */
    private record Copied(String text, long atNs) {}

    ReplicationProgress(Loop clock) {
        this.clock = clock;
    }

    /**
     * Notes a copy that was sent.
     *
     * @param text name and version of the file
     */
    void sent(String text) {
        lastSent = new Copied(text, clock.nowNs());
    }

    /**
     * Notes a received copy that was stored.
     *
     * @param text name and version of the file, and the peer
     */
    void taken(String text) {
        lastTaken = new Copied(text, clock.nowNs());
    }

    /** Returns the text of the last received copy that was stored; empty for none. */
    Optional<String> lastTaken() {
        return Optional.ofNullable(lastTaken).map(Copied::text);
    }

    Replication.Progress of(List<String> peers, long waitNs) {
        return new Replication.Progress(peers, transfer(lastSent), transfer(lastTaken), waitNs);
    }

    private Replication.@Nullable Transfer transfer(@Nullable Copied last) {
        return last == null ? null : new Replication.Transfer(last.text(), clock.nowNs() - last.atNs());
    }
}
