package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The units of systemd: the service is started, and started again, after any delay or failure. */
class UnitsTest {
    private static final Path UNITS = Path.of("..", "packaging", "systemd");

    @ParameterizedTest
    @ValueSource(strings = {"torus-sm.service", "torus-sm@.service"})
    void aUnitIsNeverSkippedAndNeverGivesUp(String name) throws IOException {
        List<String> unit = unit(name);
        assertThat(unit).as("skipped in silence").noneMatch(line -> line.matches("(Condition|Assert)\\w*=.*"));
        assertThat(unit).contains("StartLimitIntervalSec=0", "Restart=on-failure");
        assertThat(unit).noneMatch(line -> line.startsWith("StartLimitBurst="));
    }

    @ParameterizedTest
    @ValueSource(strings = {"torus-sm.service", "torus-sm@.service"})
    void aUnitComesWithTheHostOrWithTheAdapterWhateverIsLater(String name) throws IOException {
        List<String> unit = unit(name);
        assertThat(unit).contains("After=rdma-hw.target", "WantedBy=multi-user.target rdma-hw.target");
        assertThat(unit)
                .as("also while ib_umad is not loaded")
                .contains("DevicePolicy=closed", "DeviceAllow=char-231 rw");
    }

    private static List<String> unit(String name) throws IOException {
        return Files.readAllLines(UNITS.resolve(name));
    }
}
