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
 * A Get that compares a written attribute of a device with the known one. The known value may change before
 * the answer arrives, so it is looked up then. Owner thread: the loop.
 *
 * @param path directed route to the device
 * @param modifier modifier of the Get
 * @param compare returns the difference from the known value; null if there is none, or the value is unknown
 * @param learn notes the answered value, so that the next sweep writes the wanted one
 */
public record TableProbe<A extends Attribute<A>>(
        AttributeType<A> type,
        DrPath path,
        int modifier,
        Function<A, @Nullable Difference> compare,
        Consumer<A> learn) {

    /**
     * A difference between a known and an answered value.
     *
     * @param entry the first differing entry in the operator's terms, such as {@code LID 17}
     * @param wanted the known value
     * @param found the answered value
     * @param count number of differing entries
     */
    public record Difference(String entry, String wanted, String found, int count) {}

    /** A consumer of the results of a probe. */
    public interface Answers {
        /** Takes the difference; null if there is none, or no answer. */
        void answered(@Nullable Difference difference, Runnable learn);
    }

    /** Returns the name of the attribute. */
    public String attribute() {
        return type.layout().name();
    }

    /** Returns the Get; its outcome goes to {@code answers}. */
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
