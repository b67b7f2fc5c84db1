package io.torussm.daemon.http.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.Views;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.http.Tori;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.mastership.SmState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scraped metrics, and their use in alert rules, dashboard and manual. */
class MetricsTest {
    private static final Pattern METRIC = Pattern.compile("\\b(torussm|jvm|process)_[a-z0-9_]+");

    private static final String SUBNET = "subnet_prefix=\"0xfec0000000000005\"";

    private static final Path PACKAGING = Path.of("../packaging");

    @TempDir
    Path dir;

    private final FakeControl control = new FakeControl();

    @BeforeEach
    void standAsMaster() {
        control.statistics = FakeControl.in(SmState.MASTER, null, 0);
        control.view = Tori.view("torus:3x4x1");
        control.shadow = shadow();
        control.slVerdicts = new SlVerdicts(true, List.of(0, 1), List.of(1), false, List.of());
    }

    /** Returns the scraped series, without the label of the subnet. */
    private Stream<String> series() {
        return scrape().lines().map(line -> line.replaceFirst("," + SUBNET + "|" + SUBNET + ",", "")
                .replace("{" + SUBNET + "}", ""));
    }

    private String scrape() {
        return new String(new Metrics(control, new HttpCounts()).scrape().body(), StandardCharsets.UTF_8);
    }

    /** Names of metrics, as they stand behind {@code # TYPE}. */
    private Set<String> names() {
        return scrape().lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ", -1)[2])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A report in which everything occurs. */
    private static ShadowReport shadow() {
        ShadowReport.Verdict free = new ShadowReport.Verdict("hosts", true, 4, 3, List.of());
        ShadowReport.Verdict loop = new ShadowReport.Verdict("all together", true, 4, 3, List.of("a", "b"));
        return new ShadowReport(
                Instant.ofEpochSecond(1_000),
                2,
                1.5,
                77,
                new ShadowReport.Read(12, 24, 36, 900, 1),
                List.of(new ShadowReport.Manager("0x1", "host", 1, 0, "master")),
                new ShadowReport.Proof("SL 0", List.of(free, loop), 100, 3, 0, List.of(), List.of(), List.of()),
                new ShadowReport.Takeover(
                        "",
                        "torus-2QoS",
                        5,
                        9,
                        Map.of("lft", 7L),
                        Map.of("HOQLife", 2L),
                        Map.of("master_sm", 1L),
                        List.of(),
                        List.of(),
                        List.of()),
                new ShadowReport.Paths(10, 8, 6, List.of()),
                new ShadowReport.Drift(Instant.EPOCH, 4, null, Map.of(), List.of()),
                List.of(new ShadowReport.Fault(
                        Instant.EPOCH, List.of("down"), 2.5, Map.of(), new ShadowReport.Response("", 500, Map.of()))),
                List.of());
    }

    @Test
    void showsReportsOfAnotherSm() {
        assertThat(series())
                .contains(
                        "torussm_shadow_loop_free{packets=\"hosts\"} 1.0",
                        "torussm_shadow_loop_free{packets=\"all together\"} 0.0",
                        "torussm_shadow_unreachable_pairs 3.0",
                        "torussm_shadow_takeover_up 1.0",
                        "torussm_shadow_takeover_changes{table=\"lft\"} 7.0",
                        "torussm_shadow_takeover_changes{table=\"lid\"} 0.0",
                        "torussm_shadow_takeover_settings 2.0",
                        "torussm_shadow_paths_differing 2.0",
                        "torussm_shadow_drift_total 4.0",
                        "torussm_shadow_fault_seconds 2.5",
                        "torussm_shadow_fault_own_seconds 0.5",
                        "torussm_shadow_mads_total 77.0");
        control.shadow = null;
        assertThat(scrape()).doesNotContain("torussm_shadow_");
    }

    @Test
    void showsCounters() {
        assertThat(series())
                .contains(
                        "torussm_build_info{version=\"torus-sm of a test\"} 1",
                        "torussm_subnet_up 1.0",
                        "torussm_mastership_state{state=\"master\"} 1.0",
                        "torussm_mastership_state{state=\"standby\"} 0.0",
                        "torussm_sl_changes_total 0.0",
                        "torussm_sweeps_total{kind=\"heavy\",outcome=\"up\"} 0.0",
                        "torussm_smps_total{attribute=\"PortInfo\",method=\"Get\",outcome=\"reply\"} 12.0",
                        "torussm_sa_requests_total{attribute=\"PathRecord\",method=\"Get\"} 7.0",
                        "torussm_sa_answers_total{attribute=\"PathRecord\",method=\"Get\",status=\"NO_RECORDS\"} 2.0",
                        "torussm_sa_request_seconds_count{attribute=\"PathRecord\"} 22",
                        "torussm_sa_request_seconds_sum{attribute=\"PathRecord\"} 0.005",
                        "torussm_sa_queue_depth 3.0",
                        "torussm_replication_sent_age_seconds 1.5",
                        "torussm_switches 12.0",
                        "torussm_rings{dimension=\"x\",state=\"whole\"} 4.0",
                        "torussm_rings{dimension=\"y\",state=\"whole\"} 3.0",
                        "torussm_missing_links 0.0");
    }

    /** Where one Prometheus sees several subnets, nothing else tells their series apart. */
    @Test
    void allSeriesSayWhichSubnetTheyAreOf() {
        control.view = Views.named(Views.twoSwitches(), "0x200000 leaf-1\n", "");
        assertThat(scrape().lines().filter(line -> line.startsWith("torussm_")))
                .hasSizeGreaterThan(100)
                .allMatch(line -> line.contains(SUBNET));
        assertThat(scrape().lines().filter(line -> line.startsWith("jvm_"))).noneMatch(line -> line.contains(SUBNET));
    }

    @Test
    void countsWhatDiffersFromTheFabricThatWasAccepted() throws Exception {
        assertThat(series())
                .contains("torussm_inventory_accepted 0.0", "torussm_inventory_differences{kind=\"extra_node\"} 0.0");
        control.expect(ExpectedFabric.of(Tori.view("torus:3x3x1").subnet().fabric()))
                .get(1, TimeUnit.SECONDS);
        assertThat(series())
                .contains("torussm_inventory_accepted 1.0")
                .anyMatch(line -> line.matches("torussm_inventory_differences\\{kind=\"extra_node\"} [1-9].*"));
    }

    @Test
    void showsWhichSlsAreSafeOnceThatIsKnown() {
        assertThat(series())
                .contains(
                        "torussm_sl_safe{sl=\"0\"} 1.0",
                        "torussm_sl_safe{sl=\"2\"} 0.0",
                        "torussm_sl_safe_beside_path_records{sl=\"0\"} 0.0",
                        "torussm_sl_safe_beside_path_records{sl=\"1\"} 1.0",
                        "torussm_any_sl_safe 0.0");
        control.slVerdicts = null;
        assertThat(scrape()).doesNotContain("torussm_sl_safe", "torussm_any_sl_safe");
    }

    @Test
    void showsRingsThatLostParallelCables() throws IOException {
        control.view = Tori.recorded(dir, "444_par2_cut");
        double thinned = series().filter(
                        line -> line.matches("torussm_rings\\{dimension=\"[xyz]\",state=\"thinned\"} .*"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
        assertThat(thinned).isEqualTo(3);
    }

    @Test
    void showsHowTheJvmDoes() {
        assertThat(names()).contains("jvm_memory_used_bytes", "jvm_gc_collection_seconds", "process_cpu_seconds_total");
    }

    @Test
    void showsLittleUntilThereIsMore() {
        control.view = null;
        control.statistics = null;
        assertThat(scrape()).contains("torussm_subnet_up 0.0").doesNotContain("torussm_switches");
    }

    @Test
    void doesWithoutATorus() {
        control.view = Views.twoSwitches();
        assertThat(series()).contains("torussm_switches 2.0");
        assertThat(scrape()).doesNotContain("torussm_rings");
    }

    /** Series of one histogram or counter are found under their common name. */
    private Set<String> unknown(String text) {
        Set<String> names = names();
        return METRIC.matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(used -> !names.contains(used) && !names.contains(used.replaceFirst("_(bucket|sum|count)$", "")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void alertRulesNameExistingMetrics() throws IOException {
        assertThat(unknown(Files.readString(AlertRules.RULES))).isEmpty();
    }

    @Test
    void dashboardNamesExistingMetrics() throws IOException {
        JsonNode dashboard = new ObjectMapper().readTree(Files.readString(PACKAGING.resolve("grafana/torus-sm.json")));
        List<String> expressions = new ArrayList<>(dashboard.findValuesAsText("expr"));
        expressions.addAll(dashboard.findValuesAsText("query"));
        assertThat(expressions).hasSizeGreaterThan(20);
        assertThat(unknown(String.join("\n", expressions))).isEmpty();
    }

    /** The table for operators has every metric of the SM, and no other. */
    @Test
    void isDescribedForOperators() throws IOException {
        Set<String> told = Pattern.compile("^\\| `(torussm_[a-z_]+)`", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("../docs/operator/monitoring.md")))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> own = names();
        own.removeIf(name -> !name.startsWith("torussm_"));
        own.addAll(Set.of(
                "torussm_node_info",
                "torussm_https_requests_total",
                "torussm_https_certificate_end_seconds",
                "torussm_certificate_covers_switch_ports",
                "torussm_certificate_channels",
                "torussm_certificate_dependencies",
                "torussm_certificate_destinations",
                "torussm_routes",
                "torussm_routes_bent",
                "torussm_route_hops_max",
                "torussm_link_routes_max"));
        assertThat(told).isEqualTo(own);
    }

    /** The labels in the table for operators are those of the series, except for the subnet's. */
    @Test
    void labelsAreDescribedForOperators() throws IOException {
        Map<String, Set<String>> told = Pattern.compile("^\\| `(torussm_[a-z_]+)` \\|([^|]*)\\|", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("../docs/operator/monitoring.md")))
                .results()
                .collect(Collectors.toMap(row -> row.group(1), row -> words(row.group(2))));
        series().filter(line -> line.startsWith("torussm_")).forEach(line -> {
            String name = line.replaceFirst("[{ ].*", "");
            Set<String> labels = Pattern.compile("([a-z_]+)=\"")
                    .matcher(line)
                    .results()
                    .map(label -> label.group(1))
                    .filter(label -> !label.equals("le"))
                    .collect(Collectors.toCollection(TreeSet::new));
            Set<String> described = told.getOrDefault(name, told.get(name.replaceFirst("_(bucket|sum|count)$", "")));
            assertThat(labels).as(name).isEqualTo(described);
        });
    }

    private static Set<String> words(String list) {
        return Pattern.compile("[a-z_]+")
                .matcher(list)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Tag("interop")
    @Test
    void pleasesPromtool() throws Exception {
        Path metrics = Files.writeString(dir.resolve("metrics"), scrape());
        assertThat(AlertRules.promtool(metrics, "check", "metrics")).isEqualTo("0: ");
        Path rules = AlertRules.RULES;
        assertThat(AlertRules.promtool(rules, "check", "rules", rules.toString()))
                .startsWith("0: ")
                .contains("SUCCESS: 31 rules found");
    }

    @Test
    void nodesAreSeriesOnlyIfTheOperatorNamedSome() {
        assertThat(names()).doesNotContain("torussm_node_info");
        control.view = Views.named(Views.twoSwitches(), "0x200000 leaf-1\n", "place 1,0,0 rack=R7 row=B unit=12\n");
        assertThat(series())
                .contains("torussm_node_info{guid=\"0x0000000000200000\",name=\"leaf-1\",place=\"(1,0,0)\",rack=\"R7\","
                        + "row=\"B\",unit=\"12\"} 1");
        assertThat(names()).contains("torussm_node_info");
    }
}
