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
import org.jspecify.annotations.Nullable;

/**
 * The errors of programming in one sweep: all errors are counted, the first {@link #MAX_DESCRIBED} are described.
 * Devices and ports are given by their indexes in the fabric that is programmed.
 *
 * <p>Most errors harm only the device, and delay nothing. But the proof of the routes relies on forwarding and SL2VL
 * tables. A switch whose tables are not in place is a hindrance: while there is one, no subnet is published.
 *
 * <p>A device is given up, so that it gets no more requests in the sweep, after {@link #MAX_UNANSWERED} consecutive
 * requests without a response, unless it shows another sign of life. It is also given up if it is busy for {@link
 * #MIN_BUSY_ATTRIBUTES} attributes.
 *
 * <p>Owner thread: the loop.
 */
public final class ProgrammingErrors {
    private static final int MAX_DESCRIBED = 10;

    /**
     * The number of consecutive requests without a response, in total or of one attribute, after which a device is
     * given up. Retries do not count.
     */
    private static final int MAX_UNANSWERED = 3;

    /** The number of busy attributes from which a device counts as busy for all. */
    private static final int MIN_BUSY_ATTRIBUTES = 2;

    private final List<DescribedError> firstErrors = new ArrayList<>();
    private final Set<Trouble> troubles = new HashSet<>();

    /** By node index: a request that failed and whose success would show the recovery. */
    private final Map<Integer, SmpRequest<?>> deviations = new LinkedHashMap<>();

    /** By port index: a request that failed. */
    private final Map<Integer, SmpRequest<?>> unraised = new LinkedHashMap<>();

    /** By node index: a request that failed. */
    private final Map<Integer, SmpRequest<?>> multicastFailures = new LinkedHashMap<>();

    /** Attributes of which a device ignores Sets. */
    private final Set<Trouble> ignoredSets = new HashSet<>();

    /** Attributes that are not tried in this sweep. */
    private final Set<Trouble> skippedAttributes = new HashSet<>();

    /** Attributes that are tried in this sweep with few retries. */
    private final Set<Trouble> expectedRejections = new HashSet<>();

    /** By node index: consecutive requests without a response. */
    private final Map<Integer, Integer> unansweredRequests = new HashMap<>();

    /** Consecutive requests without a response, or with a busy status, for one attribute. */
    private final Map<WriteType, Integer> unansweredOfAttribute = new HashMap<>();

    /** By node index: all requests without a response. */
    private final Map<Integer, Integer> timeouts = new HashMap<>();

    /** By node index: number of attributes for which it is busy. */
    private final Map<Integer, Integer> busyAttributes = new HashMap<>();

    /** Node indexes of devices with another sign of life. */
    private final Set<Integer> responsiveNodes = new HashSet<>();

    private BitSet toleratedNodes = new BitSet();
    private int count;

    /** An attribute that a device does not accept. */
    public record Trouble(int node, int attributeId) {}

    /**
     * An error in words.
     *
     * @param trouble the attribute that a device does not accept; null if the error belongs to no device
     */
    public record DescribedError(DeviceText text, @Nullable Trouble trouble) {}

    /** Gets or Sets of one attribute of a device. */
    private record WriteType(int node, int attributeId, boolean isSet) {}

    /** Sets the devices, by node index, that are never hindrances, because the SM depends on them. */
    public void tolerate(BitSet nodes) {
        toleratedNodes = nodes;
    }

    /** Records an error that belongs to no device. */
    public void report(String message) {
        addError(new DescribedError(DeviceText.of(message), null));
    }

    /** Records that a device does not accept an attribute, with a text in parts for {@link DeviceText#of}. */
    public void report(int node, int attributeId, Object... what) {
        Trouble trouble = new Trouble(node, attributeId);
        troubles.add(trouble);
        addError(new DescribedError(DeviceText.of(what), trouble));
    }

    private void addError(DescribedError error) {
        count++;
        if (firstErrors.size() < MAX_DESCRIBED) {
            firstErrors.add(error);
        }
    }

    /** Records that the tables of a switch are not in place, and a request whose success shows its recovery. */
    public void recordDeviation(int node, SmpRequest<?> request) {
        if (toleratedNodes.get(node)) {
            return;
        }
        deviations.putIfAbsent(node, request);
    }

    /** Records that a switch does not accept its multicast forwarding table, and the request. */
    public void recordMulticastFailure(int node, SmpRequest<?> request) {
        multicastFailures.putIfAbsent(node, request);
    }

    /**
     * Records that a device responds to Sets of an attribute without an error and ignores them. More Sets are useless.
     */
    public void noteIgnored(int node, int attributeId) {
        ignoredSets.add(new Trouble(node, attributeId));
    }

    /** Records that a device is known to reject an attribute, which is not tried in this sweep. */
    public void skipAttribute(int node, int attributeId) {
        Trouble trouble = new Trouble(node, attributeId);
        troubles.add(trouble);
        skippedAttributes.add(trouble);
    }

    /**
     * Records that a device is known to reject an attribute, which is tried in this sweep with few retries.
     */
    public void expectRejection(int node, int attributeId) {
        expectedRejections.add(new Trouble(node, attributeId));
    }

    /** Checks whether a device is known to reject an attribute. */
    public boolean isRejectionExpected(int node, int attributeId) {
        return !expectedRejections.isEmpty() && expectedRejections.contains(new Trouble(node, attributeId));
    }

    /** Records that a port does not become ACTIVE because its own device does not comply, and the request. */
    public void unraised(int port, SmpRequest<?> request) {
        unraised.putIfAbsent(port, request);
    }

    /**
     * Records the outcome of a request. After a device is given up, its responses do not count, because it may have
     * restarted meanwhile.
     */
    public void recordOutcome(int node, SmpRequest<?> request, Outcome<?> outcome) {
        recordOutcome(node, request.type().id(), request.isSet(), outcome);
    }

    void recordOutcome(int node, int attributeId, boolean isSet, Outcome<?> outcome) {
        if (outcome instanceof Outcome.Reply<?> && unansweredRequests.isEmpty() && unansweredOfAttribute.isEmpty()) {
            return; // nearly always
        }
        WriteType kind = new WriteType(node, attributeId, isSet);
        Outcome.Failure<?> failure = outcome instanceof Outcome.Failure<?> failed ? failed : null;
        if (failure != null && failure.isBusy()) {
            if (unansweredOfAttribute.merge(kind, 1, Integer::sum) == MAX_UNANSWERED) {
                busyAttributes.merge(node, 1, Integer::sum);
            }
        } else if (hasGivenUp(node)) {
            return;
        } else if (failure != null && failure.reason() == Outcome.FailureReason.TIMEOUT) {
            unansweredRequests.merge(node, 1, Integer::sum);
            timeouts.merge(node, 1, Integer::sum);
            unansweredOfAttribute.merge(kind, 1, Integer::sum);
        } else {
            unansweredRequests.remove(node);
            unansweredOfAttribute.remove(kind);
        }
    }

    /** Records that a device with requests without a response responded to another request. */
    public void noteAlive(int node) {
        if (!hasGivenUp(node)) {
            responsiveNodes.add(node);
        }
    }

    /** Records that a device did not respond to the request that tests whether it is alive, so that it is given up. */
    public void noteDead(int node) {
        responsiveNodes.remove(node);
        unansweredRequests.put(node, MAX_UNANSWERED);
    }

    /** Checks whether exactly one request to a device had no response in this sweep. */
    public boolean isNewlySilent(int node) {
        return timeouts.getOrDefault(node, 0) == 1;
    }

    /** Returns the devices that were given up, by node index. */
    public Set<Integer> givenUpNodes() {
        Set<Integer> nodes = new HashSet<>(unansweredRequests.keySet());
        nodes.addAll(busyAttributes.keySet());
        nodes.removeIf(node -> !hasGivenUp(node));
        return nodes;
    }

    /** Checks whether a device gets no more requests in this sweep. */
    public boolean hasGivenUp(int node) {
        return !hasNoTrouble()
                && ((unansweredRequests.getOrDefault(node, 0) >= MAX_UNANSWERED && !responsiveNodes.contains(node))
                        || busyAttributes.getOrDefault(node, 0) >= MIN_BUSY_ATTRIBUTES);
    }

    /**
     * Checks whether a device gets no more Gets, or no more Sets, of one attribute in this sweep.
     */
    public boolean hasGivenUp(int node, int attributeId, boolean isSet) {
        return !hasNoTrouble()
                && (hasGivenUp(node)
                        || (isSet && ignoredSets.contains(new Trouble(node, attributeId)))
                        || skippedAttributes.contains(new Trouble(node, attributeId))
                        || unansweredOfAttribute.getOrDefault(new WriteType(node, attributeId, isSet), 0)
                                >= MAX_UNANSWERED);
    }

    /**
     * Checks whether all requests had a response and an effect. This is called for each SMP, so it has no look-up in a
     * map.
     */
    private boolean hasNoTrouble() {
        return unansweredRequests.isEmpty()
                && busyAttributes.isEmpty()
                && unansweredOfAttribute.isEmpty()
                && ignoredSets.isEmpty()
                && skippedAttributes.isEmpty();
    }

    /** Returns the number of errors so far. */
    public int count() {
        return count;
    }

    /** Checks whether any switch deviates from the proof. */
    public boolean hasDeviations() {
        return !deviations.isEmpty();
    }

    /** Returns the switches that deviate from the proof, by node index, each with a failed request. */
    public Map<Integer, SmpRequest<?>> deviations() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(deviations));
    }

    /**
     * Returns the switches that reject their multicast forwarding tables, by node index, each with a failed
     * request.
     */
    public Map<Integer, SmpRequest<?>> multicastFailures() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(multicastFailures));
    }

    /** Returns the ports that do not become ACTIVE because of their own device, by port index, with the request. */
    public Map<Integer, SmpRequest<?>> unraised() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(unraised));
    }

    /** Returns the attributes that devices do not accept. */
    public Set<Trouble> troubles() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(troubles));
    }

    /** Returns the first errors, in words for the operator. */
    public List<DescribedError> firstErrors() {
        return List.copyOf(firstErrors);
    }
}
