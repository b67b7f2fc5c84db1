package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.console.server.ConsoleServer;
import io.torussm.daemon.health.Check;
import io.torussm.daemon.health.HealthReport;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimInterventions.CableEnd;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.MadTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A fat tree of two levels: the output of every reader about its cables. */
@Timeout(120)
class TreeOnFabricTest implements SubnetManager.Environment {
    private static final String TREE = "tree:leaves=8,spines=4,hosts=3";
    private static final int SILENCE_MS = 60_000;

    /** Uplinks are ports 4 to 7. */
    private static final long LEAF_0 = 0x200000;

    private static final long LEAF_5 = 0x200050;

    private static final long SPINE_1 = 0x200090;

    @RegisterExtension
    final LoggedEvents events = new LoggedEvents();

    @TempDir
    Path dir;

    private @Nullable SimFabric fabric;
    private @Nullable NettyLoop loop;
    private @Nullable ServiceHarness sm;
    private @Nullable ConsoleServer console;
    private Path socket = Path.of("");
    private String shape = TREE;
    private Consumer<SimFabric> beforeStart = made -> {};

    @Override
    public MadTransport port(SmOptions options, NettyLoop simulation) {
        SimFabric made = new SimFabric(TopologySpec.of(shape).topology(), simulation, FaultPlan.NONE);
        simulation.execute(() -> beforeStart.accept(made));
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
        if (console != null) {
            console.close();
        }
        if (sm != null) {
            sm.close();
        }
    }

    @Test
    void aWholeTreeIsDescribed() throws Exception {
        ServiceHarness running = start();
        assertThat(execute("status")).contains("tree: 2 levels, 8 leaves, 4 spines");
        assertThat(execute("tree"))
                .contains(
                        "tree: 2 levels, 8 leaves, 4 spines",
                        "level 0: 8 switches (leaf), 32 cables up",
                        "  8 with 3 hosts, 4 uplinks, 0.75 to 1: leaf-0 leaf-1 leaf-2 leaf-3 ..",
                        "wrong cables: none",
                        "missing uplinks: none");
        assertThat(execute("tree --draw")).contains("spine    0 1 2 3", "leaf     0 1 2 3 4 5 6 7");
        assertThat(execute("torus"))
                .containsExactly("the fabric is a fat tree, and no torus: 2 levels, 8 leaves, 4 spines; tree shows it");
        assertThat(execute("switches")).anyMatch(line -> line.contains("spine-2") && line.contains("spine 2"));
        assertThat(json("tree").path("switches")).hasSize(8);
        assertThat(check(running).verdict()).isEqualTo(Check.Verdict.GOOD);
        assertThat(miscabled()).isEmpty();
    }

    @Test
    void hopsOfAPathHavePlaces() throws Exception {
        ServiceHarness running = start();
        assertThat(places("path host-0-1 host-5-2")).hasSize(3).first().isEqualTo("leaf 0");
        assertThat(places("path host-0-1 host-5-2")).last().isEqualTo("leaf 5");
        onFabric(made -> made.unlink(SPINE_1, 2));
        assertThat(running.end()).isEqualTo("up");
        assertThat(places("path host-0-1 host-5-2"))
                .hasSize(3)
                .element(1)
                .asString()
                .startsWith("spine ");
    }

    /** Two switches with hosts: without roots all others are above them. */
    @Test
    void rootsOfTheFileAreTheSpines() throws Exception {
        shape = "tree:2,3";
        Topology topology = TopologySpec.of(shape).topology();
        beforeStart = made -> topology.nodes().stream()
                .filter(node -> !node.isSwitch() && !node.description().matches("host-[01]-.*"))
                .forEach(node -> made.unlink(node.nodeGuid(), 1));
        List<String> spines = topology.nodes().stream()
                .filter(node -> node.description().startsWith("sw-3-"))
                .map(node -> "0x" + Long.toHexString(node.nodeGuid()))
                .toList();
        Path roots = dir.resolve("roots");
        Files.writeString(roots, "# not known yet\n");
        ServiceHarness running = start(Map.of(Settings.ofKey("root_guid_file"), roots.toString()));
        assertThat(execute("tree")).doesNotContain("tree: 3 levels, 4 leaves, 4 at middle, 4 spines");
        Files.write(roots, spines);
        execute("sweep heavy");
        assertThat(running.end()).isEqualTo("up");
        assertThat(execute("tree"))
                .contains(
                        "tree: 3 levels, 4 leaves, 4 at middle, 4 spines", "level 1: 4 switches (middle), 8 cables up");
    }

    @ParameterizedTest
    @CsvSource({
        "updn, 0x200080 0x200090 0x2000a0 0x2000b0",
        "ftree, 0x200080 0x200090 0x2000a0 0x2000b0",
        "auto, 0x200080 0x200090 0x2000a0 0x2000b0",
        "'ftree,updn', 0x200000",
        "auto, 0x200000",
    })
    void anAbsentRootIsOneCondition(String engine, String others) throws Exception {
        Path roots = Files.writeString(dir.resolve("roots"), "0x77\n" + others.replace(' ', '\n') + "\n");
        ServiceHarness running =
                start(Map.of(Settings.ofKey("root_guid_file"), roots.toString(), Settings.ROUTING_ENGINE, engine));
        for (int sweep = 0; sweep < 2; sweep++) {
            assertThat(execute("conditions"))
                    .filteredOn(line -> line.contains("0x0000000000000077"))
                    .hasSize(1);
            assertThat(execute("health"))
                    .filteredOn(line -> line.contains("0x0000000000000077"))
                    .hasSize(1);
            execute("sweep heavy");
            assertThat(running.end()).isEqualTo("up");
        }
    }

    @Test
    void aMissingUplinkIsNamedWithBothEnds() throws Exception {
        ServiceHarness running = start();
        onFabric(made -> made.unlink(LEAF_5, 6));
        assertThat(running.end()).isEqualTo("up");
        assertThat(execute("status")).contains("tree: 2 levels, 8 leaves, 4 spines; 1 uplink missing");
        assertThat(check(running).findings())
                .containsExactly("leaf-5 has 3 of 4 uplinks: missing from port 6 to spine-2 port 6");
        assertThat(execute("tree"))
                .contains("  1 with 3 hosts, 3 of 4 uplinks, 1.00 to 1: leaf-5", "missing uplinks: 1");
        assertThat(execute("tree --draw")).contains("leaf     0 1 2 3 4 5- 6 7");
        assertThat(miscabled()).as("the loss has an event of its own").isEmpty();
        assertThat(execute("absent")).anyMatch(line -> line.contains("leaf 5") && line.contains("spine 2"));
    }

    @Test
    void anAbsentSwitchIsCountedAtItsLevel() throws Exception {
        ServiceHarness running = start();
        onFabric(made -> IntStream.rangeClosed(1, 8).forEach(portNum -> made.unlink(SPINE_1, portNum)));
        assertThat(running.end()).isEqualTo("up");
        assertThat(execute("status")).contains("tree: 2 levels, 8 leaves, 3 of 4 spines");
        assertThat(execute("tree")).contains("tree: 2 levels, 8 leaves, 3 of 4 spines");
    }

    @Test
    void aCableBetweenLeavesIsAConditionUntilItIsMoved() throws Exception {
        ServiceHarness running = start();
        onFabric(made -> {
            made.unlink(LEAF_0, 5);
            made.unlink(LEAF_5, 5);
            made.interventions().link(new CableEnd(LEAF_0, 5), new CableEnd(LEAF_5, 5));
        });
        assertThat(running.end()).isEqualTo("up");
        assertThat(miscabled()).singleElement().satisfies(event -> assertThat(event.get(EventField.TEXT))
                .startsWith("a cable joins ")
                .contains("\"leaf-0\" port 5 (leaf 0)", "\"leaf-5\" port 5 (leaf 5)", "it should go from", "spine-1"));
        assertThat(execute("tree --draw")).contains("leaf     0!- 1 2 3 4 5!- 6 7");
        onFabric(made -> {
            made.unlink(LEAF_0, 5);
            made.interventions().link(new CableEnd(LEAF_0, 5), new CableEnd(SPINE_1, 1));
            made.interventions().link(new CableEnd(LEAF_5, 5), new CableEnd(SPINE_1, 6));
        });
        assertThat(running.end()).isEqualTo("up");
        assertThat(miscabled()).hasSize(1);
        LoggedEvents.LoggedEvent over = events.only(SmEvent.TREE_CABLED);
        for (EventField field : List.of(EventField.GUID, EventField.PORT)) {
            assertThat(over.get(field)).isEqualTo(miscabled().get(0).get(field));
        }
        assertThat(SmEvent.TREE_MISCABLED.endCode()).isEqualTo(SmEvent.TREE_CABLED.code());
        assertThat(check(running).verdict()).isEqualTo(Check.Verdict.GOOD);
    }

    @Test
    void twoExchangedCablesAreOneConditionWithTheMend() throws Exception {
        ServiceHarness running = start();
        onFabric(made -> {
            made.unlink(LEAF_0, 5);
            made.unlink(LEAF_5, 6);
            made.interventions().link(new CableEnd(LEAF_0, 5), new CableEnd(LEAF_5, 6));
            made.interventions().link(new CableEnd(SPINE_1, 1), new CableEnd(SPINE_1 + 0x10, 6));
        });
        assertThat(running.end()).isEqualTo("up");
        assertThat(miscabled()).singleElement().satisfies(event -> assertThat(event.get(EventField.TEXT))
                .contains("it is exchanged with the cable that joins ", "move the end at "));
    }

    private ServiceHarness start() throws Exception {
        return start(Map.of());
    }

    private ServiceHarness start(Map<Setting<?>, String> more) throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>(Map.of(Settings.ROUTING_ENGINE, "updn"));
        settings.putAll(more);
        settings.put(Settings.SIMULATE, shape);
        ServiceHarness started = new ServiceHarness(dir.resolve("state"), settings, this);
        sm = started;
        socket = dir.resolve("control.sock");
        console = ConsoleServer.open(new ConsoleServer.Settings(socket, "", null), started.control());
        assertThat(started.end()).isEqualTo("up");
        return started;
    }

    private void onFabric(Consumer<SimFabric> change) {
        SimFabric made = Objects.requireNonNull(fabric);
        Objects.requireNonNull(loop).execute(() -> change.accept(made));
    }

    private List<String> execute(String request) throws IOException {
        List<String> lines = new ArrayList<>();
        ConsoleClient.execute(socket, request, SILENCE_MS, lines::add);
        return lines;
    }

    private JsonNode json(String request) throws IOException {
        return new ObjectMapper().readTree(String.join("\n", execute(request + " --json")));
    }

    private List<LoggedEvents.LoggedEvent> miscabled() {
        return events.of(SmEvent.TREE_MISCABLED);
    }

    private static Check check(ServiceHarness running) {
        return HealthReport.of(
                        running.control(),
                        Objects.requireNonNull(running.control().state().found()),
                        Instant.EPOCH)
                .checks()
                .stream()
                .filter(check -> check.name().equals("tree"))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the places of the switches of a path. */
    private List<String> places(String request) throws IOException {
        List<String> places = new ArrayList<>();
        json(request).path("hops").forEach(hop -> places.add(hop.path("place").asText()));
        return places.subList(1, places.size());
    }
}
