package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The progress line of a long command on a terminal, in a time that the test moves. Each text replaces the previous one
 * after a CR, and the end overwrites it with blanks. A step has a name; it may count, or wait for an answer.
 */
class ProgressLineTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private long nowNs;

    private ProgressLine lineOnTerminal(String program) {
        return new ProgressLine(program, err, true, () -> nowNs);
    }

    private void passSeconds(int seconds) {
        nowNs += TimeUnit.SECONDS.toNanos(seconds);
    }

    private static String overwritten(String text) {
        return "\r" + " ".repeat(text.length()) + "\r";
    }

    @Test
    void theLineShowsTheNameOfAStep() {
        lineOnTerminal("torus-sm").begin("routing");
        assertThat(take()).isEqualTo("\rtorus-sm: routing");
    }

    @Test
    void aStepThatCountsShowsItsCountAndTheSecondsLeft() {
        ProgressLine line = lineOnTerminal("torus-sm");
        line.begin("failures");
        take();
        line.simulated(1, 2048);
        assertThat(take()).as("too soon after the last text").isEmpty();
        passSeconds(6);
        line.simulated(512, 2048);
        assertThat(take()).isEqualTo("\rtorus-sm: failure 512 of 2,048, 18 s left");
    }

    @Test
    void theEndOverwritesTheLineOnce() {
        ProgressLine line = lineOnTerminal("torus-sm");
        line.begin("routing");
        take();
        line.end();
        assertThat(take()).isEqualTo(overwritten("torus-sm: routing"));
        line.end();
        assertThat(take()).isEmpty();
    }

    /** A routing of a large fabric counts nothing. */
    @Test
    void aStepWithoutACountShowsItsSeconds() {
        ProgressLine line = lineOnTerminal("torus-sm");
        line.begin("routing");
        take();
        passSeconds(3);
        line.tick();
        assertThat(take()).isEqualTo("\rtorus-sm: routing, 3 s");
    }

    @Test
    void theLineStaysBelowOtherMessages() {
        ProgressLine line = lineOnTerminal("torus-sm");
        line.begin("routing");
        take();
        line.printMessage("torus-sm: load 0.100");
        assertThat(take())
                .isEqualTo(overwritten("torus-sm: routing") + "torus-sm: load 0.100" + System.lineSeparator()
                        + "\rtorus-sm: routing");
    }

    @Test
    void aStepThatCountsShowsNoSecondsSinceItsBegin() {
        ProgressLine line = lineOnTerminal("torus-sm");
        line.count("failure", 1, 3);
        passSeconds(4);
        line.count("failure", 2, 3);
        assertThat(take()).endsWith("\rtorus-sm: failure 2 of 3, 2 s left");
        passSeconds(4);
        line.tick();
        assertThat(take()).isEmpty();
    }

    /** Most commands of torus-smctl take a tenth of a second. */
    @Test
    void aStepThatIsAwaitedIsShownAfterASecond() {
        ProgressLine line = lineOnTerminal("torus-smctl");
        line.await("health");
        assertThat(take()).isEmpty();
        passSeconds(1);
        line.tick();
        assertThat(take()).isEqualTo("\rtorus-smctl: health, 1 s");
        line.close();
        line.tick();
        assertThat(take()).isEqualTo(overwritten("torus-smctl: health, 1 s"));
    }

    /** A shell opens many lines in one process; the open ones are overwritten at its end. */
    @Test
    void aLineIsInTheListOfOpenOnesUntilItIsClosed() {
        try (ProgressLine line = ProgressLine.of("torus-smctl", err, true)) {
            assertThat(ProgressLine.Open.LINES).contains(line);
            line.await("health");
        }
        assertThat(ProgressLine.Open.LINES).isEmpty();
    }

    @Test
    void nothingIsPrintedWithoutATerminal() {
        ProgressLine line = new ProgressLine("torus-sm", err, false, () -> nowNs);
        line.begin("routing");
        passSeconds(7);
        line.simulated(1, 2);
        line.tick();
        line.end();
        assertThat(take()).isEmpty();
        ProgressLine.on(err).begin("routing");
        assertThat(take()).isEmpty();
    }

    /** Returns the output since the last call. */
    private String take() {
        String text = bytes.toString(StandardCharsets.UTF_8);
        bytes.reset();
        return text;
    }
}
