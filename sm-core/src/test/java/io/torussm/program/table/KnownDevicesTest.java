package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.testing.Sketch;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The known tables of two switches and of a host with a port at each. */
class KnownDevicesTest {
    private static final int SWITCH = 0;
    private static final int HOST = 2;

    private final KnownDevices devices = new KnownDevices();

    private static Fabric fabric(int portState) {
        Sketch sketch = new Sketch();
        sketch.addSwitch("a", 4);
        sketch.addSwitch("b", 4);
        sketch.link(0, 1, 1, 1);
        sketch.addHost(new int[][] {{0, 2}, {1, 2}});
        Fabric fabric = sketch.build();
        for (int node = 0; node <= HOST; node++) {
            for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
                fabric = with(fabric, node, portNum, portState);
            }
        }
        return fabric;
    }

    private static Fabric with(Fabric fabric, int node, int portNum, int portState) {
        int port = fabric.port(node, portNum);
        PortInfo info = Objects.requireNonNull(fabric.portInfo(port));
        return fabric.with(port, info.with(PortInfo.PORT_STATE, portState));
    }

    @Test
    void tablesOfADeviceWithTrafficAreKept() {
        Fabric active = fabric(PortInfo.STATE_ACTIVE);
        assertThat(devices.knows(active, SWITCH)).isFalse();
        DeviceTables tables = devices.recall(active, SWITCH);
        assertThat(devices.knows(active, SWITCH)).isTrue();
        assertThat(devices.recall(active, SWITCH)).isSameAs(tables);
        assertThat(devices.tables(active.nodeGuid(SWITCH))).isSameAs(tables);
        Fabric oneUp = with(fabric(PortInfo.STATE_INITIALIZE), SWITCH, 4, PortInfo.STATE_ARMED);
        assertThat(devices.recall(oneUp, SWITCH)).as("its last port is up").isSameAs(tables);
    }

    @Test
    void tablesOfADeviceWithoutTrafficAreEmpty() {
        Fabric active = fabric(PortInfo.STATE_ACTIVE);
        DeviceTables tables = devices.recall(active, SWITCH);
        Fabric cold = fabric(PortInfo.STATE_INITIALIZE);
        DeviceTables empty = devices.recall(cold, SWITCH);
        assertThat(empty).isNotSameAs(tables);
        assertThat(devices.recall(active, SWITCH)).isSameAs(empty);
    }

    @Test
    void tablesOfADeviceWithAnotherTopAreEmpty() {
        Fabric active = fabric(PortInfo.STATE_ACTIVE);
        SwitchInfo info = Objects.requireNonNull(active.node(SWITCH).switchInfo());
        DeviceTables tables = devices.recall(active, SWITCH);
        tables.setSwitchInfo(info);
        @Nullable SwitchInfo[] infos = {info.with(SwitchInfo.LINEAR_FDB_TOP, 77), null};
        Fabric restarted = active.with(infos);
        assertThat(devices.isAsProgrammed(active.nodeGuid(SWITCH), info)).isTrue();
        assertThat(devices.isAsProgrammed(active.nodeGuid(SWITCH), Objects.requireNonNull(infos[0])))
                .isFalse();
        assertThat(devices.knows(restarted, SWITCH)).isFalse();
        assertThat(devices.recall(restarted, SWITCH)).isNotSameAs(tables);
        assertThat(devices.isAsProgrammed(active.nodeGuid(SWITCH), Objects.requireNonNull(infos[0])))
                .as("no SwitchInfo is known")
                .isTrue();
    }

    /** A host can reset its ports one by one. */
    @Test
    void tablesOfAPortOfAHostThatIsNotArmedAreForgotten() {
        Fabric active = fabric(PortInfo.STATE_ACTIVE);
        DeviceTables host = devices.recall(active, HOST);
        for (int portNum = 1; portNum <= 2; portNum++) {
            host.confirmRow(0, portNum, 5);
            host.setVlArbitration(portNum, 1, VlArbitrationTable.TYPE.zero());
        }
        assertThat(devices.recall(active, HOST).knowsRow(0, 2)).isTrue();
        Fabric armed = with(active, HOST, 2, PortInfo.STATE_ARMED);
        assertThat(devices.recall(armed, HOST).knowsRow(0, 2)).isTrue();
        Fabric reset = with(active, HOST, 2, PortInfo.STATE_INITIALIZE);
        DeviceTables known = devices.recall(reset, HOST);
        assertThat(known).isSameAs(host);
        assertThat(known.knowsRow(0, 2)).isFalse();
        assertThat(known.vlArbitration(2, 1)).isNull();
        assertThat(known.knowsRow(0, 1)).isTrue();
        assertThat(known.vlArbitration(1, 1)).isNotNull();
    }

    @Test
    void rowsOfASwitchStayWhileAPortIsNotArmed() {
        Fabric active = fabric(PortInfo.STATE_ACTIVE);
        devices.recall(active, SWITCH).confirmRow(0, 2, 5);
        Fabric partly = with(active, SWITCH, 2, PortInfo.STATE_INITIALIZE);
        assertThat(devices.recall(partly, SWITCH).knowsRow(0, 2)).isTrue();
    }

    @Test
    void forgottenDevicesAreUnknown() {
        Fabric active = fabric(PortInfo.STATE_ACTIVE);
        devices.recall(active, SWITCH);
        devices.recall(active, HOST);
        devices.forget(active.nodeGuid(SWITCH));
        assertThat(devices.knows(active, SWITCH)).isFalse();
        assertThat(devices.knows(active, HOST)).isTrue();
        devices.forgetAll();
        assertThat(devices.knows(active, HOST)).isFalse();
    }
}
