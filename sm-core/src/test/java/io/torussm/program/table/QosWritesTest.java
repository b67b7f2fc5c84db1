package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.program.smp.SmpRequests;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.LinkSettings;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
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
                (Plan) new MinHopEngine().route(Subnets.of(fabric), TestRouting.QOS),
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

    /** The tables of a switch whose links are up, all of which are known to be as wanted. */
    private final class Known {
        private final Fabric fabric;
        private final QosTarget wanted;
        private final DeviceTables held;
        private final QosWrites writes;

        /** The entry of a row, and the first of VL arbitration tables, as numbers of {@link QosWrites}. */
        private final int ports;

        Known(IntPredicate isArbitrationUnread) {
            harness.sweep();
            harness.sweep();
            fabric = harness.publishedView().subnet().fabric();
            wanted = new QosTarget(
                    (Plan) new MinHopEngine().route(Subnets.of(fabric), TestRouting.QOS),
                    QosWritesTest::arbitration,
                    LinkSettings.DEFAULT);
            DeviceTables[] tables = new DeviceTables[fabric.nodeCount()];
            held = new DeviceTables(fabric.numPorts(SWITCH), new RowValues());
            tables[SWITCH] = held;
            ports = fabric.numPorts(SWITCH) + 1;
            for (int out = 0; out < ports; out++) {
                for (int in = 0; in < ports; in++) {
                    held.confirmRow(in, out, wanted.row(SWITCH, in, out));
                }
                for (int part = 1; part <= 4; part++) {
                    held.setVlArbitration(out, part, VlArbitrationTable.TYPE.zero());
                }
            }
            writes = new QosWrites(
                    fabric,
                    tables,
                    new SmpRequests(fabric, new ProgrammingErrors(), harness.client.scope(), harness.loop),
                    wanted,
                    isArbitrationUnread);
        }

        private int row(int in, int out) {
            return in * ports + out;
        }

        private int arbitration(int out, int part) {
            return ports * ports + 4 * out + part - 1;
        }

        /** Returns the highest port number with a host. */
        private int last() {
            return IntStream.rangeClosed(1, ports - 1)
                    .filter(portNum -> fabric.peer(fabric.port(SWITCH, portNum)) != Fabric.NONE)
                    .max()
                    .orElseThrow();
        }
    }

    @Test
    void anUnconfirmedRowIsReadIfPacketsUseIt() {
        Known known = new Known(node -> false);
        int last = known.last();
        assertThat(known.ports).as("no port above the last host").isEqualTo(last + 1);
        assertThat(known.writes.isAnyRowInDoubt(SWITCH)).isFalse();
        for (int[] pair : new int[][] {{FROM, TO}, {0, TO}, {FROM, 0}, {last, TO}, {FROM, last}}) {
            int in = pair[0];
            int out = pair[1];
            known.held.invalidateRow(in, out);
            assertThat(known.writes.isAnyRowInDoubt(SWITCH)).isTrue();
            assertThat(known.writes.areRowsWritten(SWITCH)).isFalse();
            assertThat(known.writes.read(SWITCH, known.row(in, out), false)).isNotNull();
            assertThat(known.writes.read(SWITCH, known.row(in, out), true)).isNotNull();
            assertThat(known.writes.read(SWITCH, known.row(out, in), true)).isNull();
            known.held.confirmRow(in, out, known.wanted.row(SWITCH, in, out));
            assertThat(known.writes.isAnyRowInDoubt(SWITCH)).isFalse();
        }
        int unplugged = IntStream.range(1, known.ports)
                .filter(portNum -> known.fabric.peer(known.fabric.port(SWITCH, portNum)) == Fabric.NONE)
                .findFirst()
                .orElseThrow();
        known.held.invalidateRow(FROM, unplugged);
        known.held.invalidateRow(unplugged, TO);
        assertThat(known.writes.isAnyRowInDoubt(SWITCH))
                .as("no packet passes a port without a cable")
                .isFalse();
        assertThat(known.writes.read(SWITCH, known.row(unplugged, TO), false)).isNull();
        assertThat(known.writes.read(SWITCH, known.row(unplugged, TO), true)).isNotNull();
    }

    @Test
    void arbitrationThatIsReadLaterIsNeitherReadNorWrittenBefore() {
        for (boolean isLater : new boolean[] {false, true}) {
            Known known = new Known(node -> isLater);
            int last = known.last();
            assertThat(known.writes.isArbitrationWritten(SWITCH)).isTrue();
            assertThat(known.writes.isWritten(SWITCH)).isTrue();
            for (int part = 1; part <= 4; part++) {
                boolean hasPart = known.wanted.hasArbitration(SWITCH, last, part);
                known.held.setVlArbitration(last, part, null);
                assertThat(known.writes.isArbitrationWritten(SWITCH)).isEqualTo(!hasPart);
                assertThat(known.writes.isWritten(SWITCH)).isEqualTo(isLater || !hasPart);
                int entry = known.arbitration(last, part);
                assertThat(known.writes.read(SWITCH, entry, true) != null).isEqualTo(hasPart && !isLater);
                assertThat(known.writes.read(SWITCH, entry, false)).isNull();
                assertThat(known.writes.write(SWITCH, entry) != null).isEqualTo(hasPart && !isLater);
                known.held.setVlArbitration(last, part, VlArbitrationTable.TYPE.zero());
                assertThat(known.writes.read(SWITCH, entry, true)).isNull();
            }
            known.held.invalidateRow(FROM, TO);
            assertThat(known.writes.isWritten(SWITCH)).isFalse();
        }
    }

    @Test
    void anEntryIsUnknownWhileItsWriteIsOutstanding() {
        Known known = new Known(node -> false);
        known.held.confirmRow(FROM, TO, OTHER);
        assertThat(known.writes.write(SWITCH, known.row(FROM, TO))).isNotNull();
        assertThat(known.held.knowsRow(FROM, TO)).isFalse();
        VlArbitrationTable other = arbitration(9);
        known.held.setVlArbitration(TO, 1, other);
        assertThat(known.writes.isArbitrationWritten(SWITCH)).isTrue();
        assertThat(known.writes.write(SWITCH, known.arbitration(TO, 1)))
                .as("no VL is served, so that no packet is")
                .isNull();
        known.held.setVlArbitration(TO, 1, null);
        assertThat(known.writes.write(SWITCH, known.arbitration(TO, 1))).isNotNull();
        assertThat(known.held.vlArbitration(TO, 1)).isNull();
    }

    private static VlArbitrationTable arbitration(int weightOfVl0) {
        byte[] bytes = new byte[VlArbitrationTable.TYPE.layout().size()];
        bytes[1] = (byte) weightOfVl0;
        return VlArbitrationTable.TYPE.read(bytes, 0);
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
