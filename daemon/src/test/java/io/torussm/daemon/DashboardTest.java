package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SimulatedTopology;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.http.metrics.AlertRules;
import io.torussm.daemon.http.server.HttpServer;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.sim.GroupClient;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.transport.MadTransport;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The panels of Grafana's dashboard on a healthy fabric of each shape, evaluated by promtool. */
@Timeout(120)
@Tag("interop")
class DashboardTest implements SubnetManager.Environment {
    private static final Path DASHBOARD = Path.of("../packaging/grafana/torus-sm.json");

    /** The last series that appear: an SA request, the verdicts on SLs, and the counters of ports. */
    private static final List<String> LAST = List.of(
            "torussm_sa_requests_total{", "torussm_sl_safe{", "infiniband_switch_port_transmit_data_bytes_total{");

    private static final int MAX_TRIES = 5_000;
    private static final long SM_PORT = 0x1_0000_0001L;
    private static final long OTHER_HOST = 0x1_0000_0010L;

    @TempDir
    Path dir;

    private @Nullable SimFabric fabric;
    private @Nullable NettyLoop loop;

    @Override
    public MadTransport port(SmOptions options, NettyLoop simulation) throws ConfigurationException {
        SimFabric made = new SimFabric(SimulatedTopology.read(options.port().simulate()), simulation, FaultPlan.NONE);
        fabric = made;
        loop = simulation;
        return made.attach(SM_PORT);
    }

    @Override
    public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop unused) {
        throw new AssertionError("there is no replication here");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"torus:3x3x1,hosts=2 torus-2QoS", "tree:2,2 ftree"})
    void noPanelIsEmpty(String spec, String engine) throws Exception {
        List<String> series;
        try (ServiceHarness sm = new ServiceHarness(
                        dir.resolve("state"),
                        Map.of(Settings.SIMULATE, spec, Settings.ROUTING_ENGINE, engine, Settings.PERFMGR, "true"),
                        this);
                HttpServer server =
                        HttpServer.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of(), sm.control())) {
            assertThat(sm.end()).isEqualTo("up");
            SimFabric made = Objects.requireNonNull(fabric);
            Objects.requireNonNull(loop)
                    .execute(() -> made.groups(OTHER_HOST, 1).join(GroupClient.IPOIB_BROADCAST));
            int tries = 0;
            do {
                assertThat(tries++).isLessThan(MAX_TRIES);
                series = Stream.of("/metrics", "/metrics/ports")
                        .flatMap(page -> scrape(server, page))
                        .toList();
            } while (!hasAll(series));
        }
        Path file = Files.writeString(dir.resolve("dashboard.test.yml"), test(series));
        assertThat(AlertRules.promtool(file, "test", "rules", file.toString())).startsWith("0: ");
    }

    private static boolean hasAll(List<String> series) {
        return LAST.stream().allMatch(name -> series.stream().anyMatch(line -> line.startsWith(name)));
    }

    private static Stream<String> scrape(HttpServer server, String page) {
        URI address = URI.create("http://127.0.0.1:" + server.address().getPort() + page);
        return HttpClient.newHttpClient()
                .sendAsync(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofLines())
                .join()
                .body()
                .filter(line -> !line.startsWith("#"));
    }

    /** Returns a test of promtool that counts the series of each panel, with the values that were scraped. */
    private static String test(List<String> series) throws Exception {
        List<String> lines = new ArrayList<>(List.of("tests:", "  - interval: 1m", "    input_series:"));
        series.forEach(line -> {
            int end = line.lastIndexOf(' ');
            lines.add("      - { series: '%s', values: '%sx10' }"
                    .formatted(line.substring(0, end).replace("'", "''"), line.substring(end + 1)));
        });
        lines.add("    promql_expr_test:");
        JsonNode panels =
                new ObjectMapper().readTree(Files.readString(DASHBOARD)).get("panels");
        assertThat(panels).hasSizeGreaterThan(20);
        panels.forEach(panel -> lines.add("      - { eval_time: 10m, expr: '%s', %s } # %s"
                .formatted(
                        "clamp_max(count(" + expression(panel) + "), 1)",
                        "exp_samples: [ { labels: \"{}\", value: 1 } ]",
                        panel.get("title").asText())));
        return String.join("\n", lines) + "\n";
    }

    /** Returns all queries of a panel as one expression. */
    private static String expression(JsonNode panel) {
        return StreamSupport.stream(panel.get("targets").spliterator(), false)
                .map(target -> "(" + target.get("expr").asText() + ")")
                .collect(Collectors.joining(" or "))
                .replaceAll("\\$(instance|subnet_prefix)", ".*")
                .replace("$__rate_interval", "5m");
    }
}
