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
 * A Get that compares an attribute of a device with its known value. The known value may change before the response
 * arrives, so it is looked up at the response. Owner thread: the loop.
 *
 * @param type type of the attribute
 * @param path directed route to the device
 * @param modifier AttributeModifier of the Get
 * @param compare function that returns the difference of a value from the known value; null if they are equal, or if
 *     no value is known
 * @param learn records the answered value as known, so that the next sweep writes the wanted value
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
    public interface ProbeListener {
        /**
         * Receives the result of a probe.
         *
         * @param difference the difference; null if there is none, or no response
         * @param learn records the answered value as known; does nothing without a response
         */
        void onResult(@Nullable Difference difference, Runnable learn);
    }

    /** Returns the name of the attribute. */
    public String attribute() {
        return type.layout().name();
    }

    /** Returns the Get, whose result {@code answers} receives. */
    public SmpRequest<A> request(ProbeListener answers) {
        return SmpRequest.get(type, path, modifier, outcome -> {
            if (outcome instanceof Outcome.Reply<A> reply) {
                answers.onResult(compare.apply(reply.value()), () -> learn.accept(reply.value()));
            } else {
                answers.onResult(null, () -> {});
            }
        });
    }
}
