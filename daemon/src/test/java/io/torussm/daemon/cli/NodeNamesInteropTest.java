package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.names.NodeNames;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.Programs;
import io.torussm.testing.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** The same node name map, read by ibnetdiscover and by this SM, on the same fabric. */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(300)
class NodeNamesInteropTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final String SM_HOST = "H-0000000100000000";
    private static final String TOOL_HOST = "H-0000000100000100";

    /** The peer of a cable; for a host itself ibnetdiscover prints the NodeDescription in any case. */
    private static final Pattern PEER = Pattern.compile(
            "^\\[\\d+\\]\\s+\"[SH]-(\\p{XDigit}{16})\"\\[\\d+\\](?:\\(\\p{XDigit}+\\))?\\s+# \"(.*?)\" lid .*$",
            Pattern.MULTILINE);

    /** Lines of all kinds that ibnetdiscover takes or passes over. */
    private static final String MAP = """
            # names
            0x0000000000200000 "leaf 1 (rack 3)"

              0x200010\tleaf-2 # in no quotation marks
            2097184 decimal
            010000060 octal
            0x200040 "first"
            0x200040 "second"
            0x200050 "quoted" and more
            0x200060 "not closed
            0x200070 ""
            0x200080
            0X200090 "capital X"
            0x100000000 "login node"
            0x4711 "absent"
            """;

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @Test
    void nodesHaveTheNamesThatIbnetdiscoverGivesThem() throws Exception {
        Path map = Files.writeString(dir.resolve("ib-node-name-map"), MAP);
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, TORUS, TOOL_HOST, dir)) {
            torus.torusSm(SM_HOST, "--node_name_map_name", map.toString()).await("SUBNET UP");
            Map<String, String> theirs = new TreeMap<>();
            Map<String, String> ours = new TreeMap<>();
            String output = discovered(torus, map);
            PEER.matcher(output).results().forEach(node -> theirs.put(node.group(1), node.group(2)));
            for (String guid : theirs.keySet()) {
                ours.put(guid, consoleName(torus.controlSocket(SM_HOST), guid));
            }
            theirs.replaceAll((guid, name) -> name.strip());
            assertThat(ours).as(output).hasSize(24).isEqualTo(theirs);
            assertThat(ours)
                    .containsEntry("0000000000200000", "leaf 1 (rack 3)")
                    .containsEntry("0000000100000000", "login node");
        }
    }

    @Test
    void namesThatIbnetdiscoverRejectsAreRejected() throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, TORUS, TOOL_HOST, dir)) {
            for (String line :
                    List.of("leaf 0x200010", "0002c90300001234 leaf", "\"0x200010\" leaf", "0x200010: leaf")) {
                Path map = Files.writeString(dir.resolve("map"), "0x200000 \"leaf 1\"\n" + line + "\n");
                assertThat(discovered(torus, map)).as(line).contains("ailed to parse node name map");
                assertThat(NodeNames.parse("map", Files.readString(map)).names())
                        .as(line)
                        .isNull();
            }
        }
    }

    private String discovered(TorusOnIbSim torus, Path map) throws Exception {
        return torus.toolAt(TOOL_HOST, Programs.requireProgram("ibnetdiscover"), "--node-name-map", map.toString())
                .text();
    }

    private static String consoleName(Path socket, String guid) throws IOException {
        List<String> lines = new ArrayList<>();
        ConsoleClient.execute(socket, "node " + guid + " --json", 60_000, lines::add);
        return new ObjectMapper()
                .readTree(String.join("\n", lines))
                .path("name")
                .asText();
    }
}
