package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.LinkSettings;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of ports by the capabilities of devices. */
class QosTargetTest {
    private static final int SWITCH = 0;
    private static final int HOST = 1;
    private static final int CABLE = 1;
    private static final int NO_CABLE = 2;

    private final Fabric plain = fabric();

    private static Fabric fabric() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("sw", 2);
        sketch.addHost(SWITCH, CABLE);
        return sketch.build();
    }

    /** Returns the fabric with the same capacities at all ports. */
    private static Fabric withCaps(Fabric fabric, int vlCap, int lowCap, int highCap) {
        Fabric changed = fabric;
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo info = fabric.portInfo(port);
            if (info != null) {
                changed = changed.with(
                        port,
                        info.with(PortInfo.VL_CAP, vlCap)
                                .with(PortInfo.VL_ARBITRATION_LOW_CAP, lowCap)
                                .with(PortInfo.VL_ARBITRATION_HIGH_CAP, highCap));
            }
        }
        return changed;
    }

    private static QosTarget target(Fabric fabric) {
        Plan plan = (Plan) new MinHopEngine().route(Subnets.of(fabric), TestRouting.QOS);
        return new QosTarget(plan, QosTargetTest::tables, LinkSettings.DEFAULT);
    }

    /** Returns tables whose first entry has the number of the part, and the second the VLs that the policy received. */
    private static VlArbitrationPolicy.Tables tables(
            VlArbitrationPolicy.PortClass portClass, int lowCap, int highCap, int operationalVls) {
        VlArbitrationTable[] parts = IntStream.rangeClosed(1, 4)
                .mapToObj(part -> {
                    byte[] table = new byte[64];
                    table[1] = (byte) part;
                    table[2] = (byte) operationalVls;
                    return VlArbitrationTable.TYPE.read(table, 0);
                })
                .toArray(VlArbitrationTable[]::new);
        return new VlArbitrationPolicy.Tables(parts[0], parts[1], parts[2], parts[3], 0);
    }

    private static String parts(QosTarget wanted, int node, int portNum) {
        StringBuilder parts = new StringBuilder();
        for (int part = 1; part <= 4; part++) {
            @Nullable VlArbitrationTable table = wanted.arbitration(node, portNum, part);
            assertThat(table != null).isEqualTo(wanted.hasArbitration(node, portNum, part));
            if (table != null) {
                assertThat(table.weight(0)).isEqualTo(part);
                parts.append(part);
            }
        }
        return parts.toString();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "0, 0, ''",
                "8, 8, 13",
                "1, 0, 1",
                "0, 1, 3",
                "32, 32, 13",
                "33, 32, 123",
                "32, 33, 134",
                "64, 64, 1234",
                "255, 255, 1234"
            })
    void aPartIsWrittenIfTheTableReachesThere(int lowCap, int highCap, String parts) {
        QosTarget wanted = target(withCaps(plain, 4, lowCap, highCap));
        assertThat(parts(wanted, HOST, 1)).isEqualTo(parts);
        assertThat(parts(wanted, SWITCH, CABLE)).isEqualTo(parts);
        assertThat(parts(wanted, SWITCH, 0)).as("enhanced port 0").isEqualTo(parts);
        assertThat(parts(wanted, SWITCH, NO_CABLE)).isEmpty();
        assertThat(parts(wanted, SWITCH, 3)).as("there is no such port").isEmpty();
        assertThat(parts(wanted, HOST, 0)).as("only switches have a port 0").isEmpty();
    }

    @Test
    void aPortWithOneDataVlHasNothingToArbitrate() {
        assertThat(parts(target(withCaps(plain, 1, 8, 8)), HOST, 1)).isEmpty();
        assertThat(parts(target(withCaps(plain, 2, 8, 8)), HOST, 1)).isEqualTo("13");
    }

    /** Ports of one class with equal capacities share tables; another number of VLs needs tables of its own. */
    @Test
    void thePolicyIsAskedOnceForEachTypeOfPort() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("sw", 4);
        for (int portNum = 1; portNum <= 3; portNum++) {
            sketch.addHost(SWITCH, portNum);
        }
        Fabric alike = withCaps(sketch.build(), 4, 8, 8);
        assertThat(askedTypes(alike)).containsExactlyInAnyOrder("CA 4", "SWITCH_HOST_LINK 4", "SWITCH_PORT0 4");
        int host = alike.peer(alike.port(SWITCH, 3));
        PortInfo info = Objects.requireNonNull(alike.portInfo(host));
        assertThat(askedTypes(alike.with(host, info.with(PortInfo.VL_CAP, 2))))
                .containsOnlyOnce("CA 4", "CA 2")
                .contains("SWITCH_HOST_LINK 4", "SWITCH_HOST_LINK 2");
    }

    private static List<String> askedTypes(Fabric fabric) {
        List<String> asked = new ArrayList<>();
        Plan plan = (Plan) new MinHopEngine().route(Subnets.of(fabric), TestRouting.QOS);
        VlArbitrationPolicy policy = (portClass, lowCap, highCap, operationalVls) -> {
            asked.add(portClass + " " + operationalVls);
            return tables(portClass, lowCap, highCap, operationalVls);
        };
        assertThat(new QosTarget(plan, policy, LinkSettings.DEFAULT)).isNotNull();
        return asked;
    }

    @Test
    void basePort0HasNoTables() {
        SwitchInfo base = SwitchInfo.TYPE.zero();
        QosTarget wanted = target(withCaps(plain, 4, 8, 8).with(new SwitchInfo[] {base}));
        assertThat(parts(wanted, SWITCH, 0)).isEmpty();
        assertThat(wanted.hasRow(SWITCH, CABLE, 0)).isFalse();
        assertThat(parts(wanted, SWITCH, CABLE)).isEqualTo("13");
        assertThat(wanted.hasRow(SWITCH, 0, CABLE)).isTrue();
    }

    @Test
    void aHostHasOneRowAndASwitchOneForEachPairOfPortsInUse() {
        QosTarget wanted = target(plain);
        assertThat(wanted.hasRow(HOST, 0, 1)).isTrue();
        assertThat(wanted.hasRow(HOST, 1, 1)).isFalse();
        assertThat(wanted.hasRow(HOST, 0, 0)).isFalse();
        assertThat(wanted.hasRow(HOST, 0, 2)).isFalse();
        for (int in = 0; in <= 3; in++) {
            for (int out = 0; out <= 3; out++) {
                assertThat(wanted.hasRow(SWITCH, in, out))
                        .as("%d to %d of two ports, one of which has a cable", in, out)
                        .isEqualTo(in <= 2 && (out == 0 || out == CABLE));
            }
        }
        assertThat(wanted.rowInputs(HOST, 1)).isEqualTo(1);
        assertThat(wanted.rowInputs(SWITCH, CABLE)).isEqualTo(3);
        assertThat(wanted.rowInputs(SWITCH, NO_CABLE)).isZero();
    }

    @Test
    void thePolicyIsAskedForTheVlsThatBothEndsOfACableHave() {
        Fabric caps = withCaps(plain, 4, 8, 8);
        int host = caps.port(HOST, 1);
        PortInfo info = Objects.requireNonNull(caps.portInfo(host));
        QosTarget wanted = target(caps.with(host, info.with(PortInfo.VL_CAP, 2)));
        for (int[] end : new int[][] {{HOST, 1}, {SWITCH, CABLE}}) {
            VlArbitrationTable table = Objects.requireNonNull(wanted.arbitration(end[0], end[1], 1));
            assertThat(table.vl(1)).isEqualTo(2);
        }
    }
}
