package io.torussm.sa;

import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table by attribute ID, as long as the highest served ID. Requests have any ID of 16 bits. Immutable, apart from its
 * values.
 *
 * @param <T> value of an attribute
 */
final class AttributeIndex<T> {
    /** By attribute ID, up to the highest one; null for other attributes. */
    private final @Nullable Object[] valueOfId;

    private final List<AttributeType<?>> types;

    /**
     * Creates a table.
     *
     * @param values values of the served attributes
     * @throws IllegalArgumentException if two of them have the same attribute ID
     */
    AttributeIndex(Collection<T> values, Function<T, AttributeType<?>> typeOf) {
        int maxId = 0;
        for (T value : values) {
            maxId = Math.max(maxId, typeOf.apply(value).id());
        }
        valueOfId = new Object[maxId + 1];
        @Nullable AttributeType<?>[] typeOfId = new AttributeType<?>[maxId + 1];
        for (T value : values) {
            AttributeType<?> type = typeOf.apply(value);
            if (valueOfId[type.id()] != null) {
                throw new IllegalArgumentException(
                        "two handlers for attribute " + type.layout().name());
            }
            valueOfId[type.id()] = value;
            typeOfId[type.id()] = type;
        }
        // No stream, whose classes would load before the first SMP.
        List<AttributeType<?>> served = new ArrayList<>();
        for (AttributeType<?> type : typeOfId) {
            if (type != null) {
                served.add(type);
            }
        }
        types = List.copyOf(served);
    }

    /** Returns the served attributes, ascending by ID. */
    List<AttributeType<?>> types() {
        return types;
    }

    /** Returns the value for the attribute of a request; null if the attribute is not served. */
    @SuppressWarnings("unchecked") // the constructor stores values of this type only
    @Nullable
    T of(byte[] mad) {
        int id = MadHeader.attributeId(mad);
        return id < valueOfId.length ? (T) valueOfId[id] : null;
    }
}
