package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.console.server.ConsoleServer;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.transport.MadTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The output of {@code --json} is typed, and matches docs/operator/console-schema.json. Each request of a list is sent
 * to the console of an SM on an embedded torus that has lost a cable. The class is the environment of this SM.
 */
@Timeout(120)
class ConsoleSchemaTest implements SubnetManager.Environment {
    private static final Path SCHEMA = Path.of("../docs/operator/console-schema.json");
    private static final String FACTS = "io.torussm.daemon.console.answer.Facts";
    private static final String TORUS = "torus:4x4x1,hosts=2";
    private static final int SILENCE_MS = 60_000;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** The record of each response, by request. Later requests depend on the effects of earlier ones. */
    private static final Map<String, String> ANSWERS = answers();

    /** Commands without a request that applies here. */
    private static final Set<String> LEFT_OUT = Set.of("quit", "watch");

    /** Places of texts that may look like numbers: names that people gave, and fields of journald. */
    private static final Set<String> FREE_TEXTS = Set.of(".fields", ".rack", ".row", ".unit", ".cable", ".trap");

    /** A cable from switch (1,1,0) of the torus, which is lost before the requests. */
    private static final long SWITCH_1_1_0 = 0x200050;

    private static final int PLUS_X = 1;

    @TempDir
    Path dir;

    private @Nullable SimFabric fabric;
    private @Nullable NettyLoop loop;
    private Path socket = Path.of("");

    @Override
    public MadTransport port(SmOptions options, NettyLoop simulation) {
        SimFabric made = new SimFabric(TorusSpec.parse(TORUS).topology(), simulation, FaultPlan.NONE);
        fabric = made;
        loop = simulation;
        return made.attach("host-0-0-0-0", 1);
    }

    @Override
    public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop unused) {
        throw new AssertionError("there is no replication here");
    }

    /** The file contains the type of the response to each request, and its content. */
    @Test
    void theSchemaDescribesTheResponseToEachRequest() throws Exception {
        ObjectNode document = MAPPER.createObjectNode();
        document.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        document.put("title", "Answers of torus-smctl --json");
        ObjectNode requests = document.putObject("requests");
        Map<String, Set<String>> byCommand = new TreeMap<>();
        ANSWERS.forEach((request, answer) -> byCommand
                .computeIfAbsent(name(request), each -> new TreeSet<>())
                .add(answer));
        byCommand.forEach((command, kinds) ->
                kinds.forEach(kind -> requests.withArray(command).addObject().put("$ref", "#/$defs/" + kind)));
        document.set("$defs", schema().definitions());
        String wanted = lines(document);
        if (Boolean.getBoolean("regenerate")) {
            Files.writeString(SCHEMA, wanted);
        }
        assertThat(Files.readString(SCHEMA))
                .as("the shape of an answer changed: programs may rely on it; if it is meant, regenerate the file")
                .isEqualTo(wanted);
    }

    @Test
    @SuppressWarnings("try") // the console is asked by its socket
    void allResponsesMatchTheSchemaAndHaveTypedNumbers() throws Exception {
        FactsSchema schema = schema();
        List<String> faults = new ArrayList<>();
        Set<String> commands = new TreeSet<>();
        try (ServiceHarness running = new ServiceHarness(dir.resolve("state"), settings(), this);
                ConsoleServer console = ConsoleServer.open(settings(dir), running.control())) {
            assertThat(running.end()).isEqualTo("up");
            SimFabric made = Objects.requireNonNull(fabric);
            Objects.requireNonNull(loop).execute(() -> made.unlink(SWITCH_1_1_0, PLUS_X));
            assertThat(running.end()).isEqualTo("up");
            awaitHistory();
            ANSWERS.forEach((request, kind) -> {
                JsonNode answer = json(request);
                faults.addAll(schema.violations(answer, kind));
                FactsSchema.numbersAsText(answer, request).stream()
                        .filter(found -> FREE_TEXTS.stream().noneMatch(found::contains))
                        .forEach(faults::add);
            });
            json("help")
                    .path("commands")
                    .forEach(each -> commands.add(each.path("name").asText()));
        }
        assertThat(faults).isEmpty();
        commands.removeAll(LEFT_OUT);
        assertThat(ANSWERS.keySet().stream().map(ConsoleSchemaTest::name).collect(Collectors.toSet()))
                .as("each command")
                .isEqualTo(commands);
    }

    private static Map<String, String> answers() {
        Map<String, String> answers = new LinkedHashMap<>();
        answers.put("status", "SmCommands.Status");
        answers.put("shadow", "Answer.Trouble");
        answers.put("priority", "SmCommands.Priority");
        answers.put("sms", "SmCommands.Sms");
        answers.put("handover", "Answer.Trouble");
        answers.put("takeover", "AdoptionCommands.Takeover");
        answers.put("release", "AdoptionCommands.Release");
        answers.put("loglevel", "SmCommands.LogLevel");
        answers.put("keys", "KeyFacts");
        answers.put("version", "SmCommands.Version");
        answers.put("sweep", "Answer.Done");
        answers.put("sweep --wait", "RoutingCommands.Swept");
        answers.put("reroute --wait", "RoutingCommands.Swept");
        answers.put("routing", "RoutingCommands.Engine");
        answers.put("routing preview", "RoutingPreview");
        answers.put("changes", "ChangeCommands.Changes");
        answers.put("changes committed", "ChangeCommands.Committed");
        answers.put("show 1", "ChangeCommands.Past");
        answers.put("show 1 lft 0,0,0", "ChangeCommands.Table");
        answers.put("diff 1", "ChangeCommands.Difference");
        answers.put("sl-map x", "Answer.Trouble");
        answers.put("certificate x", "Answer.Trouble");
        answers.put("check", "RoutingCommands.Checked");
        answers.put("health", "HealthCommand.Health");
        answers.put("health html", "HealthCommand.Page");
        answers.put("conditions", "ConditionsCommand.Conditions");
        answers.put("absent", "AbsentCommand.Absent");
        answers.put("history", "HistoryCommand.Changes");
        answers.put("history flaps", "HistoryCommand.Flaps");
        answers.put("export hosts", "ExportCommand.Hosts");
        answers.put("export health", "ExportCommand.Health");
        answers.put("export slurm", "ExportCommand.Text");
        answers.put("inventory", "InventoryCommand.Differences");
        answers.put("torus", "TorusCommand.Torus");
        answers.put("torus --draw", "TorusCommand.Torus");
        answers.put("tree", "TreeCommand.Tree");
        answers.put("tree --draw", "TreeCommand.Tree");
        answers.put("path host-0-0-0-0 host-2-1-0-1 both", "ExplainPath.Explanation");
        answers.put("path host-0-0-0-0 absent", "Answer.Trouble");
        answers.put("path 1", "Answer.Trouble");
        answers.put("port 0,0,0 1", "PortFacts");
        answers.put("port 0,0,0 0", "PortFacts");
        answers.put("port 1,1,0 1", "PortFacts");
        answers.put("node host-0-0-0-0", "FabricCommands.Node");
        answers.put("host host-0-0-0-0", "HostReport.Host");
        answers.put("switch 0,0,0", "FabricCommands.SwitchFacts");
        answers.put("switches", "FabricCommands.Switches");
        answers.put("lids", "FabricCommands.Lids");
        answers.put("names", "FabricCommands.Names");
        answers.put("bounce 3,3,0 1", "BounceCommand.Bounce");
        answers.put("drain 3,3,0 1", "DrainCommands.Preview");
        answers.put("drain 3,3,0 1 yes", "DrainCommands.Preview");
        answers.put("sweep heavy --wait", "RoutingCommands.Swept");
        answers.put("drained", "DrainCommands.AllDrained");
        answers.put("undrain 3,3,0 1", "Answer.Done");
        answers.put("partitions", "PartitionList.All");
        answers.put("partitions Default", "PartitionList.Members");
        answers.put("partitions preview", "PartitionPreviews.Preview");
        answers.put("partition add 0x20 host-0-0-0-0", "PartitionCommand.Changed");
        answers.put("mcast", "ServiceCommands.Groups");
        answers.put("mcast 0xc000", "ServiceCommands.Members");
        answers.put("sa", "ServiceCommands.SaFacts");
        answers.put("qos", "ServiceCommands.QosFacts");
        answers.put("events -n 100", "RecordCommands.Events");
        answers.put("drift", "DriftCommand.Report");
        answers.put("vports", "VPortsCommand.VPorts");
        answers.put("congestion", "CongestionCommand.Congestion");
        answers.put("congestion read", "Answer.Done");
        answers.put("vports changes", "VPortsCommand.VPortChanges");
        answers.put("vports host-0-0-0-0 -10m", "VPortsCommand.PastVPorts");
        answers.put("counters", "CounterCommands.Ports");
        answers.put("counters 0,0,0 1", "Answer.Trouble");
        answers.put("clear-counters", "Answer.Done");
        answers.put("dump", "Answer.Trouble");
        answers.put("capture", "RecordCommands.Capture");
        answers.put("record a", "RecordCommands.Recorded");
        answers.put("help", "Commands.Help");
        answers.put("help path", "Commands.HelpOfOne");
        return answers;
    }

    private static FactsSchema schema() throws ClassNotFoundException {
        FactsSchema schema = new FactsSchema();
        Set<String> names = new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.torussm.daemon.console")
                        .stream()
                        .filter(each -> each.isAssignableTo(FACTS) && each.isRecord())
                        .map(each -> each.getName())
                        .filter(name -> !name.endsWith("Answer$Later"))
                        .collect(Collectors.toCollection(TreeSet::new));
        for (String name : names) {
            schema.define(Class.forName(name));
        }
        return schema;
    }

    /** Writes a definition to each line, so that a change of one is a change of a line. */
    private static String lines(JsonNode document) {
        StringBuilder text = new StringBuilder("{\n");
        document.properties().forEach(part -> {
            text.append(" ")
                    .append(MAPPER.valueToTree(part.getKey()).toString())
                    .append(": ");
            if (part.getValue().isObject()) {
                text.append("{\n");
                part.getValue().properties().forEach(each -> text.append("  ")
                        .append(MAPPER.valueToTree(each.getKey()).toString())
                        .append(": ")
                        .append(each.getValue())
                        .append(",\n"));
                text.delete(text.length() - 2, text.length()).append("\n },\n");
            } else {
                text.append(part.getValue()).append(",\n");
            }
        });
        return text.delete(text.length() - 2, text.length()).append("\n}\n").toString();
    }

    private static String name(String request) {
        return request.split(" ", 2)[0];
    }

    private ConsoleServer.Settings settings(Path in) {
        socket = in.resolve("control.sock");
        return new ConsoleServer.Settings(socket, "", null);
    }

    private Map<Setting<?>, String> settings() throws IOException {
        Path site = Files.writeString(
                dir.resolve("site-map"), "place 0,0,0 rack=R7 row=B unit=12\ncable 0x200000/1 label=17\n");
        return Map.of(Settings.SIMULATE, TORUS, Settings.SITE_MAP, site.toString());
    }

    /**
     * Polls until the history has the states of both sweeps, which a thread adds. The time-out of the class ends it.
     */
    private void awaitHistory() {
        int states = 0;
        while (states < 2) {
            states = json("changes committed").path("changes").size();
        }
    }

    private JsonNode json(String request) {
        List<String> lines = new ArrayList<>();
        try {
            ConsoleClient.execute(socket, request + " --json", SILENCE_MS, lines::add);
            return MAPPER.readTree(String.join("\n", lines));
        } catch (IOException e) {
            throw new AssertionError(request, e);
        }
    }
}
