package io.torussm.sim.model;

import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.Smp;

/**
 * A false value in the responses of one agent. The device itself works with the true value. Immutable.
 *
 * @param attributeId attribute ID such as 0x0015; responses to Get and to Set have the false value
 * @param field field of the attribute
 * @param value false value, truncated to the width of the field
 * @param probability probability that a response is false, 0 to 1
 * @param fromNs begin of the false responses, since power-up of the fabric
 * @param untilNs end (exclusive) of the false responses, since power-up of the fabric
 */
public record FalseValue(int attributeId, Field field, long value, double probability, long fromNs, long untilNs) {
    private static final int BITS = 8;

    /** Rejects a probability out of range. */
    public FalseValue {
        FaultPlan.checkProbability("probability", probability);
    }

    /** Returns a false value of a field in all responses. */
    public static FalseValue of(int attributeId, Field field, long value) {
        return new FalseValue(attributeId, field, value, 1, 0, Long.MAX_VALUE);
    }

    /**
     * Returns a false value of a byte in all responses.
     *
     * @param index index of the byte in the attribute, 0 to 63
     */
    public static FalseValue ofByte(int attributeId, int index, int value) {
        if (index < 0 || index >= Smp.DATA_SIZE) {
            throw new IllegalArgumentException("byte " + index + " is not 0 to " + (Smp.DATA_SIZE - 1));
        }
        return of(attributeId, new Field("byte " + index, BITS * index, BITS), value);
    }

    /** Returns a copy with another probability. */
    public FalseValue with(double chance) {
        return new FalseValue(attributeId, field, value, chance, fromNs, untilNs);
    }

    /** Returns a copy for a limited time since power-up of the fabric. */
    public FalseValue during(long beginNs, long endNs) {
        return new FalseValue(attributeId, field, value, probability, beginNs, endNs);
    }

    /**
     * Checks whether this value applies to a response.
     *
     * @param sinceNs time since power-up of the fabric
     */
    boolean matches(byte[] mad, long sinceNs) {
        return sinceNs >= fromNs && sinceNs < untilNs && MadHeader.attributeId(mad) == attributeId;
    }

    /** Writes the false value into a response. */
    void writeTo(byte[] mad) {
        field.set(mad, Smp.DATA_OFFSET, field.width() == Long.SIZE ? value : value & (1L << field.width()) - 1);
    }
}
