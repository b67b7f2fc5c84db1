package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.IbSim;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A shadow beside OpenSM on ibsim: its report on tables of another SM. */
@Tag("interop")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShadowInteropTest {
    private static final String MASTER_HOST = "H-0000000100000000";
    private static final String SHADOW = "H-0000000100000100";
    private static final String TOOL = "H-0000000100000200";

    private static final Pattern CHANGES = Pattern.compile("a takeover would change in tables: (.*)");

    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"torus:4x3x1,hosts=1", "torus:6x5x1,hosts=2", "torus:3x3x3,hosts=1"})
    void openSmWithTorus2Qos(String spec) throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim(spec, TOOL, dir)) {
            torus.openSm(MASTER_HOST).await("SUBNET UP");
            String tables = torus.tool("dump_fts");
            IbSim.ProgramResult ended = shadow(torus);
            assertThat(ended.text())
                    .contains(
                            "hosts: free of credit loops",
                            "hosts and ports 0 of switches: free of credit loops",
                            "hosts and groups: free of credit loops",
                            "all together: free of credit loops",
                            "unreachable: 0 of",
                            "which agrees with all",
                            "master: port GUID 0x0000000100000001")
                    .doesNotContain("CREDIT LOOP");
            assertThat(changes(ended.text())).isEqualTo("nothing");
            assertThat(ended.status()).isZero();
            assertThat(torus.tool("dump_fts")).as("nothing was written").isEqualTo(tables);
            assertThat(torus.tool("sminfo")).contains("SMINFO_MASTER", "sm guid 0x100000001");
        }
    }

    @Test
    void openSmWithMinhop() throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim("torus:6x5x1,hosts=2", TOOL, dir)) {
            torus.routeWith("minhop");
            torus.openSm(MASTER_HOST).await("SUBNET UP");
            IbSim.ProgramResult ended = shadow(torus);
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.text())
                    .contains(
                            "SL 0, as the master's SA granted to all 200",
                            "hosts: CREDIT LOOP of 4 channels",
                            " VL 0, held by packets from ",
                            "unreachable: 0 of 3540");
            assertThat(changes(ended.text())).contains("lft", "sl2vl");
        }
    }

    private IbSim.ProgramResult shadow(TorusOnIbSim torus, String... more) throws Exception {
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

    /**
     * Writes the configuration with the default VL arbitration of OpenSM, which this SM uses under torus-2QoS only if
     * it is configured.
     */
    private Path conf() throws Exception {
        return Files.writeString(dir.resolve("shadow.conf"), """
                shadow_smps_per_second = 20000
                qos_vlarb_high = "0:4,1:0,2:0,3:0,4:0,5:0,6:0,7:0,8:0,9:0,10:0,11:0,12:0,13:0,14:0"
                qos_vlarb_low = "0:0,1:4,2:4,3:4,4:4,5:4,6:4,7:4,8:4,9:4,10:4,11:4,12:4,13:4,14:4"
                """);
    }

    private static String changes(String text) {
        Matcher changes = CHANGES.matcher(text);
        assertThat(changes.find()).as(text).isTrue();
        return changes.group(1);
    }
}
