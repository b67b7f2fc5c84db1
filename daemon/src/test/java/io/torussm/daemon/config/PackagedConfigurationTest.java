package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.files.ConfigurationCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The file of the package: it sets nothing, so that a start needs no other file, and each of its examples can be used.
 */
class PackagedConfigurationTest {
    private static final Path PACKAGED = Path.of("..", "packaging", "etc", "torus-sm.conf");
    private static final Pattern EXAMPLE = Pattern.compile("# (\\w+ = \\S+)");

    @TempDir
    Path dir;

    @Test
    void choosesTheEngineByTheFabric() throws Exception {
        SmOptions options = Configuration.read(PACKAGED, Map.of());
        assertThat(options.routing().engines()).isEqualTo("auto");
        assertThat(ConfigurationCheck.warnings(options))
                .as("only that there are no keys")
                .allMatch(warning -> warning.contains("m_key"));
    }

    @Test
    void theExamplesOfTheFileAreSettings() throws Exception {
        List<String> examples = Files.readAllLines(PACKAGED).stream()
                .map(EXAMPLE::matcher)
                .filter(Matcher::matches)
                .map(example -> example.group(1))
                .toList();
        assertThat(String.join("\n", examples))
                .contains(
                        "root_guid_file", "cn_guid_file", "torus_config", "perfmgr", "alert_program", "\"ftree,updn\"");
        for (String example : examples) {
            if (!example.startsWith("replication_")) {
                Configuration.read(Files.writeString(dir.resolve("one.conf"), example + "\n"), Map.of());
            }
        }
        Configuration.read(Files.writeString(dir.resolve("all.conf"), String.join("\n", examples)), Map.of());
    }
}
