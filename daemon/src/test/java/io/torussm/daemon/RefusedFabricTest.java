package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.console.server.ConsoleServer;
import io.torussm.daemon.control.Condition;
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
import io.torussm.sim.shape.TorusSpec;
import io.torussm.transport.MadTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A torus of 6 x 5 a ring of which is cut in two while nothing may follow the engine: every reader says so. */
@Timeout(120)
class RefusedFabricTest implements SubnetManager.Environment {
    private static final String TORUS = "torus:6x5x1,hosts=1";
    private static final int SILENCE_MS = 60_000;

    /** The switch at (1,1,0), whose port 1 leads to (2,1,0). */
    private static final long FIRST = 0x200060;

    /** The switch at (4,1,0), whose port 1 leads to (5,1,0): the same ring. */
    private static final long SECOND = 0x200150;

    /** host-2-1-0-0, at port 7 of (2,1,0). */
    private static final long HOST = 0x1_0000_0b00L;

    /** host-2-2-0-0, on a ring that stays whole. */
    private static final long SERVED = 0x1_0000_0c00L;

    @TempDir
    Path dir;

    private @Nullable SimFabric fabric;
    private @Nullable NettyLoop loop;
    private @Nullable ServiceHarness sm;
    private @Nullable ConsoleServer console;
    private @Nullable HttpServer server;
    private Path socket = Path.of("");
    private String torus = TORUS;
    private String engine = "torus-2QoS,no_fallback";
    private boolean isCutAtTheStart;
    private boolean isHostAwayAtTheStart;

    @Override
    public MadTransport port(SmOptions options, NettyLoop simulation) {
        SimFabric made = new SimFabric(TorusSpec.parse(torus).topology(), simulation, FaultPlan.NONE);
        fabric = made;
        loop = simulation;
        if (isCutAtTheStart) {
            simulation.execute(() -> made.unlink(FIRST, 1));
            simulation.execute(() -> made.unlink(SECOND, 1));
        }
        if (isHostAwayAtTheStart) {
            simulation.execute(() -> made.unlink(HOST, 1));
        }
        return made.attach("host-0-0-0-0", 1);
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
        if (console != null) {
            console.close();
        }
        if (sm != null) {
            sm.close();
        }
    }

    @Test
    void everyReaderSaysThatRoutingIsRefused() throws Exception {
        ServiceHarness running = start();
        assertThat(running.end()).isEqualTo("up");
        cutRingTwice(running);

        ConsoleResponse status = execute("status");
        assertThat(status.lines().get(0)).startsWith("state: REFUSED since ").contains("(1,1,0)", "(4,1,0)");
        JsonNode state = json("status").path("status").path("routing");
        assertThat(state.path("state").asText()).isEqualTo("REFUSED");
        assertThat(state.path("reason").asText()).contains("(4,1,0)");
        assertThat(state.path("since").asText()).isNotEmpty();
        assertThat(json("status")
                        .path("status")
                        .path("found")
                        .path("size")
                        .path("links")
                        .asInt())
                .isEqualTo(60 + 30 - 2);

        ConsoleResponse torus = execute("torus --draw");
        assertThat(torus.lines())
                .contains("cut rings: 1", "open rings: none")
                .anyMatch(line -> line.startsWith("routing: REFUSED since "))
                .anyMatch(line -> line.matches("  1   -[oR]---[oR] x [oR]---[oR]---[oR] x [oR]-"));

        ConsoleResponse port = execute("port 1,1,0 1");
        assertThat(port.lines())
                .contains("state      DOWN")
                .anyMatch(line -> line.startsWith("led to     sw-2-1-0 port ") && line.contains("lost since "))
                .as("the active routes were made after this loss")
                .noneMatch(line -> line.startsWith("routes     "));
        assertThat(execute("port 4,1,0 1").lines())
                .anyMatch(line -> line.startsWith("led to     sw-5-1-0 port "))
                .anyMatch(line -> line.startsWith("routes     of sweep ") && line.endsWith("a dead end"));

        JsonNode inner = json("port 1,1,0 0");
        assertThat(inner.path("lanes").isNull() && inner.path("laneGbps").isNull())
                .as("port 0 has no link")
                .isTrue();
        assertThat(json("port 1,1,0 3").path("laneGbps").isNumber()).isTrue();

        ConsoleResponse path = execute("path host-3-1-0-0 host-5-1-0-0");
        assertThat(path.isGood()).isFalse();
        assertThat(path.all()).contains("this path is dead since ").doesNotContain("arrives at");
        assertThat(json("path host-3-1-0-0 host-5-1-0-0").path("isGood").asBoolean(true))
                .isFalse();
        assertThat(execute("path host-0-0-0-0 host-0-3-0-0").isGood()).isTrue();

        ConsoleResponse check = execute("check");
        assertThat(check.isGood()).isFalse();
        assertThat(check.all())
                .contains("routing is REFUSED since", "cross 1 cable ", "active routes of torus-2QoS: proved again");

        HttpResponse<String> ready = get("/readyz");
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.body()).contains("routing refused");
        JsonNode api = new ObjectMapper().readTree(get("/api/status").body());
        assertThat(api.path("routing").path("state").asText()).isEqualTo("REFUSED");
        assertThat(api.path("conditions").toString()).contains("TSM-5004");
        JsonNode drawn = new ObjectMapper().readTree(get("/api/torus").body());
        assertThat(drawn.path("lattice").path("missing")).hasSize(2);
        assertThat(drawn.path("lattice").path("missing").toString())
                .contains("sw-1-1-0", "\"port\":1", "sw-2-1-0", "sw-4-1-0", "sw-5-1-0");
        assertThat(drawn.path("lattice").path("rings").get(0).path("state").asText())
                .isEqualTo("cut");
        String metrics = get("/metrics").body();
        assertThat(hasMetric(metrics, "torussm_routing_state{state=\"refused\"}", 1))
                .isTrue();
        assertThat(hasMetric(metrics, "torussm_routing_state{state=\"routed\"}", 0))
                .isTrue();
        assertThat(hasMetric(metrics, "torussm_links", 60 + 30 - 2)).isTrue();
        assertThat(hasMetric(metrics, "torussm_missing_links", 2)).isTrue();
        assertThat(hasMetric(metrics, "torussm_rings{dimension=\"x\",state=\"cut\"}", 1))
                .isTrue();
        assertThat(metrics).contains("torussm_plan_age_seconds{");

        JsonNode conditions = json("conditions").path("conditions");
        assertThat(conditions.findValuesAsText("code")).contains("TSM-5004");
        assertThat(conditions.get(0).path("since").asText()).isNotEmpty();
        assertThat(conditions.get(0).path("cure").asText()).isNotEmpty();

        assertThat(execute("absent").lines())
                .anyMatch(line -> line.contains("sw-4-1-0\" port 1  (5,1,0) \"sw-5-1-0\" port 2"));
        Condition.logCount(Condition.all(running.control()));
        assertThat(running.log.only(SmEvent.CONDITIONS_HOLD).get(EventField.COUNT))
                .isEqualTo(Integer.toString(conditions.size()));

        onFabric(made -> made.relink(SECOND, 1));
        String end = running.end();
        while (end.startsWith("refused")) { // a trap of the second cable's other end was still to be acted on
            end = running.end();
        }
        assertThat(end).isEqualTo("up");
        assertThat(execute("status").lines().get(0)).startsWith("state: routed since ");
        assertThat(json("conditions").path("conditions").findValuesAsText("code"))
                .doesNotContain("TSM-5004");
        assertThat(execute("check").isGood()).isTrue();
    }

    /** Routing goes on as if nothing had happened, but the ring has less to give. */
    @Test
    void oneOfSeveralCablesThatIsLostIsACondition() throws Exception {
        torus = "torus:4x4x1,hosts=1,links=2";
        ServiceHarness running = start();
        assertThat(running.end()).isEqualTo("up");
        assertThat(Condition.all(running.control())).isEmpty();
        onFabric(made -> made.unlink(0x200000, 1));
        assertThat(running.end()).isEqualTo("up");
        assertThat(execute("status").lines().get(0)).startsWith("state: routed since ");
        assertThat(Condition.all(running.control())).singleElement().satisfies(held -> {
            assertThat(held.code()).isEqualTo(SmEvent.CABLE_LOST.code());
            assertThat(held.text()).contains("\"sw-0-0-0\" port 1", "\"sw-1-0-0\"");
            assertThat(held.place()).isNotEmpty();
            assertThat(held.since()).isNotNull();
        });
        onFabric(made -> made.relink(0x200000, 1));
        assertThat(running.end()).isEqualTo("up");
        assertThat(Condition.all(running.control())).isEmpty();
    }

    @Test
    void aHostThatIsLostIsAbsentAndListedAmongTheChanges() throws Exception {
        ServiceHarness running = start();
        assertThat(running.end()).isEqualTo("up");
        int lid = json("port host-2-1-0-0").path("lid").asInt();
        onFabric(made -> made.unlink(HOST, 1));
        assertThat(running.end()).isEqualTo("up");
        JsonNode host = json("absent").path("hosts").get(0);
        assertThat(host.path("name").asText()).isEqualTo("host-2-1-0-0");
        assertThat(host.path("lid").asInt()).isEqualTo(lid);
        assertThat(host.path("cabledTo").asText()).isEqualTo("(2,1,0) \"sw-2-1-0\" port 7");
        assertThat(host.path("lastSeen").asText()).isNotEmpty();
        ConsoleResponse port = execute("port host-2-1-0-0");
        assertThat(port.isGood()).isFalse();
        assertThat(port.all()).contains("is absent, last seen ", "\"sw-2-1-0\" port 7");
        assertThat(execute("port 2,1,0 7").lines()).anyMatch(line -> line.startsWith("led to     host-2-1-0-0 port 1"));
        assertThat(execute("changes").lines())
                .anyMatch(line -> line.contains("host-2-1-0-0") && line.contains("is gone"));
        assertThat(execute("status").lines())
                .contains("absent: 1 cable, 1 host")
                .anyMatch(line -> line.startsWith("last change: ") && line.contains("host-2-1-0-0"));
        onFabric(made -> made.relink(HOST, 1));
        assertThat(running.end()).isEqualTo("up");
        assertThat(execute("absent").lines()).containsExactly("nothing is absent that was there before");
        assertThat(json("port host-2-1-0-0").path("lid").asInt()).isEqualTo(lid);
    }

    @Test
    void aHostThatComesBackWhileRoutingIsRefusedIsShownActive() throws Exception {
        ServiceHarness running = start();
        assertThat(running.end()).isEqualTo("up");
        cutRingTwice(running);
        onFabric(made -> made.unlink(SERVED, 1));
        assertThat(running.end()).startsWith("refused");
        onFabric(made -> made.relink(SERVED, 1));
        assertThat(running.end()).startsWith("refused");
        assertThat(execute("port host-2-2-0-0").lines()).contains("state      ACTIVE");
        assertThat(execute("port 2,2,0 7").lines()).contains("state      ACTIVE");
    }

    @Test
    void aHostThatIsAbsentHasItsNameAlsoAfterARestart() throws Exception {
        assertThat(start().end()).isEqualTo("up");
        stop();
        isHostAwayAtTheStart = true;
        assertThat(start().end()).isEqualTo("up");
        JsonNode host = json("absent").path("hosts").get(0);
        assertThat(host.path("name").asText()).isEqualTo("host-2-1-0-0");
        assertThat(host.path("cabledTo").asText()).isEqualTo("(2,1,0) \"sw-2-1-0\" port 7");
        assertThat(execute("port 2,1,0 7").lines()).anyMatch(line -> line.startsWith("led to     host-2-1-0-0 port 1"));
        assertThat(execute("port host-2-1-0-0").all()).contains("is absent", "\"sw-2-1-0\" port 7");
    }

    @Test
    void aBrokenTorusCanBeExaminedBeforeTheFirstSubnetIsUp() throws Exception {
        isCutAtTheStart = true;
        ServiceHarness running = start();
        assertThat(running.end()).startsWith("refused");
        assertThat(execute("status").lines().get(0)).startsWith("state: REFUSED since ");
        assertThat(json("switches").path("switches")).hasSize(30);
        assertThat(json("switches").path("switches").get(0).path("place").asText())
                .startsWith("(");
        assertThat(execute("port 1,1,0 1").lines()).contains("state      DOWN");
        assertThat(execute("torus").lines()).contains("cut rings: 1");
        assertThat(execute("node host-0-1-0-0").isGood()).isTrue();
        assertThat(json("lids").path("lids")).hasSize(60);
        ConsoleResponse path = execute("path host-0-0-0-0 host-0-3-0-0");
        assertThat(path.isGood()).isFalse();
        assertThat(path.all()).contains("no subnet is up").contains("REFUSED");
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(get("/readyz").body()).contains("routing refused");
        assertThat(new ObjectMapper()
                        .readTree(get("/api/torus").body())
                        .path("lattice")
                        .path("missing"))
                .hasSize(2);
        String metrics = get("/metrics").body();
        assertThat(hasMetric(metrics, "torussm_subnet_up", 0)).isTrue();
        assertThat(hasMetric(metrics, "torussm_switches", 30)).isTrue();
    }

    /** The other half keeps all its paths: no engine is asked, or its routes stay in force. */
    @ParameterizedTest
    @ValueSource(strings = {"torus-2QoS,no_fallback", "torus-2QoS", "updn", "nue", "dfsssp"})
    void halfOfATorusThatGoesLeavesTheOtherReadable(String engines) throws Exception {
        engine = engines;
        ServiceHarness running = start();
        assertThat(running.end()).isEqualTo("up");
        onFabric(made -> forEachCutCable(made::unlink));
        for (int sweeps = 0; get("/api/v1/hosts?limit=100").body().contains("host-4-1-0-0"); sweeps++) {
            assertThat(sweeps).isLessThan(10);
            running.end();
        }
        HttpResponse<String> hosts = get("/api/v1/hosts");
        assertThat(hosts.statusCode()).as(hosts.body()).isEqualTo(200);
        JsonNode items = new ObjectMapper().readTree(hosts.body()).path("items");
        assertThat(items).hasSize(15);
        for (JsonNode host : items) {
            String name = host.path("name").asText();
            assertThat(host.path("place").toString())
                    .isIn(
                            "[]",
                            "["
                                    + name.substring("host-".length(), "host-0-0-0".length())
                                            .replace('-', ',') + "]");
        }
        assertThat(execute("check").isGood()).as(execute("check").all()).isTrue();
        if (engines.startsWith("torus")) {
            JsonNode lattice =
                    new ObjectMapper().readTree(get("/api/torus").body()).path("lattice");
            assertThat(lattice.path("rings").findValuesAsText("d")).contains("0", "0", "0", "0", "0");
            assertThat(execute("torus").lines()).contains("open rings: 5");
        }
        JsonNode absent = json("absent");
        assertThat(absent.path("cables").size() + absent.path("switches").size())
                .isPositive();
        assertThat(running.log.of(SmEvent.MANY_LOST))
                .as(running.log.all().toString())
                .isNotEmpty();
        assertThat(running.log.all()).noneMatch(line -> line.event().name().endsWith("DEFECT"));
        onFabric(made -> forEachCutCable(made::relink));
        for (int sweeps = 0; !get("/api/v1/hosts").body().contains("host-4-1-0-0"); sweeps++) {
            assertThat(sweeps).isLessThan(10);
            running.end();
        }
        assertThat(running.log.all()).noneMatch(line -> line.event().name().endsWith("DEFECT"));
    }

    private ServiceHarness start() throws Exception {
        Map<Setting<?>, String> settings = Map.of(Settings.SIMULATE, torus, Settings.ROUTING_ENGINE, engine);
        ServiceHarness started = new ServiceHarness(dir.resolve("state"), settings, this);
        sm = started;
        socket = dir.resolve("control.sock");
        console = ConsoleServer.open(new ConsoleServer.Settings(socket, "", null), started.control());
        server = HttpServer.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of(), started.control());
        return started;
    }

    private void onFabric(Consumer<SimFabric> change) {
        SimFabric made = Objects.requireNonNull(fabric);
        Objects.requireNonNull(loop).execute(() -> change.accept(made));
    }

    /** Removes two cables of one ring; the sweep after the second one is refused. */
    private void cutRingTwice(ServiceHarness running) throws InterruptedException {
        onFabric(made -> made.unlink(FIRST, 1));
        assertThat(running.end()).isEqualTo("up");
        onFabric(made -> made.unlink(SECOND, 1));
        assertThat(running.end()).startsWith("refused");
    }

    /** An answer of the console, and whether it is good. */
    private record ConsoleResponse(List<String> lines, boolean isGood) {
        String all() {
            return String.join("\n", lines);
        }
    }

    private ConsoleResponse execute(String request) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean isGood = ConsoleClient.execute(socket, request, SILENCE_MS, lines::add);
        return new ConsoleResponse(lines, isGood);
    }

    private JsonNode json(String request) throws IOException {
        return new ObjectMapper().readTree(execute(request + " --json").all());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        InetSocketAddress address = Objects.requireNonNull(server).address();
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static boolean hasMetric(String metrics, String series, double value) {
        return metrics.lines()
                .map(line -> line.replaceFirst(",?subnet_prefix=\"[^\"]*\"", "").replace("{}", ""))
                .anyMatch(line -> line.startsWith(series + " ")
                        && Double.parseDouble(line.substring(series.length() + 1)) == value);
    }

    /** Applies an action to the ten cables between x = 2 and 3, and between 5 and 0. */
    private static void forEachCutCable(BiConsumer<Long, Integer> each) {
        for (int y = 0; y < 5; y++) {
            each.accept(0x200000L + 0x10L * (2 * 5 + y), 1);
            each.accept(0x200000L + 0x10L * (5 * 5 + y), 1);
        }
    }
}
