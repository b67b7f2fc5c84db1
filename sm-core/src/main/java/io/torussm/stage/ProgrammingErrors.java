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
 * What went wrong while writing to the fabric: everything is counted, the first few are described. Devices and ports are named
 * by their indexes in the fabric that is being written.
 *
 * <p>Most of it harms nobody but the device, and keeps nothing up. What the proof of the routes relies on is another matter: a
 * switch whose forwarding or SL2VL tables are not in place is a hindrance, and nothing is published while there is one.
 *
 * <p>Owner thread: the loop.
 */
public final class ProgrammingErrors {
    private static final int MAX_DESCRIBED = 10;

    /** Requests in a row, in all or of one kind, that a device may leave without an answer; each has been repeated before. */
    private static final int PATIENCE = 3;

    /** Kinds of requests that a device may have no time for before it has none for any. */
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
    private final Map<Kind, Integer> unansweredOfKind = new HashMap<>();
    private final Map<Integer, Integer> timeouts = new HashMap<>();
    private final Map<Integer, Integer> busyKinds = new HashMap<>();
    private final Set<Integer> alive = new HashSet<>();
    private BitSet tolerated = new BitSet();
    private int count;

    /** An attribute that a device does not take. */
    public record Trouble(int node, int attributeId) {}

    private record Kind(int node, int attributeId, boolean isSet) {}

    /** Devices, by node index, that hinder nothing whatever they do: the SM cannot do without them. */
    public void tolerate(BitSet nodes) {
        tolerated = nodes;
    }

    /** Notes an error that is none of a device. */
    public void report(String what) {
        note(DeviceText.of(what));
    }

    /** Notes that a device does not take an attribute, in words as {@link DeviceText#of} takes them. */
    public void report(int node, int attributeId, Object... what) {
        troubles.add(new Trouble(node, attributeId));
        note(DeviceText.of(what));
    }

    private void note(DeviceText what) {
        count++;
        if (described.size() < MAX_DESCRIBED) {
            described.add(what);
        }
    }

    /** Notes that the tables of a switch are not in place, and a request that would show whether it is better now. */
    public void hinder(int node, SmpRequest<?> request) {
        if (tolerated.get(node)) {
            return;
        }
        hindrances.putIfAbsent(node, request);
    }

    /** Notes that a switch does not take its multicast forwarding table, and the request. */
    public void hinderMulticast(int node, SmpRequest<?> request) {
        withoutMulticast.putIfAbsent(node, request);
    }

    /** A device answers Sets of an attribute well and does not obey them: more of them would change nothing. */
    public void isDisobedient(int node, int attributeId) {
        disobeyed.add(new Trouble(node, attributeId));
    }

    /** A device is known not to take an attribute, and is not asked for it in this sweep: nobody waits for that again. */
    public void passOver(int node, int attributeId) {
        Trouble trouble = new Trouble(node, attributeId);
        troubles.add(trouble);
        passedOver.add(trouble);
    }

    /** A device is known not to take an attribute: it is asked for it in this sweep, and not waited for as long as others. */
    public void expectNothing(int node, int attributeId) {
        hopeless.add(new Trouble(node, attributeId));
    }

    /** Whether it is known that a device does not take an attribute. */
    public boolean isHopeless(int node, int attributeId) {
        return !hopeless.isEmpty() && hopeless.contains(new Trouble(node, attributeId));
    }

    /** Notes that a port is not raised because its own device does not obey, and the request. */
    public void unraised(int port, SmpRequest<?> request) {
        unraised.putIfAbsent(port, request);
    }

    /** A device answered, or did not. Once it is given up no answer counts: it may have restarted in the meantime. */
    public void heard(int node, SmpRequest<?> request, Outcome<?> outcome) {
        heard(node, request.type().id(), request.isSet(), outcome);
    }

    void heard(int node, int attributeId, boolean isSet, Outcome<?> outcome) {
        if (outcome instanceof Outcome.Reply<?> && unanswered.isEmpty() && unansweredOfKind.isEmpty()) {
            return; // nearly always
        }
        Kind kind = new Kind(node, attributeId, isSet);
        Outcome.Failure<?> failure = outcome instanceof Outcome.Failure<?> failed ? failed : null;
        if (failure != null && failure.isBusy()) {
            if (unansweredOfKind.merge(kind, 1, Integer::sum) == PATIENCE) {
                busyKinds.merge(node, 1, Integer::sum);
            }
        } else if (hasGivenUp(node)) {
            return;
        } else if (failure != null && failure.kind() == Outcome.Kind.TIMEOUT) {
            unanswered.merge(node, 1, Integer::sum);
            timeouts.merge(node, 1, Integer::sum);
            unansweredOfKind.merge(kind, 1, Integer::sum);
        } else {
            unanswered.remove(node);
            unansweredOfKind.remove(kind);
        }
    }

    /** A device that leaves something unanswered was asked for a sign of life, and gave one. */
    public void isAlive(int node) {
        if (!hasGivenUp(node)) {
            alive.add(node);
        }
    }

    /** It gave none. */
    public void isDead(int node) {
        alive.remove(node);
        unanswered.put(node, PATIENCE);
    }

    /** Whether a device has left a single request without an answer in this sweep so far. */
    public boolean isNewlySilent(int node) {
        return timeouts.getOrDefault(node, 0) == 1;
    }

    /** Devices that leave so much unanswered that nothing more was sent to them, by node index. */
    public Set<Integer> givenUp() {
        Set<Integer> nodes = new HashSet<>(unanswered.keySet());
        nodes.addAll(busyKinds.keySet());
        nodes.removeIf(node -> !hasGivenUp(node));
        return nodes;
    }

    /** Whether no more requests should be sent to a device in this sweep. */
    public boolean hasGivenUp(int node) {
        return !areAllWell()
                && (unanswered.getOrDefault(node, 0) >= PATIENCE && !alive.contains(node)
                        || busyKinds.getOrDefault(node, 0) >= BUSY_KINDS);
    }

    /** Whether no more requests of one kind should be sent to a device in this sweep, whatever else it answers. */
    public boolean hasGivenUp(int node, int attributeId, boolean isSet) {
        return !areAllWell()
                && (hasGivenUp(node)
                        || isSet && disobeyed.contains(new Trouble(node, attributeId))
                        || passedOver.contains(new Trouble(node, attributeId))
                        || unansweredOfKind.getOrDefault(new Kind(node, attributeId, isSet), 0) >= PATIENCE);
    }

    /** Whether no device has left anything unanswered or undone; asked for each SMP, so nothing may be looked up for that. */
    private boolean areAllWell() {
        return unanswered.isEmpty()
                && busyKinds.isEmpty()
                && unansweredOfKind.isEmpty()
                && disobeyed.isEmpty()
                && passedOver.isEmpty();
    }

    /** Errors so far. */
    public int count() {
        return count;
    }

    /** Whether some switch is not as the proof has it. */
    public boolean isHindered() {
        return !hindrances.isEmpty();
    }

    /** Switches that are not as the proof has it, by node index, with a request that each of them failed. */
    public Map<Integer, SmpRequest<?>> hindrances() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(hindrances));
    }

    /** Switches that do not take their multicast forwarding tables, by node index, with a request that each of them failed. */
    public Map<Integer, SmpRequest<?>> withoutMulticast() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(withoutMulticast));
    }

    /** Ports that do not rise though nothing else keeps them down, by port index, with the request. */
    public Map<Integer, SmpRequest<?>> unraised() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(unraised));
    }

    /** What devices do not take. */
    public Set<Trouble> troubles() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(troubles));
    }

    /** The first few errors, in words. */
    public List<DeviceText> described() {
        return List.copyOf(described);
    }
}
