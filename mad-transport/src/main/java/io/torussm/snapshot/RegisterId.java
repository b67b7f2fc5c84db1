package io.torussm.snapshot;

import io.torussm.mad.AttributeType;
import java.util.Comparator;

/**
 * The identity of a register of a device: the parameters of a Get of subnet management (IBA 14.2.5). The order is by
 * attribute, port, and unsigned modifier.
 *
 * @param attributeId attribute ID, such as 0x0015 for PortInfo
 * @param modifier AttributeModifier: port, block or row; without the bit for support of extended speeds
 * @param port port of a channel adapter or router that receives the Get, since each port has its own tables; 0 for a
 *     switch
 */
public record RegisterId(int attributeId, int modifier, int port) implements Comparable<RegisterId> {
    private static final Comparator<RegisterId> ORDER = Comparator.comparingInt(RegisterId::attributeId)
            .thenComparingInt(RegisterId::port)
            .thenComparing(RegisterId::modifier, Integer::compareUnsigned);

    /** Returns the identity of a register of an attribute. */
    public static RegisterId of(AttributeType<?> type, int modifier, int port) {
        return new RegisterId(type.id(), modifier, port);
    }

    @Override
    public int compareTo(RegisterId other) {
        return ORDER.compare(this, other);
    }
}
