package io.torussm.stage;

import io.torussm.mad.Attribute;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unexpected answers to one question. The device is asked again until two of them agree. A device that
 * repeats none is accepted in the end, so that it delays nothing else. Owner thread: the loop.
 *
 * @param <A> the attribute
 */
public final class UnexpectedAnswers<A extends Attribute<A>> {
    /** The maximum number of repetitions. */
    private static final int MAX_REPEATS = 7;

    private final List<A> answers = new ArrayList<>();

    /** Takes an unexpected answer. Returns true to ask again: no other answer agrees, and they are few. */
    public boolean asksAgain(A answer) {
        if (answers.size() == MAX_REPEATS
                || answers.stream().anyMatch(earlier -> Consistency.agrees(earlier, answer))) {
            return false;
        }
        answers.add(answer);
        return true;
    }

    /** Returns the answer that was taken last; null if there is none. */
    public @Nullable A last() {
        return answers.isEmpty() ? null : answers.get(answers.size() - 1);
    }

    /** Checks whether all answers agree with another one. */
    public boolean agree(A answer) {
        return answers.stream().allMatch(earlier -> Consistency.agrees(earlier, answer));
    }
}
