package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyText;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import io.torussm.testing.Simulation;
import io.torussm.testing.Simulator;
import io.torussm.transport.capture.CaptureReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** {@code packaging/umad-capture.c}, which records programs that use libibumad, on one of infiniband-diags. */
@Tag("interop")
@BothSimulators
@Timeout(120)
class UmadCaptureTest {
    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void recordsWhatSmpquerySendsAndReceives() throws Exception {
        simulator.assumeInstalled();
        Path library = directory.resolve("umad-capture.so");
        IbSim.ProgramResult compiled = IbSim.run(new ProcessBuilder(
                Programs.requireProgram("gcc"),
                "-shared",
                "-fPIC",
                "-Wall",
                "-Werror",
                "-o",
                library.toString(),
                Path.of("..", "packaging", "umad-capture.c").toString(),
                "-ldl"));
        assertThat(compiled.status()).as(compiled.text()).isZero();
        Topology topology = TorusSpec.parse("torus:3x3x1,hosts=1").topology();
        Path file = directory.resolve("fabric.topo");
        try (Writer out = Files.newBufferedWriter(file)) {
            TopologyText.write(topology, out);
        }
        Topology.Node host = topology.nodes().stream()
                .filter(node -> !node.isSwitch())
                .findFirst()
                .orElseThrow();
        Path capture = directory.resolve("smpquery.pcap");
        Path victim = Files.writeString(directory.resolve("victim"), "text");
        Path link = Files.createSymbolicLink(directory.resolve("link"), victim);
        try (Simulation sim = simulator.start(file)) {
            for (Path into : List.of(capture, link)) {
                ProcessBuilder client = sim.client(host.id(), List.of("smpquery", "-D", "nodeinfo", "0"), directory);
                client.environment().put("UMAD_CAPTURE", into.toString());
                client.environment().merge("LD_PRELOAD", library.toString(), (sims, own) -> own + ":" + sims);
                IbSim.ProgramResult ended = IbSim.run(client);
                assertThat(ended.status()).as(ended.text()).isZero();
                assertThat(ended.text().contains(link + ": ")).isEqualTo(into.equals(link));
            }
        }
        assertThat(victim).as("keys are in captures: no other file is written").hasContent("text");
        assertThat(Files.getPosixFilePermissions(capture)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        RecordedFabric recorded = RecordedFabric.of(CaptureReader.read(capture), "smpquery");
        assertThat(recorded.portGuid()).isEqualTo(host.portGuid(1));
        assertThat(recorded.topology().nodes())
                .extracting(Topology.Node::nodeGuid)
                .containsExactly(host.nodeGuid());
    }
}
