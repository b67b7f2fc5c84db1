package io.torussm.daemon.http.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.Views;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.control.FakeStatistics;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.http.TorusViews;
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

/**
 * The metrics that a master scrapes for a whole 3x4x1 torus, and their use in alert rules, dashboard and manual.
 * Figures of the SM itself, such as SMPs, queries and ages, are those of {@link FakeControl}.
 */
class MetricsTest {
    private static final Pattern METRIC = Pattern.compile("\\b(torussm|jvm|process)_[a-z0-9_]+");

    /** The label of the subnet; its value is the subnet prefix of {@link FakeControl}. */
    private static final String SUBNET = "subnet_prefix=\"0xfec0000000000005\"";

    /**
     * Metrics that only some SMs have: these name no nodes, serve no HTTPS, have no proof, and no routes of last
     * resort.
     */
    private static final Set<String> NOT_HERE = Set.of(
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
            "torussm_link_routes_max");

    /** The names of these metrics are in the sources of this package, behind {@code torussm_}. */
    private static final Path SOURCES = Path.of("src/main/java/io/torussm/daemon/http/metrics");

    private static final Path MANUAL = Path.of("../docs/operator/monitoring.md");

    private static final Path PACKAGING = Path.of("../packaging");

    @TempDir
    Path dir;

    private final FakeControl control = new FakeControl();

    @BeforeEach
    void becomeMaster() {
        control.statistics = FakeStatistics.in(SmState.MASTER, null, 0); // a master polls no other SM
        control.view = TorusViews.view("torus:3x4x1");
        control.shadow = report();
        control.slVerdicts = new SlVerdicts(true, List.of(0, 1), List.of(1), false, List.of());
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

    /** Twelve switches, so four rings of x and three of y; all other figures are those of {@link FakeControl}. */
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
    void countsDifferencesFromTheAcceptedFabric() throws Exception {
        assertThat(series())
                .contains("torussm_inventory_accepted 0.0", "torussm_inventory_differences{kind=\"extra_node\"} 0.0");
        control.setExpectedFabric(ExpectedFabric.of(
                        TorusViews.view("torus:3x3x1").subnet().fabric()))
                .get(1, TimeUnit.SECONDS);
        assertThat(series())
                .contains("torussm_inventory_accepted 1.0")
                .anyMatch(line -> line.matches("torussm_inventory_differences\\{kind=\"extra_node\"} [1-9].*"));
    }

    @Test
    void showsTheSafeSlsWhenTheyAreKnown() {
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

    /** A 4x4x4 torus with two parallel cables between neighbours, in three rings of which one of a pair was cut. */
    @Test
    void showsRingsThatLostParallelCables() throws IOException {
        control.view = TorusViews.recordedView(dir, "444_par2_cut");
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
    void onlyTheStateOfTheSubnetIsShownBeforeTheFirstSweep() {
        control.view = null;
        control.statistics = null;
        assertThat(scrape()).contains("torussm_subnet_up 0.0").doesNotContain("torussm_switches");
    }

    @Test
    void aFabricThatIsNoTorusHasNoRings() {
        control.view = Views.twoSwitches();
        assertThat(series()).contains("torussm_switches 2.0");
        assertThat(scrape()).doesNotContain("torussm_rings");
    }

    @Test
    void alertRulesNameExistingMetrics() throws IOException {
        assertThat(notScraped(Files.readString(AlertRules.RULES))).isEmpty();
    }

    @Test
    void dashboardNamesExistingMetrics() throws IOException {
        JsonNode dashboard = new ObjectMapper().readTree(Files.readString(PACKAGING.resolve("grafana/torus-sm.json")));
        List<String> expressions = new ArrayList<>(dashboard.findValuesAsText("expr"));
        expressions.addAll(dashboard.findValuesAsText("query"));
        assertThat(expressions).hasSizeGreaterThan(20);
        assertThat(notScraped(String.join("\n", expressions))).isEmpty();
    }

    /** The list for operators has every metric of the SM, and no other. */
    @Test
    void isDescribedForOperators() throws IOException {
        Set<String> documented = Pattern.compile("^- `(torussm_[a-z_]+)[`{]", Pattern.MULTILINE)
                .matcher(Files.readString(MANUAL))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> expected = names();
        expected.removeIf(name -> !name.startsWith("torussm_"));
        assertThat(expected).doesNotContainAnyElementsOf(NOT_HERE);
        expected.addAll(NOT_HERE);
        assertThat(documented).isEqualTo(expected);
    }

    /** A metric that no code exports any more must not stay in the manual. */
    @Test
    void metricsThatAreNotScrapedHereAreInTheSources() throws IOException {
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.toList()) {
                sources.append(Files.readString(file));
            }
        }
        assertThat(NOT_HERE).allSatisfy(name -> assertThat(sources.toString())
                .contains('"' + name.replaceFirst("^torussm_(.*?)(_total|_info)?$", "$1") + '"'));
    }

    /**
     * The labels in the list for operators are those of the scraped series. The label of the subnet is described for
     * all series together, and {@code le} is that of each histogram.
     */
    @Test
    void labelsAreDescribedForOperators() throws IOException {
        Map<String, Set<String>> documented = Pattern.compile("^- `(torussm_[a-z_]+)([^`]*)`:", Pattern.MULTILINE)
                .matcher(Files.readString(MANUAL))
                .results()
                .collect(Collectors.toMap(row -> row.group(1), row -> words(row.group(2))));
        series().filter(line -> line.startsWith("torussm_")).forEach(line -> {
            String name = line.replaceFirst("[{ ].*", "");
            Set<String> scraped = Pattern.compile("([a-z_]+)=\"")
                    .matcher(line)
                    .results()
                    .map(label -> label.group(1))
                    .filter(label -> !label.equals("le"))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(scraped).as(name).isEqualTo(documented.getOrDefault(name, documented.get(withoutSuffix(name))));
        });
    }

    @Tag("interop")
    @Test
    void pleasesPromtool() throws Exception {
        Path metrics = Files.writeString(dir.resolve("metrics"), scrape());
        assertThat(AlertRules.promtool(metrics, "check", "metrics")).isEqualTo("0: ");
        Path rules = AlertRules.RULES;
        long count = Files.readString(rules)
                .lines()
                .filter(line -> line.strip().startsWith("- alert:"))
                .count();
        assertThat(AlertRules.promtool(rules, "check", "rules", rules.toString()))
                .startsWith("0: ")
                .contains("SUCCESS: " + count + " rules found");
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

    private String scrape() {
        return new String(new Metrics(control, new HttpCounts()).scrape().body(), StandardCharsets.UTF_8);
    }

    /** Returns the scraped series, without the label of the subnet. */
    private Stream<String> series() {
        return scrape().lines().map(line -> line.replaceFirst("," + SUBNET + "|" + SUBNET + ",", "")
                .replace("{" + SUBNET + "}", ""));
    }

    /** Returns the names of the scraped metrics, as they stand behind {@code # TYPE}. */
    private Set<String> names() {
        return scrape().lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ", -1)[2])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the names of metrics in a text that are not scraped. */
    private Set<String> notScraped(String text) {
        Set<String> scraped = names();
        return METRIC.matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(used -> !scraped.contains(used) && !scraped.contains(withoutSuffix(used)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the name of the histogram or summary of a series, by which it is documented. */
    private static String withoutSuffix(String series) {
        return series.replaceFirst("_(bucket|sum|count)$", "");
    }

    private static Set<String> words(String list) {
        return Pattern.compile("[a-z_]+")
                .matcher(list)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns a report on another SM that has a value for each metric. Named values are asserted. */
    private static ShadowReport report() {
        int lostPairs = 3;
        long changedLftEntries = 7;
        long changedSettings = 2;
        int grantedPaths = 8;
        int pathsWithSameSl = 6;
        long drift = 4;
        double secondsToRepair = 2.5;
        long ownMilliseconds = 500;
        long mads = 77;
        boolean isKnown = true;
        ShadowReport.Verdict free = new ShadowReport.Verdict("hosts", isKnown, 4, 3, List.of());
        ShadowReport.Verdict loop = new ShadowReport.Verdict("all together", isKnown, 4, 3, List.of("a", "b"));
        List<String> none = List.of();
        return new ShadowReport(
                Instant.ofEpochSecond(1_000),
                2,
                1.5,
                mads,
                new ShadowReport.Read(12, 24, 36, 900, 1),
                List.of(new ShadowReport.Manager("0x1", "host", 1, 0, "master")),
                new ShadowReport.Proof("SL 0", List.of(free, loop), 100, lostPairs, 0, none, none, none),
                new ShadowReport.Takeover(
                        "",
                        "torus-2QoS",
                        5,
                        9,
                        Map.of("lft", changedLftEntries),
                        Map.of("HOQLife", changedSettings),
                        Map.of("master_sm", 1L),
                        List.of(),
                        List.of(),
                        none),
                new ShadowReport.Paths(10, grantedPaths, pathsWithSameSl, none),
                new ShadowReport.Drift(Instant.EPOCH, drift, null, Map.of(), List.of()),
                List.of(new ShadowReport.Fault(
                        Instant.EPOCH,
                        List.of("down"),
                        secondsToRepair,
                        Map.of(),
                        new ShadowReport.Response("", ownMilliseconds, Map.of()))),
                none);
    }
}
