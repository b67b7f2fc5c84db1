package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.IbSim;
import io.torussm.testing.Simulator;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * OpenSM's own test of an SA, on ibsim. Its flow of services needs whole MADs and is in sm-core,
 * {@code OsmtestServiceFlowTest}.
 *
 * <p>Each flow has a host of its own, since umad2sim acknowledges no table: retransmissions of one would be
 * mixed with the responses to the next. It has no time-outs either, so a request without a response blocks
 * osmtest forever.
 */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OsmtestInteropTest {
    /**
     * The flows. They are: the inventory; its validation, without paths, since a validation of truncated
     * tables cannot pass; SL2VL and VL arbitration of every port; single queries and tables by the thousand;
     * sixty joins and leaves, good and bad; and as many groups as there are MLIDs. The last passes only after
     * the one before: from a truncated table it deletes the visible groups, and fails if it then sees more of
     * its own, with this SM as with OpenSM. See docs/operator/saquery.md.
     */
    private static final List<String> FLOWS = List.of(
            "-f c", "-f v -d 1", "-f q", "-f f -s 1", "-f f -s 2", "-f f -s 3", "-f f -s 4", "-f m -M 2", "-f m -M 3");

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @Test
    void allFlowsPass() throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, "torus:4x3x1,hosts=1", host(0), dir)) {
            torus.torusSm(host(0)).await(SmEvent.SUBNET_UP.code());
            for (int i = 0; i < FLOWS.size(); i++) {
                String flow = FLOWS.get(i);
                IbSim.ProgramResult ended = torus.toolAt(host(i + 1), ("osmtest " + flow).split(" ", -1));
                assertThat(ended.text()).as(flow).contains("PASS").doesNotContain("FAIL");
            }
        }
    }

    private static String host(int number) {
        return "H-00000001%08x".formatted(number << 8);
    }
}
