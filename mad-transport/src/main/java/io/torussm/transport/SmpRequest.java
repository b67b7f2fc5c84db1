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
 * @param isBrief whether nobody hopes for an answer: it is sent twice at most
 */
public record SmpRequest<A extends Attribute<A>>(
        AttributeType<A> type,
        @Nullable A value,
        int attributeModifier,
        DrPath path,
        Consumer<Outcome<A>> then,
        boolean isUrgent,
        boolean isBrief) {

    /** A SubnGet. */
    public static <A extends Attribute<A>> SmpRequest<A> get(
            AttributeType<A> type, DrPath path, int attributeModifier, Consumer<Outcome<A>> then) {
        return new SmpRequest<>(type, null, attributeModifier, path, then, false, false);
    }

    /** A SubnSet. */
    public static <A extends Attribute<A>> SmpRequest<A> set(
            A value, DrPath path, int attributeModifier, Consumer<Outcome<A>> then) {
        return new SmpRequest<>(value.type(), value, attributeModifier, path, then, false, false);
    }

    /** A Get of what it asks for or writes. */
    public SmpRequest<A> asGet() {
        return new SmpRequest<>(type, null, attributeModifier, path, then, isUrgent, isBrief);
    }

    /** The same, ahead of all others to the device. */
    public SmpRequest<A> urgent() {
        return new SmpRequest<>(type, value, attributeModifier, path, then, true, isBrief);
    }

    /** The same to a device that left it unanswered before, so that nobody waits for it as long as for others. */
    public SmpRequest<A> brief() {
        return new SmpRequest<>(type, value, attributeModifier, path, then, isUrgent, true);
    }

    /** The same with another end. */
    public SmpRequest<A> then(Consumer<Outcome<A>> other) {
        return new SmpRequest<>(type, value, attributeModifier, path, other, isUrgent, isBrief);
    }

    /** The same by another route. */
    public SmpRequest<A> by(DrPath other) {
        return new SmpRequest<>(type, value, attributeModifier, other, then, isUrgent, isBrief);
    }

    /** Whether it writes. */
    public boolean isSet() {
        return value != null;
    }

    int method() {
        return value == null ? Method.GET : Method.SET;
    }
}
