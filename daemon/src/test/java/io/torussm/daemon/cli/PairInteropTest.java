package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.cli.TorusOnIbSim.Sm;
import io.torussm.event.SmEvent;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.IbSim;
import io.torussm.testing.Simulator;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** The whole program on ibsim, on two hosts that share one cable, judged by the field's own tools on the other host. */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PairInteropTest {
    private static final String SM_HOST = "H-0000000100000000";
    private static final String OTHER = "H-0000000100000010";

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @Test
    void servesTwoHostsOnACable() throws Exception {
        try (TorusOnIbSim pair =
                new TorusOnIbSim(simulator, TopologySpec.of("pair").topology(), OTHER, dir)) {
            pair.routeWith("auto");
            Sm sm = pair.torusSm(SM_HOST, "-s", "1");
            sm.await(SmEvent.SUBNET_UP.code());
            assertThat(pair.tool("sminfo")).contains("SMINFO_MASTER", "sm lid 1");
            assertThat(pair.tool("smpquery", "-D", "portinfo", "0"))
                    .contains("Lid:.............................2", "LinkState:.......................Active");
            assertThat(pair.tool("smpquery", "portinfo", "1", "1")).contains("LinkState:.......................Active");
            assertThat(pair.tool("saquery", "--src-to-dst", "2:1"))
                    .contains("dlid....................1", "slid....................2");
            assertThat(pair.toolAt(OTHER, "osmtest", "-f", "c").text()).contains("PASS");
            IbSim.ProgramResult multicast = pair.toolAt(OTHER, "osmtest", "-f", "m", "-M", "2");
            assertThat(multicast.text()).contains("PASS").doesNotContain("FAIL");
            pair.unlink(OTHER);
            sm.await(SmEvent.SWEEP_FAILED.code());
            pair.relink(OTHER);
            sm.await(SmEvent.SUBNET_UP.code());
            assertThat(pair.tool("saquery", "--src-to-dst", "2:1")).contains("dlid....................1");
        }
    }
}
