package io.torussm.daemon.config.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.torussm.daemon.config.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys, and decisions of an operator that a conversion must not lose. */
class MigratedSecretsTest {
    private static final String SECRET = "0x5ec2e7";

    @TempDir
    Path directory;

    private ConvertedConf migrate(String text) throws Exception {
        return OpenSmMigration.toPrint(Files.writeString(directory.resolve("opensm.conf"), text));
    }

    private static String report(ConvertedConf result) {
        return String.join("\n", result.report());
    }

    /** NVIDIA's SM derives keys of classes from a seed. */
    @ParameterizedTest
    @ValueSource(strings = {"key_mgr_seed", "vs_key", "cc_key", "n2n_key", "sa_key"})
    void valuesOfKeysAreNotShown(String option) throws Exception {
        ConvertedConf result = migrate(option + " " + SECRET + "\n");
        assertThat(report(result)).doesNotContain(SECRET);
        assertThat(result.text().lines().filter(line -> line.startsWith("#"))).noneMatch(line -> line.contains(SECRET));
        assertThat(result.text().contains(SECRET)).isEqualTo(result.holdsKeys());
    }

    @ParameterizedTest
    @ValueSource(strings = {"m_key", "sm_key", "cc_key"})
    void aKeyThatIsWrongIsNotShown(String option) {
        ConfigurationException refused =
                catchThrowableOfType(ConfigurationException.class, () -> migrate(option + " 0x5ec2e7ZZ\n"));
        assertThat(refused.problems())
                .singleElement()
                .asString()
                .contains(option)
                .doesNotContain("5ec2e7");
    }

    @Test
    void aFileWithAnyKeyIsForItsGroupOnly() throws Exception {
        assertThat(report(migrate("cc_key 0x7\n"))).contains("mode 0640").doesNotContain("trusted_sm_guids");
        assertThat(report(migrate("m_key 0x7\n"))).contains("mode 0640").contains("trusted_sm_guids");
        assertThat(report(migrate("lmc 1\n"))).doesNotContain("mode 0640");
    }

    @Test
    void theTorusOfAVendorsEngineKeepsItsFileAndWeights() throws Exception {
        ConvertedConf result = migrate("routing_engine ar_torus\ntorus_config /etc/opensm/own.conf\nqos TRUE\n");
        assertThat(result.text()).contains("torus_config = ").contains("qos_vlarb_low = ");
        assertThat(result.files()).singleElement().satisfies(file -> assertThat(file.from())
                .isEqualTo(Path.of("/etc/opensm/own.conf")));
    }

    @Test
    void weightsOfTheOperatorAreNotCalledDefaults() throws Exception {
        assertThat(report(migrate("routing_engine torus-2QoS\nqos TRUE\nqos_vlarb_high 0:1\nqos_vlarb_low 0:9\n")))
                .doesNotContain("weights of VLs are OpenSM's defaults");
    }

    @Test
    void aFallbackThatTheOperatorForbadeStaysForbidden() throws Exception {
        assertThat(migrate("routing_engine updn,no_fallback\n").text())
                .contains("routing_engine = \"updn,no_fallback\"");
        assertThat(migrate("routing_engine no_fallback\n").text()).contains("routing_engine = \"minhop\"");
    }

    @Test
    void aDirectoryThatIsNotSetIsNoDirectory() throws Exception {
        ConvertedConf result = migrate("dump_files_dir (null)\nlog_file (null)\n");
        assertThat(result.text()).doesNotContain("(null)").doesNotContain("dump_files_dir");
        assertThat(report(result)).doesNotContain("write to (null)");
    }
}
