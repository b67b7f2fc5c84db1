package io.torussm.mad.congestion;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * CACongestionSetting (IBA annex A10): how a port of a channel adapter slows down its flows when it is notified of
 * congestion. It has an entry for each SL. AttributeModifier 0.
 */
public final class CaCongestionSetting extends Attribute<CaCongestionSetting> {
    /** Entries, one for each SL. */
    public static final int SLS = 16;

    private static final Layout L = new Layout("CACongestionSetting", 132);

    /** Bit 0: control by SL and port instead of by QP. */
    public static final Field PORT_CONTROL = L.bits("Port_Control", 0, 16);

    /** Bit s: a Set changes the entry of SL s. */
    public static final Field CONTROL_MAP = L.bits("Control_Map", 16, 16);

    private static final List<Entry> ENTRIES = entries();
    public static final AttributeType<CaCongestionSetting> TYPE = L.type(0x0016, CaCongestionSetting::new);

    /**
     * The fields of the entry of one SL.
     *
     * @param timer CCTI_Timer: time until the index falls by one, in units of 1.024 us; 0 for no control
     * @param increase CCTI_Increase: the rise of the index with each notification
     * @param triggerThreshold Trigger_Threshold: the index that is logged; 0 for never
     * @param minimum CCTI_Min: the lowest index
     */
    public record Entry(Field timer, Field increase, Field triggerThreshold, Field minimum) {}

    private CaCongestionSetting(byte[] bytes) {
        super(bytes);
    }

    private static List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (int sl = 0; sl < SLS; sl++) {
            int at = 32 + 64 * sl;
            entries.add(new Entry(
                    L.bits("CCTI_Timer" + sl, at, 16),
                    L.bits("CCTI_Increase" + sl, at + 16, 8),
                    L.bits("Trigger_Threshold" + sl, at + 24, 8),
                    L.bits("CCTI_Min" + sl, at + 32, 8)));
            L.bits("reserved" + sl, at + 40, 24);
        }
        return List.copyOf(entries);
    }

    /** Returns the fields of the entry of an SL, 0 to 15. */
    public static Entry entry(int sl) {
        return ENTRIES.get(sl);
    }

    @Override
    public AttributeType<CaCongestionSetting> type() {
        return TYPE;
    }
}
