package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that give one setting two values, and values with several notations. */
class ConfigurationConflictTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "root_guid_file = /a; updn { root_guid_file = /b } | FILE:2: updn.root_guid_file differs from"
                        + " root_guid_file (FILE:1)",
                "updn { root_guid_file = /b }; root_guid_file = /a | FILE:2: root_guid_file differs from"
                        + " updn.root_guid_file (FILE:1)",
                "updn { root_guid_file = /a }; ftree { root_guid_file = /b } | FILE:2: ftree.root_guid_file differs from"
                        + " updn.root_guid_file (FILE:1)",
                "updn {; root_guid_file = /a; }; ; ftree {; root_guid_file = /b; } | FILE:6: ftree.root_guid_file differs"
                        + " from updn.root_guid_file (FILE:2)"
            })
    void enginesShareASettingWithOneValue(String file, String problem) throws IOException {
        assertThat(problems(file.replace("; ", "\n")))
                .singleElement()
                .asString()
                .startsWith(problem)
                .endsWith("write it once");
    }

    @Test
    void twoEnginesMayNameTheSameFile() throws Exception {
        SmOptions options = read("updn { root_guid_file = /a }\nftree { root_guid_file = /a }");
        assertThat(options.routing().engineSettings())
                .containsEntry("updn.root_guid_file", "/a")
                .containsEntry("ftree.root_guid_file", "/a");
    }

    @Test
    void aProblemInTheObjectOfAnEngineHasItsOwnLine() throws IOException {
        assertThat(problems("minhop {\n scatter_ports = 1\n scatter_prts = 2\n}"))
                .singleElement()
                .asString()
                .startsWith("FILE:3: there is no setting minhop.scatter_prts");
    }

    /** OpenSM's no_partition_enforcement takes precedence over part_enforce, which then has no effect. */
    @Test
    void aSettingWithoutEffectIsAWarning() throws Exception {
        SmOptions both = read("no_partition_enforcement = true\npart_enforce = in");
        assertThat(both.values().text(Settings.PART_ENFORCE)).isEqualTo("off");
        assertThat(both.values().warnings()).singleElement().asString().startsWith("part_enforce is off because");
        assertThat(read("no_partition_enforcement = true").values().warnings()).isEmpty();
        assertThat(read("part_enforce = in").values().warnings()).isEmpty();
    }

    @Test
    void aTypeWithCommasAlsoTakesAList() throws Exception {
        SmOptions options = read("""
                replication_listen = "10.0.0.1:1", replication_key_file = /k
                replication_peers = ["10.0.0.2:1", "10.0.0.3:1"]
                alert_codes = [TSM-4007, TSM-4010]
                """);
        assertThat(options.replication().peers()).hasSize(2);
        assertThat(options.values().text(Settings.ALERT_CODES)).isEqualTo("TSM-4007,TSM-4010");
        assertThat(problems("alert_codes = [TSM-4007, [TSM-4010]]"))
                .containsExactly("FILE:1: alert_codes must be a list of single values");
    }

    @ParameterizedTest
    @CsvSource({"5, 5", "+5, 5", "05, 5", "+05, 5", "0x5, 5", "+0x5, 5", "000x5, 5", "007, 7", "+007, 7"})
    void zerosBeforeANumberAndAPlusChangeNothing(String text, int lmc) throws Exception {
        assertThat(read("lmc = \"" + text + "\"").sweep().lmc()).isEqualTo(lmc);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0x1/0 width=1 | must have port numbers from 1 to 254",
                "0x1/255 width=1 | must have port numbers from 1 to 254",
                "0x1/1 width=1 speed=1 width=2 | must have each of width, speed and speed_ext once",
                "0x1/1 width=1, 0x2/1 width=1, 1/1 speed=1 | must have each port once"
            })
    void aPortOfForcedLinksExistsAndHasEachValueOnce(String value, String problem) throws IOException {
        assertThat(problems("force_link_ports = \"" + value + "\""))
                .singleElement()
                .asString()
                .contains(problem);
    }

    @Test
    void aFileNameIsOneLine() throws IOException {
        assertThat(problems("torus_config = \"/a\\nb\""))
                .singleElement()
                .asString()
                .startsWith("FILE:1: torus_config");
    }

    private SmOptions read(String text) throws IOException, ConfigurationException {
        return Configuration.read(Files.writeString(directory.resolve("sm.conf"), text), Map.of());
    }

    private List<String> problems(String text) throws IOException {
        ConfigurationException refused = catchThrowableOfType(ConfigurationException.class, () -> read(text));
        return refused.problems().stream()
                .map(problem -> problem.replace(directory.resolve("sm.conf").toString(), "FILE"))
                .toList();
    }
}
