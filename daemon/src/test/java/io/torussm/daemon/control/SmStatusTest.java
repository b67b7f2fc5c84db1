package io.torussm.daemon.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.Views;
import io.torussm.daemon.json.Json;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.mad.smp.Notice;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmHost;
import io.torussm.mastership.SmState;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.testing.TestRouting;
import io.torussm.trap.TrapCounts;
import io.torussm.trap.TrapCounts.Disposition;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The status of an SM as lines for operators and as a JSON document, which have the same figures: those of {@link
 * FakeControl}, and of the fabric of {@link Views#twoSwitches}.
 */
class SmStatusTest {
    private static final int LINES_OF_A_TERMINAL = 24;

    private final FakeControl control = new FakeControl();

    @Test
    void answersTheFirstQuestionsFirst() {
        control.becomeMaster(5);
        control.view = Views.twoSwitches();
        assertThat(status().lines())
                .startsWith(
                        "state: routed since 2026-11-22T06:00:00Z",
                        "subnet: 2 switches, 2 host ports, 3 links, 4 LIDs",
                        "rings: 1 whole, 0 thinned, 1 open, 0 cut",
                        "absent: nothing",
                        "active routes: hand, sweep 1, since 2026-11-22T06:00:00Z; subnet up since"
                                + " 2026-11-22T06:00:01Z")
                .containsSubsequence(
                        "last sweep: up at 2026-11-22T06:00:02Z, all is well",
                        "last change: none since the start",
                        "SM: MASTER, priority 5; subnet managers: 2")
                .contains(
                        "running since: 2026-11-22T06:00:00Z, torus-sm of a test",
                        "routing runs: 3; plans ready: for 90 of 100 single failures, 1.4 of 16 MiB, taken 2",
                        "SMPs: sent 10, answered 9, retried 8, timed out 7, late 6, malformed 4, overflow 3, refused"
                                + " 12, window 64",
                        "SA: requests 7, answers 6, dropped 1, waiting 3, at most 5; by attribute: sa",
                        "Reports: sent 6, resent 5, answered 4, lost 3, dropped 2, late 1",
                        "replication: connected to 10.0.0.2:7800; last state sent: sa-state 1.2, 1 s ago; last state"
                                + " taken: sa-state 1.1 from 10.0.0.2:7800, 2 s ago",
                        "failures: wrong M_Keys (trap 256) 1, state files not written 4");
    }

    @Test
    void numbersAreNumbersInJson() throws IOException {
        control.becomeMaster(5);
        control.view = Views.twoSwitches();
        JsonNode json = json();
        assertThat(json.path("version").asText()).isEqualTo("torus-sm of a test");
        assertThat(json.path("started").asText()).isEqualTo("2026-11-22T06:00:00Z");
        assertThat(json.path("sm").path("state").asText()).isEqualTo("MASTER");
        assertThat(json.path("sm").path("priority").isInt()).isTrue();
        assertThat(json.path("sm").path("master").isNull()).isTrue();
        assertThat(json.path("port").path("portGuid").asText()).isEqualTo("0x0000000000000099");
        assertThat(json.path("subnet").path("sweep").isNumber()).isTrue();
        assertThat(json.path("subnet").path("upSince").asText()).isEqualTo("2026-11-22T06:00:01Z");
        assertThat(json.path("subnet").path("size").path("switches").intValue()).isEqualTo(2);
        assertThat(json.path("routing").path("state").asText()).isEqualTo("ROUTED");
        assertThat(json.path("routing").path("since").asText()).isEqualTo("2026-11-22T06:00:00Z");
        assertThat(json.path("found").path("size").path("links").intValue()).isEqualTo(3);
        assertThat(json.path("found").path("absent").path("hosts").isNumber()).isTrue();
        assertThat(json.path("sweeps").path("last").path("outcome").asText()).isEqualTo("up");
        assertThat(json.path("sweeps").path("slChanges").isNumber()).isTrue();
        assertThat(json.path("smps").path("sent").longValue()).isEqualTo(10);
        assertThat(json.path("sa").path("stats").path("requests").longValue()).isEqualTo(7);
        assertThat(json.path("sa").path("attributes").get(0).path("attribute").asText())
                .isEqualTo("PathRecord");
        assertThat(json.path("reports").path("late").longValue()).isEqualTo(1);
        assertThat(json.path("unhealthyPorts").get(0).path("linkIntegrity").longValue())
                .isEqualTo(10);
        assertThat(json.path("replication").path("sent").path("ageNs").longValue())
                .isEqualTo(1_500_000_000L);
        assertThat(json.path("stateFailures").longValue()).isEqualTo(4);
        assertThat(json.path("defects").isNumber()).isTrue();
    }

    @Test
    void showsTheSafeSlsOrThatTheyAreBeingComputed() throws IOException {
        control.becomeMaster(5);
        assertThat(status().lines()).noneMatch(line -> line.startsWith("hosts"));
        control.view = Views.twoSwitches();
        assertThat(status().lines()).contains("hosts that ignore path records: still being checked");
        control.slVerdicts = new SlVerdicts(true, List.of(0, 1, 4), List.of(1), false, List.of(7));
        assertThat(status().lines())
                .contains(
                        "hosts that follow path records: free of credit loops",
                        "hosts that all use one SL: free of credit loops with SL 0-1, 4; discarded: SL 7",
                        "hosts with one SL beside hosts that follow path records: free of credit loops with SL 1",
                        "any host with any SL: CREDIT LOOP");
        assertThat(json().path("sls").path("safeSls")).hasSize(3);
        assertThat(json().path("sls").path("anySl").isBoolean()).isTrue();
    }

    @Test
    void namesOmissions() throws IOException {
        control.becomeMaster(5);
        assertThat(status().lines())
                .contains("left out: 0x77 \"sw-bad\" (it does not take its table); 0x78 \"sw-first\" (it does not"
                        + " either; tolerated, since the SM is reached through it)");
        assertThat(json().path("leftOut").get(1).path("isTolerated").asBoolean())
                .isTrue();
    }

    @Test
    void saysWhichTrapsCame() throws IOException {
        control.becomeMaster(5);
        TrapCounts traps = Objects.requireNonNull(control.statistics).sweeps().traps();
        assertThat(status().lines()).noneMatch(line -> line.startsWith("traps: "));
        traps.count(Notice.linkStateChange(4), Disposition.ACTED_ON);
        traps.count(Notice.linkStateChange(4), Disposition.DAMPED);
        traps.count(Notice.linkStateChange(4), Disposition.IGNORED);
        traps.countMalformed();
        assertThat(status().lines()).contains("traps: 128: 3 (1 damped, 1 ignored), malformed 1");
        JsonNode received = json().path("traps").path("received");
        assertThat(received).hasSize(1);
        assertThat(received.get(0).path("trap").asText()).isEqualTo("128");
        assertThat(received.get(0).path("damped").longValue()).isEqualTo(1);
    }

    @Test
    void namesTheMasterOrTheSmWhoseHandoverItWaitsFor() throws IOException {
        RemoteSm other = new RemoteSm(0x77, 9, SmState.MASTER, null, new SmHost("host-7", 12), true);
        control.statistics = FakeStatistics.in(SmState.STANDBY, other, 0);
        assertThat(status().lines())
                .contains(
                        "SM: STANDBY, priority 5; subnet managers: 2",
                        "master: port GUID 0x0000000000000077 \"host-7\", LID 12, priority 9, MASTER",
                        "state: standby; \"host-7\" (LID 12, priority 9) is master");
        JsonNode master = json().path("sm").path("master");
        assertThat(master.path("priority").intValue()).isEqualTo(9);
        assertThat(master.path("description").textValue()).isEqualTo("host-7");
        assertThat(master.path("lid").intValue()).isEqualTo(12);
        assertThat(json().path("subnet").isNull()).isTrue();
        assertThat(SmStatus.headline(control)).isEqualTo("standby; \"host-7\" (LID 12, priority 9) is master");
    }

    @Test
    void oneLineIsEnoughForSystemd() {
        assertThat(SmStatus.of(control)).isNull();
        assertThat(SmStatus.headline(control)).isEqualTo("starting");
        control.becomeMaster(5);
        control.view = Views.twoSwitches();
        assertThat(SmStatus.headline(control)).isEqualTo("MASTER, priority 5, subnet up since sweep 1");
    }

    @Test
    void countsRingsOfAnEngineThatKnowsAny() throws IOException {
        control.becomeMaster(5);
        control.view = Views.twoSwitches();
        JsonNode rings = json().path("subnet").path("rings");
        assertThat(rings.path("whole").intValue()).isEqualTo(1);
        assertThat(rings.path("thinned").intValue()).isZero();
        assertThat(rings.path("open").intValue()).isEqualTo(1);
        assertThat(rings.path("cut").intValue()).isZero();
        Plan plan = Objects.requireNonNull(control.view).plan();
        control.view = Views.view((Plan) new MinHopEngine().route(plan.subnet(), TestRouting.NO_QOS));
        assertThat(status().lines()).noneMatch(line -> line.startsWith("rings"));
        assertThat(json().path("subnet").path("rings").isNull()).isTrue();
    }

    /** Everything that has a line has one here; a terminal has 24. */
    @Test
    void fitsOnATerminalWithAllOfItsLines() {
        control.becomeMaster(5);
        control.suspendSweeps(true);
        control.view = Views.twoSwitches();
        control.slVerdicts = new SlVerdicts(true, List.of(0), List.of(), false, List.of());
        Objects.requireNonNull(control.statistics)
                .sweeps()
                .traps()
                .count(Notice.linkStateChange(4), Disposition.DAMPED);
        assertThat(status().lines())
                .anyMatch(line -> line.startsWith("traps: "))
                .anyMatch(line -> line.startsWith("failures: "))
                .anyMatch(line -> line.startsWith("left out: "))
                .anyMatch(line -> line.startsWith("unhealthy ports: "))
                .hasSizeLessThanOrEqualTo(LINES_OF_A_TERMINAL);
    }

    @Test
    void saysThatSweepsAreSuspended() throws IOException {
        control.suspendSweeps(true);
        assertThat(status().lines())
                .anyMatch(line -> line.startsWith("last sweep: ")
                        && line.endsWith("; sweeping is off, until the command sweep on"));
        assertThat(json().path("sweeps").path("isSuspended").booleanValue()).isTrue();
    }

    private SmStatus status() {
        return Objects.requireNonNull(SmStatus.of(control));
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(Json.bytes(status()));
    }
}
