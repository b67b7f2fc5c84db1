package io.torussm.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.stage.StageContext;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The second attempt of requests without a response, after all other requests. Without it, a device whose packets were
 * lost would be bypassed while it still forwards by its old tables. For each attribute of a device one request is
 * repeated first; the other requests follow if it is answered.
 *
 * <p>A device that did not respond in the last discovery either must not delay other devices again. So its requests are
 * not repeated. In a whole discovery they have two tries, unless M_Keys are in use, because each try carries another
 * key. In a partial discovery, a request across a cable has 20 ms if the port was up in the last fabric and the device
 * behind it did not respond then: a recovered device responds immediately. Light sweeps continue to send requests.
 *
 * <p>Owner thread: the loop.
 */
final class RequestRepetitions {
    /** Requests to repeat, by {@link UnansweredRequest#key}. */
    private final Map<Object, List<RepeatableRequest>> pending = new LinkedHashMap<>();

    /** Requests that were repeated, or are to be. */
    private final Set<UnansweredRequest> repeatedRequests = new HashSet<>();

    /** Keys of attributes of which the first request was repeated. */
    private final Set<Object> repeatedKeys = new HashSet<>();

    /** Keys of attributes for which no response is expected. */
    private final Set<Object> silentKeys = new HashSet<>();

    /** A request without a response: {@code repeat} repeats it, {@code giveUp} continues without a response. */
    private record RepeatableRequest(Runnable repeat, Runnable giveUp) {}

    private final StageContext context;

    /** The last fabric in a partial discovery; null in a whole discovery. */
    private final @Nullable Fabric previousFabric;

    /** True if requests to silent devices have two tries only. */
    private final boolean hasFewTries;

    /** Creates an instance for a discovery, before its first request. */
    RequestRepetitions(StageContext context, Discovery.Input input) {
        this.context = context;
        this.previousFabric = input.knownFabric();
        this.hasFewTries = previousFabric == null && !context.memory().keys().isInUse();
        input.unansweredRequests().forEach(request -> this.silentKeys.add(request.key()));
    }

    /**
     * Sends a request to the device at the far end of a cable.
     *
     * @param from near end of the cable; null for the local port itself
     */
    void cross(MadScope scope, @Nullable NodePort from, SmpRequest<NodeInfo> question) {
        if (from == null || !wasDeadEnd(from)) {
            send(scope, question);
            return;
        }
        silentKeys.add(key(question));
        shortScope(scope).submit(question);
    }

    /** Returns a scope whose requests expire after 20 ms, within which a healthy device responds. */
    MadScope shortScope(MadScope scope) {
        MadScope attempt = scope.child();
        context.loop().schedule(VisitRounds.RESPONSE_TIMEOUT_NS, () -> context.resume(attempt::expire));
        return attempt;
    }

    /** Checks whether a port was up in the last fabric although no device at its far end responded. */
    private boolean wasDeadEnd(NodePort at) {
        int port = previousFabric == null ? Fabric.NONE : previousFabric.port(at);
        if (previousFabric == null || port == Fabric.NONE) {
            return false;
        }
        PortInfo info = previousFabric.portInfo(port);
        return info != null && info.isLinkUp() && previousFabric.peer(port) == Fabric.NONE;
    }

    /** Sends a request, with fewer tries if no response is expected in a whole discovery. */
    <A extends Attribute<A>> void send(MadScope scope, SmpRequest<A> question) {
        boolean isHopeless = hasFewTries && !silentKeys.isEmpty() && silentKeys.contains(key(question));
        scope.submit(isHopeless ? question.brief() : question);
    }

    /** Checks whether the device at the end of a route is known not to respond to Gets of an attribute. */
    boolean isSilent(DrPath path, AttributeType<?> type) {
        return silentKeys.contains(new UnansweredRequest(path, type, 0).key());
    }

    private static Object key(SmpRequest<?> question) {
        return new UnansweredRequest(question.path(), question.type(), 0).key();
    }

    /**
     * Handles a request without a usable response.
     *
     * @param outcome outcome of the request; only a time-out leads to a second attempt
     * @param again repeats the request
     * @param giveUp continues without a response; called immediately if there is no second attempt
     */
    void onNoResponse(UnansweredRequest request, Outcome<?> outcome, Runnable again, Runnable giveUp) {
        boolean isUnlucky =
                outcome instanceof Outcome.Failure<?> failure && failure.reason() == Outcome.FailureReason.TIMEOUT;
        if (isUnlucky && !silentKeys.contains(request.key()) && repeatedRequests.add(request)) {
            pending.computeIfAbsent(request.key(), key -> new ArrayList<>()).add(new RepeatableRequest(again, giveUp));
            return;
        }
        giveUp.run();
        if (isUnlucky && silentKeys.add(request.key())) {
            List<RepeatableRequest> others = pending.remove(request.key());
            if (others != null) {
                others.forEach(question -> question.giveUp().run());
            }
        }
    }

    /** Repeats requests. Returns false if none is left. */
    boolean repeatPending() {
        List<RepeatableRequest> current = new ArrayList<>();
        for (Map.Entry<Object, List<RepeatableRequest>> each : List.copyOf(pending.entrySet())) {
            List<RepeatableRequest> questions = each.getValue();
            if (repeatedKeys.add(each.getKey()) && questions.size() > 1) {
                current.add(questions.remove(0));
            } else {
                current.addAll(questions);
                pending.remove(each.getKey());
            }
        }
        current.forEach(question -> question.repeat().run());
        return !current.isEmpty();
    }
}
