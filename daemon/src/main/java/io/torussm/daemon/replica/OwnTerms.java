package io.torussm.daemon.replica;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The terms of the masterships of this SM, and the versions of the files that it writes as master. A mastership begins
 * with a new term. If a peer reports an equal or higher term, the mastership continues with another new term. Owner
 * thread: {@code sm}.
 */
final class OwnTerms {
    /** Max number of stored terms of a mastership. */
    private static final int MAX_TERMS = 1024;

    /** Terms of the current mastership, or of the last one. */
    private final Set<Long> terms = new LinkedHashSet<>();

    /** Current term; 0 before the first mastership. */
    private long term;

    /** Number of the last version in the current term; 0 before the first version. */
    private long number;

    /** Highest term that a peer has reported. */
    private long maxPeerTerm;

    /** Handles a term that a peer has reported. */
    void observePeerTerm(long peerTerm) {
        maxPeerTerm = Math.max(maxPeerTerm, peerTerm);
    }

    /**
     * Begins a mastership. Its term is higher than the terms of the files and of all peers.
     *
     * @param newest newest version of a file of this SM
     */
    void beginMastership(FileVersion newest) {
        terms.clear();
        beginTerm(Math.max(newest.term(), maxPeerTerm));
    }

    /** Begins a new term of the mastership, which is higher than {@code after}. */
    void beginTerm(long after) {
        term = Math.min(after + 1, FileVersion.MAX);
        number = 0;
        terms.add(term);
        if (terms.size() > MAX_TERMS) {
            terms.remove(terms.iterator().next());
        }
    }

    /** Returns the current term; 0 before the first mastership. */
    long term() {
        return term;
    }

    /** Returns whether a term is one of the current mastership. */
    boolean isOwn(long other) {
        return terms.contains(other);
    }

    /** Returns the last version that {@link #next} has assigned. */
    FileVersion last() {
        return new FileVersion(term, number);
    }

    /** Assigns the version of another changed file. */
    FileVersion next() {
        return new FileVersion(term, ++number);
    }
}
