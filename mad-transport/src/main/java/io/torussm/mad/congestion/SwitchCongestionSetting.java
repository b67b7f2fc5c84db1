package io.torussm.mad.congestion;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * SwitchCongestionSetting (IBA annex A10): the conditions under which a switch sets FECN in packets. AttributeModifier
 * 0. A Set changes only the fields whose bit of {@link #CONTROL_MAP} is 1.
 */
public final class SwitchCongestionSetting extends Attribute<SwitchCongestionSetting> {
    /** Control_Map bit: Victim_Mask is valid. */
    public static final int VICTIM_MASK_VALID = 1;

    /** Control_Map bit: Credit_Mask is valid. */
    public static final int CREDIT_MASK_VALID = 1 << 1;

    /** Control_Map bit: Threshold and Packet_Size are valid. */
    public static final int THRESHOLD_VALID = 1 << 2;

    /** Control_Map bit: CS_Threshold and CS_ReturnDelay are valid. */
    public static final int CREDIT_STARVATION_VALID = 1 << 3;

    /** Control_Map bit: Marking_Rate is valid. */
    public static final int MARKING_RATE_VALID = 1 << 4;

    private static final Layout L = new Layout("SwitchCongestionSetting", 76);

    /** Bits {@link #VICTIM_MASK_VALID} to {@link #MARKING_RATE_VALID}. */
    public static final Field CONTROL_MAP = L.bits("Control_Map", 0, 32);

    /** Ports that mark packets while they wait for credits; a big-endian number in which bit p is port p. */
    public static final Field VICTIM_MASK = L.bits("Victim_Mask", 32, 256);

    /** Ports to which CS_Threshold and CS_ReturnDelay apply, as {@link #VICTIM_MASK}. */
    public static final Field CREDIT_MASK = L.bits("Credit_Mask", 288, 256);

    /** Congestion threshold. 0: no marking; 1 (late) to 15 (early). */
    public static final Field THRESHOLD = L.bits("Threshold", 544, 4);

    static final Field RESERVED_548 = L.bits("reserved", 548, 4);

    /** Smaller packets are not marked; in units of 64 bytes. */
    public static final Field PACKET_SIZE = L.bits("Packet_Size", 552, 8);

    /** Threshold of credit starvation, as {@link #THRESHOLD}, for ports of {@link #CREDIT_MASK}. */
    public static final Field CS_THRESHOLD = L.bits("CS_Threshold", 560, 4);

    static final Field RESERVED_564 = L.bits("reserved", 564, 12);

    /** Delay of the return of credits by ports of {@link #CREDIT_MASK}: 2 bits of shift, then 14 bits of multiplier. */
    public static final Field CS_RETURN_DELAY = L.bits("CS_ReturnDelay", 576, 16);

    /** The mean number of eligible packets from one mark to the next. */
    public static final Field MARKING_RATE = L.bits("Marking_Rate", 592, 16);

    public static final AttributeType<SwitchCongestionSetting> TYPE = L.type(0x0014, SwitchCongestionSetting::new);

    private SwitchCongestionSetting(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<SwitchCongestionSetting> type() {
        return TYPE;
    }
}
