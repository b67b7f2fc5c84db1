package io.torussm.daemon.config.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.SmEvent;
import io.torussm.routing.EngineFile;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.state.StateDirectory;
import io.torussm.testing.LoggedEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of an engine: while it has errors, the last good one stays effective, also after a restart. */
class EngineFilesTest {
    private static final String SETTING = "torus-2QoS.torus_config";

    private final EngineFiles files = new EngineFiles();

    @TempDir
    Path dir;

    @Test
    void aFileWithAnErrorDoesNotReplaceAGoodOne() throws Exception {
        String good = TorusSpec.parse("torus:3x3x1").torus2QosConf();
        Files.writeString(file(), good);
        try (LoggedEvents log = new LoggedEvents().listen()) {
            assertThat(files.read(options())).containsEntry(SETTING, read(good));
            Files.writeString(file(), "tors 1\n");
            assertThat(files.read(options())).containsEntry(SETTING, read(good));
            assertThat(files.read(options())).containsKey(SETTING);
            log.only(SmEvent.ENGINE_FILES_KEPT);
            Files.delete(file());
            assertThat(files.read(options())).containsEntry(SETTING, read(good));
            String newer = good.replace("torus", "torus ");
            Files.writeString(file(), newer);
            assertThat(files.read(options())).containsEntry(SETTING, read(newer));
            log.only(SmEvent.ENGINE_FILES_TAKEN);
        }
    }

    @Test
    void withoutAGoodOneTheEngineReportsTheError() throws Exception {
        Files.writeString(file(), "tors 1\n");
        assertThat(files.read(options())).containsEntry(SETTING, read("tors 1\n"));
    }

    @Test
    void aStartWithABrokenFileUsesTheLastGoodFile() throws Exception {
        String good = "# a comment\n\n" + TorusSpec.parse("torus:3x3x1").torus2QosConf();
        Files.writeString(file(), good);
        StateDirectory state = state();
        files.keepFilesIn(state, options());
        files.read(options());
        state.flush();
        Files.writeString(file(), "tors 1\n");
        EngineFiles next = new EngineFiles();
        next.keepFilesIn(state(), options());
        try (LoggedEvents log = new LoggedEvents().listen()) {
            assertThat(next.read(options())).containsEntry(SETTING, read(good));
            log.only(SmEvent.ENGINE_FILES_KEPT);
        }
    }

    @Test
    void withoutAnyGoodFileThereIsNoStart() throws Exception {
        Files.writeString(file(), "tors 1\n");
        StateDirectory state = state();
        SmOptions options = options();
        assertThatThrownBy(() -> files.keepFilesIn(state, options))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(file() + ":1: ");
    }

    /** The last used file may come back; an engine that never had a file is skipped. */
    @Test
    void aStartWithoutTheFileOfAnEngineContinuesIfTheChainHasAnother() throws Exception {
        SmOptions options = Configuration.read(
                null,
                Map.of(
                        Settings.ROUTING_ENGINE,
                        new Configuration.CommandLineValue("-R", "torus-2QoS,updn"),
                        Settings.TORUS_CONFIG,
                        new Configuration.CommandLineValue("--torus_config", file().toString())));
        EngineFiles.check(options);
        files.keepFilesIn(state(), options);
        assertThat(ConfigurationCheck.warnings(options)).anyMatch(warning -> warning.contains(file().toString()));
    }

    private SmOptions options() throws ConfigurationException {
        return Configuration.read(
                null,
                Map.of(
                        Settings.QOS,
                        new Configuration.CommandLineValue("-Q", "true"),
                        Settings.TORUS_CONFIG,
                        new Configuration.CommandLineValue("--torus_config", file().toString())));
    }

    private Path file() {
        return dir.resolve("torus-2QoS.conf");
    }

    private EngineFile read(String text) {
        return EngineFile.read(file().toString(), text);
    }

    private StateDirectory state() throws IOException {
        return StateDirectory.open(dir.resolve("state"), new VirtualLoop());
    }
}
