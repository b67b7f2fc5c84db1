package io.torussm.sim.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.sim.topology.Topology;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologySpecTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "torus:3x3,hosts=2; 9; 18; 18",
                "tree:4,3; 48; 64; 128",
                "tree:4x2; 8; 16; 16",
                "tree:18,3; 972; 5832; 11664",
                "tree:4,1; 1; 4; 0",
                "tree:2,2,hosts=0; 4; 0; 4",
                "tree:leaves=6,spines=3; 9; 6; 18",
                "tree:leaves=6,spines=2,uplinks=4,hosts=12; 8; 72; 24",
                "tree:down=4x3x2,up=1x2x2,links=1x1x3; 14; 24; 36",
                "tree:down=2x2,up=2x1; 6; 4; 4",
                "hypercube:4,hosts=2; 16; 32; 32",
                "hypercube:1,links=3; 2; 2; 3",
                "dragonfly:4,2,2; 36; 72; 90",
                "dragonfly:4,2,2,4; 16; 32; 36",
                "dragonfly:2,1,1,2; 4; 4; 4",
                "dragonfly:3,1,0; 3; 3; 3",
                "random:3,2; 3; 3; 3",
                "pair; 0; 2; 0",
                "loop; 0; 1; 0"
            })
    void buildsConnectedFabrics(String spec, int switches, int hosts, int cables) {
        assertThat(TopologySpec.isSpec(spec)).isTrue();
        Topology topology = TopologySpec.of(spec).topology();
        assertThat(topology.nodes().stream().filter(Topology.Node::isSwitch)).hasSize(switches);
        assertThat(topology.nodes().stream().filter(node -> !node.isSwitch())).hasSize(hosts);
        assertThat(cables(topology)).isEqualTo(cables);
        assertThat(reachableNodes(topology)).hasSize(topology.nodes().size());
        assertThat(TopologySpec.of(spec).topology()).isEqualTo(topology);
        assertThat(topology.nodes().stream().map(Topology.Node::description)).doesNotHaveDuplicates();
    }

    @Test
    void cablesLeavesToAllSpinesOfATree() {
        Topology topology =
                TopologySpec.of("tree:leaves=3,spines=2,uplinks=4,hosts=2").topology();
        assertThat(ports(topology, "leaf-1"))
                .containsExactly("host-1-0[1]", "host-1-1[1]", "spine-0[3]", "spine-0[4]", "spine-1[3]", "spine-1[4]");
        assertThat(ports(topology, "spine-1"))
                .containsExactly("leaf-0[5]", "leaf-0[6]", "leaf-1[5]", "leaf-1[6]", "leaf-2[5]", "leaf-2[6]");
    }

    @Test
    void groupsSwitchesOfATreeInPods() {
        Topology topology = TopologySpec.of("tree:2,3").topology();
        assertThat(ports(topology, "sw-1-3")).containsExactly("host-3-0[1]", "host-3-1[1]", "sw-2-2[2]", "sw-2-3[2]");
        assertThat(ports(topology, "sw-2-3")).containsExactly("sw-1-2[4]", "sw-1-3[4]", "sw-3-1[2]", "sw-3-3[2]");
        assertThat(ports(topology, "sw-3-1")).containsExactly("sw-2-1[3]", "sw-2-3[3]");
    }

    @Test
    void joinsEachPairOfGroupsOfADragonfly() {
        Topology topology = TopologySpec.of("dragonfly:4,1,2,5").topology();
        Set<String> pairs = topology.nodes().stream()
                .filter(Topology.Node::isSwitch)
                .flatMap(node -> peers(node).stream()
                        .filter(Topology.Node::isSwitch)
                        .map(peer -> group(node) + "-" + group(peer)))
                .collect(Collectors.toSet());
        assertThat(pairs).hasSize(25);
        assertThat(ports(topology, "sw-0-0"))
                .containsExactly("sw-0-1[1]", "sw-0-2[1]", "sw-0-3[1]", "sw-1-1[5]", "sw-2-1[4]", "host-0-0-0[1]");
    }

    @Test
    void givesRandomFabricsASeedAndADegree() {
        Topology one = TopologySpec.of("random:40,5,hosts=2,seed=1").topology();
        assertThat(TopologySpec.of("random:40,5,hosts=2,seed=2").topology()).isNotEqualTo(one);
        assertThat(one.nodes().stream().filter(Topology.Node::isSwitch)).allSatisfy(node -> {
            List<Topology.Node> switches =
                    peers(node).stream().filter(Topology.Node::isSwitch).toList();
            assertThat(switches).hasSizeBetween(2, 5).doesNotHaveDuplicates().doesNotContain(node);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "mesh:4x4; no shape is called \"mesh\"",
                "tree:; cannot understand \"\"",
                "tree:4; has 1 numbers",
                "tree:4,0; LEVELS=0 is out of range; use 1 to 8",
                "tree:4,2,width=3; no option width=",
                "tree:4,2,hosts=x; hosts=x is no number",
                "tree:4,2,hosts=1,hosts=2; given twice",
                "tree:4,2,; cannot understand \"\"",
                "tree:200,2; would need 400 ports",
                "tree:36,4; more LIDs than the 49151",
                "tree:254,8; more LIDs than the 49151",
                "tree:leaves=4; spines=0 is out of range; use 1 to 254",
                "tree:leaves=4,spines=3,uplinks=4; multiple of 3",
                "tree:leaves=4,spines=3,down=2x2; no option down=",
                "tree:down=4x4; needs K,LEVELS",
                "tree:down=4x4,up=1; have 2, 1 and 2 numbers",
                "tree:down=4x0,up=1x1; a 0 for hosts only",
                "tree:down=4x4,up=9x1; a host would need 9 ports",
                "tree:hosts=4; needs K,LEVELS",
                "hypercube:0; DIM=0 is out of range; use 1 to 15",
                "hypercube:15,hosts=1; more LIDs",
                "hypercube:4,3; has 2 numbers",
                "dragonfly:4,2; has 2 numbers",
                "dragonfly:4,2,2,10; GROUPS=10 is out of range; use 1 to 9",
                "dragonfly:254,1,1; a switch would need 255 ports",
                "random:2,1; SWITCHES=2 is out of range; use 3 to 49151",
                "random:5,5; DEGREE=5 is out of range; use 2 to 4",
                "random:9,3,seed=-1; seed=-1 is no number",
                "pair:; cannot understand \"\"",
                "torus:3; expected torus:XxY"
            })
    void refusesOtherNumbersAndShowsTheGrammar(String spec, String message) {
        assertThat(TopologySpec.isSpec(spec)).isTrue();
        assertThatThrownBy(() -> TopologySpec.of(spec).topology())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageContaining(
                        "; expected " + (spec.startsWith("mesh") ? "torus" : spec.substring(0, spec.indexOf(':'))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/etc/fabric.topo", "unix:sim", "./tree:4,2", "C:x", "tree", "pairs", "fabric.topo"})
    void leavesFilesAndSocketsAlone(String word) {
        assertThat(TopologySpec.isSpec(word)).isFalse();
    }

    @Test
    void hasTheTorusWithItsOwnGuids() {
        assertThat(TopologySpec.of("torus:4x4x2,hosts=2").topology())
                .isEqualTo(TorusSpec.parse("torus:4x4x2,hosts=2").topology());
    }

    private static String group(Topology.Node node) {
        return node.description().replaceAll("sw-(\\d+)-\\d+", "$1");
    }

    private static List<Topology.Node> peers(Topology.Node node) {
        return IntStream.rangeClosed(1, node.numPorts())
                .mapToObj(node::peer)
                .filter(Objects::nonNull)
                .map(Topology.PortRef::node)
                .toList();
    }

    private static List<String> ports(Topology topology, String name) {
        Topology.Node node = topology.node(name).orElseThrow();
        return IntStream.rangeClosed(1, node.numPorts())
                .mapToObj(node::peer)
                .map(peer -> peer == null ? "-" : peer.node().description() + "[" + peer.portNum() + "]")
                .toList();
    }

    private static long cables(Topology topology) {
        return topology.nodes().stream()
                        .filter(Topology.Node::isSwitch)
                        .flatMap(node -> peers(node).stream())
                        .filter(Topology.Node::isSwitch)
                        .count()
                / 2;
    }

    private static Set<Topology.Node> reachableNodes(Topology topology) {
        Set<Topology.Node> seen = new HashSet<>(Set.of(topology.nodes().get(0)));
        ArrayDeque<Topology.Node> queue = new ArrayDeque<>(seen);
        while (!queue.isEmpty()) {
            peers(queue.remove()).stream().filter(seen::add).forEach(queue::add);
        }
        return seen;
    }
}
