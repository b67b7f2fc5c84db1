package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.traffic.TrafficPage;
import io.torussm.daemon.traffic.TrafficReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of {@code torus-sm traffic --html} in a real browser: a run that hangs is played to its end. */
@Tag("interop")
@Timeout(180)
class TrafficPageBrowserTest {
    private static final String COLOUR = "return [...document.querySelectorAll('line')]"
            + ".find(line => line.textContent.startsWith('a to b')).getAttribute('stroke')";

    private static final String BLUE = "hsl(220 75% 50%)";
    private static final String RED = "hsl(0 75% 50%)";

    @TempDir
    Path dir;

    @Test
    void aRunIsPlayedUntilItHangs() throws Exception {
        TrafficReport.LoadResult run =
                new TrafficReport.LoadResult(1, 0, 0, 0, 0, 0, 0, List.of("a waits for b"), 9_000);
        List<TrafficReport.Link> links = List.of(
                new TrafficReport.Link("a", "b", "a to b", 1, "+x", List.of(0, 0, 0), "0990"),
                new TrafficReport.Link("b", "a", "b to a", 0, "-x", List.of(1, 0, 0), "0000"));
        Path page = Files.write(
                dir.resolve("page.html"),
                TrafficPage.of(new TrafficReport("minhop", "uniform", "all with SL 0", 2, List.of(run), links, 3)));
        try (Browser browser = new Browser(Files.createDirectory(dir.resolve("profile")), 1100, 1400)) {
            browser.open(page.toUri().toString());
            assertThat(browser.run("return document.getElementById('verdict').textContent")
                            .asText())
                    .startsWith("Deadlock at load 1.000")
                    .contains("a waits for b");
            assertThat(browser.run(COLOUR).asText()).isEqualTo(RED);
            browser.run("document.getElementById('play').click()");
            browser.await("document.getElementById('at').value === 'part 4 of 4'"
                    + " && document.getElementById('play').textContent === 'Play'");
            assertThat(browser.run(COLOUR).asText()).isEqualTo(BLUE);
            browser.run("const look = document.getElementById('look'); look.value = 2;"
                    + " look.dispatchEvent(new Event('input'))");
            assertThat(browser.run(COLOUR).asText()).isEqualTo(RED);
            assertThat(browser.logEntries()).isEmpty();
        }
    }
}
