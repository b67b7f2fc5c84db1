package io.torussm.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Attribute;
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
 * Questions that no answer came to, which are put once more when all else is read. What only lost its packets would be routed
 * around otherwise while it forwards by its old tables. Of one attribute of a device the first question goes ahead, and the
 * others follow if it is answered.
 *
 * <p>Who was silent in the last discovery, too, does not keep all others waiting again. It is not asked twice. If all is read it has two
 * tries, unless M_Keys are in use, since each try shows another one. If a part is read a change waits to be answered, and a device
 * behind a port that was up before, with nobody behind it, has 20 ms: who is well again answers at once. Light sweeps go on to ask.
 *
 * <p>Owner thread: the loop.
 */
final class SecondLook {
    /** Questions for one attribute of one device. */
    private final Map<Object, List<Question>> due = new LinkedHashMap<>();

    /** What was put a second time. */
    private final Set<Unanswered> repeated = new HashSet<>();

    /** Attributes of devices of which the first question was put a second time. */
    private final Set<Object> begun = new HashSet<>();

    /** Attributes of devices that nobody hopes for. */
    private final Set<Object> silent = new HashSet<>();

    private record Question(Runnable again, Runnable giveUp) {}

    private final StageContext context;

    /** As it was read before; null if all of it is read. */
    private final @Nullable Fabric before;

    /** Whether who was silent has two tries only. */
    private final boolean isBrief;

    /** Nothing was asked yet. */
    SecondLook(StageContext context, Discovery.Input input) {
        this.context = context;
        this.before = input.known();
        this.isBrief = before == null && !context.memory().keys().isInUse();
        input.silent().forEach(what -> this.silent.add(what.key()));
    }

    /** Asks who is at the other end of a cable; null for the port that this SM sits at. */
    void cross(MadScope scope, @Nullable NodePort from, SmpRequest<NodeInfo> question) {
        if (from == null || !wasDeadEnd(from)) {
            ask(scope, question);
            return;
        }
        silent.add(key(question));
        MadScope attempt = scope.child();
        attempt.submit(question);
        context.loop().schedule(Rounds.PATIENCE_NS, () -> context.resume(attempt::expire));
    }

    /** Whether a port of a switch that is read again was up the last time, and nobody behind it answered. */
    private boolean wasDeadEnd(NodePort at) {
        int port = before == null ? Fabric.NONE : before.port(at);
        if (before == null || port == Fabric.NONE) {
            return false;
        }
        PortInfo info = before.portInfo(port);
        return info != null && info.isLinkUp() && before.peer(port) == Fabric.NONE;
    }

    /** Asks a device for something. */
    <A extends Attribute<A>> void ask(MadScope scope, SmpRequest<A> question) {
        boolean isHopeless = isBrief && !silent.isEmpty() && silent.contains(key(question));
        scope.submit(isHopeless ? question.brief() : question);
    }

    private static Object key(SmpRequest<?> question) {
        return new Unanswered(question.path(), question.type(), 0).key();
    }

    /**
     * A question was not answered.
     *
     * @param again puts it once more
     * @param giveUp does what is to be done without an answer; called at once if there is no second look at it
     */
    void missed(Unanswered what, Outcome<?> outcome, Runnable again, Runnable giveUp) {
        boolean isUnlucky = outcome instanceof Outcome.Failure<?> failure && failure.kind() == Outcome.Kind.TIMEOUT;
        if (isUnlucky && !silent.contains(what.key()) && repeated.add(what)) {
            due.computeIfAbsent(what.key(), key -> new ArrayList<>()).add(new Question(again, giveUp));
            return;
        }
        giveUp.run();
        if (isUnlucky && silent.add(what.key())) {
            List<Question> others = due.remove(what.key());
            if (others != null) {
                others.forEach(question -> question.giveUp().run());
            }
        }
    }

    /** Puts questions a second time; false if there are none left. */
    boolean begin() {
        List<Question> now = new ArrayList<>();
        for (Map.Entry<Object, List<Question>> each : List.copyOf(due.entrySet())) {
            List<Question> questions = each.getValue();
            if (begun.add(each.getKey()) && questions.size() > 1) {
                now.add(questions.remove(0));
            } else {
                now.addAll(questions);
                due.remove(each.getKey());
            }
        }
        now.forEach(question -> question.again().run());
        return !now.isEmpty();
    }
}
