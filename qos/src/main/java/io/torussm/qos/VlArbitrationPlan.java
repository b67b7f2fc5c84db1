package io.torussm.qos;

import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.LinkSettings;
import java.util.ArrayList;
import java.util.List;

/** Fits the operator's VL arbitration to what a device can hold. */
public final class VlArbitrationPlan implements VlArbitrationPolicy {
    private final QosSettings settings;

    /** A plan from settings. */
    public VlArbitrationPlan(QosSettings settings) {
        this.settings = settings;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Entries for VLs that the port does not operate are left out. Low-priority entries that do not fit are moved to
     * free room in the high-priority table, so that no VL is starved; then the limit of high priority is that of one
     * packet unless the settings say otherwise.
     */
    @Override
    public Tables tables(PortClass portClass, int lowCap, int highCap, int operationalVls) {
        QosSettings.Arbitration wanted = settings.of(portClass);
        int vls = LinkSettings.dataVls(operationalVls);
        List<VlWeight> low = operated(wanted.low(), vls);
        List<VlWeight> high = operated(wanted.high(), vls);
        List<VlWeight> fitting = low.subList(0, Math.min(low.size(), lowCap));
        high.addAll(low.subList(fitting.size(), low.size()));
        high = high.subList(0, Math.min(high.size(), highCap));
        return new Tables(part(fitting, 0), part(fitting, 1), part(high, 0), part(high, 1), wanted.highLimit());
    }

    private static List<VlWeight> operated(List<VlWeight> entries, int vls) {
        List<VlWeight> operated = new ArrayList<>(entries);
        operated.removeIf(entry -> entry.vl() >= vls);
        return operated;
    }

    /** Half of a table; entries behind the last are VL 0 with weight 0, which arbitration skips. */
    private static VlArbitrationTable part(List<VlWeight> entries, int half) {
        byte[] bytes = new byte[2 * VlArbitrationTable.ENTRIES_PER_PART];
        int from = half * VlArbitrationTable.ENTRIES_PER_PART;
        for (int i = 0; i < VlArbitrationTable.ENTRIES_PER_PART && from + i < entries.size(); i++) {
            bytes[2 * i] = (byte) entries.get(from + i).vl();
            bytes[2 * i + 1] = (byte) entries.get(from + i).weight();
        }
        return VlArbitrationTable.TYPE.read(bytes, 0);
    }
}
