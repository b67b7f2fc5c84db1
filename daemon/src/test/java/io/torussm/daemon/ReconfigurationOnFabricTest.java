package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The effects of SIGHUP in a running SM. */
@Timeout(120)
class ReconfigurationOnFabricTest {
    private static final String TORUS = "torus:3x3x1,hosts=1";
    private static final long PREFIX = 0xfe80_0000_0000_0000L;

    @TempDir
    Path dir;

    @Test
    void namesChangesAndSettingsThatWaitForARestart() throws Exception {
        try (ServiceHarness harness = new ServiceHarness(dir, with(Map.of()))) {
            assertThat(harness.end()).isEqualTo("up");
            Map<Setting<?>, String> changed =
                    Map.of(Settings.SUBNET_PREFIX, "0xfe80000000000009", Settings.LMC, "1", Settings.SM_KEY, "0x77");
            assertThat(reconfigured(harness, changed))
                    .satisfiesExactly(
                            now -> {
                                assertThat(now.event()).isEqualTo(SmEvent.SETTINGS_CHANGED);
                                assertThat(now.get(EventField.TEXT)).endsWith(": lmc = 1 (was 0)");
                            },
                            later -> {
                                assertThat(later.event()).isEqualTo(SmEvent.SETTINGS_WAITING);
                                assertThat(later.get(EventField.TEXT))
                                        .as("the new SM_Key is not shown")
                                        .endsWith(
                                                ": subnet_prefix = 0xfe80000000000009 (was 0xfe80000000000000), sm_key");
                            });
            assertThat(Objects.requireNonNull(harness.control().view()).subnet().gidPrefix())
                    .as("the same everywhere until the restart")
                    .isEqualTo(PREFIX);
            assertThat(reconfigured(harness, changed))
                    .extracting(LoggedEvent::event)
                    .containsExactly(SmEvent.SETTINGS_WAITING);
            assertThat(reconfigured(harness, Map.of(Settings.LMC, "1"))).isEmpty();
        }
    }

    @Test
    void aShorterSweepIntervalDoesNotWaitForTheLongerOne() throws Exception {
        try (ServiceHarness harness = new ServiceHarness(dir, with(Map.of()))) {
            assertThat(harness.end()).isEqualTo("up");
            harness.service().reconfigure(every("86400"));
            harness.service().reconfigure(every("1"));
            long before = lightSweeps(harness);
            CompletableFuture<Boolean> swept = new CompletableFuture<>();
            harness.service().callPeriodically(TimeUnit.MILLISECONDS.toNanos(20), () -> {
                if (lightSweeps(harness) > before) {
                    swept.complete(true);
                }
            });
            assertThat(swept.get(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static Map<Setting<?>, String> with(Map<Setting<?>, String> more) {
        Map<Setting<?>, String> settings = new TreeMap<>(more);
        settings.put(Settings.SIMULATE, TORUS);
        return settings;
    }

    private List<LoggedEvent> reconfigured(ServiceHarness harness, Map<Setting<?>, String> more) throws Exception {
        harness.log.take();
        harness.service().reconfigure(ServiceHarness.options(dir, with(more)));
        harness.control().requestSweep(true);
        assertThat(harness.end()).isEqualTo("up");
        return harness.log.take().stream()
                .filter(logged ->
                        logged.event() == SmEvent.SETTINGS_CHANGED || logged.event() == SmEvent.SETTINGS_WAITING)
                .toList();
    }

    private static long lightSweeps(ServiceHarness harness) {
        return Objects.requireNonNull(harness.control().statistics()).sweeps().counts().counts().stream()
                .filter(count -> count.kind() == SweepCounts.SweepScope.LIGHT)
                .mapToLong(SweepCounts.Count::count)
                .sum();
    }

    private SmOptions every(String seconds) throws Exception {
        Map<Setting<?>, Configuration.CommandLineValue> values = new TreeMap<>();
        Map.of(
                        Settings.SIMULATE,
                        TORUS,
                        Settings.QOS,
                        "true",
                        Settings.STATE_DIR,
                        dir.toString(),
                        Settings.SWEEP_INTERVAL,
                        seconds)
                .forEach((setting, value) -> values.put(setting, new Configuration.CommandLineValue("test", value)));
        return Configuration.read(null, values);
    }
}
