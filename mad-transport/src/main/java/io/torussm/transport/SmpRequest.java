package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A directed-route SubnGet or SubnSet that has not been sent yet.
 *
 * @param value what a Set writes, null for a Get
 * @param attributeModifier which port, block or row
 * @param path the route to the device; also what the window of a device is counted by
 * @param then called exactly once, on the loop
 * @param isUrgent whether it goes ahead of all others to the device, whatever the device has not answered yet
 * @param isBrief whether no answer is expected: it is sent twice at most
 * @param showsKey whether it carries the M_Key of the port that it goes to; false where a program reads the MAD, not the agent of the port
 */
public record SmpRequest<A extends Attribute<A>>(
        AttributeType<A> type,
        @Nullable A value,
        int attributeModifier,
        DrPath path,
        Consumer<Outcome<A>> then,
        boolean isUrgent,
        boolean isBrief,
        boolean showsKey) {

    /** A SubnGet. */
    public static <A extends Attribute<A>> SmpRequest<A> get(
            AttributeType<A> type, DrPath path, int attributeModifier, Consumer<Outcome<A>> then) {
        return new SmpRequest<>(type, null, attributeModifier, path, then, false, false, true);
    }

    /** A SubnSet. */
    public static <A extends Attribute<A>> SmpRequest<A> set(
            A value, DrPath path, int attributeModifier, Consumer<Outcome<A>> then) {
        return new SmpRequest<>(value.type(), value, attributeModifier, path, then, false, false, true);
    }

    /** A Get of what it asks for or writes. */
    public SmpRequest<A> asGet() {
        return new SmpRequest<>(type, null, attributeModifier, path, then, isUrgent, isBrief, showsKey);
    }

    /** The same, ahead of all others to the device. */
    public SmpRequest<A> urgent() {
        return new SmpRequest<>(type, value, attributeModifier, path, then, true, isBrief, showsKey);
    }

    /** The same to a device that left it unanswered before, so that nobody waits for it as long as for others. */
    public SmpRequest<A> brief() {
        return new SmpRequest<>(type, value, attributeModifier, path, then, isUrgent, true, showsKey);
    }

    /** The same with M_Key 0, for a receiver that must not learn the key. */
    public SmpRequest<A> withoutKey() {
        return new SmpRequest<>(type, value, attributeModifier, path, then, isUrgent, isBrief, false);
    }

    /** The same with another end. */
    public SmpRequest<A> then(Consumer<Outcome<A>> other) {
        return new SmpRequest<>(type, value, attributeModifier, path, other, isUrgent, isBrief, showsKey);
    }

    /** The same by another route. */
    public SmpRequest<A> by(DrPath other) {
        return new SmpRequest<>(type, value, attributeModifier, other, then, isUrgent, isBrief, showsKey);
    }

    /** Whether it writes. */
    public boolean isSet() {
        return value != null;
    }

    int method() {
        return value == null ? Method.GET : Method.SET;
    }
}
