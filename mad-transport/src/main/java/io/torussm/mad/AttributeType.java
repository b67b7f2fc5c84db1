package io.torussm.mad;

import java.util.Arrays;
import java.util.function.Function;

/**
 * The layout, ID and constructor of an attribute.
 *
 * @param layout fields of the attribute
 * @param id AttributeID in the MAD header
 * @param constructor constructor with exactly {@code layout.size()} bytes, which the attribute then owns
 * @param <A> type of the attribute
 */
public record AttributeType<A extends Attribute<A>>(Layout layout, int id, Function<byte[], A> constructor) {

    /**
     * Returns a copy of an attribute in a longer buffer.
     *
     * @param offset first byte of the attribute
     * @throws IndexOutOfBoundsException if the buffer ends before the attribute does
     */
    public A read(byte[] buffer, int offset) {
        if (offset < 0 || buffer.length - offset < layout.size()) {
            throw new IndexOutOfBoundsException(layout.name() + " needs " + layout.size() + " bytes from " + offset
                    + ", the buffer has " + buffer.length);
        }
        return constructor.apply(Arrays.copyOfRange(buffer, offset, offset + layout.size()));
    }

    /** Returns an attribute with every bit zero. */
    public A zero() {
        return constructor.apply(new byte[layout.size()]);
    }
}
