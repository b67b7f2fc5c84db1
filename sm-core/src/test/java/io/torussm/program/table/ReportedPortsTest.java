package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchPortStateTable;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sweep.SweepHarness;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The second reading of the ports of a switch that reported a change, on nine switches with SwitchPortStateTable. */
class ReportedPortsTest {
    private static final int SWITCH = 4;
    private static final int CABLE = 1;
    private static final int TABLE = SwitchPortStateTable.TYPE.id();

    private final SweptFabric swept = new SweptFabric(harness());
    private final long guid = swept.fabric.nodeGuid(SWITCH);
    private final Set<Long> changed = new TreeSet<>();

    private static SweepHarness harness() {
        DeviceModels models = DeviceModels.PERFECT.with(
                node -> true, model -> model.hardware(hardware -> hardware.withPortStateTable(true)));
        SweepHarness harness = new SweepHarness(TorusSpec.parse("torus:3x3x1").topology(), models, FaultPlan.NONE);
        harness.sweep(); // its ports are ACTIVE in the view of the next sweep
        return harness;
    }

    private ReportedPorts reported(Fabric fabric) {
        return new ReportedPorts(fabric, swept.requests, changed);
    }

    private Fabric with(int portNum, int portState) {
        int port = swept.fabric.port(SWITCH, portNum);
        PortInfo info = Objects.requireNonNull(swept.fabric.portInfo(port));
        return swept.fabric.with(port, info.with(PortInfo.PORT_STATE, portState));
    }

    private int[] portsToRead(ReportedPorts reported) {
        return IntStream.rangeClosed(0, swept.fabric.numPorts(SWITCH) + 1)
                .filter(portNum -> reported.port(SWITCH, portNum) != null)
                .toArray();
    }

    private int[] allPorts() {
        return IntStream.rangeClosed(1, swept.fabric.numPorts(SWITCH)).toArray();
    }

    @Test
    void aSwitchHasOneTableForUpTo127Ports() {
        ReportedPorts reported = reported(swept.fabric);
        assertThat(reported.table(SWITCH, 0)).isNotNull();
        assertThat(reported.table(SWITCH, 1)).isNull();
        int port0 = swept.fabric.port(SWITCH, 0);
        PortInfo info = Objects.requireNonNull(swept.fabric.portInfo(port0));
        Fabric unannounced = swept.fabric.with(port0, info.with(PortInfo.CAPABILITY_MASK2, 0));
        assertThat(reported(unannounced).table(SWITCH, 0)).isNull();
    }

    @Test
    void portsWhoseStateIsInTheTableAreNotRead() {
        ReportedPorts reported = reported(swept.fabric);
        assertThat(portsToRead(reported)).isEqualTo(allPorts());
        swept.send(reported.table(SWITCH, 0));
        assertThat(swept.sent(TABLE)).containsExactly("Get 0");
        assertThat(portsToRead(reported)).isEmpty();
        assertThat(changed).as("no port changed").isEmpty();
    }

    @Test
    void withoutAResponseForTheTableEachPortIsRead() {
        ReportedPorts reported = reported(swept.fabric);
        swept.isLost = mad -> true;
        swept.send(reported.table(SWITCH, 0));
        assertThat(portsToRead(reported)).isEqualTo(allPorts());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPortThatWentDownIsAChange(boolean isTable) {
        swept.harness.fabric.unlink(guid, CABLE);
        ReportedPorts reported = reported(swept.fabric);
        swept.send(isTable ? reported.table(SWITCH, 0) : reported.port(SWITCH, CABLE));
        assertThat(changed).containsExactly(guid);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPortThatCameUpIsAChange(boolean isTable) {
        ReportedPorts reported = reported(with(CABLE, PortInfo.STATE_DOWN));
        swept.send(isTable ? reported.table(SWITCH, 0) : reported.port(SWITCH, CABLE));
        assertThat(changed).containsExactly(guid);
    }

    /** Activation writes to a port in INITIALIZE, and so receives its state. */
    @Test
    void aPortInInitializeIsNeitherReadNorCompared() {
        ReportedPorts reported = reported(with(CABLE, PortInfo.STATE_INITIALIZE));
        assertThat(reported.port(SWITCH, CABLE)).isNull();
        swept.harness.fabric.unlink(guid, CABLE);
        swept.send(reported.table(SWITCH, 0));
        assertThat(changed).isEmpty();
    }
}
