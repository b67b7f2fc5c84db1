package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import io.torussm.testing.ServedFabric;
import io.torussm.testing.Simulator;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Devices that report speeds above QDR only if a request has bit 31 of the AttributeModifier of PortInfo set
 * (IBA 14.2.5.6). OpenSM 3.3.23 never sets it: it takes links of 100 and 400 Gb/s for 40 Gb/s, and so do its
 * SA clients. It does not support NDR anyway; that it loses EDR, which it supports, shows the cause.
 */
@Tag("interop")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HiddenSpeedsInteropTest {
    private static final String FABRIC = """
            switchguid=0xa0
            Switch 8 "S-a" # "sw-a" base port 0
            [1] "S-b"[1] # 4xSPEED
            [2] "H-1"[1](101) # 4xSPEED

            switchguid=0xb0
            Switch 8 "S-b" # "sw-b" base port 0
            [1] "S-a"[1] # 4xSPEED
            [2] "H-2"[1](201) # 4xSPEED

            caguid=0x100
            Ca 1 "H-1" # "host-1"
            [1](101) "S-a"[2] # 4xSPEED

            caguid=0x200
            Ca 1 "H-2" # "host-2"
            [1](201) "S-b"[2] # 4xSPEED
            """;

    @TempDir
    Path dir;

    @ParameterizedTest(name = "{0}, {1} {2}: {3}")
    @CsvSource({
        // rates: 0x90 is 100 Gb/s, 0x95 is 400 Gb/s, 0x87 is 40 Gb/s (IBA 15.2.5.16, with the selector 2, exactly)
        "OpenSM, EDR, SHOWN, 0x90, 25.78125 Gbps",
        "OpenSM, EDR, HIDDEN, 0x87, No Extended Speed",
        "OpenSM, NDR, HIDDEN, 0x87, No Extended Speed",
        "torus-sm, EDR, HIDDEN, 0x90, 25.78125 Gbps",
        "torus-sm, NDR, HIDDEN, 0x95, 106.25 Gbps",
        "torus-sm, NDR, HIDDEN_AND_BIT_NOT_ECHOED, 0x95, 106.25 Gbps"
    })
    void pathsHaveTheSpeedOfTheirLinks(
            String sm, String speed, AgentProfile.ExtendedSpeeds mode, String rate, String linkSpeed) throws Exception {
        Simulator.TORUS_SM.assumeInstalled();
        Path topology = Files.writeString(dir.resolve("fabric.topo"), FABRIC.replace("SPEED", speed));
        DeviceModels models =
                DeviceModels.PERFECT.with(node -> true, model -> model.agent(agent -> agent.showing(mode)));
        try (ServedFabric fabric = ServedFabric.start(topology, models)) {
            Process process = fabric.client("H-1", smCommand(sm), dir)
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader log = process.inputReader(UTF_8)) {
                assertThat(log.lines().anyMatch(line -> line.contains("SUBNET UP")))
                        .isTrue();
                assertThat(tool(fabric, "saquery", "--src-to-dst", "1:2")).contains("rate...................." + rate);
                assertThat(tool(fabric, "saquery", "PIR", "2"))
                        .contains("LinkSpeedExtActive:.............." + linkSpeed);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private List<String> smCommand(String name) {
        return name.equals("OpenSM")
                ? List.of(
                        "/usr/bin/env",
                        "OSM_CACHE_DIR=" + dir,
                        "OSM_TMP_DIR=" + dir,
                        Programs.requireProgram("opensm"),
                        "-R",
                        "minhop",
                        "-f",
                        "stdout")
                : IbSim.java("io.torussm.daemon.cli.Main", "-R", "minhop", "--state-dir", "state");
    }

    private String tool(ServedFabric fabric, String... command) throws IOException, InterruptedException {
        IbSim.ProgramResult ended = IbSim.run(fabric.client("H-2", List.of(command), dir));
        assertThat(ended.status()).as(ended.text()).isZero();
        return ended.text();
    }
}
