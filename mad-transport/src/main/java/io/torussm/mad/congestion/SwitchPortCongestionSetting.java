package io.torussm.mad.congestion;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.Arrays;

/**
 * SwitchPortCongestionSetting (IBA annex A10): exceptions of single ports from {@link SwitchCongestionSetting}.
 * AttributeModifier: the number of the block. A block has {@value #PORTS} ports, although ibccquery shows 48.
 */
public final class SwitchPortCongestionSetting extends Attribute<SwitchPortCongestionSetting> {
    /** Ports in a block. */
    public static final int PORTS = 32;

    private static final Layout L = new Layout("SwitchPortCongestionSetting", 128);
    public static final Field ELEMENTS = L.bits("SwitchPortCongestionSettingElements", 0, 1024);
    public static final AttributeType<SwitchPortCongestionSetting> TYPE =
            L.type(0x0015, SwitchPortCongestionSetting::new);

    private static final Layout E = new Layout("SwitchPortCongestionSettingElement", 4);
    public static final Field VALID = E.bits("Valid", 0, 1);

    /** 0: the element is about marking; 1: about credit starvation. */
    public static final Field CONTROL_TYPE = E.bits("Control_Type", 1, 1);

    static final Field RESERVED_2 = E.bits("reserved", 2, 2);
    public static final Field THRESHOLD = E.bits("Threshold", 4, 4);
    public static final Field PACKET_SIZE = E.bits("Packet_Size", 8, 8);
    public static final Field MARKING_RATE = E.bits("Cong_Parm_Marking_Rate", 16, 16);

    /** The declaration of the element of one port. */
    public static final Layout ELEMENT = E.complete();

    private SwitchPortCongestionSetting(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<SwitchPortCongestionSetting> type() {
        return TYPE;
    }

    /** Returns the bytes of one element, to be read by the fields of {@link #ELEMENT}. */
    public byte[] element(int index) {
        int at = index * ELEMENT.size();
        return Arrays.copyOfRange(toBytes(), at, at + ELEMENT.size());
    }
}
