package io.torussm.mad.perf;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.List;

/** PortRcvErrorDetails (IBA 16.1.4.3): the causes of PortRcvErrors. Optional. AttributeModifier is 0. */
public final class PortRcvErrorDetails extends Attribute<PortRcvErrorDetails> {
    private static final Layout L = new Layout("PortRcvErrorDetails", 16);
    static final Field RESERVED_0 = L.bits("reserved", 0, 8);
    public static final Field PORT_SELECT = L.bits("PortSelect", 8, 8);
    public static final Field COUNTER_SELECT = L.bits("CounterSelect", 16, 16);
    public static final Field PORT_LOCAL_PHYSICAL_ERRORS = L.bits("PortLocalPhysicalErrors", 32, 16);
    public static final Field PORT_MALFORMED_PKT_ERRORS = L.bits("PortMalformedPktErrors", 48, 16);
    public static final Field PORT_BUFFER_OVERRUN_ERRORS = L.bits("PortBufferOverrunErrors", 64, 16);
    public static final Field PORT_DLID_MAPPING_ERRORS = L.bits("PortDLIDMappingErrors", 80, 16);
    public static final Field PORT_VL_MAPPING_ERRORS = L.bits("PortVLMappingErrors", 96, 16);
    public static final Field PORT_LOOPING_ERRORS = L.bits("PortLoopingErrors", 112, 16);
    public static final AttributeType<PortRcvErrorDetails> TYPE = L.type(0x0015, PortRcvErrorDetails::new);

    /** The counters in the order of their bits in CounterSelect. */
    public static final CounterSet<PortRcvErrorDetails> COUNTERS = new CounterSet<>(
            TYPE,
            PORT_SELECT,
            new CounterSet.Part(
                    COUNTER_SELECT,
                    List.of(
                            PORT_LOCAL_PHYSICAL_ERRORS,
                            PORT_MALFORMED_PKT_ERRORS,
                            PORT_BUFFER_OVERRUN_ERRORS,
                            PORT_DLID_MAPPING_ERRORS,
                            PORT_VL_MAPPING_ERRORS,
                            PORT_LOOPING_ERRORS)));

    private PortRcvErrorDetails(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<PortRcvErrorDetails> type() {
        return TYPE;
    }
}
