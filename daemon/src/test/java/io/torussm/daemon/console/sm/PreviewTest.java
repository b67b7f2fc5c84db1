package io.torussm.daemon.console.sm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.console.Commands;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.partition.PKeys;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.testing.LoggedEvents;
import io.torussm.view.PublishedView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changed files that are free of errors, and perhaps a mistake: partitions.conf and torus-2QoS.conf of a real SM on an
 * embedded torus of 5x4 switches, each with a host. A change of many ports waits until an operator applies it.
 */
@Timeout(120)
class PreviewTest {
    private static final String TORUS = "torus:5x4x1,hosts=1";
    private static final String OPEN = "Default=0x7fff : ALL=full;\n";
    private static final String CLOSED = "Default=0x7fff : ALL=limited, SELF=full;\n";

    @TempDir
    Path dir;

    private Path partitions = Path.of("");
    private Path torus = Path.of("");
    private String conf = "";

    @BeforeEach
    void files() throws Exception {
        partitions = Files.writeString(dir.resolve("partitions.conf"), OPEN);
        conf = TorusSpec.parse(TORUS).torus2QosConf();
        torus = Files.writeString(dir.resolve("torus-2QoS.conf"), conf);
    }

    @Test
    void partitionsThatWouldChangeTooMuchWaitUntilTheyAreApplied() throws Exception {
        try (LoggedEvents log = new LoggedEvents();
                ServiceHarness harness = start()) {
            log.listen();
            Files.writeString(partitions, CLOSED);
            sweep(harness);
            assertThat(limited(harness)).isZero();
            assertThat(log.only(SmEvent.PARTITIONS_HELD).get(EventField.TEXT))
                    .contains("39 of 40 end ports", "max_partition_change", "apply");
            log.only(SmEvent.PARTITIONS_KEPT);
            JsonNode preview = json(harness, "partitions preview");
            assertThat(preview.get("changed").asInt()).isEqualTo(39);
            assertThat(preview.get("losing").asInt()).isEqualTo(39);
            assertThat(preview.get("ports").get(0).get("gains").get(0).asText()).isEqualTo("0x7fff");

            assertThat(new Commands(harness.control())
                            .run("partitions apply", false)
                            .isGood())
                    .as("over TCP")
                    .isFalse();
            assertThat(new Commands(harness.control())
                            .run("partitions apply", true)
                            .isGood())
                    .isTrue();
            awaitLimited(harness, 39);
            log.only(SmEvent.PARTITIONS_TAKEN);
            assertThat(json(harness, "partitions preview").get("changed").asInt())
                    .isZero();

            Files.writeString(partitions, "oops=0x99999 : ALL;\n");
            Commands.Reply bad = new Commands(harness.control()).run("partitions preview", false);
            assertThat(bad.isGood()).isFalse();
            assertThat(String.join("", bad.lines())).contains("partitions.conf:1: ");
        }
    }

    @Test
    void aRestartJudgesThemToo() throws Exception {
        start().close();
        Files.writeString(partitions, CLOSED);
        try (LoggedEvents log = new LoggedEvents().listen();
                ServiceHarness harness = start()) {
            assertThat(harness.end()).as("the sweep that judges").isEqualTo("up");
            assertThat(limited(harness)).isZero();
            log.only(SmEvent.PARTITIONS_HELD);
        }
        Files.writeString(partitions, OPEN + "few=0x10 : SELF;\n");
        try (ServiceHarness harness = start()) {
            assertThat(harness.end()).isEqualTo("up");
            assertThat(json(harness, "partitions preview").get("changed").asInt())
                    .as("what changes little is in force")
                    .isZero();
        }
    }

    @Test
    void theEffectOfTorus2QosConfIsShownAndNotApplied() throws Exception {
        try (ServiceHarness harness = start()) {
            JsonNode same = json(harness, "routing preview");
            assertThat(same.get("engine").asText()).isEqualTo("torus-2QoS");
            assertThat(same.get("changedSls").asInt()).isZero();
            assertThat(same.get("changedEntries").asInt()).isZero();
            Files.writeString(torus, conf.replaceFirst("next_seed", "x_dateline 2\nnext_seed"));
            JsonNode moved = json(harness, "routing preview");
            assertThat(moved.get("changedSls").asInt()).isPositive();
            assertThat(moved.get("problems")).isEmpty();
            assertThat(moved.get("verdict")).isNotEmpty();
            assertThat(new Commands(harness.control())
                            .run("routing preview", false)
                            .lines())
                    .last()
                    .asString()
                    .contains("reroute");
            PublishedView view = Objects.requireNonNull(harness.control().view());
            assertThat(view.sweep()).isEqualTo(1);
            Files.writeString(torus, "tors 1\n");
            Commands.Reply bad = new Commands(harness.control()).run("routing preview", false);
            assertThat(bad.isGood()).isFalse();
            assertThat(String.join("", bad.lines()))
                    .contains("torus-2QoS.conf:1: ")
                    .doesNotContain("reroute");
            Files.writeString(torus, conf.replaceFirst("next_seed", "x_dateline 2\nnext_seed"));
            new Commands(harness.control()).run("reroute", true);
            assertThat(harness.end()).isEqualTo("up");
            assertThat(json(harness, "routing preview").get("changedSls").asInt())
                    .as("what was shown is in force")
                    .isZero();
        }
    }

    private ServiceHarness start() throws Exception {
        ServiceHarness harness = new ServiceHarness(
                dir.resolve("state"),
                Map.of(
                        Settings.SIMULATE,
                        TORUS,
                        Settings.TORUS_CONFIG,
                        torus.toString(),
                        Settings.PARTITION_CONFIG_FILE,
                        partitions.toString()));
        assertThat(harness.end()).isEqualTo("up");
        return harness;
    }

    private static void sweep(ServiceHarness harness) throws InterruptedException {
        harness.control().requestSweep(true);
        assertThat(harness.end()).isEqualTo("up");
    }

    /** Hosts that are limited members of the default partition. */
    private static int limited(ServiceHarness harness) {
        PublishedView view = Objects.requireNonNull(harness.control().view());
        int limited = 0;
        for (int port = 0; port < view.subnet().fabric().portCount(); port++) {
            limited += view.partitions().keys(port).indexOf(PKeys.DEFAULT) >= 0 ? 1 : 0;
        }
        return limited;
    }

    /** Waits until a number of changes is limited. Other sweeps may end before. */
    private static void awaitLimited(ServiceHarness harness, int expected) throws InterruptedException {
        while (limited(harness) != expected) {
            assertThat(harness.end()).isEqualTo("up");
        }
    }

    private static JsonNode json(ServiceHarness harness, String command) throws Exception {
        Commands.Reply reply = new Commands(harness.control()).run(command + " --json", false);
        return new ObjectMapper().readTree(String.join("\n", reply.lines()));
    }
}
