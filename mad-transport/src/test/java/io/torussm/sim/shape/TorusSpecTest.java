package io.torussm.sim.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyException;
import io.torussm.sim.topology.TopologyText;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

public class TorusSpecTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"torus:3x4x5; torus-3x4x5", "torus:4x4x4,mesh=xyz; mesh-4x4x4"})
    void equalsTheFabricThatOtherToolsGenerate(String spec, String file) throws Exception {
        TorusSpec torus = TorusSpec.parse(spec);
        assertThat(lines(torus.topology())).isEqualTo(lines(golden(file)));
        assertThat(torus.torus2QosConf()).isEqualTo(new String(resource(file + ".conf"), StandardCharsets.UTF_8));
    }

    @Test
    void hasOneSetOfCablesBetweenTheTwoSwitchesOfARing() {
        Topology topology = TorusSpec.parse("torus:2x1x1,hosts=0,links=2").topology();
        Topology.Node first = topology.nodes().get(0);
        assertThat(first.peer(1)).hasToString("\"S-0000000000200010\"[3]");
        assertThat(first.peer(2)).hasToString("\"S-0000000000200010\"[4]");
        assertThat(first.peer(3)).isNull();
        assertThat(first.numPorts()).isEqualTo(12);
    }

    @Test
    void countsHostsAndLinks() {
        Topology topology = TorusSpec.parse("torus:6x5x1,hosts=2,links=1").topology();
        assertThat(topology.nodes()).hasSize(30 + 60);
        assertThat(topology.nodes().get(1).description()).isEqualTo("host-0-0-0-1");
        assertThat(topology.nodes().get(1).peer(1)).hasToString("\"S-0000000000200000\"[8]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "torus",
                "torus:3",
                "torus:0x3x3",
                "torus:256x1x1",
                "torus:255x255x255",
                "torus:32x32x32",
                "torus:32x32x16,hosts=2",
                "torus:255x16x16,hosts=16",
                "torus:3x3x3,hosts=17",
                "torus:3x3x3,hosts=",
                "torus:3x3x3,links=0",
                "torus:3x3x3,links=9",
                "torus:3x3x3,mesh=w",
                "torus:3x3x3,mesh=zx",
                "torus:3x3x3,",
                "torus:99999x99999x99999"
            })
    void refusesWhatItCannotBuild(String text) {
        assertThatThrownBy(() -> TorusSpec.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(?s).*(expected torus:|out of range; use|too many; a torus may|name each of).*");
    }

    @Test
    void takesAsManySwitchesAsThereAreLids() {
        assertThat(TorusSpec.parse("torus:3x127x129,hosts=0")).isEqualTo(new TorusSpec(3, 127, 129, 0, 1, ""));
        assertThatThrownBy(() -> TorusSpec.parse("torus:32x32x16,hosts=2"))
                .hasMessageContaining("need 49152 LIDs, which is too many; a torus may need 49151");
    }

    public static Topology golden(String file) throws IOException, TopologyException {
        try (InputStream packed = open(file + ".topo.gz");
                Reader text = new InputStreamReader(new GZIPInputStream(packed), StandardCharsets.UTF_8)) {
            return TopologyText.read(file, text);
        }
    }

    private static byte[] resource(String file) throws IOException {
        try (InputStream in = open(file)) {
            return in.readAllBytes();
        }
    }

    private static InputStream open(String file) {
        return Objects.requireNonNull(TorusSpecTest.class.getResourceAsStream("/sim/" + file), file);
    }

    /** Returns the cables as text, which is easier to read in a failure than two topologies. */
    private static List<String> lines(Topology topology) throws IOException {
        StringBuilder text = new StringBuilder();
        TopologyText.write(topology, text);
        return new ArrayList<>(text.toString().lines().toList());
    }
}
