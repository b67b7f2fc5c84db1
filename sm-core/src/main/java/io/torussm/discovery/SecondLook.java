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
 * The second attempt for unanswered questions, after all else is read. Without it, a device whose packets got
 * lost would be bypassed while it forwards by its old tables. For each attribute of a device one question is
 * repeated first; the others follow if it is answered.
 *
 * <p>A device that was silent in the last discovery, too, does not delay the others again. It is not asked a
 * second time. In a whole discovery it has two tries, unless M_Keys are in use, since each try shows another
 * one. In a partial discovery a change waits for the result. There a device has 20 ms if its port was up
 * before and nothing behind it answered: a device that recovered answers immediately. Light sweeps continue
 * to ask.
 *
 * <p>Owner thread: the loop.
 */
final class SecondLook {
    /** Unanswered questions by attribute of a device. */
    private final Map<Object, List<Question>> due = new LinkedHashMap<>();

    /** Questions that were repeated. */
    private final Set<Unanswered> repeated = new HashSet<>();

    /** Attributes of devices of which the first question was repeated. */
    private final Set<Object> begun = new HashSet<>();

    /** Attributes of devices that are not expected to be answered. */
    private final Set<Object> silent = new HashSet<>();

    private record Question(Runnable again, Runnable giveUp) {}

    private final StageContext context;

    /** The fabric before; null if all of it is read. */
    private final @Nullable Fabric before;

    /** True if a silent device has two tries only. */
    private final boolean isBrief;

    /** Creates it for a discovery before its first question. */
    SecondLook(StageContext context, Discovery.Input input) {
        this.context = context;
        this.before = input.known();
        this.isBrief = before == null && !context.memory().keys().isInUse();
        input.silent().forEach(request -> this.silent.add(request.key()));
    }

    /**
     * Asks for the device at the other end of a cable.
     *
     * @param from near end; null for the local port
     */
    void cross(MadScope scope, @Nullable NodePort from, SmpRequest<NodeInfo> question) {
        if (from == null || !wasDeadEnd(from)) {
            ask(scope, question);
            return;
        }
        silent.add(key(question));
        attempt(scope).submit(question);
    }

    /** Returns a scope whose questions end after 20 ms, in which a healthy device answers. */
    MadScope attempt(MadScope scope) {
        MadScope attempt = scope.child();
        context.loop().schedule(VisitRounds.PATIENCE_NS, () -> context.resume(attempt::expire));
        return attempt;
    }

    /** Checks whether a port of a switch was up in the last reading although nothing behind it answered. */
    private boolean wasDeadEnd(NodePort at) {
        int port = before == null ? Fabric.NONE : before.port(at);
        if (before == null || port == Fabric.NONE) {
            return false;
        }
        PortInfo info = before.portInfo(port);
        return info != null && info.isLinkUp() && before.peer(port) == Fabric.NONE;
    }

    /** Sends a question to a device. */
    <A extends Attribute<A>> void ask(MadScope scope, SmpRequest<A> question) {
        boolean isHopeless = isBrief && !silent.isEmpty() && silent.contains(key(question));
        scope.submit(isHopeless ? question.brief() : question);
    }

    /** Checks whether the device at the end of a route left a question for an attribute without an answer. */
    boolean isSilent(DrPath path, AttributeType<?> type) {
        return silent.contains(new Unanswered(path, type, 0).key());
    }

    private static Object key(SmpRequest<?> question) {
        return new Unanswered(question.path(), question.type(), 0).key();
    }

    /**
     * Handles an unanswered question.
     *
     * @param again repeats it
     * @param giveUp acts without an answer; called immediately if there is no second attempt
     */
    void missed(Unanswered request, Outcome<?> outcome, Runnable again, Runnable giveUp) {
        boolean isUnlucky =
                outcome instanceof Outcome.Failure<?> failure && failure.kind() == Outcome.FailureReason.TIMEOUT;
        if (isUnlucky && !silent.contains(request.key()) && repeated.add(request)) {
            due.computeIfAbsent(request.key(), key -> new ArrayList<>()).add(new Question(again, giveUp));
            return;
        }
        giveUp.run();
        if (isUnlucky && silent.add(request.key())) {
            List<Question> others = due.remove(request.key());
            if (others != null) {
                others.forEach(question -> question.giveUp().run());
            }
        }
    }

    /** Repeats questions; returns false if there are none left. */
    boolean begin() {
        List<Question> current = new ArrayList<>();
        for (Map.Entry<Object, List<Question>> each : List.copyOf(due.entrySet())) {
            List<Question> questions = each.getValue();
            if (begun.add(each.getKey()) && questions.size() > 1) {
                current.add(questions.remove(0));
            } else {
                current.addAll(questions);
                due.remove(each.getKey());
            }
        }
        current.forEach(question -> question.again().run());
        return !current.isEmpty();
    }
}
