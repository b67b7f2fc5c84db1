package io.torussm.daemon.http.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.http.Reply;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.perf.CountedPorts;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * /metrics/ports, compared with the series of infiniband_exporter. The fabric is that of {@link Views#twoSwitches},
 * whose counters were read twice ({@link CountedPorts#readTwice}).
 */
class PortMetricsTest {
    private static final Pattern LINE = Pattern.compile("(\\w+)\\{(.*)} (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /**
     * Metrics of {@code infiniband_exporter} only: requests to single devices, for which it needs a process
     * each.
     */
    private static final Set<String> EXPORTER_ONLY = Set.of(
            "infiniband_switch_collect_duration_seconds",
            "infiniband_switch_collect_error",
            "infiniband_switch_collect_timeout",
            "infiniband_hca_collect_duration_seconds",
            "infiniband_hca_collect_error",
            "infiniband_hca_collect_timeout",
            "infiniband_exporter_collect_errors");

    /** Metrics of this program only. */
    private static final Set<String> TORUS_SM_ONLY = Set.of(
            "infiniband_switch_port_state",
            "infiniband_switch_port_read_age_seconds",
            "infiniband_hca_port_state",
            "infiniband_hca_port_read_age_seconds");

    private final FakeControl control = new FakeControl();
    private final PortMetrics metrics = new PortMetrics(control);

    @BeforeEach
    void read() {
        control.becomeMaster(5);
        control.view = Views.twoSwitches();
        CountedPorts.readTwice(control.counters, view().subnet().fabric());
    }

    @Test
    void seriesAndLabelsMatchTheExporter() throws IOException {
        CountedPorts.readDetails(control.counters, view().subnet().fabric());
        Map<String, Set<String>> labelsByName = new TreeMap<>();
        scrapedSeries().forEach(each -> labelsByName
                .computeIfAbsent(each.name(), any -> new TreeSet<>())
                .addAll(each.labels().keySet()));

        Set<String> expected = new HashSet<>(exporterSeries().keySet());
        expected.removeAll(EXPORTER_ONLY);
        expected.addAll(TORUS_SM_ONLY);
        assertThat(labelsByName.keySet()).containsExactlyInAnyOrderElementsOf(expected);
        exporterSeries().forEach((name, labels) -> {
            if (!EXPORTER_ONLY.contains(name)) {
                assertThat(labelsByName.get(name)).as(name).containsAll(labels).contains("subnet_prefix");
            }
        });
        assertThat(labelsByName).allSatisfy((name, labels) -> {
            if (name.contains("_port_") && !name.startsWith("infiniband_exporter")) {
                assertThat(labels).as(name).containsExactlyInAnyOrder("guid", "port", "subnet_prefix");
            }
        });
    }

    /**
     * Port 3 of each switch has sent 3,000 words of 4 bytes. Four switch ports have a link of 4x QDR, 32 Gb/s of data.
     */
    @Test
    void valuesMatchTheCounters() {
        assertThat(scrapedSeries())
                .filteredOn(each -> each.name().equals("infiniband_switch_port_transmit_data_bytes_total")
                        && "3".equals(each.labels().get("port")))
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.value()).isEqualTo("12000"));
        assertThat(scrapedSeries())
                .filteredOn(each -> each.name().equals("infiniband_switch_port_rate_bytes_per_second"))
                .hasSize(4)
                .allSatisfy(each -> assertThat(Double.parseDouble(each.value())).isEqualTo(32e9 / 8));
        assertThat(scrapedSeries())
                .filteredOn(each -> each.name().equals("infiniband_switch_port_state"))
                .extracting(Series::value)
                .containsOnly("1.0");
        assertThat(scrapedSeries())
                .filteredOn(each -> each.name().equals("infiniband_exporter_collect_timeouts"))
                .extracting(Series::value)
                .containsExactly("1.0");
    }

    @Test
    void aHostIsLabelledWithTheGuidOfItsPort() {
        Fabric fabric = view().subnet().fabric();
        int host = fabric.switchCount();
        assertThat(scrapedSeries())
                .filteredOn(each -> each.name().equals("infiniband_hca_uplink_info"))
                .first()
                .satisfies(each -> {
                    assertThat(each.labels().get("guid")).isEqualTo(Guid.format(fabric.nodeGuid(host) + 1));
                    assertThat(each.labels()).containsEntry("uplink_type", "SW").containsEntry("uplink_port", "1");
                    assertThat(each.labels()).containsEntry("uplink_lid", "1").containsEntry("hca", "host-0");
                });
    }

    @Test
    void namesRacksAndCablesAreLabels() {
        control.view = Views.named(
                view(),
                "0x200000 \"a \\\"quoted\\\" one\"",
                "node 0x200000 rack=R7\nplace 0,0,0 rack=R1\ncable 0x200000/3 label=C-17");
        assertThat(scrapedSeries())
                .filteredOn(each -> each.name().equals("infiniband_switch_uplink_info")
                        && "0x0000000000200000".equals(each.labels().get("guid"))
                        && "3".equals(each.labels().get("port")))
                .singleElement()
                .satisfies(each ->
                        assertThat(each.labels()).containsEntry("rack", "R7").containsEntry("cable", "C-17"));
    }

    @ParameterizedTest
    @CsvSource({"1,1", "x,2", "0,0", "-1,2", "12345,2", "3,''"})
    void aSliceThatIsNoNumberBelowThatOfSlicesIsRejected(String shard, String shards) {
        assertThat(metrics.scrape(shard, shards).status().code()).isEqualTo(400);
    }

    @Test
    void slicesTogetherHaveEverySeriesOnce() {
        List<Series> sliced = new ArrayList<>();
        for (int shard = 0; shard < 3; shard++) {
            sliced.addAll(series(metrics.scrape(Integer.toString(shard), "3")));
        }
        sliced.removeIf(each -> each.name().startsWith("infiniband_exporter"));
        List<Series> whole = scrapedSeries();
        whole.removeIf(each -> each.name().startsWith("infiniband_exporter"));

        assertThat(sliced).containsExactlyInAnyOrderElementsOf(whole);
    }

    @Test
    void aResponseIsMadeOnceBetweenTwoReadings() {
        Reply first = metrics.scrape("", "");
        assertThat(metrics.scrape("", "")).isSameAs(first);
        metrics.scrape("0", "2");
        assertThat(metrics.scrape("", "")).isSameAs(first);

        control.view = Views.twoSwitches();
        assertThat(metrics.scrape("", "")).isNotSameAs(first);
    }

    /** Returns a ring of 240 switches with 18 cables between neighbours: 8,640 ports. */
    private static Plan ringOfManyPorts() {
        int switches = 240;
        int cables = 18;
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < switches; sw++) {
            sketch.addSwitch("sw-" + sw, 2 * cables);
        }
        for (int sw = 0; sw < switches; sw++) {
            for (int port = 1; port <= cables; port++) {
                sketch.link(sw, port, (sw + 1) % switches, port + cables);
            }
        }
        return (Plan) new MinHopEngine().route(Subnets.of(sketch.build()), TestRouting.NO_QOS);
    }

    @Test
    void aScrapeOfTooManyPortsIsRejectedWithTheNumberOfSlices() {
        control.view = Views.view(ringOfManyPorts());
        CountedPorts.readTwice(control.counters, view().subnet().fabric());

        Reply refused = metrics.scrape("", "");
        assertThat(refused.status().code()).isEqualTo(400);
        Matcher wanted = Pattern.compile("8640 ports .*shards=(\\d+)").matcher(text(refused));
        assertThat(wanted.find()).isTrue();
        Reply slice = metrics.scrape("1", wanted.group(1));
        assertThat(slice.status().code()).isEqualTo(200);
        assertThat(slice.body().length).isBetween(500_000, 10_000_000);
    }

    @Test
    void noPortMetricExistsBeforeTheSubnetIsUp() {
        control.view = null;
        assertThat(metrics.scrape("", "").body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"prometheus/torus-sm.rules.yml", "grafana/torus-sm.json"})
    void rulesAndDashboardNameExistingSeries(String file) throws IOException {
        CountedPorts.readDetails(control.counters, view().subnet().fabric());
        Set<String> scrapedNames = scrapedSeries().stream().map(Series::name).collect(Collectors.toSet());
        Set<String> used = Pattern.compile("infiniband_\\w+")
                .matcher(Files.readString(Path.of("../packaging").resolve(file)))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
        assertThat(used).hasSizeGreaterThan(2);
        assertThat(scrapedNames).containsAll(used);
    }

    private record Series(String name, Map<String, String> labels, String value) {}

    private PublishedView view() {
        return Objects.requireNonNull(control.view);
    }

    private static String text(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static List<Series> series(Reply reply) {
        List<Series> all = new ArrayList<>();
        text(reply).lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher matcher = LINE.matcher(line);
            assertThat(matcher.matches()).as(line).isTrue();
            Map<String, String> labels = new TreeMap<>();
            Matcher label = LABEL.matcher(matcher.group(2));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
            all.add(new Series(matcher.group(1), labels, matcher.group(3)));
        });
        return all;
    }

    private List<Series> scrapedSeries() {
        return series(metrics.scrape("", ""));
    }

    private Map<String, Set<String>> exporterSeries() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(getClass().getResourceAsStream("infiniband-exporter-series.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", 2))
                    .collect(Collectors.toMap(words -> words[0], words -> Set.of(words[1].split(" ", -1))));
        }
    }
}
