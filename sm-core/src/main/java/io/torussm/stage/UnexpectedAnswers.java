package io.torussm.stage;

import io.torussm.mad.Attribute;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unexpected responses to one request. The request is repeated until two responses agree. If none of {@link
 * #MAX_REPEATS} agree, the last response is accepted, so that the device does not delay others. Owner thread: the loop.
 *
 * @param <A> the attribute
 */
public final class UnexpectedAnswers<A extends Attribute<A>> {
    /** The max number of repetitions of a request. */
    private static final int MAX_REPEATS = 7;

    private final List<A> answers = new ArrayList<>();

    /**
     * Records an unexpected response. Returns true to repeat the request: no earlier response agrees, and there are
     * fewer than {@link #MAX_REPEATS}.
     */
    public boolean asksAgain(A answer) {
        if (answers.size() == MAX_REPEATS
                || answers.stream().anyMatch(earlier -> Consistency.agrees(earlier, answer))) {
            return false;
        }
        answers.add(answer);
        return true;
    }

    /** Returns the response that was recorded last; null without one. */
    public @Nullable A last() {
        return answers.isEmpty() ? null : answers.get(answers.size() - 1);
    }

    /** Checks whether all recorded responses agree with another response; true without recorded responses. */
    public boolean allAgree(A answer) {
        return answers.stream().allMatch(earlier -> Consistency.agrees(earlier, answer));
    }
}
