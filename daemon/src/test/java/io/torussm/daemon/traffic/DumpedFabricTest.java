package io.torussm.daemon.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.Views;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.dump.Dumps;
import io.torussm.dataplane.ForwardingTables;
import io.torussm.dataplane.Hosts;
import io.torussm.dataplane.PlanTables;
import io.torussm.fabric.Fabric;
import io.torussm.multicast.MulticastView;
import io.torussm.qos.QosOptions;
import io.torussm.qos.VlArbitrationPlan;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dumps as the fabric and the tables of the simulated data plane. The dumps are those of {@link Views#twoSwitches}. */
class DumpedFabricTest {
    private final PublishedView view = Views.twoSwitches();
    private final Subnet subnet = view.subnet();
    private final PlanTables planned = new PlanTables(
            view.plan(), TestRouting.qosWithVls(8), VlArbitrationPlan.forRouting(view.plan(), QosOptions.NONE));

    @TempDir
    Path dir;

    @BeforeEach
    void dump() throws IOException {
        Dumps.write(view, MulticastView.EMPTY, dir);
    }

    @Test
    void dumpsAreReadBack() throws Exception {
        ForwardingTables tables = tables();
        Fabric fabric = subnet.fabric();
        for (int sw = 0; sw < 2; sw++) {
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                assertThat(tables.out(sw, lid)).isEqualTo(planned.out(sw, lid));
            }
            for (int in = 0; in <= 3; in++) {
                for (int sl = 0; sl < 16; sl++) {
                    assertThat(tables.vl(sw, in, 3, sl)).isEqualTo(planned.vl(sw, in, 3, sl));
                }
            }
        }
        assertThat(tables.out(0, 77)).isEqualTo(ForwardingTables.DROP_PORT);
        int port = fabric.port(0, 3);
        assertThat(tables.arbitration(port)).isEqualTo(planned.arbitration(port));
        Hosts hosts = new Hosts(subnet);
        assertThat(new DumpedFabric(dir, subnet)
                        .sls(hosts, (from, dlid, level) -> 5)
                        .sl(0, 4, 0))
                .isEqualTo(9);
        Files.delete(dir.resolve("opensm-path-sl.dump"));
        assertThat(new DumpedFabric(dir, subnet)
                        .sls(hosts, (from, dlid, level) -> 5)
                        .sl(0, 4, 0))
                .isEqualTo(5);
    }

    /** Another table for one LID, another row for one pair of ports, and a group. */
    @Test
    void dumpsTakeThePlaceOfThePlan() throws Exception {
        String lfts = Files.readString(dir.resolve("opensm-lfts.dump"));
        write("opensm-lfts.dump", lfts.replaceFirst("0x0004 003", "0x0004 001"));
        long guid = subnet.fabric().nodeGuid(0);
        String header = String.format("Switch 0x%016x, base LID 1, \"sw-a\"\n", guid);
        write("opensm-sl2vl.dump", header + "#in out : 0\n1   3   : 7  6  5  4  3  2  1  0  7  6  5  4  3  2  1  15\n");
        write("opensm.mcfdbs", "\n" + header + "LID    : Out Port(s)\n0xC000 : 0x001  0x003 \n");
        ForwardingTables tables = tables();
        assertThat(tables.out(0, 4)).isEqualTo(1);
        assertThat(tables.out(1, 4)).isEqualTo(2);
        assertThat(tables.vl(0, 1, 3, 1)).isEqualTo(6);
        assertThat(tables.vl(0, 1, 3, 15)).isEqualTo(ForwardingTables.DROP_VL);
        assertThat(tables.vl(0, 2, 3, 9)).isEqualTo(planned.vl(0, 2, 3, 9));
        assertThat(tables.group(0, 0xC000)).containsExactly(0b1010, 0, 0, 0);
        assertThat(tables.group(1, 0xC000)).isEmpty();
        assertThat(new DumpedFabric(dir, subnet).hasGroup(0xC000)).isTrue();
        assertThat(new DumpedFabric(dir, subnet).hasGroup(0xC001)).isFalse();
    }

    /** Nodes that are gone are passed over with all their lines. */
    @Test
    void otherNodesArePassedOver() throws Exception {
        String gone = "Switch 0x00000000deadbeef, base LID 9, \"gone\"\n";
        write(
                "opensm-sl2vl.dump",
                gone + "99  99  : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
                        + "Channel Adapter 0x00000000deadbeed, base LID 9, \"gone\"\n0   0   : 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n");
        write("opensm.mcfdbs", gone + "0xC000 : 0x0ff \n");
        write("opensm-path-sl.dump", "0x00000000deadbeef 4 3\n");
        assertThat(tables().vl(0, 1, 3, 9)).isEqualTo(planned.vl(0, 1, 3, 9));
    }

    @ParameterizedTest
    @CsvSource({
        "opensm-sl2vl.dump, '4 3 : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0', has no port 4",
        "opensm-sl2vl.dump, '1 3 : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 16', there is no VL 16",
        "opensm-sl2vl.dump, '1 3 : 0 0 0', is no row",
        "opensm.mcfdbs, '0xC000 : 0x004', has no port 4",
        "opensm.mcfdbs, '0xC0 : 0x001', is no entry",
        "opensm-path-sl.dump, '0x1 2 16', there is no SL 16",
        "opensm-path-sl.dump, '0x1 2', is no path",
        "opensm-lfts.dump, '0x0001 999', is no entry"
    })
    void badLinesAreNamed(String name, String line, String fault) throws Exception {
        String guid = String.format("0x%016x", subnet.fabric().nodeGuid(0));
        String header =
                name.endsWith("lfts.dump") ? "Unicast lids [0-9] of switch Lid 1 guid " + guid + ":" : "Switch " + guid;
        write(name, (name.equals("opensm-path-sl.dump") ? "" : header) + "\n" + line + "\n");
        assertThatThrownBy(this::tables)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(dir.resolve(name) + ":2: ")
                .hasMessageContaining(fault);
    }

    @Test
    void aDirectoryWithoutTablesIsRefused() throws Exception {
        Files.delete(dir.resolve("opensm-lfts.dump"));
        assertThatThrownBy(this::tables)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("--dump: cannot read " + dir.resolve("opensm-lfts.dump"));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(dir.resolve(name), text);
    }

    private ForwardingTables tables() throws ConfigurationException {
        return new DumpedFabric(dir, subnet).withFallback(planned);
    }
}
