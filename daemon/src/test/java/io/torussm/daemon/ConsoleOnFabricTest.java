package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.proof.Assumptions;
import io.torussm.daemon.proof.CertificateFile;
import io.torussm.daemon.proof.FabricFiles;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.event.SmEvent;
import io.torussm.proof.ChannelRanks;
import io.torussm.proof.FabricProof;
import io.torussm.proof.FabricTables;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.TopologyText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console of a whole daemon, on a torus of 4 x 3 whose cable from (1,1,0) to (2,1,0) is missing. */
@Timeout(120)
class ConsoleOnFabricTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";

    @TempDir
    static Path dir;

    private static @Nullable RunningDaemon running;

    @BeforeAll
    static void start() throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>();
        settings.put(Settings.SIMULATE, topology().toString());
        settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS)));
        running = new RunningDaemon(dir, settings, SubnetManager::open);
        daemon().awaitEvent(SmEvent.SUBNET_UP.code());
    }

    /** The ranks of the SM's proof are a certificate of the dumped tables. */
    @Test
    void theCertificateOfTheTablesInForceIsAProofForThem() throws Exception {
        Path files = dir.resolve("dumps").resolve("first");
        assertThat(execute("certificate first"))
                .singleElement()
                .asString()
                .contains("and their certificate", "are in " + files);
        assertThat(refusalOf("certificate first")).contains(files + " is there already; give another name");
        ChannelRanks ranks =
                CertificateFile.read(files.resolve("torus-sm.certificate")).ranks();
        FabricTables tables = new FabricFiles(Optional.of(files), Map.of())
                .read(Assumptions.NONE)
                .tables();
        assertThat(tables.hasSwitchSls()).isTrue();
        assertThat(ranks.coversSwitches() && ranks.coversGroups()).isTrue();
        assertThat(FabricProof.check(tables, ranks)).isEmpty();
        List<ChannelRanks.Channel> backwards = ranks.channels().stream()
                .map(each -> new ChannelRanks.Channel(each.switchGuid(), each.port(), each.vl(), 1000 - each.rank()))
                .toList();
        assertThat(FabricProof.check(tables, new ChannelRanks(true, true, backwards)))
                .isNotEmpty();
    }

    @AfterAll
    static void stop() {
        daemon().close();
    }

    @Test
    void describesTheTorus() throws IOException {
        JsonNode torus = json("torus");
        assertThat(torus.path("switches").asInt()).isEqualTo(12);
        assertThat(torus.path("openRings")).hasSize(1);
        assertThat(torus.path("openRings").get(0).path("name").asText()).isEqualTo("(*,1,0)");
        assertThat(execute("torus"))
                .contains("cut rings: none", "open rings: 1", "thinned rings: none", "missing switches: none")
                .anyMatch(line -> line.startsWith("  (*,1,0) no cable from (1,1,0)"))
                .anyMatch(line -> line.startsWith("multicast tree: root ("))
                .anyMatch(line -> line.matches("seed 0 of \\d+, .*torus-2QoS.conf:\\d+"));
        assertThat(execute("torus --draw")).anyMatch(line -> line.matches("  1   -[oR]---[oR] x [oR]---[oR]-"));
    }

    @Test
    void reportsLostCables() throws IOException {
        assertThat(execute("history")).containsExactly("nothing is known");
        assertThat(execute("history flaps 5")).containsExactly("no cable went down");
        assertThat(json("history sw-1-1-0").path("changes")).isEmpty();
    }

    @Test
    void previewsADrain() throws IOException {
        assertThat(execute("drain 1,2,0 1"))
                .contains("nothing was done; append yes to drain it")
                .anyMatch(line -> line.startsWith("without it: "))
                .anyMatch(line -> line.startsWith("proof: free of credit loops"));
        assertThat(json("drain 1,2,0 1").path("isRequested").asBoolean()).isFalse();
        assertThat(refusalOf("drain 0,1,0 2 yes"))
                .contains("nothing was done: no engine would route the rest as it is");
        assertThat(refusalOf("drain host-1-1-0-0 yes")).contains("only switches and cables");
        assertThat(refusalOf("drain 0,0,0 yes")).contains("the SM itself");
        assertThat(refusalOf("drain 1,2,0 77")).contains("no cable to another switch");
        assertThat(refusalOf("drain 1,2,0 x")).contains("PORT is a number");
        assertThat(refusalOf("undrain 1,2,0 1")).contains("that is not drained");
        assertThat(execute("drain 2,1,0")).contains("its 1 host has no network then: host-2-1-0-0");
        assertThat(execute("drained")).containsExactly("nothing is drained");
    }

    @Test
    void readsBackTheTablesOfASwitch() throws Exception {
        assertThat(execute("drift")).contains("all devices that were read have the programmed tables");
        long before = json("drift").path("reads").asLong();
        assertThat(execute("drift 1,2,0").get(0)).contains("sw-1-2-0", "is read next");
        for (long reads = before;
                reads < before + 50;
                reads = json("drift").path("reads").asLong()) {
            assertThat(refusalOf("drift absent")).contains("absent");
        }
        assertThat(json("drift").path("differences").asLong()).isZero();
        assertThat(refusalOf("drift 1,2,0 x")).isNotEmpty();
    }

    @Test
    void addsMembersToPartitionsAtRunTime() throws IOException {
        assertThat(execute("partition add 0x10 host-1-0-0-0 name=jobs ipoib"))
                .contains("nothing was done; append yes to do it")
                .anyMatch(line -> line.matches("0x[0-9a-f]{16} +0x8010 +- +host-1-0-0-0"));
        assertThat(refusalOf("partitions jobs")).contains("there is no partition");
        JsonNode added = json("partition add 0x10 host-1-0-0-0 0x77 name=jobs ipoib yes");
        assertThat(added.path("outcome").asText()).isEqualTo("DONE");
        assertThat(added.path("changed").asInt()).isEqualTo(1);
        assertThat(added.path("text").asText()).contains("1 not in the fabric");
        assertThat(execute("partitions")).anyMatch(line -> line.matches("0x0010 +1 +0 +2 +2048 bytes, 10 Gb/s +jobs"));
        assertThat(execute("partitions jobs"))
                .anyMatch(line -> line.matches("0x8010 +1 +\\d+ +0x[0-9a-f]{16} +run time +host-1-0-0-0"))
                .anyMatch(line -> line.matches("0x8010 +- +- +0x0000000000000077 +run time +not in the fabric"));
        JsonNode absent = json("partitions 0x10").path("members").get(1);
        assertThat(absent.path("index").isNull()).isTrue();
        assertThat(execute("partition remove jobs 0x77 yes")).contains("no port in the fabric changes");
        assertThat(execute("partition delete jobs yes"))
                .anyMatch(line -> line.matches("0x[0-9a-f]{16} +- +0x8010 +host-1-0-0-0"));
        assertThat(refusalOf("partition delete 0x10 yes")).contains("there is no partition 0x0010");
        assertThat(refusalOf("partition add jobs host-1-0-0-0")).contains("there is no partition \"jobs\"");
        assertThat(refusalOf("partition add 0x10 absent")).contains("no end port has the name");
        assertThat(refusalOf("partition remove 0x10")).contains("usage: partition add|remove|delete");
        assertThat(refusalOf("partition delete Default")).contains("(no partitions.conf)");
    }

    @Test
    void tellsSchedulersOfPlaces() throws IOException {
        assertThat(json("export hosts").at("/placement/hosts")).hasSize(12);
        assertThat(execute("export hosts"))
                .anyMatch(line -> line.matches("host-2-1-0-0 .* \\(2,1,0\\) +sw-2-1-0 +\\d"));
        assertThat(execute("export slurm")).contains("        dims: {x: 4, y: 3, z: 1}");
        assertThat(execute("export labels"))
                .contains("kubectl label --overwrite node host-2-1-0-0 torussm/switch=0x0000000000200070 torussm/x=2"
                        + " torussm/y=1 torussm/z=0");
    }

    @Test
    void showsAHostWithItsPortsServicesAndFaults() throws IOException {
        assertThat(execute("host host-2-1-0-0"))
                .anyMatch(line -> line.matches("host-2-1-0-0, node GUID 0x[0-9a-f]{16}: good"))
                .anyMatch(line -> line.matches("port 1: ACTIVE, .*, cabled to sw-2-1-0 port \\d+ \\(2,1,0\\)"))
                .anyMatch(line -> line.matches("  P_Keys 0x[0-9a-f]{4}.*; groups .*"))
                .anyMatch(line -> line.matches("  to the SM: SL \\d, arrives at .*"))
                .contains("  errors not read (perfmgr = true), cable failures within a day 0");
        assertThat(refusalOf("host sw-2-1-0")).contains("sw-2-1-0 is a switch");
        assertThat(refusalOf("host nosuch")).contains("no end port has the name");
        JsonNode health = json("export health").path("hosts");
        assertThat(health)
                .hasSize(12)
                .allMatch(host -> host.path("status").asText().equals("True"));
    }

    @Test
    void reportsTheHealth() throws IOException {
        JsonNode health = json("health");
        assertThat(health.path("verdict").asText()).isEqualTo("WARNING");
        assertThat(health.at("/checks/0/verdict").asText()).isEqualTo("WARNING");
        assertThat(execute("health"))
                .anyMatch(line -> line.matches("warning +rings +6 whole, 0 thinned, 1 open, 0 cut"))
                .anyMatch(line -> line.matches("warning +subnet managers +MASTER, no standby SM is ready to take over"))
                .anyMatch(line -> line.matches("good +link speed .*"));
        assertThat(execute("health html")).startsWith("<!DOCTYPE html>").endsWith("</table></html>");
    }

    @Test
    void reportsRoutesAndProvesThemAgain() throws IOException {
        JsonNode routing = json("routing");
        assertThat(routing.path("inForce").asText()).isEqualTo("torus-2QoS");
        JsonNode certificate = routing.path("lastRouting").path("certificate");
        JsonNode again = json("check").path("certificate");
        assertThat(again.path("channels").asInt()).isPositive();
        assertThat(again).isEqualTo(certificate);
        assertThat(execute("routing"))
                .anyMatch(line -> line.startsWith(
                        "certificate: " + certificate.path("channels").asInt() + " channels, "));
    }

    @Test
    void tellsWhatSweepsChanged() throws IOException {
        JsonNode changes = json("changes");
        assertThat(changes.path("slChanges").asLong()).isZero();
        assertThat(changes.path("sweeps").get(0).path("outcome").asText()).isEqualTo("up");
        assertThat(execute("changes")).last().isEqualTo("SL changes: 0");
    }

    @Test
    void reportsServices() throws IOException {
        assertThat(json("sa").path("stats").path("requests").isNumber()).isTrue();
        assertThat(execute("sa")).first().asString().startsWith("requests ");
        JsonNode qos = json("qos");
        assertThat(qos.path("isOn").asBoolean()).isTrue();
        assertThat(execute("qos"))
                .anyMatch(line -> line.startsWith("switch fabric link")
                        && line.contains(
                                qos.path("arbitration").get(3).path("low").asText()));
        int groups = json("mcast").path("groups").size();
        assertThat(execute("mcast")).hasSize(groups + 1);
        if (groups > 0) {
            String mlid = json("mcast").path("groups").get(0).path("mlid").asText();
            assertThat(execute("mcast " + mlid)).first().asString().startsWith(mlid);
        }
        JsonNode sms = json("sms");
        assertThat(sms.path("sms")).hasSize(1);
        assertThat(sms.path("master")).isEqualTo(sms.path("sms").get(0).path("portGuid"));
    }

    @Test
    void writesDumpsAndCaptures() throws IOException {
        execute("dump");
        assertThat(dir.resolve("dumps/opensm-torus.dump")).exists();
        assertThat(execute("capture sweep.pcap 60")).first().asString().startsWith("capturing to ");
        execute("sweep light");
        JsonNode capture = json("capture stop").path("capture");
        assertThat(capture.path("file").asText()).endsWith("sweep.pcap");
        assertThat(dir.resolve("dumps/sweep.pcap")).exists();
    }

    @Test
    void changesItsPriority() throws Exception {
        execute("priority 7");
        daemon().awaitEvent("becomes 7");
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
        assertThat(execute(bounce)).last().asString().startsWith("nothing was done");
        int before = json("changes 32").path("sweeps").size();
        assertThat(execute(bounce + " yes")).last().isEqualTo("bounce requested");
        daemon().awaitEvent(SmEvent.PORT_BOUNCED.code());
        for (int i = 0; i < 300 && json("changes 32").path("sweeps").size() == before; i++) {
            Thread.onSpinWait();
        }
        assertThat(json("changes 32").path("sweeps").size()).isGreaterThan(before);
    }

    private static RunningDaemon daemon() {
        return Objects.requireNonNull(running);
    }

    /** Writes the topology without the cable, at both of its ends, and returns the file. */
    private static Path topology() throws IOException {
        StringWriter text = new StringWriter();
        TopologyText.write(TorusSpec.parse(TORUS).topology(), text);
        String cut = Arrays.stream(text.toString().split("\n\n"))
                .map(block -> block.contains("switchguid=0x200040")
                        ? withoutLinksTo(block, "S-0000000000200070")
                        : block.contains("switchguid=0x200070") ? withoutLinksTo(block, "S-0000000000200040") : block)
                .collect(Collectors.joining("\n\n"));
        return Files.writeString(dir.resolve("cut.topo"), cut + "\n");
    }

    private static String withoutLinksTo(String block, String neighbour) {
        return block.lines()
                .filter(line -> !(line.startsWith("[") && line.contains(neighbour)))
                .collect(Collectors.joining("\n"));
    }

    private List<String> execute(String request) throws IOException {
        return daemon().execute(request);
    }

    private JsonNode json(String request) throws IOException {
        return new ObjectMapper().readTree(String.join("\n", execute(request + " --json")));
    }

    private String refusalOf(String request) throws IOException {
        List<String> lines = new ArrayList<>();
        assertThat(daemon().execute(request, lines)).as(request).isFalse();
        return String.join("\n", lines);
    }

    private boolean isHarmless(String bounce) {
        List<String> lines = new ArrayList<>();
        try {
            return daemon().execute(bounce, lines)
                    && lines.stream().anyMatch(line -> line.startsWith("without the link: "));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
