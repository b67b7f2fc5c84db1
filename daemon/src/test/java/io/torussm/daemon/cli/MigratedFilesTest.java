package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.system.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that {@code migrate-conf} writes and copies: their contents, their names and who can read them. */
class MigratedFilesTest extends CommandHarness {
    private static final String READABLE = "rw-r--r--";
    private static final String READABLE_BY_GROUP = "rw-r-----";

    /** Directory of opensm.conf and its files. */
    private Path source = Path.of("");

    /** Directory of the new configuration. */
    private Path target = Path.of("");

    @BeforeEach
    void createDirectories() throws Exception {
        source = Files.createDirectory(dir.resolve("opensm"));
        target = Files.createDirectory(dir.resolve("torus-sm"));
    }

    /** Files keep their names, except for one that the SM reads from a place of its own. */
    @ParameterizedTest
    @CsvSource({
        "root_guid_file, roots, roots",
        "cn_guid_file, compute, compute",
        "io_guid_file, io, io",
        "ids_guid_file, ids, ids",
        "node_name_map_name, names, names",
        "hop_weights_file, weights, weights",
        "dimn_ports_file, order, order",
        "partition_config_file, parts, partitions.conf"
    })
    void migrateConfCopiesAFileBesideTheConfiguration(String option, String name, String nameOfCopy) throws Exception {
        Path original = create(name, READABLE);
        Path copy = target.resolve(nameOfCopy);
        Path output = migrate(option + " " + original);
        assertThat(copy).hasContent("# " + name + "\n");
        assertThat(mode(copy)).isEqualTo(READABLE);
        assertThat(output).content().contains(" = \"" + copy + "\"");
        assertThat(err()).contains(original + " copied to " + copy);
    }

    @Test
    void aCopyOfAPrivateFileIsReadableByTheGroup() throws Exception {
        migrate("root_guid_file " + create("roots", "rw-------"));
        assertThat(mode(target.resolve("roots"))).isEqualTo(READABLE_BY_GROUP);
    }

    @Test
    void migrateConfReportsACopyThatExistsWithOtherContents() throws Exception {
        Path present = Files.writeString(target.resolve("order"), "mine");
        migrate("guid_routing_order_file " + create("order", READABLE));
        assertThat(present).as("not overwritten").hasContent("mine");
        assertThat(err()).contains(present + " is there already and is not overwritten, but differs");
    }

    @Test
    void migrateConfReportsAFileThatIsAbsent() throws Exception {
        Path absent = source.resolve("absent");
        migrate("lfts_file " + absent);
        assertThat(err()).contains(absent + " is not there, or no file; once it is: install -m 0644 ");
    }

    @Test
    void aConfigurationWithKeysIsReadableByItsGroup() throws Exception {
        Path output = migrate("m_key 0x1122334455667788");
        assertThat(output).content().contains("m_key = 0x1122334455667788");
        assertThat(mode(output)).isEqualTo(READABLE_BY_GROUP);
        assertThat(err()).contains("it holds keys").doesNotContain("1122334455667788");
    }

    @ParameterizedTest
    @CsvSource({"sm_priority 3, rw-rw-r--", "m_key 0x5, rw-rw----"})
    void aConfigurationHasGroupAndModeOfTheOneBesideIt(String line, String mode) throws Exception {
        Path packaged = Files.writeString(target.resolve("torus-sm.conf"), "");
        Files.setPosixFilePermissions(packaged, PosixFilePermissions.fromString(mode));
        Path output = migrate(line);
        assertThat(mode(output)).isEqualTo(mode);
        assertThat(Files.getAttribute(output, "posix:group")).isEqualTo(Files.getAttribute(packaged, "posix:group"));
    }

    /**
     * The package of EL has the output of "opensm -c" with its own directory, that of SLES the upstream one. Only the
     * files of this machine that exist are copied.
     */
    @ParameterizedTest
    @ValueSource(strings = {"rdma", "opensm"})
    void migrateConfCopiesNoFileOfADistributionThatIsAbsent(String directory) throws Exception {
        Path standard = Path.of("/etc", directory);
        Map<String, Path> files = Map.of(
                "partition_config_file", standard.resolve("partitions.conf"),
                "qos_policy_file", standard.resolve("qos-policy.conf"),
                "prefix_routes_file", standard.resolve("prefix-routes.conf"));
        StringBuilder conf = new StringBuilder("sm_priority 3\ntorus_config " + standard.resolve("torus-2QoS.conf")
                + "\nper_module_logging_file " + standard.resolve("per-module-logging.conf") + "\n");
        files.forEach(
                (option, file) -> conf.append(option).append(' ').append(file).append('\n'));
        Path output = migrate(conf.toString());
        assertThat(err())
                .contains("sm_priority")
                .doesNotContain("is not there")
                .doesNotContain("per_module_logging_file /etc");
        List<String> lines = Files.readAllLines(output);
        assertThat(lines).contains("sm_priority = 3");
        files.forEach((option, file) -> assertThat(lines.stream().anyMatch(line -> line.startsWith(option + " = ")))
                .as("%s is copied", file)
                .isEqualTo(Files.exists(file)));
        if (files.values().stream().noneMatch(Files::exists)) {
            ConfigurationCheck check = ConfigurationCheck.run("-F", output.toString());
            assertThat(check.code()).as(check.output()).isEqualTo(ExitCode.OK);
        }
    }

    /** Migrates a configuration with some lines, and returns the new one. */
    private Path migrate(String lines) throws Exception {
        Path conf = Files.writeString(source.resolve("opensm.conf"), lines + "\n");
        Path output = target.resolve("new.conf");
        ExitCode code = run("migrate-conf", conf.toString(), "--output", output.toString());
        assertThat(code).as(err()).isEqualTo(ExitCode.OK);
        return output;
    }

    /** Creates a file of OpenSM whose contents are its name. */
    private Path create(String name, String mode) throws Exception {
        Path file = Files.writeString(source.resolve(name), "# " + name + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return file;
    }

    /** Returns the permissions of a file as {@code rw-r--r--}. */
    static String mode(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
