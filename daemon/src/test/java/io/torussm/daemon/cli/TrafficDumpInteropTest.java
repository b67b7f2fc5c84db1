package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.system.ExitCode;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.Simulator;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OpenSM routes a torus on ibsim and dumps its tables, and traffic is sent over these. */
@Tag("interop")
@BothSimulators
class TrafficDumpInteropTest {
    private static final String HOST = "H-0000000100000000";

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource({"torus-2QoS, OK, no deadlock", "minhop, CHECK_FAILED, HANGS"})
    void tablesOfOpenSm(String engine, ExitCode exit, String wanted) throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, "torus:6x5x1,hosts=2", HOST, dir)) {
            torus.routeWith(engine);
            torus.openSm(HOST, "-D", "0x43").await("SUBNET UP");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] arguments = {
            "traffic",
            dir.resolve("fabric.topo").toString(),
            "--torus_config",
            dir.resolve("torus-2QoS.conf").toString(),
            "--dump",
            dir.resolve("cache-" + HOST).toString(),
            "--load",
            "1",
            "--length",
            "500"
        };
        ExitCode ended = Main.run(
                arguments,
                (options, host) -> {
                    throw new AssertionError("a daemon was started");
                },
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        assertThat(ended).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(exit);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("tables of " + dir, "SLs of torus-2QoS", wanted);
    }
}
