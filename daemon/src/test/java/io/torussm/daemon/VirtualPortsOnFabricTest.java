package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.console.Commands;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole SM, and hosts with virtual ports. */
@Timeout(120)
class VirtualPortsOnFabricTest {
    @TempDir
    Path dir;

    @Test
    void theSmBringsVirtualPortsUpIfItIsConfiguredSo() throws Exception {
        Path devices =
                Files.writeString(dir.resolve("devices.conf"), "devices = [ { name = \"host-*\", vports = 4 } ]");
        Map<Setting<?>, String> settings = new TreeMap<>(Map.of(
                Settings.SIMULATE,
                "torus:3x3x1,hosts=1",
                Settings.SIMULATE_DEVICES,
                devices.toString(),
                Settings.VIRT_ENABLED,
                "2"));
        try (ServiceHarness harness = new ServiceHarness(dir, settings)) {
            assertThat(harness.end()).isEqualTo("up");
            CompletableFuture<String> count = new CompletableFuture<>();
            harness.service().callPeriodically(TimeUnit.MILLISECONDS.toNanos(20), () -> {
                for (LoggedEvent logged : harness.log.of(SmEvent.VPORTS_ACTIVE)) {
                    count.complete(logged.get(EventField.COUNT));
                }
            });
            assertThat(count.get(60, TimeUnit.SECONDS)).isEqualTo("36");
            assertThat(harness.log.of(SmEvent.VPORTS_LEFT)).isEmpty();
            Commands commands = new Commands(harness.control());
            assertThat(commands.run("inventory", false).lines())
                    .contains("virtual ports, which are not compared: 36, in ACTIVE 36");
            assertThat(commands.run("drain sw-1-1-0", false).lines())
                    .anyMatch(line -> line.endsWith("host-1-1-0-0; with 4 virtual ports"));
            assertThat(commands.run("vports changes", false).lines())
                    .containsExactly("no virtual port has come or gone");
            assertThat(commands.run("vports host-1-1-0-0 -0s", false).lines())
                    .hasSize(5)
                    .last()
                    .asString()
                    .matches(".*\"host-1-1-0-0\" +1 +3 +0x0000030100000401 *(vport 3)?");
            assertThat(commands.run("vports host-1-1-0-0 -10m", false).lines())
                    .last()
                    .asString()
                    .matches("not known of that moment: .*host-1-1-0-0.*");
        }
    }
}
