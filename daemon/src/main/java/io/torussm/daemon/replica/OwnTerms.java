package io.torussm.daemon.replica;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The terms of the masterships of this SM, and the versions of the files that it writes as master. A mastership begins
 * with a new term. If a peer reports an equal or higher term, the mastership continues with another new term. A peer
 * may still have a copy of an earlier term of the mastership; {@link #isOwn} keeps this copy from being merged as that
 * of another master. Owner thread: {@code sm}.
 */
final class OwnTerms {
    /**
     * Max number of stored terms of a mastership, a bound for a peer that reports ever higher terms. A copy of a term
     * that was dropped counts as that of another master.
     */
    private static final int MAX_TERMS = 1024;

    /** Terms of the current mastership, or of the last one. */
    private final Set<Long> terms = new LinkedHashSet<>();

    /** Current term; 0 before the first mastership. */
    private long term;

    /** Number of the last version in the current term; 0 before the first version. */
    private long number;

    /** Highest term that a peer has reported. */
    private long maxPeerTerm;

    /** Records a term that a peer has reported. The next mastership begins with a higher one. */
    void recordPeerTerm(long peerTerm) {
        maxPeerTerm = Math.max(maxPeerTerm, peerTerm);
    }

    /**
     * Begins a mastership. Its term is higher than the terms of the files and of all peers.
     *
     * @param newestTerm highest term of a file of this SM
     */
    void beginMastership(long newestTerm) {
        terms.clear();
        beginTerm(Math.max(newestTerm, maxPeerTerm));
    }

    /**
     * Begins a new term of the mastership.
     *
     * @param after highest known term, not below that of this mastership. The new term is the next one. It stays below
     *     {@link FileVersion#MAX}, because a term that is far ahead of the known ones is refused
     */
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

    /** Checks whether a term is one of the current mastership. */
    boolean isOwn(long candidate) {
        return terms.contains(candidate);
    }

    /** Returns the last version that {@link #assignVersion} has assigned. */
    FileVersion lastVersion() {
        return new FileVersion(term, number);
    }

    /** Assigns the version of another changed file. */
    FileVersion assignVersion() {
        return new FileVersion(term, ++number);
    }
}
