package io.torussm.program;

import io.torussm.transport.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What went wrong while writing to the fabric: everything is counted, the first few are told. Trouble with a switch is
 * grave, because paths of others lead through it; a host that does not answer only harms itself.
 */
public final class ProgrammingErrors {
    private static final int TOLD = 10;

    /** Requests in a row that a device may leave without an answer; each has been repeated before it counts. */
    private static final int PATIENCE = 3;

    private final List<String> told = new ArrayList<>();
    private final Map<Integer, Integer> unanswered = new HashMap<>();
    private int count;
    private int grave;

    void report(boolean isGrave, String what) {
        count++;
        grave += isGrave ? 1 : 0;
        if (told.size() < TOLD) {
            told.add(what);
        }
    }

    /** A device answered, or did not. Once it is given up no answer counts: it may have restarted in the meantime. */
    public void heard(int node, Outcome<?> outcome) {
        if (hasGivenUp(node)) {
            return;
        }
        if (outcome instanceof Outcome.Failure<?> failure && failure.kind() == Outcome.Kind.TIMEOUT) {
            unanswered.merge(node, 1, Integer::sum);
        } else {
            unanswered.remove(node);
        }
    }

    /** Whether the last request to a device is the first that it left without an answer. */
    boolean isNewlySilent(int node) {
        return unanswered.getOrDefault(node, 0) == 1;
    }

    /** Whether nobody should wait for a device any more in this sweep. */
    public boolean hasGivenUp(int node) {
        return unanswered.getOrDefault(node, 0) >= PATIENCE;
    }

    public int count() {
        return count;
    }

    public int graveCount() {
        return grave;
    }

    public List<String> told() {
        return List.copyOf(told);
    }
}
