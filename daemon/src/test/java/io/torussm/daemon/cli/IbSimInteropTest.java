package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.TopologyText;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.IbSim;
import io.torussm.testing.Simulation;
import io.torussm.testing.Simulator;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole program on ibsim, through the real libibumad, judged by the field's own tools. */
@Tag("interop")
@BothSimulators
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IbSimInteropTest {
    private static final String SM_HOST = "H-0000000100000000";
    private static final String TOOL_HOST = "H-0000000100000100";

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"torus:4x4x1,hosts=2", "torus:3x3x3", "torus:5x2x3,links=2", "torus:4x3x2,hosts=3,mesh=x"})
    void theEmbeddedFabricGivesTheSameTablesAsIbSim(String torus) throws Exception {
        Path topology = topology(torus);
        try (Simulation sim = simulator.start(topology)) {
            run(sim.client(SM_HOST, torusSm("--once", "--state-dir", "s1", "--dump-dir", "ibsim"), dir), 0);
        }
        List<String> embedded =
                torusSm("--once", "--state-dir", "s2", "--dump-dir", "embedded", "--simulate", topology.toString());
        run(new ProcessBuilder(embedded).directory(dir.toFile()), 0);
        for (String file : List.of(
                "opensm-lfts.dump", "opensm.fdbs", "opensm-sl2vl.dump", "opensm-path-sl.dump", "opensm-torus.dump")) {
            assertThat(dir.resolve("embedded").resolve(file))
                    .hasSameBinaryContentAs(dir.resolve("ibsim").resolve(file));
        }
    }

    @Test
    void theFieldsToolsSeeASubnetThatIsUp() throws Exception {
        try (Simulation sim = simulator.start(topology("torus:4x3x1,hosts=1"))) {
            Process sm = sim.client(SM_HOST, torusSm("--state-dir", "state"), dir)
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader log = sm.inputReader(UTF_8)) {
                awaitLine(log, SmEvent.SUBNET_UP.code());
                assertThat(tool(sim, "sminfo")).contains("SMINFO_MASTER", "sm lid 1");
                assertThat(tool(sim, "smpquery", "portinfo", "1", "1"))
                        .contains("LinkState:.......................Active");
                assertThat(tool(sim, "smpquery", "nodedesc", "1")).contains("host-0-0-0-0");
                assertThat(tool(sim, "saquery", "NR", "1")).contains("node_guid...............0x0000000100000000");
                assertThat(tool(sim, "saquery", "PIR", "1")).contains("EndPortLid..............1", "IsSM");
                assertThat(tool(sim, "ibtracert", "1", "2")).contains("From ca", "To switch");
                String path = tool(sim, "saquery", "--src-to-dst", "1:1");
                assertThat(path).contains("dlid....................1", "sl......................0x0");
                assertThat(path.split("PathRecord dump", -1))
                        .as("exactly one record")
                        .hasSize(2);
                sm.destroy();
                assertThat(sm.waitFor()).as("an orderly end").isZero();
            } finally {
                sm.destroyForcibly();
            }
        }
    }

    /** As in a managed switch: libibumad shows a switch with one port, port 0. */
    @Test
    void aSubnetManagerRunsInASwitch() throws Exception {
        try (Simulation sim = simulator.start(topology("torus:3x3x1,hosts=1"))) {
            String log = run(sim.client("S-0000000000200000", torusSm("--once", "--state-dir", "state"), dir), 0);
            assertThat(log).contains("TSM-1001 port 0 of ", "GUID 0x0000000000200000", SmEvent.SUBNET_UP.code());
            assertThat(tool(sim, "smpquery", "-D", "portinfo", "0"))
                    .contains("SMLid:...........................1", "LinkState:.......................Active");
        }
    }

    /**
     * An adapter with a port at each of two switches; there are no light sweeps, so it is traps that the SM goes by.
     */
    @Test
    void bothPortsOfAnAdapterAreProgrammedAndMissedByTheirTraps() throws Exception {
        Path topology = Files.writeString(dir.resolve("two.topo"), """
                switchguid=0xa0
                Switch 8 "S-a" # "sw-a" base port 0
                [1] "S-b"[1]
                [2] "H-sm"[1](101)
                [3] "H-dual"[1](201)

                switchguid=0xb0
                Switch 8 "S-b" # "sw-b" base port 0
                [1] "S-a"[1]
                [3] "H-other"[1](301)
                [4] "H-dual"[2](202)

                caguid=0x100
                Ca 1 "H-sm" # "host-0-0-0-0"
                [1](101) "S-a"[2]

                caguid=0x200
                Ca 2 "H-dual" # "dual"
                [1](201) "S-a"[3]
                [2](202) "S-b"[4]

                caguid=0x300
                Ca 1 "H-other" # "other"
                [1](301) "S-b"[3]
                """);
        List<String> command =
                IbSim.java("io.torussm.daemon.cli.Main", "-Q", "-R", "minhop", "-s", "0", "--state-dir", "state");
        try (Simulation sim = simulator.start(topology)) {
            Process sm =
                    sim.client("H-sm", command, dir).redirectErrorStream(true).start();
            try (BufferedReader log = sm.inputReader(UTF_8)) {
                awaitLine(log, SmEvent.SUBNET_UP.code());
                for (String route : List.of("0,1,4", "0,1,1,3")) {
                    assertThat(run(sim.client("H-other", List.of("smpquery", "-D", "sl2vl", route), dir), 0))
                            .as(route)
                            .contains("| 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|");
                    assertThat(run(sim.client("H-other", List.of("smpquery", "-D", "pkeys", route), dir), 0))
                            .as(route)
                            .contains("0: 0xffff");
                }
                sim.command("Unlink \"S-b\"[4]");
                awaitLine(log, SmEvent.HOST_GONE.code() + " 0x0000000000000200 \"dual\" port 2");
                awaitLine(log, "3 host ports");
                sim.command("Relink \"S-b\"[4]");
                awaitLine(log, SmEvent.HOST_BACK.code() + " 0x0000000000000200 \"dual\" port 2");
                awaitLine(log, "4 host ports");
            } finally {
                sm.destroyForcibly();
            }
        }
    }

    private Path topology(String torus) throws IOException {
        TorusSpec spec = TorusSpec.parse(torus);
        Files.writeString(dir.resolve("torus-2QoS.conf"), spec.torus2QosConf());
        Path file = dir.resolve("fabric.topo");
        try (Writer writer = Files.newBufferedWriter(file)) {
            TopologyText.write(spec.topology(), writer);
        }
        return file;
    }

    private List<String> torusSm(String... more) {
        List<String> command = new ArrayList<>(IbSim.java(
                "io.torussm.daemon.cli.Main",
                "-Q",
                "-R",
                "torus-2QoS,no_fallback",
                "--torus_config",
                dir.resolve("torus-2QoS.conf").toString()));
        command.addAll(List.of(more));
        return command;
    }

    /** Runs a program to its end; its output, which a failure shows. */
    private static String run(ProcessBuilder builder, int expectedExit) throws IOException, InterruptedException {
        IbSim.ProgramResult ended = IbSim.run(builder);
        assertThat(ended.status()).as(ended.text()).isEqualTo(expectedExit);
        return ended.text();
    }

    private String tool(Simulation sim, String... command) throws IOException, InterruptedException {
        return run(sim.client(TOOL_HOST, List.of(command), dir), 0);
    }

    private static void awaitLine(BufferedReader log, String wanted) throws IOException {
        StringBuilder seen = new StringBuilder();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            seen.append(line).append('\n');
            if (line.contains(wanted)) {
                return;
            }
        }
        throw new AssertionError("the log ended without " + wanted + ":\n" + seen);
    }
}
