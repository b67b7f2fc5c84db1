package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.Condition;
import io.torussm.daemon.http.metrics.AlertRules;
import io.torussm.daemon.http.server.HttpServer;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.MadTransport;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Losses of a fat tree as metrics, as events, and as alerts of the packaged rules. */
@Timeout(120)
class TreeAlertsTest implements SubnetManager.Environment {
    private static final String TREE = "tree:leaves=8,spines=4,hosts=2";
    private static final long LEAF_5 = 0x200050;
    private static final long LEAF_6 = 0x200060;
    private static final long LEAF_7 = 0x200070;
    private static final long SPINE_1 = 0x200090;

    /** Minutes between two changes; the rules wait for less. */
    private static final int PERIOD = 5;

    @RegisterExtension
    final LoggedEvents events = new LoggedEvents();

    @TempDir
    Path dir;

    private final List<Map<String, String>> scrapes = new ArrayList<>();
    private @Nullable SimFabric fabric;
    private @Nullable NettyLoop loop;
    private @Nullable ServiceHarness sm;
    private @Nullable HttpServer server;

    @Override
    public MadTransport port(SmOptions options, NettyLoop simulation) {
        SimFabric made = new SimFabric(TopologySpec.of(TREE).topology(), simulation, FaultPlan.NONE);
        fabric = made;
        loop = simulation;
        return made.attach("host-0-0", 1);
    }

    @Override
    public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop unused) {
        throw new AssertionError("there is no replication here");
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
        if (sm != null) {
            sm.close();
        }
    }

    @Tag("interop")
    @Test
    void aDeadSpineAndAPulledCableAlertUntilTheyAreBack() throws Exception {
        ServiceHarness running = start();
        scrapeAfter(made -> {}, 0, 0);
        scrapeAfter(made -> made.unlink(LEAF_5, 5), 0, 1);
        assertThat(codes(running)).containsExactly(SmEvent.CABLE_LOST.code());
        scrapeAfter(made -> made.interventions().powerOff(SPINE_1), 1, 1 + 8);
        assertThat(codes(running)).containsExactly(SmEvent.CABLE_LOST.code(), SmEvent.SWITCH_LOST.code());
        scrapeAfter(made -> made.interventions().powerOn(SPINE_1), 0, 1);
        scrapeAfter(made -> made.relink(LEAF_5, 5), 0, 0);
        assertThat(codes(running)).isEmpty();
        assertThat(events.of(SmEvent.CABLE_LOST)).hasSize(1);
        assertThat(events.of(SmEvent.SWITCH_LOST)).hasSize(1);
        assertThat(events.of(SmEvent.SWITCH_BACK)).hasSize(1);
        assertThat(events.of(SmEvent.CABLE_BACK)).hasSize(1);
        assertAlerts(
                "", "TorusSmCablesMissing", "TorusSmCablesMissing TorusSmSwitchesMissing", "TorusSmCablesMissing", "");
    }

    @Test
    void aRackIsOneEventWithItsMembers() throws Exception {
        ServiceHarness running = start();
        Consumer<SimFabric> off = made -> List.of(LEAF_6, LEAF_7).forEach(made.interventions()::powerOff);
        scrapeAfter(off, 2, 8);
        assertThat(codes(running)).containsExactly(SmEvent.MANY_LOST.code());
        assertThat(events.only(SmEvent.MANY_LOST).get(EventField.TEXT))
                .isEqualTo("rack R2: 2 switches and 8 cables between switches are gone, with 4 hosts (\"host-6-0\","
                        + " \"host-6-1\", \"host-7-0\", \"host-7-1\"): leaf 6 \"leaf-6\", leaf 7 \"leaf-7\"");
        scrapeAfter(made -> List.of(LEAF_6, LEAF_7).forEach(made.interventions()::powerOn), 0, 0);
        assertThat(events.of(SmEvent.MANY_BACK)).hasSize(1);
        assertThat(events.of(SmEvent.SWITCH_LOST)).isEmpty();
        assertThat(events.of(SmEvent.CABLE_LOST)).isEmpty();
        assertThat(codes(running)).isEmpty();
    }

    private ServiceHarness start() throws Exception {
        Path sites =
                Files.writeString(dir.resolve("sites"), "node 0x200060 rack=R2 unit=1\nnode 0x200070 rack=R2 unit=2\n");
        ServiceHarness started = new ServiceHarness(
                dir.resolve("state"),
                Map.of(Settings.SIMULATE, TREE, Settings.ROUTING_ENGINE, "updn", Settings.SITE_MAP, sites.toString()),
                this);
        sm = started;
        server = HttpServer.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of(), started.control());
        assertThat(started.end()).isEqualTo("up");
        return started;
    }

    /** Changes the fabric, waits until so many switches and cables of switches are missing, and reads the metrics. */
    private Map<String, String> scrapeAfter(Consumer<SimFabric> change, int switches, int cables) throws Exception {
        ServiceHarness running = Objects.requireNonNull(sm);
        SimFabric made = Objects.requireNonNull(fabric);
        Objects.requireNonNull(loop).execute(() -> change.accept(made));
        Map<String, String> series = series();
        while (value(series, "torussm_missing_switches") != switches
                || value(series, "torussm_missing_links") != cables) {
            running.end();
            series = series();
        }
        scrapes.add(series);
        return series;
    }

    private Map<String, String> series() throws Exception {
        int port = Objects.requireNonNull(server).address().getPort();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .build();
        Map<String, String> series = new TreeMap<>();
        HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith("torussm_"))
                .forEach(line -> series.put(
                        line.substring(0, line.lastIndexOf(' ')), line.substring(line.lastIndexOf(' ') + 1)));
        return series;
    }

    private static double value(Map<String, String> series, String name) {
        return series.entrySet().stream()
                .filter(each -> each.getKey().startsWith(name + "{"))
                .mapToDouble(each -> Double.parseDouble(each.getValue()))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> codes(ServiceHarness running) {
        return Condition.all(running.control()).stream()
                .map(Condition::code)
                .filter(code -> !code.equals(SmEvent.KEYS_PUBLIC.code()))
                .sorted()
                .toList();
    }

    /** Checks with promtool which alerts the scrapes raise, each of which lasts a period. */
    private void assertAlerts(String... expected) throws Exception {
        StringBuilder test = new StringBuilder("rule_files: [ \"" + AlertRules.RULES.toAbsolutePath() + "\" ]\n"
                + "tests:\n  - interval: 1m\n    input_series:\n");
        scrapes.stream().flatMap(scrape -> scrape.keySet().stream()).distinct().forEach(name -> {
            String values = scrapes.stream()
                    .map(scrape -> scrape.getOrDefault(name, "_").replaceFirst("\\.0$", "") + "x" + (PERIOD - 1))
                    .collect(Collectors.joining(" "));
            test.append("      - { series: '")
                    .append(name)
                    .append("', values: '")
                    .append(values)
                    .append("' }\n");
        });
        test.append("    promql_expr_test:\n");
        for (int i = 0; i < expected.length; i++) {
            String alerts = Arrays.stream(expected[i].split(" ", -1))
                    .filter(alert -> !alert.isEmpty())
                    .map(alert -> "{ labels: '{alertname=\"" + alert + "\"}', value: 1 }")
                    .collect(Collectors.joining(", "));
            test.append("      - { expr: 'sum by (alertname) (ALERTS{alertstate=\"firing\"})', eval_time: ")
                    .append((i + 1) * PERIOD - 1)
                    .append("m, exp_samples: [ ")
                    .append(alerts)
                    .append(" ] }\n");
        }
        Path file = Files.writeString(dir.resolve("tree.test.yml"), test);
        assertThat(AlertRules.promtool(file, "test", "rules", file.toString())).startsWith("0: ");
    }
}
