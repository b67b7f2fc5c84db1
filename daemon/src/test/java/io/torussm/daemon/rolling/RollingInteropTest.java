package io.torussm.daemon.rolling;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One of the fabrics of {@link RollingCampaignTest}: a torus with a lost link, SLs, and several LIDs a port. */
@Tag("interop")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RollingInteropTest {
    @TempDir
    Path dir;

    @Test
    void openSmAndBackUnderTrafficChangesAndLosesNothing() throws Exception {
        IbSim.assumeInstalled();
        Programs.requireProgram("opensm");
        try (Rolling rolling = new Rolling(RollingCases.byName("torus-2QoS/65_lmc1_link"), dir)) {
            assertThat(rolling.isRouted()).isTrue();
            List<MasterChange> changes = rolling.roll(Rolling.HandoverMethod.COMMANDS);
            assertThat(changes).hasSize(4);
            assertThat(changes).allSatisfy(change -> {
                assertThat(change.packets().sent()).isPositive();
                assertThat(change.slsAsked()).isPositive();
                assertThat(change.isSmooth()).as("%s", change).isTrue();
            });
        }
    }
}
