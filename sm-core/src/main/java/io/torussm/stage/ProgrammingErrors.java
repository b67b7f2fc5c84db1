package io.torussm.stage;

import io.torussm.event.DeviceText;
import io.torussm.transport.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What went wrong while writing to the fabric: everything is counted, the first few are described. An error at a switch is
 * grave, because paths of others lead through it; a host that does not answer only harms itself. Owner thread: the loop.
 */
public final class ProgrammingErrors {
    private static final int MAX_DESCRIBED = 10;

    /** Requests in a row that a device may leave without an answer; each has been repeated before it counts. */
    private static final int PATIENCE = 3;

    private final List<DeviceText> described = new ArrayList<>();
    private final Map<Integer, Integer> unanswered = new HashMap<>();
    private int count;
    private int grave;

    /** Notes an error, in words as {@link DeviceText#of} takes them. */
    public void report(boolean isGrave, Object... what) {
        count++;
        grave += isGrave ? 1 : 0;
        if (described.size() < MAX_DESCRIBED) {
            described.add(DeviceText.of(what));
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
    public boolean isNewlySilent(int node) {
        return unanswered.getOrDefault(node, 0) == 1;
    }

    /** Whether no more requests should be sent to a device in this sweep. */
    public boolean hasGivenUp(int node) {
        return unanswered.getOrDefault(node, 0) >= PATIENCE;
    }

    /** Errors so far. */
    public int count() {
        return count;
    }

    /** Errors at switches so far. */
    public int graveCount() {
        return grave;
    }

    /** The first few errors, in words. */
    public List<DeviceText> described() {
        return List.copyOf(described);
    }
}
