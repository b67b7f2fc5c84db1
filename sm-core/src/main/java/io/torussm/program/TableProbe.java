package io.torussm.program;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A question to a device about something that was written to it, and what its answer is compared with. What is known may change between
 * question and answer, so it is looked up when the answer is there. Owner thread: the loop.
 *
 * @param path to the device
 * @param modifier of the Get
 * @param compare what differs from what is known now; null if nothing does, or nothing is known
 * @param learn takes down that the device holds this, so that the next sweep writes what it should hold
 */
public record TableProbe<A extends Attribute<A>>(
        AttributeType<A> type,
        DrPath path,
        int modifier,
        Function<A, @Nullable Difference> compare,
        Consumer<A> learn) {

    /**
     * What differs.
     *
     * @param entry the first that does, as operators know it, such as {@code LID 17}
     * @param wanted what the device is known to hold, and should
     * @param found what it says
     * @param count entries that differ
     */
    public record Difference(String entry, String wanted, String found, int count) {}

    /** Hears what came of a question. */
    public interface Answers {
        /** What differs; null if nothing does, or nobody answered. */
        void answered(@Nullable Difference difference, Runnable learn);
    }

    /** The name of what is read. */
    public String attribute() {
        return type.layout().name();
    }

    /** The Get; its outcome goes to {@code answers}. */
    public SmpRequest<A> request(Answers answers) {
        return SmpRequest.get(type, path, modifier, outcome -> {
            if (outcome instanceof Outcome.Reply<A> reply) {
                answers.answered(compare.apply(reply.value()), () -> learn.accept(reply.value()));
            } else {
                answers.answered(null, () -> {});
            }
        });
    }
}
