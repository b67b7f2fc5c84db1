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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole program on two hosts that share one cable. Tools of InfiniBand run on the host without an SM. LIDs are
 * assigned in the order of discovery, so the SM has LID 1.
 */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PairInteropTest {
    private static final String SM_HOST = "H-0000000100000000";
    private static final String TOOL_HOST = "H-0000000100000010";

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @Test
    void aPairOfHostsIsServed() throws Exception {
        try (TorusOnIbSim pair = startedPair()) {
            startedSm(pair);
            assertThat(pair.tool("sminfo")).contains("SMINFO_MASTER").containsPattern("sm lid 1\\b");
            assertThat(pair.tool("smpquery", "-D", "portinfo", "0"))
                    .containsPattern("\\bLid:\\.+2\\s")
                    .containsPattern("LinkState:\\.+Active");
            assertThat(pair.tool("smpquery", "portinfo", "1", "1")).containsPattern("LinkState:\\.+Active");
            assertHasPath(pair);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"c", "m -M 2"})
    void aPairOfHostsPassesOsmtest(String flow) throws Exception {
        try (TorusOnIbSim pair = startedPair()) {
            startedSm(pair);
            IbSim.ProgramResult result = pair.toolAt(TOOL_HOST, ("osmtest -f " + flow).split(" ", -1));
            assertThat(result.text()).contains("PASS").doesNotContain("FAIL");
            assertThat(result.status()).as(result.text()).isZero();
        }
    }

    /** The only cable is that of the SM, whose sweep fails without it. */
    @Test
    void aPairOfHostsIsServedAgainWhenItsCableReturns() throws Exception {
        try (TorusOnIbSim pair = startedPair()) {
            Sm sm = startedSm(pair);
            pair.unlink(TOOL_HOST);
            sm.await(SmEvent.SWEEP_FAILED.code());
            pair.relink(TOOL_HOST);
            sm.await(SmEvent.SUBNET_UP.code());
            assertHasPath(pair);
        }
    }

    private TorusOnIbSim startedPair() throws Exception {
        TorusOnIbSim pair = new TorusOnIbSim(simulator, TopologySpec.of("pair").topology(), TOOL_HOST, dir);
        pair.routeWith("auto");
        return pair;
    }

    /** Returns an SM that has brought the pair up, and sweeps each second, so that it finds the cable that returns. */
    private static Sm startedSm(TorusOnIbSim pair) throws Exception {
        Sm sm = pair.torusSm(SM_HOST, "-s", "1");
        sm.await(SmEvent.SUBNET_UP.code());
        return sm;
    }

    private static void assertHasPath(TorusOnIbSim pair) throws Exception {
        assertThat(pair.tool("saquery", "--src-to-dst", "2:1"))
                .containsPattern("dlid\\.+1\\s")
                .containsPattern("slid\\.+2\\s");
    }
}
