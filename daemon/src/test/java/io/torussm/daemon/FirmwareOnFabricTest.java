package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.event.SmEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The firmware versions of devices in inventory and health: a whole daemon on an embedded torus of 3x3 switches. */
@Timeout(120)
class FirmwareOnFabricTest {
    private static final String DEVICES = "devices = [ { name = \"*\", firmware = \"28.39.1002\" },"
            + " { name = \"host-1-1-0-0\", firmware = \"28.35.2000\" } ]";

    @TempDir
    Path dir;

    @Test
    void versionsAreInInventoryAndHealth() throws Exception {
        try (RunningDaemon daemon = start(true)) {
            assertThat(firmware(daemon).get(0))
                    .endsWith("28.39.1002 at 8 devices, 28.35.2000 at 1 device (host-1-1-0-0)");
            assertThat(firmware(daemon).get(1)).endsWith("28.39.1002 at 9 devices");
            assertThat(daemon.execute("health")).anyMatch(line -> line.matches("warning +firmware +1 found"));
        }
    }

    @Test
    void versionsAreNotReadByDefault() throws Exception {
        assertThat(Settings.FIRMWARE_VERSIONS.defaultText()).isEqualTo("false");
        try (RunningDaemon daemon = start(false)) {
            assertThat(daemon.execute("inventory")).noneMatch(line -> line.startsWith("firmware"));
            assertThat(daemon.execute("health")).noneMatch(line -> line.contains("firmware"));
        }
    }

    private RunningDaemon start(boolean isRead) throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>(Map.of(
                Settings.SIMULATE,
                "torus:3x3x1,hosts=1",
                Settings.SIMULATE_DEVICES,
                Files.writeString(dir.resolve("devices.conf"), DEVICES).toString(),
                Settings.FIRMWARE_VERSIONS,
                String.valueOf(isRead)));
        RunningDaemon daemon = new RunningDaemon(dir, settings, SubnetManager::open);
        daemon.awaitEvent(SmEvent.SUBNET_UP.code());
        return daemon;
    }

    /** Asks for the inventory until it has two kinds of devices. */
    private static List<String> firmware(RunningDaemon daemon) throws IOException {
        while (true) {
            List<String> lines = daemon.execute("inventory").stream()
                    .filter(line -> line.startsWith("firmware"))
                    .toList();
            if (lines.size() == 2) {
                return lines;
            }
        }
    }
}
