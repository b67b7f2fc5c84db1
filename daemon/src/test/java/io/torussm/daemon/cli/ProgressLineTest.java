package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private long nowNs;

    private String take() {
        String text = bytes.toString(StandardCharsets.UTF_8);
        bytes.reset();
        return text;
    }

    @Test
    void saysHowFarItIsAndHowLongItTakes() {
        ProgressLine line = new ProgressLine(err, true, () -> nowNs);
        line.begin("routing");
        assertThat(take()).isEqualTo("\rtorus-sm: routing");
        line.begin("failures");
        take();
        nowNs += TimeUnit.MILLISECONDS.toNanos(10);
        line.played(1, 2048);
        assertThat(take()).as("too soon").isEmpty();
        nowNs += TimeUnit.SECONDS.toNanos(7);
        line.played(312, 2048);
        assertThat(take()).isEqualTo("\rtorus-sm: failure 312 of 2,048, 39 s left");
        line.end();
        assertThat(take()).isEqualTo("\r" + " ".repeat(41) + "\r");
        line.end();
        assertThat(take()).isEmpty();
    }

    @Test
    void saysNothingWhereThereIsNoTerminal() {
        ProgressLine line = new ProgressLine(err, false, () -> nowNs);
        line.begin("routing");
        nowNs += TimeUnit.SECONDS.toNanos(7);
        line.played(1, 2);
        line.end();
        assertThat(take()).isEmpty();
        ProgressLine.on(err).begin("routing");
        assertThat(take()).isEmpty();
    }
}
