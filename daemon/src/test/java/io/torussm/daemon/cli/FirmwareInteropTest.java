package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.mad.Guid;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyText;
import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import io.torussm.testing.ServedFabric;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Firmware versions of the embedded fabric, as this SM and vendstat read them. */
@Tag("interop")
@Timeout(300)
class FirmwareInteropTest {
    private static final Topology TORUS = TorusSpec.parse("torus:3x2x1,hosts=1").topology();
    private static final long OLD = TORUS.node("host-1-1-0-0").orElseThrow().nodeGuid();
    private static final long A_SWITCH = TORUS.node("sw-0-0-0").orElseThrow().nodeGuid();
    private static final String SM_HOST = "H-0000000100000000";
    private static final String TOOL_HOST = "H-0000000100000100";
    private static final Pattern VERSION = Pattern.compile("fw_version: +(\\d+)\\.(\\d+)\\.(\\d+)");
    private static final Pattern PSID = Pattern.compile("fw_psid: +'(.*)'");

    @TempDir
    Path dir;

    private int httpPort;

    @Test
    void vendstatReadsTheSameVersions() throws Exception {
        StringWriter text = new StringWriter();
        TopologyText.write(TORUS, text);
        String known = text.toString().replace("devid=0xbd36", "devid=0xd2f0").replace("devid=0x6282", "devid=0x101b");
        Path file = Files.writeString(dir.resolve("fabric.topo"), known);
        DeviceModels models = DeviceModels.PERFECT
                .with(node -> true, model -> model.vendor(vendor -> vendor.withFirmware("28.39.1002")))
                .with(DeviceModels.byGuid(OLD), model -> model.vendor(vendor -> vendor.withFirmware("5.3.65535")));
        try (ServedFabric fabric = ServedFabric.start(file, models)) {
            Process sm = start(fabric);
            try {
                awaitUp(sm);
                Map<String, String> ours = ours();
                Map<String, String> theirs = vendstat(fabric, Set.of(Guid.format(OLD), Guid.format(A_SWITCH)));
                assertThat(theirs)
                        .containsEntry(Guid.format(OLD), "SIM_0000000001 5.3.65535")
                        .containsEntry(Guid.format(A_SWITCH), "SIM_0000000001 28.39.1002");
                assertThat(ours).containsAllEntriesOf(theirs);
            } finally {
                sm.destroyForcibly().onExit().join();
            }
        }
    }

    private Process start(ServedFabric fabric) throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            httpPort = free.getLocalPort();
        }
        List<String> command = new ArrayList<>(IbSim.java(
                "io.torussm.daemon.cli.Main",
                "-Q",
                "--control-socket",
                dir.resolve("control.sock").toString(),
                "--state-dir",
                "state",
                "--http-listen",
                "127.0.0.1:" + httpPort,
                "-F",
                Files.writeString(dir.resolve("sm.conf"), "firmware_versions = true\n")
                        .toString()));
        return fabric.client(SM_HOST, command, dir).redirectErrorStream(true).start();
    }

    private static void awaitUp(Process sm) throws IOException {
        BufferedReader log = sm.inputReader(UTF_8);
        List<String> seen = new ArrayList<>();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            seen.add(line);
            if (line.contains("SUBNET UP")) {
                return;
            }
        }
        throw new AssertionError(String.join("\n", seen));
    }

    private JsonNode items(String list) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + "/api/v1/" + list))
                .build();
        return new ObjectMapper()
                .readTree(HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .body())
                .path("items");
    }

    /** Returns PSID and version by NodeGUID, as this SM has them in the end. */
    private Map<String, String> ours() throws Exception {
        while (true) {
            Map<String, String> all = new TreeMap<>();
            for (JsonNode item : items("firmware")) {
                all.put(
                        item.path("guid").asText(),
                        item.path("psid").asText() + " " + item.path("version").asText());
            }
            if (all.size() == TORUS.nodes().size()) {
                return all;
            }
            Thread.onSpinWait();
        }
    }

    private Map<String, String> vendstat(ServedFabric fabric, Set<String> guids) throws Exception {
        Map<String, String> all = new TreeMap<>();
        for (JsonNode system : items("systems")) {
            if (!guids.contains(system.path("guid").asText())) {
                continue;
            }
            List<String> command = List.of(
                    Programs.requireProgram("vendstat"),
                    "-N",
                    system.path("lid").asText());
            String text = IbSim.run(fabric.client(TOOL_HOST, command, dir)).text();
            Matcher version = VERSION.matcher(text);
            Matcher psid = PSID.matcher(text);
            assertThat(version.find() && psid.find()).as(text).isTrue();
            all.put(
                    system.path("guid").asText(),
                    psid.group(1) + " " + Integer.parseInt(version.group(1)) + "." + Integer.parseInt(version.group(2))
                            + "." + Integer.parseInt(version.group(3)));
        }
        return all;
    }
}
