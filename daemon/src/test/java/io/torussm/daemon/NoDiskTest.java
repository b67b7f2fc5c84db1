package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.event.SmEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A first start without room for a state directory; below /proc none can be made, whoever tries. */
@Timeout(60)
class NoDiskTest {
    private static final Path NOWHERE = Path.of("/proc/torus-sm");

    @TempDir
    Path dir;

    @Test
    void theSubnetIsServedAllTheSame() throws Exception {
        try (ServiceHarness harness = new ServiceHarness(NOWHERE, Map.of(Settings.SIMULATE, "tree:4,1"))) {
            assertThat(harness.end()).isEqualTo("up");
            assertThat(harness.log.only(SmEvent.STATE_DIR_MISSING).fields().values())
                    .contains(NOWHERE.toString());
            assertThat(harness.log.of(SmEvent.STATE_FILE_NOT_WRITTEN))
                    .as("one condition for all files")
                    .isEmpty();
            assertThat(harness.statusLines()).anyMatch(line -> line.startsWith("state: routed"));
        }
        assertThat(NOWHERE).doesNotExist();
    }

    @Test
    void aWrongConfigurationIsStillRefused() throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "");
        assertThatThrownBy(() -> new ServiceHarness(file, Map.of(Settings.SIMULATE, "tree:4,1")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("state_dir: " + file + " cannot be used");
        Path below = file.resolve("below/it");
        assertThatThrownBy(() -> new ServiceHarness(below, Map.of(Settings.SIMULATE, "tree:4,1")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("state_dir: " + below + " cannot be used");
    }
}
