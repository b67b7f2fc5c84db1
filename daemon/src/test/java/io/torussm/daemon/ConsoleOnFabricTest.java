package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.ConsoleClient;
import io.torussm.event.SmEvent;
import io.torussm.sim.TopologyText;
import io.torussm.sim.TorusSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The console of a whole daemon, on a torus of 4 x 3 whose cable from (1,1,0) to (2,1,0) is missing. */
@Timeout(120)
class ConsoleOnFabricTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final int SILENCE_MS = 60_000;

    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.torussm");

    @TempDir
    static Path dir;

    private static Path socket = Path.of("");
    private static @Nullable Daemon daemon;
    private static CompletableFuture<ExitCode> ended = new CompletableFuture<>();

    @BeforeAll
    static void start() throws Exception {
        LOGGER.setLevel(Level.INFO);
        socket = dir.resolve("control.sock");
        Map<Setting<?>, String> settings = new TreeMap<>();
        settings.put(Settings.SIMULATE, topology().toString());
        settings.put(
                Settings.TORUS_CONFIG,
                Files.writeString(
                                dir.resolve("torus-2QoS.conf"),
                                TorusSpec.parse(TORUS).torus2QosConf())
                        .toString());
        settings.put(Settings.CONTROL_SOCKET, socket.toString());
        settings.put(Settings.DUMP_FILES_DIR, dir.resolve("dumps").toString());
        SmOptions options = ServiceHarness.options(dir.resolve("state"), settings);
        CompletableFuture<Boolean> isOpen = new CompletableFuture<>();
        Daemon started = new Daemon(
                new Daemon.Plan(options, false, List.of(), () -> options),
                (wanted, host) -> telling(SubnetManager.open(wanted, host), isOpen),
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        daemon = started;
        ended = CompletableFuture.supplyAsync(() -> {
            try {
                return started.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(isOpen.get(60, TimeUnit.SECONDS)).isTrue();
        awaitEvent(SmEvent.SUBNET_UP.code());
    }

    /** The same service; when it is started, the console is open. */
    private static SubnetManagerService telling(SubnetManagerService service, CompletableFuture<Boolean> isOpen) {
        return (SubnetManagerService) Proxy.newProxyInstance(
                ConsoleOnFabricTest.class.getClassLoader(),
                new Class<?>[] {SubnetManagerService.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("start")) {
                        isOpen.complete(true);
                    }
                    return method.invoke(service, arguments);
                });
    }

    @AfterAll
    static void stop() throws Exception {
        LOGGER.setLevel(null);
        Objects.requireNonNull(daemon).stop("the test is over");
        assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(ExitCode.OK);
    }

    /** Without the cable, at both of its ends. */
    private static Path topology() throws IOException {
        StringWriter text = new StringWriter();
        TopologyText.write(TorusSpec.parse(TORUS).topology(), text);
        String cut = Arrays.stream(text.toString().split("\n\n"))
                .map(block -> block.contains("switchguid=0x200040")
                        ? without(block, "S-0000000000200070")
                        : block.contains("switchguid=0x200070") ? without(block, "S-0000000000200040") : block)
                .collect(Collectors.joining("\n\n"));
        return Files.writeString(dir.resolve("cut.topo"), cut + "\n");
    }

    private static String without(String block, String neighbour) {
        return block.lines()
                .filter(line -> !(line.startsWith("[") && line.contains(neighbour)))
                .collect(Collectors.joining("\n"));
    }

    private static void awaitEvent(String text) throws Exception {
        try (ConsoleClient client = ConsoleClient.connect(UnixDomainSocketAddress.of(socket))) {
            List<String> seen = new ArrayList<>();
            client.ask("events 1000 --follow", SILENCE_MS, line -> {
                if (line.contains(text) && seen.isEmpty()) {
                    seen.add(line);
                    interrupt(client);
                }
            });
            assertThat(seen).hasSize(1);
        }
    }

    private static void interrupt(ConsoleClient client) {
        try {
            client.interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> ask(String request) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean isGood = ConsoleClient.ask(socket, request, SILENCE_MS, lines::add);
        assertThat(isGood).as(request + ": " + lines).isTrue();
        return lines;
    }

    private JsonNode json(String request) throws IOException {
        return new ObjectMapper().readTree(String.join("\n", ask(request + " --json")));
    }

    @Test
    void tellsOfTheTorus() throws IOException {
        JsonNode torus = json("torus");
        assertThat(torus.path("switches").asInt()).isEqualTo(12);
        assertThat(torus.path("openRings")).hasSize(1);
        assertThat(torus.path("openRings").get(0).path("name").asText()).isEqualTo("(*,1,0)");
        assertThat(ask("torus"))
                .contains("cut rings: none", "open rings: 1", "thinned rings: none", "missing switches: none")
                .anyMatch(line -> line.startsWith("  (*,1,0) no cable from (1,1,0)"))
                .anyMatch(line -> line.startsWith("multicast tree: root ("))
                .anyMatch(line -> line.matches("seed 0 of \\d+, .*torus-2QoS.conf:\\d+"));
        assertThat(ask("torus --draw")).anyMatch(line -> line.matches("  1   -[oR]---[oR] x [oR]---[oR]-"));
    }

    @Test
    void tellsOfRoutesAndProvesThemAgain() throws IOException {
        JsonNode routing = json("routing");
        assertThat(routing.path("inForce").asText()).isEqualTo("torus-2QoS");
        JsonNode certificate = routing.path("lastRouting").path("certificate");
        JsonNode again = json("check").path("certificate");
        assertThat(again.path("channels").asInt()).isPositive();
        assertThat(again).isEqualTo(certificate);
        assertThat(ask("routing"))
                .anyMatch(line -> line.startsWith(
                        "certificate: " + certificate.path("channels").asInt() + " channels, "));
    }

    @Test
    void tellsWhatSweepsChanged() throws IOException {
        JsonNode changes = json("changes");
        assertThat(changes.path("slChanges").asLong()).isZero();
        assertThat(changes.path("sweeps").get(0).path("outcome").asText()).isEqualTo("up");
        assertThat(ask("changes")).last().isEqualTo("SL changes: 0");
    }

    @Test
    void tellsOfServices() throws IOException {
        assertThat(json("sa").path("stats").path("requests").isNumber()).isTrue();
        assertThat(ask("sa")).first().asString().startsWith("requests ");
        JsonNode qos = json("qos");
        assertThat(qos.path("isOn").asBoolean()).isTrue();
        assertThat(ask("qos"))
                .anyMatch(line -> line.startsWith("switch fabric link")
                        && line.contains(
                                qos.path("arbitration").get(3).path("low").asText()));
        int groups = json("mcast").path("groups").size();
        assertThat(ask("mcast")).hasSize(groups + 1);
        if (groups > 0) {
            String mlid = json("mcast").path("groups").get(0).path("mlid").asText();
            assertThat(ask("mcast " + mlid)).first().asString().startsWith(mlid);
        }
        JsonNode sms = json("sms");
        assertThat(sms.path("sms")).hasSize(1);
        assertThat(sms.path("master")).isEqualTo(sms.path("sms").get(0).path("portGuid"));
    }

    @Test
    void writesDumpsAndCaptures() throws IOException {
        ask("dump");
        assertThat(dir.resolve("dumps/opensm-torus.dump")).exists();
        assertThat(ask("capture sweep.pcap 60")).first().asString().startsWith("capturing to ");
        ask("sweep light");
        JsonNode capture = json("capture stop").path("capture");
        assertThat(capture.path("file").asText()).endsWith("sweep.pcap");
        assertThat(dir.resolve("dumps/sweep.pcap")).exists();
    }

    @Test
    void changesItsPriority() throws Exception {
        ask("priority 7");
        awaitEvent("becomes 7");
        assertThat(json("priority").path("priority").asInt()).isEqualTo(7);
    }

    @Test
    void takesALinkDownOnlyOnAWordMore() throws Exception {
        String name = json("switches").path("switches").get(7).path("name").asText();
        String bounce = IntStream.rangeClosed(1, 6)
                .mapToObj(port -> "bounce \"" + name + "\" " + port)
                .filter(this::isHarmless)
                .findFirst()
                .orElseThrow();
        JsonNode loss = json(bounce).path("loss");
        assertThat(loss.path("changedPairs").asLong()).isPositive();
        assertThat(ask(bounce)).last().asString().startsWith("nothing was done");
        int before = json("changes 32").path("sweeps").size();
        assertThat(ask(bounce + " yes")).last().isEqualTo("bounce requested");
        awaitEvent(SmEvent.PORT_BOUNCED.code());
        for (int i = 0; i < 300 && json("changes 32").path("sweeps").size() == before; i++) {
            Thread.onSpinWait();
        }
        assertThat(json("changes 32").path("sweeps").size()).isGreaterThan(before);
    }

    private boolean isHarmless(String bounce) {
        List<String> lines = new ArrayList<>();
        try {
            boolean isGood = ConsoleClient.ask(socket, bounce, SILENCE_MS, lines::add);
            return isGood && lines.stream().anyMatch(line -> line.startsWith("without the link: "));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
