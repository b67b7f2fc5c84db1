package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An unsent SubnGet or SubnSet with a directed route.
 *
 * @param type attribute
 * @param value content of a Set; null for a Get
 * @param attributeModifier AttributeModifier: port, block or row, depending on the attribute
 * @param path route to the device, which also identifies the device's window
 * @param continuation continuation, called exactly once, on the loop
 * @param isUrgent true if the request precedes all others to the device, even while earlier ones are in flight
 * @param isBrief true if no response is likely: the request is sent at most twice
 * @param hasMKey true if the request has the M_Key of the destination port; false if a program reads the MAD instead
 *     of the port's agent
 */
public record SmpRequest<A extends Attribute<A>>(
        AttributeType<A> type,
        @Nullable A value,
        int attributeModifier,
        DrPath path,
        Consumer<Outcome<A>> continuation,
        boolean isUrgent,
        boolean isBrief,
        boolean hasMKey) {

    /** Returns a SubnGet. */
    public static <A extends Attribute<A>> SmpRequest<A> get(
            AttributeType<A> type, DrPath path, int attributeModifier, Consumer<Outcome<A>> then) {
        return new SmpRequest<>(type, null, attributeModifier, path, then, false, false, true);
    }

    /** Returns a SubnSet. */
    public static <A extends Attribute<A>> SmpRequest<A> set(
            A value, DrPath path, int attributeModifier, Consumer<Outcome<A>> then) {
        return new SmpRequest<>(value.type(), value, attributeModifier, path, then, false, false, true);
    }

    /** Returns a Get with this attribute, modifier and route. */
    public SmpRequest<A> asGet() {
        return new SmpRequest<>(type, null, attributeModifier, path, continuation, isUrgent, isBrief, hasMKey);
    }

    /** Returns a copy that precedes all other requests to the device. */
    public SmpRequest<A> urgent() {
        return new SmpRequest<>(type, value, attributeModifier, path, continuation, true, isBrief, hasMKey);
    }

    /** Returns a copy with at most two tries, for a device that did not respond before. */
    public SmpRequest<A> brief() {
        return new SmpRequest<>(type, value, attributeModifier, path, continuation, isUrgent, true, hasMKey);
    }

    /** Returns a copy with M_Key 0, for a receiver that must not see the key. */
    public SmpRequest<A> withoutKey() {
        return new SmpRequest<>(type, value, attributeModifier, path, continuation, isUrgent, isBrief, false);
    }

    /** Returns a copy with another continuation. */
    public SmpRequest<A> continuation(Consumer<Outcome<A>> other) {
        return new SmpRequest<>(type, value, attributeModifier, path, other, isUrgent, isBrief, hasMKey);
    }

    /** Returns a copy with another route. */
    public SmpRequest<A> withPath(DrPath other) {
        return new SmpRequest<>(type, value, attributeModifier, other, continuation, isUrgent, isBrief, hasMKey);
    }

    /** Checks whether this is a Set. */
    public boolean isSet() {
        return value != null;
    }

    int method() {
        return value == null ? Method.GET : Method.SET;
    }
}
