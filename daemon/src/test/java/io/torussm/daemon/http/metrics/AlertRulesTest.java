package io.torussm.daemon.http.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts of the packaged rules for Prometheus, which promtool evaluates for series of these tests. */
class AlertRulesTest {
    @TempDir
    Path dir;

    /**
     * The first subnet has no master at first. The second has two, until one becomes standby. The third has one.
     */
    @Tag("interop")
    @Test
    void mastersAreCountedBySubnet() throws Exception {
        assertPass("""
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
                """.replace("%s=", "torussm_mastership_state{state=\"master\", subnet_prefix="));
    }

    /** A host that is lost is reported, one that stays away is not after a day. */
    @Tag("interop")
    @Test
    void theAlertOfARetiredHostEnds() throws Exception {
        assertPass("""
                  - interval: 2m
                    input_series:
                      - { series: 'torussm_absent_hosts{subnet_prefix="1",instance="a"}', values: "1x60 2x1000" }
                    promql_expr_test:
                      - expr: &missing sum by (alertname, subnet_prefix) (ALERTS{alertstate="firing"})
                        eval_time: 1h
                        exp_samples: []
                      - expr: *missing
                        eval_time: 4h
                        exp_samples:
                          - { labels: '{alertname="TorusSmHostsMissing", subnet_prefix="1"}', value: 1 }
                      - { expr: *missing, eval_time: 30h, exp_samples: [] }
                """);
    }

    /** Errors of a port count for its subnet; the same port of another subnet is well. */
    @Tag("interop")
    @Test
    void portsAreJudgedBySubnetAndSpeed() throws Exception {
        assertPass("""
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
                """);
    }

    /**
     * Each rail has its own trouble at the same time; an alert says which rail it is of, and no rail answers for
     * another.
     */
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
        String one = "  - interval: 1m\n    input_series:\n";
        assertPass(one
                + first
                + expected
                + ringOfTheFirst
                + one
                + first
                + second
                + expected
                + ringOfTheFirst
                + proofOfTheSecond
                + one
                + first
                + named
                + expected
                + ringOfTheFirst
                + samePrefix);
    }

    /** Sums are made for each subnet. */
    @Test
    void rulesKeepTheLabelsOfTheSubnet() throws IOException {
        assertThat(Files.readString(AlertRules.RULES).lines().filter(line -> line.contains(" by (")))
                .hasSizeGreaterThan(5)
                .allMatch(line -> line.contains("by (subnet_prefix, subnet"));
    }

    /** SL 0 was safe until a cable was lost; SL 1 never was. */
    @Tag("interop")
    @Test
    void anSlThatWasSafeAndIsNotIsReported() throws Exception {
        assertPass("""
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
                """.formatted("1 ".repeat(10) + "0 ".repeat(2_000), "0 ".repeat(2_010)));
    }

    /** One cable is lost for longer than the alert waits, and comes back. */
    @Tag("interop")
    @Test
    void aFabricThatDiffersFromTheAcceptedOneIsReported() throws Exception {
        assertPass("""
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
                """.formatted("0 ".repeat(5) + "1 ".repeat(25) + "0 ".repeat(20)));
    }

    /** Checks with {@code promtool} that the rules have the expected results. */
    private void assertPass(String tests) throws IOException, InterruptedException {
        Path file = Files.writeString(
                dir.resolve("rules.test.yml"),
                "rule_files: [ \"" + AlertRules.RULES.toAbsolutePath() + "\" ]\ntests:\n" + tests);
        assertThat(AlertRules.promtool(file, "test", "rules", file.toString())).startsWith("0: ");
    }
}
