package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.IbSim;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A shadow beside OpenSM on ibsim: what it says of tables that somebody else computed. */
@Tag("interop")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShadowInteropTest {
    private static final String RULER = "H-0000000100000000";
    private static final String SHADOW = "H-0000000100000100";
    private static final String TOOL = "H-0000000100000200";

    @TempDir
    Path dir;

    private IbSim.Ended shadow(TorusOnIbSim torus, String... more) throws Exception {
        List<String> command = new ArrayList<>(IbSim.java(
                "io.torussm.daemon.cli.Main",
                "--shadow",
                "--once",
                "-Q",
                "--torus_config",
                torus.conf().toString(),
                "-F",
                conf().toString()));
        command.addAll(List.of(more));
        return torus.toolAt(SHADOW, command.toArray(String[]::new));
    }

    private Path conf() throws Exception {
        return java.nio.file.Files.writeString(dir.resolve("shadow.conf"), "shadow_smps_per_second = 20000\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"torus:4x3x1,hosts=1", "torus:6x5x1,hosts=2", "torus:3x3x3,hosts=1"})
    void openSmWithTorus2Qos(String spec) throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim(spec, TOOL, dir)) {
            torus.openSm(RULER).await("SUBNET UP");
            String tables = torus.tool("dump_fts");
            IbSim.Ended ended = shadow(torus);
            System.out.println(ended.text());
            assertThat(torus.tool("dump_fts")).isEqualTo(tables);
        }
    }

    @Test
    void openSmWithMinhop() throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim("torus:6x5x1,hosts=2", TOOL, dir)) {
            torus.routeWith("minhop");
            torus.openSm(RULER).await("SUBNET UP");
            IbSim.Ended ended = shadow(torus);
            System.out.println(ended.text());
            assertThat(ended.text()).contains("CREDIT LOOP");
        }
    }
}
