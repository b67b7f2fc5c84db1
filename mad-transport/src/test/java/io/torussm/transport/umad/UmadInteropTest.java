package io.torussm.transport.umad;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.BothSimulators;
import io.torussm.testing.IbSim;
import io.torussm.testing.Simulation;
import io.torussm.testing.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** The real library on a simulated fabric: two hosts at one switch. */
@Tag("interop")
@BothSimulators(inEachBuild = false)
class UmadInteropTest {
    private static final Path TWO_HOSTS = Path.of("src/test/resources/ibsim/two-hosts.topo");
    private static final String HOST = "H-0000000000100000";
    private static final String PROBE = UmadProbe.class.getName();

    private final Path directory;

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    UmadInteropTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private record Result(int exitCode, String output) {}

    private static Result run(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
            return new Result(process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }

    private Result probe(Simulation sim, String... arguments) throws IOException, InterruptedException {
        return run(sim.client(HOST, IbSim.java(arguments), directory));
    }

    @Test
    void readsTheLocalPortAndItsNeighbour() throws Exception {
        try (Simulation sim = simulator.start(TWO_HOSTS)) {
            Result result = probe(sim, PROBE, "look");
            assertThat(result.output())
                    .contains("port LocalPort[caName=ibsim0, portNum=1, portGuid=1048577]")
                    .containsPattern("local NodeInfo\\{.*NodeType=0x1 .*NodeGUID=0x100000 PortGUID=0x100001 ")
                    .containsPattern("localPort PortInfo\\{.*LocalPortNum=0x1 .*PortPhysicalState=0x5 ")
                    .containsPattern("neighbour NodeInfo\\{.*NodeType=0x2 NumPorts=0x8 .*NodeGUID=0x200000 ")
                    .containsPattern("neighbourPort PortInfo\\{.*PortPhysicalState=0x5 ")
                    .contains("nowhere timeout");
            assertThat(result.exitCode()).isZero();
        }
    }

    @Test
    void setsAndClearsIsSm() throws Exception {
        try (Simulation sim = simulator.start(TWO_HOSTS)) {
            Result result = probe(sim, PROBE, "issm");
            assertThat(result.output())
                    .containsSubsequence("before false", "set true", "cleared false", "closed false");
            assertThat(result.exitCode()).as(result.output()).isZero();
        }
    }

    @Test
    void takesThePortOfTheConfiguredGuidOrAdapter() throws Exception {
        try (Simulation sim = simulator.start(TWO_HOSTS)) {
            for (String choice : List.of("-Dguid=0x100001", "-Dca=ibsim0")) {
                Result result = probe(sim, choice, PROBE, "look");
                assertThat(result.output()).contains("portGuid=1048577]", "nowhere timeout");
                assertThat(result.exitCode()).as(result.output()).isZero();
            }
            assertThat(probe(sim, "-Dca=ibsim0", "-Dport=1", PROBE, "look").exitCode())
                    .isZero();
        }
    }

    @Test
    void listsThePortsWhenTheAdapterOrItsPortDoesNotExist() throws Exception {
        String there = " on this host; there is: ibsim0 port 1, GUID 0x0000000000100001, LID 0, initialize";
        try (Simulation sim = simulator.start(TWO_HOSTS)) {
            Result other = probe(sim, "-Dca=mlx5_0", PROBE, "look");
            assertThat(other.output()).contains("no port of channel adapter \"mlx5_0\"" + there);
            assertThat(other.exitCode()).isEqualTo(1);
            Result second = probe(sim, "-Dca=ibsim0", "-Dport=2", PROBE, "look");
            assertThat(second.output()).contains("no port 2 of channel adapter \"ibsim0\"" + there);
            assertThat(second.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void seesThatARequestCameBack() throws Exception {
        try (Simulation sim = simulator.start(TWO_HOSTS)) {
            assertThat(probe(sim, PROBE, "raw").output())
                    .contains("sent true", "undelivered true tid 1234", "sent after close false");
        }
    }

    @Test
    void seesALinkGoDown() throws Exception {
        try (Simulation sim = simulator.start(TWO_HOSTS)) {
            sim.command("Unlink \"S-0000000000200000\"[1]");
            Result result = probe(sim, PROBE, "look");
            assertThat(result.output()).contains("NodeInfo of 0,1: timeout");
            assertThat(result.exitCode()).isNotZero();
        }
    }

    @Test
    void carriesManyRequestsAtOnce() throws Exception {
        try (Simulation sim = simulator.start(TWO_HOSTS)) {
            for (String window : List.of("1", "4", "10", "16")) {
                String output = probe(sim, PROBE, "rate", window, "20000").output();
                output.lines().filter(line -> line.startsWith("window")).forEach(System.out::println);
                assertThat(output.lines().filter(line -> line.endsWith("20000 of 20000 answered")))
                        .as(output)
                        .hasSize(4);
            }
        }
    }

    @Test
    void listsThePortsWhenTheWantedOneDoesNotExist() throws Exception {
        try (Simulation sim = simulator.start(TWO_HOSTS)) {
            Result result = probe(sim, "-Dguid=0x1234", PROBE, "look");
            assertThat(result.output())
                    .contains("no port with GUID 0x0000000000001234 on this host; there is: "
                            + "ibsim0 port 1, GUID 0x0000000000100001, LID 0, initialize");
            assertThat(result.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void namesThePackageWhenTheLibraryIsMissing() throws Exception {
        Result result = run(withoutSimulator("-D" + LibIbUmad.LIBRARY_PROPERTY + "=libnosuch.so.3", PROBE, "look"));
        assertThat(result.output())
                .contains("install libibumad3")
                .contains("libnosuch.so.3: cannot open shared object");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void namesTheDirectoryWhenNativeCodeCannotBeUnpacked() throws Exception {
        Result result = run(withoutSimulator("-Djffi.extract.dir=/proc/self", PROBE, "look"));
        assertThat(result.output())
                .contains("native part of jnr-ffi")
                .contains("/proc/self")
                .contains("noexec");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void namesTheDriverWhenThereIsNoAdapter() throws Exception {
        Assumptions.assumeFalse(Files.exists(Path.of("/sys/class/infiniband")), "this host has a real adapter");
        Result result = run(withoutSimulator(PROBE, "look"));
        assertThat(result.output()).contains("no InfiniBand channel adapter").contains("modprobe ib_umad");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    private ProcessBuilder withoutSimulator(String... arguments) {
        return new ProcessBuilder(IbSim.java(arguments)).directory(directory.toFile());
    }
}
