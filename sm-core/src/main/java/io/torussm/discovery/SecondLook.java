package io.torussm.discovery;

import io.torussm.mad.Attribute;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Questions that no answer came to, which are put once more when all else is read. What only lost its packets would be routed
 * around otherwise while it forwards by its old tables. Of one attribute of a device the first question goes ahead, and the
 * others follow if it is answered. Who was silent in the last discovery, too, is not asked twice, and briefly. Owner thread: the loop.
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

    private final boolean isBrief;

    /**
     * Nothing was asked yet.
     *
     * @param silent what was not answered in the last discovery
     * @param isBrief whether nobody waits for these as long as for others
     */
    SecondLook(Collection<Unanswered> silent, boolean isBrief) {
        this.isBrief = isBrief;
        silent.forEach(what -> this.silent.add(what.key()));
    }

    /** A question as it is to be put: who was silent in the last discovery, too, does not keep all others waiting again. */
    <A extends Attribute<A>> SmpRequest<A> put(SmpRequest<A> question) {
        boolean isHopeless = isBrief
                && !silent.isEmpty()
                && silent.contains(new Unanswered(question.path(), question.type(), 0).key());
        return isHopeless ? question.brief() : question;
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
