package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.cli.TorusOnIbSim.Sm;
import io.torussm.event.SmEvent;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.IbSim;
import io.torussm.testing.Simulator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Reports of torus-sm on ibsim to a host that has subscribed to events. Both use the real libibumad. */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventInteropTest {
    private static final String SM_HOST = "H-0000000100000000";
    private static final String LISTENER = "H-0000000100000100";
    private static final String TOOL_HOST = "H-0000000100000200";

    /** A host that is unplugged, and the GUID of its port as the listener prints it. */
    private static final String AWAY = "H-0000000100000600";

    private static final String AWAY_GUID = "100000601";

    /** Traps of IBA 13.4.8.2, which the listener prints with a GUID. */
    private static final String GID_IN_SERVICE = "Report 64 ";

    private static final String GID_OUT_OF_SERVICE = "Report 65 ";

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @Test
    void aSubscriberReceivesReportsOfAHostThatLeavesAndReturns() throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, "torus:3x3x1,hosts=1", TOOL_HOST, dir)) {
            Sm sm = torus.start(
                    SM_HOST,
                    IbSim.java(
                            "io.torussm.daemon.cli.Main",
                            "-Q",
                            "--torus_config",
                            torus.conf().toString(),
                            "--state-dir",
                            "state",
                            "--control-socket",
                            "control"));
            sm.await(SmEvent.SUBNET_UP.code());
            Sm listener = torus.start(LISTENER, IbSim.java("io.torussm.daemon.cli.ListenToEvents", "1"));
            listener.await("subscribed");
            assertThat(torus.tool("saquery", "-I"))
                    .contains("SubscriberGID...........fe80::1:0:101", "trap_num................65535");
            torus.unlink(AWAY);
            listener.await(GID_OUT_OF_SERVICE + AWAY_GUID);
            torus.relink(AWAY);
            listener.await(GID_IN_SERVICE + AWAY_GUID);
            assertThat(status()).containsPattern("Reports: sent \\d+, resent 0, answered \\d+, lost 0, dropped 0");
        }
    }

    private String status() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        IbSim.java("io.torussm.daemon.cli.SmctlMain", "--socket", "control", "status"))
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
