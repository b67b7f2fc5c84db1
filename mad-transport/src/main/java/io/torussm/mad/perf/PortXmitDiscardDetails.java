package io.torussm.mad.perf;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.List;

/** PortXmitDiscardDetails (IBA 16.1.4.4): the causes of PortXmitDiscards. Optional. AttributeModifier is 0. */
public final class PortXmitDiscardDetails extends Attribute<PortXmitDiscardDetails> {
    private static final Layout L = new Layout("PortXmitDiscardDetails", 12);
    static final Field RESERVED_0 = L.bits("reserved", 0, 8);
    public static final Field PORT_SELECT = L.bits("PortSelect", 8, 8);
    public static final Field COUNTER_SELECT = L.bits("CounterSelect", 16, 16);
    public static final Field PORT_INACTIVE_DISCARDS = L.bits("PortInactiveDiscards", 32, 16);
    public static final Field PORT_NEIGHBOR_MTU_DISCARDS = L.bits("PortNeighborMTUDiscards", 48, 16);
    public static final Field PORT_SW_LIFETIME_LIMIT_DISCARDS = L.bits("PortSwLifetimeLimitDiscards", 64, 16);
    public static final Field PORT_SW_HOQ_LIFETIME_LIMIT_DISCARDS = L.bits("PortSwHOQLifetimeLimitDiscards", 80, 16);
    public static final AttributeType<PortXmitDiscardDetails> TYPE = L.type(0x0016, PortXmitDiscardDetails::new);

    /** The counters in the order of their bits in CounterSelect. */
    public static final CounterSet<PortXmitDiscardDetails> COUNTERS = new CounterSet<>(
            TYPE,
            PORT_SELECT,
            new CounterSet.Part(
                    COUNTER_SELECT,
                    List.of(
                            PORT_INACTIVE_DISCARDS,
                            PORT_NEIGHBOR_MTU_DISCARDS,
                            PORT_SW_LIFETIME_LIMIT_DISCARDS,
                            PORT_SW_HOQ_LIFETIME_LIMIT_DISCARDS)));

    private PortXmitDiscardDetails(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<PortXmitDiscardDetails> type() {
        return TYPE;
    }
}
