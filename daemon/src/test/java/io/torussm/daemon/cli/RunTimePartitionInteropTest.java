package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.event.SmEvent;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
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
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * Members that are added to partitions at the console, on ibsim: P_Key tables as smpquery reads them, also after a
 * restart.
 */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunTimePartitionInteropTest {
    private static final String SM_HOST = "H-0000000100000000";
    private static final String TOOL_HOST = "H-0000000100000100";

    private static final int SILENCE_MS = 60_000;

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    /** The daemon and its log. */
    private final class Running implements AutoCloseable {
        private final Process process;

        Running(Simulation sim) throws IOException {
            List<String> command = new ArrayList<>(IbSim.java("io.torussm.daemon.cli.Main"));
            command.addAll(List.of("-R", "minhop", "--on_credit_loop", "warn"));
            command.addAll(List.of("-P", dir.resolve("partitions.conf").toString()));
            command.addAll(List.of("--state-dir", dir.resolve("state").toString()));
            command.addAll(List.of("--control-socket", dir.resolve("control").toString()));
            process =
                    sim.client(SM_HOST, command, dir).redirectErrorStream(true).start();
            BufferedReader log = process.inputReader(UTF_8);
            String line = log.readLine();
            while (line != null && !line.contains(SmEvent.SUBNET_UP.code())) {
                line = log.readLine();
            }
            assertThat(line).isNotNull();
        }

        List<String> execute(String request) throws IOException {
            List<String> lines = new ArrayList<>();
            assertThat(ConsoleClient.execute(dir.resolve("control"), request, SILENCE_MS, lines::add))
                    .as("%s: %s", request, lines)
                    .isTrue();
            return lines;
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    @Test
    void smpqueryReadsChangesOfTheConsole() throws Exception {
        Topology topology = TorusSpec.parse("torus:3x2x1,hosts=1").topology();
        try (Writer writer = Files.newBufferedWriter(dir.resolve("fabric.topo"))) {
            TopologyText.write(topology, writer);
        }
        Files.writeString(
                dir.resolve("partitions.conf"), "Default=0x7fff:ALL=limited,SELF=full;\nA=0x10:ALL_CAS=limited;\n");
        Topology.Node two = topology.node("host-1-0-0-0").orElseThrow();
        try (Simulation sim = simulator.start(dir.resolve("fabric.topo"))) {
            String lid;
            try (Running sm = new Running(sim)) {
                lid = lid(sm, "host-1-0-0-0");
                assertThat(keys(sim, lid)).startsWith("0: 0x7fff 0x0010 0x0000 0x0000");
                sm.execute("partition add 0x20 host-1-0-0-0 name=jobs ipoib yes");
                assertThat(keys(sim, lid)).startsWith("0: 0x7fff 0x0010 0x8020 0x0000");
                sm.execute("partition add A " + guid(two) + " full yes");
                assertThat(keys(sim, lid)).as("the larger membership").startsWith("0: 0x7fff 0x8010 0x8020 0x0000");
                sm.execute("partition add 0x30 " + guid(two) + " limited indx0 yes");
                assertThat(keys(sim, lid)).startsWith("0: 0x0030 0x8010 0x8020 0x7fff");
                assertThat(sm.execute("mcast")).anyMatch(line -> line.contains("0xff12401b80200000:00000000ffffffff"));
            }
            try (Running sm = new Running(sim)) {
                assertThat(keys(sim, lid)).as("after a restart").startsWith("0: 0x0030 0x8010 0x8020 0x7fff");
                sm.execute("partition remove A host-1-0-0-0 yes");
                sm.execute("partition delete 0x30 yes");
                assertThat(keys(sim, lid)).startsWith("0: 0x7fff 0x0010 0x8020 0x0000");
                sm.execute("partition remove jobs " + guid(two) + " yes");
                assertThat(keys(sim, lid)).startsWith("0: 0x7fff 0x0010 0x0000 0x0000");
                assertThat(sm.execute("partitions")).noneMatch(line -> line.contains("jobs"));
            }
        }
    }

    private static String guid(Topology.Node host) {
        return String.format(Locale.ROOT, "0x%016x", host.portGuid(1));
    }

    private String tool(Simulation sim, String... command) throws IOException, InterruptedException {
        IbSim.ProgramResult ended = IbSim.run(sim.client(TOOL_HOST, List.of(command), dir));
        assertThat(ended.status()).as(ended.text()).isZero();
        return ended.text();
    }

    /** Returns the beginning of the table of a host. */
    private String keys(Simulation sim, String lid) throws IOException, InterruptedException {
        return tool(sim, "smpquery", "pkeys", lid)
                .lines()
                .filter(line -> line.matches(" *0: 0x.*"))
                .reduce("", String::concat)
                .replaceAll(" +", " ")
                .strip();
    }

    private static String lid(Running sm, String name) throws IOException {
        String line = sm.execute("lids").stream()
                .filter(each -> each.endsWith(name))
                .findFirst()
                .orElseThrow();
        return line.strip().split("[ -]+", 2)[0];
    }
}
