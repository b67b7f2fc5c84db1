package io.torussm.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code packaging/bench/scale.py}: lines of measurements merged, and tables and plots made of them. */
@Tag("interop")
class ScaleTablesTest {
    private static final Path DOCS = Path.of("../docs/developer");

    @TempDir
    Path dir;

    private String scriptOutput = "";

    @Test
    void repeatedMeasurementsReplaceTheirLines() throws Exception {
        Path measured = dir.resolve("scale.tsv");
        Path output = dir.resolve("output");
        String log = "12:00 INFO a line of the log\n";
        String eight = line("8x8x8", 512, 50, "cold sweep", 3.5);
        Files.writeString(output, log + eight + line("4x4x4", 64, 50, "cold sweep", 0.5));
        assertThat(scale("merge", measured, output)).as(scriptOutput).isZero();
        Files.writeString(
                output, line("4x4x4", 64, 50, "cold sweep", 0.25) + line("4x4x4", 64, 10, "cold sweep", 0.125));
        assertThat(scale("merge", measured, output)).as(scriptOutput).isZero();
        assertThat(Files.readAllLines(measured))
                .hasSize(4)
                .satisfiesExactly(
                        head -> assertThat(head).startsWith("torus\tswitches"),
                        one -> assertThat(one)
                                .startsWith("4x4x4\t64\t64\t128\t10\tcold sweep")
                                .contains("\t0.125\t"),
                        two -> assertThat(two)
                                .startsWith("4x4x4\t64\t64\t128\t50\tcold sweep")
                                .contains("\t0.250\t"),
                        three -> assertThat(three).startsWith("8x8x8"));
        assertThat(scale("show", measured)).as(scriptOutput).isZero();
        assertThat(scriptOutput)
                .contains("| 4x4x4, 128 LIDs | 8,257 (8,257) |", "| 4x4x4, 128 LIDs | 250 ms (413 ms) |");

        Files.writeString(output, "Exception in thread main\n");
        assertThat(scale("merge", measured, output)).isEqualTo(1);
        assertThat(scriptOutput).contains("has no line of a measurement");
    }

    /** New measurements are committed as a whole, and generated tables are never edited. */
    @Test
    void tablesAndPlotsMatchTheMeasurements() throws Exception {
        Path page = dir.resolve("scale.md");
        Files.copy(DOCS.resolve("scale.md"), page);
        assertThat(scale("draw", DOCS.resolve("scale.tsv"), page, dir.resolve("images")))
                .as(scriptOutput)
                .isZero();
        assertThat(page).hasSameTextualContentAs(DOCS.resolve("scale.md"));
        for (String plot : List.of("smps", "sweep", "reaction")) {
            String name = "images/scale-" + plot + ".svg";
            assertThat(dir.resolve(name))
                    .hasSameTextualContentAs(DOCS.resolve(name))
                    .content()
                    .startsWith("<svg");
        }
    }

    private int scale(Object... words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(Programs.requireProgram("python3"), "../packaging/bench/scale.py"));
        for (Object word : words) {
            command.add(word.toString());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        scriptOutput = new String(process.getInputStream().readAllBytes(), UTF_8);
        return process.waitFor();
    }

    private static String line(String torus, int switches, int us, String event, double wire) {
        return String.join(
                "\t",
                torus,
                "" + switches,
                "64",
                "128",
                "" + us,
                event,
                "8257",
                "8257",
                "4.6",
                "" + wire,
                "0.1",
                "0.2",
                "0.1",
                "0.2",
                "0.03",
                "0.02",
                "0.01",
                "0",
                "13",
                "",
                "\n");
    }
}
