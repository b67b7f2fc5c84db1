package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.model.FaultPlan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A watcher receives the Sets that change a register, and no others. */
class SetWatcherTest {
    private final RowFabric row = new RowFabric(FaultPlan.NONE);
    private final List<Change> changes = new ArrayList<>();

    private record Change(long nodeGuid, int portNum, int attributeId, int modifier, byte[] before, byte[] after) {}

    private void watch() {
        row.configure();
        row.fabric.watch((nodeGuid, portNum, attributeId, modifier, before, after) ->
                changes.add(new Change(nodeGuid, portNum, attributeId, modifier, before, after)));
    }

    @Test
    void noticesAnEntryThatIsChangedAndChangedBack() {
        watch();
        byte[] lft = RowFabric.lft(1);
        byte kept = lft[RowFabric.SM_LID];
        lft[RowFabric.SM_LID] = LinearForwardingTable.NO_PATH_ENTRY;
        row.sm.set(LinearForwardingTable.blockOf(lft, 0), 0, RowFabric.toSwitch(1));
        row.sm.set(LinearForwardingTable.blockOf(RowFabric.lft(1), 0), 0, RowFabric.toSwitch(1));
        assertThat(changes).hasSize(2).allSatisfy(change -> {
            assertThat(change.nodeGuid).isEqualTo(RowFabric.switchGuid(1));
            assertThat(change.portNum).isZero();
            assertThat(change.attributeId).isEqualTo(LinearForwardingTable.TYPE.id());
            assertThat(change.modifier).isZero();
        });
        assertThat(changes.get(0).before[RowFabric.SM_LID]).isEqualTo(kept);
        assertThat(changes.get(0).after[RowFabric.SM_LID]).isEqualTo(LinearForwardingTable.NO_PATH_ENTRY);
        assertThat(changes.get(1).after).isEqualTo(changes.get(0).before);
    }

    @Test
    void hearsNothingOfSetsThatChangeNothing() {
        watch();
        row.sm.set(LinearForwardingTable.blockOf(RowFabric.lft(1), 0), 0, RowFabric.toSwitch(1));
        row.sm.get(PortInfo.TYPE, 0, RowFabric.toSwitch(1));
        assertThat(changes).isEmpty();
    }

    @Test
    void knowsThePortOfAHost() {
        watch();
        PortInfo info = row.fabric.portInfo(RowFabric.hostGuid(2), 1);
        row.sm.set(
                info.with(PortInfo.SUBNET_TIME_OUT, 7)
                        .with(PortInfo.PORT_STATE, 0)
                        .with(PortInfo.PORT_PHYSICAL_STATE, 0),
                1,
                RowFabric.toHost(2));
        assertThat(changes).hasSize(1);
        assertThat(changes.get(0).nodeGuid).isEqualTo(RowFabric.hostGuid(2));
        assertThat(changes.get(0).portNum).isEqualTo(1);
        assertThat(PortInfo.TYPE.read(changes.get(0).after, 0).get(PortInfo.SUBNET_TIME_OUT))
                .isEqualTo(7);
    }
}
