package io.torussm.subnet;

import io.torussm.event.DeviceText;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SwitchInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The highest LID that switches claim to forward, by LinearFDBCap (IBA 14.2.5.4). A false claim of one switch is
 * ignored.
 */
public final class LidReach {
    private LidReach() {}

    /** The distance from other LIDs within which a LID is plausible, because tables of 17 blocks are cheap. */
    private static final int SLACK = 1024;

    /**
     * Returns the highest LID that at least half of the switches claim to forward. Switches that claim less are
     * outliers.
     */
    public static int of(Fabric fabric) {
        int cap = median(fabric, SwitchInfo.LINEAR_FDB_CAP);
        return cap == 0 ? Lids.UNICAST_LAST : Math.min(Lids.UNICAST_LAST, cap - 1);
    }

    /**
     * Returns the highest reported LID that can be in use: at least half of the switches forward it (LinearFDBTop), or
     * it is not far above all lower LIDs. Otherwise one false LID would enlarge all tables.
     *
     * @param known the highest LID that is known to be in use
     * @param reported LIDs that ports report, ascending
     */
    static int plausible(Fabric fabric, int known, IntStream reported) {
        int forwarded = Math.max(known, forwarded(fabric));
        return reported.reduce(
                forwarded, (top, lid) -> lid <= Math.max(forwarded, plausibleAbove(top)) ? Math.max(top, lid) : top);
    }

    /** Returns the highest LID that at least half of the switches forward (LinearFDBTop); 0 if none reports one. */
    public static int forwarded(Fabric fabric) {
        return median(fabric, SwitchInfo.LINEAR_FDB_TOP);
    }

    /** Returns the highest plausible LID of a subnet that has a LID and those below it. */
    public static int plausibleAbove(int lid) {
        return 2 * lid + SLACK;
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

    /** Returns the last LID of the block of a LID, or the last one that no switch excludes which forwards the LID. */
    static int endOfBlock(Fabric fabric, int lid) {
        int end = lid | (LinearForwardingTable.LIDS_PER_BLOCK - 1);
        return IntStream.range(0, fabric.switchCount())
                .map(sw -> value(fabric, sw, SwitchInfo.LINEAR_FDB_CAP) - 1)
                .filter(last -> last >= lid)
                .reduce(Math.min(Lids.UNICAST_LAST, end), Math::min);
    }

    /**
     * Returns an event for each switch that claims not to forward all LIDs in use. Its tables are written nevertheless:
     * a false claim then does no harm, and quarantine excludes a switch that rejects the tables.
     */
    public static List<Finding> outliers(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        List<Finding> outliers = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int cap = value(fabric, sw, SwitchInfo.LINEAR_FDB_CAP);
            if (cap > 0 && cap <= subnet.topLid()) {
                outliers.add(SmEvent.SWITCH_CLAIMS_FEW_LIDS.finding(DeviceText.of(
                        fabric.device(sw),
                        " claims to forward LIDs up to " + (cap - 1) + " (LinearFDBCap " + cap + "), and LID "
                                + subnet.topLid() + " is in use; its tables are written nevertheless")));
            }
        }
        return outliers;
    }

    /** Returns the value of a field of SwitchInfo; 0 if unknown. */
    private static int value(Fabric fabric, int sw, Field field) {
        SwitchInfo info = fabric.node(sw).switchInfo();
        return info == null ? 0 : (int) info.get(field);
    }
}
