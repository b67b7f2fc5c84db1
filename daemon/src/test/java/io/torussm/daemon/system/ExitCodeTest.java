package io.torussm.daemon.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The exit codes as operating.md and prove.md list them; scripts depend on the numbers. */
class ExitCodeTest {
    @Test
    void theNumbersAreThoseOfTheManual() {
        assertThat(Arrays.stream(ExitCode.values()).map(code -> code.number() + " " + code))
                .containsExactly(
                        "0 OK",
                        "1 INTERNAL_ERROR",
                        "1 CHECK_FAILED",
                        "2 BAD_CONFIGURATION",
                        "4 NO_PORT",
                        "5 OTHER_MASTER",
                        "6 HALTED",
                        "7 ROUTING_REFUSED",
                        "10 PACKETS_LOST",
                        "11 CREDIT_LOOP",
                        "12 CREDIT_LOOP_WITH_SWITCHES",
                        "13 CREDIT_LOOP_WITH_GROUPS",
                        "14 NO_PROOF");
    }
}
