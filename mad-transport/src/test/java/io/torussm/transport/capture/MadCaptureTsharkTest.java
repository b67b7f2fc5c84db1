package io.torussm.transport.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.HexSamples;
import io.torussm.testing.HexSamples.Sample;
import io.torussm.testing.Programs;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.ScriptedTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wireshark's opinion of a capture of MADs that OpenSM, infiniband-diags and ibsim sent. */
@Tag("interop")
class MadCaptureTsharkTest {
    private static final MadAddress SA = new MadAddress(1, 1, 0, 0);

    @TempDir
    private Path directory = Path.of("");

    private String decode(MadFrame... sent) throws Exception {
        String tshark = Programs.requireProgram("tshark");
        Path file = directory.resolve("mads.pcap");
        MadTransport capture = MadTap.capturing(new ScriptedTransport(), file);
        for (MadFrame frame : sent) {
            capture.send(frame, 0);
        }
        capture.close();
        return run(List.of(tshark, "-r", file.toString(), "-V"));
    }

    private String run(List<String> command) throws IOException, InterruptedException {
        Path output = directory.resolve("tshark.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("tshark ends").isTrue();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    private static MadFrame frame(String title, MadAddress peer) {
        List<Sample> found = new ArrayList<>(HexSamples.read(MadCaptureTsharkTest.class, "mads.hex"));
        found.removeIf(sample -> !sample.title().equals(title));
        assertThat(found).as(title).hasSize(1);
        return new MadFrame(peer, found.get(0).bytes());
    }

    @Test
    void decodesDirectedRouteSmps() throws Exception {
        String text = decode(
                frame("SubnGet(NodeInfo) along 0,1,5,7", MadAddress.DIRECTED),
                frame("SubnGetResp(NodeInfo)", MadAddress.DIRECTED),
                frame("SubnGetResp(PortInfo)", MadAddress.DIRECTED),
                frame("SubnTrap(Notice)", new MadAddress(1, 0, 0, 0)));
        assertThat(text)
                .containsSubsequence(
                        "Virtual Lane: 0xf",
                        "Destination Queue Pair: 0x000000",
                        "SMP (Directed Route) SubnGet(NodeInfo)",
                        "Hop Count: 0x03",
                        "DrSLID: 0xffff",
                        "Initial Path: 00010507",
                        "SMP (Directed Route) SubnGetResp(NodeInfo)",
                        "SystemImageGUID: 0x0000000100000103",
                        "NodeGUID: 0x0000000100000100",
                        "PartitionCap: 0x0040",
                        "VendorID: 0x0002c9",
                        "SMP (Directed Route) SubnGetResp(PortInfo)",
                        "GidPrefix: 0xfe80000000000000",
                        "MasterSMLID: 0x0001",
                        "CapabilityMask: 0x0050c04a",
                        "VLArbitrationHighCap: 0x08",
                        "GUIDCap: 0x20",
                        "Destination Local ID: 1",
                        "SMP (LID Routed) SubnTrap(Notice)",
                        "Trap 144 DataDetails",
                        "CAPABILITYMASK: 0x0050c04a")
                .doesNotContain("Malformed");
    }

    @Test
    void decodesSaMads() throws Exception {
        String text = decode(
                frame("SubnAdmGetTable(PathRecord)", SA),
                frame("SubnAdmGetTableResp(PathRecord)", SA),
                frame("SubnAdmSet(MCMemberRecord)", SA));
        assertThat(text)
                .containsSubsequence(
                        "Destination Queue Pair: 0x000001",
                        "Queue Key: 0x0000000080010000",
                        "SA SubnAdmGetTable(PathRecord)",
                        "Component Mask: 0x0000000000001030",
                        "DLID: 0x0003",
                        "SA SubnAdmGetTableResp(PathRecord)",
                        "Attribute Offset: 0x0008",
                        "DGID: fe80::1:0:101",
                        "P_Key: 0x9234",
                        "SA SubnAdmSet(MCMemberRecord)",
                        "MGID: ff12:401b:ffff::ffff:ffff")
                .doesNotContain("Malformed");
    }
}
