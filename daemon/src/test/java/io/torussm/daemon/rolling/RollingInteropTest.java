package io.torussm.daemon.rolling;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Some of what {@link RollingCampaignTest} does: an engine with SLs and LMC, one with roots, one with lanes, and both ways. */
@Tag("interop")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RollingInteropTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource({"torus-2QoS/65_lmc1_link,COMMANDS", "updn/lmc1,PRIORITIES", "lash/start2,COMMANDS"})
    void openSmAndBackUnderTrafficChangesAndLosesNothing(String name, Rolling.Way way) throws Exception {
        IbSim.assumeInstalled();
        Programs.need("opensm");
        try (Rolling rolling = new Rolling(RollingCases.named(name), dir)) {
            assertThat(rolling.isRouted()).isTrue();
            List<ChangeOfRuler> changes = rolling.roll(way);
            assertThat(changes).hasSize(4);
            assertThat(changes).allSatisfy(change -> {
                assertThat(change.packets().sent()).isPositive();
                assertThat(change.slsAsked()).isPositive();
                assertThat(change.isSmooth()).as("%s", change).isTrue();
            });
        }
    }
}
