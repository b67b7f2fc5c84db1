package io.torussm.congestion;

import io.torussm.mad.Attribute;
import io.torussm.mad.Field;
import io.torussm.mad.FieldMask;
import io.torussm.mad.congestion.CaCongestionSetting;
import io.torussm.mad.congestion.CongestionControlTable;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import java.util.ArrayList;
import java.util.List;

/**
 * One attribute that a device should have.
 *
 * @param value content of a Set
 * @param modifier AttributeModifier
 * @param valid fields that the Set changes; others may differ
 */
record CongestionStep<A extends Attribute<A>>(A value, int modifier, FieldMask valid) {
    /** Checks whether a device has the wanted content. */
    boolean isDone(A present) {
        return present.isEqualIn(value, valid);
    }

    /** Returns the steps of a switch. A Control_Map of 0 changes nothing. */
    static List<CongestionStep<?>> ofSwitch(CongestionOptions options) {
        SwitchCongestionSetting wanted = options.marking().attribute();
        long map = wanted.get(SwitchCongestionSetting.CONTROL_MAP);
        List<Field> valid = new ArrayList<>();
        add(valid, map, SwitchCongestionSetting.VICTIM_MASK_VALID, SwitchCongestionSetting.VICTIM_MASK);
        add(valid, map, SwitchCongestionSetting.CREDIT_MASK_VALID, SwitchCongestionSetting.CREDIT_MASK);
        add(
                valid,
                map,
                SwitchCongestionSetting.THRESHOLD_VALID,
                SwitchCongestionSetting.THRESHOLD,
                SwitchCongestionSetting.PACKET_SIZE);
        add(
                valid,
                map,
                SwitchCongestionSetting.CREDIT_STARVATION_VALID,
                SwitchCongestionSetting.CS_THRESHOLD,
                SwitchCongestionSetting.CS_RETURN_DELAY);
        add(valid, map, SwitchCongestionSetting.MARKING_RATE_VALID, SwitchCongestionSetting.MARKING_RATE);
        return List.of(new CongestionStep<>(wanted, 0, new FieldMask(SwitchCongestionSetting.TYPE, valid)));
    }

    private static void add(List<Field> to, long map, int bit, Field... fields) {
        if ((map & bit) != 0) {
            to.addAll(List.of(fields));
        }
    }

    /** Returns the steps of a port of a channel adapter: its setting, then the blocks of its table. */
    static List<CongestionStep<?>> ofAdapter(CongestionOptions options) {
        CaCongestionSetting wanted = options.reaction().attribute();
        long map = wanted.get(CaCongestionSetting.CONTROL_MAP);
        List<Field> valid = new ArrayList<>(List.of(CaCongestionSetting.PORT_CONTROL));
        for (int sl = 0; sl < CaCongestionSetting.SLS; sl++) {
            CaCongestionSetting.Entry entry = CaCongestionSetting.entry(sl);
            add(valid, map, 1 << sl, entry.timer(), entry.increase(), entry.triggerThreshold(), entry.minimum());
        }
        List<CongestionStep<?>> steps = new ArrayList<>();
        steps.add(new CongestionStep<>(wanted, 0, new FieldMask(CaCongestionSetting.TYPE, valid)));
        FieldMask all = new FieldMask(
                CongestionControlTable.TYPE,
                List.of(CongestionControlTable.CCTI_LIMIT, CongestionControlTable.ENTRY_LIST));
        List<CongestionControlTable> blocks = options.table();
        for (int block = 0; block < blocks.size(); block++) {
            steps.add(new CongestionStep<>(blocks.get(block), block, all));
        }
        return steps;
    }
}
