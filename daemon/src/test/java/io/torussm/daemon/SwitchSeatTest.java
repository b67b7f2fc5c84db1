package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A subnet manager that runs in a switch, at port 0. */
@Timeout(60)
class SwitchSeatTest {
    private static final String TORUS = "torus:3x3x1,hosts=1";
    private static final String SWITCH = "S-0000000000200000";

    @TempDir
    Path dir;

    @Test
    void portZeroOfASwitchIsThePortOfTheSm() throws Exception {
        try (ServiceHarness harness =
                new ServiceHarness(dir, Map.of(Settings.SIMULATE, TORUS, Settings.SIM_HOST, SWITCH))) {
            assertThat(harness.end()).isEqualTo("up");
            PublishedView view = Objects.requireNonNull(harness.control().view());
            Fabric fabric = view.subnet().fabric();
            int own = fabric.localPort();
            assertThat(fabric.portNum(own)).isZero();
            assertThat(fabric.nodeGuid(fabric.nodeOf(own))).isEqualTo(0x200000);
            int ownLid = view.subnet().lid(own);
            assertThat(ownLid).isPositive();
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.isEndport(port)) {
                    assertThat(Objects.requireNonNull(fabric.portInfo(port)).masterSmLid())
                            .as(fabric.nodeName(fabric.nodeOf(port)))
                            .isEqualTo(ownLid);
                }
            }
            assertThat(harness.log.of(Severity.WARNING)).allMatch(event -> event.event() == SmEvent.KEYS_PUBLIC);
            assertThat(harness.log.of(Severity.ERROR)).isEmpty();
        }
    }

    @Test
    void anotherPortOfASwitchIsRefused() {
        assertThatThrownBy(() -> new ServiceHarness(
                        dir, Map.of(Settings.SIMULATE, TORUS, Settings.SIM_HOST, SWITCH, Settings.PORT, "1")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("has no end port 1; use 0");
    }
}
