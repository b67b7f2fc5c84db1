package io.torussm.daemon.replica;

import io.torussm.transport.Loop;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The last copies of state files that were sent and taken. Written on the loop of the SM; read by any thread. */
public final class ReplicationProgress {
    private final Loop clock;
    private volatile @Nullable Copied lastSent;
    private volatile @Nullable Copied lastTaken;

    private record Copied(String text, long atNs) {}

    /**
     * The progress of the replication.
     *
     * @param peers that are connected, by address
     * @param sent the last copy that was sent; null if none was
     * @param taken the last copy that was received; null if none was
     * @param waitNs nanoseconds until the time-out of a wait for peers; 0 if this SM does not wait
     */
    public record Progress(
            List<String> peers,
            @Nullable Transfer sent,
            @Nullable Transfer taken,
            long waitNs) {
        public Progress {
            peers = List.copyOf(peers);
        }
    }

    /**
     * A copy of a state file.
     *
     * @param what its name and version, and the sender of a received copy
     * @param ageNs nanoseconds since then
     */
    public record Transfer(String what, long ageNs) {}

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
     * Notes a copy that was taken.
     *
     * @param text name and version of the file, and the peer
     */
    void taken(String text) {
        lastTaken = new Copied(text, clock.nowNs());
    }

    /** Returns the text of the last copy that was taken. */
    Optional<String> lastTaken() {
        return Optional.ofNullable(lastTaken).map(Copied::text);
    }

    Progress of(List<String> peers, long waitNs) {
        return new Progress(peers, transfer(lastSent), transfer(lastTaken), waitNs);
    }

    private @Nullable Transfer transfer(@Nullable Copied last) {
        return last == null ? null : new Transfer(last.text(), clock.nowNs() - last.atNs());
    }
}
