package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.routing.EngineFile;
import io.torussm.sim.TorusSpec;
import io.torussm.testing.LoggedEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an engine uses while its file has errors. */
class EngineFilesTest {
    private static final String SETTING = "torus-2QoS.torus_config";

    private final EngineFiles files = new EngineFiles();

    @TempDir
    Path dir;

    private SmOptions options() throws ConfigurationException {
        return Configuration.read(
                null,
                Map.of(
                        Settings.QOS,
                        new Configuration.Given("-Q", "true"),
                        Settings.TORUS_CONFIG,
                        new Configuration.Given("--torus_config", file().toString())));
    }

    private Path file() {
        return dir.resolve("torus-2QoS.conf");
    }

    @Test
    void aFileWithAnErrorDoesNotTakeThePlaceOfAGoodOne() throws Exception {
        String good = TorusSpec.parse("torus:3x3x1").torus2QosConf();
        Files.writeString(file(), good);
        try (LoggedEvents log = new LoggedEvents().listen()) {
            assertThat(files.instead(options())).isEmpty();
            Files.writeString(file(), "tors 1\n");
            assertThat(files.instead(options())).containsEntry(SETTING, EngineFile.read(file().toString(), good));
            assertThat(files.instead(options())).containsKey(SETTING);
            log.only(SmEvent.ENGINE_FILES_KEPT);
            Files.delete(file());
            assertThat(files.instead(options())).containsEntry(SETTING, EngineFile.read(file().toString(), good));
            Files.writeString(file(), good.replace("torus", "torus "));
            assertThat(files.instead(options())).isEmpty();
            log.only(SmEvent.ENGINE_FILES_TAKEN);
        }
    }

    @Test
    void withoutAGoodOneTheEngineSaysWhatIsWrong() throws Exception {
        Files.writeString(file(), "tors 1\n");
        assertThat(files.instead(options())).isEmpty();
    }
}
