package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.sm.SubnetManager;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Transcripts of docs/operator/tour.md, compared with the output of the same commands. */
@Timeout(60)
class TourTest {
    private static final Path PAGE = Path.of("..", "docs", "operator", "tour.md");
    private static final String PROGRAM = "$ bin/torus-sm ";

    @TempDir
    Path dir;

    /** Returns the commands that have an answer on the page. */
    static Stream<Step> steps() throws Exception {
        String blocks = Files.readAllLines(PAGE).stream()
                .map(line -> line.startsWith("    ") ? line.substring(4) : "")
                .collect(Collectors.joining("\n"));
        List<Step> steps = new ArrayList<>();
        for (String block : blocks.replace("\\\n", "").split("\n\n+", -1)) {
            List<String> lines = block.lines().toList();
            if (lines.size() > 1 && lines.get(0).startsWith(PROGRAM)) {
                steps.add(new Step(lines.get(0).substring(PROGRAM.length()), lines.subList(1, lines.size())));
            }
        }
        assertThat(steps).hasSize(3);
        return steps.stream();
    }

    @ParameterizedTest
    @MethodSource("steps")
    void theProgramAnswersAsThePageShows(Step step) throws Exception {
        Path log = dir.resolve("log");
        List<String> arguments =
                new ArrayList<>(List.of(step.command.replace("/tmp/", dir + "/").split(" +")));
        if (arguments.contains("--once")) {
            arguments.addAll(List.of(
                    "-f",
                    log.toString(),
                    "--control-socket",
                    dir.resolve("socket").toString()));
        }
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
                PrintStream err = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8)) {
            Main.run(arguments.toArray(new String[0]), SubnetManager::open, out, err);
        }
        Stream<String> logged = Files.exists(log) ? Files.readString(log).lines() : Stream.of();
        assertHas(Stream.concat(logged, printed.toString(StandardCharsets.UTF_8).lines()), step.shown);
    }

    /** A command of the page, and the lines below it. */
    private record Step(String command, List<String> shown) {
        @Override
        public String toString() {
            return command;
        }
    }

    /** Checks that the output contains the lines in order. Dots match any text. */
    private static void assertHas(Stream<String> printed, List<String> shown) {
        List<String> all = printed.toList();
        Iterator<String> rest = all.iterator();
        for (String line : shown) {
            Pattern wanted = Pattern.compile(Arrays.stream(line.split("\\.\\.\\. ?", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(".*")));
            boolean isThere = false;
            while (!isThere && rest.hasNext()) {
                isThere = wanted.matcher(rest.next().stripTrailing()).matches();
            }
            assertThat(isThere).as("%s, in %s", line, String.join("\n", all)).isTrue();
        }
    }
}
