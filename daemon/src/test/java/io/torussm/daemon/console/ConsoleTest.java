package io.torussm.daemon.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.control.FakeStatistics;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.fabric.Fabric;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmHost;
import io.torussm.mastership.SmState;
import io.torussm.sweep.idle.DriftReport;
import io.torussm.view.FabricState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The commands of the console, as text and as JSON. The fabric is that of {@link Views#twoSwitches}, and figures of the
 * SM are those of {@link FakeControl}. The last line of an answer is {@code ok} or {@code error}.
 */
class ConsoleTest extends ConsoleCase {
    @Test
    void passesRequestsOn() throws IOException {
        assertThat(execute("sweep")).containsExactly("heavy sweep requested", "ok");
        assertThat(execute("sweep light")).containsExactly("light sweep requested", "ok");
        assertThat(execute("reroute")).containsExactly("reroute requested", "ok");
        assertThat(control.requests).containsExactly("heavy", "light", "reroute");
    }

    @Test
    void showsAsManyEventsAsAreWanted() throws IOException {
        for (int i = 1; i <= 30; i++) {
            control.journal.add(Instant.EPOCH, "info", "", "event " + i, Map.of());
        }
        assertThat(execute("events -n 3")).hasSize(4).first().asString().endsWith("event 28");
        assertThat(execute("events 2")).hasSize(3);
        assertThat(execute("events -n")).contains("usage: events [--follow] [-n COUNT]");
        assertThat(execute("events --follow -n")).contains("error");
        assertThat(execute("events -n 0")).contains("error");
    }

    /** A command without its last words would be another command. */
    @Test
    void aLineWithTooManyWordsIsRefused() throws IOException {
        assertThat(execute("partition add 0x5 " + "host-0 ".repeat(40) + "yes"))
                .containsExactly("a command has at most 40 words", "error");
        assertThat(control.requests).isEmpty();
    }

    @Test
    void answersFromTheView() throws IOException {
        assertThat(execute("status")).containsExactly("state: starting", "ok");
        control.becomeMaster(5);
        assertThat(execute("status"))
                .contains("SM: MASTER, priority 5; subnet managers: 2", "ok")
                .hasSizeGreaterThan(10);
        assertThat(execute("version")).containsExactly("torus-sm test", "ok");
        assertThat(execute("switches"))
                .contains("2    0x0000000000200001  (0,0,0)  sw-b")
                .hasSize(4);
        assertThat(execute("path \"host-0\" 4 8")).contains("SL   9 (level wanted: 8), routed by hand", "ok");
        assertThat(execute("help")).contains("  version                 version of the program");
    }

    @Test
    void devicesThatHoldSomethingElseAreNotCalledRouted() throws IOException {
        control.becomeMaster(5);
        Instant at = Instant.parse("2026-11-28T10:00:00Z");
        FabricState state = FabricState.of(Objects.requireNonNull(control.view), at.minusSeconds(60));
        DriftReport.Drift drift =
                new DriftReport.Drift(at, 0x20, "sw-a", "LinearForwardingTable", "LID 1", "port 7", "no path", 0);
        control.state = new DriftReport(false, 0, null, 0, 0, 9, 1, List.of(drift)).addTo(state);
        assertThat(execute("status"))
                .first()
                .asString()
                .isEqualTo("state: DRIFTED since 2026-11-28T10:00:00Z: sw-a differs from its programmed tables and"
                        + " settings: LinearForwardingTable LID 1: wanted port 7, found no path; hosts may not"
                        + " reach each other or this SM");
        assertThat(json("status --json")
                        .path("status")
                        .path("routing")
                        .path("state")
                        .asText())
                .isEqualTo("DRIFTED");
        control.state = DriftReport.NOTHING.addTo(state);
        assertThat(execute("status")).first().asString().startsWith("state: routed since ");
    }

    @Test
    void congestionShowsMarkingPortsAndThrottledHosts() throws IOException {
        control.becomeMaster(5);
        assertThat(execute("congestion"))
                .startsWith(
                        "devices: 9, with all settings: 7, failed: 1, Sets: 20",
                        "events in logs of switches: 12, of channel adapters: 3")
                .anySatisfy(line -> assertThat(line).contains("sw-0", "12", "ports 1, 3"))
                .anySatisfy(line -> assertThat(line).contains("host-0", "SLs 0"));
        assertThat(json("congestion --json").at("/congested/0/ports/1").asInt()).isEqualTo(3);
        assertThat(execute("congestion read")).contains("the logs are read; congestion shows them");
        assertThat(control.requests).contains("congestion");
        assertThat(execute("congestion write")).contains("error");
        assertThat(execute("health")).anySatisfy(line -> assertThat(line)
                .contains("warning", "congestion", "7 of 9 devices have their settings, 1 failed"));
    }

    @Test
    void virtualPortsAreListedWithTheirNode() throws IOException {
        control.becomeMaster(5);
        assertThat(execute("vports")).containsExactly("virtual ports: 2, in ACTIVE: 1, ports that have them: 1", "ok");
        assertThat(execute("vports host-0"))
                .anySatisfy(line -> assertThat(line)
                        .contains("host-0", "0x0000000000000077")
                        .endsWith("ACTIVE      pod-a eth0"))
                .anySatisfy(line -> assertThat(line).contains("0x0000000000000079", "INITIALIZE"));
        assertThat(json("vports all --json").path("list").size()).isEqualTo(2);
        assertThat(execute("vports host-1")).hasSize(2);
        assertThat(execute("vports nowhere")).contains("error");
        assertThat(execute("port host-0")).contains("vports     2, in ACTIVE 1; vport 3 \"pod-a eth0\"");
        assertThat(execute("host host-0"))
                .contains("  virtual ports 2, in ACTIVE 1; vport 3 \"pod-a eth0\"")
                .as("a vport that is coming up is no fault of its host")
                .noneMatch(line -> line.contains("outside of ACTIVE"));
        assertThat(execute("host host-1")).noneMatch(line -> line.contains("virtual"));
        assertThat(json("port host-0 --json").at("/vports/active").asInt()).isEqualTo(1);
        assertThat(json("port host-0 --json")
                        .at("/vports/described/0/description")
                        .asText())
                .isEqualTo("pod-a eth0");
        assertThat(json("vports all --json").at("/list/0/description").asText()).isEqualTo("pod-a eth0");
    }

    @Test
    void saysHowManyDataVlsTheRoutesNeed() throws IOException {
        assertThat(execute("routing"))
                .contains("hand is active since sweep 1", "data VLs it needs between switches: 1");
        assertThat(json("routing --json").path("dataVlsNeeded").intValue()).isEqualTo(1);
        control.slVerdicts = new SlVerdicts(true, List.of(4), List.of(), false, List.of());
        assertThat(execute("routing")).contains("hosts that all use one SL: free of credit loops with SL 4");
    }

    @Test
    void saysSoWhileNoSubnetIsUp() throws IOException {
        control.view = null;
        assertThat(execute("path 1 2")).containsExactly("no subnet is up yet; see status", "error");
        assertThat(execute("switches")).containsExactly("no subnet is up yet; see status", "error");
    }

    @Test
    void aStandbyNamesTheMaster() throws IOException {
        control.view = null;
        control.statistics = FakeStatistics.in(
                SmState.STANDBY, new RemoteSm(0x42, 7, SmState.MASTER, null, new SmHost("evening\u202e", 12), true), 0);
        for (String command : List.of("path 1 2", "torus", "sweep", "reroute")) {
            assertThat(execute(command))
                    .contains("error")
                    .first()
                    .asString()
                    .contains("0x0000000000000042 \"evening?\", LID 12");
        }
        assertThat(control.requests).isEmpty();
    }

    @Test
    void aPathToAnUnknownHostIsAnErrorInJson() throws IOException {
        assertThat(String.join("", execute("path 1 77 --json"))).contains("\"error\"");
    }

    @Test
    void namesOfIbnetdiscoverAreUnderstood() throws IOException {
        Fabric fabric = Objects.requireNonNull(control.view).subnet().fabric();
        String name = String.format("S-%016x", fabric.nodeGuid(0));
        assertThat(execute("node " + name)).contains("ok");
        assertThat(execute("node S-00000000000fffff")).contains("error");
    }

    @Test
    void listsPartitionsAndTheirMembers() throws IOException {
        assertThat(execute("partitions"))
                .containsExactly(
                        "from (no partitions.conf), enforcement both",
                        "P_Key   full  limited  added  IPoIB                name",
                        "0x7fff  4     0        0      2048 bytes, 10 Gb/s  Default",
                        "ok");
        List<String> members = List.of(
                "P_Key   index  LID  port GUID           source  name",
                "0xffff  0      1    0x0000000000200000  file    sw-a",
                "0xffff  0      2    0x0000000000200001  file    sw-b",
                "0xffff  0      3    0x0000001000000001  file    host-0",
                "0xffff  0      4    0x0000001000000101  file    host-1",
                "ok");
        assertThat(execute("partitions Default")).isEqualTo(members);
        assertThat(execute("partitions 0x7fff")).isEqualTo(members);
        assertThat(execute("partitions 0xffff")).isEqualTo(members);
        assertThat(execute("partitions absent"))
                .containsExactly("there is no partition \"absent\"; see partitions", "error");
        assertThat(execute("partition remove absent host-0"))
                .containsExactly("there is no partition \"absent\"; see partitions", "error");
        assertThat(execute("partition add storage host-0"))
                .containsExactly(
                        "there is no partition \"storage\"; for a new one give its P_Key and name=storage", "error");
        assertThat(execute("partition add 0x8000 host-0"))
                .containsExactly(
                        "0x8000 is no P_Key; a P_Key is 0x0001 to 0x7fff, without the bit of full members", "error");
        assertThat(execute("partitions a b")).containsExactly("usage: partitions [PARTITION|preview|apply]", "error");
        control.view = null;
        assertThat(execute("partitions")).containsExactly("no subnet is up yet; see status", "error");
    }

    @Test
    void tellsTheSameAsTextAndAsJson() throws IOException {
        JsonNode switches = json("switches --json").path("switches");
        assertThat(switches).hasSize(2);
        assertThat(execute("switches").get(2))
                .isEqualTo(switches.get(1).path("lid").asText() + "    "
                        + switches.get(1).path("guid").asText() + "  "
                        + switches.get(1).path("place").asText() + "  "
                        + switches.get(1).path("name").asText());
        assertThat(json("status --json").path("status").isNull()).isTrue();
        control.becomeMaster(5);
        assertThat(json("status --json")
                        .path("status")
                        .path("sm")
                        .path("priority")
                        .intValue())
                .isEqualTo(5);
        assertThat(json("--json path host-0 host-1").path("hops")).hasSize(3);
        assertThat(json("sweep --json now").path("usage").asText()).isEqualTo("sweep [heavy|light|on|off] [--wait]");
        assertThat(json("frobnicate --json").path("error").asText()).startsWith("there is no command");
    }

    @Test
    void reportsNodesAndPorts() throws IOException {
        assertThat(execute("node host-0")).contains("CA host-0", "port 1: GUID 0x0000001000000001, LID 3, LMC 0", "ok");
        assertThat(execute("port sw-a 3")).contains("state      ACTIVE", "leads to   sw-b port 3 (0,0,0)", "ok");
        assertThat(execute("port sw-a 4")).containsExactly("sw-a has no port 4, only 3", "error");
        assertThat(execute("port nowhere")).contains("error").first().asString().startsWith("no end port has the name");
        assertThat(execute("switch 1,0,0")).contains("3          ACTIVE  4x 10  0    8    2     sw-b port 3 (0,0,0)");
        assertThat(execute("switch host-0")).containsExactly("host-0 is no switch; see node or port", "error");
        assertThat(execute("lids HOST-1"))
                .containsExactly(
                        "LID  last  port GUID           type  port  name",
                        "4    4     0x0000001000000101  CA    1     host-1",
                        "ok");
        assertThat(execute("names ho")).containsExactly("host-0", "host-1", "ok");
        assertThat(execute("torus"))
                .containsExactly("the active routes are those of hand, which knows no torus", "error");
    }

    @Test
    void proves() throws IOException {
        assertThat(json("check --json").path("isFree").asBoolean()).isTrue();
        assertThat(execute("check")).first().asString().isEqualTo("active routes of hand: proved again");
    }

    @Test
    void drawsKeysAndShowsNone() throws IOException {
        assertThat(execute("keys new")).containsExactly("the SM has not begun yet", "error");
        control.becomeMaster(5);
        assertThat(execute("keys"))
                .containsExactly(
                        "M_Key: as m_key says, 4 of 4 end ports have it",
                        "SM_Key: generated " + FakeStatistics.STARTED,
                        "ok");
        assertThat(execute("keys rotate")).contains("usage: keys [new|remove]", "error");
        assertThat(execute("keys new")).contains("ok");
        assertThat(execute("keys remove")).containsExactly("no", "error");
        assertThat(control.requests).containsExactly("keys true", "keys false");
    }

    @Test
    void changesPriorityAndHandsOver() throws IOException {
        assertThat(execute("priority")).containsExactly("the SM has not begun yet", "error");
        control.becomeMaster(
                5, new RemoteSm(0x77, 3, SmState.STANDBY, null, new SmHost("\u202enode\u009b9", 12), true));
        assertThat(execute("priority")).containsExactly("priority 5", "ok");
        assertThat(execute("priority 16")).contains("usage: priority [PRIORITY]", "error");
        assertThat(execute("priority 9")).contains("ok");
        assertThat(execute("sms"))
                .containsExactly(
                        "port GUID           LID  priority  state                    host",
                        "0x0000000000000099  1    5         MASTER   this SM master  sw-a",
                        "0x0000000000000077  12   3         STANDBY                  ?node?9",
                        "ok");
        assertThat(execute("handover"))
                .contains("ok")
                .first()
                .asString()
                .startsWith("priority 5 becomes 3, and the SM");
        control.becomeMaster(5, new RemoteSm(0xaa, 0, SmState.STANDBY, null, SmHost.UNKNOWN, true));
        assertThat(execute("handover")).contains("error").first().asString().contains("would have to give back");
        control.becomeMaster(5);
        assertThat(execute("handover")).containsExactly("no other SM stands by; see sms", "error");
        assertThat(control.requests).containsExactly("priority 9", "priority 3");
    }

    @Test
    void holdsSweepsBack() throws IOException {
        assertThat(execute("sweep off")).contains("ok");
        assertThat(execute("sweep")).containsExactly("sweeping is off; sweep on", "error");
        assertThat(execute("sweep on")).containsExactly("sweeping again", "ok");
        assertThat(execute("sweep")).contains("ok");
    }

    @Test
    void writesTheFramesOfTheRecorder() throws IOException {
        assertThat(execute("record night.pcap.gz"))
                .containsExactly("/dump/night.pcap.gz: the last 61.5 s, 1234 MADs, from the start on", "ok");
        assertThat(execute("record there")).containsExactly("/dump/there is there already; give another name", "error");
        assertThat(execute("record ../a")).contains("usage: record [FILE]", "error");
        assertThat(execute("record a b")).contains("usage: record [FILE]", "error");
        assertThat(control.requests).contains("record night.pcap.gz").doesNotContain("record ../a");
    }

    @Test
    void writesOnlyWhereDumpsGo() throws IOException {
        assertThat(execute("dump")).containsExactly("dump_files_dir names no directory to write into", "error");
        assertThat(execute("capture a.pcap")).contains("error");
        control.dumpDir = dir.resolve("dumps");
        assertThat(execute("dump")).containsExactly("dump files are written to " + control.dumpDir, "ok");
        for (String name : List.of("../a", "/tmp/a", ".a", "a/b", "\"\"")) {
            assertThat(execute("capture " + name)).as(name).contains("usage: capture [FILE|stop] [SECONDS]", "error");
        }
        assertThat(execute("capture a.pcap 3601")).contains("SECONDS is a number from 1 to 3600", "error");
        assertThat(execute("capture a.pcap 60")).contains("ok");
        assertThat(execute("capture b.pcap"))
                .containsExactly("a capture is under way already; capture stop ends it", "error");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("dumps/a.pcap"))))
                .isEqualTo("rw-------");
        assertThat(execute("capture stop")).contains("ok");
    }

    @Test
    void writesAllSlsOfThePlanInForce() throws IOException {
        assertThat(execute("sl-map a.slmap"))
                .containsExactly("dump_files_dir names no directory to write into", "error");
        Path dumps = dir.resolve("dumps");
        control.dumpDir = dumps;
        assertThat(execute("sl-map a.slmap"))
                .containsExactly(
                        "the SLs of all pairs of hosts, as of sweep 1, are in " + dumps.resolve("a.slmap"), "ok");
        assertThat(dumps.resolve("a.slmap")).isNotEmptyFile();
        for (String senseless : List.of("sl-map", "sl-map ../a", "sl-map a 16", "sl-map a 1 2")) {
            assertThat(execute(senseless)).as(senseless).contains("usage: sl-map FILE [LEVEL]", "error");
        }
        control.view = null;
        assertThat(execute("sl-map a.slmap")).containsExactly("no subnet is up yet; see status", "error");
    }

    @Test
    void aPathSaysWhatOneSlForAllHostsWouldMeet() throws IOException {
        control.slVerdicts = new SlVerdicts(true, List.of(4), List.of(4), false, List.of(7));
        String restOfLine = " on all connections of all hosts, independently of path records (NCCL_IB_SL, UCX_IB_SL): ";
        assertThat(execute("path 3 4 4")).contains("with SL 4" + restOfLine + "free of credit loops");
        assertThat(execute("path 3 4 7"))
                .contains("with SL 7" + restOfLine + "packets are DISCARDED, since a table maps SL 7 to VL15");
        assertThat(execute("path 3 4")).contains("with SL 0" + restOfLine + "CREDIT LOOP");
        assertThat(execute("path 1 4")).noneMatch(line -> line.contains(restOfLine));
    }
}
