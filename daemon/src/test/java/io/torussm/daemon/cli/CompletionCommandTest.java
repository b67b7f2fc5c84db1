package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.system.ExitCode;
import org.junit.jupiter.api.Test;

/** The command {@code generate-completion}. */
class CompletionCommandTest extends CommandHarness {
    @Test
    void aCompletionHasTheOptionsAndCommandsOfTheProgram() throws Exception {
        assertThat(run("generate-completion")).as(err()).isEqualTo(ExitCode.OK);
        assertThat(out()).contains("--routing_engine", "--check-config", "migrate-conf", "--guid2lid", "complete -F");
    }
}
