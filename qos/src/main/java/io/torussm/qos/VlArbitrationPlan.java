package io.torussm.qos;

import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.LinkSettings;
import java.util.ArrayList;
import java.util.List;

/** The policy that adapts the operator's VL arbitration to the tables of a device. Immutable. */
public final class VlArbitrationPlan implements VlArbitrationPolicy {
    private final QosSettings settings;

    /** Creates a plan from settings. */
    public VlArbitrationPlan(QosSettings settings) {
        this.settings = settings;
    }

    /** Returns the VL arbitration for a plan: that for torus-2QoS if its engine chooses VLs. */
    public static VlArbitrationPlan forRouting(Plan routing, QosOptions options) {
        return new VlArbitrationPlan(routing.hasOwnSl2Vl() ? options.settings() : options.plainSettings());
    }

    /**
     * {@inheritDoc}
     *
     * <p>Entries without weight, and entries for VLs that are not operational at the port, are omitted. Every other
     * VL of the settings keeps weight in one of the tables if both tables together have enough entries. Entries that
     * do not fit move by whole QoS levels if possible.
     */
    @Override
    public Tables tables(PortClass portClass, int lowCap, int highCap, int operationalVls) {
        QosSettings.Arbitration wanted = settings.of(portClass);
        int vls = LinkSettings.dataVls(operationalVls);
        TableFit fit = new TableFit(
                withinOperationalVls(wanted.low(), vls),
                withinOperationalVls(wanted.high(), vls),
                Math.min(lowCap, VlWeight.MAX_ENTRIES),
                Math.min(highCap, VlWeight.MAX_ENTRIES),
                vl -> QosSettings.level(portClass, vl));
        return new Tables(
                part(fit.low(), 0), part(fit.low(), 1), part(fit.high(), 0), part(fit.high(), 1), wanted.highLimit());
    }

    private static List<VlWeight> withinOperationalVls(List<VlWeight> entries, int vls) {
        List<VlWeight> operated = new ArrayList<>(entries);
        operated.removeIf(entry -> entry.vl() >= vls);
        return operated;
    }

    /** Returns half of a table (0 or 1). Unused entries are VL 0 with weight 0, which arbitration skips. */
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
