package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The progress line of a long command on a terminal. Each text replaces the previous one after a CR, and the end
 * overwrites it with blanks.
 */
class ProgressLineTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private long nowNs;

    @Test
    void saysHowFarItIsAndHowLongItTakes() {
        ProgressLine line = new ProgressLine("torus-sm", err, true, () -> nowNs);
        line.begin("routing");
        assertThat(take()).isEqualTo("\rtorus-sm: routing");
        line.begin("failures");
        take();
        nowNs += TimeUnit.MILLISECONDS.toNanos(10);
        line.simulated(1, 2048);
        assertThat(take()).as("too soon").isEmpty();
        nowNs += TimeUnit.SECONDS.toNanos(7);
        line.simulated(312, 2048);
        assertThat(take()).isEqualTo("\rtorus-sm: failure 312 of 2,048, 39 s left");
        line.end();
        assertThat(take()).isEqualTo("\r" + " ".repeat(41) + "\r");
        line.end();
        assertThat(take()).isEmpty();
    }

    /** A routing of a large fabric counts nothing. */
    @Test
    void aStepWithoutACountShowsItsSecondsAndStaysBelowOtherLines() {
        ProgressLine line = new ProgressLine("torus-sm", err, true, () -> nowNs);
        line.begin("routing");
        take();
        nowNs += TimeUnit.SECONDS.toNanos(3);
        line.tick();
        assertThat(take()).isEqualTo("\rtorus-sm: routing, 3 s");
        line.printMessage("torus-sm: load 0.100");
        assertThat(take())
                .isEqualTo("\r" + " ".repeat(22) + "\r" + "torus-sm: load 0.100" + System.lineSeparator()
                        + "\rtorus-sm: routing");
        line.count("failure", 1, 3);
        take();
        nowNs += TimeUnit.SECONDS.toNanos(3);
        line.count("failure", 2, 3);
        assertThat(take()).startsWith("\rtorus-sm: failure 2 of 3, 3 s left");
        nowNs += TimeUnit.SECONDS.toNanos(3);
        line.tick();
        assertThat(take()).as("it counts").isEmpty();
    }

    /** Most commands of torus-smctl take a tenth of a second. */
    @Test
    void aStepThatIsAwaitedIsShownAfterASecond() {
        ProgressLine line = new ProgressLine("torus-smctl", err, true, () -> nowNs);
        line.await("health");
        assertThat(take()).isEmpty();
        nowNs += TimeUnit.SECONDS.toNanos(1);
        line.tick();
        assertThat(take()).isEqualTo("\rtorus-smctl: health, 1 s");
        line.close();
        line.tick();
        assertThat(take()).isEqualTo("\r" + " ".repeat(24) + "\r");
    }

    /** A shell has many lines in one process. */
    @Test
    void aClosedLineIsForgotten() {
        try (ProgressLine line = ProgressLine.of("torus-smctl", err, true)) {
            assertThat(ProgressLine.Open.LINES).contains(line);
            line.await("health");
        }
        assertThat(ProgressLine.Open.LINES).isEmpty();
    }

    @Test
    void saysNothingWhereThereIsNoTerminal() {
        ProgressLine line = new ProgressLine("torus-sm", err, false, () -> nowNs);
        line.begin("routing");
        nowNs += TimeUnit.SECONDS.toNanos(7);
        line.simulated(1, 2);
        line.tick();
        line.end();
        assertThat(take()).isEmpty();
        ProgressLine.on(err).begin("routing");
        assertThat(take()).isEmpty();
    }

    private String take() {
        String text = bytes.toString(StandardCharsets.UTF_8);
        bytes.reset();
        return text;
    }
}
