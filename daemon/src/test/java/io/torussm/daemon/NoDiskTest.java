package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.event.SmEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A first start without room for a state directory. Below /proc no directory can be made, not even by root. This must
 * not keep the SM from its subnet; a path that can never be a directory is an error of the configuration.
 */
@Timeout(60)
class NoDiskTest {
    private static final Path NOWHERE = Path.of("/proc/torus-sm");
    private static final Map<Setting<?>, String> SMALL_TREE = Map.of(Settings.SIMULATE, "tree:4,1");

    @TempDir
    Path dir;

    @Test
    void anSmWithoutAStateDirectoryServesItsSubnet() throws Exception {
        try (ServiceHarness harness = new ServiceHarness(NOWHERE, SMALL_TREE)) {
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
    void aStateDirectoryThatIsAFileIsRefused() throws Exception {
        assertRefused(Files.writeString(dir.resolve("file"), ""));
    }

    @Test
    void aStateDirectoryBelowAFileIsRefused() throws Exception {
        assertRefused(Files.writeString(dir.resolve("file"), "").resolve("below/it"));
    }

    private static void assertRefused(Path stateDirectory) {
        assertThatThrownBy(() -> new ServiceHarness(stateDirectory, SMALL_TREE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("state_dir: " + stateDirectory + " cannot be used");
    }
}
