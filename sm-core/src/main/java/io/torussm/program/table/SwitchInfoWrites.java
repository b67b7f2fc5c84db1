package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.program.smp.SmpRequests;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadScope;
import io.torussm.transport.SmpRequest;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The programming of SwitchInfo: LinearFDBTop, MulticastFDBTop, LifeTimeValue, and PortStateChange, which a write of 1
 * clears (IBA 14.2.5.4). Owner thread: the loop.
 */
final class SwitchInfoWrites {
    /** The fields that a sweep writes, or that a write clears. */
    private static final List<Field> WRITTEN_FIELDS = List.of(
            SwitchInfo.LINEAR_FDB_TOP,
            SwitchInfo.LIFE_TIME_VALUE,
            SwitchInfo.MULTICAST_FDB_TOP,
            SwitchInfo.PORT_STATE_CHANGE);

    private final Fabric fabric;
    private final int topLid;
    private final DeviceTables[] tables;
    private final SmpRequests requests;
    private final MadScope scope;
    private final int lifeTimeValue;
    private final MulticastWrites multicast;
    private final IntConsumer onRestart;

    /** [switch] last confirmed SwitchInfo; null if nothing was written. */
    private final @Nullable SwitchInfo[] confirmed;

    /** Switches whose LinearFDBTop was raised before their blocks were written. */
    private final BitSet raisedSwitches = new BitSet();

    /** Switches with PortStateChange in their last response; a write clears the bit. */
    private final BitSet reportingSwitches = new BitSet();

    /**
     * Creates the writes.
     *
     * @param tables [node] known tables
     * @param scope scope of the requests
     * @param lifeTimeValue LifeTimeValue, 0 to 31: packets live 4.096 us * 2^value in a switch, without limit above 19
     * @param multicast the wanted MulticastFDBTop
     * @param hasRestarted receives each switch that lost its tables
     */
    SwitchInfoWrites(
            Subnet subnet,
            DeviceTables[] tables,
            SmpRequests requests,
            MadScope scope,
            int lifeTimeValue,
            MulticastWrites multicast,
            IntConsumer hasRestarted) {
        this.fabric = subnet.fabric();
        this.topLid = subnet.topLid();
        this.tables = tables;
        this.requests = requests;
        this.scope = scope;
        this.lifeTimeValue = lifeTimeValue;
        this.multicast = multicast;
        this.onRestart = hasRestarted;
        this.confirmed = new SwitchInfo[fabric.switchCount()];
    }

    /** Returns [switch] its confirmed SwitchInfo; null if nothing was written. */
    @Nullable
    SwitchInfo[] confirmed() {
        return confirmed;
    }

    /** Checks whether a switch had PortStateChange in its last response, so that a write clears it. */
    boolean hasReported(int sw) {
        return reportingSwitches.get(sw);
    }

    /**
     * Returns the request that raises LinearFDBTop of a switch without traffic before its blocks are written. All SMs
     * use this order, so on most devices it is untested whether blocks above LinearFDBTop can be written.
     * PortStateChange stays unchanged. The value is written even if the known value is high enough, because the switch
     * may have restarted after it was read.
     */
    @Nullable
    SmpRequest<?> raiseTop(int sw) {
        SwitchInfo current = fabric.node(sw).switchInfo();
        if (current == null) {
            return null;
        }
        raisedSwitches.set(sw);
        return set(sw, wanted(sw, current).with(SwitchInfo.PORT_STATE_CHANGE, 0), true);
    }

    /**
     * Returns the request that writes the remaining fields after all tables are in place; null if it is unnecessary. A
     * switch whose LinearFDBTop was raised first is read first, to find a restart.
     */
    @Nullable
    SmpRequest<?> write(int sw) {
        SwitchInfo current = fabric.node(sw).switchInfo();
        if (current == null || (raisedSwitches.get(sw) && confirmed[sw] == null)) {
            return null;
        }
        return raisedSwitches.get(sw)
                ? requests.get(SwitchInfo.TYPE, sw, 0, held -> onSwitchInfo(sw, held))
                : write(sw, current);
    }

    /**
     * Returns a SwitchInfo with the written fields of a response and the other fields of an earlier value. A response
     * is read once and may be damaged; the next write would make the damage permanent.
     *
     * @param read the earlier value, which discovery read twice if it was new
     */
    static SwitchInfo withWrittenFields(SwitchInfo read, SwitchInfo answer) {
        SwitchInfo merged = read;
        for (Field field : WRITTEN_FIELDS) {
            merged = merged.with(field, answer.get(field));
        }
        return merged;
    }

    /** Handles the SwitchInfo of a switch. A lower LinearFDBTop shows that the switch restarted and lost its tables. */
    private void onSwitchInfo(int sw, SwitchInfo current) {
        if (!isTopHighEnough(current)) {
            onRestart.accept(sw);
            return;
        }
        SwitchInfo read = fabric.node(sw).switchInfo();
        SmpRequest<?> rest = write(sw, read == null ? current : withWrittenFields(read, current));
        if (rest != null) {
            scope.submit(rest);
        }
    }

    /** Returns the request that writes changed fields or clears PortStateChange; null if neither is necessary. */
    private @Nullable SmpRequest<?> write(int sw, SwitchInfo current) {
        if (current.portStateChange()) {
            reportingSwitches.set(sw);
        }
        SwitchInfo wanted = wanted(sw, current);
        if (wanted.equals(current) && !current.portStateChange()) {
            tables[sw].setSwitchInfo(current);
            return null;
        }
        return set(sw, wanted, !isTopHighEnough(current));
    }

    private SwitchInfo wanted(int sw, SwitchInfo current) {
        int multicastTop = multicast.top(sw).orElse((int) current.get(SwitchInfo.MULTICAST_FDB_TOP));
        return current.with(SwitchInfo.LINEAR_FDB_TOP, topLid)
                .with(SwitchInfo.LIFE_TIME_VALUE, lifeTimeValue)
                .with(SwitchInfo.MULTICAST_FDB_TOP, multicastTop);
    }

    private boolean isTopHighEnough(SwitchInfo info) {
        return info.linearFdbTop() >= topLid;
    }

    /**
     * Returns a Set of SwitchInfo. LIDs above LinearFDBTop are not forwarded, so the proof relies on this field, but
     * not on the other fields.
     */
    private SmpRequest<?> set(int sw, SwitchInfo wanted, boolean raisesTop) {
        tables[sw].setSwitchInfo(null);
        Consumer<SwitchInfo> held = answer -> {
            SwitchInfo info = withWrittenFields(wanted, answer);
            confirmed[sw] = info;
            tables[sw].setSwitchInfo(info);
        };
        return requests.set(sw, wanted, 0, raisesTop ? SmpRequests.Harm.ROUTES : SmpRequests.Harm.DEVICE, held);
    }
}
