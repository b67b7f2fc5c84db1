package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.TopologyText;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.IbSim;
import io.torussm.testing.Simulation;
import io.torussm.testing.Simulator;
import java.io.BufferedReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A switch of ibsim that drops every MAD of one attribute, from before the start. */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BadSwitchInteropTest {
    private static final String TORUS = "torus:4x4x4,hosts=1";
    private static final String SM_HOST = "H-0000000100000000";
    private static final String TOOL_HOST = "H-0000000100000100";
    private static final String BAD = "S-00000000002001a0";
    private static final String BAD_NAME = "00000000002001a0";

    /** LIDs of the SM and of a host that is not at the bad switch. */
    private static final String PATH = "1:70";

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(ints = {0x15, 0x16, 0x17, 0x18, 0x19, 0x1b})
    void theSaServesAllOthersSoonAfterTheStart(int attribute) throws Exception {
        try (Simulation sim = simulator.start(topology())) {
            sim.command(String.format("Error \"%s\" 100 0x%x", BAD, attribute));
            Process sm = sim.client(SM_HOST, torusSm(), dir)
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader log = sm.inputReader(UTF_8)) {
                List<String> seen = new ArrayList<>();
                for (String line = log.readLine(); line != null && !line.contains("SUBNET UP"); line = log.readLine()) {
                    seen.add(line);
                }
                IbSim.ProgramResult path =
                        IbSim.run(sim.client(TOOL_HOST, List.of("saquery", "--src-to-dst", PATH), dir));
                assertThat(path.text()).as(String.join("\n", seen)).contains("dlid....................70");
                if (attribute != MulticastForwardingTable.TYPE.id()) {
                    assertThat(seen)
                            .as("ibsim drops what it was asked to drop")
                            .anyMatch(line -> line.contains(BAD_NAME));
                }
            } finally {
                sm.destroyForcibly();
            }
        }
    }

    private Path topology() throws Exception {
        TorusSpec spec = TorusSpec.parse(TORUS);
        Files.writeString(dir.resolve("torus-2QoS.conf"), spec.torus2QosConf());
        Path file = dir.resolve("fabric.topo");
        try (Writer writer = Files.newBufferedWriter(file)) {
            TopologyText.write(spec.topology(), writer);
        }
        return file;
    }

    private List<String> torusSm() {
        return IbSim.java(
                "io.torussm.daemon.cli.Main",
                "-Q",
                "-R",
                "torus-2QoS,no_fallback",
                "--torus_config",
                dir.resolve("torus-2QoS.conf").toString(),
                "--control-socket",
                "",
                "--state-dir",
                "state");
    }
}
