package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.torussm.testing.BothSimulators;
import io.torussm.testing.Simulator;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * Counters of ibsim, set at its console: read by this SM, and compared with infiniband_exporter (0.10.0 was) on the
 * same fabric.
 */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(300)
class CountersInteropTest {
    private static final String TORUS = "torus:3x3x1,hosts=1";
    private static final String SM_HOST = "H-0000000100000000";
    private static final String TOOL_HOST = "H-0000000100000100";
    private static final String SWITCH = "S-0000000000200010";
    private static final Pattern LINE = Pattern.compile("(?m)^(infiniband_\\w+)\\{(.*)} (\\S+)$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** MADs of others, and our own, are traffic. */
    private static final String TRAFFIC_COUNTERS = "infiniband_\\w+_port_(transmit|receive)_(data_bytes|packets)_total";

    private static final String OF_EXPORTER = "infiniband_(exporter|switch_collect|hca_collect)_.*";

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    private int httpPort;

    @Test
    void readsItsOwnSettings() throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, TORUS, TOOL_HOST, dir)) {
            start(torus);
            Map<Map<String, String>, String> all = torusSmSeries();
            String sw = "0x0000000000200010";
            assertThat(value(all, "infiniband_switch_port_symbol_error_total", sw, 1))
                    .isEqualTo("17");
            assertThat(value(all, "infiniband_switch_port_link_downed_total", sw, 1))
                    .isEqualTo("3");
            assertThat(value(all, "infiniband_switch_port_local_link_integrity_errors_total", sw, 1))
                    .isEqualTo("14");
            assertThat(Long.parseLong(value(all, "infiniband_switch_port_transmit_wait_total", sw, 1)))
                    .isGreaterThanOrEqualTo(100_017);
            assertThat(value(all, "infiniband_switch_port_unicast_transmit_packets_total", sw, 1))
                    .isEqualTo("4294967298");
            assertThat(value(all, "infiniband_switch_port_unicast_receive_packets_total", sw, 3))
                    .isEqualTo("30064771075");
            assertThat(value(all, "infiniband_switch_port_looping_errors_total", sw, 3))
                    .isEqualTo("21");
            assertThat(value(all, "infiniband_hca_port_receive_errors_total", "0x0000000100000101", 1))
                    .isEqualTo("40");
            assertThat(torus.control(SM_HOST, "counters", "0x200010", "1").text())
                    .containsPattern("SymbolErrorCounter +17")
                    .containsPattern("LocalLinkIntegrityErrors +14");
        }
    }

    @Test
    void infinibandExporterSaysTheSame() throws Exception {
        String exporter = System.getProperty("infiniband.exporter", "");
        assumeTrue(!exporter.isEmpty(), "no package brings infiniband_exporter; -Dinfiniband.exporter=FILE names it");
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, TORUS, TOOL_HOST, dir)) {
            start(torus);
            torus.tool(
                    exporter,
                    "--collector.hca",
                    "--collector.switch",
                    "--collector.switch.rcv-err-details",
                    "--collector.hca.rcv-err-details",
                    "--exporter.runonce",
                    "--exporter.output=" + dir.resolve("theirs"),
                    "--exporter.lockfile=" + dir.resolve("lock"));
            Map<Map<String, String>, String> ours = new LinkedHashMap<>();
            torusSmSeries().forEach((labels, value) -> {
                labels.remove("subnet_prefix");
                labels.keySet().removeIf(name -> name.matches("(uplink_)?(place|rack)|cable"));
                ours.put(labels, value);
            });
            Map<Map<String, String>, String> theirs = series(Files.readString(dir.resolve("theirs"), UTF_8));
            theirs.keySet().removeIf(labels -> name(labels).matches(OF_EXPORTER));
            assertThat(theirs).hasSizeGreaterThan(800);
            theirs.forEach((labels, value) -> {
                assertThat(ours).as(labels.toString()).containsKey(labels);
                double here = Double.parseDouble(ours.get(labels));
                if (name(labels).matches(TRAFFIC_COUNTERS)) {
                    assertThat(here).as(labels.toString()).isGreaterThanOrEqualTo(Double.parseDouble(value));
                } else {
                    assertThat(here).as(labels.toString()).isEqualTo(Double.parseDouble(value));
                }
            });
        }
    }

    private void start(TorusOnIbSim torus) throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            httpPort = free.getLocalPort();
        }
        torus.set(SWITCH, 1, "PortCounters.SymbolErrorCounter", 17);
        torus.set(SWITCH, 1, "PortCounters.LinkDownedCounter", 3);
        torus.set(SWITCH, 1, "PortCounters.LocalLinkIntegrityErrors", 14);
        torus.set(SWITCH, 1, "PortCounters.PortXmitWait", 100_017);
        torus.set(SWITCH, 1, "PortCountersExtended.PortUnicastXmitPkts", 0x1_0000_0002L);
        torus.set(SWITCH, 3, "PortCountersExtended.PortUnicastRcvPkts", 0x7_0000_0003L);
        torus.set(SWITCH, 3, "PortRcvErrorDetails.PortLoopingErrors", 21);
        torus.set(TOOL_HOST, 1, "PortRcvErrorDetails.PortDLIDMappingErrors", 22);
        torus.set(TOOL_HOST, 1, "PortCounters.PortRcvErrors", 40);
        torus.torusSm(
                        SM_HOST,
                        "--http-listen",
                        "127.0.0.1:" + httpPort,
                        "--perfmgr",
                        "--perfmgr_sweep_time_s",
                        "1",
                        "-F",
                        Files.writeString(dir.resolve("sm.conf"), "perfmgr_rcv_err_details = true\n")
                                .toString())
                .await("SUBNET UP");
    }

    private static Map<Map<String, String>, String> series(String text) {
        Map<Map<String, String>, String> all = new LinkedHashMap<>();
        Matcher line = LINE.matcher(text);
        while (line.find()) {
            Map<String, String> labels = new TreeMap<>(Map.of("", line.group(1)));
            Matcher label = LABEL.matcher(line.group(2));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
            all.put(labels, line.group(3));
        }
        return all;
    }

    /** Reads all ports, then once more, and returns the series. */
    private Map<Map<String, String>, String> torusSmSeries() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        String first = "";
        while (true) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + "/metrics/ports"))
                    .build();
            String text =
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            Matcher ended = Pattern.compile("last_execution\\{.*} (\\S+)").matcher(text);
            if (ended.find() && first.isEmpty()) {
                first = ended.group(1);
            } else if (!first.isEmpty() && !ended.group(1).equals(first)) {
                return series(text);
            }
            Thread.onSpinWait();
        }
    }

    private static String name(Map<String, String> labels) {
        return labels.getOrDefault("", "");
    }

    private static String value(Map<Map<String, String>, String> all, String name, String guid, int port) {
        return all.entrySet().stream()
                .filter(each -> name.equals(each.getKey().get(""))
                        && guid.equals(each.getKey().get("guid"))
                        && Integer.toString(port).equals(each.getKey().get("port")))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("none");
    }
}
