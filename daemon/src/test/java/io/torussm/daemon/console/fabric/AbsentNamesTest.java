package io.torussm.daemon.console.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.torussm.daemon.Views;
import io.torussm.daemon.console.ConsoleCase;
import io.torussm.event.SmEvent;
import io.torussm.subnet.Neighbors;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PublishedView;
import io.torussm.view.RoutingState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The names of absent devices. The host {@code gone} with GUID 0x77 and LID 9 was attached to port 2 of sw-a, and was
 * lost at the begin of 1970.
 */
class AbsentNamesTest extends ConsoleCase {
    private static final long GONE = 0x77;

    @Test
    void theOperatorsNameOfTodayCounts() throws IOException {
        state("");
        assertThat(execute("absent").get(1)).startsWith("gone ");
        state("0x77 \"node-7\"\n");
        assertThat(execute("absent").get(1)).startsWith("node-7 ").doesNotContain("gone");
        assertThat(execute("port node-7")).first().asString().contains("\"node-7\" is absent");
        assertThat(execute("path node-7 host-0"))
                .containsExactly(execute("port node-7").get(0), "error")
                .first()
                .asString()
                .contains("last seen 1970-01-01T00:00:00Z; it was cabled to ");
        assertThat(execute("path host-0 0x77").get(0)).contains("\"node-7\" is absent");
    }

    /** A health check script repeats the second command for ever. */
    @Test
    void theHealthOfHostsNamesAbsentOnesAndFollowsTheEvents() throws IOException {
        state("");
        JsonNode first = json("export health --json");
        JsonNode goneHost = first.path("hosts").findParents("host").stream()
                .filter(host -> host.path("host").asText().equals("gone"))
                .findFirst()
                .orElseThrow();
        assertThat(goneHost.path("status").asText()).isEqualTo("False");
        assertThat(goneHost.path("message").asText()).contains("\"gone\" is absent, last seen 1970-01-01T00:00:00Z");
        String next = "export health --after " + first.path("event").asText() + " --json";
        CompletableFuture<JsonNode> second = CompletableFuture.supplyAsync(() -> {
            try {
                return json(next);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        control.journal().add(Instant.EPOCH, "info", SmEvent.HOST_GONE.code(), "another is gone", Map.of());
        assertThat(second.join().path("event").asLong())
                .isEqualTo(first.path("event").asLong() + 1);
    }

    /** Publishes a state with an absent host, which the operator names differently now. */
    private void state(String nodeNames) {
        PublishedView view = Views.named(Views.twoSwitches(), nodeNames, "");
        LostCable.LostEnd switchEnd =
                LostCable.LostEnd.of(view.placed(), view.subnet().fabric().port(0, 2));
        LostCable.LostEnd goneEnd = new LostCable.LostEnd(new Neighbors.CableEnd(GONE, 1), GONE, "gone", false, "", 9);
        control.view = view;
        control.state = new FabricState(
                view,
                Instant.EPOCH,
                view.placed(),
                Instant.EPOCH,
                RoutingState.ROUTED,
                Instant.EPOCH,
                List.of(),
                "",
                Absences.of(List.of(new LostCable(goneEnd, switchEnd, Instant.EPOCH))));
    }
}
