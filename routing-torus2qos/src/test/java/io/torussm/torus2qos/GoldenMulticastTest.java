package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The multicast tree that the engine proposes, proved or not, compared bit for bit with OpenSM's tables. */
class GoldenMulticastTest {
    private static final int MLID = 0xc000;
    private static final int ENTRY_BYTES = 32;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "166_pristine",
                "166_sw_T_R",
                "222_pristine",
                "255_pristine",
                "255_sw",
                "333_hosts4",
                "333_lmc1",
                "333_par2_hosts3",
                "333_pristine",
                "345_pristine",
                "444_hosts8",
                "444_mesh",
                "444_par2",
                "444_par2_cut",
                "444_par2_gone",
                "444_pristine",
                "552_pristine",
                "555_hosts_some",
                "555_mesh_x",
                "555_mesh_z",
                "555_mesh_z_link",
                "555_pristine",
                "555_seed_sw",
                "65_link_Sn",
                "65_link_mc",
                "65_link_nT",
                "65_lmc1_link",
                "65_mesh",
                "65_pristine",
                "65_sw_T",
                "65_sw_root",
                "666_link1",
                "666_links12",
                "666_links40",
                "666_pristine",
                "666_sw1",
                "666_sw1_links8",
                "666_sw2z",
                "666_sw3z",
                "66_pristine",
                "888_pristine",
                "888_sw1"
            })
    void joinsAllHostsAsTheReferenceDoes(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        Plan plan = TestTorus.plan(TestTorus.route(golden.conf, golden.subnet()));
        MulticastTree tree = plan.multicastTree().orElseThrow();
        Map<Integer, long[]> masks = tree.route(MLID, hosts(plan.subnet()));
        byte[] expected = golden.multicastEntries();
        assertThat(expected).hasSize(ENTRY_BYTES * golden.fabric.switchCount());
        List<String> differences = new ArrayList<>();
        for (int sw = 0; sw < golden.fabric.switchCount(); sw++) {
            List<Integer> ports = ports(masks.getOrDefault(sw, new long[4]));
            List<Integer> wanted = ports(Arrays.copyOfRange(expected, ENTRY_BYTES * sw, ENTRY_BYTES * (sw + 1)));
            if (!ports.equals(wanted)) {
                differences.add(golden.fabric.name(sw) + ": ports " + ports + " instead of " + wanted);
            }
        }
        assertThat(differences).isEmpty();
    }

    private static int[] hosts(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        List<Integer> hosts = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port))) {
                hosts.add(port);
            }
        }
        return hosts.stream().mapToInt(Integer::intValue).toArray();
    }

    private static List<Integer> ports(long[] mask) {
        List<Integer> ports = new ArrayList<>();
        for (int port = 0; port < 64 * mask.length; port++) {
            if ((mask[port / 64] >> port % 64 & 1) != 0) {
                ports.add(port);
            }
        }
        return ports;
    }

    private static List<Integer> ports(byte[] mask) {
        List<Integer> ports = new ArrayList<>();
        for (int port = 0; port < 8 * mask.length; port++) {
            if ((mask[port / 8] >> port % 8 & 1) != 0) {
                ports.add(port);
            }
        }
        return ports;
    }
}
