package io.torussm.daemon.replica;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The terms of this SM as master, and the versions that it gives to its files. A mastership begins one term, and
 * another one for each peer that turns out to be as far. Owner thread: the loop of the SM.
 */
final class OwnTerms {
    /** Terms of one mastership that are remembered. */
    private static final int MAX_TERMS = 1024;

    /** The terms of this mastership. */
    private final Set<Long> terms = new LinkedHashSet<>();

    private long term;
    private long number;

    /** The highest term of any peer. */
    private long heardTerm;

    /** Handles the term of a peer. */
    void heard(long peerTerm) {
        heardTerm = Math.max(heardTerm, peerTerm);
    }

    /** Begins a mastership, with a term above that of its files and those of all peers. */
    void beginMastership(FileVersion newest) {
        terms.clear();
        begin(Math.max(newest.term(), heardTerm));
    }

    /** Begins another term, above one. */
    void begin(long after) {
        term = Math.min(after + 1, FileVersion.MAX);
        number = 0;
        terms.add(term);
        if (terms.size() > MAX_TERMS) {
            terms.remove(terms.iterator().next());
        }
    }

    /** Returns the present term; 0 before the first. */
    long term() {
        return term;
    }

    /** Checks whether a term is one of this mastership. */
    boolean isOwn(long other) {
        return terms.contains(other);
    }

    /** Returns the last version that was given. */
    FileVersion last() {
        return new FileVersion(term, number);
    }

    /** Returns the version of another changed file. */
    FileVersion next() {
        return new FileVersion(term, ++number);
    }
}
