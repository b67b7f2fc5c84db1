package io.torussm.daemon.config.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.SmEvent;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PartitionSettings.Enforcement;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.testing.LoggedEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The partitions.conf that is read: the named or the default file, again each time. After an error the previous content
 * stays effective.
 */
class PartitionFileTest {
    @TempDir
    Path dir;

    @Test
    void withoutAFileNothingIsSeparated() throws Exception {
        PartitionSettings settings = options(Map.of())
                .partitions()
                .with(ReloadedFiles.partitions(file()).read(options(Map.of())));
        assertThat(settings).isEqualTo(PartitionSettings.DEFAULT);
        assertThat(ReloadedFiles.partitions(file()).check(options(Map.of()))).isEmpty();
    }

    @Test
    void theDefaultFileIsReadIfItExists() throws Exception {
        write("A=5:ALL;");
        PartitionConf conf = ReloadedFiles.partitions(file()).read(options(Map.of()));
        assertThat(conf.file()).isEqualTo(file().toString());
        assertThat(conf.partitions().get(0).pKey()).isEqualTo(5);
    }

    @Test
    void aSimulatedFabricDoesNotReadTheDefaultFile() throws Exception {
        write("A=5:ALL;");
        SmOptions simulated = options(Map.of(Settings.SIMULATE, "torus:3x3x1"));
        assertThat(ReloadedFiles.partitions(file()).read(simulated)).isEqualTo(PartitionConf.NONE);
    }

    @Test
    void theFileIsReadAgainEachTime() throws Exception {
        ReloadedFile<PartitionConf> reader = ReloadedFiles.partitions(dir.resolve("none"));
        write("A=5:ALL;");
        assertThat(reader.read(optionsWithFile()).partitions().get(0).pKey()).isEqualTo(5);
        write("A=6:ALL;");
        assertThat(reader.read(optionsWithFile()).partitions().get(0).pKey()).isEqualTo(6);
    }

    @Test
    void afterAnErrorTheActiveContentStays() throws Exception {
        ReloadedFile<PartitionConf> reader = ReloadedFiles.partitions(dir.resolve("none"));
        write("oops");
        assertThat(reader.read(optionsWithFile())).as("at the start").isEqualTo(PartitionConf.NONE);
        write("A=5:ALL;");
        PartitionConf good = reader.read(optionsWithFile());
        write("A=5:ALL;B=6:oops;");
        assertThat(reader.read(optionsWithFile())).isEqualTo(good);
        Files.delete(file());
        assertThat(reader.read(optionsWithFile())).isEqualTo(good);
        write("A=5:ALL;");
        try (LoggedEvents log = new LoggedEvents().listen()) {
            reader.read(optionsWithFile());
            reader.read(optionsWithFile());
            log.only(SmEvent.PARTITIONS_TAKEN);
        }
    }

    @Test
    void aRestartWithABrokenFileUsesTheLastGoodVersion() throws Exception {
        write("# storage\n\nA=5:ALL=limited;\n");
        PartitionConf good = restart().active();
        write("A=5:ALL=limited;oops=0x99999:ALL;");
        assertThat(restart().active()).isEqualTo(good);
        assertThat(restart().active()).as("and at the restart after that").isEqualTo(good);
        Files.delete(file());
        assertThat(restart().active()).as("the file is gone").isEqualTo(good);
        write("A=6:ALL;");
        assertThat(restart().active().partitions().get(0).pKey()).isEqualTo(6);
    }

    @Test
    void withoutAVersionThatCanBeUsedTheSmDoesNotStart() throws Exception {
        write("oops=0x99999:ALL;");
        assertThatThrownBy(this::restart).isInstanceOfSatisfying(ConfigurationException.class, e -> assertThat(
                        e.problems())
                .satisfiesExactly(error -> assertThat(error).startsWith(file() + ":1: "), remedy -> assertThat(remedy)
                        .contains("partition_config_file")));
    }

    @Test
    void aFileThatWasNamedMustBeThere() throws Exception {
        SmOptions options = optionsWithFile();
        assertThatThrownBy(() -> ReloadedFiles.partitions(file()).check(options))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(file() + " cannot be read: there is no such file; see partition_config_file");
    }

    @Test
    void theCheckNamesFileAndLineOfEachError() throws Exception {
        write("A=5:ALL;\nB=6:oops;\nC=7,what:;");
        SmOptions options = optionsWithFile();
        assertThatThrownBy(() -> ConfigurationCheck.warnings(options(
                        Map.of(Settings.ROUTING_ENGINE, "minhop", Settings.PARTITION_CONFIG_FILE, file().toString()))))
                .isInstanceOfSatisfying(ConfigurationException.class, e -> assertThat(e.problems())
                        .satisfiesExactly(
                                first -> assertThat(first).startsWith(file() + ":2: "),
                                second -> assertThat(second).startsWith(file() + ":3: ")));
        assertThat(options.values().get(Settings.PARTITION_CONFIG_FILE)).contains(file());
    }

    @Test
    void settingsMatchTheFile() throws Exception {
        PartitionSettings settings = options(Map.of(
                        Settings.PART_ENFORCE,
                        "out",
                        Settings.KEEP_PKEY_INDEXES,
                        "false",
                        Settings.ALLOW_BOTH_PKEYS,
                        "yes"))
                .partitions()
                .with(PartitionConf.NONE);
        assertThat(settings).isEqualTo(new PartitionSettings(PartitionConf.NONE, Enforcement.OUT, false, true));
        SmOptions off = options(Map.of(Settings.NO_PARTITION_ENFORCEMENT, "true"));
        assertThat(off.partitions().enforcement()).isEqualTo(Enforcement.OFF);
    }

    private static SmOptions options(Map<Setting<?>, String> values) throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> overrides = new TreeMap<>();
        values.forEach((setting, value) -> overrides.put(setting, new Configuration.CommandLineValue("--test", value)));
        return Configuration.read(null, overrides);
    }

    private SmOptions optionsWithFile() throws ConfigurationException {
        return options(Map.of(Settings.PARTITION_CONFIG_FILE, file().toString()));
    }

    private Path file() {
        return dir.resolve("partitions.conf");
    }

    private void write(String text) throws IOException {
        Files.writeString(file(), text);
    }

    /** Starts an SM with the same state directory again. */
    private ReloadedFile<PartitionConf> restart() throws Exception {
        VirtualLoop disk = new VirtualLoop();
        ReloadedFile<PartitionConf> reader = ReloadedFiles.partitions(dir.resolve("none"));
        reader.keepFileIn(StateDirectory.open(dir.resolve("state"), disk), optionsWithFile());
        reader.read(optionsWithFile());
        disk.runFor(1);
        return reader;
    }
}
