package io.torussm.daemon.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The delivery of an alert to a program of the operator: JSON at its input, variables, and its exit status. */
@Timeout(60)
class ProgramReceiverTest {
    private static final Alert ALERT = new Alert(
            "node1", 7, Instant.EPOCH, "warn", "TSM-1215", "begins", "\"$(reboot)\" `x`", Map.of("address", "a:1"), 3);

    @TempDir
    Path dir;

    @Test
    void isReportedOnItsInputAndInVariables() throws Exception {
        Path input = dir.resolve("input");
        Path variables = dir.resolve("variables");
        Receiver program = program("rwxr-xr-x", "cat > " + input + "; env > " + variables + "; echo thrown away");
        program.deliver(ALERT);
        JsonNode read = new ObjectMapper().readTree(Files.readString(input));
        assertThat(read.at("/host").asText()).isEqualTo("node1");
        assertThat(read.at("/time").asText()).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(read.at("/fields/address").asText()).isEqualTo("a:1");
        assertThat(read.at("/forgotten").asInt()).isEqualTo(3);
        assertThat(Files.readAllLines(variables))
                .contains(
                        "TSM_TEXT=\"$(reboot)\" `x`",
                        "TSM_CODE=TSM-1215",
                        "TSM_LEVEL=warn",
                        "TSM_CONDITION=begins",
                        "TSM_TIME=1970-01-01T00:00:00Z")
                .noneMatch(line -> line.startsWith("NOTIFY_SOCKET") || line.startsWith("JAVA"));
    }

    @Test
    void theExitStatusOfTheProgramIsTheOutcome() throws Exception {
        program("rwx------", "exit 0").deliver(ALERT);
        Receiver busy = program("rwx------", "exit 75");
        assertThatThrownBy(() -> busy.deliver(ALERT))
                .isInstanceOf(Receiver.Unavailable.class)
                .hasMessageContaining("75");
        Receiver unwilling = program("rwx------", "exit 3");
        assertThatThrownBy(() -> unwilling.deliver(ALERT))
                .isInstanceOf(Receiver.Refused.class)
                .hasMessageContaining("3");
    }

    @Test
    void unsafeProgramsAreNotStarted() throws Exception {
        Path mark = dir.resolve("mark");
        Receiver open = program("rwxr-xrwx", "touch " + mark);
        assertThatThrownBy(() -> open.deliver(ALERT))
                .isInstanceOf(Receiver.Unavailable.class)
                .hasMessageContaining("chmod o-w");
        assertThat(mark).doesNotExist();
        Receiver absent = new ProgramReceiver(dir.resolve("absent"));
        assertThatThrownBy(() -> absent.deliver(ALERT)).hasMessageContaining("no program");
        Receiver relative = new ProgramReceiver(Path.of("bin/true"));
        assertThatThrownBy(() -> relative.deliver(ALERT)).hasMessageContaining("begin with /");
    }

    private Receiver program(String mode, String script) throws Exception {
        Path program = Files.writeString(dir.resolve("program"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString(mode));
        return new ProgramReceiver(program);
    }
}
