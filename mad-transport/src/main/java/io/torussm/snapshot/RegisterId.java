package io.torussm.snapshot;

import io.torussm.mad.AttributeType;
import java.util.Comparator;

/**
 * Which register of a device: what a Get of subnet management asks for (IBA 14.2.5).
 *
 * @param attributeId such as 0x0015 for PortInfo
 * @param modifier AttributeModifier: port, block or row; without the bit by which extended speeds are asked for
 * @param port of a channel adapter or router, by which the Get comes in, since each port has tables of its own; 0 for a switch
 */
public record RegisterId(int attributeId, int modifier, int port) implements Comparable<RegisterId> {
    private static final Comparator<RegisterId> ORDER = Comparator.comparingInt(RegisterId::attributeId)
            .thenComparingInt(RegisterId::port)
            .thenComparing(RegisterId::modifier, Integer::compareUnsigned);

    /** A register of an attribute. */
    public static RegisterId of(AttributeType<?> type, int modifier, int port) {
        return new RegisterId(type.id(), modifier, port);
    }

    @Override
    public int compareTo(RegisterId other) {
        return ORDER.compare(this, other);
    }
}
