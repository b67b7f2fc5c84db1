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
    /** A text that a shell would execute if the receiver passed it on as a part of a command. */
    private static final String HOSTILE_TEXT = "\"$(reboot)\" `x`";

    /** The exit status of sysexits.h for a temporary failure, after which the alert is sent again. */
    private static final int EX_TEMPFAIL = 75;

    /** Number of alerts before this one that could not be delivered. */
    private static final int FORGOTTEN = 3;

    private static final Alert ALERT = new Alert(
            "node1", 7, Instant.EPOCH, "warn", "TSM-1215", "begins", HOSTILE_TEXT, Map.of("address", "a:1"), FORGOTTEN);

    @TempDir
    Path dir;

    @Test
    void theProgramReceivesTheAlertAsJsonAtItsInput() throws Exception {
        Path input = dir.resolve("input");
        program("rwxr-xr-x", "cat > " + input).deliver(ALERT);
        JsonNode read = new ObjectMapper().readTree(Files.readString(input));
        assertThat(read.at("/host").asText()).isEqualTo("node1");
        assertThat(read.at("/time").asText()).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(read.at("/fields/address").asText()).isEqualTo("a:1");
        assertThat(read.at("/forgotten").asInt()).isEqualTo(FORGOTTEN);
    }

    @Test
    void theProgramReceivesTheAlertInVariablesAndNoOthersOfTheSm() throws Exception {
        Path variables = dir.resolve("variables");
        program("rwxr-xr-x", "env > " + variables + "; echo output that is discarded")
                .deliver(ALERT);
        assertThat(Files.readAllLines(variables))
                .contains(
                        "TSM_TEXT=" + HOSTILE_TEXT,
                        "TSM_CODE=TSM-1215",
                        "TSM_LEVEL=warn",
                        "TSM_CONDITION=begins",
                        "TSM_TIME=1970-01-01T00:00:00Z")
                .noneMatch(line -> line.startsWith("NOTIFY_SOCKET") || line.startsWith("JAVA"));
    }

    @Test
    void theExitStatusOfTheProgramIsTheOutcome() throws Exception {
        program("rwx------", "exit 0").deliver(ALERT);
        Receiver busy = program("rwx------", "exit " + EX_TEMPFAIL);
        assertThatThrownBy(() -> busy.deliver(ALERT))
                .isInstanceOf(Receiver.Unavailable.class)
                .hasMessageContaining("" + EX_TEMPFAIL);
        Receiver rejecting = program("rwx------", "exit 3");
        assertThatThrownBy(() -> rejecting.deliver(ALERT))
                .isInstanceOf(Receiver.Refused.class)
                .hasMessageContaining("3");
    }

    @Test
    void aProgramThatOthersMayWriteIsNotStarted() throws Exception {
        Path mark = dir.resolve("mark");
        Receiver open = program("rwxr-xrwx", "touch " + mark);
        assertThatThrownBy(() -> open.deliver(ALERT))
                .isInstanceOf(Receiver.Unavailable.class)
                .hasMessageContaining("chmod o-w");
        assertThat(mark).doesNotExist();
    }

    @Test
    void aPathWithoutAProgramIsReported() {
        Receiver absent = new ProgramReceiver(dir.resolve("absent"));
        assertThatThrownBy(() -> absent.deliver(ALERT)).hasMessageContaining("no program");
        Receiver relative = new ProgramReceiver(Path.of("bin/true"));
        assertThatThrownBy(() -> relative.deliver(ALERT)).hasMessageContaining("begin with /");
    }

    /** Writes a shell script with permissions such as {@code rwxr-xr-x}. */
    private Receiver program(String mode, String script) throws Exception {
        Path program = Files.writeString(dir.resolve("program"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString(mode));
        return new ProgramReceiver(program);
    }
}
