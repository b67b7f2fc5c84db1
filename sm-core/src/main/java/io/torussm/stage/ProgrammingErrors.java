package io.torussm.stage;

import io.torussm.event.DeviceText;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The errors of writing to the fabric: all are counted, the first few are described. Devices and ports are
 * identified by their indexes in the fabric that is being written.
 *
 * <p>Most errors harm only the device, and delay nothing. The proof of the routes relies on forwarding and
 * SL2VL tables. A switch whose tables are not in place is a hindrance, and nothing is published while there
 * is one.
 *
 * <p>Owner thread: the loop.
 */
public final class ProgrammingErrors {
    private static final int MAX_DESCRIBED = 10;

    /**
     * The number of consecutive requests, in total or of one attribute, that a device may leave unanswered;
     * each has been repeated before.
     */
    private static final int PATIENCE = 3;

    /** The number of busy attributes from which a device counts as busy for all. */
    private static final int BUSY_KINDS = 2;

    private final List<DeviceText> described = new ArrayList<>();
    private final Set<Trouble> troubles = new HashSet<>();
    private final Map<Integer, SmpRequest<?>> hindrances = new LinkedHashMap<>();
    private final Map<Integer, SmpRequest<?>> unraised = new LinkedHashMap<>();
    private final Map<Integer, SmpRequest<?>> withoutMulticast = new LinkedHashMap<>();
    private final Set<Trouble> disobeyed = new HashSet<>();
    private final Set<Trouble> passedOver = new HashSet<>();
    private final Set<Trouble> hopeless = new HashSet<>();
    private final Map<Integer, Integer> unanswered = new HashMap<>();
    private final Map<WriteType, Integer> unansweredOfKind = new HashMap<>();
    private final Map<Integer, Integer> timeouts = new HashMap<>();
    private final Map<Integer, Integer> busyKinds = new HashMap<>();
    private final Set<Integer> alive = new HashSet<>();
    private BitSet tolerated = new BitSet();
    private int count;

    /** An attribute that a device does not accept. */
    public record Trouble(int node, int attributeId) {}

    private record WriteType(int node, int attributeId, boolean isSet) {}

    /** Sets the devices, by node index, that are never hindrances: the SM depends on them. */
    public void tolerate(BitSet nodes) {
        tolerated = nodes;
    }

    /** Notes an error that belongs to no device. */
    public void report(String message) {
        note(DeviceText.of(message));
    }

    /** Notes that a device does not accept an attribute, with a text for {@link DeviceText#of}. */
    public void report(int node, int attributeId, Object... what) {
        troubles.add(new Trouble(node, attributeId));
        note(DeviceText.of(what));
    }

    private void note(DeviceText error) {
        count++;
        if (described.size() < MAX_DESCRIBED) {
            described.add(error);
        }
    }

    /** Notes that the tables of a switch are not in place, and a request that shows its recovery. */
    public void hinder(int node, SmpRequest<?> request) {
        if (tolerated.get(node)) {
            return;
        }
        hindrances.putIfAbsent(node, request);
    }

    /** Notes that a switch does not accept its multicast forwarding table, and the request. */
    public void hinderMulticast(int node, SmpRequest<?> request) {
        withoutMulticast.putIfAbsent(node, request);
    }

    /**
     * Notes that a device answers Sets of an attribute without an error and ignores them: more of them are
     * useless.
     */
    public void noteIgnored(int node, int attributeId) {
        disobeyed.add(new Trouble(node, attributeId));
    }

    /** Notes that a device is known to reject an attribute, which is not tried in this sweep. */
    public void passOver(int node, int attributeId) {
        Trouble trouble = new Trouble(node, attributeId);
        troubles.add(trouble);
        passedOver.add(trouble);
    }

    /**
     * Notes that a device is known to reject an attribute, which is tried in this sweep with a short wait.
     */
    public void expectNothing(int node, int attributeId) {
        hopeless.add(new Trouble(node, attributeId));
    }

    /** Checks whether a device is known to reject an attribute. */
    public boolean isHopeless(int node, int attributeId) {
        return !hopeless.isEmpty() && hopeless.contains(new Trouble(node, attributeId));
    }

    /** Notes that a port does not rise because its own device does not comply, and the request. */
    public void unraised(int port, SmpRequest<?> request) {
        unraised.putIfAbsent(port, request);
    }

    /**
     * Notes an answer of a device, or a missing one. After it is given up no answer counts: it may have
     * restarted meanwhile.
     */
    public void heard(int node, SmpRequest<?> request, Outcome<?> outcome) {
        heard(node, request.type().id(), request.isSet(), outcome);
    }

    void heard(int node, int attributeId, boolean isSet, Outcome<?> outcome) {
        if (outcome instanceof Outcome.Reply<?> && unanswered.isEmpty() && unansweredOfKind.isEmpty()) {
            return; // nearly always
        }
        WriteType kind = new WriteType(node, attributeId, isSet);
        Outcome.Failure<?> failure = outcome instanceof Outcome.Failure<?> failed ? failed : null;
        if (failure != null && failure.isBusy()) {
            if (unansweredOfKind.merge(kind, 1, Integer::sum) == PATIENCE) {
                busyKinds.merge(node, 1, Integer::sum);
            }
        } else if (hasGivenUp(node)) {
            return;
        } else if (failure != null && failure.kind() == Outcome.FailureReason.TIMEOUT) {
            unanswered.merge(node, 1, Integer::sum);
            timeouts.merge(node, 1, Integer::sum);
            unansweredOfKind.merge(kind, 1, Integer::sum);
        } else {
            unanswered.remove(node);
            unansweredOfKind.remove(kind);
        }
    }

    /** Notes that a device with unanswered requests gave a sign of life. */
    public void noteAlive(int node) {
        if (!hasGivenUp(node)) {
            alive.add(node);
        }
    }

    /** Notes that it gave none. */
    public void noteDead(int node) {
        alive.remove(node);
        unanswered.put(node, PATIENCE);
    }

    /** Checks whether a device has left its first request in this sweep unanswered. */
    public boolean isNewlySilent(int node) {
        return timeouts.getOrDefault(node, 0) == 1;
    }

    /** Returns the devices that were given up, by node index. */
    public Set<Integer> givenUp() {
        Set<Integer> nodes = new HashSet<>(unanswered.keySet());
        nodes.addAll(busyKinds.keySet());
        nodes.removeIf(node -> !hasGivenUp(node));
        return nodes;
    }

    /** Checks whether a device gets no more requests in this sweep. */
    public boolean hasGivenUp(int node) {
        return !areAllWell()
                && ((unanswered.getOrDefault(node, 0) >= PATIENCE && !alive.contains(node))
                        || busyKinds.getOrDefault(node, 0) >= BUSY_KINDS);
    }

    /**
     * Checks whether a device gets no more requests of one attribute in this sweep, independent of others.
     */
    public boolean hasGivenUp(int node, int attributeId, boolean isSet) {
        return !areAllWell()
                && (hasGivenUp(node)
                        || (isSet && disobeyed.contains(new Trouble(node, attributeId)))
                        || passedOver.contains(new Trouble(node, attributeId))
                        || unansweredOfKind.getOrDefault(new WriteType(node, attributeId, isSet), 0) >= PATIENCE);
    }

    /**
     * Checks whether no request was unanswered or ineffective. It is called for each SMP, so it must not look
     * anything up.
     */
    private boolean areAllWell() {
        return unanswered.isEmpty()
                && busyKinds.isEmpty()
                && unansweredOfKind.isEmpty()
                && disobeyed.isEmpty()
                && passedOver.isEmpty();
    }

    /** Returns the number of errors so far. */
    public int count() {
        return count;
    }

    /** Checks whether any switch deviates from the proof. */
    public boolean isHindered() {
        return !hindrances.isEmpty();
    }

    /** Returns the switches that deviate from the proof, by node index, each with a failed request. */
    public Map<Integer, SmpRequest<?>> hindrances() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(hindrances));
    }

    /**
     * Returns the switches that reject their multicast forwarding tables, by node index, each with a failed
     * request.
     */
    public Map<Integer, SmpRequest<?>> withoutMulticast() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(withoutMulticast));
    }

    /** Returns the ports that do not rise for reasons of their own, by port index, with the request. */
    public Map<Integer, SmpRequest<?>> unraised() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(unraised));
    }

    /** Returns the attributes that devices do not accept. */
    public Set<Trouble> troubles() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(troubles));
    }

    /** Returns the first few errors, in words. */
    public List<DeviceText> described() {
        return List.copyOf(described);
    }
}
