package io.torussm.routing.ftree;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.RecordedCases;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.balance.GuidFile;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import java.io.IOException;
import java.net.URL;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Order of compute nodes, refusals, files and reverse hops of ftree, on fabrics that OpenSM 3.3.23 routed. A fabric has
 * the name of its case in {@link RecordedCases}.
 */
class FatTreeEngineTest {
    private static RoutingResult route(String name, Map<String, String> values, Map<String, String> texts) {
        RecordedCases.Case recorded =
                Objects.requireNonNull(RecordedCases.of(FatTreeEngine.NAME).get(name));
        Map<String, String> all = new HashMap<>(recorded.values());
        all.putAll(values);
        Map<String, EngineFile> files = new HashMap<>(recorded.files());
        texts.forEach((key, text) -> files.put(key, EngineFile.read(key, text)));
        return new FatTreeEngine()
                .route(new EngineContext(
                        recorded.states().get(0).subnet(),
                        TestRouting.QOS,
                        new EngineConfig(all, files, "", Sl2VlTables.DEFAULT, 1),
                        null));
    }

    static Stream<String> computeOrders() throws IOException {
        URL recorded = Objects.requireNonNull(FatTreeEngineTest.class.getResource("/engines/ftree-ca-order.txt"));
        return new String(recorded.openStream().readAllBytes(), US_ASCII).lines();
    }

    /** {@code case NAME LID..}: what OpenSM 3.3.23 dumped, 0 for DUMMY. */
    @ParameterizedTest
    @MethodSource("computeOrders")
    void computeNodesAreInTheOrderOfTheReference(String line) {
        String[] words = line.split(" ", 3);
        Plan plan = (Plan) route(words[1], Map.of(), Map.of());
        assertThat(Arrays.stream(plan.explainer().computeOrder())
                        .flatMapToInt(Arrays::stream)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(" ")))
                .isEqualTo(words[2]);
    }

    @ParameterizedTest
    @CsvSource({
        "uneven, of the same rank has 6",
        "spine_auto, list the compute nodes alone in cn_guid_file",
        "torus, no switch is above others"
    })
    void refusesWithTheReason(String name, String reason) {
        assertThat(((Refusal) route(name, Map.of(), Map.of())).reason()).contains(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"root_guid_file", "cn_guid_file", "io_guid_file"})
    void refusesFilesThatNameNobody(String key) {
        assertThat(((Refusal) route("k4n2", Map.of(), Map.of(key, "# no entry\n"))).reason())
                .contains(key);
        assertThat(((Refusal) route("k4n2", Map.of(), Map.of(key, "spine\n"))).reason())
                .contains("is no GUID");
    }

    @Test
    void namesTheLinesOfRootsThatAreNotThere() {
        assertThat(((Refusal) route("k4n2", Map.of(), Map.of("root_guid_file", "0x77\n"))).findings())
                .extracting(Finding::event)
                .containsOnly(SmEvent.ROUTING_ERROR);
        Plan plan = (Plan)
                route("k4n2", Map.of(), Map.of("root_guid_file", "0x200040\n0x200050\n0x200060\n0x200070\n0x77\n"));
        assertThat(plan.findings()).extracting(Finding::event).containsExactly(SmEvent.ROUTING_WARNING);
    }

    @Test
    void theGuidOfAHostNamesItsSwitchAsARoot() {
        Fabric fabric = Objects.requireNonNull(
                        RecordedCases.of(FatTreeEngine.NAME).get("k4n2"))
                .states()
                .get(0)
                .subnet()
                .fabric();
        int host = fabric.switchCount();
        int leaf = fabric.switchOf(fabric.port(host, 1));
        List<RoutingResult> results = Stream.of(host, leaf)
                .map(node -> "0x" + Long.toHexString(fabric.nodeGuid(node)))
                .map(roots -> route("k4n2", Map.of(), Map.of("root_guid_file", roots)))
                .toList();
        assertThat(((Refusal) results.get(0)).findings()).isEqualTo(((Refusal) results.get(1)).findings());
    }

    /** In these fabrics, the tables of OpenSM close a credit loop. */
    @ParameterizedTest
    @ValueSource(strings = {"spine_io1", "spine3_io4", "mid_io"})
    void turnsAtOneSwitchWhereReverseHopsCloseALoop(String name) {
        Plan plan = (Plan) route(name, Map.of(), Map.of());
        assertThat(plan.findings()).extracting(Finding::event).containsExactly(SmEvent.ROUTING_NOTE);
        assertThat(new DeadlockChecker(1).prove(plan, TestRouting.QOS).verdict())
                .isInstanceOf(Certificate.class);
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        int[] hosts = new HostPorts(subnet, noFile(), noFile()).hostPorts();
        for (int from : hosts) {
            for (int to : hosts) {
                assertThat(plan.pathSl(subnet.lid(from), subnet.lid(to), 0))
                        .as(fabric.portName(from) + " to " + fabric.portName(to))
                        .isZero();
            }
        }
    }

    private static GuidFile noFile() {
        return new GuidFile(EngineConfig.NONE, "cn_guid_file", GuidFile.GUID_ALONE);
    }

    @Test
    void usesFewerReverseHopsWhereNothingElseIsSafe() {
        Plan plan = (Plan) route("spine3_io1", Map.of("ftree_allow_partial", "true"), Map.of());
        assertThat(plan.findings())
                .extracting(Finding::event)
                .containsExactly(SmEvent.ROUTING_WARNING, SmEvent.ROUTING_WARNING);
        assertThat(plan.findings().get(0).text())
                .contains("max_reverse_hops = 1")
                .contains("0 is used");
        assertThat(new DeadlockChecker(1).prove(plan, TestRouting.QOS).verdict())
                .isInstanceOf(Certificate.class);
    }

    /** With this limit, a search of all paths that go down and up again would not end. */
    @Test
    void boundsTheWorkForReverseHops() {
        assertThat(route("spine_io1", Map.of("max_reverse_hops", "999999999"), Map.of()))
                .isInstanceOf(Plan.class);
    }

    /** Spines have no paths to each other; the plan has no SL for their LIDs, but has SLs for LIDs of hosts. */
    @Test
    void grantsPathsThatTablesHaveOnly() {
        Plan plan = (Plan) route("spine_cn", Map.of("ftree_allow_partial", "true"), Map.of());
        Subnet subnet = plan.subnet();
        int one = subnet.lid(subnet.fabric().port(subnet.fabric().nodeByGuid(0x200040), 0));
        int other = subnet.lid(subnet.fabric().port(subnet.fabric().nodeByGuid(0x200050), 0));
        int leaf = subnet.lid(subnet.fabric().port(subnet.fabric().nodeByGuid(0x200000), 0));
        assertThat(List.of(plan.pathSl(one, other, 0), plan.pathSl(one, leaf, 0), plan.pathSl(leaf, one, 0)))
                .containsExactly(-1, 0, 0);
    }
}
