package io.torussm.sim.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.shape.TorusSpecTest;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyTextTest {
    private static final String PAIR = """
            # two hosts on a switch, as ibnetdiscover prints them
            vendid=0x2c9
            devid=0xbd36
            sysimgguid=0x200003
            switchguid=0x200000(200000)
            Switch  4 "S-0000000000200000"  # "the # switch" enhanced port 0 lid 3 lmc 0
            [1]  "H-a"[1](101)  # "host a" lid 1 4xEDR
            [3]  "H-b"[2](202)  # "host b 1xFOO" lid 2 1xSDR

            caguid=0x100
            Ca  1 "H-a"  # "host a"
            [1](101)  "S-0000000000200000"[1]  # lid 1 lmc 0 "the # switch" lid 3 4xEDR

            caguid=0x200
            Hca  2 "H-b"
            [2](202)  "S-0000000000200000"[3]
            """;

    private static Topology read(String text) throws IOException, TopologyException {
        return TopologyText.read("net", new StringReader(text));
    }

    private static String write(Topology topology) throws IOException {
        StringBuilder text = new StringBuilder();
        TopologyText.write(topology, text);
        return text.toString();
    }

    @Test
    void readsWhatIbnetdiscoverPrints() throws Exception {
        Topology topology = read(PAIR);
        Topology.Node sw = topology.nodes().get(0);
        Topology.Node second = topology.nodes().get(2);

        assertThat(topology.nodes()).extracting(Topology.Node::id).containsExactly("S-0000000000200000", "H-a", "H-b");
        assertThat(sw.description()).isEqualTo("the # switch");
        assertThat(sw.type()).isEqualTo(NodeInfo.SWITCH);
        assertThat(sw.nodeGuid()).isEqualTo(0x200000);
        assertThat(sw.numPorts()).isEqualTo(4);
        assertThat(sw.peer(3)).isEqualTo(new Topology.PortRef(second, 2));
        assertThat(sw.peer(2)).isNull();
        assertThat(second.description()).isEqualTo("H-b");
        assertThat(second.portGuid(1)).isEqualTo(0x201);
        assertThat(second.portGuid(2)).isEqualTo(0x202);
        assertThat(second.nodeInfo(2).portGuid()).isEqualTo(0x202);
        assertThat(second.nodeInfo(2).localPortNum()).isEqualTo(2);
        assertThat(sw.nodeInfo(3).systemImageGuid()).isEqualTo(0x200003);
        assertThat(sw.nodeInfo(3).get(NodeInfo.VENDOR_ID)).isEqualTo(0x2c9);
    }

    @Test
    void givesEveryPortTheStateAndRateOfItsCable() throws Exception {
        Topology topology = read(PAIR);
        Topology.Node sw = topology.nodes().get(0);
        PortInfo edr = sw.portInfo(1);
        PortInfo sdr = topology.nodes().get(2).portInfo(2);
        PortInfo empty = sw.portInfo(2);

        assertThat(edr.portState()).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(edr.portPhysicalState()).isEqualTo(PortInfo.PHYS_LINK_UP);
        assertThat(edr.get(PortInfo.LINK_SPEED_EXT_ACTIVE)).isEqualTo(2);
        assertThat(sdr.get(PortInfo.LINK_WIDTH_ACTIVE)).isEqualTo(1);
        assertThat(sdr.get(PortInfo.LINK_SPEED_ACTIVE)).isEqualTo(1);
        assertThat(empty.portState()).isEqualTo(PortInfo.STATE_DOWN);
        assertThat(empty.portPhysicalState()).isEqualTo(PortInfo.PHYS_POLLING);
        assertThat(sw.portInfo(0).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(sw.portInfo(0).hasCapability(PortInfo.CAP_SL_MAPPING | PortInfo.CAP_TRAP))
                .isTrue();
        assertThat(edr.capabilityMask()).isZero();
        assertThat(sdr.hasCapability(PortInfo.CAP_SL_MAPPING | PortInfo.CAP_TRAP))
                .isTrue();
        assertThat(Objects.requireNonNull(sw.switchInfo()).enhancedPort0()).isTrue();
        assertThat(Objects.requireNonNull(sw.switchInfo()).get(SwitchInfo.LINEAR_FDB_CAP))
                .isEqualTo(49152);
        assertThat(topology.nodes().get(1).switchInfo()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"torus-3x4x5", "mesh-4x4x4"})
    void readsBackWhatItWrites(String file) throws Exception {
        Topology topology = TorusSpecTest.golden(file);
        assertThat(read(write(topology))).isEqualTo(topology);
        assertThat(read(write(read(PAIR)))).isEqualTo(read(PAIR));
        assertThat(read(PAIR.replace("4xEDR", "4xHDR"))).isNotEqualTo(read(PAIR));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[3]  \"H-b\"[2](202)  |                      | net:16: a cable with one end",
                "[3]  \"H-b\"[2](202)  | [3]  \"H-c\"[2](202) | net:8: a cable to \"H-c\", which is not in the file",
                "[3]  \"H-b\"[2](202)  | [4]  \"H-b\"[2](202) | net:8: a cable with one end",
                "[3]  \"H-b\"[2](202)  | [5]  \"H-b\"[2](202) | net:8: \"S-0000000000200000\" has ports 1 to 4, not 5",
                "[3]  \"H-b\"[2](202)  | [1]  \"H-b\"[2](202) | net:8: port 1 is plugged in at line 7 already",
                "[3]  \"H-b\"[2](202)  | [3]  \"H-b\"[2       | net:8: cannot understand",
                "Switch  4              | Switch 255           | net:6: a node has 1 to 254 ports, not 255",
                "Switch  4              | Switch 0             | net:6: a node has 1 to 254 ports, not 0",
                "Switch  4              | Spine 4              | net:6: cannot understand: Spine 4",
                "4xEDR                  | 4xYDR                | net:7: unknown rate 4xYDR",
                "caguid=0x200           | caguid=0x100         | net:15: node GUID 0x0000000000000100 of \"H-b\"",
                "Hca  2 \"H-b\"         | Hca  2 \"H-a\"       | net:15: a second node called \"H-a\"",
                "caguid=0x200           | switchguid=0x200     | net:15: switchguid= above a node of another kind",
                "caguid=0x200           | include \"other\"    | net:14: cannot understand: include"
            })
    void saysWhereAndWhyAFileIsRefused(String piece, String replacement, String message) throws Exception {
        String text = PAIR.replace(piece, replacement == null ? "" : replacement);
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining(message);
    }

    @Test
    void takesTheRateFromOptionsAndFromEitherEnd() throws Exception {
        Topology topology = read(PAIR.replace("\"S-0000000000200000\"[3]", "\"S-0000000000200000\"[3] w=1 s=1"));
        assertThat(topology).isEqualTo(read(PAIR));
        assertThat(read(PAIR.replace("[3]\n", "[3] w=8\n")).warning())
                .isEqualTo("net: 1 cable with unlike rates at its ends, the slower one is taken");
        assertThatThrownBy(() -> read(PAIR.replace("[3]\n", "[3] s=5\n"))).hasMessageContaining("unknown s=5");
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void neverTakesHalfAFileForAWholeOne(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        String whole = write(TorusSpec.parse("torus:3x2x2,links=2").topology());
        int lastCable = whole.stripTrailing().lastIndexOf('[');
        String half = whole.substring(0, random.nextInt(1, lastCable));
        assertThatThrownBy(() -> read(half))
                .isInstanceOf(TopologyException.class)
                .hasMessageMatching("(?s)net:\\d+: .*");
    }

    @Test
    void takesEnhancedPort0FromTheRemarkAndNotFromTheDescription() throws Exception {
        String line = "Switch 4 \"a\" # \"no enhanced port 0\" base port 0\n";
        SwitchInfo base = Objects.requireNonNull(read(line).nodes().get(0).switchInfo());
        SwitchInfo enhanced = Objects.requireNonNull(
                read(line.replace("base", "enhanced")).nodes().get(0).switchInfo());
        assertThat(base.enhancedPort0()).isFalse();
        assertThat(enhanced.enhancedPort0()).isTrue();
    }

    @Test
    void refusesAnEmptyFileAndAttributesWithoutANode() {
        assertThatThrownBy(() -> read("# nothing\n")).hasMessageContaining("no node in the file");
        assertThatThrownBy(() -> read("vendid=0x2c9\n")).hasMessageContaining("is it cut short?");
        assertThatThrownBy(() -> read("[1] \"a\"[1]\n")).hasMessageContaining("a port before its node");
        assertThatThrownBy(() -> read("Switch 4 \"a\" # \"b\n")).hasMessageContaining("no closing quote");
    }

    @Test
    void namesTheFileThatItCannotRead(@TempDir Path directory) throws Exception {
        Path file = Files.write(directory.resolve("odd.topo"), new byte[] {'S', (byte) 0xff, '\n'});
        assertThatThrownBy(() -> TopologyText.read(file))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("odd.topo: not UTF-8 text");
        Files.writeString(file, PAIR);
        assertThat(TopologyText.read(file)).isEqualTo(read(PAIR));
    }
}
