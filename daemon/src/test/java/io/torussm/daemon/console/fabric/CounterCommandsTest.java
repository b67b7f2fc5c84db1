package io.torussm.daemon.console.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.torussm.daemon.console.ConsoleCase;
import io.torussm.perf.CountedPorts;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The commands about counters. The ports of {@link Views#twoSwitches} were read twice ({@link CountedPorts#readTwice}).
 */
class CounterCommandsTest extends ConsoleCase {
    @BeforeEach
    void read() {
        control.becomeMaster(5);
        CountedPorts.readTwice(
                control.counters, Objects.requireNonNull(control.view).subnet().fabric());
    }

    @Test
    void theWorstPortsComeFirst() throws IOException {
        JsonNode worst = json("counters --json");
        assertThat(worst.path("ports")).hasSize(6);
        assertThat(worst.at("/ports/0/port").asInt()).isEqualTo(3);
        assertThat(worst.at("/ports/0/errors").asInt()).isEqualTo(3);
        assertThat(worst.at("/ports/5/port").asInt()).isEqualTo(1);
        assertThat(execute("counters"))
                .anyMatch(line -> line.contains("ports read: 8, agents that do not answer: 1"))
                .anyMatch(line -> line.matches("0x\\S+ +3 +\\(1,0,0\\) sw-a +3 .*"))
                .endsWith("ok");
    }

    @Test
    void oneNodeOrOnePort() throws IOException {
        assertThat(json("counters sw-a --json").path("ports")).hasSize(2);
        JsonNode port = json("counters sw-a 3 --json");
        assertThat(port.path("counters")).anySatisfy(each -> {
            assertThat(each.path("counter").asText()).isEqualTo("LinkDownedCounter");
            assertThat(each.path("total").asInt()).isEqualTo(3);
        });
        assertThat(port.at("/port/peer").asText()).contains("sw-b");
        assertThat(port.path("samples")).hasSize(1);
        assertThat(execute("counters 0x200000 3"))
                .anyMatch(line -> line.contains("cabled to") && line.contains("sw-b"))
                .anyMatch(line -> line.matches("PortXmitData +3000"))
                .anyMatch(line -> line.startsWith("1970-01-01T00:00:02Z"));
    }

    @Test
    void nonsenseIsReported() throws IOException {
        assertThat(execute("counters sw-a 9"))
                .anyMatch(line -> line.contains("only 3"))
                .endsWith("error");
        assertThat(execute("counters sw-a 2")).anyMatch(line -> line.contains("no counters were read there"));
        assertThat(execute("counters absent")).endsWith("error");
        assertThat(execute("counters sw-a x")).anyMatch(line -> line.contains("PORT is a number"));
    }

    @Test
    void countsFromZeroAgain() throws IOException {
        assertThat(execute("clear-counters sw-a 3")).endsWith("ok");
        assertThat(json("counters --json").path("ports")).hasSize(5);
        assertThat(execute("clear-counters sw-b")).endsWith("ok");
        assertThat(json("counters --json").path("ports")).hasSize(3);
        assertThat(execute("clear-counters")).endsWith("ok");
        assertThat(execute("counters")).anyMatch(line -> line.contains("no port has counted an error"));
    }
}
