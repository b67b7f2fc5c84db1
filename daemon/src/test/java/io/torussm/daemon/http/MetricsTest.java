package io.torussm.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.Views;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.deadlock.SlVerdicts;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.mastership.SmState;
import io.torussm.testing.Programs;
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

    /** What is scraped, without the label of the subnet. */
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
    void showsWhatWasSeenOfAnotherSm() {
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
    void showsWhatWasCounted() {
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
    void alertRulesNameWhatIsThere() throws IOException {
        assertThat(unknown(Files.readString(PACKAGING.resolve("prometheus/torus-sm.rules.yml"))))
                .isEmpty();
    }

    @Test
    void dashboardNamesWhatIsThere() throws IOException {
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

    /** The labels in the table for operators are those that the series have, but for the subnet's. */
    @Test
    void labelsAreDescribedForOperators() throws IOException {
        Map<String, Set<String>> told = Pattern.compile(
                        "^\\| `(torussm_[a-z_]+)` \\| [a-z]+ \\|([^|]*)\\|", Pattern.MULTILINE)
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

    private String promtool(Path in, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Programs.need("promtool")));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(in.toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + ": " + said;
    }

    @Tag("interop")
    @Test
    void pleasesPromtool() throws Exception {
        Path metrics = Files.writeString(dir.resolve("metrics"), scrape());
        assertThat(promtool(metrics, "check", "metrics")).isEqualTo("0: ");
        Path rules = PACKAGING.resolve("prometheus/torus-sm.rules.yml");
        assertThat(promtool(rules, "check", "rules", rules.toString()))
                .startsWith("0: ")
                .contains("SUCCESS: 27 rules found");
    }

    /** Of the first subnet no SM is master until one is; of the second both are, until one gives way; the third is well. */
    @Tag("interop")
    @Test
    void mastersAreCountedBySubnet() throws Exception {
        Path test = Files.writeString(dir.resolve("rules.test.yml"), """
                rule_files: [ "%s" ]
                tests:
                  - input_series:
                      - { series: '%s="1", instance="a"}', values: "0x4 1x9" }
                      - { series: '%s="1", instance="b"}', values: "0x14" }
                      - { series: '%s="2", instance="c"}', values: "1x14" }
                      - { series: '%s="2", instance="d"}', values: "1x4 0x9" }
                      - { series: '%s="2", subnet="other", instance="e"}', values: "1x14" }
                    promql_expr_test:
                      - expr: &firing sum by (alertname, subnet_prefix) (ALERTS{alertstate="firing"})
                        eval_time: 3m
                        exp_samples:
                          - { labels: '{alertname="TorusSmNoMaster", subnet_prefix="1"}', value: 1 }
                          - { labels: '{alertname="TorusSmTwoMasters", subnet_prefix="2"}', value: 1 }
                      - { expr: *firing, eval_time: 12m, exp_samples: [] }
                """.replace(
                        "%s=", "torussm_mastership_state{state=\"master\", subnet_prefix=")
                .formatted(PACKAGING.resolve("prometheus/torus-sm.rules.yml").toAbsolutePath()));
        assertThat(promtool(test, "test", "rules", test.toString())).startsWith("0: ");
    }

    /** Errors of a port are told of its subnet; the same port of another subnet is well. */
    @Tag("interop")
    @Test
    void portsAreJudgedBySubnetAndSpeed() throws Exception {
        Path test = Files.writeString(dir.resolve("ports.test.yml"), """
                rule_files: [ "%s" ]
                tests:
                  - interval: 1m
                    input_series:
                      - { series: 'infiniband_switch_port_link_downed_total{guid="a",port="1",subnet_prefix="1"}', values: "0+1x90" }
                      - { series: 'infiniband_switch_port_link_downed_total{guid="a",port="1",subnet_prefix="2"}', values: "7x90" }
                      - { series: 'infiniband_hca_port_local_link_integrity_errors_total{guid="h",port="1",subnet_prefix="2"}', values: "0+1x90" }
                      - { series: 'infiniband_hca_port_excessive_buffer_overrun_errors_total{guid="h",port="1",subnet_prefix="2"}', values: "0x90" }
                      - { series: 'infiniband_switch_port_symbol_error_total{guid="qdr",port="1",subnet_prefix="1"}', values: "0+1x90" }
                      - { series: 'infiniband_switch_port_symbol_error_total{guid="edr",port="1",subnet_prefix="1"}', values: "0+1x90" }
                      - { series: 'infiniband_switch_port_raw_rate_bytes_per_second{guid="qdr",port="1",subnet_prefix="1"}', values: "5e9x90" }
                      - { series: 'infiniband_switch_port_rate_bytes_per_second{guid="qdr",port="1",subnet_prefix="1"}', values: "4e9x90" }
                      - { series: 'infiniband_switch_port_raw_rate_bytes_per_second{guid="edr",port="1",subnet_prefix="1"}', values: "12.890625e9x90" }
                      - { series: 'infiniband_switch_port_rate_bytes_per_second{guid="edr",port="1",subnet_prefix="1"}', values: "12.5e9x90" }
                      - { series: 'infiniband_switch_port_transmit_wait_total{guid="qdr",port="1",subnet_prefix="1"}', values: "0+18e9x90" }
                      - { series: 'infiniband_switch_port_transmit_wait_total{guid="edr",port="1",subnet_prefix="1"}', values: "0+18e9x90" }
                    promql_expr_test:
                      - expr: sum by (alertname, subnet_prefix, guid) (ALERTS{alertstate="firing"})
                        eval_time: 80m
                        exp_samples:
                          - { labels: '{alertname="TorusSmLinkDowned", subnet_prefix="1", guid="a"}', value: 1 }
                          - { labels: '{alertname="TorusSmLinkIntegrity", subnet_prefix="2", guid="h"}', value: 1 }
                          - { labels: '{alertname="TorusSmPortCongested", subnet_prefix="1", guid="qdr"}', value: 1 }
                          - { labels: '{alertname="TorusSmSymbolErrors", subnet_prefix="1", guid="edr"}', value: 1 }
                """.formatted(
                        PACKAGING.resolve("prometheus/torus-sm.rules.yml").toAbsolutePath()));
        assertThat(promtool(test, "test", "rules", test.toString())).startsWith("0: ");
    }

    /** Each rail has its own trouble at the same time; an alert says which rail it is of, and no rail answers for another. */
    @Tag("interop")
    @Test
    void alertsSayWhichSubnetTheyAreOf() throws Exception {
        String torus = """
                      - { series: 'torussm_mastership_state{state="master",%1$s}', values: "1x30" }
                      - { series: 'torussm_subnet_up{%1$s}', values: "1x30" }
                      - { series: 'torussm_certificate_valid{%1$s}', values: "%3$sx30" }
                      - { series: 'torussm_routing_state{state="routed",%1$s}', values: "1x30" }
                      - { series: 'torussm_rings{dimension="x",state="open",%1$s}', values: "%2$sx30" }
                """;
        String expected = """
                    promql_expr_test:
                      - expr: sum by (alertname, subnet_prefix, subnet) (ALERTS{alertstate="firing"})
                        eval_time: 20m
                        exp_samples:
                """;
        String ringOfTheFirst =
                "          - { labels: '{alertname=\"TorusSmRingOpen\",subnet_prefix=\"1\"}', value: 1 }\n";
        String proofOfTheSecond =
                "          - { labels: '{alertname=\"TorusSmNotProved\",subnet_prefix=\"2\"}', value: 1 }\n";
        String samePrefix =
                "          - { labels: '{alertname=\"TorusSmNotProved\",subnet_prefix=\"1\",subnet=\"b\"}', value: 1 }\n";
        String first = torus.formatted("subnet_prefix=\"1\",instance=\"sm1:9335\"", 2, 1);
        String second = torus.formatted("subnet_prefix=\"2\",instance=\"sm1:9336\"", 0, 0);
        String named = torus.formatted("subnet_prefix=\"1\",subnet=\"b\",instance=\"sm1:9336\"", 0, 0);
        Path rules = PACKAGING.resolve("prometheus/torus-sm.rules.yml").toAbsolutePath();
        String one = "  - interval: 1m\n    input_series:\n";
        Path test = Files.writeString(
                dir.resolve("rules.test.yml"),
                "rule_files: [ \"" + rules + "\" ]\ntests:\n"
                        + one + first + expected + ringOfTheFirst
                        + one + first + second + expected + ringOfTheFirst + proofOfTheSecond
                        + one + first + named + expected + ringOfTheFirst + samePrefix);
        assertThat(promtool(test, "test", "rules", test.toString())).startsWith("0: ");
    }

    /** What is summed up is summed up for each subnet. */
    @Test
    void rulesKeepTheLabelsOfTheSubnet() throws IOException {
        assertThat(Files.readString(PACKAGING.resolve("prometheus/torus-sm.rules.yml"))
                        .lines()
                        .filter(line -> line.contains(" by (")))
                .hasSizeGreaterThan(5)
                .allMatch(line -> line.contains("by (subnet_prefix, subnet"));
    }

    /** SL 0 was safe until a cable was lost; SL 1 never was. */
    @Tag("interop")
    @Test
    void anSlThatWasSafeAndIsNotIsToldOf() throws Exception {
        Path test = Files.writeString(dir.resolve("rules.test.yml"), """
                rule_files: [ "%s" ]
                tests:
                  - interval: 1m
                    input_series:
                      - { series: 'torussm_sl_safe_beside_path_records{sl="0"}', values: "%s" }
                      - { series: 'torussm_sl_safe_beside_path_records{sl="1"}', values: "%s" }
                    promql_expr_test:
                      - expr: &firing sum by (sl) (ALERTS{alertname="TorusSmSlUnsafe", alertstate="firing"})
                        eval_time: 8m
                        exp_samples: []
                      - expr: *firing
                        eval_time: 20m
                        exp_samples:
                          - { labels: '{sl="0"}', value: 1 }
                      - { expr: *firing, eval_time: 1500m, exp_samples: [] }
                """.formatted(
                        PACKAGING.resolve("prometheus/torus-sm.rules.yml").toAbsolutePath(),
                        "1 ".repeat(10) + "0 ".repeat(2_000),
                        "0 ".repeat(2_010)));
        assertThat(promtool(test, "test", "rules", test.toString())).startsWith("0: ");
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

    /** One cable is lost for longer than the alert waits, and comes back. */
    @Tag("interop")
    @Test
    void aFabricThatDiffersFromTheAcceptedOneIsToldOf() throws Exception {
        Path test = Files.writeString(dir.resolve("rules.test.yml"), """
                rule_files: [ "%s" ]
                tests:
                  - interval: 1m
                    input_series:
                      - series: 'torussm_inventory_differences{kind="missing_cable", instance="a"}'
                        values: "%s"
                    promql_expr_test:
                      - expr: &firing sum by (instance) (ALERTS{alertname="TorusSmInventoryDiffers", alertstate="firing"})
                        eval_time: 12m
                        exp_samples: []
                      - expr: *firing
                        eval_time: 25m
                        exp_samples:
                          - { labels: '{instance="a"}', value: 1 }
                      - { expr: *firing, eval_time: 40m, exp_samples: [] }
                """.formatted(
                        PACKAGING.resolve("prometheus/torus-sm.rules.yml").toAbsolutePath(),
                        "0 ".repeat(5) + "1 ".repeat(25) + "0 ".repeat(20)));
        assertThat(promtool(test, "test", "rules", test.toString())).startsWith("0: ");
    }
}
