package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** QoS settings of a running SM on a torus of 3x3 switches: the tables of the ports, and warnings. */
@Timeout(120)
class QosReconfigurationTest {
    private static final Setting<?> CA_LOW = Objects.requireNonNull(Settings.ofKey("qos_ca_vlarb_low"));
    private static final String TORUS = "torus:3x3x1,hosts=1";

    @TempDir
    Path dir;

    @Test
    void reachThePortsThatTheyAreFor() throws Exception {
        Map<Setting<?>, String> plain = Map.of(Settings.SIMULATE, TORUS);
        try (ServiceHarness harness = new ServiceHarness(dir, plain)) {
            assertThat(harness.end()).isEqualTo("up");
            assertThat(sweep(harness, plain)).isEqualTo("up");
            assertThat(harness.summary()).contains(" 0 table blocks written");
            Map<Setting<?>, String> changed = Map.of(Settings.SIMULATE, TORUS, CA_LOW, "0:64,1:8");
            assertThat(sweep(harness, changed)).isEqualTo("up");
            assertThat(harness.summary()).contains(" 9 table blocks written");
            assertThat(warnings(harness)).isEmpty();
        }
    }

    @Test
    void areWarnedOfOnceUntilTheyChange() throws Exception {
        Map<Setting<?>, String> unfair = Map.of(Settings.SIMULATE, TORUS, CA_LOW, "0:64,1:8,2:1");
        try (ServiceHarness harness = new ServiceHarness(dir, unfair)) {
            assertThat(harness.end()).isEqualTo("up");
            assertThat(warnings(harness))
                    .singleElement()
                    .matches(told -> told.event() == SmEvent.QOS_WARNING)
                    .matches(told -> told.names(CA_LOW.key()));
            assertThat(sweep(harness, unfair)).isEqualTo("up");
            assertThat(warnings(harness)).isEmpty();
            assertThat(sweep(harness, Map.of(Settings.SIMULATE, TORUS))).isEqualTo("up");
            assertThat(warnings(harness)).isEmpty();
            assertThat(sweep(harness, unfair)).isEqualTo("up");
            assertThat(warnings(harness)).hasSize(1);
        }
    }

    /** The defaults of OpenSM, as a configuration of it may spell them, favour one VL and use some that hosts lack. */
    @Test
    void weightsOfOpenSmAreOneWarning() throws Exception {
        Map<Setting<?>, String> weights = Map.of(
                Settings.SIMULATE,
                TORUS,
                Objects.requireNonNull(Settings.ofKey("qos_vlarb_high")),
                "0:4,1:0,2:0,3:0,4:0,5:0,6:0,7:0",
                Objects.requireNonNull(Settings.ofKey("qos_vlarb_low")),
                "0:0,1:4,2:4,3:4,4:4,5:4,6:4,7:4");
        try (ServiceHarness harness = new ServiceHarness(dir, weights)) {
            assertThat(harness.end()).isEqualTo("up");
            assertThat(warnings(harness)).singleElement().matches(told -> told.names("5 faults"));
        }
    }

    private String sweep(ServiceHarness harness, Map<Setting<?>, String> settings) throws Exception {
        harness.service().reconfigure(ServiceHarness.options(dir, settings));
        harness.control().requestSweep(true);
        return harness.end();
    }

    /** Returns warnings, but for that of a machine that gave this JVM no time. */
    private static List<LoggedEvent> warnings(ServiceHarness harness) {
        return harness.log.take().stream()
                .filter(logged -> logged.event().severity() == Severity.WARNING)
                .filter(logged -> logged.event() != SmEvent.STOOD_STILL)
                .toList();
    }
}
