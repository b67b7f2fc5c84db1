package io.torussm.subnet;

import io.torussm.event.DeviceText;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.SwitchInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** How far switches claim to forward LIDs, by LinearFDBCap (IBA 14.2.5.4). */
public final class LidReach {
    private LidReach() {}

    /** The slack for LIDs that were given at random: tables of 17 blocks are cheap. */
    private static final int SLACK = 1024;

    /**
     * Returns the highest LID that at least half of the switches claim to forward: the few below are outliers, not the
     * limit.
     */
    static int of(Fabric fabric) {
        int cap = median(fabric, SwitchInfo.LINEAR_FDB_CAP);
        return cap == 0 ? Lids.UNICAST_LAST : Math.min(Lids.UNICAST_LAST, cap - 1);
    }

    /**
     * Returns the highest reported LID that can be in use: at least half of the switches forward as far, or it does not
     * lie far beyond all others. One false LID would make every table reach to it.
     *
     * @param known the highest LID that is known to be in use
     * @param reported LIDs, ascending
     */
    static int plausible(Fabric fabric, int known, IntStream reported) {
        int forwarded = Math.max(known, median(fabric, SwitchInfo.LINEAR_FDB_TOP));
        return reported.reduce(
                forwarded, (top, lid) -> lid <= Math.max(forwarded, 2 * top + SLACK) ? Math.max(top, lid) : top);
    }

    /** Returns the upper median of the values that switches report, without zeros; 0 if all are zero. */
    private static int median(Fabric fabric, Field field) {
        int[] values = IntStream.range(0, fabric.switchCount())
                .map(sw -> value(fabric, sw, field))
                .filter(value -> value > 0)
                .sorted()
                .toArray();
        return values.length == 0 ? 0 : values[values.length / 2];
    }

    /**
     * Returns an event for each switch that claims to forward less than the LIDs in use. Its tables are written all the
     * same: a false claim does no harm then, and a switch that rejects the tables is left out for that.
     */
    public static List<Finding> outliers(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        List<Finding> outliers = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int cap = value(fabric, sw, SwitchInfo.LINEAR_FDB_CAP);
            if (cap > 0 && cap <= subnet.topLid()) {
                outliers.add(SmEvent.SWITCH_CLAIMS_FEW_LIDS.says(DeviceText.of(
                        fabric.device(sw),
                        " claims to forward LIDs up to " + (cap - 1) + " (LinearFDBCap " + cap + "), and LID "
                                + subnet.topLid() + " is in use; its tables are written nevertheless")));
            }
        }
        return outliers;
    }

    /** Returns the value; 0 if it is unknown. */
    private static int value(Fabric fabric, int sw, Field field) {
        SwitchInfo info = fabric.node(sw).switchInfo();
        return info == null ? 0 : (int) info.get(field);
    }
}
