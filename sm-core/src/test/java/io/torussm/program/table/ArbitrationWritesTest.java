package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.subnet.LinkSettings;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.TestRouting;
import io.torussm.transport.SmpRequest;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** QoS tables of nine switches whose VL arbitration tables have four parts. The first serves VL 0, the last VL 1. */
class ArbitrationWritesTest {
    private static final int SWITCH = 4;
    private static final int CABLE = 1;
    private static final int LAST_PART = 4;
    private static final long OTHER_ROW = 0x1111_1111_1111_1111L;

    private final SweptFabric swept = new SweptFabric(harness());
    private final DeviceTables held = swept.tables[SWITCH];
    private final QosTarget wanted = new QosTarget(
            (Plan) new MinHopEngine().route(swept.subnet, TestRouting.QOS),
            ArbitrationWritesTest::policy,
            LinkSettings.DEFAULT);
    private final QosWrites writes = new QosWrites(swept.fabric, swept.tables, swept.requests, wanted, node -> false);

    /** Max number of ports of a device, port 0 included. */
    private final int ports = swept.fabric.numPorts(SWITCH) + 1;

    private static SweepHarness harness() {
        DeviceModels models = DeviceModels.PERFECT.with(
                node -> true, model -> model.hardware(hardware -> hardware.withVlArbitration(64)));
        return new SweepHarness(TorusSpec.parse("torus:3x3x1").topology(), models, FaultPlan.NONE);
    }

    private static VlArbitrationPolicy.Tables policy(
            VlArbitrationPolicy.PortClass portClass, int lowCap, int highCap, int operationalVls) {
        VlArbitrationTable none = VlArbitrationTable.TYPE.zero();
        return new VlArbitrationPolicy.Tables(serving(0, 9), none, none, serving(1, 5), 0);
    }

    private static VlArbitrationTable serving(int vl, int weight) {
        byte[] bytes = new byte[VlArbitrationTable.TYPE.layout().size()];
        bytes[0] = (byte) vl;
        bytes[1] = (byte) weight;
        return VlArbitrationTable.TYPE.read(bytes, 0);
    }

    private int entry(int portNum, int part) {
        return ports * ports + 4 * portNum + part - 1;
    }

    private void writeAll(int node) {
        for (int portNum = 0; portNum < ports; portNum++) {
            for (int part = 1; part <= LAST_PART; part++) {
                swept.send(writes.write(node, entry(portNum, part)));
            }
        }
    }

    @Test
    void allPartsAreWritten() {
        assertThat(writes.isArbitrationWritten(SWITCH)).isFalse();
        writeAll(SWITCH);
        assertThat(writes.isArbitrationWritten(SWITCH)).isTrue();
        assertThat(swept.harness.fabric.vlArbitration(swept.fabric.nodeGuid(SWITCH), CABLE, LAST_PART))
                .isEqualTo(serving(1, 5));
        swept.sentMads.clear();
        writeAll(SWITCH);
        assertThat(swept.sentMads).isEmpty();
    }

    /** Another weight of VL 1, which only the last part serves. */
    @ParameterizedTest
    @ValueSource(ints = {1, LAST_PART})
    void aPartThatServesItsVlsOtherwiseIsWrittenAgain(int part) {
        writeAll(SWITCH);
        held.setVlArbitration(CABLE, part, serving(part == 1 ? 0 : 1, 77));
        assertThat(writes.isArbitrationWritten(SWITCH)).isFalse();
        SmpRequest<?> request = writes.write(SWITCH, entry(CABLE, part));
        assertThat(request).isNotNull();
        assertThat(held.vlArbitration(CABLE, part)).as("in doubt").isNull();
        swept.send(request);
        assertThat(writes.isArbitrationWritten(SWITCH)).isTrue();
    }

    /** Another SM may have left entries of a VL that no packet has. */
    @Test
    void entriesOfUnusedVlsMayStay() {
        writeAll(SWITCH);
        byte[] more = serving(1, 5).toBytes();
        more[2] = 7;
        more[3] = 50;
        held.setVlArbitration(CABLE, LAST_PART, VlArbitrationTable.TYPE.read(more, 0));
        assertThat(writes.isArbitrationWritten(SWITCH)).isTrue();
    }

    @Test
    void eachPartThatIsWantedIsReadIfItIsUnknown() {
        int[] parts = IntStream.range(0, 4 * ports)
                .filter(part -> writes.read(SWITCH, ports * ports + part, true) != null)
                .toArray();
        assertThat(parts)
                .isEqualTo(IntStream.range(0, 4 * ports)
                        .filter(part -> wanted.hasArbitration(SWITCH, part / 4, part % 4 + 1))
                        .toArray());
        assertThat(parts).contains(4 * CABLE, 4 * CABLE + 3);
        assertThat(writes.arbitrationEntries()).isEqualTo(4 * ports);
        assertThat(writes.entries()).isEqualTo(ports * ports + 4 * ports);
    }

    /** The proof relies on the rows of switches; the row of a host concerns the host alone. */
    @Test
    void aLostRowEndsTheChangeOfRoutesOnlyAtASwitch() {
        swept.isLost = mad ->
                MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == SlToVlMappingTable.TYPE.id();
        int host = swept.fabric.switchCount();
        swept.tables[host].confirmRow(0, 1, OTHER_ROW);
        swept.send(writes.write(host, 1));
        assertThat(swept.errors.count()).isPositive();
        assertThat(swept.errors.hasDeviations()).isFalse();
        held.confirmRow(0, CABLE, OTHER_ROW);
        swept.send(writes.write(SWITCH, CABLE));
        assertThat(swept.errors.hasDeviations()).isTrue();
    }

    /** A block in doubt, and a row in doubt. */
    @Test
    void aDeviceIsReadIfItIsUnknownOrHasADoubtThatConcernsPackets() {
        swept.harness.sweep();
        boolean[] isRunning = new boolean[swept.fabric.nodeCount()];
        boolean[] isUnknown = new boolean[swept.fabric.nodeCount()];
        ForwardingBlocks blocks =
                new ForwardingBlocks(swept.fabric, swept.tables, swept.requests, swept.subnet.topLid());
        UnknownTables withQos = new UnknownTables(swept.fabric, swept.tables, isRunning, isUnknown, blocks, writes);
        UnknownTables withoutQos = new UnknownTables(swept.fabric, swept.tables, isRunning, isUnknown, blocks, null);
        held.invalidateBlock(0);
        assertThat(withoutQos.isAny(SWITCH)).as("no packet depends on it").isFalse();
        isRunning[SWITCH] = true;
        assertThat(withoutQos.isAny(SWITCH)).isTrue();
        held.learnBlock(0, LinearForwardingTable.TYPE.zero());
        assertThat(withoutQos.isAny(SWITCH)).isFalse();
        assertThat(withQos.isAny(SWITCH)).as("rows are unknown").isTrue();
        for (int in = 0; in < ports; in++) {
            for (int out = 0; out < ports; out++) {
                held.confirmRow(in, out, 0);
            }
        }
        assertThat(withQos.isAny(SWITCH)).isFalse();
        isUnknown[SWITCH] = true;
        assertThat(withQos.isAny(SWITCH)).isTrue();
        int host = swept.fabric.switchCount();
        isRunning[host] = true;
        swept.tables[host].invalidateBlock(0);
        assertThat(withQos.isAny(host)).as("a host has no blocks").isFalse();
    }
}
