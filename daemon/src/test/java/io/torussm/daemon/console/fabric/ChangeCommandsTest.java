package io.torussm.daemon.console.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.torussm.daemon.Views;
import io.torussm.daemon.console.ConsoleCase;
import io.torussm.testing.ViewDraft;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands about previous states. There are two: at 09:00 the fabric of {@link Views#twoSwitches}, and at 09:30 the
 * same fabric without an entry of sw-a for LID 4.
 */
class ChangeCommandsTest extends ConsoleCase {
    private static final Instant FIRST = Instant.parse("2026-11-25T09:00:00Z");
    private static final Instant SECOND = Instant.parse("2026-11-25T09:30:00Z");

    /** Adds two states. In the second one, sw-a has no way to LID 4, and a condition is open. */
    @BeforeEach
    void change() {
        PublishedView view = Views.twoSwitches();
        control.addChange(FabricState.of(view, FIRST), FIRST);
        control.addChange(FabricState.of(without(view), SECOND), SECOND, "TSM-4001 error it is bad");
    }

    @Test
    void changesAreListedWithTheirSweeps() throws IOException {
        assertThat(execute("changes committed")).hasSize(4);
        assertThat(execute("changes committed").get(1))
                .matches("1 +2026-11-25T09:00:00Z +ROUTED .*first since a start");
        assertThat(execute("changes committed").get(2)).matches("7 +2026-11-25T09:30:00Z +ROUTED +1 +1 +0 +0");
        assertThat(execute("changes committed 1")).hasSize(3);
        JsonNode changes = json("changes committed --json").path("changes");
        assertThat(changes).hasSize(2);
        assertThat(changes.get(1).path("counts").path("entries").asInt()).isEqualTo(1);
        assertThat(changes.get(0).path("isFirst").asBoolean()).isTrue();
        assertThat(execute("changes")).contains("SL changes: 0");
    }

    /** A sweep after which only conditions are others, and one that differs in nothing that is counted. */
    @Test
    void changesThatNoColumnCountsAreLeftOutUnlessConditionsChanged() throws IOException {
        PublishedView view = without(Views.twoSwitches());
        control.addChange(FabricState.of(view, SECOND), SECOND.plusSeconds(60), "TSM-4002 error it is worse");
        List<String> lines = execute("changes committed");
        assertThat(lines).hasSize(5);
        assertThat(lines.get(3)).contains("T09:31:00Z").endsWith("conditions: 1 began, 1 ended");
        control.addChange(
                FabricState.of(view, SECOND.plusSeconds(90)), SECOND.plusSeconds(120), "TSM-4002 error it is worse");
        assertThat(control.changes().changes()).hasSize(4);
        assertThat(execute("changes committed")).isEqualTo(lines);
        assertThat(execute("changes committed 1"))
                .hasSize(3)
                .element(1)
                .asString()
                .contains("T09:31:00Z");
        assertThat(json("changes committed --json").path("changes")).hasSize(3);
    }

    @Test
    void sweepsThatAreYetToComeAreNotShown() throws IOException {
        assertThat(execute("show 99999")).containsExactly("there is no sweep 99999: sweeps 1 to 7 are known", "error");
        assertThat(execute("diff 1 8")).containsExactly("there is no sweep 8: sweeps 1 to 7 are known", "error");
        assertThat(execute("show 5").get(0)).contains("sweep 1");
    }

    @Test
    void differencesAreNamed() throws IOException {
        assertThat(execute("diff 1 7"))
                .containsExactly(
                        "from sweep 1 (2026-11-25T09:00:00Z) to sweep 7 (2026-11-25T09:30:00Z)",
                        "forwarding tables, 1 entries: 1",
                        "  (1,0,0) \"sw-a\", 1 entries: LID 4: 3 -> none",
                        "conditions that began: 1",
                        "  TSM-4001 error it is bad",
                        "ok");
        assertThat(execute("diff 1")).isEqualTo(execute("diff 1 7"));
        assertThat(execute("diff 7")).contains("nothing differs");
        assertThat(execute("diff 7 1"))
                .contains("conditions that ended: 1", "  (1,0,0) \"sw-a\", 1 entries: LID 4: none -> 3");
        JsonNode difference = json("diff 1 7 --json").path("difference");
        assertThat(difference
                        .path("tables")
                        .get(0)
                        .path("first")
                        .get(0)
                        .path("after")
                        .asInt())
                .isEqualTo(255);
        assertThat(difference.path("begun").get(0).asText()).isEqualTo("TSM-4001 error it is bad");
    }

    @Test
    void activeRoutesAreShown() throws IOException {
        assertThat(execute("show 7"))
                .containsExactly(
                        "sweep 7, since 2026-11-25T09:30:00Z, routes of hand",
                        "routing: routed since 2026-11-25T09:30:00Z",
                        "2 switches, 2 host ports, 3 links, 4 LIDs",
                        "rings that were not whole: 1",
                        "  (0,*,0) OPEN: lost a cable",
                        "conditions: 1",
                        "  TSM-4001 error it is bad",
                        "ok");
        JsonNode shown = json("show 1 --json");
        assertThat(shown.path("change").path("sweep").asInt()).isEqualTo(1);
        assertThat(shown.path("conditions")).isEmpty();
        assertThat(shown.path("size").path("switches").asInt()).isEqualTo(2);
    }

    @Test
    void pathsAndTablesAreThoseOfThen() throws IOException {
        assertThat(execute("show 1 path host-0 host-1")).contains("arrives at \"host-1\", after 2 switches", "ok");
        assertThat(execute("show 1 path host-0 host-1 both"))
                .anyMatch(line -> line.startsWith("SL   9 (level wanted: 0) and 9"));
        assertThat(execute("show 7 path host-0 host-1")).last().isEqualTo("error");
        assertThat(json("show 1 path host-0 host-1 --json").path("hops")).hasSize(3);
        assertThat(execute("show 1 path host-0 absent")).last().isEqualTo("error");
        assertThat(execute("show 1 lft sw-a"))
                .hasSize(7)
                .first()
                .isEqualTo("(1,0,0) sw-a as of sweep 1, since 2026-11-25T09:00:00Z");
        assertThat(execute("show 7 lft sw-a")).hasSize(6);
        assertThat(json("show 1 lft 1,0,0 --json")
                        .path("entries")
                        .get(3)
                        .path("port")
                        .asInt())
                .isEqualTo(3);
        assertThat(execute("show 1 lft host-0")).last().isEqualTo("error");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-25T09:29:59Z", "2026-11-25T09:29", "1", "6", "2026-11-25T09:00:00Z"})
    void momentsBeforeTheSecondAreOfTheFirst(String moment) throws IOException {
        assertThat(execute("show " + moment)).first().asString().startsWith("sweep 1, ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-25T09:30:00Z", "7"})
    void momentsSince(String moment) throws IOException {
        assertThat(execute("show " + moment)).first().asString().startsWith("sweep 7, ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "show",
                "show x",
                "show 1 path a",
                "show 1 lft",
                "show 1 2",
                "show 25:00",
                "show -10y",
                "show 1 path a b c",
                "diff",
                "diff 1 2 3",
                "diff x",
                "changes committed x",
                "changes 1 2"
            })
    void whatMakesNoSenseIsAnsweredWithTheUsage(String request) throws IOException {
        assertThat(execute(request))
                .anyMatch(line -> line.startsWith("usage: "))
                .last()
                .isEqualTo("error");
    }

    @Test
    void unkeptStateIsReported() throws IOException {
        assertThat(execute("show 2026-11-25T08:59:59Z"))
                .containsExactly("nothing is kept of that time; see changes committed", "error");
    }

    private static PublishedView without(PublishedView view) {
        byte[][] lfts = {view.plan().lft(0).clone(), view.plan().lft(1).clone()};
        lfts[0][4] = (byte) 0xff;
        return ViewDraft.of(view)
                .plan(view.plan().withTables(lfts).build())
                .sweep(7)
                .build();
    }
}
