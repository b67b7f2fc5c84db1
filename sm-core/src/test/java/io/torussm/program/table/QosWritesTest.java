package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.program.smp.SmpRequests;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.LinkSettings;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.Subnets;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cases in which a changed SL2VL row affects packets, on a torus of 3 x 3 switches with a host each. */
class QosWritesTest {
    private static final int SWITCH = 0;
    private static final int FROM = 1;
    private static final int TO = 2;
    private static final long OTHER = 0x1111_1111_1111_1111L;

    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=1");

    @ParameterizedTest
    @CsvSource({
        "ACTIVE, ACTIVE, true",
        "ARMED, ACTIVE, true",
        "INITIALIZE, ACTIVE, false",
        "ACTIVE, INITIALIZE, false",
        "DOWN, ACTIVE, false",
        "ACTIVE, DOWN, false"
    })
    void aRowOfALinkThatIsNotUpChangesUnnoticed(State from, State to, boolean isChanged) {
        harness.sweep();
        Fabric fabric = inState(inState(harness.publishedView().subnet().fabric(), FROM, from), TO, to);
        QosTarget wanted = new QosTarget(
                (Plan) new MinHopEngine().route(Subnets.of(fabric), new RoutingOptions(true, 5, 0)),
                QosWritesTest::arbitration,
                LinkSettings.DEFAULT);
        DeviceTables[] tables = new DeviceTables[fabric.nodeCount()];
        tables[SWITCH] = new DeviceTables(fabric.numPorts(SWITCH), new RowValues());
        for (int in = 0; in <= fabric.numPorts(SWITCH); in++) {
            for (int out = 0; out <= fabric.numPorts(SWITCH); out++) {
                tables[SWITCH].confirmRow(in, out, wanted.row(SWITCH, in, out));
            }
        }
        QosWrites writes = new QosWrites(
                fabric,
                tables,
                new SmpRequests(fabric, new ProgrammingErrors(), harness.client.scope(), harness.loop),
                wanted,
                node -> true);
        assertThat(writes.isAnyRowChanged(SWITCH)).isFalse();
        assertThat(writes.areRowsWritten(SWITCH)).isTrue();

        tables[SWITCH].confirmRow(FROM, TO, OTHER);
        assertThat(writes.isAnyRowChanged(SWITCH)).isEqualTo(isChanged);
        assertThat(writes.areRowsWritten(SWITCH))
                .as("it is written all the same")
                .isFalse();
    }

    private static VlArbitrationPolicy.Tables arbitration(
            VlArbitrationPolicy.PortClass portClass, int lowCap, int highCap, int operationalVls) {
        VlArbitrationTable none = VlArbitrationTable.TYPE.zero();
        return new VlArbitrationPolicy.Tables(none, none, none, none, 0);
    }

    enum State {
        DOWN(PortInfo.STATE_DOWN),
        INITIALIZE(PortInfo.STATE_INITIALIZE),
        ARMED(PortInfo.STATE_ARMED),
        ACTIVE(PortInfo.STATE_ACTIVE);

        private final int portState;

        State(int portState) {
            this.portState = portState;
        }
    }

    private static Fabric inState(Fabric fabric, int portNum, State state) {
        int port = fabric.port(SWITCH, portNum);
        return fabric.with(
                port, Objects.requireNonNull(fabric.portInfo(port)).with(PortInfo.PORT_STATE, state.portState));
    }
}
